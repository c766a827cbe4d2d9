"""DP-FTRL as a rule: ten digits, that its loss bound holds, and that nothing is derived where a premise fails."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.learning.sums import MECHANISMS
from auditor.maths.certificates import derive, ftrl, gaussian
from auditor.maths.certificates.prefix_sums import Factorisation
from auditor.parts.controllers.learning import linear_records

KINDS: dict[Factorisation, str] = {"tree": "ftrl-tree", "square-root": "ftrl-square-root"}
USUAL: dict[str, Any] = {"noise_multiplier": 20.0, "horizon": 1000, "delta": 1e-6}


@pytest.mark.parametrize(
    ("kind", "records", "expected"),
    [
        ("ftrl-tree", 1, {"mu": 0.158113883008419, "epsilon": 0.648105099494135, "release_sigma": 89.4427190999916}),
        ("ftrl-tree", 3, {"mu": 0.474341649025257, "epsilon": 2.12744470593852, "release_sigma": 89.4427190999916}),
        ("ftrl-square-root", 1, {"mu": 0.0903465976209457, "epsilon": 0.356042808885482, "release_sigma": 51.1077534679225}),
        ("ftrl-square-root", 3, {"mu": 0.271039792862837, "epsilon": 1.15739420183209, "release_sigma": 51.1077534679225}),
    ],
)
def test_ten_digits(kind: str, records: int, expected: dict[str, float]) -> None:
    """From sums of binomial coefficients and error functions with 40 digits."""
    found = derive(kind, USUAL | {"records": records}).outputs
    assert found == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("kind", "rate", "loss"),
    [
        ("ftrl-tree", 0.00198425895368187, 0.503966479851061),
        ("ftrl-square-root", 0.00262112116810582, 0.381516128353066),
    ],
)
def test_ten_digits_of_how_well_it_learns(kind: str, rate: float, loss: float) -> None:
    found = derive(kind, USUAL | {"features": 2, "norm": 1.0}).outputs
    assert (found["rate"], found["excess_loss"]) == pytest.approx((rate, loss), rel=1e-10)


@given(horizon=st.integers(1, 300), noise=st.floats(1e-3, 1e6), records=st.integers(1, 9))
@settings(max_examples=80, deadline=None)
def test_mu_is_rounded_up(horizon: int, noise: float, records: int) -> None:
    squared: dict[Factorisation, Fraction] = {
        "tree": Fraction(math.ceil(math.log2(horizon + 1))),
        "square-root": sum(Fraction(math.comb(2 * k, k), 4**k) ** 2 for k in range(horizon)),
    }
    for factorisation, exact in squared.items():
        found = ftrl.mu(factorisation, noise, horizon, records)
        with mpmath.workdps(40):
            least = records * mpmath.sqrt(mpmath.mpf(exact.numerator) / exact.denominator) / mpmath.mpf(noise)
            assert least <= found <= least * (1 + mpmath.mpf("1e-10"))


@pytest.mark.parametrize(
    "changes",
    [
        {"noise_multiplier": 0.0},
        {"horizon": 0},
        {"records": 0},
        {"records": 1001},
        {"delta": 0.0},
        {"delta": 1.0},
        {"features": 2},
        {"norm": 1.0},
        {"features": 0, "norm": 1.0},
        {"features": 2, "norm": 0.0},
    ],
)
@pytest.mark.parametrize("kind", KINDS.values())
def test_a_condition_that_fails_leaves_no_number(kind: str, changes: dict[str, Any]) -> None:
    certificate = derive(kind, USUAL | changes)
    assert certificate.epsilon is None
    assert certificate.outputs["mu"] is None
    assert not all(condition.holds for condition in certificate.conditions)


@given(
    factorisation=st.sampled_from(list(KINDS)),
    epsilon=st.floats(1e-3, 50),
    delta=st.floats(1e-12, 0.5),
    horizon=st.integers(1, 500),
    records=st.integers(1, 9),
)
@settings(max_examples=100, deadline=None)
def test_the_noise_for_an_epsilon_gives_no_more_and_hardly_less(
    factorisation: Factorisation, epsilon: float, delta: float, horizon: int, records: int
) -> None:
    apart = gaussian.mu(epsilon, delta)
    noise = ftrl.noise_for(factorisation, apart, horizon, records)
    assert apart * (1 - 1e-12) <= ftrl.mu(factorisation, noise, horizon, records) <= apart
    assert ftrl.noise_for(factorisation, 0.0, horizon, records) == math.inf


def learned(factorisation: Factorisation, rows: Any, *, rate: float, noise: float, seed: int, norm: float) -> float:
    """The average loss of the weights that each record met, less that of the best weights of a length."""
    horizon, features = len(rows), rows.shape[1] - 1
    tape = np.random.default_rng(seed)
    sums = MECHANISMS[factorisation](noise=noise, horizon=horizon, tape=tape, size=features)
    weights, lost = np.zeros(features), 0.0
    for row in rows:
        lost += float(np.logaddexp(0.0, -row[-1] * (row[:-1] @ weights)))
        sums.add(linear_records.gradients(row[None], weights)[0])
        weights = -rate * np.asarray(sums.tick())
    angles = np.linspace(0, 2 * np.pi, 200)
    best = min(
        float(np.logaddexp(0.0, -rows[:, -1] * (rows[:, :-1] @ (norm * np.array([np.cos(a), np.sin(a)])))).sum()) for a in angles
    )
    return (lost - best) / horizon


@pytest.mark.parametrize("factorisation", KINDS)
@pytest.mark.parametrize(("noise", "norm"), [(0.5, 3.0), (5.0, 1.0)])
def test_the_bound_on_the_loss_holds_on_average(factorisation: Factorisation, noise: float, norm: float) -> None:
    """On streams whose labels follow a direction, and with features in the unit ball, where clipping changes nothing."""
    drawing = np.random.default_rng(5)
    x = drawing.normal(size=(200, 2))
    x /= np.maximum(1.0, np.linalg.norm(x, axis=1))[:, None]
    rows = np.column_stack([x, np.where(x @ [2.0, -1.0] + drawing.normal(0, 0.3, 200) > 0, 1.0, -1.0)])
    inputs = {"noise_multiplier": noise, "horizon": 200, "delta": 1e-6, "features": 2, "norm": norm}
    outputs = derive(KINDS[factorisation], inputs).outputs
    lost = [learned(factorisation, rows, rate=outputs["rate"], noise=noise, seed=seed, norm=norm) for seed in range(40)]
    assert np.mean(lost) <= outputs["excess_loss"]
    if noise < 1:
        assert np.mean(lost) >= outputs["excess_loss"] / 50, "the bound says something"
