"""Promises as trade-off functions: never on the wrong side of 60-digit arithmetic, and the laws that every one of them keeps."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from auditor.maths.certificates.privacy import group_delta
from auditor.maths.tradeoff import divergences
from auditor.maths.tradeoff.combining import compose, group, several
from auditor.maths.tradeoff.promises import (
    EXACT,
    NOTHING,
    Approximate,
    Composition,
    Concentrated,
    Gaussian,
    Laplace,
    Promise,
    Pure,
    Renyi,
    Several,
    SubsampledGaussian,
    gaussian_shift,
    laplace_perturbation,
    removal_budget,
)
from auditor.maths.tradeoff.reading import (
    advantage,
    by_distribution,
    curve,
    declared_delta,
    delta_at,
    epsilon_at,
    printed_delta,
    right_guesses,
    swap_ceiling,
    type_two_error,
)
from auditor.parts.removal.rules.extractor import of_group
from auditor.parts.swap.rules.swap import sharp_advantage_bound

Exact: TypeAlias = mpmath.mpf
DIGITS = 60
POINTS = 200


def mp(value: float) -> Exact:
    return mpmath.mpf(value)


def tail(x: Exact) -> Exact:
    """P[N(0, 1) > x], however far out."""
    return mpmath.erfc(x / mpmath.sqrt(2)) / 2


def quantile(alpha: float) -> Exact:
    """The x with P[N(0, 1) > x] = α, by Newton steps on the logarithm of the smaller tail."""
    if alpha > 0.5:
        return -_upper(1 - mp(alpha))
    return _upper(mp(alpha))


def _upper(alpha: Exact) -> Exact:
    if alpha == mp(0.5):
        return mp(0)
    x = mpmath.sqrt(-2 * mpmath.log(2 * alpha))
    for _ in range(60):
        right = tail(x)
        step = mpmath.log(right / alpha) * right * mpmath.sqrt(2 * mpmath.pi) * mpmath.exp(x * x / 2)
        x += step
        if abs(step) < mpmath.mpf(10) ** -50:
            return x
    raise AssertionError(f"no quantile at {alpha}")


# What each kind says, in the textbook's words and with digits to spare.


def gaussian_delta(mu: float, epsilon: Exact) -> Exact:
    with mpmath.workdps(130):
        scaled, shift = epsilon / mp(mu), mp(mu) / 2
        return tail(scaled - shift) - mpmath.exp(epsilon) * tail(scaled + shift)


def approximate_delta(own: float, delta: float, epsilon: Exact) -> Exact:
    if epsilon >= own:
        return mp(delta)
    return 1 - (1 + mpmath.exp(epsilon)) * (1 - mp(delta)) / (1 + mpmath.exp(mp(own)))


def laplace_delta(shift: float, epsilon: Exact) -> Exact:
    return -mpmath.expm1(min(mp(0), (epsilon - mp(shift)) / 2))


def gaussian_error(mu: float, alpha: float) -> Exact:
    return tail(mp(mu) - quantile(alpha))


def approximate_error(own: float, delta: float, alpha: float) -> Exact:
    a, d, e = mp(alpha), mp(delta), mpmath.exp(mp(own))
    return max(mp(0), 1 - d - e * a, (1 - d - a) / e)


def laplace_error(shift: float, alpha: float) -> Exact:
    a, shrink = mp(alpha), mpmath.exp(-mp(shift))
    if a <= shrink / 2:
        return 1 - a / shrink
    return shrink / (4 * a) if a <= 0.5 else shrink * (1 - a)


def source(seed: int) -> random.Random:
    return random.Random(seed)


def sizes(rng: random.Random, low: float, high: float) -> float:
    """A number whose logarithm is evenly spread."""
    return float(10 ** rng.uniform(math.log10(low), math.log10(high)))


def closed(rng: random.Random) -> Promise:
    """One kind in closed form, its size anywhere."""
    match rng.randrange(4):
        case 0:
            return Gaussian(mu=sizes(rng, 1e-12, 50))
        case 1:
            return Approximate(epsilon=sizes(rng, 1e-12, 700), delta=rng.choice([0.0, sizes(rng, 1e-300, 0.9)]))
        case 2:
            return Pure(epsilon=sizes(rng, 1e-12, 700))
        case _:
            return Laplace(shift=sizes(rng, 1e-12, 700))


def exact_delta(promise: Promise, epsilon: Exact) -> Exact:
    match promise:
        case Gaussian(mu=mu):
            return gaussian_delta(mu, epsilon)
        case Approximate(epsilon=own, delta=delta):
            return approximate_delta(own, delta, epsilon)
        case Pure(epsilon=own):
            return approximate_delta(own, 0.0, epsilon)
        case Laplace(shift=shift):
            return laplace_delta(shift, epsilon)
        case _:
            raise AssertionError(promise)


def exact_error(promise: Promise, alpha: float) -> Exact:
    match promise:
        case Gaussian(mu=mu):
            return gaussian_error(mu, alpha)
        case Approximate(epsilon=own, delta=delta):
            return approximate_error(own, delta, alpha)
        case Pure(epsilon=own):
            return approximate_error(own, 0.0, alpha)
        case Laplace(shift=shift):
            return laplace_error(shift, alpha)
        case _:
            raise AssertionError(promise)


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mpmath.workdps(DIGITS):
        yield


def size(promise: Promise) -> float:
    match promise:
        case Gaussian(mu=found) | Approximate(epsilon=found) | Pure(epsilon=found) | Laplace(shift=found):
            return found
        case _:
            raise AssertionError(promise)


def test_delta_is_never_below_the_truth_and_next_to_it() -> None:
    rng, near = source(1), 0
    for _ in range(4 * POINTS):
        promise = closed(rng)
        epsilon = rng.choice([0.0, size(promise) * rng.random(), sizes(rng, 1e-9, 700)])
        exact, found = exact_delta(promise, mp(epsilon)), delta_at(promise, epsilon)
        assert mp(found) >= exact, (promise, epsilon)
        if exact > mp(1e-300):
            near += 1
            assert mp(found) <= exact * (1 + mp(2e-12)), (promise, epsilon)
    assert near > POINTS


def test_epsilon_is_never_below_the_truth() -> None:
    rng, finite = source(2), 0
    for _ in range(2 * POINTS):
        promise = closed(rng)
        delta = rng.choice([sizes(rng, 1e-300, 1), rng.random()])
        found = epsilon_at(promise, delta)
        if math.isfinite(found):
            finite += 1
            # ε is large enough exactly where δ(ε) is small enough.
            assert exact_delta(promise, mp(found)) <= mp(delta), (promise, delta)
        else:
            assert declared_delta(promise) > delta
        if 0 < found < math.inf:
            lower = mp(found) * (1 - mp(1e-9)) - mp(1e-12)
            assert lower <= 0 or exact_delta(promise, lower) >= mp(delta) * (1 - mp(1e-9)), (promise, delta)
    assert finite > POINTS


def test_the_type_two_error_is_never_above_the_truth_and_next_to_it() -> None:
    rng, near = source(3), 0
    for _ in range(4 * POINTS):
        promise = closed(rng)
        alpha = rng.choice([rng.random(), sizes(rng, 1e-300, 0.5), 1 - sizes(rng, 1e-15, 0.5)])
        exact, found = exact_error(promise, alpha), type_two_error(promise, alpha)
        assert found >= 0
        assert mp(found) <= exact, (promise, alpha)
        if exact > mp(1e-280):
            near += 1
            # The argument of a far tail is known to rounding alone, which its square multiplies.
            assert mp(found) >= exact * (1 - mp(1e-9)) - mp(1e-16), (promise, alpha)
    assert near > POINTS


def test_right_guesses_advantage_and_the_ceiling_are_never_below_the_truth() -> None:
    rng = source(4)
    for _ in range(2 * POINTS):
        promise = closed(rng)
        variation = exact_delta(promise, mp(0))
        assert mp(advantage(promise)) >= variation
        assert (1 + variation) / 2 <= mp(right_guesses(promise)) <= (1 + variation) / 2 * (1 + mp(1e-12))
        ceiling = 1 - 2 * exact_error(promise, 0.5)
        assert ceiling * (1 - mp(1e-50)) <= mp(swap_ceiling(promise)) <= ceiling * (1 + mp(1e-11)) + mp(1e-300)


def mixture_delta(noise: Promise | None, stated: list[tuple[float, float]], epsilon: Exact) -> Exact:
    """Noise next to several (ε, δ), by the definition: E[(1 − e^(ε − loss))₊] over every choice of the stated ones' losses."""
    if not stated:
        if epsilon < 0:
            return 1 - mpmath.exp(epsilon) * (1 - mixture_delta(noise, [], -epsilon))
        return mp(0.0) if noise is None else exact_delta(noise, epsilon)
    (own, delta), *rest = stated
    share = 1 / (1 + mpmath.exp(-mp(own)))
    kept = share * mixture_delta(noise, rest, epsilon - mp(own)) + (1 - share) * mixture_delta(noise, rest, epsilon + mp(own))
    return mp(delta) + (1 - mp(delta)) * kept


