"""From numbers to words: the status of one check, the verdict over all of them, the exit code.

These rules are pure, so that whoever rechecks an audit can apply them again to the values, intervals and thresholds that
the evidence holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from auditor.domain import Status, Verdict


def decide_at_most(value: float | None, threshold: float | None) -> Status:
    """Pass where `value` is at most `threshold`; inconclusive where either is missing."""
    if value is None or threshold is None:
        return Status.INCONCLUSIVE
    return Status.PASS if value <= threshold else Status.FAIL


def decide_at_least(value: float | None, threshold: float | None) -> Status:
    """Pass where `value` is at least `threshold`; inconclusive where either is missing."""
    if value is None or threshold is None:
        return Status.INCONCLUSIVE
    return Status.PASS if value >= threshold else Status.FAIL


def decide_exit_code(
    statuses: Mapping[str, Status], required: Iterable[str], *, capped: bool = False, failed: bool = False
) -> int:
    """The exit code of an audit: fail 1, else error 4, else inconclusive or skipped 3, else 0.

    Args:
        statuses: The status of every check by its id.
        required: The ids that must pass. An id without a status counts as skipped.
        capped: Whether foreign code ran behind walls too weak to trust its answers: then 0 becomes 3.
        failed: Whether the procedure crashed or hung: then 0 and 3 become 4, whatever was required of it.
    """
    found = {statuses.get(check, Status.SKIPPED) for check in required}
    if Status.FAIL in found:
        return 1
    if Status.ERROR in found or failed:
        return 4
    if found - {Status.PASS} or not found or capped:
        return 3
    return 0


def decide_verdict(exit_code: int) -> Verdict:
    """The verdict that goes with an exit code of `auditor check`."""
    match exit_code:
        case 0:
            return Verdict.PASS
        case 1:
            return Verdict.FAIL
        case _:
            return Verdict.INCONCLUSIVE
