"""From numbers to words: the status of one check, the verdict over all of them, the exit code.

These rules are pure, so that anyone who rechecks an audit can apply them again to the values, intervals and thresholds that
the evidence holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from auditor.base.domain import Interval, Status, Verdict


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


def decide_exactly(value: float | None, target: float | None) -> Status:
    """Pass where `value` equals `target` to the last digit; inconclusive where either is missing."""
    if value is None or target is None:
        return Status.INCONCLUSIVE
    return Status.PASS if value == target else Status.FAIL


def decide_swap_strong(named: Interval | None, do_nothing: Interval | None) -> Status:
    """The status of `swap.strong`: how often an adversary names the right one of two sides, which guessing does half of the time.

    Fail where the interval does not contain one half. Pass where it does, and where that of the no-unlearning baseline does not:
    where the adversary could not have named even those for certain, the test cannot tell good from bad. Inconclusive otherwise,
    and where either is missing.
    """
    if named is None or do_nothing is None:
        return Status.INCONCLUSIVE
    if not named.low <= 0.5 <= named.high:
        return Status.FAIL
    return Status.INCONCLUSIVE if do_nothing.low <= 0.5 <= do_nothing.high else Status.PASS


def decide_compliance(success: Interval | None, largest: float | None) -> Status:
    """The status of `inference.*`: what an adversary's share of right guesses between two leaves of a compliance ε.

    Fail where 2ρ − 1 exceeds `largest` for certain, pass where it does not exceed it for certain, inconclusive between and where
    either is missing: that a few games could refute nothing speaks for nobody.
    """
    if success is None or largest is None:
        return Status.INCONCLUSIVE
    if 2 * success.low - 1 > largest:
        return Status.FAIL
    return Status.PASS if 2 * success.high - 1 <= largest else Status.INCONCLUSIVE


def decide_swap_quality(
    interval: Interval | None, threshold: float | None, do_nothing: Interval | None, excess: Iterable[Interval] | None
) -> Status:
    """The status of `swap.quality`.

    Pass where the whole interval is at least `threshold`, the whole interval of the do-nothing control is below it, and no
    attack shows the records of F and T to look more trained on than after retraining. Where the control comes out as well, the
    test cannot tell good from bad; where F and T both look trained on, that they look alike says nothing. Fail where the whole
    interval is below `threshold`. Inconclusive otherwise, and where anything is missing.

    Args:
        interval: Of the quality of the procedure under test.
        threshold: The least quality that the policy accepts.
        do_nothing: The interval of the quality of the no-unlearning baseline.
        excess: For each attack, the interval of the share of F and T that it accepts after unlearning minus the share that it
            accepts after retraining.
    """
    if interval is None or threshold is None or do_nothing is None or excess is None:
        return Status.INCONCLUSIVE
    if interval.high < threshold:
        return Status.FAIL
    if (
        interval.low >= threshold
        and do_nothing.high < threshold
        and not any(looks_trained_on(each, threshold) for each in excess)
    ):
        return Status.PASS
    return Status.INCONCLUSIVE


def looks_trained_on(excess: Interval, threshold: float) -> bool:
    """Whether an excess of acceptance is above 0 for certain, and not for certain within what the threshold of Q leaves."""
    return excess.low > 0 and excess.high > 1 - threshold


def decide_exit_code(
    statuses: Mapping[str, Status], required: Iterable[str], *, capped: bool = False, failed: bool = False
) -> int:
    """The exit code of an audit: fail 1, else error 4, else inconclusive or skipped 3, else 0.

    Args:
        statuses: The status of every check by its id.
        required: The ids that must pass. An id without a status counts as skipped.
        capped: Whether something keeps the verdict from pass though every required check passes: then 0 becomes 3. Foreign code
            ran behind barriers too weak to trust its answers, nothing examined what it releases, or a claim is not supported.
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