def test_noise_next_to_stated_numbers_is_never_below_the_truth_and_needs_no_distribution() -> None:
    rng, near, finite = source(14), 0, 0
    for _ in range(POINTS):
        noise = rng.choice([None, Gaussian(mu=sizes(rng, 1e-3, 5)), Laplace(shift=sizes(rng, 1e-3, 5))])
        stated = [
            (sizes(rng, 1e-6, 5), rng.choice([0.0, sizes(rng, 1e-12, 0.5)])) for _ in range(rng.randint(1 + (noise is None), 3))
        ]
        parts = (*((noise,) if noise else ()), *(Approximate(epsilon=own, delta=delta) for own, delta in stated))
        whole = Composition(parts=parts)
        assert not by_distribution(whole)
        epsilon = rng.choice([0.0, sizes(rng, 1e-6, 10)])
        exact, found = mixture_delta(noise, stated, mp(epsilon)), delta_at(whole, epsilon)
        assert mp(found) >= exact, (whole, epsilon)
        if exact > mp(1e-300):
            near += 1
            assert mp(found) <= exact * (1 + mp(1e-11)), (whole, epsilon)
        delta = sizes(rng, 1e-9, 1)
        at = epsilon_at(whole, delta)
        if math.isfinite(at):
            finite += 1
            assert mixture_delta(noise, stated, mp(at)) <= mp(delta), (whole, delta)
    assert near > 150
    assert finite > 100


