"""Trainings on random samples as promises: bracketed from below by optimistic estimates and closed forms, and monotone."""

from __future__ import annotations

import math
import random

import mpmath
import numpy as np
import pytest
import scipy
from dp_accounting.pld import privacy_loss_distribution as by_mechanism

from auditor.base.records import Floats
from auditor.maths.certificates import gaussian
from auditor.maths.tradeoff import loss_distribution
from auditor.maths.tradeoff.combining import compose, group
from auditor.maths.tradeoff.promises import Approximate, Composition, Gaussian, Laplace, Pure, SubsampledGaussian
from auditor.maths.tradeoff.reading import advantage, delta_at, epsilon_at, right_guesses, swap_ceiling, type_two_error


def training(noise: float, rate: float, steps: int, records: int = 1) -> SubsampledGaussian:
    return SubsampledGaussian(noise_multiplier=noise, sample_rate=rate, steps=steps, group=records)


def one_step(noise: float, rate: float, records: int, epsilon: float) -> mpmath.mpf:
    """δ(ε) of one step in both directions, to 60 digits: the worst event is a half-line, whose end a bisection finds."""
    with mpmath.workdps(60):
        s, q, level = mpmath.mpf(noise), mpmath.mpf(rate), mpmath.mpf(epsilon)
        chances = [mpmath.binomial(records, j) * q**j * (1 - q) ** (records - j) for j in range(records + 1)]

        def loss(x: mpmath.mpf) -> mpmath.mpf:
            return mpmath.log(mpmath.fsum(p * mpmath.exp((j * x - mpmath.mpf(j * j) / 2) / s**2) for j, p in enumerate(chances)))

        def above(t: mpmath.mpf) -> mpmath.mpf:
            return mpmath.fsum(p * mpmath.erfc((t - j) / (s * mpmath.sqrt(2))) / 2 for j, p in enumerate(chances))

        def found(sign: int) -> mpmath.mpf:
            high = (50 * noise + records) * (1 + 1 / rate) * mpmath.mpf(1) + noise**2 * (epsilon + 50)
            low = -high
            if sign < 0 and loss(low) >= -level:
                return mpmath.mpf(0)
            for _ in range(110):
                middle = (low + high) / 2
                low, high = (middle, high) if loss(middle) < sign * level else (low, middle)
            without = mpmath.erfc(high / (s * mpmath.sqrt(2))) / 2
            if sign > 0:
                return above(high) - mpmath.exp(level) * without
            return (1 - without) - mpmath.exp(level) * (1 - above(high))

        return max(mpmath.mpf(0), found(1), found(-1))


def drawn(rng: random.Random) -> tuple[float, float, int]:
    noise = 10 ** rng.uniform(math.log10(0.5), 1)
    return noise, 10 ** rng.uniform(-3, 0), rng.choice([1, 1, 2, 3, 7, 20])


def _one_step(seed: int, count: int) -> None:
    rng, near = random.Random(seed), 0
    for _ in range(count):
        noise, rate, records = drawn(rng)
        promise = training(noise, rate, 1, records)
        for epsilon in (0.0, rng.uniform(0.0, 3.0), 10 ** rng.uniform(-4, 1), 10 ** rng.uniform(-2, 2.5)):
            exact, found = one_step(noise, rate, records, epsilon), delta_at(promise, epsilon)
            assert found >= exact, (promise, epsilon)
            near += exact > 1e-6
            if exact > 1e-6:
                assert found <= float(exact) * 1.05 + 1e-4, (promise, epsilon)
    assert near > count


def test_one_step_is_never_below_sixty_digits() -> None:
    _one_step(1, 3)


@pytest.mark.slow  # the faster one is above
def test_one_step_is_never_below_sixty_digits_at_many_points() -> None:
    _one_step(4, 45)


def test_some_steps_are_never_below_the_optimistic_estimate() -> None:
    _many_steps(2, 2)


@pytest.mark.slow  # the faster one is above
def test_many_steps_are_never_below_the_optimistic_estimate() -> None:
    _many_steps(5, 50)


def _many_steps(seed: int, count: int) -> None:
    """The same distribution, every loss rounded the other way: what is true lies between."""
    rng = random.Random(seed)
    for _ in range(count):
        noise, rate, steps = 10 ** rng.uniform(-0.2, 0.8), 10 ** rng.uniform(-2.5, -0.3), rng.choice([2, 10, 100, 1000])
        whole = loss_distribution.scale((training(noise, rate, steps),))
        if not 1e-3 < whole < 6:
            continue
        low = by_mechanism.from_gaussian_mechanism(
            noise,
            sampling_prob=rate,
            pessimistic_estimate=False,
            value_discretization_interval=max(whole / math.sqrt(steps) / 40, 2e-4),
            use_connect_dots=False,
        ).self_compose(steps)
        for epsilon in (0.0, 0.5 * whole, whole, 2 * whole, 3 * whole + 1):
            least, found = low.get_delta_for_epsilon(epsilon), delta_at(training(noise, rate, steps), epsilon)
            assert found >= least - 1e-12, (noise, rate, steps, epsilon)


