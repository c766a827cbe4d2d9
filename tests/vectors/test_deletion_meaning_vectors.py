"""Ten digits of the noise test and of the Gaussian trade-off's other words, by mpmath's incomplete gamma and error functions."""

from __future__ import annotations

import pytest

from auditor.maths.certificates.renyi import gaussian_advantage, gaussian_epsilon
from auditor.maths.statistics import accepted_variance, detectable_deviation


@pytest.mark.parametrize(
    ("count", "low", "high", "detects"),
    [
        (10, 0.0293261502125526, 4.85137451126007, 17.9639256147741),
        (100, 0.45356833770299, 1.85029513802958, 1.64083053289332),
    ],
)
def test_the_noise_test_at_one_in_a_million(count: int, low: float, high: float, detects: float) -> None:
    accepted = accepted_variance(1.0, count, significance=1e-6)
    assert (accepted.low, accepted.high) == pytest.approx((low, high), rel=1e-10)
    assert detectable_deviation(count, significance=1e-6, power=0.99) == pytest.approx(detects, rel=1e-9)


@pytest.mark.parametrize(
    ("mu", "epsilon", "advantage"),
    [
        # The first and the last are those of formulas section 2, at L = 1, lambda = .05, beta = .25, sigma^2 = .01, n = 500.
        (0.175119007154, 0.0306666666666027, 0.0697732100292787),
        (1.0, 1.0, 0.382924922548026),
        (0.000946279938437, 8.95445721888333e-7, 0.000377511062453156),
    ],
)
def test_a_gaussian_pair_at_order_two(mu: float, epsilon: float, advantage: float) -> None:
    assert gaussian_epsilon(2.0, mu) == pytest.approx(epsilon, rel=1e-12)
    assert gaussian_advantage(mu) == pytest.approx(advantage, rel=1e-12)
