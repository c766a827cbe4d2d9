"""Noisy-GD (Chourasia and Shah 2023, Algorithm 2): full-batch steps, noise inside each, and the last iterate."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from auditor.base.records import Floats

_DRAWN_AT_ONCE = 1 << 16
"""Numbers of noise that are drawn in one call. The stream of a generator does not depend on it."""


@dataclass(frozen=True, slots=True)
class Descent:
    """What the steps are made with: θ ← θ − η(∇ℓ̄(θ) + λθ) + √(2η) N(0, σ²I), ℓ̄ being the mean loss of the records.

    Raises:
        ValueError: If λ, σ² or η is not above 0 and finite, or the start that is asked for has no variance.
    """

    l2: float
    """λ."""
    sigma2: float
    """σ²."""
    rate: float
    """η."""
    stationary: bool = True
    """Whether a start has the variance that a loss without slope would leave unchanged, as Theorem 5.1 asks for; Theorem 5.2
    asks for that of the limit of small steps."""

    def __post_init__(self) -> None:
        """Refuse what no descent is made with."""
        for name in ("l2", "sigma2", "rate"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name}: expected a number greater than 0, found {value!r}")
        if self.stationary and self.rate * self.l2 >= 2:
            raise ValueError(f"rate: expected less than 2/l2, which is {2 / self.l2:g}, found {self.rate:g}")

    @property
    def start_variance(self) -> float:
        """Of each coordinate of θ_0: σ²/(λ(1 − ηλ/2)) (Theorem 5.1), or σ²/λ (Theorem 5.2)."""
        return self.sigma2 / (self.l2 * ((1 - self.rate * self.l2 / 2) if self.stationary else 1.0))

    @property
    def deviation(self) -> float:
        """√(2η)σ, the standard deviation of the noise of a step."""
        return math.sqrt(2 * self.rate * self.sigma2)

    def start(self, size: int, rng: np.random.Generator) -> Floats:
        """θ_0 ~ N(0, start_variance I), shape (size,)."""
        drawn: Floats = math.sqrt(self.start_variance) * rng.standard_normal(size)
        return drawn


@dataclass(frozen=True, slots=True, eq=False)
class Descended:
    """Where a descent ended, and what was seen on the way."""

    parameters: Floats
    """θ_K, shape (p,)."""
    steps: int
    """K, as they were counted."""
    noise_count: int
    """Kp: the coordinates of noise that the steps added."""
    noise_variance: float
    """The mean square of (θ_{k+1} − θ_k + η∇L(θ_k))/√(2η) over all of them, which estimates σ²; 0 where there is none."""


def descend(
    gradient: Callable[[Floats], Floats], start: Floats, descent: Descent, *, steps: int, rng: np.random.Generator
) -> Descended:
    """Algorithm 2 for one model.

    Args:
        gradient: θ ↦ the mean of the records' gradients at θ, without the regulariser; both of shape (p,).
        start: Θ, shape (p,).
        descent: What the steps are made with.
        steps: K, at least 0.
        rng: The noise is drawn from it, step after step.

    Raises:
        ArithmeticError: If a parameter is not finite at the end.
    """
    parameters, total = start, 0.0
    # What overflows is found at the end.
    with np.errstate(over="ignore", invalid="ignore"):
        for drawn in _noise(len(start), steps, rng):
            moved = descent.rate * (gradient(parameters) + descent.l2 * parameters)
            after = parameters - moved + descent.deviation * drawn
            # From the iterates, not from what was drawn: this is what the step did.
            added = after - parameters + moved
            total += float(added @ added)
            parameters = after
    if not np.isfinite(parameters).all():
        raise ArithmeticError(f"after {steps} steps a parameter is not finite: declare a smaller rate")
    count = steps * len(start)
    return Descended(parameters, steps, count, total / (2 * descent.rate * count) if count else 0.0)


def _noise(size: int, steps: int, rng: np.random.Generator) -> Iterator[Floats]:
    """N(0, I) of shape (size,) for each step."""
    at_once = max(1, _DRAWN_AT_ONCE // size)
    for first in range(0, steps, at_once):
        yield from rng.standard_normal((min(at_once, steps - first), size))
