"""What a code host reads: SARIF 2.1.0.

A level other than `none` belongs to kind `fail` (SARIF 2.1.0, 3.27.9 and 3.27.10), and code hosts show levels alone. So a
required check that stayed open is of kind `fail` and level `warning`, with its status among its properties: of kind `open`
nobody would see it. What decides nothing keeps its kind and has level `none`, or `note` where it failed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from auditor.base.domain import Status
from auditor.pages import exchange, wording
from auditor.pages.remedies import Remedy, of_check, remedies
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.verdict.reliance import refuse_contradiction

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def log(evidence: Told) -> str:
    """Write a SARIF log: a rule for each check and a result for each one that did not pass.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    refuse_contradiction(evidence.evidence)
    todo = remedies(evidence)
    index = {check.id: position for position, check in enumerate(evidence.checks)}
    unmet = [check for check in evidence.checks if check.status is not Status.PASS]
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "auditor",
                "version": wording.shown(evidence.audit.auditor_version),
                "rules": [_rule(check) for check in evidence.checks],
            }
        },
        "automationDetails": {"id": f"auditor/{wording.shown(evidence.audit.id)}"},
        "invocations": [_invocation(evidence)],
        "results": [_result(evidence, check, index[check.id], of_check(todo, check.id)) for check in unmet],
        "properties": exchange.properties(evidence),
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _invocation(evidence: Told) -> dict[str, Any]:
    return {
        "executionSuccessful": evidence.audit.exit_code != exchange.BROKE_OFF,
        "exitCode": evidence.audit.exit_code,
        "toolExecutionNotifications": [
            {"level": "error", "message": {"text": exchange.message(check)}, "associatedRule": {"id": wording.shown(check.id)}}
            for check in evidence.checks
            if check.status is Status.ERROR
        ],
    }


def _rule(check: ToldCheck) -> dict[str, Any]:
    # No helpUri: SARIF takes absolute addresses alone (3.49.12), and this project declares none. The help itself is here.
    card = check.card
    return {
        "id": wording.shown(check.id),
        "name": wording.shown(check.title),
        "shortDescription": {"text": wording.shown(check.title)},
        "fullDescription": {"text": wording.shown(card.question)},
        "help": {
            "text": f"{card.failure} {card.remedy}",
            "markdown": f"**{card.question}**\n\n{card.failure}\n\n{card.remedy}",
        },
    }


def _result(evidence: Told, check: ToldCheck, rule_index: int, todo: Sequence[Remedy]) -> dict[str, Any]:
    kind, level = _kind(check, required=check.id in evidence.policy.required)
    said = exchange.message(check)
    help_text = exchange.remedy_text(todo)
    return {
        "ruleId": wording.shown(check.id),
        "ruleIndex": rule_index,
        "kind": kind,
        "level": level,
        "message": {"text": f"{said}\n\n{help_text}" if help_text else said},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": "evidence.json"}},
                "logicalLocations": [{"fullyQualifiedName": f"checks.{wording.shown(check.id)}"}],
            }
        ],
        "partialFingerprints": {"case/check/v1": _fingerprint(evidence, check)},
        "properties": {
            "status": check.status.value,
            "required": check.id in evidence.policy.required,
            "value": check.value,
            "threshold": check.threshold,
        },
    }


def _fingerprint(evidence: Told, check: ToldCheck) -> str:
    """The same for the same check of the same case from audit to audit, so that a host can follow one result."""
    return hashlib.sha256(f"{evidence.case.name}\n{check.id}".encode()).hexdigest()


def _kind(check: ToldCheck, *, required: bool) -> tuple[str, str]:
    """Kind and level of a result."""
    if required:
        return "fail", ("error" if check.status in {Status.FAIL, Status.ERROR} else "warning")
    match check.status:
        case Status.FAIL:
            return "fail", "note"
        case Status.ERROR:
            return "review", "none"
        case Status.INCONCLUSIVE:
            return "open", "none"
        case Status.SKIPPED:
            return ("informational" if wording.is_informative(check) else "notApplicable"), "none"
        case Status.PASS:
            return "pass", "none"