@pytest.mark.parametrize("mu", [5e-324, 1e-300, 1e-17, 38.0, 80.0, 1e154, 1.7e308])
def test_a_tiny_and_a_huge_shift(mu: float) -> None:
    promise = Gaussian(mu=mu)
    if mu < 1:
        assert mp(advantage(promise)) >= mpmath.erf(mp(mu) / (2 * mpmath.sqrt(2)))
        assert right_guesses(promise) <= 0.5 + mu + 2e-16
        assert type_two_error(promise, 0.25) <= 0.75
        assert type_two_error(promise, 0.25) >= 0.75 - 1e-11
    else:
        assert right_guesses(promise) == 1.0
        assert type_two_error(promise, 0.25) <= 1e-200
        assert delta_at(promise, 700.0) >= (0.5 if mu > 38 else 0.0)
    grouped = group(promise, 10**6)
    assert advantage(grouped) >= advantage(promise)


@pytest.mark.parametrize("delta", [1e-300, 1e-308, 5e-324])
def test_a_tiny_delta(delta: float) -> None:
    for promise in (Gaussian(mu=0.3), Laplace(shift=2.0), Pure(epsilon=2.0), Concentrated(rho=0.1)):
        found = epsilon_at(promise, delta)
        assert math.isfinite(found)
        if not isinstance(promise, Concentrated):
            assert exact_delta(promise, mp(found)) <= mp(delta)
    assert epsilon_at(Approximate(epsilon=1.0, delta=1e-200), delta) == math.inf
    assert delta_at(Gaussian(mu=0.1), 700.0) > 0


