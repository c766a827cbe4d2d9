"""What `--only` leaves out of a policy that lists what it requires: skipped, and so no pass."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.pages.words.rendered_evidence import tell
from auditor.recheck.derivations import derive_again
from auditor.recheck.files import read_evidence
from auditor.verdict.checks import definitions
from rechecks import changed, document

QUICK = ("digits-retrain", "fixed-output", "digits-own-procedure")


def required(name: str) -> list[str]:
    assert document(name)["verdict"] == "pass"
    return list(document(name)["policy"]["listed"])


@pytest.mark.parametrize(("name", "left_out"), [(name, check_id) for name in QUICK for check_id in required(name)])
def test_a_required_check_that_is_left_out_counts_as_skipped(name: str, left_out: str) -> None:
    asked = [check_id for check_id in required(name) if check_id != left_out]
    content = changed(lambda value: value["audit"].update(only=asked), name)
    found = json.loads(derive_again(read_evidence(content, name).evidence).to_bytes())
    assert {each["status"] for each in found["checks"] if each["id"] == left_out} == {"skipped"}
    assert left_out in found["policy"]["required"]
    assert (found["verdict"], found["audit"]["exit_code"]) == ("inconclusive", 3)
    assert {each["status"] for each in found["checks"] if each["id"] in asked} == {"pass"}


def under(name: str, only: list[str]) -> dict[str, Any]:
    content = changed(lambda value: value["audit"].update(only=only), name)
    found: dict[str, Any] = json.loads(derive_again(read_evidence(content, name).evidence).to_bytes())
    return found


@pytest.mark.parametrize("name", QUICK)
def test_to_ask_for_every_required_check_leaves_nothing_out(name: str) -> None:
    """And the sentence says that nothing else was run. Attacks that found nothing to say were asked too."""
    decisive = [*document(name)["policy"]["required"], "release.remembers", "epsilon.consistency"]
    content = changed(lambda value: value["audit"].update(only=decisive), name)
    found = derive_again(read_evidence(content, name).evidence)
    assert found.verdict == "pass"
    assert "It covers only the checks named with --only." in tell(found).sentence
    assert "--only" not in tell(read_evidence(changed(lambda value: None, name), name).evidence).sentence


def ran(name: str) -> list[str]:
    """What observed something, or needs nothing to run."""
    found = document(name)["checks"]
    return [each["id"] for each in found if each["observed"] is not None or not definitions()[each["id"]].runs]


FAILING = ("digits-cheater", "digits-shipped-old", "secret-counter", "median-adaptive", "digits-mlp-ftfinal", "group-deletion")


@pytest.mark.parametrize("name", FAILING)
def test_no_choice_of_checks_is_better_than_the_whole_audit(name: str) -> None:
    """Whoever lists little and asks for what passes is not spared what is required whenever it runs."""
    whole = document(name)
    passing = [each["id"] for each in whole["checks"] if each["status"] == "pass"]

    def narrow(value: dict[str, Any]) -> None:
        value["policy"]["listed"] = passing
        value["audit"]["only"] = passing

    found = json.loads(derive_again(read_evidence(changed(narrow, name), name).evidence).to_bytes())
    assert passing
    assert found["verdict"] != "pass"


@pytest.mark.parametrize(
    "left_out", ["epsilon.consistency", "model.reproduced", "release.remembers", "log.consistency", "data.erased"]
)
def test_what_is_required_whenever_it_runs_is_required_where_it_is_left_out(left_out: str) -> None:
    """A policy that does not list it is no reason: the whole audit would have been held to it."""
    name = "breast-cancer-noisy-gd"
    kept = [check_id for check_id in ran(name) if check_id != left_out]

    def narrow(value: dict[str, Any]) -> None:
        value["policy"]["listed"] = [each for each in value["policy"]["listed"] if each != left_out]
        value["audit"]["only"] = kept

    found = json.loads(derive_again(read_evidence(changed(narrow, name), name).evidence).to_bytes())
    assert left_out in found["policy"]["required"]
    assert (found["verdict"], found["audit"]["exit_code"]) == ("inconclusive", 3)


def test_what_has_no_cause_in_the_case_is_not_asked_for() -> None:
    """No model file, no ε stated: to leave out what would compare them leaves no question open."""
    name = "digits-retrain"
    kept = [each for each in ran(name) if each not in {"epsilon.consistency", "removal.residual", "deletion.adaptive"}]
    assert under(name, kept)["verdict"] == "pass"
