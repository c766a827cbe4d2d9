"""The chain of residual bounds: what it refuses, what it leaves out, how retraining starts it again."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Certificate
from auditor.maths.certificates import derive


def inputs(**changes: Any) -> dict[str, Any]:
    """Two batches whose numbers fit together."""
    return {
        "l2": 0.1,
        "lipschitz_printed": 0.25,
        "lipschitz": 0.09622504486493764,
        "gradient_bound": 1,
        "row_norm": 1,
        "perturbation_norm": 2,
        "leftover": 0.001,
        "rows": [10, 9],
        "forgotten": [1, 2],
        "gradient_norm": [0.0005, 0.002],
        "spectral_norm": [2, 2],
        "step_norm": [0.2, 0.4],
        "step_predictions_norm": [0.3, 0.5],
        "step_predictions_norm4": [0.04, 0.1],
        "local_curvature_norm": [0.001, 0.002],
        "solver_error": [0.01, 0],
        "rounding_floor": [1e-12, 1e-12],
        "retrained": [0, 0],
        "batch_leftover": [0, 0],
        "measured": [0.002, 0.003],
        **changes,
    }


def failed(certificate: Certificate) -> list[str]:
    return [condition.name for condition in certificate.conditions if not condition.holds]


def test_the_chain_adds_increments_to_the_leftover() -> None:
    certificate = derive("removal-residual", inputs())
    assert failed(certificate) == []
    steps, betas = certificate.outputs["increments"], certificate.outputs["betas"]
    first = 0.09622504486493764 * 2 * 0.04 / 2 + 0.01 + 1e-12
    second = 0.09622504486493764 * 2 * 0.1 / 2 + 1e-12
    assert steps["tightened"] == pytest.approx([first, second], rel=1e-14)
    assert betas["tightened"] == pytest.approx([0.001, 0.001 + first, 0.001 + first + second], rel=1e-14)
    assert steps["local"] == pytest.approx([0.001 + 0.01 + 1e-12, 0.002 + 1e-12], rel=1e-14)
    assert steps["as-printed"] == pytest.approx([0.25 * 2 * 0.2 * 0.3 + 0.01 + 1e-12, 0.25 * 2 * 0.4 * 0.5 + 1e-12], rel=1e-14)
    change = 1 * (2 + (2 + 0.0005) / 10) + 0.01
    assert steps["worst-case"][0] == pytest.approx(0.25 * change**2 / (0.1**2 * 9) + 0.01 + 1e-12, rel=1e-14)
    # row_norm is rounded up, by a part in 10^12, before it multiplies.
    g = 0.09622504486493764
    assert steps["online"] == pytest.approx([g * 2 * 0.1 * 0.3 + 0.01 + 1e-12, g * 2 * 0.2 * 0.5 + 1e-12], rel=1e-11)
    assert certificate.outputs["beta"] == betas["local"][-1]
    assert {bound.name: bound.value for bound in certificate.bounds} == {
        **{name: max(series) for name, series in betas.items()},
        "measured": 0.003,
    }


def test_without_batches_the_leftover_stands_alone() -> None:
    names = [name for name, value in inputs().items() if isinstance(value, list)]
    certificate = derive("removal-residual", inputs(**{name: [] for name in names}))
    assert certificate.outputs["beta"] == 0.001
    assert certificate.outputs["betas"]["worst-case"] == [0.001]
    assert certificate.bounds[-1].value is None


def test_retraining_starts_again_and_the_worst_point_stays_in_beta() -> None:
    certificate = derive(
        "removal-residual",
        inputs(leftover=0.5, retrained=[1, 0], batch_leftover=[0.003, 0], solver_error=[0, 0]),
    )
    assert failed(certificate) == []
    for name, series in certificate.outputs["betas"].items():
        assert series[:2] == [0.5, 0.003]
        assert certificate.outputs["increments"][name][0] is None
        assert series[2] == pytest.approx(0.003 + certificate.outputs["increments"][name][1], rel=1e-15)
    assert certificate.outputs["beta"] == 0.5


def test_long_rows_void_only_the_bounds_that_need_short_ones() -> None:
    certificate = derive("removal-residual", inputs(row_norm=1.001))
    assert failed(certificate) == ["rows of norm at most 1 (worst-case and as-printed alone)"]
    for name in ("worst-case", "as-printed"):
        assert certificate.outputs["increments"][name] == [None, None]
        assert certificate.outputs["betas"][name] == [None, None, None]
    assert [bound.name for bound in certificate.bounds if bound.value is None] == ["worst-case", "as-printed"]
    assert None not in certificate.outputs["betas"]["online"]
    assert certificate.outputs["beta"] == derive("removal-residual", inputs()).outputs["beta"]
    assert failed(derive("removal-residual", inputs(row_norm=1 + 1e-9))) == []


@pytest.mark.parametrize(
    ("changes", "condition"),
    [
        ({"l2": 0}, "l2 > 0"),
        ({"leftover": -1e-9}, "no count, norm or constant is below 0"),
        ({"measured": [0.002, -0.003]}, "no count, norm or constant is below 0"),
        ({"lipschitz": 0.3}, "lipschitz <= lipschitz_printed"),
        ({"measured": [0.002]}, "every list has one entry per batch"),
        ({"rows": [10, 10]}, "each batch starts with the records that the one before left"),
        ({"forgotten": [10, 2]}, "each batch removes a record and leaves one"),
        ({"forgotten": [0, 2], "rows": [9, 9]}, "each batch removes a record and leaves one"),
        ({"retrained": [2, 0]}, "retrained is 0 or 1"),
    ],
)
def test_without_its_premises_nothing_comes_out(changes: dict[str, Any], condition: str) -> None:
    certificate = derive("removal-residual", inputs(**changes))
    assert condition in failed(certificate)
    assert [certificate.outputs[key] for key in ("increments", "betas", "measured", "beta")] == [None] * 4
    assert condition in certificate.outputs["reason"]
    assert certificate.bounds == ()


@pytest.mark.parametrize(
    ("changes", "condition"),
    [
        ({"measured": [0.002, 0.03]}, "the measured gradient norms are within the local bounds"),
        ({"gradient_norm": [0.0011, 0.002]}, "the measured gradient norms are within the local bounds"),
        (
            {"retrained": [0, 1], "batch_leftover": [0, 0.001]},
            "the measured gradient norms are within the local bounds",
        ),
        ({"spectral_norm": [1, 2]}, "the norms of each step fit together"),
        ({"step_predictions_norm4": [0.01, 0.1]}, "the norms of each step fit together"),
        ({"step_predictions_norm4": [0.1, 0.1]}, "the norms of each step fit together"),
    ],
)
def test_numbers_that_contradict_each_other_give_no_beta(changes: dict[str, Any], condition: str) -> None:
    certificate = derive("removal-residual", inputs(**changes))
    assert failed(certificate) == [condition]
    assert certificate.outputs["beta"] is None
    assert condition in certificate.outputs["reason"]
    assert None not in certificate.outputs["betas"]["local"]


@pytest.mark.parametrize(("slack", "holds"), [(1e-9, True), (1.01e-9, False)])
def test_norms_fit_together_up_to_rounding(slack: float, holds: bool) -> None:
    """The predictions of a step are no longer than the matrix's norm times the step's, but for a billionth."""
    long = {"step_predictions_norm": [2 * 0.2 * (1 + slack), 0.5], "step_predictions_norm4": [0.06, 0.1]}
    assert failed(derive("removal-residual", inputs(**long))) == ([] if holds else ["the norms of each step fit together"])


@pytest.mark.parametrize(("slack", "holds"), [(1e-9, True), (1.01e-9, False)])
def test_what_was_measured_lies_below_its_bound_up_to_rounding(slack: float, holds: bool) -> None:
    """After a new training the bound is what that left over; arithmetic may lose the rounding floor besides."""
    measured = 0.001 * (1 + slack) + 1e-12
    again = {"retrained": [0, 1], "batch_leftover": [0, 0.001], "measured": [0.002, measured]}
    found = failed(derive("removal-residual", inputs(**again)))
    assert found == ([] if holds else ["the measured gradient norms are within the local bounds"])


def test_overflow_is_none_and_said() -> None:
    changes = {
        "step_norm": [1e200, 0.4],
        "step_predictions_norm": [1e150, 0.5],
        "step_predictions_norm4": [1e300, 0.1],
        "local_curvature_norm": [1.7e308, 0.1],
    }
    certificate = derive("removal-residual", inputs(**changes, spectral_norm=[1e10, 2]))
    assert failed(certificate) == []
    assert certificate.outputs["betas"]["local"] == [0.001, None, None]
    assert certificate.outputs["beta"] is None
    assert "floating-point range" in certificate.outputs["reason"]


def test_a_residual_measured_above_its_bound_voids_the_certificate():
    inputs = {"epsilon": 1.0, "delta": 1e-4, "sigma": 1.0, "beta": 0.2}
    within = derive("removal-budget", {**inputs, "beta_measured": 0.2, "beta_as_printed": 3.0})
    assert within.epsilon is not None
    assert [bound.value for bound in within.bounds] == [None, 3.0, None, None, 0.2, 0.2]
    beyond = derive("removal-budget", {**inputs, "beta_measured": 0.3})
    assert beyond.epsilon is None
    assert [condition.name for condition in beyond.conditions if not condition.holds] == ["the measured residual is at most beta"]
