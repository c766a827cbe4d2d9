"""One finding of a whole program and of a learner next to it."""

from __future__ import annotations

from dataclasses import replace

from auditor.base.domain import Status
from auditor.verdict.checks.finding import Finding
from auditor.verdict.decisions import decide_at_most


def both(program: Finding, learner: Finding) -> Finding:
    """One finding of two: the worse one decides, and both are told."""
    value = None if program.value is None or learner.value is None else program.value + learner.value
    if value is None and Status.FAIL in {program.status, learner.status}:
        value = (program.value or 0.0) + (learner.value or 0.0)
    reasons = (*program.reasons, *learner.reasons)
    facts = (*program.facts, *learner.facts)
    return replace(program, status=decide_at_most(value, 0.0), value=value, threshold=0.0, reasons=reasons, facts=facts)
