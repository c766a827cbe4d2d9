"""What tools for assessments read: OSCAL assessment results (NIST), version 1.1.3.

Each check is an observation, each required one a finding: satisfied where it passed, and not satisfied otherwise, with the reason
`other` for what stayed open. There is no assessment plan: what was to be assessed is the policy, which lies in the evidence.
"""

from __future__ import annotations

import json
import re
import uuid
from typing import Any, Final

from auditor.base.domain import Status
from auditor.document import evidence as documents
from auditor.pages import exchange, wording
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.verdict.reliance import refuse_contradiction

VERSION: Final = "1.1.3"
_NAMESPACE: Final = "https://auditor.invalid/oscal"
"""Of properties that OSCAL does not define; see docs/signing.md for names that end in `.invalid`."""
_NO_TOKEN: Final = re.compile(r"[^A-Za-z0-9._-]")
_REASONS: Final = {Status.PASS: "pass", Status.FAIL: "fail"}


def results(evidence: Told) -> str:
    """Write assessment results with one result.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    refuse_contradiction(evidence.evidence)
    sha256 = documents.digest(evidence.content)
    finished = evidence.audit.finished_at.isoformat(timespec="seconds")
    source = _number(sha256, "evidence.json")
    document = {
        "assessment-results": {
            "uuid": _number(sha256, "assessment-results"),
            "metadata": {
                "title": f"auditor: {wording.shown(evidence.case.name)}",
                "last-modified": finished,
                "version": wording.shown(evidence.audit.auditor_version),
                "oscal-version": VERSION,
            },
            "import-ap": {"href": f"#{source}"},
            "results": [_result(evidence, sha256, finished)],
            "back-matter": {
                "resources": [
                    {
                        "uuid": source,
                        "title": "evidence.json",
                        "rlinks": [{"href": "evidence.json", "hashes": [{"algorithm": "SHA-256", "value": sha256}]}],
                    }
                ]
            },
        }
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _result(evidence: Told, sha256: str, finished: str) -> dict[str, Any]:
    required = list(dict.fromkeys(evidence.policy.required))
    checks = {each.id: each for each in evidence.checks}
    observations = [_observation(check, sha256, finished) for check in evidence.checks]
    findings = [_finding(name, checks.get(name), sha256) for name in required]
    selected: dict[str, Any] = (
        {"include-controls": [{"control-id": _token(each)} for each in required]} if required else {"include-all": {}}
    )
    return {
        "uuid": _number(sha256, "result"),
        "title": exchange.policy(evidence),
        "description": exchange.concluded(evidence),
        "start": evidence.audit.started_at.isoformat(timespec="seconds"),
        "end": finished,
        "props": [
            {"name": name.replace("_", "-"), "ns": _NAMESPACE, "value": value}
            for name, value in exchange.properties(evidence).items()
            if value
        ],
        "reviewed-controls": {"control-selections": [selected]},
        **({"observations": observations} if observations else {}),
        **({"findings": findings} if findings else {}),
    }


def _observation(check: ToldCheck, sha256: str, collected: str) -> dict[str, Any]:
    return {
        "uuid": _number(sha256, f"observation {check.id}"),
        "title": wording.shown(check.title),
        "description": exchange.message(check),
        "props": [
            {"name": "check", "ns": _NAMESPACE, "value": wording.shown(check.id)},
            {"name": "status", "ns": _NAMESPACE, "value": check.status.value},
        ],
        "methods": ["TEST"],
        "relevant-evidence": [{"href": "evidence.json", "description": wording.shown(check.card.question)}],
        "collected": collected,
    }


def _finding(name: str, check: ToldCheck | None, sha256: str) -> dict[str, Any]:
    passed = check is not None and check.status is Status.PASS
    said = text("pipeline-missing") if check is None else exchange.message(check)
    seen = {} if check is None else {"related-observations": [{"observation-uuid": _number(sha256, f"observation {name}")}]}
    return {
        "uuid": _number(sha256, f"finding {name}"),
        "title": wording.shown(name if check is None else check.title),
        "description": said,
        "target": {
            "type": "objective-id",
            "target-id": _token(name),
            "status": {
                "state": "satisfied" if passed else "not-satisfied",
                "reason": "other" if check is None else _REASONS.get(check.status, "other"),
            },
        },
        **seen,
    }


def _number(sha256: str, what: str) -> str:
    """The same for the same evidence, so that two renderings of it are equal."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{sha256} {what}"))


def _token(name: str) -> str:
    """The id of a check as OSCAL takes names; ids of checks are such names already."""
    return _NO_TOKEN.sub("_", wording.shown(name)) if name[:1].isalpha() else f"_{_NO_TOKEN.sub('_', wording.shown(name))}"
