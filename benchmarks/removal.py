"""How many single removals certified removal allows: this project's bound and budget against those of the paper.

Digits, zero against the rest and three against eight, λ = 1e-3, σ = 1, ε = 1, δ = 1e-4; single removals in random order until β
exceeds the budget. The baseline is the paper's own bound (Corollary 1) and budget (Theorem 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.datasets import load_digits

from auditor.base.records import Floats
from auditor.learning.logistic import Objective, minimise
from auditor.learning.randomness import perturbation
from auditor.learning.residuals import NewtonRemoval, StepMeasurement, measure_step
from auditor.maths.certificates.increments import LOGISTIC_LIPSCHITZ_PRINTED, as_printed
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from auditor.parts.removal.rules import removal
from benchmarks.measuring import Figure, ratios

L2, SIGMA, EPSILON, DELTA = 1e-3, 1.0, 1.0, 1e-4


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many orders are drawn, and after how many removals counting stops."""

    seeds: int
    most: int


USUAL, TINY = Sizes(seeds=20, most=1_000), Sizes(seeds=2, most=4)


def digits(positive: tuple[int, ...], negative: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Rows of norm 1 of some digits, and +1 or −1."""
    bunch = load_digits()
    chosen = np.isin(bunch.target, positive + negative)
    features = bunch.data[chosen] / np.linalg.norm(bunch.data[chosen], axis=1, keepdims=True)
    return features, np.where(np.isin(bunch.target[chosen], positive), 1.0, -1.0)


def certified(features: Floats, signs: Floats, seed: int, most: int) -> dict[str, int]:
    """How many single removals each bound certifies within its budget, in one random order.

    Raises:
        AssertionError: If a bound lies below the measured residual.
    """
    objective = Objective(features, signs, L2, perturbation(1_000 + seed, features.shape[1], sigma=SIGMA))
    norm = perturbation_norm_bound(features.shape[1], sigma=SIGMA)
    weights = minimise(objective, tolerance=1e-9)
    rng = np.random.default_rng(seed)
    budgets = {"as printed": removal.classical_budget(EPSILON, DELTA, SIGMA), "local": removal.budget(EPSILON, DELTA, SIGMA)}
    betas, counts = dict.fromkeys(budgets, 1e-9), dict.fromkeys(budgets, 0)
    for count in range(1, min(most, len(features) - 1) + 1):
        forget = rng.integers(len(objective.features), size=1)
        after = weights + NewtonRemoval(objective, weights).step(forget)
        step = measure_step(objective, forget, weights, after, perturbation_norm=norm)
        betas = {"as printed": betas["as printed"] + _printed(step), "local": betas["local"] + step.increment}
        if step.measured > betas["local"]:
            raise AssertionError("a bound lies below the measured residual")
        counts |= {name: count for name, beta in betas.items() if beta <= budgets[name]}
        if betas["local"] > budgets["local"]:
            break
        objective, weights = objective.without(forget), after
    return counts


def _printed(step: StepMeasurement) -> float:
    return as_printed(
        lipschitz=LOGISTIC_LIPSCHITZ_PRINTED,
        spectral_norm=step.spectral_norm,
        step_norm=step.step_norm,
        step_predictions_norm=step.step_predictions_norm,
        solver_error=step.solver_error,
        rounding_floor=step.rounding_floor,
    )


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Count what is certified, seed by seed."""
    for row, positive, negative in (("zero-against-rest", (0,), tuple(range(1, 10))), ("three-against-eight", (3,), (8,))):
        features, signs = digits(positive, negative)
        found = [certified(features, signs, seed, sizes.most) for seed in range(sizes.seeds)]
        yield ratios(row, [each["local"] for each in found], [max(1, each["as printed"]) for each in found])
