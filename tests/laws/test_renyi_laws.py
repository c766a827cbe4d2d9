"""What Renyi bounds are turned into is true of distributions, inverts where it should, and is rounded the way that is stated."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.maths.certificates import derive, gaussian
from auditor.maths.certificates.renyi import mironov_epsilon, pinsker_advantage, renyi_advantage, tight_epsilon
from auditor.parts.data_deletion.rules.adaptive import adaptive_epsilon, refuted_epsilon

Floats = npt.NDArray[np.float64]

orders = st.one_of(st.floats(1.0001, 3), st.floats(3, 1000), st.floats(-6, 12).map(lambda power: 1 + 10**power))
epsilons = st.one_of(st.just(0.0), st.floats(1e-9, 20), st.floats(-15, 1).map(lambda power: 10**power))
deltas = st.one_of(st.just(1.0), st.floats(1e-12, 1), st.floats(-300, 0).map(lambda power: 10**power))
advantages = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1), st.floats(-8, 0).map(lambda power: 10**power))


def divergence(first: Floats, second: Floats, order: float) -> float:
    return float(np.log((second * (first / second) ** order).sum()) / (order - 1))


def near(rng: np.random.Generator, law: Floats, strength: float) -> Floats:
    tilted = law * np.exp(rng.normal(0, strength, law.shape))
    return np.asarray(tilted / tilted.sum())


@given(orders, epsilons, deltas)
def test_conversions_against_many_digits(order: float, epsilon: float, delta: float) -> None:
    with mpmath.workdps(60):
        q, e, d = mpmath.mpf(order), mpmath.mpf(epsilon), mpmath.mpf(delta)
        printed = e - mpmath.log(d) / (q - 1)
        tight = e + mpmath.log((q - 1) / q) - (mpmath.log(d) + mpmath.log(q)) / (q - 1)
        scale = 1 + printed + (1 + mpmath.log(q)) / (q - 1)
        for found, truth in (
            (mironov_epsilon(order, epsilon, delta), printed),
            (tight_epsilon(order, epsilon, delta), max(tight, mpmath.mpf(0))),
        ):
            assert found >= truth
            assert found - truth <= 1e-13 * scale
    assert tight_epsilon(order, epsilon, delta) <= mironov_epsilon(order, epsilon, delta)


@given(orders, epsilons)
def test_the_advantage_against_many_digits(order: float, epsilon: float) -> None:
    with mpmath.workdps(60):
        q, e = mpmath.mpf(order), mpmath.mpf(epsilon)
        truth = q / (q - 1) * mpmath.exp(e * (q - 1) / q) * (2 * (q - 1)) ** (1 / q) - 1
        found = renyi_advantage(order, epsilon)
        assert found >= truth
        assert found - truth <= 1e-12 * (1 + truth)
        assert 0 <= pinsker_advantage(epsilon) - mpmath.sqrt(2 * e) <= 1e-14 * mpmath.sqrt(2 * e)


@given(orders, advantages)
def test_what_is_refuted_against_many_digits(order: float, advantage: float) -> None:
    with mpmath.workdps(60):
        q, t = mpmath.mpf(order), mpmath.mpf(advantage)
        by_order = mpmath.log(q - 1) + q / (q - 1) * mpmath.log((1 + t**2) / (q * 2 ** (1 / q)))
        truth = max(t**4 / 2, by_order)
        found = refuted_epsilon(order, advantage)
        assert 0 <= found <= truth
        assert truth - found <= (1e-13 if by_order > t**4 / 2 else 1e-14 * truth + 1e-300)


@given(orders, st.floats(0.01, 1))
def test_the_refutation_inverts_the_advantage(order: float, advantage: float) -> None:
    """At the epsilon that is refuted up to, Theorem 4.1 allows an advantage of t^2 and no more."""
    epsilon = refuted_epsilon(order, advantage)
    allowed = min(pinsker_advantage(epsilon), renyi_advantage(order, epsilon))
    assert allowed == pytest.approx(advantage**2, rel=1e-9)


def test_refuting_an_epsilon_takes_an_advantage_that_it_does_not_allow() -> None:
    """Nothing is refuted that holds: two worlds near one model, and tests that are as good as any."""
    rng = np.random.default_rng(3)
    informative = 0
    for _ in range(2000):
        law = rng.dirichlet(np.ones(int(rng.integers(2, 6))))
        worlds = [near(rng, law, rng.random() * 2) for _ in range(2)]
        order = 1 + float(rng.exponential(5)) + 1e-3
        epsilon = max(divergence(world, law, order) for world in worlds)
        apart = float(np.abs(worlds[0] - worlds[1]).sum() / 2)
        outputs = derive("advantage", {"q": order, "epsilon": max(0.0, epsilon)}).outputs
        assert apart <= outputs["bound"] + 1e-9
        # The adversary of Theorem 4.5 multiplies two advantages: t^2 is what it has.
        assert derive("refutation", {"q": order, "advantage": math.sqrt(apart)}).outputs["epsilon_lower"] <= epsilon + 1e-9
        informative += outputs["bound"] < 1
    assert informative > 200


@given(st.floats(1.05, 50), st.floats(0.01, 3), st.floats(1e-9, 0.5))
def test_a_gaussian_pair_keeps_within_its_conversion(order: float, mu: float, delta: float) -> None:
    """R_q of two unit Gaussians mu apart is q mu^2/2."""
    outputs = derive("conversion", {"q": order, "epsilon": order * mu**2 / 2, "delta": delta}).outputs
    assert gaussian.delta(outputs["tight"], mu) <= delta * (1 + 1e-9)
    assert outputs["tight"] <= outputs["mironov"]


def test_no_pair_of_laws_breaks_the_conversion() -> None:
    rng = np.random.default_rng(4)
    closest = 0.0
    for _ in range(3000):
        law = rng.dirichlet(np.full(int(rng.integers(2, 6)), 0.7)) + 1e-9
        law /= law.sum()
        other = near(rng, law, rng.random() * 3)
        order = 1.01 + float(rng.exponential(3))
        delta = float(10 ** rng.uniform(-6, 0))
        epsilon = tight_epsilon(order, max(0.0, divergence(other, law, order)), delta)
        excess = float(np.maximum(0, other - math.exp(min(epsilon, 700)) * law).sum())
        assert excess <= delta * (1 + 1e-9)
        closest = max(closest, excess / delta)
    assert closest > 0.9


def test_requests_shaped_by_models_add_their_epsilons() -> None:
    """Theorem 4.3: p models are seen, a request follows from them, and the last model is near the right one for each request."""
    rng = np.random.default_rng(5)
    for _ in range(300):
        order, seen = 1.1 + float(rng.exponential(2)), int(rng.integers(0, 4))
        one, other, private = np.ones(1), np.ones(1), 0.0
        # Every history has its own laws of the next model, and epsilon_dp bounds the worst of them.
        for _ in range(seen):
            laws = rng.dirichlet(np.ones(3), size=one.size)
            tilted = np.array([near(rng, law, 0.5) for law in laws])
            private = max(private, *(divergence(a, b, order) for a, b in zip(tilted, laws, strict=True)))
            one, other = (one[:, None] * tilted).ravel(), (other[:, None] * laws).ravel()
        outcome = rng.dirichlet(np.ones(4), size=one.size)
        unlearned = np.array([near(rng, law, 0.5) for law in outcome])
        deletion = max(divergence(a, b, order) for a, b in zip(unlearned, outcome, strict=True))
        found = divergence(one @ unlearned, other @ outcome, order)
        assert found <= adaptive_epsilon(max(0.0, deletion), max(0.0, private), seen) + 1e-12


@given(st.floats(0, 100), st.floats(0, 100), st.integers(0, 10**9))
def test_adaptive_epsilon_is_rounded_up(deletion: float, private: float, seen: int) -> None:
    found = adaptive_epsilon(deletion, private, seen)
    with mpmath.workdps(60):
        truth = mpmath.mpf(deletion) + seen * mpmath.mpf(private)
        assert 0 <= found - truth <= 4e-16 * truth + 1e-300


@given(orders, epsilons, deltas, st.floats(1.01, 10))
def test_more_divergence_never_says_less(order: float, epsilon: float, delta: float, factor: float) -> None:
    more = epsilon * factor + 1e-9
    assert renyi_advantage(order, more) >= renyi_advantage(order, epsilon) * (1 - 1e-12)
    assert tight_epsilon(order, more, delta) >= tight_epsilon(order, epsilon, delta) * (1 - 1e-12)
    assert tight_epsilon(order, epsilon, delta / factor) >= tight_epsilon(order, epsilon, delta) * (1 - 1e-12)
    assert refuted_epsilon(order, delta / factor) <= refuted_epsilon(order, delta) * (1 + 1e-12)
