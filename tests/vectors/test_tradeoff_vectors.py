"""Right guesses of 100 that promises leave, to the digits worked out elsewhere: 60-digit erf, and a grid of the privacy loss."""

from __future__ import annotations

import math

import mpmath
import pytest

from auditor.maths.certificates import derive
from auditor.maths.tradeoff.combining import group
from auditor.maths.tradeoff.promises import Approximate, Gaussian, Laplace, Promise, Pure, SubsampledGaussian, removal_budget
from auditor.maths.tradeoff.reading import delta_at, epsilon_at, right_guesses, swap_ceiling, type_two_error

TREE_COUNTER = Gaussian(mu=0.23670)
"""The budget of a tree counter at ε = 1 and δ = 1e-6."""
GUESSES: list[tuple[Promise, float, float]] = [
    (Gaussian(mu=0.2364), 54.7, 54.70454050208707),
    (removal_budget(1.0, 1e-4), 56.3, 56.23583574469),
    (TREE_COUNTER, 54.7, 54.71048292637),
    (group(TREE_COUNTER, 3), 63.9, 63.87239331959),
    (Approximate(epsilon=1.0, delta=1e-4), 73.2, 73.10854727721),
    (Pure(epsilon=1.0), 73.2, 73.10585786300),
    (Laplace(shift=1.0), 69.7, 69.67346701437),
]


@pytest.mark.parametrize(("promise", "printed", "digits"), GUESSES)
def test_right_guesses_in_closed_form(promise: Promise, printed: float, digits: float) -> None:
    found = 100 * right_guesses(promise)
    assert found == pytest.approx(digits, rel=1e-12)
    assert abs(found - printed) < 0.1


def test_right_guesses_of_a_gaussian_are_half_the_shift_in_sixty_digits() -> None:
    with mpmath.workdps(60):
        for promise in (Gaussian(mu=0.2364), removal_budget(1.0, 1e-4), TREE_COUNTER):
            assert isinstance(promise, Gaussian)
            exact = (1 + mpmath.erf(mpmath.mpf(promise.mu) / (2 * mpmath.sqrt(2)))) / 2
            assert exact <= right_guesses(promise) <= exact * (1 + mpmath.mpf(10) ** -14)
    assert epsilon_at(TREE_COUNTER, 1e-6) == pytest.approx(1.0, abs=2e-4)


@pytest.mark.parametrize(
    ("noise", "rate", "steps", "printed", "truth"),
    [(2.0, 64 / 900, 300, 62.7, 62.6742), (1.0, 0.02, 1000, 65.6, 65.5533)],
)
def test_right_guesses_of_private_training(noise: float, rate: float, steps: int, printed: float, truth: float) -> None:
    """The truth to five digits: pessimistic grids with intervals of 1e-4 and 3e-5 agree on it, and come from above."""
    found = 100 * right_guesses(SubsampledGaussian(noise_multiplier=noise, sample_rate=rate, steps=steps))
    assert truth <= found <= truth + 0.01
    assert abs(found - printed) < 0.05 or math.ceil(10 * found) / 10 == printed


def test_ceilings_of_the_swap_test() -> None:
    assert swap_ceiling(Approximate(epsilon=1.0, delta=1e-5)) == pytest.approx(0.632127916417, rel=1e-11)
    assert swap_ceiling(Pure(epsilon=0.1)) == pytest.approx(0.095162581964, rel=1e-11)
    assert swap_ceiling(Approximate(epsilon=2.0, delta=0.01)) == pytest.approx(0.867371422428, rel=1e-11)
    # 2 Φ(μ) − 1 at the budget of (1, 1e-5).
    assert swap_ceiling(removal_budget(1.0, 1e-5)) == pytest.approx(0.211, abs=1e-3)


def test_points_of_curves() -> None:
    assert delta_at(Gaussian(mu=0.3), 1.0) == pytest.approx(5.48874964461e-5, rel=1e-11)
    assert epsilon_at(Gaussian(mu=1.0), 1e-5) == pytest.approx(4.37717809568, rel=1e-11)
    # Φ(Φ⁻¹(0.9) − 1), and the middle piece of the Laplace trade-off, e^−1/(4 · 0.3).
    assert type_two_error(Gaussian(mu=1.0), 0.1) == pytest.approx(0.610851, rel=1e-5)
    assert type_two_error(Laplace(shift=1.0), 0.3) == pytest.approx(math.exp(-1) / 1.2, rel=1e-11)


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        # 2 Φ(0.75) − 1, 2 Φ(1.5) − 1, and Φ(Φ⁻¹(0.95) − 1.5), with mpmath.
        (
            {"mu": 0.5, "size": 3, "alpha": 0.05},
            {"advantage": 0.5467452952, "swap_ceiling": 0.8663855975, "type_two_error": 0.5575867797},
        ),
        # tanh(1/2), 1 − 1/e, and (1 − 0.1)/e from the shallow piece.
        (
            {"epsilon": 1, "at_epsilon": 0.5, "alpha": 0.9},
            {"advantage": 0.4621171573, "swap_ceiling": 0.6321205588, "delta": 0.2876491366, "type_two_error": 0.03678794412},
        ),
        # 1 − e^(−1/2), 1 − e^−1, and m + 2 ln(1 − δ) at δ = 0.1.
        (
            {"shift": 1, "at_delta": 0.1},
            {"advantage": 0.3934693403, "swap_ceiling": 0.6321205588, "epsilon": 0.7892789687},
        ),
        # (ε, δ) at its own δ: (e − 1 + 2δ)/(e + 1), 1 − (1 − 2δ)/e.
        (
            {"epsilon": 1, "delta": 1e-3, "records": 500},
            {"advantage": 0.4626550402, "swap_ceiling": 0.6328563177, "printed_delta": 1e-3, "epsilon": 1.0},
        ),
    ],
)
def test_the_rule_that_reads_promises(inputs: dict[str, float], outputs: dict[str, float]) -> None:
    found = derive("tradeoff", inputs).outputs
    assert found == {name: pytest.approx(value, rel=1e-9) for name, value in outputs.items()}


def test_a_curve_without_a_declared_delta_is_read_at_a_tenth_of_one_in_n() -> None:
    found = derive("tradeoff", {"mu": 1, "records": 10_000}).outputs
    assert found["printed_delta"] == 1e-5
    assert found["epsilon"] == pytest.approx(4.37717809568, rel=1e-11)
