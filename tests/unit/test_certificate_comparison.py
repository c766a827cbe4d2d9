"""Rechecking a certificate: what was changed is named."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from auditor.base.domain import Bound, Certificate, Condition, Provenance
from auditor.base.errors import InputError
from auditor.maths.certificates import derive, disagreements, listing, rederive, rules

CERTIFICATE = derive("removal-budget", {"epsilon": 1, "delta": 1e-4, "sigma": 1, "beta": 0.2})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ()),
        ({"epsilon": 0.5}, ("epsilon",)),
        ({"epsilon": None}, ("epsilon",)),
        ({"delta": 1e-5}, ("delta",)),
        ({"order": 2.0}, ("order",)),
        ({"kind": "no-such-rule"}, ("kind",)),
        ({"inputs": {"epsilon": 1}}, ("inputs",)),
        ({"inputs": {**CERTIFICATE.inputs, "sigma": "1"}}, ("inputs",)),
        ({"inputs": {**CERTIFICATE.inputs, "sigma": float("nan")}}, ("inputs",)),
        ({"inputs": {**CERTIFICATE.inputs, "epsilon": True}}, ("inputs",)),
        ({"bounds": (Bound("tightened", 0.1),)}, ("bounds",)),
        ({"conditions": CERTIFICATE.conditions[:-1]}, ("conditions",)),
        (
            {"conditions": (*CERTIFICATE.conditions[:-1], replace(CERTIFICATE.conditions[-1], how=Provenance.COMPUTED))},
            ("conditions.4.how",),
        ),
        ({"outputs": {**CERTIFICATE.outputs, "budget": 0.4}}, ("outputs.budget",)),
        ({"outputs": {**CERTIFICATE.outputs, "classical_proved": 1}}, ("outputs.classical_proved",)),
        ({"outputs": {**CERTIFICATE.outputs, "extra": 1}}, ("outputs.extra",)),
        (
            {"outputs": {"budget": CERTIFICATE.outputs["budget"]}},
            tuple(f"outputs.{key}" for key in list(CERTIFICATE.outputs)[1:]),
        ),
    ],
)
def test_changed_fields_are_named(changes: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert disagreements(replace(CERTIFICATE, **changes)) == expected


def test_changed_inputs_show_in_what_follows_from_them() -> None:
    changed = replace(CERTIFICATE, inputs={**CERTIFICATE.inputs, "sigma": 2.0})
    found = disagreements(changed)
    assert {"epsilon", "outputs.budget", "outputs.epsilon_spent"} <= set(found)
    assert rederive(changed).outputs["budget"] == pytest.approx(2 * CERTIFICATE.outputs["budget"])


def test_the_last_digit_may_differ_and_whole_numbers_may_lose_their_point() -> None:
    nearly = replace(CERTIFICATE, epsilon=CERTIFICATE.epsilon * (1 + 5e-13))
    assert disagreements(nearly) == ()
    assert disagreements(replace(CERTIFICATE, epsilon=CERTIFICATE.epsilon * (1 + 2e-12))) == ("epsilon",)
    whole = replace(CERTIFICATE, inputs={**CERTIFICATE.inputs, "epsilon": 1, "sigma": 1})
    assert disagreements(whole) == ()


def test_a_condition_that_was_turned_is_named() -> None:
    failed = derive("gaussian", {"epsilon": 1})
    turned = replace(failed, conditions=tuple(replace(each, holds=True) for each in failed.conditions), epsilon=0.1)
    assert disagreements(turned) == ("epsilon", "conditions.0.holds")


def test_json_mappings_in_place_of_records_are_compared_alike() -> None:
    conditions = json.loads(
        json.dumps([{"name": c.name, "holds": c.holds, "found": c.found, "how": c.how} for c in CERTIFICATE.conditions])
    )
    assert isinstance(CERTIFICATE.conditions[0], Condition)
    assert disagreements(Certificate(**{**vars_of(CERTIFICATE), "conditions": conditions})) == ()


def vars_of(certificate: Certificate) -> dict[str, Any]:
    return {name: getattr(certificate, name) for name in Certificate.__slots__}


def test_unknown_kinds_and_broken_inputs_are_input_errors() -> None:
    with pytest.raises(InputError, match=r"one of .*gaussian, .*, found 'no-such-rule'"):
        rederive(replace(CERTIFICATE, kind="no-such-rule"))
    with pytest.raises(InputError) as caught:
        rederive(replace(CERTIFICATE, inputs={"epsilon": "x", "delta": 0.1, "other": 3}))
    assert {problem.where for problem in caught.value.problems} == {"epsilon", "sigma", "other"}


def test_a_budget_without_a_finite_epsilon_says_so() -> None:
    certificate = derive("removal-budget", {"epsilon": 1, "delta": 1e-4, "sigma": 1e-300, "beta": 1e300})
    assert certificate.epsilon is None
    assert certificate.outputs["epsilon_spent"] is None
    assert "no finite epsilon" in certificate.outputs["reason"]
    unproved = derive("removal-budget", {"epsilon": 2, "delta": 1e-4, "sigma": 1})
    assert unproved.outputs["classical_proved"] is False
    assert unproved.epsilon == 2


def test_each_rule_is_found_by_its_kind_and_nothing_by_another() -> None:
    assert all(listing._own_rule(kind) is rule for kind, rule in rules().items())
    assert listing._own_rule("removal") is None