def exchanged(noise: float, rate: float, records: int) -> mpmath.mpf:
    """The advantage between two worlds of one step that hold k records each, which push the sum in opposite directions."""
    chances = [
        mpmath.binomial(records, j) * mpmath.mpf(rate) ** j * (1 - mpmath.mpf(rate)) ** (records - j) for j in range(records + 1)
    ]
    above = sum(chance * mpmath.ncdf(mpmath.mpf(j) / mpmath.mpf(noise)) for j, chance in enumerate(chances))
    return 2 * above - 1


def test_the_swap_ceiling_of_k_records_is_never_below_what_an_exchange_shows() -> None:
    _swap_ceilings(8, 24)


@pytest.mark.slow  # the faster one is above
def test_nor_is_it_at_many_points() -> None:
    _swap_ceilings(9, 120)


def _swap_ceilings(seed: int, count: int) -> None:
    """One step with sampling, and all steps without it, have closed forms; with 60 digits."""
    rng = random.Random(seed)
    near = 0
    with mpmath.workdps(60):
        for _ in range(count):
            noise, rate, records = 10 ** rng.uniform(-0.3, 1.2), 10 ** rng.uniform(-2, 0), rng.choice([1, 2, 3, 5, 12])
            exact, found = exchanged(noise, rate, records), swap_ceiling(training(noise, rate, 1, records))
            assert mpmath.mpf(found) >= exact, (noise, rate, records)
            near += found <= 1.02 * float(exact) + 1e-4
        for _ in range(60):
            noise, steps, records = 10 ** rng.uniform(0, 2), rng.choice([1, 3, 20, 400]), rng.choice([1, 2, 7])
            exact = mpmath.erf(records * mpmath.sqrt(steps) / mpmath.mpf(noise) / mpmath.sqrt(2))
            found = swap_ceiling(training(noise, 1.0, steps, records))
            assert exact <= mpmath.mpf(found) <= exact * (1 + mpmath.mpf("1e-9"))
    assert near > count / 12


@pytest.mark.parametrize("records", [1, 2, 5])
def test_without_sampling_it_is_the_gaussian_of_all_steps(records: int) -> None:
    rng = random.Random(3)
    for _ in range(8):
        noise, steps = 10 ** rng.uniform(0, 1.5), rng.choice([1, 4, 50])
        mu = records * math.sqrt(steps) / noise
        promise = training(noise, 1.0, steps, records)
        for epsilon in (0.0, 0.3, mu, 3 * mu + 1):
            assert gaussian.delta(epsilon, mu) * (1 - 1e-12) <= delta_at(promise, epsilon) <= gaussian.delta(epsilon, mu) * 1.0001
        for delta in (1e-300, 1e-12, 1e-5, 0.1):
            exact = gaussian.epsilon(delta, mu)
            assert exact * (1 - 1e-12) <= epsilon_at(promise, delta) <= exact * (1 + 1e-9) + 1e-12


def test_a_group_is_no_gaussian_of_k_times_the_shift() -> None:
    """Twice the shift that the right guesses of one record stand for promises two too much: a mixture has the heavier tail."""
    one = training(1.0, 0.02, 1000)
    quantile = float(scipy.special.ndtri(right_guesses(one)))
    assert delta_at(group(one, 2), 6.0) > gaussian.delta(6.0, 2 * 2 * quantile)


@pytest.mark.parametrize(
    "other", [training(1.5, 0.05, 60, 2), training(1.5, 0.05, 90), training(1.5, 0.06, 60), training(1.3, 0.05, 60)]
)
def test_more_records_steps_and_samples_and_less_noise_promise_less(other: SubsampledGaussian) -> None:
    base = training(1.5, 0.05, 60)
    assert right_guesses(base) < right_guesses(other)
    assert delta_at(base, 1.0) < delta_at(other, 1.0)
    assert swap_ceiling(base) < swap_ceiling(other)
    assert all(type_two_error(other, alpha) <= type_two_error(base, alpha) for alpha in (1e-6, 0.01, 0.2, 0.5, 0.9))


def test_larger_groups_and_more_releases_promise_less() -> None:
    base = training(1.5, 0.05, 60)
    assert compose([base, base]) == training(1.5, 0.05, 120)
    assert right_guesses(base) < right_guesses(compose([base, Gaussian(mu=0.1)]))
    assert right_guesses(group(base, 2)) < right_guesses(group(base, 3)) < right_guesses(group(base, 1000)) <= 1.0
    assert epsilon_at(base, 1e-5) < epsilon_at(group(base, 2), 1e-5)


def test_the_curve_is_convex_falls_and_lies_below_what_delta_says() -> None:
    promise = training(1.0, 0.02, 1000)
    alphas = np.linspace(0, 1, 101)
    errors: Floats = np.array([type_two_error(promise, float(alpha)) for alpha in alphas])
    assert np.all(np.diff(errors) <= 1e-12)
    assert np.all(np.diff(errors, 2) >= -1e-12)
    assert np.all(errors <= 1 - alphas)
    # The point nearest to the origin of such a symmetric curve shows the total variation.
    variation = float(np.max(1 - alphas - errors))
    assert variation == pytest.approx(advantage(promise), rel=2e-3)
    for alpha, error in zip(alphas.tolist(), errors.tolist(), strict=True):
        if error > 1e-9:
            assert type_two_error(promise, error) == pytest.approx(alpha, abs=2e-3)


