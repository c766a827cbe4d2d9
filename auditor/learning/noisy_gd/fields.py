"""What the steps follow for a linear model: the mean of its records' gradients, for many sets of parameters at a time.

The parameters of a model without intercept are θ, shape (d,), for the logistic loss −log σ(yθᵀx) with y = ±1, and Θ, shape
(classes, d), row after row, for the softmax cross-entropy −log softmax(Θx)_y. A gradient is a vector r of one number an output,
times the record: its norm is ‖r‖‖x‖, exactly, and a clip or a cap is a weight on r.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import expit, softmax

from auditor.base.records import Floats
from auditor.learning.residuals import row_norms
from auditor.maths.certificates.losses import Loss

Numbers: TypeAlias = npt.NDArray[np.floating[Any]]
"""float64, or float32 in simulations."""

_BLOCK_NUMBERS = 1 << 17
"""Outputs in one block of rows: 1 MiB, so that what is computed of them stays in a core's cache."""


@dataclass(frozen=True, slots=True)
class LinearLoss:
    """The loss of one record, as it is followed.

    Raises:
        ValueError: If the number of classes does not fit the loss, or both a clip and a cap are given.
    """

    name: Loss
    classes: int
    """How many labels there are; two for the logistic loss."""
    clip: float | None = None
    """C: to what Euclidean norm the gradient of a record is clipped."""
    cap: float | None = None
    """c, for the loss c(1 − e^(−ℓ/c))."""

    def __post_init__(self) -> None:
        """Refuse what is no loss."""
        if self.name == "logistic" and self.classes != 2:
            raise ValueError(f"classes: expected 2 for the logistic loss, found {self.classes}")
        if self.name == "softmax" and self.classes < 2:
            raise ValueError(f"classes: expected at least 2, found {self.classes}")
        if self.clip is not None and self.cap is not None:
            raise ValueError("expected a clip or a cap, found both")

    @property
    def outputs(self) -> int:
        """Numbers that a model gives for a row."""
        return 1 if self.name == "logistic" else self.classes

    def probabilities(self, parameters: Floats, features: Floats) -> Floats:
        """Of the classes, shape (n, classes), for parameters of shape (p,) and features of shape (n, d)."""
        logits = features @ parameters.reshape(self.outputs, -1).T
        if self.name == "logistic":
            return np.hstack([expit(-logits), expit(logits)])
        found: Floats = softmax(logits, axis=1)
        return found


class MeanGradient:
    """θ ↦ (1/n) Σ ∇ℓ(θ; x_i, y_i) over fixed records, clipped or capped record by record, without the regulariser.

    Attributes:
        rows: n.
        size: p, the number of parameters of one model.
        largest_row_norm: max ‖x_i‖₂.
        dtype: What is computed in.
    """

    def __init__(
        self,
        loss: LinearLoss,
        features: Floats,
        labels: npt.NDArray[np.int64],
        *,
        dtype: type[np.floating[Any]] = np.float64,
        members: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Take the records.

        Args:
            loss: Of each record.
            features: Shape (n, d), n at least 1.
            labels: Shape (n,): positions among the classes; of two the first is −1.
            dtype: What is computed in; float32 is for simulations only.
            members: Shape (models, n), where each model has records of its own, at least one; None where all have all.

        Raises:
            ValueError: If there is no record, or a label is not one of the classes.
        """
        if not len(features):
            raise ValueError("expected at least one record to learn from, found none")
        if labels.shape != (len(features),) or labels.min() < 0 or labels.max() >= loss.classes:
            raise ValueError(f"labels: expected {len(features)} positions among {loss.classes} classes")
        self._loss, self._labels, self.dtype = loss, labels, dtype
        norms = row_norms(features)
        self._norms = norms.astype(dtype)
        # Of the logistic loss y is in the features: one pass fewer over all outputs of every step.
        signs = np.where(labels == 0, -1.0, 1.0)[:, None] if loss.name == "logistic" else 1.0
        self._features: Numbers = np.ascontiguousarray(signs * features, dtype=dtype)
        self.rows, self.size = len(features), loss.outputs * features.shape[1]
        self.largest_row_norm = float(norms.max())
        self._members: Numbers | None = None if members is None else members.astype(dtype)
        # A count may be a column: one a model.
        self._counts: Any = self.rows if members is None else np.repeat(members.sum(axis=1), loss.outputs)[:, None]
        if not np.all(self._counts):
            raise ValueError("expected at least one record for each model to learn from, found none")

    def __call__(self, parameters: Numbers) -> Numbers:
        """The mean gradients of models of shape (models, p), in that shape."""
        outputs, d = self._loss.outputs, self._features.shape[1]
        weights = parameters.reshape(-1, d)
        total = np.zeros_like(weights)
        step = max(1, _BLOCK_NUMBERS // len(weights))
        # Far out e^m overflows to infinity, which gives the slope its limit.
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            for first in range(0, self.rows, step):
                block = slice(first, first + step)
                rows = self._features[block]
                logits = (weights @ rows.T).reshape(-1, outputs, len(rows))
                slopes = self._logistic(logits, block) if self._loss.name == "logistic" else self._softmax(logits, block)
                if self._members is not None:
                    slopes *= self._members[:, None, block]
                total += slopes.reshape(-1, len(rows)) @ rows
        total /= -self._counts if self._loss.name == "logistic" else self._counts
        return total.reshape(parameters.shape)

    def _logistic(self, margins: Numbers, block: slice) -> Numbers:
        """σ(−m), which −yx is multiplied by, from m = yθᵀx; shape (models, 1, rows). Overwrites what it is given."""
        cap = self._loss.cap
        if cap is not None:
            # e^(−ℓ/c) = σ(m)^(1/c).
            found: Numbers = expit(-margins) * np.exp(-np.logaddexp(0, -margins) / margins.dtype.type(cap))
            return found
        np.exp(margins, out=margins)
        margins += 1
        np.reciprocal(margins, out=margins)
        return self._clipped(margins, margins, block)

    def _softmax(self, logits: Numbers, block: slice) -> Numbers:
        """softmax(Θx) − e_y, which x is multiplied by; shape (models, classes, rows). Overwrites what it is given."""
        given = np.arange(self._loss.classes)[:, None] == self._labels[block]
        logits -= logits.max(axis=1, keepdims=True)
        likelihoods = None if self._loss.cap is None else (logits * given).sum(axis=1)
        np.exp(logits, out=logits)
        sums = logits.sum(axis=1, keepdims=True)
        logits /= sums
        logits -= given
        if likelihoods is not None:
            logits *= np.exp((likelihoods - np.log(sums[:, 0])) / logits.dtype.type(self._loss.cap))[:, None]
        if self._loss.clip is None:
            return logits
        return self._clipped(logits, np.sqrt(np.square(logits).sum(axis=1, keepdims=True)), block)

    def _clipped(self, slopes: Numbers, lengths: Numbers, block: slice) -> Numbers:
        """Slopes of given lengths, scaled down where length times row norm exceeds the clip."""
        if self._loss.clip is not None:
            norms = lengths * self._norms[block]
            slopes *= self._loss.clip / np.maximum(norms, self._loss.clip)
        return slopes