@pytest.mark.parametrize("epsilon", [0.0, 37.0, 350.0, 700.0, 709.0, 1e5, 1e308])
def test_a_large_epsilon(epsilon: float) -> None:
    for delta in (0.0, 1e-300, 0.3):
        promise = Approximate(epsilon=epsilon, delta=delta)
        assert mp(right_guesses(promise)) >= 1 - (1 - mp(delta)) / (1 + mpmath.exp(mp(epsilon)))
        for alpha in (1e-320, 1e-300, 1e-9, 0.5):
            assert mp(type_two_error(promise, alpha)) <= approximate_error(epsilon, delta, alpha)
        half = delta_at(promise, epsilon / 2)
        assert mp(half) >= approximate_delta(epsilon, delta, mp(epsilon / 2))


# Divergences: two laws that have them must keep what is read off.


def bernoulli_divergence(q: float, p: Exact, a: Exact) -> Exact:
    return mpmath.log(p**q * a ** (1 - mp(q)) + (1 - p) ** q * (1 - a) ** (1 - mp(q))) / (mp(q) - 1)


def test_the_error_of_a_divergence_is_below_that_of_two_laws_at_its_edge() -> None:
    """Where an event of probability α under Q has 1 − β under P, and its divergence is exactly the bound, f(α) is at most β."""
    rng = source(5)
    for _ in range(POINTS):
        q = 1 + sizes(rng, 1e-3, 1e3)
        alpha = rng.choice([rng.random(), sizes(rng, 1e-30, 0.5)])
        p = mp(alpha) + (1 - mp(alpha)) * mp(sizes(rng, 1e-8, 0.999))
        bound = float(bernoulli_divergence(q, p, mp(alpha)) * (1 + mp(1e-15)))
        if bernoulli_divergence(q, p, mp(alpha)) > mp(bound):
            bound = math.nextafter(bound, math.inf)
        found = type_two_error(Renyi(points=((q, bound),), two_sided=False), alpha)
        assert mp(found) <= 1 - p, (q, alpha)
        # And near it, unless rounding near order 1 is in the way.
        edge = bernoulli_divergence(q, 1 - mp(found) * (1 - mp(1e-6)) + mp(1e-9), mp(alpha)) if q > 1.1 else None
        assert edge is None or mpmath.im(edge) != 0 or edge >= mp(bound) * (1 - mp(1e-6)) - mp(1e-9)


def test_two_laws_at_the_edge_keep_delta_and_epsilon_of_their_divergence() -> None:
    rng = source(6)
    for _ in range(POINTS):
        q = 1 + sizes(rng, 1e-3, 1e3)
        a = mp(rng.choice([rng.random(), sizes(rng, 1e-9, 0.5)]))
        p = a + (1 - a) * mp(sizes(rng, 1e-6, 0.999))
        divergence = bernoulli_divergence(q, p, a)
        promise = Renyi(points=((q, math.nextafter(float(divergence), math.inf)),), two_sided=False)
        assert mp(advantage(promise)) >= p - a
        epsilon = rng.choice([0.0, float(mpmath.log(p / a)) * rng.random()])
        assert mp(delta_at(promise, epsilon)) >= p - mpmath.exp(mp(epsilon)) * a
        delta = rng.random() * float(p)
        found = epsilon_at(promise, delta)
        assert p - mpmath.exp(mp(found)) * a <= mp(delta)
        assert mp(swap_ceiling(promise)) >= p - a


