"""Evidence as people read it: words come from cards and catalogue, values stay, and what has no words ends in one message."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import rechecks
import report_examples as examples
from auditor.base.domain import ClaimStatus, Derivation, Guarantee, Message, Premise, Provenance, Status
from auditor.base.errors import ReportError
from auditor.cli import run
from auditor.document.evidence import Evidence
from auditor.pages import words
from auditor.pages.letters import extract
from auditor.pages.words.guarantees import STATEMENTS
from auditor.pages.words.rendered_evidence import tell
from auditor.pages.words.verdict import sentence_of
from auditor.verdict.checks import definitions
from auditor.verdict.theorems import theorems

UNKNOWN = Message("no such reason")


def with_first_check(**changes: Any) -> Evidence:
    """The failing example with its first check changed."""
    base = examples.failing().evidence
    first, *others = base.checks
    return base.model_copy(update={"checks": (dataclasses.replace(first, **changes), *others)})


def with_guarantee(**changes: Any) -> Evidence:
    base = examples.failing().evidence
    (derivation,) = base.guarantees[0].derivation
    whole: dict[str, Any] = {"rule": derivation.rule, "premises": derivation.premises[:1], **changes}
    given = Guarantee("certified-removal", ClaimStatus.NOT_SHOWN, None, None, (Derivation(**whole),))
    return base.model_copy(update={"guarantees": (given,)})


@pytest.mark.parametrize("example", [examples.passing, examples.failing, examples.broken_off])
def test_words_come_from_cards_and_the_catalogue_and_values_stay(example):
    evidence = example().evidence
    told = tell(evidence)
    assert told.evidence.to_bytes() == evidence.to_bytes()
    assert told.sentence == sentence_of(evidence)
    for check, given in zip(told.checks, evidence.checks, strict=True):
        assert check.title == definitions()[given.id].card.title
        assert (check.id, check.status, check.value, check.threshold) == (given.id, given.status, given.value, given.threshold)
        assert check.basis == given.reasons[0].parameters["message"]
    for promise, held in zip(told.guarantees, evidence.guarantees, strict=True):
        for one, derivation in zip(promise.derivation, held.derivation, strict=True):
            assert one.rule == theorems()[derivation.rule].citation
            assert [premise.fact for premise in one.premises] == [STATEMENTS[premise.fact] for premise in derivation.premises]


def test_several_reasons_make_one_paragraph_and_a_reason_among_the_values_is_a_sentence_there():
    reasons = (Message("log.consistency.checked", {"requests": 3}), Message("cost.speedup.timed"))
    inside = {"code": "log.deadlines.days", "parameters": {"days": 7}}
    evidence = with_first_check(reasons=reasons)
    check = tell(evidence).checks[0]
    assert check.basis.startswith("3 requests were checked against the training data and against one another. Median time")
    held = {"why": inside, "rows": [{"why": inside}], "code": "plain"}
    sentence = "Deadline: 7 calendar days from receipt, as the policy says."
    assert words.said(held) == {"why": sentence, "rows": [{"why": sentence}], "code": "plain"}


@pytest.mark.parametrize("name", sorted(path.stem for path in rechecks.LATEST.glob("*.json")))
def test_pages_are_given_what_judges_handed_back_as_the_models_that_a_check_names(name):
    evidence = Evidence.model_validate_json(rechecks.golden(name))
    for check, held in zip(tell(evidence).checks, evidence.checks, strict=True):
        assert type(check.derived) in {*definitions(evidence.version)[check.id].derived, type(None)}
        assert (check.derived and check.derived.model_dump(mode="json")) == held.derived
        if check.observed is not None:
            assert check.observed.model_dump(mode="json") == held.observed


def test_a_check_that_says_what_no_judge_derives_ends_in_one_message():
    base = examples.failing().evidence
    checks = tuple(dataclasses.replace(each, derived={"x": 1}) if each.id == "swap.quality" else each for each in base.checks)
    with pytest.raises(ReportError, match="no words for what the evidence says"):
        tell(base.model_copy(update={"checks": checks}))


UNSAID = {
    "check": with_first_check(id="no.such-check"),
    "reason": with_first_check(reasons=(UNKNOWN,)),
    "parameter": with_first_check(reasons=(Message("log.deadlines.days"),)),
    "kind of parameter": with_first_check(reasons=(Message("model.reproduced.replayed", {"between_reruns": "much"}),)),
    "reason among values": with_first_check(derived={"why": {"code": "no such reason", "parameters": {}}}),
    "theorem": with_guarantee(rule="no-such-theorem"),
    "fact": with_guarantee(premises=(Premise("no-such-fact", Provenance.MEASURED, Message("fact.not-examined")),)),
    "reason of a premise": with_guarantee(premises=(Premise("log-complete", Provenance.MEASURED, UNKNOWN),)),
    "number": with_first_check(value=float("nan")),
}


@pytest.mark.parametrize("evidence", UNSAID.values(), ids=UNSAID)
def test_what_has_no_words_ends_in_one_message(evidence):
    with pytest.raises(ReportError, match="no words for what the evidence says"):
        tell(evidence)


def test_a_command_says_so_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = tmp_path / "evidence.json"
    path.write_bytes(UNSAID["reason"].to_bytes())
    assert run(["report", str(path), "--format", "md"]) == 4
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("auditor: this version has no words for what the evidence says")
    assert len(err.splitlines()) == 1


def test_a_letter_needs_words_for_why_a_check_did_not_run():
    base = examples.failing().evidence
    checks = tuple(
        dataclasses.replace(each, status=Status.SKIPPED, value=None, reasons=(UNKNOWN,)) if each.id == "state.stateless" else each
        for each in base.checks
    )
    policy = base.policy.model_copy(update={"required": ("log.deadlines",)})
    with pytest.raises(ReportError, match=r"why state\.stateless did not run"):
        extract(base.model_copy(update={"checks": checks, "policy": policy}), base.requests[0].request_id)
