"""The Gaussian mechanism against 60-digit arithmetic, and the laws that hold between its four functions."""

from __future__ import annotations

import math
import random

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from auditor.maths.certificates import derive, gaussian
from auditor.maths.certificates.privacy import group_delta

epsilons = st.one_of(st.just(0.0), st.floats(1e-12, 1e4))
mus = st.floats(1e-12, 300)
deltas = st.one_of(st.floats(1e-300, 0.999), st.floats(-300, -0.001).map(lambda power: 10**power))


def exact_delta(epsilon: float, mu: float) -> mpmath.mpf:
    """The textbook formula, with so many digits that its cancellation does not matter."""
    with mpmath.workdps(160):
        shift, scaled = mpmath.mpf(mu) / 2, mpmath.mpf(epsilon) / mpmath.mpf(mu)
        root = mpmath.sqrt(2)
        upper, lower = mpmath.erfc((scaled - shift) / root) / 2, mpmath.erfc((scaled + shift) / root) / 2
        return upper - mpmath.exp(mpmath.mpf(epsilon)) * lower


def grid() -> list[tuple[float, float]]:
    """Pairs (epsilon, mu), half of them where delta is between 1 and 1e-310, the others anywhere."""
    source = random.Random(20200)
    pairs = []
    for _ in range(600):
        epsilon = source.choice([0.0, *(10 ** source.uniform(-12, 4) for _ in range(9))])
        quantile = source.uniform(-3, 37)
        near = math.sqrt(quantile**2 + 2 * epsilon) - quantile
        mu = near if source.random() < 0.5 and near > 0 else 10 ** source.uniform(-12, 3)
        if epsilon / mu < 1e4:
            pairs.append((epsilon, mu))
    return pairs


def test_delta_agrees_with_high_precision_everywhere() -> None:
    pairs = grid()
    assert len(pairs) > 400
    in_range = 0
    for epsilon, mu in pairs:
        exact = exact_delta(epsilon, mu)
        with mpmath.workdps(60):
            logarithm = mpmath.log(exact)
            assert abs(gaussian.log_delta(epsilon, mu) - logarithm) <= 1e-15 * (2 + abs(logarithm)), (epsilon, mu)
        if exact > mpmath.mpf("1e-300"):
            in_range += 1
            assert gaussian.delta(epsilon, mu) == pytest.approx(float(exact), rel=1e-12), (epsilon, mu)
    assert in_range > 200


@pytest.mark.parametrize("mu", [1e-300, 1e-100, 1e-20, 1e-9, 1e-4])
def test_small_shifts_keep_their_digits(mu: float) -> None:
    # At epsilon = 0, delta = erf(mu / (2 sqrt 2)), the total variation distance.
    assert gaussian.delta(0, mu) == pytest.approx(math.erf(mu / (2 * math.sqrt(2))), rel=1e-14)


def test_limits() -> None:
    inf = math.inf
    assert gaussian.log_delta(1, 0) == -inf
    assert (gaussian.delta(0, 0), gaussian.delta(3, 0), gaussian.delta(inf, 3)) == (0, 0, 0)
    assert (gaussian.delta(3, inf), gaussian.delta(inf, inf)) == (1, 1)
    assert (gaussian.epsilon(0, 1), gaussian.epsilon(0, 0), gaussian.epsilon(1, 7), gaussian.epsilon(0.5, 0)) == (inf, 0, 0, 0)
    assert (gaussian.epsilon(1e-5, inf), gaussian.epsilon(1e-5, 1e200)) == (inf, inf)
    assert (gaussian.mu(1, 0), gaussian.mu(1, 1), gaussian.mu(inf, 0.1)) == (0, inf, inf)
    assert gaussian.classical_mu(1, 0) == 0


def test_a_positive_delta_is_never_given_as_zero() -> None:
    assert gaussian.delta(1000, 0.1) > 0
    assert gaussian.delta(1, 1e-200) > 0


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (gaussian.log_delta, (-1, 1)),
        (gaussian.log_delta, (1, -1)),
        (gaussian.delta, (math.nan, 1)),
        (gaussian.epsilon, (1.5, 1)),
        (gaussian.epsilon, (math.nan, 1)),
        (gaussian.epsilon, (0.1, -1)),
        (gaussian.mu, (-1, 0.1)),
        (gaussian.mu, (1, -0.1)),
        (gaussian.classical_mu, (-1, 0.1)),
        (gaussian.classical_mu, (1, 2)),
    ],
)
def test_arguments_out_of_range_are_refused(call, arguments: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"must be"):
        call(*arguments)


