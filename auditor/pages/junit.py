"""What a release pipeline reads: JUnit XML.

The format knows no *inconclusive*. A test case `verdict` comes first, which fails for whatever is no pass; a required check that
did not pass is a failure as well, of type fail, inconclusive or error. What decides nothing is at most skipped: the file is red
where the exit code of `auditor check` is not 0, and only there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from auditor.base.domain import Status
from auditor.pages import exchange, wording
from auditor.pages.remedies import Remedy, Urgency, of_check, remedies
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.verdict.reliance import refuse_contradiction

_OTHERWISE: Final = "-"


def xml(evidence: Told) -> str:
    """Write JUnit XML: a test case for the verdict, then one for each check, and one for each required check without a result.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    refuse_contradiction(evidence.evidence)
    todo = tuple(each for each in remedies(evidence) if each.urgency is not Urgency.CONFIRM)
    cases = [_verdict(evidence, todo), *_missing(evidence, todo), *(_case(evidence, check, todo) for check in evidence.checks)]
    totals = {
        "name": "auditor",
        "tests": str(len(cases)),
        "failures": str(_count(cases, "failure")),
        "errors": "0",
        "skipped": str(_count(cases, "skipped")),
    }
    root = ET.Element("testsuites", totals)
    suite = ET.SubElement(root, "testsuite", {**totals, "name": wording.shown(evidence.case.name)})
    suite.set("timestamp", evidence.audit.finished_at.isoformat(timespec="seconds"))
    _properties(suite, exchange.properties(evidence))
    suite.extend(cases)
    ET.SubElement(suite, "system-out").text = wording.shown(evidence.sentence)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _verdict(evidence: Told, todo: Sequence[Remedy]) -> ET.Element:
    case = ET.Element("testcase", {"classname": "audit", "name": "verdict"})
    _properties(case, {"required": "yes"})
    if not exchange.is_pass(evidence):
        _failure(case, evidence.sentence, exchange.kind_of_verdict(evidence), todo)
    return case


def _missing(evidence: Told, todo: Sequence[Remedy]) -> list[ET.Element]:
    """Required checks that the evidence does not hold at all."""
    held = {check.id for check in evidence.checks}
    cases = []
    for name in evidence.policy.required:
        if name not in held:
            case = _named(name, required=True)
            _failure(case, text("pipeline-missing"), "inconclusive", of_check(todo, wording.shown(name)))
            cases.append(case)
    return cases


def _case(evidence: Told, check: ToldCheck, todo: Sequence[Remedy]) -> ET.Element:
    case = _named(check.id, required=check.id in evidence.policy.required)
    if exchange.required_and_unmet(evidence, check):
        _failure(case, exchange.message(check), exchange.kind(check.status), of_check(todo, check.id))
    elif check.status is not Status.PASS:
        ET.SubElement(case, "skipped", {"message": text("pipeline-not-deciding", said=exchange.message(check))})
    return case


def _named(name: str, *, required: bool) -> ET.Element:
    shown = wording.shown(name)
    case = ET.Element("testcase", {"classname": shown.partition(".")[0], "name": shown})
    _properties(case, {"required": "yes" if required else "no"})
    return case


def _failure(case: ET.Element, said: str, kind: str, todo: Sequence[Remedy]) -> None:
    failure = ET.SubElement(case, "failure", {"message": wording.shown(said), "type": kind})
    failure.text = exchange.remedy_text(todo) or _OTHERWISE


def _properties(holder: ET.Element, values: dict[str, str]) -> None:
    properties = ET.SubElement(holder, "properties")
    for name, value in values.items():
        ET.SubElement(properties, "property", {"name": name, "value": value})


def _count(cases: Sequence[ET.Element], tag: str) -> int:
    return sum(each.find(tag) is not None for each in cases)
