"""What a release pipeline reads: JUnit XML and SARIF.

Neither format knows *inconclusive*. JUnit gets a test case `verdict` first, which fails for whatever is no pass, so that no file
is green without one; a check that is open is a skipped case with a message, in SARIF a result of kind `open`. The exit code of
`auditor check`, not these files, is what a pipeline decides by.
"""

from __future__ import annotations

import json
from typing import Any, Final
from xml.etree import ElementTree as ET

from auditor import evidence as documents
from auditor.decisions import refuse_contradiction
from auditor.domain import Status, Verdict
from auditor.report import plain, wording
from auditor.words.told import Told, ToldCheck

_BROKE_OFF: Final = 4
"""The exit code of an audit that could not be completed."""
SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def junit(evidence: Told) -> str:
    """JUnit XML: a test case for the verdict and one for each check; fail is a failure, error an error, open ones are skipped.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    refuse_contradiction(evidence.evidence)
    counts = {status: sum(check.status is status for check in evidence.checks) for status in Status}
    totals = {
        "name": "auditor",
        "tests": str(1 + len(evidence.checks)),
        "failures": str(counts[Status.FAIL] + (evidence.verdict is not Verdict.PASS)),
        "errors": str(counts[Status.ERROR]),
        "skipped": str(counts[Status.SKIPPED] + counts[Status.INCONCLUSIVE]),
    }
    root = ET.Element("testsuites", totals)
    suite = ET.SubElement(root, "testsuite", {**totals, "name": wording.shown(evidence.case.name)})
    suite.set("timestamp", evidence.audit.finished_at.isoformat(timespec="seconds"))
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(evidence).items():
        ET.SubElement(properties, "property", {"name": name, "value": value})
    whole = ET.SubElement(suite, "testcase", {"classname": "audit", "name": "verdict"})
    if evidence.verdict is not Verdict.PASS:
        kind = "error" if evidence.audit.exit_code == _BROKE_OFF else wording.word(evidence.verdict)
        failure = ET.SubElement(whole, "failure", {"message": wording.shown(evidence.sentence), "type": kind})
        failure.text = wording.shown("\n".join(step.advice for step in plain.next_steps(evidence)))
    for check in evidence.checks:
        case = ET.SubElement(
            suite, "testcase", {"classname": wording.shown(check.id.partition(".")[0]), "name": wording.shown(check.id)}
        )
        tag = _junit_tag(check)
        if tag is not None:
            outcome = ET.SubElement(case, tag, {"message": _message(check)})
            if tag != "skipped":
                outcome.set("type", wording.word(check.status))
    ET.SubElement(suite, "system-out").text = wording.shown(evidence.sentence)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def sarif(evidence: Told) -> str:
    """SARIF 2.1.0: a rule for each check and a result for each one that did not pass.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    refuse_contradiction(evidence.evidence)
    index = {check.id: position for position, check in enumerate(evidence.checks)}
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "auditor",
                "version": wording.shown(evidence.audit.auditor_version),
                "rules": [_rule(check) for check in evidence.checks],
            }
        },
        "automationDetails": {"id": f"auditor/{wording.shown(evidence.audit.id)}"},
        "invocations": [
            {
                "executionSuccessful": evidence.audit.exit_code != 4,
                "exitCode": evidence.audit.exit_code,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": _message(check)}, "associatedRule": {"id": wording.shown(check.id)}}
                    for check in evidence.checks
                    if check.status is Status.ERROR
                ],
            }
        ],
        "results": [_result(check, index[check.id]) for check in evidence.checks if check.status is not Status.PASS],
        "properties": _properties(evidence),
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _properties(evidence: Told) -> dict[str, str]:
    return {
        "verdict": wording.word(evidence.verdict),
        "exit_code": str(evidence.audit.exit_code),
        "required": " ".join(wording.shown(name) for name in evidence.policy.required),
        "evidence_sha256": documents.digest(evidence.evidence.to_bytes()),
        "release": wording.shown(evidence.case.release or ""),
        "default_policy_verdict": wording.word(evidence.evidence.default_policy_verdict),
        "strength": "" if evidence.evidence.strength is None else evidence.evidence.strength.value,
        "examined": " ".join(name for name, yes in evidence.evidence.examined.model_dump().items() if yes),
        "sentence": wording.shown(evidence.sentence),
    }


def _message(check: ToldCheck) -> str:
    measured = f" Value {wording.number(check.value)}, threshold {wording.threshold(check)}." if check.value is not None else ""
    return wording.shown(f"{wording.check_word(check)}: {check.basis}{measured}")


def _junit_tag(check: ToldCheck) -> str | None:
    match check.status:
        case Status.PASS:
            return None
        case Status.FAIL:
            return "failure"
        case Status.ERROR:
            return "error"
        case Status.SKIPPED | Status.INCONCLUSIVE:
            return "skipped"


def _rule(check: ToldCheck) -> dict[str, Any]:
    return {
        "id": wording.shown(check.id),
        "name": wording.shown(check.title),
        "shortDescription": {"text": wording.shown(check.title)},
        "fullDescription": {"text": wording.shown(check.card.question)},
    }


def _result(check: ToldCheck, rule_index: int) -> dict[str, Any]:
    kind, level = _kind(check)
    return {
        "ruleId": wording.shown(check.id),
        "ruleIndex": rule_index,
        "kind": kind,
        "level": level,
        "message": {"text": _message(check)},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": "evidence.json"}},
                "logicalLocations": [{"fullyQualifiedName": f"checks.{wording.shown(check.id)}"}],
            }
        ],
        "properties": {"status": wording.word(check.status), "value": check.value, "threshold": check.threshold},
    }


def _kind(check: ToldCheck) -> tuple[str, str]:
    """Kind and level of a SARIF result (SARIF 2.1.0, 3.27.9 and 3.27.10: a level other than `none` belongs to kind `fail`)."""
    match check.status:
        case Status.FAIL:
            return "fail", "error"
        case Status.ERROR:
            return "review", "none"
        case Status.INCONCLUSIVE:
            return "open", "none"
        case Status.SKIPPED:
            return ("informational" if wording.is_informative(check) else "notApplicable"), "none"
        case Status.PASS:
            return "pass", "none"