@given(st.floats(1e-6, 10), st.floats(0, 30), st.floats(-200, -0.1))
def test_a_gaussian_keeps_what_its_concentrated_divergence_says(mu: float, epsilon: float, power: float) -> None:
    law, promise = Gaussian(mu=mu), Concentrated(rho=math.nextafter(mu**2 / 2, math.inf))
    slack = 1 + 1e-9
    assert delta_at(law, epsilon) <= delta_at(promise, epsilon) * slack
    assert epsilon_at(law, 10**power) <= epsilon_at(promise, 10**power) * slack + 1e-12
    alpha = min(0.999, 10**power * 5)
    assert type_two_error(promise, alpha) <= type_two_error(law, alpha) * slack + 1e-12
    # The advantage of a Gaussian is 0.8 of Pinsker's bound for small shifts: no number of ours is far off.
    assert advantage(promise) <= max(1.3 * advantage(law), 1 - (1 - advantage(law)) / 40) + 1e-12


def points_of(promise: Promise) -> list[tuple[float, float]]:
    assert isinstance(promise, Renyi)
    return list(promise.points)


def test_divergences_of_records_and_of_releases_are_those_of_their_theorems() -> None:
    single = Renyi(points=((2.0, 0.1), (8.0, 0.4), (32.0, 1.6)))
    assert group(single, 1) == single
    assert points_of(group(single, 2)) == [(4.0, pytest.approx(1.2)), (16.0, pytest.approx(4.8))]
    assert points_of(group(single, 3)) == [(2.0, pytest.approx(3.6)), (8.0, pytest.approx(14.4))]
    assert group(single, 64) == NOTHING
    assert group(Concentrated(rho=0.5), 3) == Concentrated(rho=4.5)
    both = compose([single, Renyi(points=((4.0, 0.2),), two_sided=False)])
    assert points_of(both) == [(2.0, pytest.approx(0.3)), (4.0, pytest.approx(0.6))]
    assert isinstance(both, Renyi)
    assert not both.two_sided
    assert compose([Concentrated(rho=0.25), Concentrated(rho=0.5)]) == Concentrated(rho=0.75)
    assert divergences.epsilon(((2.0, 0.0),), 0.0) == 0.0


# Laws that every promise keeps.

promises = st.one_of(
    st.builds(Gaussian, mu=st.floats(1e-9, 12)),
    st.builds(Approximate, epsilon=st.floats(0, 20), delta=st.one_of(st.just(0.0), st.floats(1e-12, 0.9))),
    st.builds(Pure, epsilon=st.floats(0, 20)),
    st.builds(Laplace, shift=st.floats(1e-9, 20)),
    st.builds(Concentrated, rho=st.floats(1e-9, 20)),
    st.floats(1e-6, 3).map(lambda rho: Renyi(points=tuple((q, q * rho) for q in (1.5, 2.0, 8.0, 64.0)))),
)
shares = st.floats(1e-9, 1 - 1e-9)


@given(promises, shares, shares, shares)
def test_f_is_convex_falling_and_below_the_diagonal(promise: Promise, first: float, second: float, weight: float) -> None:
    low, high = sorted((first, second))
    between = weight * low + (1 - weight) * high
    at_low, at_high = type_two_error(promise, low), type_two_error(promise, high)
    assert at_high <= at_low * (1 + 1e-9) + 1e-12
    assert type_two_error(promise, between) <= weight * at_low + (1 - weight) * at_high + 1e-9
    assert at_low <= 1 - low
    assert type_two_error(promise, 1.0) == 0.0


@given(promises, shares)
def test_f_is_its_own_inverse(promise: Promise, alpha: float) -> None:
    """Where a promise holds in both directions: f(f(α)) is α, but where f is flat."""
    beta = type_two_error(promise, alpha)
    if beta > 1e-12:
        assert type_two_error(promise, beta) == pytest.approx(alpha, rel=1e-6, abs=1e-6)


@given(promises, shares, st.floats(0, 30))
def test_the_curve_keeps_every_epsilon_and_delta(promise: Promise, alpha: float, epsilon: float) -> None:
    """A test at α has 1 − β ≤ e^ε α + δ: so far as f says it, no further than δ at ε does, for kinds with one exact curve."""
    if isinstance(promise, Concentrated | Renyi):
        return
    reached = 1 - type_two_error(promise, alpha)
    assert reached <= math.exp(epsilon) * alpha + delta_at(promise, epsilon) + 1e-11 * math.exp(min(epsilon, 5))