@pytest.mark.parametrize("delta", [1e-300, 1e-100, 1e-15, 1e-9])
def test_a_delta_that_a_transform_would_hide_has_its_epsilon(delta: float) -> None:
    for promise in (training(2.0, 0.07, 300), training(2.0, 0.07, 300, 3)):
        found = epsilon_at(promise, delta)
        assert math.isfinite(found)
        assert delta_at(promise, found * 1.001) <= max(delta * 1.001, 1e-11)


@pytest.mark.parametrize(
    "promise", [training(0.01, 0.5, 10), training(1e6, 1e-9, 1), training(1.0, 0.5, 10**9), training(1e-3, 1.0, 1)]
)
def test_extremes_stay_on_the_safe_side(promise: SubsampledGaussian) -> None:
    assert 0.5 < right_guesses(promise) <= 1.0
    assert 0 <= type_two_error(promise, 0.25) <= 0.75
    assert delta_at(promise, 700.0) >= 0
    assert advantage(group(promise, 10**6)) >= advantage(promise)


def test_nothing_of_one_mechanism_is_lost_in_a_composition() -> None:
    """A Gaussian and a Laplace density: never below either, nor below what a grid rounded the other way gives for both."""
    parts = (Gaussian(mu=0.4), Laplace(shift=0.3), Pure(epsilon=0.2), Approximate(epsilon=0.1, delta=1e-6))
    promise = compose(parts)
    assert isinstance(promise, Composition)
    grid = {"value_discretization_interval": 1e-3}
    low = by_mechanism.from_gaussian_mechanism(1 / 0.4, pessimistic_estimate=False, use_connect_dots=False, **grid).compose(
        by_mechanism.from_laplace_mechanism(1 / 0.3, pessimistic_estimate=False, use_connect_dots=False, **grid)
    )
    for epsilon in (0.0, 0.2, 0.5, 1.0, 2.0):
        assert delta_at(promise, epsilon) >= max(delta_at(each, epsilon) for each in parts)
        assert delta_at(compose(parts[:2]), epsilon) >= low.get_delta_for_epsilon(epsilon) - 1e-12
        assert delta_at(promise, epsilon) >= delta_at(compose(parts[:2]), epsilon)
    assert epsilon_at(promise, 1e-7) == math.inf
    # By adding up ε and δ alone it would be this; the distribution of the loss is better.
    assert epsilon_at(promise, 1e-5) < gaussian.epsilon(9e-6, 0.4) + 0.3 + 0.2 + 0.1
    assert group(promise, 2) == compose([group(each, 2) for each in parts])


def test_a_composition_on_a_grid_is_never_below_the_exact_gaussian() -> None:
    """Two Gaussians side by side, which are one of √(μ² + ν²): at 180 points."""
    rng, near = random.Random(6), 0
    for _ in range(12):
        first, second = (10 ** rng.uniform(-2, 0.7) for _ in range(2))
        promise, mu = Composition(parts=(Gaussian(mu=first), Gaussian(mu=second))), math.hypot(first, second)
        for _ in range(12):
            epsilon = rng.choice([0.0, mu * rng.uniform(0, 6), 10 ** rng.uniform(-3, 2)])
            exact, found = gaussian.delta(epsilon, mu), delta_at(promise, epsilon)
            assert found >= exact * (1 - 1e-12), (promise, epsilon)
            near += exact > 1e-9 and found <= exact * 1.02
        for delta in (0.1, 1e-5, 1e-9):
            assert epsilon_at(promise, delta) >= gaussian.epsilon(delta, mu) * (1 - 1e-12)
            assert epsilon_at(promise, delta) <= gaussian.epsilon(delta, mu) * 1.02 + 1e-3
    assert near > 60


def test_chances_of_many_records_err_towards_more() -> None:
    for records, rate in ((2, 0.5), (3, 1e-6), (20, 0.02), (60, 0.9), (1000, 0.01)):
        sizes, chances = loss_distribution._taken(records, rate)
        assert math.fsum(chances) == pytest.approx(1, abs=1e-12)
        with mpmath.workdps(60):
            q = mpmath.mpf(rate)
            exact = [mpmath.binomial(records, j) * q**j * (1 - q) ** (records - j) for j in range(records + 1)]
            for size in sizes[1:]:
                tail = mpmath.fsum(exact[int(size) :])
                assert math.fsum(p for s, p in zip(sizes, chances, strict=True) if s >= size) >= tail, (records, rate, size)


@pytest.mark.parametrize("value", [0.0, 1e-300, 1.00001e-7, 0.123456, 0.99999, 0.999999, 1.0])
def test_five_digits_rounded_up(value: float) -> None:
    found = loss_distribution.up(value)
    assert value <= found <= min(1.0, value * 1.0001)
    assert loss_distribution.up(found) == found
