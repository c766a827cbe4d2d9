"""100 logistic models on random subsets of n = 1,000 rows, d = 64, trained at once, against scikit-learn fitting them one by one.

Baseline: LogisticRegression(solver="lbfgs", tol=1e-4, its default, fit_intercept=False) with C = 1/(λn_k), which is the same
objective without a perturbation, on copies of the same rows made beforehand, in the same process, one thread. Its `tol` bounds
the largest partial derivative of the mean loss; the gradients printed are of the sum, in the 2-norm, where each came to rest.
Next to it are scikit-learn at tol = 1e-10 and this project's own minimiser one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from auditor.procedures.batched_logistic import minimise_many, remove_many
from auditor.procedures.logistic import Objective, minimise
from auditor.procedures.newton import NewtonRemoval
from benchmarks.measuring import line, seconds

ROWS, DIMENSIONS, MODELS, L2 = 1_000, 64, 100, 1e-3
ROUGH, TIGHT = 1e-2, 1e-10
FORGOTTEN = 10

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Problems:
    """The subsets of one table."""

    features: Floats
    signs: Floats
    members: Bools

    def own(self) -> list[Objective]:
        """Each subset's objective, with a copy of its rows."""
        nothing = np.zeros(DIMENSIONS)
        return [Objective(self.features[rows], self.signs[rows], L2, nothing) for rows in self.members]

    def at_once(self, tolerance: float) -> Floats:
        """All minimisers, shape (B, d)."""
        nothing = np.zeros((len(self.members), DIMENSIONS))
        return minimise_many(self.features, self.signs, self.members, l2=L2, perturbations=nothing, tolerance=tolerance)


def problems(share: float, *, standardised: bool) -> Problems:
    """Subsets of `share` of the rows each, drawn without replacement; rows of norm 1, or columns of variance 1."""
    features, labels = make_classification(ROWS, DIMENSIONS, n_informative=32, flip_y=0.1, random_state=0)
    if standardised:
        features = (features - features.mean(axis=0)) / features.std(axis=0)
    else:
        features /= np.linalg.norm(features, axis=1, keepdims=True)
    rng = np.random.default_rng(0)
    members = np.zeros((MODELS, ROWS), dtype=bool)
    for rows in members:
        rows[rng.choice(ROWS, int(share * ROWS), replace=False)] = True
    return Problems(features, np.where(labels == 1, 1.0, -1.0), members)


def _scikit_learn(own: list[Objective], tolerance: float) -> Floats:
    fits = []
    for problem in own:
        model = LogisticRegression(solver="lbfgs", C=1 / problem.strength, fit_intercept=False, tol=tolerance, max_iter=10_000)
        fits.append(model.fit(problem.features, problem.signs).coef_[0])
    return np.array(fits)


def _largest_gradient(own: list[Objective], parameters: Floats) -> float:
    return max(float(np.linalg.norm(problem.gradient(at))) for problem, at in zip(own, parameters, strict=True))


def _compare(name: str, case: Problems, target: str) -> None:
    own = case.own()
    default = seconds(lambda: _scikit_learn(own, 1e-4))
    strict = seconds(lambda: _scikit_learn(own, 1e-10))
    alone = seconds(lambda: [minimise(problem, tolerance=TIGHT) for problem in own])
    rough, tight = seconds(lambda: case.at_once(ROUGH), repeats=15), seconds(lambda: case.at_once(TIGHT), repeats=15)
    theirs, ours = _largest_gradient(own, _scikit_learn(own, 1e-4)), _largest_gradient(own, case.at_once(ROUGH))
    print(name)
    line("  all at once, ‖gradient‖ ≤ 1e-2", f"{1e3 * rough:.1f} ms")
    line("  all at once, ‖gradient‖ ≤ 1e-10", f"{1e3 * tight:.1f} ms")
    line("  scikit-learn, tol = 1e-4", f"{1e3 * default:.0f} ms")
    line("  largest gradient left: all at once / scikit-learn", f"{ours:.2g} / {theirs:.2g}", "the first smaller")
    line("  scikit-learn, tol = 1e-4 / all at once, 1e-2", f"{default / rough:.1f} ×", target)
    line("  scikit-learn, tol = 1e-4 / all at once, 1e-10", f"{default / tight:.1f} ×")
    line("  scikit-learn, tol = 1e-10 / all at once, 1e-10", f"{strict / tight:.1f} ×")
    line("  the same minimiser one by one / all at once, both 1e-10", f"{alone / tight:.1f} ×")


def _removals(case: Problems) -> None:
    parameters, own = case.at_once(TIGHT), case.own()
    forget = case.members & (np.cumsum(case.members, axis=1) <= FORGOTTEN)
    first = np.arange(FORGOTTEN)
    many = seconds(lambda: remove_many(case.features, case.signs, case.members, forget, l2=L2, parameters=parameters))
    single = seconds(lambda: [NewtonRemoval(each, at).step(first) for each, at in zip(own, parameters, strict=True)])
    line(f"Newton removal of {FORGOTTEN} rows from each of the halves, all at once", f"{1e3 * many:.0f} ms")
    line("  one by one / all at once", f"{single / many:.1f} ×")


def main() -> None:
    """Measure and print."""
    halves = problems(0.5, standardised=False)
    _compare("random halves, rows of norm 1", halves, "at least 8 ×")
    _compare("random 90 %, rows of norm 1", problems(0.9, standardised=False), "at least 8 ×")
    _compare("random halves, columns of variance 1 (ill-matched Hessians)", problems(0.5, standardised=True), "at least 8 ×")
    _removals(halves)


if __name__ == "__main__":
    main()