@given(epsilons, mus, st.floats(1.000001, 10))
def test_delta_falls_in_epsilon_and_rises_in_mu(epsilon: float, mu: float, factor: float) -> None:
    here = gaussian.log_delta(epsilon, mu)
    slack = 1e-14 * (1 + abs(here))
    assert gaussian.log_delta(epsilon * factor, mu) <= here + slack
    assert gaussian.log_delta(epsilon, mu * factor) >= here - slack


@given(deltas, mus)
def test_epsilon_is_rounded_up_and_no_larger_than_needed(delta: float, mu: float) -> None:
    epsilon = gaussian.epsilon(delta, mu)
    assert gaussian.delta(epsilon, mu) <= delta
    if epsilon > 0:
        lower = epsilon * (1 - 1e-9) - 1e-12
        assert lower <= 0 or gaussian.log_delta(lower, mu) >= math.log(delta) - 1e-15 * (20 - math.log(delta))


@given(epsilons, deltas)
def test_mu_is_rounded_down_and_no_smaller_than_needed(epsilon: float, delta: float) -> None:
    mu = gaussian.mu(epsilon, delta)
    assert mu > 0
    assert gaussian.delta(epsilon, mu) <= delta
    assert gaussian.log_delta(epsilon, mu * (1 + 1e-11)) >= math.log(delta) - 1e-12 * (1 - math.log(delta))


@given(st.floats(1e-3, 50), st.floats(1e-2, 10))
def test_the_inverses_invert(epsilon: float, mu: float) -> None:
    delta = gaussian.delta(epsilon, mu)
    assume(1e-290 < delta < 0.9)
    assert gaussian.mu(epsilon, delta) == pytest.approx(mu, rel=1e-11)
    if delta < 0.5 * gaussian.delta(0, mu):
        assert gaussian.epsilon(delta, mu) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("delta", [1e-3, 1e-4, 1e-5, 1e-8])
def test_the_classical_budget_is_the_smaller_one_where_its_proof_holds(delta: float) -> None:
    for step in range(1, 101):
        assert gaussian.classical_mu(step / 100, delta) <= gaussian.mu(step / 100, delta)
    # Far beyond its proof the classical formula promises too much.
    assert gaussian.classical_mu(40, delta) > gaussian.mu(40, delta)


@given(st.floats(0, 5), st.floats(0, 1e-2), st.integers(1, 6), st.integers(1, 6))
def test_groups_compose(epsilon: float, delta: float, first: int, second: int) -> None:
    both = group_delta(epsilon, delta, first + second)
    stepwise = group_delta(epsilon, delta, first) + math.exp(first * epsilon) * group_delta(epsilon, delta, second)
    assert both == pytest.approx(min(1.0, stepwise), rel=1e-12)
    nested = group_delta(first * epsilon, group_delta(epsilon, delta, first), second)
    assert nested == pytest.approx(group_delta(epsilon, delta, first * second), rel=1e-12)


@given(st.floats(0.01, 2), st.floats(1e-8, 0.1), st.integers(2, 5))
def test_the_group_row_bounds_a_gaussian_group(mu: float, delta: float, size: int) -> None:
    # k people move a Gaussian by k mu: the general group bound must lie above what that gives exactly.
    epsilon = gaussian.epsilon(delta, mu)
    assert gaussian.delta(size * epsilon, size * mu) <= group_delta(epsilon, delta, size) * (1 + 1e-12)


def test_group_delta_survives_large_exponents_and_stops_at_one() -> None:
    assert group_delta(400, 1e-6, 3) == 1
    assert group_delta(0.5, 1e-3, 100) == 1
    assert group_delta(800, 0.0, 5) == 0
    # Beyond the direct formula: (e^(2 e) - 1)/(e^e - 1) = e^e + 1 with epsilon e = 360.
    assert group_delta(360, 1e-200, 2) == pytest.approx(1e-200 * math.exp(360), rel=1e-11)
    assert derive("group", {"epsilon": 1e308, "delta": 0.1, "size": 3}).epsilon is None
