"""`auditor explain`: every check in words, and what came of it in one audit."""

from __future__ import annotations

import json

import pytest

from auditor.base.domain import Verdict
from auditor.cli import run
from auditor.pages.reference import TERMS
from auditor.pages.remedies import Urgency, for_check, remedies
from auditor.verdict.checks import definitions
from auditor.verdict.checks.card import Role
from sample_cases import GOLDEN
from tests.remedied import golden

CHECKS = tuple(definitions())
OLD = GOLDEN / "digits-shipped-old.json"


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_is_explained(check: str, capfd: pytest.CaptureFixture[str]) -> None:
    card = definitions()[check].card
    assert run(["explain", check]) == 0
    said = capfd.readouterr().out
    for part in (card.title, card.question, card.failure, card.remedy):
        assert part in said
    assert set(card.glossary) <= set(TERMS)


@pytest.mark.parametrize("check", [each for each in CHECKS if definitions()[each].card.required_when_run])
def test_what_is_required_whenever_it_ran_names_the_exception_of_attacks_on_the_release(
    check: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", check]) == 0
    said = " ".join(capfd.readouterr().out.split())
    assert "It is required whenever it ran" in said
    spared = Role.ATTACKS_RELEASE in definitions()[check].card.roles
    assert ("one exception: open because it cannot recognise even models that hold the records" in said) == spared


def test_without_an_id_every_check_is_listed(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain"]) == 0
    assert [line.split()[0] for line in capfd.readouterr().out.splitlines()] == list(CHECKS)
    assert run(["explain", "--json"]) == 0
    assert tuple(json.loads(capfd.readouterr().out)) == CHECKS


def test_what_came_of_it_in_an_audit_is_said_with_what_to_do(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "model.reproduced", "--evidence", str(OLD)]) == 0
    said = capfd.readouterr().out
    assert "In the audit of digits-shipped-old: fail." in said
    assert run(["explain", "model.reproduced", "-e", str(OLD), "--json"]) == 0
    here = json.loads(capfd.readouterr().out)["audit"]
    assert here["status"] == "fail"
    assert here["basis"] in " ".join(said.split())
    assert here["actions"]
    assert all(action in said for action in here["actions"])


def test_what_was_found_is_a_number_and_a_line_for_each_reason(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "log.deadlines", "--evidence", str(GOLDEN / "late-and-extended.json")]) == 0
    lines = capfd.readouterr().out.splitlines()
    at = lines.index("In the audit of late-and-extended: fail.")
    assert lines[at + 1] == "  Found: 5 (requests overdue, or refused without a reason); to pass: at most 0."
    assert "  2 requests were answered after the deadline." in lines[at:]


@pytest.mark.parametrize(
    ("name", "check", "found"),
    [
        ("digits-newton", "release.remembers", "The attacks recognised only 0 of 5 models"),
        ("sqlite-plain", "confidentiality.game", ""),
    ],
)
def test_a_check_that_is_not_required_says_what_to_do_too(
    name: str, check: str, found: str, capfd: pytest.CaptureFixture[str]
) -> None:
    evidence = GOLDEN / f"{name}.json"
    assert check not in json.loads(evidence.read_bytes())["policy"]["required"]
    assert run(["explain", check, "--evidence", str(evidence)]) == 0
    _, _, step = capfd.readouterr().out.partition("What to do there:")
    assert "  Do: " in step
    assert step.rstrip().endswith("The policy does not require this check: by itself it decides nothing.")
    assert f"Found: {found}" in step if found else "Found: " not in step, "what stands above is not said again"
    assert run(["explain", check, "-e", str(evidence), "--json"]) == 0
    (action, *_) = json.loads(capfd.readouterr().out)["audit"]["actions"]
    assert action in step


def test_advice_on_a_check_that_is_not_required_takes_back_nothing_of_a_pass() -> None:
    told = golden("digits-newton")
    assert told.verdict is Verdict.PASS
    (step,) = for_check(told, "release.remembers")
    assert (step.requests, step.urgency) == ((), Urgency.CONFIRM)
    assert step not in remedies(told)


def test_an_unknown_check_gets_the_nearest_name(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "swap.qualty"]) == 2
    said = capfd.readouterr().err
    wanted = 'there is no check, guarantee or audit "swap.qualty"; did you mean swap.quality? auditor explain lists the checks'
    assert said == f"auditor: explain: {wanted}\n"
    assert run(["explain", "deletion-as-contol"]) == 2
    assert "did you mean deletion-as-control?" in capfd.readouterr().err
    assert run(["explain", "zzz"]) == 2
    assert 'no check, guarantee or audit "zzz"; auditor explain lists' in capfd.readouterr().err
