"""The epsilon of private training: an upper bound, and monotone in everything that it depends on."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from auditor.maths.certificates import gaussian
from auditor.maths.certificates.dp_sgd import STEP, epsilon

noises = st.floats(0.5, 20.0)
rates = st.floats(0.01, 1.0)
counts = st.integers(1, 500)
deltas = st.floats(-8, -2).map(lambda power: 10.0**power)
factors = st.floats(1.05, 2.0)


@settings(max_examples=8, deadline=None)
@example(0.5, 284, 1e-5)
@given(noises, counts, deltas)
def test_without_sampling_it_is_never_below_the_exact_gaussian(noise: float, steps: int, delta: float) -> None:
    exact = gaussian.epsilon(delta, math.sqrt(steps) / noise)
    found = epsilon(noise, sample_rate=1.0, steps=steps, delta=delta)
    assert exact <= found
    # Far beyond any use the losses leave the range of floating-point numbers, and the looser bound decides.
    assert found <= exact * (1.001 if exact < 500 else 2) + 1e-3
    assert math.isclose(found / STEP, round(found / STEP), abs_tol=1e-6)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(noises, rates, counts, deltas, factors)
def test_more_noise_fewer_records_fewer_steps_and_a_larger_delta_cost_no_more(
    noise: float, rate: float, steps: int, delta: float, factor: float
) -> None:
    whole = epsilon(noise, sample_rate=rate, steps=steps, delta=delta)
    for less in (
        epsilon(noise * factor, sample_rate=rate, steps=steps, delta=delta),
        epsilon(noise, sample_rate=rate / factor, steps=steps, delta=delta),
        epsilon(noise, sample_rate=rate, steps=max(1, math.floor(steps / factor)), delta=delta),
        epsilon(noise, sample_rate=rate, steps=steps, delta=min(0.5, delta * factor)),
    ):
        assert less <= whole + 2 * STEP


@settings(max_examples=6, deadline=None)
@given(noises, rates, deltas)
def test_one_step_is_an_upper_bound_on_the_mixture_of_two_gaussians(noise: float, rate: float, delta: float) -> None:
    """delta(epsilon) of one step, the record removed: q (Phi(1/s - t) ...) in closed form (Zhu and Wang 2019, Theorem 11)."""
    found = epsilon(noise, sample_rate=rate, steps=1, delta=delta)
    # (1 - q) N(0, s^2) + q N(1, s^2) against N(0, s^2): the loss exceeds epsilon right of t.
    if math.exp(found) - 1 + rate <= 0:
        return
    t = noise**2 * math.log((math.exp(found) - 1 + rate) / rate) + 0.5

    def right(mean: float) -> float:
        return 0.5 * math.erfc((t - mean) / (noise * math.sqrt(2)))

    exceeding = (1 - rate) * right(0.0) + rate * right(1.0) - math.exp(found) * right(0.0)
    assert exceeding <= delta * (1 + 1e-9) + 1e-15
