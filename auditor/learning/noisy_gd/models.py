"""What noisy gradient descent can train: a model says which gradient its steps follow, and what its parameters predict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from auditor.base.records import Dataset, Floats
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss, MeanGradient
from auditor.learning.residuals import RowNorms, bounded
from auditor.maths.certificates import losses
from auditor.maths.certificates.losses import Loss


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


# Make the linear model and the steps of noisy gradient descent from its settings, as many chains at once are run with them.
@dataclass(frozen=True, slots=True)
class LinearDescent:
    """A linear model, and the steps on it."""

    model: LinearModel
    descent: Descent


def theorem_rate(loss: Loss, *, l2: float) -> float:
    """η = 1/(2(λ + β)), the step size of Theorem 5.1, for a loss that is not capped."""
    return losses.theorem_rate(losses.constants(loss).smoothness, l2=l2)


def linear_descent(
    *,
    loss: Loss,
    features: int,
    classes: Sequence[int | str],
    l2: float,
    sigma2: float,
    clip: float | None = None,
    rate: Literal["theorem"] | float = "theorem",
    loss_cap: float | None = None,
    row_norms: RowNorms = "report",
) -> LinearDescent:
    """Make the model and the steps of one loss; see `making.make` for the arguments."""
    labels = np.array(classes)
    model = LinearModel(LinearLoss(loss, len(labels), clip=clip, cap=loss_cap), labels, features, row_norms)
    step = theorem_rate(loss, l2=l2) if rate == "theorem" else rate
    # A cap is for Theorem 5.2, which starts elsewhere.
    return LinearDescent(model, Descent(l2, sigma2, step, stationary=loss_cap is None))


_READ = ("loss", "features", "classes", "l2", "sigma2", "clip", "rate", "loss_cap", "row_norms")


def of_settings(settings: Mapping[str, Any]) -> LinearDescent:
    """Take what concerns model and steps out of the settings of a procedure of a known loss."""
    return linear_descent(**{name: settings[name] for name in _READ if name in settings})
