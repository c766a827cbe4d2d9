"""The ceilings on the SWAP test's advantage are ceilings, their inverses invert, and neither is rounded the wrong way."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from auditor.maths.certificates import derive, gaussian
from auditor.parts.swap.rules import swap

Floats = npt.NDArray[np.float64]

epsilons = st.one_of(st.just(0.0), st.floats(1e-12, 30))
deltas = st.one_of(st.just(0.0), st.floats(1e-15, 0.499), st.floats(-12, -0.31).map(lambda power: 10**power))
qualities = st.one_of(st.floats(1e-300, 1), st.floats(-300, 0).map(lambda power: 10**power), st.floats(0.999, 1))


def divergence(first: Floats, second: Floats, epsilon: float) -> float:
    """The least delta at which first <= e^epsilon second + delta on every set: the sum of what exceeds."""
    return float(np.maximum(first - math.exp(epsilon) * second, 0).sum())


def closeness(first: Floats, second: Floats, epsilon: float) -> float:
    return max(divergence(first, second, epsilon), divergence(second, first, epsilon))


def total_variation(first: Floats, second: Floats) -> float:
    return float(np.abs(first - second).sum()) / 2


def near(rng: np.random.Generator, retrained: Floats, strength: float) -> Floats:
    tilted = retrained * np.exp(rng.normal(0, strength, retrained.shape)) + 1e-3 * strength * rng.random(retrained.shape)
    return np.asarray(tilted / tilted.sum())


def test_no_two_models_near_a_third_are_further_apart_than_the_sharp_ceiling() -> None:
    rng = np.random.default_rng(1)
    closest, informative = math.inf, 0
    for _ in range(4000):
        retrained = rng.dirichlet(np.full(int(rng.integers(2, 7)), 0.7))
        first, second = near(rng, retrained, rng.random() * 2), near(rng, retrained, rng.random() * 2)
        epsilon = float(rng.exponential(0.7))
        delta = max(closeness(first, retrained, epsilon), closeness(second, retrained, epsilon))
        distance = total_variation(first, second)
        ceiling = swap.sharp_advantage_bound(epsilon, delta)
        assert distance <= ceiling + 1e-12
        assert swap.advantage_bound(epsilon, delta) >= distance - 1e-12
        informative += ceiling < 1
        closest = min(closest, ceiling - distance)
    assert informative > 1000
    assert closest < 0.01


@given(epsilons, deltas)
def test_the_sharp_ceiling_is_attained(epsilon: float, delta: float) -> None:
    """R = (1/2, 1/2), and the two models that put (1/2 - delta) e^-epsilon on one side each."""
    small = (0.5 - delta) * math.exp(-epsilon)
    retrained, first, second = np.array([0.5, 0.5]), np.array([small, 1 - small]), np.array([1 - small, small])
    assert closeness(first, retrained, epsilon) <= delta + 1e-14
    assert closeness(second, retrained, epsilon) <= delta + 1e-14
    assert swap.sharp_advantage_bound(epsilon, delta) == pytest.approx(total_variation(first, second), abs=1e-14)


@pytest.mark.parametrize("mu", [1e-6, 0.01, 0.3, 1.0, 2.5])
def test_opposite_gaussian_shifts_attain_the_gaussian_ceiling(mu: float) -> None:
    """The total variation of N(-mu, 1) and N(mu, 1), integrated; any two directions of shift are no further apart.

    The quality of the pair, read backward, gives the shift again.
    """
    x = np.linspace(-14, 14, 400_001)
    spacing = x[1] - x[0]
    densities = [np.exp(-((x - shift) ** 2) / 2) / math.sqrt(2 * math.pi) for shift in (mu, -mu)]
    distance = float(np.abs(densities[0] - densities[1]).sum() * spacing / 2)
    ceiling = 2 * float(ndtr(mu)) - 1
    assert ceiling == pytest.approx(distance, rel=1e-8)
    assert swap.gaussian_mu_lower(1 - distance) == pytest.approx(mu, rel=1e-8)
    for cosine in np.linspace(-1, 1, 9):
        # Shifts of norm mu at this angle are mu sqrt(2 - 2 cos) apart.
        apart = mu * math.sqrt(2 - 2 * cosine)
        assert 2 * float(ndtr(apart / 2)) - 1 <= ceiling + 1e-15


def test_a_gaussian_mechanism_stays_below_the_ceiling_of_its_epsilon() -> None:
    for mu in (0.01, 0.2, 1.0, 3.0):
        for epsilon in (0.0, 0.1, 1.0, 3.0):
            ceiling = 2 * float(ndtr(mu)) - 1
            assert ceiling <= swap.sharp_advantage_bound(epsilon, gaussian.delta(epsilon, mu)) + 1e-12


@given(epsilons, deltas)
def test_ceilings_are_rounded_up_and_floors_down(epsilon: float, delta: float) -> None:
    with mpmath.workdps(60):
        e, d = mpmath.mpf(epsilon), mpmath.mpf(delta)
        sharp = 1 - (1 - 2 * d) * mpmath.exp(-e)
        printed = 2 * (1 - (2 - 2 * d) / (mpmath.exp(e) + 1))
        assert sharp <= swap.sharp_advantage_bound(epsilon, delta) <= sharp * (1 + 1e-14)
        assert printed <= swap.advantage_bound(epsilon, delta) <= printed * (1 + 1e-14)
        assert (1 - sharp) * (1 - 1e-14) <= swap.sharp_quality_bound(epsilon, delta) <= 1 - sharp
        outputs = derive("swap", {"epsilon": epsilon, "delta": delta}).outputs
        if outputs["quality_bound"] is not None:
            assert 1 - printed - 1e-14 <= outputs["quality_bound"] <= 1 - printed


@given(qualities, deltas)
def test_what_is_read_backward_is_rounded_down(found: float, delta: float) -> None:
    with mpmath.workdps(60):
        q, d = mpmath.mpf(found), mpmath.mpf(delta)
        sharp = max(mpmath.mpf(0), mpmath.log((1 - 2 * d) / q))
        printed = max(mpmath.mpf(0), mpmath.log((3 - 4 * d - q) / (1 + q)))
        assert sharp * (1 - 1e-14) - 1e-14 <= swap.epsilon_lower(found, delta) <= sharp
        assert printed * (1 - 1e-14) - 1e-14 <= swap.paper_epsilon_lower(found, delta) <= printed
        mu = swap.gaussian_mu_lower(found)
        assert mpmath.erfc(mpmath.mpf(mu) / mpmath.sqrt(2)) >= q


@given(st.floats(1e-12, 30), deltas.filter(bool))
def test_the_gaussian_epsilon_is_rounded_down_and_close(mu: float, delta: float) -> None:
    low, high = swap.gaussian_epsilon_lower(mu, delta), gaussian.epsilon(delta, mu)
    assert low <= high
    assert high - low <= 1e-12 * max(1.0, high)
    if low > 0:
        assert gaussian.log_delta(low, mu) >= math.log(delta)


@given(epsilons, deltas)
def test_forward_and_back_gives_epsilon_again_and_never_more(epsilon: float, delta: float) -> None:
    outputs = derive("swap", {"epsilon": epsilon, "delta": delta}).outputs
    again = derive("swap", {"quality": outputs["sharp_quality_bound"], "delta": delta}).outputs
    assert epsilon - 1e-12 <= again["epsilon_lower"] <= epsilon
    if outputs["quality_bound"] is not None:
        printed = derive("swap", {"quality": outputs["quality_bound"], "delta": delta}).outputs["paper_epsilon_lower"]
        # The printed floor is 1 minus its ceiling, and near ln 3 its slope is at least 1/3.
        assert epsilon - 1e-12 <= printed <= epsilon


@given(epsilons, deltas)
def test_the_sharp_ceiling_is_nowhere_above_the_printed_one(epsilon: float, delta: float) -> None:
    assert swap.sharp_advantage_bound(epsilon, delta) <= swap.advantage_bound(epsilon, delta) * (1 + 1e-14)


@given(qualities, deltas)
def test_the_printed_ceiling_never_refutes_more(found: float, delta: float) -> None:
    assert swap.paper_epsilon_lower(found, delta) <= swap.epsilon_lower(found, delta) + 1e-14


@given(epsilons, epsilons, deltas, deltas)
def test_ceilings_grow_with_epsilon_and_delta(epsilon: float, other: float, delta: float, another: float) -> None:
    low, high = (min(epsilon, other), min(delta, another)), (max(epsilon, other), max(delta, another))
    for bound in (swap.advantage_bound, swap.sharp_advantage_bound):
        assert bound(*low) <= bound(*high) * (1 + 1e-14)
    assert swap.sharp_quality_bound(*low) >= swap.sharp_quality_bound(*high) * (1 - 1e-14)


@given(qualities, qualities, deltas, deltas)
def test_what_a_quality_refutes_shrinks_with_quality_and_delta(found: float, other: float, delta: float, another: float) -> None:
    low, high = (min(found, other), min(delta, another)), (max(found, other), max(delta, another))
    for bound in (swap.epsilon_lower, swap.paper_epsilon_lower):
        assert bound(*low) >= bound(*high) * (1 - 1e-14)
    assert swap.gaussian_mu_lower(low[0]) >= swap.gaussian_mu_lower(high[0]) * (1 - 1e-14)
