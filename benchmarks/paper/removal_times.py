"""Table 1 of certified-removal.md (Guo et al. 2020) as ratios of times: python -m benchmarks.paper.removal_times [--quick].

LSUN, SST and SVHN are not bundled, so the matrices are drawn: rows of norm 1 with as many columns as the paper's features have,
their covariance falling as 1/j. One removal is compared with training again without the record, both in this process, in
seconds of the processor. `--out DIR` is where the page goes, docs if left out; `--results FILE` writes it again from what an
earlier run found; `--quick` shows nothing but that all of it runs.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, TypeVar

import numpy as np
from scipy.optimize import minimize

from auditor.base.draws import generator
from auditor.base.records import Floats, Positions
from auditor.learning.logistic import Objective
from auditor.learning.randomness import perturbation
from auditor.learning.residuals import NewtonRemoval
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from auditor.parts.removal.rules import removal
from benchmarks.paper import publishing, removal_times_page
from benchmarks.paper.online_removal import OnlineRemoval

EPSILON: Final = 1.0
DELTA: Final = 1e-4
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Shape:
    """One classifier of the paper's, and how much of it is drawn here."""

    rows: int
    """Records of one classifier, as the paper has them."""
    columns: int
    drawn: int
    """Records that were measured."""


@dataclass(frozen=True, slots=True)
class Scope:
    """How much is measured."""

    shapes: Mapping[str, Shape]
    repeats: int = 5
    l2: float = 1e-3
    sigma: float = 1.0
    tolerance: float = 1e-3
    """Of the sum's gradient, in training and in training again: what the budget is charged with once."""


FULL: Final = Scope(
    {
        "MNIST": Shape(12_000, 784, 12_000),
        "LSUN": Shape(200_000, 2_048, 10_000),
        "SST": Shape(67_349, 1_024, 67_349),
        "SVHN": Shape(14_651, 2_304, 14_651),
    }
)
QUICK: Final = replace(FULL, shapes={"MNIST": Shape(12_000, 784, 120)}, repeats=2)


def results(scope: Scope) -> dict[str, Any]:
    """Everything that the page says, as JSON holds it."""
    started = time.perf_counter()
    found = {
        "scope": {**asdict(scope), "full": scope == FULL, "epsilon": EPSILON, "delta": DELTA},
        "budget": removal.budget(EPSILON, DELTA, scope.sigma),
        "measured": {name: measured(scope, name, shape) for name, shape in scope.shapes.items()},
    }
    listed: dict[str, Any] = json.loads(json.dumps({**found, "seconds": time.perf_counter() - started}))
    return listed


def drawn(name: str, shape: Shape, scope: Scope) -> Objective:
    """L_b of a matrix of a shape, with labels that a linear model draws and so explains in part."""
    rng = generator(0, "paper", "times", name)
    features = rng.normal(size=(shape.drawn, shape.columns))
    features /= np.sqrt(np.arange(1, shape.columns + 1))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    scores = 4 * (features @ rng.normal(size=shape.columns))
    signs = np.where(rng.logistic(size=shape.drawn) < scores, 1.0, -1.0)
    return Objective(features, signs, scope.l2, perturbation(1, shape.columns, sigma=scope.sigma))


def measured(scope: Scope, name: str, shape: Shape) -> dict[str, Any]:
    """Seconds of the processor for each way to answer a deletion, record by record of one sequence.

    Raises:
        AssertionError: If a residual exceeds its bound, or a training misses its tolerance.
    """
    objective = drawn(name, shape, scope)
    norm = perturbation_norm_bound(shape.columns, sigma=scope.sigma)
    weights = descended(objective, scope.tolerance)
    online, preparing = timed(lambda: OnlineRemoval([objective], weights[None], perturbation_norm=norm))
    chosen: Positions = generator(0, "paper", "times", name, "removed").permutation(shape.drawn)[: scope.repeats]
    seconds: dict[str, list[float]] = {"removal": [], "formed": [], "retraining": []}
    residuals = []
    for count, record in enumerate(chosen, start=1):
        _, taken = timed(online.remove, np.array([record]))
        seconds["removal"].append(taken)
        residuals.append([float(np.linalg.norm(online.gradients()[0])), float(online.bounds[0])])
        _, taken = timed(removed, objective, weights, np.array([record]))
        seconds["formed"].append(taken)
        left = objective.without(chosen[:count])
        retrained, taken = timed(descended, left, scope.tolerance)
        seconds["retraining"].append(taken)
        if float(np.linalg.norm(left.gradient(retrained))) > scope.tolerance:
            raise AssertionError("a training misses its tolerance")
    if any(residual > bound for residual, bound in residuals):
        raise AssertionError("a measured residual exceeds its bound")
    return {"seconds": seconds, "preparing": preparing, "residuals": residuals}


def removed(objective: Objective, weights: Floats, record: Positions) -> Floats:
    """The step of one removal that forms the Hessian for it."""
    return NewtonRemoval(objective, weights).step(record)


def timed(run: Callable[..., _Found], *arguments: Any) -> tuple[_Found, float]:
    """What a call gives, and its seconds of the processor."""
    started = time.process_time()
    found = run(*arguments)
    return found, time.process_time() - started


class _Reached(Exception):  # noqa: N818 - it ends a search that has found what it looked for
    """Carries the parameters out of the optimiser."""

    def __init__(self, parameters: Floats) -> None:
        self.parameters = parameters


def descended(objective: Objective, tolerance: float) -> Floats:
    """The minimiser by L-BFGS from zero, stopped at the first gradient of norm `tolerance`, which forms no Hessian."""

    def value(parameters: Floats) -> tuple[float, Floats]:
        scores = objective.features @ parameters
        loss = float(np.logaddexp(0.0, -objective.signs * scores).sum())
        gradient: Floats = objective.features.T @ objective.slopes_of(scores) + objective.strength * parameters
        gradient += objective.perturbation
        if float(np.linalg.norm(gradient)) <= tolerance:
            raise _Reached(parameters.copy())
        regular, linear = 0.5 * objective.strength * float(parameters @ parameters), float(objective.perturbation @ parameters)
        return loss + regular + linear, gradient

    start = np.zeros(objective.features.shape[1])
    options: Any = {"maxiter": 10_000, "maxfun": 20_000, "ftol": 0.0, "gtol": 0.0}
    try:
        return np.asarray(minimize(value, start, jac=True, method="L-BFGS-B", options=options).x)
    except _Reached as reached:
        return reached.parameters


def main() -> None:
    """Measure, print the page, and write it with its results; the full run writes to docs."""
    publishing.run(__doc__, lambda quick: results(QUICK if quick else FULL), removal_times_page)


if __name__ == "__main__":
    main()