@given(promises, st.integers(1, 5), st.integers(1, 5))
def test_more_records_and_more_releases_promise_less(promise: Promise, size: int, more: int) -> None:
    smaller, larger = group(promise, size), group(promise, size + more)
    tolerance = 1 + 1e-9
    assert advantage(smaller) <= advantage(larger) * tolerance
    assert swap_ceiling(smaller) <= swap_ceiling(larger) * tolerance + 1e-12
    for alpha in (0.01, 0.3, 0.8):
        assert type_two_error(larger, alpha) <= type_two_error(smaller, alpha) + 1e-9
    twice = compose([promise] * 2) if not isinstance(promise, Approximate | Laplace) else promise
    assert advantage(promise) <= advantage(twice) * tolerance
    assert right_guesses(promise) <= right_guesses(twice) * tolerance


@given(promises, shares)
def test_of_two_promises_each_reading_is_the_better(promise: Promise, alpha: float) -> None:
    other = Approximate(epsilon=0.7, delta=1e-3)
    both = several([promise, other])
    readings: list[Callable[[Promise], float]] = [
        advantage,
        right_guesses,
        swap_ceiling,
        lambda each: delta_at(each, 0.5),
        lambda each: epsilon_at(each, 1e-2),
        lambda each: -type_two_error(each, alpha),
    ]
    for read in readings:
        assert read(both) == min(read(promise), read(other))
    assert group(both, 2) == several([group(promise, 2), group(other, 2)])


def test_what_holds_in_one_direction_says_nothing_of_the_other() -> None:
    """An event of α under Q that P never has: R_q(P‖Q) is small, and no test at 1 − α has an error of more than 0."""
    alpha = 0.2
    divergence = math.nextafter(-math.log1p(-alpha), math.inf)  # of every order
    one = Renyi(points=tuple((q, divergence) for q in (1.5, 2.0, 8.0, 64.0)), two_sided=False)
    together = compose([one, Approximate(epsilon=0.1, delta=1e-6)])
    for promise in (one, together):
        assert type_two_error(promise, 1 - alpha) == 0.0
        assert type_two_error(promise, 0.1) > 0.0
        assert advantage(promise) >= alpha
    both = compose([replace(one, two_sided=True), Approximate(epsilon=0.1, delta=1e-6)])
    assert type_two_error(both, 1 - alpha) > 0.0


@given(promises)
def test_a_promise_is_read_back_from_json_as_it_was(promise: Promise) -> None:
    reader: TypeAdapter[Promise] = TypeAdapter(Promise)
    training = SubsampledGaussian(noise_multiplier=1.0, sample_rate=0.02, steps=1000, group=3)
    composed = Composition(parts=(Gaussian(mu=1.0), training))
    for each in (promise, training, composed, Several(promises=(composed, Pure(epsilon=1.0)))):
        assert reader.validate_json(reader.dump_json(each)) == each
    with pytest.raises(ValidationError):
        reader.validate_json('{"kind": "gaussian", "mu": -1.0}')


@given(st.floats(0, 30), st.floats(0, 1), st.integers(1, 6))
def test_epsilon_and_delta_have_the_numbers_of_their_own_formulas(epsilon: float, delta: float, size: int) -> None:
    promise = Approximate(epsilon=epsilon, delta=delta)
    assert right_guesses(promise) == pytest.approx(min(1.0, (math.exp(epsilon) + delta) / (1 + math.exp(epsilon))), rel=1e-13)
    assert swap_ceiling(promise) == pytest.approx(min(1.0, sharp_advantage_bound(epsilon, delta)), rel=1e-13)
    assert group(promise, size) == Approximate(epsilon=of_group(epsilon, delta, size)[0], delta=of_group(epsilon, delta, size)[1])


