"""What every rule must do, whichever file it was found in."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
import sys
from dataclasses import asdict
from typing import Any

import pytest
import rfc8785

import auditor.maths.certificates
from auditor.base.domain import Bound, Certificate, Condition, Provenance
from auditor.base.parts import parts
from auditor.maths.certificates import derive, disagreements, rederive, rules
from auditor.maths.certificates.calculator import calculate, parse_and_derive
from auditor.maths.certificates.listing import promises
from auditor.maths.certificates.rule import Rule
from auditor.verdict.published import docstrings

OUT_OF_RANGE: dict[str, dict[str, Any]] = {
    "epsilon": {"epsilon": -1},
    "delta": {"delta": -0.5},
    "sigma": {"sigma": -1},
    "l2": {"l2": -1},
    "size": {"size": 0},
    "mu": {"mu": -1},
    "beta": {"beta": -1},
    "leftover": {"leftover": -1},
    "q": {"q": 1},
    "lipschitz": {"lipschitz": -1},
    "smoothness": {"smoothness": -1},
    "sigma2": {"sigma2": 0},
    "n": {"n": 0},
    "steps": {"steps": -1},
    "guesses": {"guesses": 0},
    "rate": {"rate": 0},
    "bound_b": {"bound_b": 1},
    "d": {"d": 0},
    "r": {"r": 0},
    "learn_steps": {"learn_steps": -1},
    "unlearn_steps": {"unlearn_steps": -1},
    "epsilon_dd": {"epsilon_dd": -1},
    "epsilon_dp": {"epsilon_dp": -1},
    "seen": {"seen": -1},
    "advantage": {"advantage": -1},
    "games": {"games": 0},
    "wins": {"wins": -1},
    "confidence": {"confidence": 1},
    "horizon": {"horizon": 0},
}
"""For inputs of these names, a value that no rule can accept."""


def every_rule() -> list[Rule[Any]]:
    return list(rules().values())


def of_example(rule: Rule[Any]) -> Certificate:
    words = shlex.split(rule.example)
    assert words[:3] == ["auditor", "calc", rule.kind]
    assert len(words) % 2 == 1
    assert all(word.startswith("--") for word in words[3::2])
    return parse_and_derive(rule.kind, dict(zip(words[3::2], words[4::2], strict=True)))


def through_json(certificate: Certificate) -> Certificate:
    """What a reader of canonical JSON gets back: whole numbers have lost their point, tuples are lists."""
    document = json.loads(rfc8785.dumps(json.loads(json.dumps(asdict(certificate), allow_nan=False))))
    conditions = tuple(Condition(**{**each, "how": Provenance(each["how"])}) for each in document["conditions"])
    return Certificate(**{**document, "conditions": conditions, "bounds": tuple(Bound(**each) for each in document["bounds"])})


def test_the_folder_is_listed() -> None:
    assert {"gaussian", "removal-budget", "removal-residual", "group"} <= set(rules())
    assert {"noisy-gd-convex", "noisy-gd-nonconvex", "noisy-gd-gaussian", "adaptive"} <= set(rules())
    assert {"advantage", "conversion", "refutation", "compliance", "tree-counter"} <= set(rules())
    brought = {name for part in parts() for name in part.rules}
    assert {"rules.removal", "rules.residual", "rules.swap", "rules.tree_counter"} <= brought
    assert all(kind == rule.kind for kind, rule in rules().items())


def test_the_listing_is_a_copy() -> None:
    rules().clear()
    assert rules()


@pytest.mark.parametrize("rule", every_rule(), ids=lambda rule: rule.kind)
class TestEveryRule:
    def test_it_is_described(self, rule: Rule[Any]) -> None:
        assert rule.theorem.strip()
        assert rule.summary.endswith(".")
        ours = [kind for kind in rule.inputs.__mro__ if kind.__module__.startswith("auditor.")]
        described = {name for kind in ours for name in docstrings(kind)}
        for name in rule.inputs.model_fields:
            assert name == name.lower().replace("-", "_")
            assert name in described, f"{rule.kind}: {name} has no docstring"
        assert rule.inputs.model_config["frozen"] is True
        assert rule.inputs.model_config["extra"] == "forbid"

    def test_its_example_runs_and_satisfies_the_conditions(self, rule: Rule[Any]) -> None:
        certificate = of_example(rule)
        assert certificate.kind == rule.kind
        assert all(condition.holds for condition in certificate.conditions)
        assert "reason" not in certificate.outputs
        assert certificate.outputs

    def test_json_and_back_it_derives_the_same(self, rule: Rule[Any]) -> None:
        certificate = of_example(rule)
        again = through_json(certificate)
        assert disagreements(again) == ()
        assert rederive(again) == certificate == derive(rule.kind, certificate.inputs)

    def test_its_conditions_are_those_of_the_certificate(self, rule: Rule[Any]) -> None:
        certificate = of_example(rule)
        assert rule.conditions(rule.inputs.model_validate(dict(certificate.inputs))) == certificate.conditions

    def test_a_failed_condition_means_no_epsilon(self, rule: Rule[Any]) -> None:
        certificate = of_example(rule)
        tried = 0
        for name in set(certificate.inputs) & set(OUT_OF_RANGE):
            broken = derive(rule.kind, {**certificate.inputs, **OUT_OF_RANGE[name]})
            tried += 1
            assert not all(condition.holds for condition in broken.conditions)
            assert broken.epsilon is None
            assert all(value is None for key, value in broken.outputs.items() if key != "reason")
            assert set(broken.outputs) == {*certificate.outputs, "reason"}
            assert isinstance(broken.outputs["reason"], str)
            assert disagreements(through_json(broken)) == ()
        assert tried >= 1

    def test_it_holds_no_number_that_json_does_not_know(self, rule: Rule[Any]) -> None:
        def numbers(value: Any) -> list[float]:
            if isinstance(value, dict):
                return [number for each in value.values() for number in numbers(each)]
            if isinstance(value, list | tuple):
                return [number for each in value for number in numbers(each)]
            return [value] if isinstance(value, float) else []

        for number in numbers(asdict(of_example(rule))):
            assert math.isfinite(number)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "none of them"),
        ({"mu": 1}, "found mu"),
        ({"epsilon": 1, "delta": 0.1, "mu": 1}, "epsilon, delta, mu"),
    ],
)
def test_the_gaussian_rule_wants_exactly_two(given: dict[str, float], words: str) -> None:
    certificate = derive("gaussian", given)
    assert certificate.epsilon is None
    assert certificate.delta is None
    assert words in certificate.outputs["reason"]


def test_limits_without_a_number_are_null_with_a_reason() -> None:
    assert derive("gaussian", {"delta": 0, "mu": 1}).outputs == {
        "epsilon": None,
        "reason": "no finite epsilon satisfies the other two",
    }
    assert derive("gaussian", {"epsilon": 1, "delta": 1}).outputs["mu"] is None


def test_a_procedure_of_ours_loads_no_pydantic() -> None:
    """Every sandboxed process of it would: its arithmetic comes from the folder of the rules, and needs none of them."""
    code = "import sys, auditor.parts.removal.learning.certified_removal; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unknown_name_of_the_folder_is_an_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'derivation'"):
        auditor.maths.certificates.derivation  # noqa: B018


def test_what_rules_promise_belongs_to_rules() -> None:
    assert set(promises()) <= set(rules())


@pytest.mark.parametrize("kind", sorted(promises()))
def test_right_guesses_are_read_off_what_a_rule_promises(kind: str) -> None:
    words = shlex.split(rules()[kind].example)[3:]
    options = dict(zip(words[::2], words[1::2], strict=True))
    alone = calculate(kind, options)
    assert alone.certificate == parse_and_derive(kind, options)
    assert list(alone.shares) == ["right_guesses"]
    assert 0.5 <= alone.shares["right_guesses"] < 1
    if promises()[kind].together:
        shares = calculate(kind, {**options, "--size": "2"}).shares
        assert alone.shares["right_guesses"] == shares["right_guesses"] <= shares["right_guesses_together"]
