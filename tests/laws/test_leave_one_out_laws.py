"""All single removals at once are the single removals one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.learning.logistic import Objective, minimise
from auditor.learning.one_versus_rest import LeastSquares
from auditor.learning.randomness import perturbation
from auditor.learning.residuals import NewtonRemoval
from benchmarks.paper.leave_one_out import leave_one_out
from small_cases import problem


@given(seed=st.integers(0, 1_000_000), squared=st.booleans(), off=st.sampled_from([0.0, 1.0]))
@settings(max_examples=60)
def test_each_step_and_residual_is_that_of_the_removal_alone(seed: int, squared: bool, off: float) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 40)), int(rng.integers(1, 7))
    features, labels = problem(n, d, seed=seed)
    l2, b = float(10 ** rng.uniform(-3, 0)), perturbation(seed, d, sigma=1.0)
    signs = np.where(labels == 1, 1.0, -1.0)
    loss = LeastSquares(features, signs, l2, b) if squared else Objective(features, signs, l2, b)
    w = minimise(loss, tolerance=1e-6) + off * rng.normal(size=d)
    found, removal = leave_one_out(loss, w), NewtonRemoval(loss, w)
    for row in range(n):
        forget = np.array([row])
        step = removal.step(forget)
        np.testing.assert_allclose(found.steps[row], step, rtol=1e-6, atol=1e-9)
        alone = float(np.linalg.norm(loss.without(forget).gradient(w + step)))
        assert found.residuals[row] == pytest.approx(alone, rel=1e-5, abs=1e-7)


def test_one_row_cannot_be_left_out() -> None:
    with pytest.raises(ValueError, match="at least two rows"):
        leave_one_out(Objective(np.ones((1, 2)), np.ones(1), 0.1, np.zeros(2)), np.zeros(2))
