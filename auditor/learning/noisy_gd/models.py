"""What noisy gradient descent can train: a model says which gradient its steps follow, and what its parameters predict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Dataset, Floats
from auditor.learning.noisy_gd.fields import LinearLoss, MeanGradient
from auditor.learning.row_norms import RowNorms, bounded


class Followed(Protocol):
    """The mean gradient of fixed records, and what was seen of it."""

    def __call__(self, parameters: Floats, /) -> Floats:
        """The mean of the records' gradients without the regulariser; both of shape (p,)."""
        ...

    def seen(self, start: Floats, end: Floats, rng: np.random.Generator) -> Mapping[str, float]:
        """Facts about the records and the losses along a descent from `start` to `end`, both of shape (p,)."""
        ...


class Learnable(Protocol):
    """A model of p parameters."""

    @property
    def size(self) -> int:
        """p."""
        ...

    def on(self, data: Dataset) -> Followed:
        """The gradient that these records give.

        Raises:
            ValueError: If there is no record, or a label is not among the classes.
        """
        ...

    def probabilities(self, parameters: Floats, features: Floats) -> Floats:
        """Of the classes, shape (n, classes), for parameters of shape (p,)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class LinearModel:
    """A linear model without intercept."""

    loss: LinearLoss
    classes: npt.NDArray[Any]
    """The labels, sorted."""
    features: int
    """d."""
    row_norms: RowNorms = "report"

    @property
    def size(self) -> int:
        """p, one weight for each output and feature."""
        return self.loss.outputs * self.features

    def on(self, data: Dataset) -> LinearGradient:
        """The gradient of the records' mean loss, their rows scaled where that is asked for."""
        return LinearGradient(MeanGradient(self.loss, self.rows(data.features), positions_of(data.labels, self.classes)))

    def probabilities(self, parameters: Floats, features: Floats) -> Floats:
        """Of the classes, shape (n, classes)."""
        return self.loss.probabilities(parameters, self.rows(features))

    def rows(self, features: Floats) -> Floats:
        """Features as the model takes them, shape (n, d)."""
        return bounded(features) if self.row_norms == "scale" else features


@dataclass(frozen=True, slots=True, eq=False)
class LinearGradient:
    """The gradient of one linear model at a time."""

    mean: MeanGradient

    def __call__(self, parameters: Floats) -> Floats:
        """As `Followed`."""
        return np.asarray(self.mean(parameters[None])[0], dtype=np.float64)

    def seen(self, start: Floats, end: Floats, rng: np.random.Generator) -> dict[str, float]:  # noqa: ARG002  (the loss is known)
        """The largest norm of a row, as it was learned from."""
        return {"largest_row_norm": self.mean.largest_row_norm}


def positions_of(labels: npt.NDArray[Any], classes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Where each label is among the sorted classes, shape (n,).

    Raises:
        ValueError: If one is not among them.
    """
    found = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    if unknown := sorted({str(each) for each in labels[classes[found] != labels]}):
        raise ValueError(f"labels: expected those of the training data, found {', '.join(unknown[:3])} too")
    return found.astype(np.int64)
