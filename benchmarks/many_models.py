"""100 logistic models on random subsets of n = 1,000 rows, d = 64, trained at once, against scikit-learn fitting them one by one.

Baseline: LogisticRegression(solver="lbfgs", tol=1e-4, its default, fit_intercept=False) with C = 1/(λn_k), which is the same
objective without a perturbation, on copies of the same rows made beforehand, in the same process, one thread. Its `tol` bounds
the largest partial derivative of the mean loss. Both sides are timed in turns, by processor time, and the gradients that they
leave are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from auditor.learning.batched_logistic import minimise_many, remove_many
from auditor.learning.logistic import Objective, minimise
from auditor.learning.residuals import NewtonRemoval
from benchmarks.measuring import Figure, in_turns, ratios

L2, ROUGH, TIGHT = 1e-3, 1e-2, 1e-10

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the problem."""

    rows: int
    dimensions: int
    models: int
    forgotten: int
    repeats: int


USUAL = Sizes(rows=1_000, dimensions=64, models=100, forgotten=10, repeats=9)
TINY = Sizes(rows=200, dimensions=8, models=4, forgotten=3, repeats=1)


@dataclass(frozen=True)
class Problems:
    """The subsets of one table."""

    features: Floats
    signs: Floats
    members: Bools

    def own(self) -> list[Objective]:
        """Each subset's objective, with a copy of its rows."""
        nothing = np.zeros(self.features.shape[1])
        return [Objective(self.features[rows], self.signs[rows], L2, nothing) for rows in self.members]

    def at_once(self, tolerance: float) -> Floats:
        """All minimisers, shape (B, d)."""
        nothing = np.zeros((len(self.members), self.features.shape[1]))
        return minimise_many(self.features, self.signs, self.members, l2=L2, perturbations=nothing, tolerance=tolerance)


def problems(sizes: Sizes, share: float, *, standardised: bool) -> Problems:
    """Subsets of `share` of the rows each, drawn without replacement; rows of norm 1, or columns of variance 1."""
    features, labels = make_classification(
        sizes.rows, sizes.dimensions, n_informative=sizes.dimensions // 2, flip_y=0.1, random_state=0
    )
    if standardised:
        features = (features - features.mean(axis=0)) / features.std(axis=0)
    else:
        features /= np.linalg.norm(features, axis=1, keepdims=True)
    rng = np.random.default_rng(0)
    members = np.zeros((sizes.models, sizes.rows), dtype=bool)
    for rows in members:
        rows[rng.choice(sizes.rows, int(share * sizes.rows), replace=False)] = True
    return Problems(features, np.where(labels == 1, 1.0, -1.0), members)


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Compare fits and removals."""
    halves = problems(sizes, 0.5, standardised=False)
    yield from _compared("halves", halves, sizes)
    yield from _compared("most", problems(sizes, 0.9, standardised=False), sizes)
    yield from _compared("standardised", problems(sizes, 0.5, standardised=True), sizes)
    own = halves.own()
    alone, together = in_turns(
        lambda: [minimise(problem, tolerance=TIGHT) for problem in own], lambda: halves.at_once(TIGHT), repeats=sizes.repeats
    )
    yield ratios("one-by-one", alone, together)
    yield _removals(halves, own, sizes)


def _compared(row: str, case: Problems, sizes: Sizes) -> Iterator[Figure]:
    own = case.own()
    theirs, ours = in_turns(lambda: _scikit_learn(own, 1e-4), lambda: case.at_once(ROUGH), repeats=sizes.repeats)
    if _largest_gradient(own, case.at_once(ROUGH)) > _largest_gradient(own, _scikit_learn(own, 1e-4)):
        raise AssertionError("the fits at once leave the larger gradient")
    yield ratios(row, theirs, ours)


def _removals(case: Problems, own: list[Objective], sizes: Sizes) -> Figure:
    parameters = case.at_once(TIGHT)
    forget = case.members & (np.cumsum(case.members, axis=1) <= sizes.forgotten)
    first = np.arange(sizes.forgotten)
    alone, together = in_turns(
        lambda: [NewtonRemoval(each, at).step(first) for each, at in zip(own, parameters, strict=True)],
        lambda: remove_many(case.features, case.signs, case.members, forget, l2=L2, parameters=parameters),
        repeats=sizes.repeats,
    )
    return ratios("removals", alone, together)


def _scikit_learn(own: list[Objective], tolerance: float) -> Floats:
    fits = []
    for problem in own:
        model = LogisticRegression(solver="lbfgs", C=1 / problem.strength, fit_intercept=False, tol=tolerance, max_iter=10_000)
        fits.append(model.fit(problem.features, problem.signs).coef_[0])
    return np.array(fits)


def _largest_gradient(own: list[Objective], parameters: Floats) -> float:
    return max(float(np.linalg.norm(problem.gradient(at))) for problem, at in zip(own, parameters, strict=True))
