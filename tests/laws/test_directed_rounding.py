"""What rounding leaves of a bound is still one: each rule against 60-digit arithmetic on the same floating-point inputs."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from auditor.maths.certificates import derive, gaussian, increments, prefix_sums
from auditor.maths.certificates.rounding import ceiling, floor
from auditor.parts.controllers.rules import adaptive_unlearning, square_root_counter, tree_counter
from auditor.parts.removal.rules import output_noise

DIGITS = 60
ROUNDS = 300
_TINY = 5e-324


def amounts(seed: int, low: float, high: float, count: int = ROUNDS) -> Iterator[float]:
    """Numbers of all sizes between two powers of ten, and some that are short in binary."""
    source = random.Random(seed)
    for _ in range(count):
        yield source.choice([10 ** source.uniform(low, high), source.randint(1, 64) / 8])


def exact_delta(epsilon: float, mu: float) -> mpmath.mpf:
    """Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)."""
    shift, scaled, root = mpmath.mpf(mu) / 2, mpmath.mpf(epsilon) / mpmath.mpf(mu), mpmath.sqrt(2)
    upper, lower = mpmath.erfc((scaled - shift) / root) / 2, mpmath.erfc((scaled + shift) / root) / 2
    return upper - mpmath.exp(mpmath.mpf(epsilon)) * lower


def test_delta_of_a_gaussian_is_rounded_up() -> None:
    with mpmath.workdps(200):
        for epsilon, mu in zip(amounts(1, -6, 1.5), amounts(2, -3, 1), strict=True):
            found = derive("gaussian", {"epsilon": epsilon, "mu": mu}).outputs["delta"]
            exact = exact_delta(epsilon, mu)
            assert exact <= found <= exact * (1 + mpmath.mpf("1e-11")) + _TINY, (epsilon, mu)


def test_the_classical_mu_and_budget_are_rounded_down() -> None:
    with mpmath.workdps(DIGITS):
        deltas = (min(each, 0.999) for each in amounts(5, -300, -0.01))
        for epsilon, sigma, delta in zip(amounts(3, -300, 5), amounts(4, -5, 5), deltas, strict=True):
            exact = mpmath.mpf(epsilon) / mpmath.sqrt(2 * mpmath.log(mpmath.mpf(1.5) / mpmath.mpf(delta)))
            found = derive("gaussian", {"epsilon": epsilon, "delta": delta}).outputs["classical_mu"]
            assert exact * (1 - mpmath.mpf("1e-14")) - _TINY <= found <= exact, (epsilon, delta)
            budget = derive("removal-budget", {"epsilon": epsilon, "delta": delta, "sigma": sigma}).outputs["classical_budget"]
            assert budget <= sigma * exact, (epsilon, delta, sigma)


def test_the_budgets_are_rounded_down_and_no_further_than_one_step() -> None:
    for epsilon, sigma in zip(amounts(6, -150, 150), amounts(7, -150, 150), strict=True):
        found = derive("removal-budget-laplace", {"epsilon": epsilon, "sigma": sigma}).outputs["budget"]
        exact = Fraction(epsilon) * Fraction(sigma)
        assert Fraction(found) <= exact < Fraction(math.nextafter(found, math.inf)), (epsilon, sigma)
    # What a floating-point number holds is not lost.
    assert derive("removal-budget-laplace", {"epsilon": 0.5, "sigma": 3.0}).outputs["budget"] == 1.5


def test_what_a_residual_spends_by_laplace_is_rounded_up() -> None:
    for beta, sigma in zip(amounts(8, -150, 100), amounts(9, -150, 100), strict=True):
        found = derive("removal-budget-laplace", {"epsilon": 1.0, "sigma": sigma, "beta": beta}).outputs["epsilon_spent"]
        assert Fraction(found) * Fraction(sigma) >= Fraction(beta)
        assert Fraction(math.nextafter(found, -math.inf)) * Fraction(sigma) < Fraction(beta)


def test_a_group_is_rounded_up() -> None:
    source = random.Random(10)
    with mpmath.workdps(DIGITS):
        for epsilon, power in zip(amounts(11, -8, 2), amounts(12, 0, 2.4), strict=True):
            size, delta = source.randint(1, 2000), 10**-power
            found = derive("group", {"epsilon": epsilon, "delta": delta, "size": size}).outputs
            assert Fraction(found["epsilon"]) >= size * Fraction(epsilon)
            one = mpmath.mpf(epsilon)
            exact = mpmath.mpf(delta) * mpmath.expm1(size * one) / mpmath.expm1(one)
            assert min(mpmath.mpf(1), exact) <= found["delta"] <= exact * (1 + mpmath.mpf("1e-11")) + _TINY, (
                epsilon,
                delta,
                size,
            )


def increment(source: random.Random) -> dict[str, float]:
    """Random arguments of the bounds on one removal."""
    names = ("lipschitz", "spectral_norm", "step_norm", "step_predictions_norm", "solver_error", "rounding_floor")
    return {name: 10 ** source.uniform(-12, 4) for name in names}


def exact_increments(g: dict[str, Fraction]) -> dict[str, Fraction]:
    """Every increment as a fraction."""
    rest = g["solver_error"] + g["rounding_floor"]
    change = g["forgotten"] * (2 * g["gradient_bound"] + (g["perturbation_norm"] + g["gradient_norm"]) / g["rows"])
    left = g["rows"] - g["forgotten"]
    step = (change + g["solver_error"]) / (g["l2"] * left)
    return {
        "worst-case": g["lipschitz"] * left * step**2 + rest,
        "as-printed": g["lipschitz"] * g["spectral_norm"] * g["step_norm"] * g["step_predictions_norm"] + rest,
        "tightened": g["lipschitz"] * g["spectral_norm"] * g["step_predictions_norm4"] / 2 + rest,
        "local": g["spectral_norm"] * g["local_curvature_norm"] / 2 + rest,
    }


def test_increments_of_the_residual_are_rounded_up() -> None:
    source = random.Random(13)
    for _ in range(ROUNDS):
        names = ("lipschitz", "spectral_norm", "step_norm", "step_predictions_norm", "step_predictions_norm4")
        names += ("local_curvature_norm", "gradient_bound", "perturbation_norm", "gradient_norm", "l2")
        given: dict[str, Any] = {name: 10 ** source.uniform(-30, 5) for name in names}
        given["rows"] = source.randint(2, 10**6)
        given["forgotten"] = source.randint(1, given["rows"] - 1)
        rest = {"solver_error": 10 ** source.uniform(-30, 0), "rounding_floor": 10 ** source.uniform(-30, 0)}
        exact = exact_increments({name: Fraction(each) for name, each in {**given, **rest}.items()})
        asked = {
            "worst-case": (increments.worst_case, "rows forgotten l2 lipschitz gradient_bound perturbation_norm gradient_norm"),
            "as-printed": (increments.as_printed, "lipschitz spectral_norm step_norm step_predictions_norm"),
            "tightened": (increments.tightened, "lipschitz spectral_norm step_predictions_norm4"),
            "local": (increments.local, "spectral_norm local_curvature_norm"),
        }
        for name, (bound, of) in asked.items():
            found = bound(**{each: given[each] for each in of.split()}, **rest)
            assert found == ceiling(exact[name]), name
            assert found >= exact[name], name


def test_an_increment_below_the_range_is_still_a_bound() -> None:
    # 1e-200 * 1e-200 is nothing in float64, and times 1e300 it is 1e-100.
    found = increments.as_printed(lipschitz=1e-200, spectral_norm=1e-200, step_norm=1e200, step_predictions_norm=1e100)
    assert found >= Fraction(1e-200) ** 2 * Fraction(1e200) * Fraction(1e100)


def test_the_chain_adds_up_upwards() -> None:
    source = random.Random(14)
    batches = 200
    rows = [10_000 - index for index in range(batches)]
    steps = [10 ** source.uniform(-9, 0) for _ in range(batches)]
    given: dict[str, Any] = {
        "l2": 0.01,
        "lipschitz_printed": 0.25,
        "lipschitz": increments.LOGISTIC_LIPSCHITZ,
        "gradient_bound": 1.0,
        "row_norm": 1.0,
        "perturbation_norm": 1.0,
        "leftover": 1e-3,
        "rows": rows,
        "forgotten": [1] * batches,
        "retrained": [0] * batches,
        "solver_error": steps,
        "rounding_floor": [1e-13] * batches,
        **{
            name: [0.0] * batches
            for name in (
                *("gradient_norm", "spectral_norm", "step_norm", "step_predictions_norm", "step_predictions_norm4"),
                *("local_curvature_norm", "batch_leftover", "measured"),
            )
        },
    }
    found = derive("removal-residual", given).outputs["betas"]["local"]
    exact = Fraction(1e-3)
    for beta, step in zip(found[1:], steps, strict=True):
        exact += Fraction(step) + Fraction(1e-13)
        assert Fraction(beta) >= exact
    assert float(found[-1]) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("one", [0.1, 1e-320, 1e308, 3.0])
def test_floor_and_ceiling_enclose(one: float) -> None:
    third = Fraction(one) / 3
    assert Fraction(floor(third)) <= third <= Fraction(ceiling(third))
    assert math.nextafter(floor(third), math.inf) >= ceiling(third)
    assert floor(Fraction(one)) == one == ceiling(Fraction(one))
    assert floor(Fraction(10) ** 400) == 1.7976931348623157e308
    assert floor(-(Fraction(10) ** 400)) == -math.inf


def test_the_chance_of_models_apart_is_rounded_up() -> None:
    """2 delta/beta + 2 delta/(1 - e^-epsilon), also where epsilon is beyond every rounding of 1."""
    with mpmath.workdps(DIGITS):
        for epsilon, delta, beta in zip(amounts(31, -8, 3), amounts(32, -12, -6), amounts(33, -2, 2), strict=True):
            small = min(delta, 1e-6)
            exact = 2 * mpmath.mpf(small) * (1 / mpmath.mpf(beta) - 1 / mpmath.expm1(-mpmath.mpf(epsilon)))
            found = adaptive_unlearning.gamma(epsilon, small, beta)
            assert min(mpmath.mpf(1), exact) <= found <= exact * (1 + mpmath.mpf("1e-14")), (epsilon, small, beta)
            assert Fraction(adaptive_unlearning.alpha(epsilon)) >= 3 * Fraction(epsilon)


def test_how_far_noisy_releases_lie_apart_is_rounded_up() -> None:
    """sqrt(sum_t (r/(lambda n_t s))^2) over one to five releases."""
    source = random.Random(34)
    with mpmath.workdps(DIGITS):
        for residual, l2, noise in zip(amounts(35, -12, 3), amounts(36, -6, 2), amounts(37, -6, 3), strict=True):
            rows = tuple(source.randint(1, 10**6) for _ in range(source.randint(1, 5)))
            each = [mpmath.mpf(residual) / (mpmath.mpf(l2) * count * mpmath.mpf(noise)) for count in rows]
            exact = mpmath.sqrt(mpmath.fsum(one**2 for one in each))
            found = output_noise.shift(residual, l2, rows, noise)
            assert exact <= found <= exact * (1 + mpmath.mpf("1e-11")), (residual, l2, rows, noise)


@pytest.mark.parametrize("rule", [square_root_counter.noise, tree_counter.node_noise])
def test_the_noise_of_a_counter_is_rounded_up(rule: Any) -> None:
    """sqrt(S)/mu, of the numbers that both are taken from: S is exact for the tree, an upper bound for the square root."""
    source = random.Random(38)
    for epsilon, power in zip(amounts(39, -3, 2), amounts(40, 0, 1), strict=True):
        horizon, delta = source.randint(1, 500), 10**-power
        squared = prefix_sums.levels(horizon) if rule is tree_counter.node_noise else prefix_sums.root_sensitivity(horizon)
        mu = gaussian.mu(epsilon, delta)
        found = rule(epsilon, delta, horizon)
        assert (Fraction(found) * Fraction(mu)) ** 2 >= Fraction(squared), (epsilon, delta, horizon)
        assert found <= math.sqrt(squared) / mu * (1 + 1e-13)


def test_the_sensitivity_of_the_square_root_is_rounded_up() -> None:
    """The sum of (C(2k, k)/4^k)^2 in whole numbers."""
    for horizon in (1, 2, 3, 10, 100, 300):
        exact = sum(Fraction(math.comb(2 * k, k), 4**k) ** 2 for k in range(horizon))
        found = Fraction(prefix_sums.root_sensitivity(horizon))
        assert exact <= found <= exact * (1 + Fraction(horizon, 10**14))
