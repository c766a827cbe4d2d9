"""The result of an audit in one sentence that can be quoted."""

from __future__ import annotations

from auditor.checks import judging_unlearning
from auditor.domain import Status, Verdict
from auditor.evidence import Evidence


def sentence_of(evidence: Evidence) -> str:
    """Verdict, case and the required checks that did not pass."""
    release = f" release {evidence.case.release}" if evidence.case.release else ""
    subject = f"“{evidence.case.name}”{release}"
    required = evidence.policy.required
    match evidence.verdict:
        case Verdict.PASS:
            return _passed(evidence, subject)
        case Verdict.FAIL:
            failed = _of_status(evidence, Status.FAIL)
            return f"Fail: {subject} fails {len(failed)} of {len(required)} required checks: {', '.join(failed)}."
        case Verdict.INCONCLUSIVE:
            return _inconclusive(evidence, subject)


def _of_status(evidence: Evidence, *statuses: Status) -> list[str]:
    """The required checks of those statuses; one that the evidence lacks counts as skipped."""
    known = {check.id: check.status for check in evidence.checks}
    return [check_id for check_id in evidence.policy.required if known.get(check_id, Status.SKIPPED) in statuses]


def _passed(evidence: Evidence, subject: str) -> str:
    required = evidence.policy.required
    not_run = sum(check.status is Status.SKIPPED for check in evidence.checks)
    blind = "" if judging_unlearning(required) else " None of them examines the unlearning itself."
    return (
        f"Pass: {subject} meets all {len(required)} required checks; {not_run} other checks were not required or not run.{blind}"
    )


def _inconclusive(evidence: Evidence, subject: str) -> str:
    open_ids = _of_status(evidence, *(status for status in Status if status is not Status.PASS))
    if open_ids:
        return (
            f"Inconclusive: for {subject} {len(open_ids)} of {len(evidence.policy.required)} required checks are open: "
            f"{', '.join(open_ids)}."
        )
    if evidence.environment.capped:
        return f"Inconclusive: {subject} ran foreign code in a sandbox too weak for a verdict."
    return f"Inconclusive: nothing that was required of {subject} could be shown."
