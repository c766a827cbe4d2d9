"""The bound from an advantage inverts the best test between two Gaussians, from below."""

from __future__ import annotations

import math

import mpmath
from hypothesis import given
from hypothesis import strategies as st

from auditor.maths.certificates import derive
from auditor.maths.certificates.gaussian import MOST, mu_lower
from auditor.maths.certificates.renyi import gaussian_epsilon


@given(st.one_of(st.floats(0, MOST), st.floats(-12, 0).map(lambda power: min(MOST, 10**power))))
def test_two_gaussians_so_far_apart_allow_the_advantage_and_no_less(advantage: float) -> None:
    with mpmath.workdps(50):
        truth = 2 * mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(advantage))
        found = mu_lower(advantage)
        assert 0 <= found <= truth
        assert truth - found <= 1e-12 * (1 + truth)


@given(st.floats(1.001, 100), st.floats(0, 8))
def test_a_trade_off_is_never_refuted_by_the_advantage_that_it_allows(order: float, mu: float) -> None:
    advantage = math.erf(mu / 2 / math.sqrt(2))
    if advantage < 1:
        assert derive("gaussian-lower", {"q": order, "advantage": advantage}).outputs["epsilon_lower"] <= gaussian_epsilon(
            order, mu
        ) * (1 + 1e-12 + (1e-13 / (1 - advantage)))
