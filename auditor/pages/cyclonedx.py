"""What tools for bills of materials read: CycloneDX 1.6, the audited model with declarations about it.

The policy is the standard, each required check a requirement, each check a claim with the evidence for or against it. A
requirement conforms (score 1) where its check passed, and not at all (score 0) otherwise: what stayed open is not shown.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any, Final

from auditor.base.domain import Status
from auditor.document import evidence as documents
from auditor.pages import exchange, wording
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.verdict.reliance import refuse_contradiction

_AUDITED, _STANDARD, _ASSESSOR = "audited", "policy", "assessor"


def bom(evidence: Told) -> str:
    """Write a bill of materials whose only component is what was audited.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    refuse_contradiction(evidence.evidence)
    finished = evidence.audit.finished_at.isoformat(timespec="seconds")
    number = uuid.uuid5(uuid.NAMESPACE_OID, documents.digest(evidence.content))
    document: dict[str, Any] = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"timestamp": finished, "tools": {"components": [_tool(evidence)]}},
        "components": [{"bom-ref": "released", **_component(evidence)}],
        "declarations": {
            "assessors": [_assessor(evidence)],
            "attestations": [_attestation(evidence)],
            "claims": [_claim(check) for check in evidence.checks],
            "evidence": [_evidence(check, finished) for check in evidence.checks],
            "targets": {"components": [{"bom-ref": _AUDITED, **_component(evidence)}]},
        },
        "definitions": {"standards": [_standard(evidence)]},
        "properties": [{"name": f"auditor:{name}", "value": value} for name, value in exchange.properties(evidence).items()],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _tool(evidence: Told) -> dict[str, str]:
    return {"type": "application", "name": "auditor", "version": wording.shown(evidence.audit.auditor_version)}


def _component(evidence: Told) -> dict[str, Any]:
    """What was audited: a model, or whatever the case has in its place."""
    case = evidence.case
    found: dict[str, Any] = {"type": "machine-learning-model", "name": wording.shown(case.name)}
    if case.release is not None:
        found["version"] = wording.shown(case.release)
    content = next((each.sha256 for each in case.inputs if each.path == case.model), None)
    if content is not None:
        found["hashes"] = [{"alg": "SHA-256", "content": wording.shown(content)}]
    found["modelCard"] = {"modelParameters": {"task": case.task}}
    return found


def _assessor(evidence: Told) -> dict[str, Any]:
    """Who ran the audit, where somebody is named; whether a third party is not known."""
    run_by = evidence.case.run_by
    named = {} if run_by is None else {"organization": {"name": wording.shown(run_by.name)}}
    return {"bom-ref": _ASSESSOR, **named}


def _attestation(evidence: Told) -> dict[str, Any]:
    checks = {each.id: each for each in evidence.checks}
    return {
        "summary": exchange.concluded(evidence),
        "assessor": _ASSESSOR,
        "map": [_mapped(name, checks.get(name)) for name in dict.fromkeys(evidence.policy.required)],
    }


def _mapped(name: str, check: ToldCheck | None) -> dict[str, Any]:
    passed = check is not None and check.status is Status.PASS
    counter = check is not None and check.status is Status.FAIL
    claims = [f"claim:{wording.shown(name)}"]
    rationale = exchange.message(check) if check is not None else text("pipeline-missing")
    return {
        "requirement": _requirement(name),
        **({"claims": claims} if passed else {"counterClaims": claims} if counter else {}),
        "conformance": {"score": 1 if passed else 0, "rationale": rationale},
    }


def _claim(check: ToldCheck) -> dict[str, Any]:
    key = _FOR_OR_AGAINST.get(check.status)
    return {
        "bom-ref": f"claim:{wording.shown(check.id)}",
        "target": _AUDITED,
        "predicate": wording.shown(check.title),
        "reasoning": exchange.message(check),
        **({} if key is None else {key: [f"evidence:{wording.shown(check.id)}"]}),
    }


_FOR_OR_AGAINST: Final = {Status.PASS: "evidence", Status.FAIL: "counterEvidence"}


def _evidence(check: ToldCheck, finished: str) -> dict[str, Any]:
    return {
        "bom-ref": f"evidence:{wording.shown(check.id)}",
        "propertyName": wording.shown(check.id),
        "description": exchange.message(check),
        "data": [{"name": "evidence.json", "contents": {"url": "evidence.json"}}],
        "created": finished,
    }


def _standard(evidence: Told) -> dict[str, Any]:
    return {
        "bom-ref": _STANDARD,
        "name": "auditor policy",
        "version": wording.shown(evidence.policy.digest),
        "requirements": list(_requirements(evidence)),
    }


def _requirements(evidence: Told) -> Iterator[dict[str, str]]:
    cards = {each.id: each.card for each in evidence.checks}
    for name in dict.fromkeys(evidence.policy.required):
        said = {"text": wording.shown(cards[name].question)} if name in cards else {}
        yield {"bom-ref": _requirement(name), "identifier": wording.shown(name), **said}


def _requirement(name: str) -> str:
    return f"requirement:{wording.shown(name)}"
