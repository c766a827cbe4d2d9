"""Golden evidence as this version concludes it, and variants of it: what remedies and exchange formats are tried on."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import rechecks
from auditor.base.domain import Message, Status, Verdict
from auditor.document.evidence import Evidence
from auditor.pages.words.rendered_evidence import Told, tell

SAMPLES = tuple(sorted(path.stem for path in rechecks.LATEST.glob("*.json")))


@cache
def golden(name: str) -> Told:
    """What this version concludes from the golden evidence of a sample, with its words."""
    return tell(Evidence.model_validate_json(rechecks.derived(name)))


def with_check(told: Told, check_id: str, **changes: Any) -> Told:
    """The same evidence with one check changed; a verdict that this would contradict is set to what follows."""
    checks = tuple(dataclasses.replace(each, **changes) if each.id == check_id else each for each in told.evidence.checks)
    required = {each.status for each in checks if each.id in told.policy.required}
    verdict = Verdict.FAIL if Status.FAIL in required else Verdict.INCONCLUSIVE
    code = 1 if Status.FAIL in required else 4 if Status.ERROR in required else 3
    update = {"checks": checks, "verdict": verdict, "strength": None, "audit": told.audit.model_copy(update={"exit_code": code})}
    return tell(told.evidence.model_copy(update=update))


def reasons(*codes: str, **parameters: Any) -> tuple[Message, ...]:
    """Reasons without parameters, the last one with them."""
    return tuple(Message(code, parameters if code == codes[-1] else {}) for code in codes)
