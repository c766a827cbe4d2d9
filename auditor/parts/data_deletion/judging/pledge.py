"""What a guarantee of data deletion would promise, and whether the claim of it was examined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from auditor.base.domain import Status
from auditor.parts.data_deletion.judging.answered import Derived as Answered
from auditor.parts.data_deletion.judging.derived import Derived
from auditor.parts.data_deletion.judging.goals import is_meant, order_of
from auditor.parts.data_deletion.theorems import Deletion
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding

IDS: Final = ("deletion.renyi", "deletion.adaptive")
"""The check of one deleted record, and that of requests as they were made."""


def pledged(context: Context, findings: Mapping[str, Finding]) -> Deletion | None:
    """What a guarantee of data deletion would promise; None where the case gives no cause for one.

    The ε is that of requests as they were made, for all deleted records of one person, or of one request.
    """
    if not is_meant(context.claims, context.procedure):
        return None
    own, answered = (findings[check_id].derived for check_id in IDS)
    procedure = context.procedure.descent
    nothing = Deletion(
        order=order_of(context.claims, context.procedure),
        epsilon=None,
        source=own.theorem if isinstance(own, Derived) else None,
        seen=0,
        known_loss=procedure is not None and procedure.loss is not None,
    )
    if not isinstance(answered, Answered):
        return nothing
    from auditor.parts.data_deletion.judging import consequences  # noqa: PLC0415 - the theorems, for those who descend

    return replace(
        nothing,
        epsilon=answered.epsilon_person,
        seen=answered.seen,
        advantage=answered.advantage_person,
        records=answered.records_per_person,
        of=answered.of,
        promise=consequences.promised(own, answered.epsilon_person, records=answered.records_per_person, seen=answered.seen)
        if isinstance(own, Derived)
        else None,
    )


def examined_claims(findings: Mapping[str, Finding]) -> frozenset[str]:
    """The claim `data_deletion`, where the check that covers all requests decided, or the other one found it false."""
    decided = {check_id: findings[check_id].status for check_id in IDS if check_id in findings}
    covered = decided.get(IDS[0]) is Status.FAIL or decided.get(IDS[1]) in {Status.PASS, Status.FAIL}
    return frozenset({"data_deletion"} if covered else ())
