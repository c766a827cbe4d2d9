"""Make the linear model and the steps of noisy gradient descent from its settings, as many chains at once are run with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss
from auditor.learning.noisy_gd.models import LinearModel
from auditor.learning.row_norms import RowNorms
from auditor.maths.certificates import losses
from auditor.maths.certificates.losses import Loss


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
