"""The rules `swap` and `one-run` at their edges: which conditions fail, what is null, and the reason that stands beside it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.maths.certificates import derive
from auditor.parts.swap.rules import swap
from auditor.parts.swap.rules.swap import gaussian_epsilon_exceeds, gaussian_epsilon_lower

FORWARD = {"advantage_bound", "quality_bound", "sharp_advantage_bound", "sharp_quality_bound"}
BACKWARD = {"epsilon_lower", "paper_epsilon_lower", "gaussian_mu_lower", "gaussian_epsilon_lower"}


def test_a_direction_has_to_be_chosen() -> None:
    for inputs, found in (({"delta": 0.0}, "neither"), ({"delta": 0.0, "epsilon": 1.0, "quality": 0.5}, "epsilon and quality")):
        outputs = derive("swap", inputs).outputs
        assert set(outputs) == FORWARD | BACKWARD | {"reason"}
        assert f"found {found}" in outputs["reason"]


@pytest.mark.parametrize("inputs", [{"quality": 1.1}, {"quality": -0.1}, {"epsilon": -1.0}, {"epsilon": 1.0, "delta": 1.5}])
def test_numbers_out_of_range_give_nothing(inputs: dict[str, float]) -> None:
    certificate = derive("swap", {"delta": 0.0, **inputs})
    assert not all(condition.holds for condition in certificate.conditions)
    assert {value for key, value in certificate.outputs.items() if key != "reason"} == {None}


def test_a_perfect_certificate_leaves_no_advantage_and_a_perfect_quality_refutes_nothing() -> None:
    assert derive("swap", {"epsilon": 0.0, "delta": 0.0}).outputs == {
        "advantage_bound": 0.0,
        "quality_bound": 1.0,
        "sharp_advantage_bound": 0.0,
        "sharp_quality_bound": 1.0,
    }
    assert derive("swap", {"quality": 1.0, "delta": 0.0}).outputs == dict.fromkeys(BACKWARD, 0.0)


@pytest.mark.parametrize("delta", [0.0, 1e-5, 0.2, 0.49])
def test_the_printed_ceiling_ends_where_it_says(delta: float) -> None:
    end = math.log(3 - 4 * delta)
    before = derive("swap", {"epsilon": end * (1 - 1e-9), "delta": delta}).outputs
    after = derive("swap", {"epsilon": end * (1 + 1e-9), "delta": delta}).outputs
    assert before["advantage_bound"] < 1
    assert before["quality_bound"] > 0
    assert (after["advantage_bound"], after["quality_bound"]) == (None, None)
    assert after["sharp_advantage_bound"] < 1


@pytest.mark.parametrize("delta", [0.5, 0.7, 1.0])
def test_from_a_delta_of_one_half_on_nothing_is_said(delta: float) -> None:
    forward = derive("swap", {"epsilon": 0.0, "delta": delta}).outputs
    assert {forward[key] for key in FORWARD} == {None}
    assert "delta = 1/2" in forward["reason"]
    for found in (0.0, 0.3):
        backward = derive("swap", {"quality": found, "delta": delta}).outputs
        assert (backward["epsilon_lower"], backward["paper_epsilon_lower"]) == (0.0, 0.0)


def test_far_out_the_advantage_is_one_and_the_floor_of_the_quality_remains() -> None:
    outputs = derive("swap", {"epsilon": 500.0, "delta": 0.1}).outputs
    assert outputs["sharp_advantage_bound"] == 1
    assert outputs["sharp_quality_bound"] == pytest.approx(0.8 * math.exp(-500), rel=1e-13)
    for epsilon in (800.0, 1e308):
        outputs = derive("swap", {"epsilon": epsilon, "delta": 0.1}).outputs
        assert {outputs[key] for key in FORWARD} == {None}
        assert "below the floating-point range" in outputs["reason"]


def test_a_quality_of_zero_refutes_every_finite_epsilon() -> None:
    assert swap.epsilon_lower(0.0, 0.01) == math.inf
    assert swap.gaussian_mu_lower(0.0) == math.inf
    outputs = derive("swap", {"quality": 0.0, "delta": 0.01}).outputs
    assert (outputs["epsilon_lower"], outputs["gaussian_mu_lower"], outputs["gaussian_epsilon_lower"]) == (None, None, None)
    assert outputs["paper_epsilon_lower"] == pytest.approx(math.log(2.96), rel=1e-12)
    assert "a quality of 0 refutes every finite epsilon" in outputs["reason"]
    assert swap.epsilon_lower(5e-324, 0.0) == pytest.approx(1022 * math.log(2), rel=1e-12)


def test_no_gaussian_mechanism_has_a_delta_of_zero() -> None:
    outputs = derive("swap", {"quality": 0.9, "delta": 0.0}).outputs
    assert outputs["gaussian_epsilon_lower"] is None
    assert outputs["epsilon_lower"] == pytest.approx(-math.log(0.9), rel=1e-12)
    assert "at delta = 0" in outputs["reason"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"guesses": 0, "correct": 0}, "guesses"),
        ({"guesses": 10**7}, "guesses"),
        ({"correct": 101}, "correct"),
        ({"correct": -1}, "correct"),
        ({"alpha": 1.0}, "alpha"),
        ({"delta": 0.05}, "alpha > delta"),
        ({"delta": -0.1}, "delta >= 0"),
    ],
)
def test_one_run_names_the_condition_that_fails(change: dict[str, Any], words: str) -> None:
    certificate = derive("one-run", {"guesses": 100, "correct": 70, "alpha": 0.05, "delta": 0.0, **change})
    assert certificate.outputs["epsilon_lower"] is None
    assert words in certificate.outputs["reason"]


def test_neither_rule_is_a_guarantee() -> None:
    for kind, inputs in (
        ("swap", {"epsilon": 1.0, "delta": 1e-5}),
        ("swap", {"quality": 0.5, "delta": 1e-5}),
        ("one-run", {"guesses": 100, "correct": 70, "alpha": 0.05, "delta": 0.0}),
    ):
        certificate = derive(kind, inputs)
        assert (certificate.epsilon, certificate.delta, certificate.order) == (None, None, None)
        assert all(condition.holds for condition in certificate.conditions)


@given(st.floats(1e-6, 1e3), st.floats(1e-300, 1 - 1e-9) | st.floats(1e-12, 1e-2), st.floats(0, 1e4), st.floats(-1e-9, 1e-9))
def test_what_is_clear_without_the_inverse_is_what_the_inverse_says(mu: float, delta: float, other: float, near: float) -> None:
    """Far from the bound and around it: where one evaluation decides, it decides as the bound itself does."""
    bound = gaussian_epsilon_lower(mu, delta)
    for epsilon in (other, bound * (1 + near), bound, math.nextafter(bound, 0), math.nextafter(bound, math.inf)):
        if math.isfinite(epsilon):
            assert gaussian_epsilon_exceeds(mu, delta, max(0.0, epsilon)) in {None, bound > max(0.0, epsilon)}


def test_most_is_clear_without_the_inverse() -> None:
    """That is what it is for: nothing but the neighbourhood of the bound needs the inverse."""
    bound = gaussian_epsilon_lower(0.7, 1e-5)
    assert gaussian_epsilon_exceeds(0.7, 1e-5, bound * (1 - 1e-9)) is True
    assert gaussian_epsilon_exceeds(0.7, 1e-5, bound * (1 + 1e-9)) is False
    assert gaussian_epsilon_exceeds(0.7, 1e-5, bound) is None
