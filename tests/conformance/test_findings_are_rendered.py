"""Whatever a judge says of a check, and all that golden evidence holds, is rendered in every status and every format."""

from __future__ import annotations

import dataclasses
import html
import io

import pytest
from rich.console import Console

import report_examples as examples
from auditor.base.domain import Interval, Message, Status, Verdict
from auditor.document.evidence import Evidence
from auditor.document.evidence_files import read
from auditor.pages import annex, junit, markdown, render, sarif, terminal, wording, words
from auditor.pages.letters import extract
from auditor.pages.letters import page as letter_page
from auditor.pages.words.rendered_evidence import Told, tell
from auditor.verdict.assembly import listed
from auditor.verdict.checks import definitions
from auditor.verdict.checks.finding import Finding
from reason_examples import BY_HAND, example, reasons_of
from sample_cases import EVERY, GOLDEN

FINDINGS = [
    pytest.param(Finding(status, value, interval, None if value is None else 0.5), id=f"{status.value}, {value}, {interval}")
    for status in Status
    for value, interval in ((0.25, Interval(0.125, 0.375)), (0.25, None), (None, None))
    if status is Status.FAIL or (value is None) is (status in {Status.SKIPPED, Status.ERROR})
    if status is Status.FAIL or interval is not None or value is None
]


def rendered(told: Told) -> dict[str, str]:
    """Every format, by its name."""
    out = io.StringIO()
    terminal.details(told, Console(file=out, width=200))
    return {
        "html": html.unescape(render.html(told)),
        "junit": junit.xml(told),
        "sarif": sarif.log(told),
        "markdown": markdown.summary(told),
        "terminal": out.getvalue(),
    }


def with_findings(finding: Finding) -> Told:
    """An audit all of whose checks came out like that, each with every reason that its judge may give."""
    found = (
        listed(check_id, Finding(finding.status, finding.value, finding.interval, finding.threshold, reasons_of(check_id)), None)
        for check_id in definitions()
    )
    base = examples.failing().evidence
    return tell(base.model_copy(update={"checks": tuple(found), "verdict": Verdict.FAIL}))


@pytest.mark.parametrize("code", sorted(words.sentences()))
def test_every_sentence_can_be_said(code: str) -> None:
    said = words.sentence(example(code))
    assert said
    assert " None" not in said
    assert not {"{", "}"} & set(said)
    # And so is the same reason as a document holds it.
    stored = words.said({"code": code, "parameters": dict(example(code).parameters)})
    assert stored == said


def test_parameters_are_written_by_hand_of_sentences_that_are_there() -> None:
    assert {words.as_id(code) for code in BY_HAND} <= words.sentences()


@pytest.mark.parametrize("finding", FINDINGS)
def test_every_check_is_rendered_in_every_status_with_every_reason_of_its_judge(finding: Finding) -> None:
    told = with_findings(finding)
    shown = rendered(told)
    for check in told.checks:
        assert check.basis == words.basis(reasons_of(check.id)) != ""
        assert all(check.id in shown[name] for name in ("html", "junit"))
        assert check.id in shown["sarif"]
        for reason in reasons_of(check.id)[:1]:
            assert finding.status is Status.PASS or first_words(reason) in html.unescape(shown["junit"])
    for name in told.policy.required:
        assert name in shown["markdown"]
        assert name in shown["terminal"]


def first_words(reason: Message) -> str:
    return " ".join(words.sentence(reason).split()[:4])


@pytest.mark.parametrize("finding", FINDINGS)
def test_every_check_is_told_in_a_letter_with_every_reason_of_its_judge(finding: Finding) -> None:
    told = with_findings(finding)
    found = extract(told.evidence, told.requests[0].request_id)
    page = letter_page.page(found)
    assert all((*page.found, *page.unsettled))
    assert bool({*found.model.failed} - {*found.model.broke_off}) is (finding.status is Status.FAIL)


def in_status(evidence: Evidence, status: Status) -> Evidence:
    """The same with every check in one status, whatever was observed and derived."""
    checks = tuple(dataclasses.replace(each, status=status) for each in evidence.checks)
    return evidence.model_copy(update={"checks": checks, "verdict": Verdict.FAIL, "strength": None})


@pytest.mark.parametrize(
    ("name", "status"),
    [
        # Every sample in one status and every status of one sample; with a status of its own each other pair tells no more.
        pytest.param(each.name, status, marks=() if status is Status.FAIL or each.name == "digits-newton" else pytest.mark.slow)
        for each in EVERY
        for status in Status
    ],
)
def test_everything_that_golden_evidence_holds_is_rendered_in_every_status(name: str, status: Status) -> None:
    told = tell(in_status(read(GOLDEN / f"{name}.json"), status))
    shown = rendered(told)
    # A report on places alone counts the checks of models that did not run.
    counted = annex.of_no_places(told, [each for each in told.checks if not wording.has_run(each)])
    assert f"{len(counted)} checks that are not of places" in shown["html"] or not counted
    assert all(check.id in shown["html"] for check in told.checks if check not in counted)
    assert all(shown.values())
