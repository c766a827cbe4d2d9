"""What a plan consists of: the target, the size of the search, and one row for each setting that was tried."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from auditor.audit.planning import Accuracy

Method: TypeAlias = Literal["loss-perturbation", "output-noise", "differential-privacy", "no-protection"]

L2_GRID: Final = (1e-4, 1e-3, 1e-2, 1e-1)
SIGMA_GRID: Final = (0.1, 0.3, 1.0, 3.0, 10.0)
QUICK_L2_GRID: Final = (1e-3, 1e-2)
QUICK_SIGMA_GRID: Final = (0.3, 1.0, 3.0)
EPSILONS: Final = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Where accuracy is worked out alongside the target, for the trade-off between the two."""


@dataclass(frozen=True, slots=True)
class Target:
    """What has to be reached."""

    deletions: int
    """Records that are deleted one at a time, before any retraining; at least 1."""
    epsilon: float
    """Above 0."""
    delta: float
    """Between 0 and 1, both excluded."""


@dataclass(frozen=True, slots=True)
class Search:
    """Where settings are looked for, and how closely each is examined."""

    l2: tuple[float, ...]
    """Values of λ, ascending, each above 0."""
    sigma: tuple[float, ...]
    """Values of σ, ascending, each above 0."""
    draws: int
    """Trainings, and random orders of deletion, of each setting."""
    seed: int
    """Everything that is drawn comes from it. It is not, and must not be, the seed of a model that is released."""


@dataclass(frozen=True, slots=True)
class Served:
    """Deletions that are answered by a Newton step before the first that is answered by training from scratch."""

    orders: tuple[int, ...]
    """In each random order, with a training of its own."""
    worst_margin: int
    """With the records that the first training fits worst deleted first."""
    most: int
    """Where counting stopped: this number means at least so many."""

    @property
    def median(self) -> int:
        """Over the random orders; the lower of the two in the middle."""
        return statistics.median_low(self.orders)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting that was tried."""

    method: Method
    l2: float
    sigma: float = 0.0
    """Of the random linear term; 0 where there is none."""
    release_noise: float = 0.0
    """s, the standard deviation of the noise on every released parameter."""
    residual_budget: float | None = None
    """r, with noise at release."""
    accuracy: Accuracy | None = None
    served: Served | None = None
    """None where nothing has to be done at a deletion, or nothing was found."""
    serves: bool = False
    """Whether the target's deletions are served at its ε and δ, in the median order."""
    epsilon_needed: float | None = None
    """The ε at which this setting serves them, in the median order; None where none up to the largest that was examined does."""
    accuracy_at: tuple[tuple[float, float], ...] = ()
    """ε and the accuracy with the noise that serves the target's deletions at it."""
    reason: str | None = None
    """Why there is no result."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a target costs, setting by setting."""

    case: str
    target: Target
    search: Search
    records: int
    features: int
    models: int
    """Classifiers side by side; 1 for two classes and for a regression."""
    score: Literal["accuracy", "R²"]
    """What the numbers called accuracy are."""
    measure: str
    """What accuracy means here, and on which records."""
    baseline: float
    """What predictions score that ignore the record."""
    loss_perturbation: tuple[Setting, ...]
    output_noise: tuple[Setting, ...]
    differential_privacy: tuple[Setting, ...]
    no_protection: tuple[Setting, ...]
    beyond: Setting | None
    """Where no loss perturbation of the grid serves the target: the first beyond it that does."""
    assumptions: tuple[str, ...]

    @property
    def rows(self) -> tuple[Setting, ...]:
        """Every setting that may serve the target."""
        return (*self.loss_perturbation, *self.output_noise, *self.differential_privacy)

    def best(self, method: Method | None = None) -> Setting | None:
        """The most accurate setting that serves the target, of one method or of all; None where none does.

        Of equally accurate ones the one with more room: more deletions served, and then the one that needs the smaller ε.
        """
        found = [row for row in self.rows if row.serves and row.accuracy is not None and method in {None, row.method}]
        return max(found, key=_order, default=None)


def _order(row: Setting) -> tuple[float, float, float]:
    if row.accuracy is None:
        raise AssertionError("only rows with an accuracy are compared")
    needed = row.epsilon_needed if row.epsilon_needed is not None else 0.0
    return row.accuracy.value, row.served.median if row.served else 0.0, -needed
