"""Two constructions in which a small residual does not hide the removed record (the gap in Guo et al. 2020, Theorem 2).

The theorem's proof takes the residual u as independent of the perturbation b. In one dimension the released w determines the b
that retraining would have needed for it, z = -grad L(w; D'), so that both distributions can be compared as distributions
of z: retraining gives N(0, sigma^2), a Newton removal gives z = b - u(b). This is why the guarantee by loss perturbation can be
supported, under an assumption that names the gap, but not shown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy.integrate import trapezoid
from scipy.special import expit, ndtr

from auditor.maths.certificates import gaussian

Floats = npt.NDArray[np.float64]
SIGMA = 3.0


def removal(w: Floats, kept: int, l2: float) -> tuple[Floats, Floats, Floats]:
    """b that makes w the trained model, the Newton step from w, and the b that retraining needs for the model after it.

    Training holds `kept` records (x = 1, y = +1) and one record (1, -1), which is removed.
    """
    rows = kept + 1
    p = expit(w)
    b = -(kept * (p - 1) + p + l2 * rows * w)
    step = (l2 * w + p) / (kept * p * (1 - p) + l2 * kept)
    after = w + step
    z = -(kept * (expit(after) - 1) + l2 * kept * after)
    return b, step, z


def density(z: Floats) -> Floats:
    return np.exp(-((z / SIGMA) ** 2) / 2) / (SIGMA * np.sqrt(2 * np.pi))


def test_a_bounded_residual_does_not_give_the_delta_that_is_claimed() -> None:
    w = np.union1d(np.linspace(-12_000, 12_000, 100_001), np.linspace(-60, 60, 200_001))
    b, _, z = removal(w, 1, 1e-3)
    largest = float(np.abs(b - z).max())
    assert largest <= 0.3055 * SIGMA
    claimed = gaussian.delta(1.0, 0.3055)
    assert claimed == pytest.approx(7.0e-5, rel=0.01)
    # b and z both fall in w, so that masses of cells in w are masses of cells in b and in z.
    assert np.all(np.diff(b) < 1e-9)
    assert np.all(np.diff(z) < 1e-9)
    newton, retrained = np.abs(np.diff(ndtr(b / SIGMA))), np.abs(np.diff(ndtr(z / SIGMA)))
    true_delta = float(np.maximum(retrained - np.e * newton, 0).sum())
    assert true_delta > 0.107 > 1000 * claimed
    # The same once more from densities: |db/dw| and |dz/dw| carry those of b and z over to w.
    slopes = density(z) * np.abs(np.gradient(z, w)) - np.e * density(b) * np.abs(np.gradient(b, w))
    assert float(trapezoid(np.maximum(slopes, 0), w)) == pytest.approx(true_delta, rel=1e-3)


@pytest.mark.parametrize("delta", [1e-4, 1e-5])
def test_retraining_at_the_budget_shows_which_branch_was_taken(delta: float) -> None:
    w = np.linspace(-30, 60, 400_001)
    b, step, z = removal(w, 100, 0.02)
    # The paper's Algorithm 2: gamma = 1/4, ||X||_2 = 10, ||X d||_2 = 10 |d|, retrain above sigma epsilon / c.
    charged = 0.25 * 10 * np.abs(step) * 10 * np.abs(step)
    budget = SIGMA * gaussian.classical_mu(1.0, delta)
    kept = (charged <= budget)[:-1]
    assert float(np.abs(b - z)[charged <= budget].max()) < budget
    newton, cells = np.abs(np.diff(ndtr(b / SIGMA))), np.abs(np.diff(ndtr(z / SIGMA)))
    retrains = 1 - float(newton[kept].sum())
    assert 0.1 < retrains < 0.3
    # Inside the branch both ways lead to a release; outside it only retraining does.
    outside = 1 - float(cells[kept].sum())
    released = newton[kept] + retrains * cells[kept]
    true_delta = float(np.maximum(cells[kept] - np.e * released, 0).sum()) + outside * (1 - np.e * retrains)
    assert true_delta >= 0.09 > 100 * delta
