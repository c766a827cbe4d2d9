"""1,000 single Newton removals at n = 10,000, d = 256, against refitting each from scratch to the same tolerance.

Baselines: the same minimiser (damped Newton, one thread, float64) from zero, and warm-started from the trained weights. The
removals start from one trained model whose Hessian was formed once; a removal that forms it again is next to them. The growth of
some removals' measured residuals is compared with its bound. All times are of the processor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.datasets import make_classification

from auditor.base.records import Floats, Positions
from auditor.learning.logistic import Objective, minimise
from auditor.learning.randomness import perturbation
from auditor.learning.residuals import NewtonRemoval, measure_step
from auditor.maths.certificates.increments import LOGISTIC_LIPSCHITZ, tightened
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from benchmarks.measuring import Figure, bytes_of, peak_memory, ratios, times


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the problem, and of what is timed on it."""

    rows: int
    dimensions: int
    removals: int
    repeats: int
    bounded: int
    tolerance: float = 1e-6


USUAL = Sizes(rows=10_000, dimensions=256, removals=1_000, repeats=5, bounded=20)
TINY = Sizes(rows=200, dimensions=8, removals=10, repeats=2, bounded=2)


def problem(sizes: Sizes) -> Objective:
    """A fixed binary problem with rows of norm 1, λ = 1e-3 and σ = 1."""
    features, labels = make_classification(
        sizes.rows, sizes.dimensions, n_informative=sizes.dimensions // 4, flip_y=0.1, random_state=0
    )
    features = features / np.linalg.norm(features, axis=1, keepdims=True)
    return Objective(features, np.where(labels == 1, 1.0, -1.0), 1e-3, perturbation(1, sizes.dimensions, sigma=1.0))


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time removals and refits, and compare residuals with their bound.

    Raises:
        AssertionError: If a measured residual grows by more than its bound.
    """
    objective = problem(sizes)
    weights = minimise(objective, tolerance=sizes.tolerance)
    chosen = np.random.default_rng(0).choice(sizes.rows, sizes.removals, replace=False)

    def removed() -> list[Floats]:
        removal = NewtonRemoval(objective, weights)
        return [removal.step(chosen[k : k + 1]) for k in range(sizes.removals)]

    each = [taken / sizes.removals for taken in times(removed, repeats=sizes.repeats).processor]
    scratch, warm = (_refits(objective, chosen, start, sizes) for start in (None, weights))
    rebuilt = times(lambda: NewtonRemoval(objective, weights).step(chosen[:1]), repeats=sizes.repeats).processor
    yield ratios("scratch", scratch, each)
    yield ratios("warm", warm, each)
    yield ratios("rebuilt", scratch, rebuilt)
    steps = removed()
    if any(_share(objective, chosen[k : k + 1], weights, steps[k]) > 1 for k in range(sizes.bounded)):
        raise AssertionError("a measured residual grew by more than its bound")
    yield bytes_of("memory", [peak_memory()])


def _refits(objective: Objective, chosen: Positions, start: Floats | None, sizes: Sizes) -> tuple[float, ...]:
    left = iter([objective.without(chosen[k : k + 1]) for k in range(sizes.repeats + 1)])
    return times(lambda: minimise(next(left), tolerance=sizes.tolerance, start=start), repeats=sizes.repeats).processor


def _share(objective: Objective, forget: Positions, weights: Floats, step: Floats) -> float:
    norm = perturbation_norm_bound(len(weights), sigma=1.0)
    measured = measure_step(objective, forget, weights, weights + step, perturbation_norm=norm)
    bound = tightened(
        lipschitz=LOGISTIC_LIPSCHITZ,
        spectral_norm=measured.spectral_norm,
        step_predictions_norm4=measured.step_predictions_norm4,
        solver_error=measured.solver_error,
        rounding_floor=measured.rounding_floor,
    )
    return (measured.measured - measured.gradient_norm) / bound
