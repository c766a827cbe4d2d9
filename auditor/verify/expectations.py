"""What the rules of single checks share: statuses and thresholds held against what gives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditor.domain import LEFT_OUT, Check, Interval, Status
from auditor.evidence import Evidence
from auditor.verify.numbers import differs, shown


def left_out(evidence: Evidence, check_id: str) -> bool:
    """Whether the command line left a check out, so that what it would hold is not in the evidence."""
    return any(check.id == check_id and check.status is Status.SKIPPED and check.basis == LEFT_OUT for check in evidence.checks)


def status_is(check: Check, *derived: Status) -> Iterator[str]:
    """One message where the status is none of those that value, interval and threshold allow."""
    if check.status not in derived:
        allowed = " or ".join(derived)
        found = f"value {shown(check.value)}, interval {shown(check.interval)}, threshold {shown(check.threshold)}"
        yield f"status is {check.status}; {found} give {allowed}"


def not_run(check: Check, *, excused: bool, reason: str) -> Iterator[str]:
    """What a check without a value that is skipped says: nothing, unless it had to run.

    Args:
        check: A check of status skipped.
        excused: Whether the evidence itself shows why it does not apply.
        reason: What shows that it had to run.
    """
    if not excused:
        yield f"skipped, although {reason}"
    if check.interval is not None:
        yield "it was not run, and yet it has an interval"


def threshold_is(check: Check, expected: float | None, source: str) -> Iterator[str]:
    """One message where the threshold is not the one that `source` names."""
    yield from differs("threshold", check.threshold, expected, f"{source} is")


def setting(evidence: Evidence, key: str) -> float | None:
    """A number of the policy; None where it is silent."""
    value = evidence.policy.settings.get(key)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def interval_of(value: Any) -> Interval | None:
    """The interval in a JSON value; None where there is none."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    low, high = number(value[0]), number(value[1])
    return Interval(low, high) if low is not None and high is not None and low <= high else None


def number(value: Any) -> float | None:
    """The number in a JSON value; None where it holds something else."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def count(value: Any) -> int | None:
    """The whole number in a JSON value that is at least 0; None where it holds something else."""
    found = number(value)
    return int(found) if found is not None and found >= 0 and found == int(found) else None
