"""Figures 1 to 3 of certified-removal.md (Guo et al. 2020) on bundled digits: python -m benchmarks.paper.removal [--quick].

They use threes and eights of MNIST; here are those of scikit-learn's digits, 357 of 8 × 8 pixels. `--out DIR` is where page and
figures go, docs if left out; `--results FILE` writes them again from what an earlier run found; `--quick` is a first look that
shows nothing but that all of it runs.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import json
import time
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.logistic import Objective, minimise
from auditor.learning.randomness import perturbation
from auditor.learning.residuals import NewtonRemoval, StepMeasurement, measure_step
from auditor.maths.certificates import increments
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from auditor.parts.removal.planning.document import Search, Target, document
from auditor.parts.removal.planning.search import plan_task
from auditor.parts.removal.planning.walking import Task
from auditor.parts.removal.rules import removal
from benchmarks.paper import publishing, removal_page
from benchmarks.paper.leave_one_out import leave_one_out
from benchmarks.paper.online_removal import OnlineRemoval
from benchmarks.removal import digits

EPSILON, DELTA, TOLERANCE = 1.0, 1e-4, 1e-9
WORKERS = 2


@dataclass(frozen=True, slots=True)
class Scope:
    """How much is measured."""

    l2: tuple[float, ...] = (1e-4, 1e-3, 1e-2, 1e-1)
    sigma: tuple[float, ...] = (0.1, 0.3, 1.0, 3.0, 10.0)
    draws: int = 5
    deletions: int = 50
    held_out: int = 119
    curve_l2: float = 1e-2
    """λ of Figures 2 and 3."""
    curve_sigma: float = 1.0
    removals: int = 100
    batch: int = 10
    orders: int = 5
    pictures: int = 10
    seed: int = 0


FULL = Scope()
QUICK = Scope(l2=(1e-2,), sigma=(0.3, 1.0), draws=2, deletions=10, removals=20, orders=2)


def results(scope: Scope) -> dict[str, Any]:
    """Everything that the page tells, as JSON holds it."""
    started = time.perf_counter()
    features, signs = digits((3,), (8,))
    found = {
        "scope": {**asdict(scope), "full": scope == FULL, "epsilon": EPSILON, "delta": DELTA, "records": len(signs)},
        "trade_offs": trade_offs(scope, features, signs),
        "bounds": {str(size): bounds(scope, features, signs, size) for size in (1, scope.batch)},
        "budget": removal.budget(EPSILON, DELTA, scope.curve_sigma),
        "classical_budget": removal.classical_budget(EPSILON, DELTA, scope.curve_sigma),
        "pictures": pictures(scope, features, signs),
    }
    listed: dict[str, Any] = json.loads(json.dumps({**found, "seconds": time.perf_counter() - started}))
    return listed


def trade_offs(scope: Scope, features: Floats, signs: Floats) -> dict[str, Any]:
    """Figure 1: a plan for some of the digits, judged on the others."""
    order = generator(scope.seed, "paper", "split").permutation(len(signs))
    ids = np.array([f"digit-{row}" for row in range(len(signs))])
    every = Dataset(features, signs.astype(np.int64), ids)
    held_out, train = every.subset(np.sort(order[: scope.held_out])), every.subset(np.sort(order[scope.held_out :]))
    task = Task(train, held_out, np.unique(every.labels), "logistic", False, "gaussian", TOLERANCE, 1.0, None, None, ())
    search = Search(scope.l2, scope.sigma, scope.draws, scope.seed)
    return document(plan_task("3 against 8", task, Target(scope.deletions, EPSILON, DELTA), search, jobs=WORKERS))


def bounds(scope: Scope, features: Floats, signs: Floats, size: int) -> dict[str, list[float]]:
    """Figure 2: what each bound adds up to after so many batches of `size`, the median over random orders."""
    walks = [_one_order(scope, features, signs, size, number) for number in range(scope.orders)]
    series = {name: [median(each) for each in zip(*(walk[name] for walk in walks), strict=True)] for name in walks[0]}
    return {"removed": [float(size * (step + 1)) for step in range(scope.removals // size)], **series}


def _one_order(scope: Scope, features: Floats, signs: Floats, size: int, number: int) -> dict[str, list[float]]:
    dimensions = features.shape[1]
    b = perturbation(1_000 + number, dimensions, sigma=scope.curve_sigma)
    objective = Objective(features, signs, scope.curve_l2, b)
    norm = perturbation_norm_bound(dimensions, sigma=scope.curve_sigma)
    weights = minimise(objective, tolerance=TOLERANCE)
    online = OnlineRemoval([objective], weights[None], perturbation_norm=norm)
    order = generator(scope.seed, "paper", "order", number).permutation(len(signs))
    series: dict[str, list[float]] = {}
    totals: dict[str, float] = {}
    left = np.arange(len(signs))
    for first in range(0, scope.removals - size + 1, size):
        gone: Positions = order[first : first + size]
        forget = np.flatnonzero(np.isin(left, gone))
        updated = weights + NewtonRemoval(objective, weights).step(forget)
        step = measure_step(objective, forget, weights, updated, perturbation_norm=norm)
        online.remove(gone)
        for name, added in _increments(step, scope.curve_l2, norm).items():
            totals[name] = totals.get(name, TOLERANCE) + added
            series.setdefault(name, []).append(totals[name])
        series.setdefault("online", []).append(float(online.bounds[0]))
        series.setdefault("measured", []).append(step.measured)
        objective, weights, left = objective.without(forget), updated, np.delete(left, forget)
    return series


def _increments(step: StepMeasurement, l2: float, norm: float) -> dict[str, float]:
    beside = {"solver_error": step.solver_error, "rounding_floor": step.rounding_floor}
    printed, smallest = increments.LOGISTIC_LIPSCHITZ_PRINTED, increments.LOGISTIC_LIPSCHITZ
    return {
        "worst-case": increments.worst_case(
            rows=step.rows,
            forgotten=step.forgotten,
            l2=l2,
            lipschitz=printed,
            gradient_bound=1.0,
            perturbation_norm=norm,
            gradient_norm=step.gradient_norm,
            **beside,
        ),
        "as-printed": increments.as_printed(
            lipschitz=printed,
            spectral_norm=step.spectral_norm,
            step_norm=step.step_norm,
            step_predictions_norm=step.step_predictions_norm,
            **beside,
        ),
        "tightened": increments.tightened(
            lipschitz=smallest, spectral_norm=step.spectral_norm, step_predictions_norm4=step.step_predictions_norm4, **beside
        ),
        "local": step.increment,
    }


def pictures(scope: Scope, features: Floats, signs: Floats) -> dict[str, Any]:
    """Figure 3: the records that are hardest and easiest to remove, by the length of the step and by what it leaves."""
    objective = Objective(features, signs, scope.curve_l2, perturbation(1_000, features.shape[1], sigma=scope.curve_sigma))
    weights = minimise(objective, tolerance=TOLERANCE)
    every = leave_one_out(objective, weights)
    lengths, margins = np.linalg.norm(every.steps, axis=1), signs * (features @ weights)
    found: dict[str, Any] = {"rank_correlation": float(spearmanr(lengths, every.residuals).statistic)}
    for name, values in (("influence", lengths), ("residual", every.residuals)):
        order = np.argsort(-values, kind="stable")
        ends = {"hardest": order[: scope.pictures], "easiest": order[::-1][: scope.pictures]}
        found[name] = {
            end: [
                {
                    "label": 3 if signs[row] > 0 else 8,
                    "value": float(values[row]),
                    "margin": float(margins[row]),
                    "pixels": _grey(features[row]),
                }
                for row in rows
            ]
            for end, rows in ends.items()
        }
        found[name]["spread"] = float(values.max() / values.min())
        found[name]["hardest_over_median"] = float(values.max() / np.median(values))
    return found


def _grey(row: Floats) -> list[int]:
    """The 64 pixels of a digit as whole numbers from 0 to 16, as they were before the row was scaled to norm 1."""
    return [round(16 * float(pixel) / float(row.max())) for pixel in row]


def main() -> None:
    """Measure, print the page, and write it with its figures and results; the full run writes to docs."""
    publishing.run(__doc__, lambda quick: results(QUICK if quick else FULL), removal_page)


if __name__ == "__main__":
    main()