def test_known_groups_and_compositions() -> None:
    assert group(Gaussian(mu=0.5), 3) == Gaussian(mu=1.5)
    assert group(Pure(epsilon=0.5), 3) == Pure(epsilon=1.5)
    assert group(Laplace(shift=0.5), 3) == Laplace(shift=1.5)
    assert group(Approximate(epsilon=1.0, delta=1e-6), 3) == Approximate(epsilon=3.0, delta=group_delta(1.0, 1e-6, 3))
    assert compose([Gaussian(mu=3.0), Gaussian(mu=4.0)]) == Gaussian(mu=5.0)
    assert compose([Pure(epsilon=0.25), Pure(epsilon=0.5)]) == Pure(epsilon=0.75)
    assert compose([]) == compose([EXACT, EXACT]) == EXACT
    assert compose([EXACT, Gaussian(mu=1.0)]) == Gaussian(mu=1.0)
    assert compose([NOTHING, Gaussian(mu=1.0)]) == NOTHING
    for beyond in (Gaussian(mu=1e308), Pure(epsilon=1e308), Laplace(shift=1e308), Concentrated(rho=1e308)):
        assert group(beyond, 10) == NOTHING
    assert right_guesses(NOTHING) == 1.0
    assert right_guesses(EXACT) == 0.5
    assert curve(EXACT, 3) == ((0.0, 1.0), (0.5, 0.5), (1.0, 0.0))


def test_gaussian_shifts_add_up_by_their_squares_rounded_up() -> None:
    rng = source(7)
    for _ in range(POINTS):
        shifts = [sizes(rng, 1e-200, 1e150) if rng.random() < 0.2 else rng.uniform(0.01, 3) for _ in range(rng.randint(2, 6))]
        found = compose([Gaussian(mu=each) for each in shifts])
        exact = mpmath.sqrt(mpmath.fsum(mp(each) ** 2 for each in shifts))
        assert isinstance(found, Gaussian)
        with mpmath.workdps(800):
            exact = mpmath.sqrt(mpmath.fsum(mp(each) ** 2 for each in shifts))
            assert exact <= mp(found.mu) <= exact * (1 + mp(1e-15))


def test_parameters_of_mechanisms_are_rounded_up() -> None:
    rng = source(8)
    for _ in range(POINTS):
        length, sigma = sizes(rng, 1e-9, 1e3), sizes(rng, 1e-6, 1e3)
        found = gaussian_shift(length, sigma)
        assert isinstance(found, Gaussian)
        assert mp(found.mu) >= mp(length) / mp(sigma)
        line, space = (laplace_perturbation(length, sigma, dimensions=each) for each in (1, 7))
        assert isinstance(line, Laplace)
        assert isinstance(space, Pure)
        assert mp(line.shift) == mp(space.epsilon) >= mp(length) / mp(sigma)
    assert gaussian_shift(1e300, 1e-300) == NOTHING
    assert removal_budget(1.0, 1.0) == NOTHING


def test_the_delta_that_is_declared_and_the_one_that_is_printed() -> None:
    assert declared_delta(compose([Approximate(epsilon=0.1, delta=0.0005)] * 2)) == 0.001
    assert printed_delta(Gaussian(mu=0.3), 1000) == 1e-4
    assert printed_delta(Approximate(epsilon=0.1, delta=1e-7), 1000) == 1e-7
    assert declared_delta(several([Approximate(epsilon=0.1, delta=1e-7), Gaussian(mu=1.0)])) == 0.0


@pytest.mark.parametrize(
    ("read", "argument"), [(delta_at, -1.0), (delta_at, math.inf), (epsilon_at, 1.5), (type_two_error, -0.1), (group, 0)]
)
def test_arguments_out_of_range_are_refused(read: Callable[[Promise, float], object], argument: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        read(Gaussian(mu=1.0), argument)


@pytest.mark.parametrize("points", [(), ((1.0, 0.1),), ((2.0, -0.1),), ((3.0, 0.1), (2.0, 0.1))])
def test_orders_rise_and_are_above_one(points: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match=r"orders? |epsilon must"):
        Renyi(points=points)
