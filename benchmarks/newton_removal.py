"""1,000 single Newton removals at n = 10,000, d = 256, against refitting each from scratch to the same tolerance.

Baselines: the same minimiser (damped Newton, one thread, float64) from zero, and warm-started from the trained weights. The
removals start from one trained model whose Hessian was formed once; a sequence of removals, which forms it again each
time, is next to it. Every removal's measured residual is held against its bound.
"""

from __future__ import annotations

import resource
import time

import numpy as np
from sklearn.datasets import make_classification

from auditor.certificates.increments import LOGISTIC_LIPSCHITZ, tightened
from auditor.certificates.perturbation import perturbation_norm_bound
from auditor.procedures.logistic import Objective, minimise
from auditor.procedures.newton import NewtonRemoval
from auditor.procedures.randomness import perturbation
from auditor.procedures.residuals import measure_step
from benchmarks.measuring import line, seconds

ROWS, DIMENSIONS, REMOVALS, TOLERANCE = 10_000, 256, 1_000, 1e-6
REFITS = 10
BOUNDED = 20


def problem() -> Objective:
    """A fixed binary problem with rows of norm 1, λ = 1e-3 and σ = 1."""
    features, labels = make_classification(ROWS, DIMENSIONS, n_informative=64, flip_y=0.1, random_state=0)
    features = features / np.linalg.norm(features, axis=1, keepdims=True)
    return Objective(features, np.where(labels == 1, 1.0, -1.0), 1e-3, perturbation(1, DIMENSIONS, sigma=1.0))


def main() -> None:
    """Measure and print."""
    objective = problem()
    weights = minimise(objective, tolerance=TOLERANCE)
    chosen = np.random.default_rng(0).choice(ROWS, REMOVALS, replace=False)

    started = time.perf_counter()
    removal = NewtonRemoval(objective, weights)
    steps = [removal.step(chosen[k : k + 1]) for k in range(REMOVALS)]
    each = (time.perf_counter() - started) / REMOVALS

    scratch = _refits(objective, chosen, None)
    warm = _refits(objective, chosen, weights)
    rebuilt = seconds(lambda: NewtonRemoval(objective, weights).step(chosen[:1]))
    line("Newton removal, Hessian formed once (mean of 1,000)", f"{1e3 * each:.2f} ms")
    line("refit from scratch", f"{1e3 * scratch:.0f} ms")
    line("warm-started refit", f"{1e3 * warm:.0f} ms")
    line("Newton removal, Hessian formed anew", f"{1e3 * rebuilt:.1f} ms")
    line("refit from scratch / Newton removal", f"{scratch / each:.0f} ×", "at least 10 ×")
    line("warm-started refit / Newton removal", f"{warm / each:.0f} ×")
    line("refit from scratch / Newton removal, Hessian formed anew", f"{scratch / rebuilt:.1f} ×")
    worst = max(_share(objective, chosen[k : k + 1], weights, steps[k]) for k in range(BOUNDED))
    line(f"largest measured growth of the residual / its bound (first {BOUNDED})", f"{worst:.3f}", "at most 1")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    line("peak memory of this run", f"{peak:.2f} GB", "under 1 GB")


def _refits(objective: Objective, chosen: np.ndarray, start: np.ndarray | None) -> float:
    left = iter([objective.without(chosen[k : k + 1]) for k in range(REFITS)])
    return seconds(lambda: minimise(next(left), tolerance=TOLERANCE, start=start), repeats=REFITS - 1)


def _share(objective: Objective, forget: np.ndarray, weights: np.ndarray, step: np.ndarray) -> float:
    norm = perturbation_norm_bound(DIMENSIONS, sigma=1.0)
    measured = measure_step(objective, forget, weights, weights + step, perturbation_norm=norm)
    bound = tightened(
        lipschitz=LOGISTIC_LIPSCHITZ,
        spectral_norm=measured.spectral_norm,
        step_predictions_norm4=measured.step_predictions_norm4,
        solver_error=measured.solver_error,
        rounding_floor=measured.rounding_floor,
    )
    return (measured.measured - measured.gradient_norm) / bound


if __name__ == "__main__":
    main()
