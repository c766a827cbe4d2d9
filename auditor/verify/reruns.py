"""The checks on what is kept and on the rerun: `data.erased`, `model.reproduced`, `utility.accuracy`, `cost.speedup`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.certificates.losses import rounding_spread
from auditor.decisions import decide_at_least, decide_at_most
from auditor.domain import Check, Interval, Status
from auditor.evidence import Evidence
from auditor.statistics import paired_difference
from auditor.verify.data_deletion import descent
from auditor.verify.expectations import count, interval_of, not_run, number, setting, status_is, threshold_is
from auditor.verify.numbers import RELATIVE, differs, same, shown

_TOLERANCE_FACTOR: Final = 8
"""Two optima lie within twice tolerance/(λn) of one another; four times that is room for the removals that follow."""


def erased(evidence: Evidence, check: Check) -> Iterator[str]:
    """`data.erased`: nothing was found, in as many places as say so. A place that could not be searched leaves it open."""
    if check.status is Status.SKIPPED:
        yield from not_run(check, excused=False, reason="every case is searched")
        return
    places = check.details.get("searched")
    found = [count(place.get("found")) for place in places if isinstance(place, dict)] if isinstance(places, list) else []
    each = [records for records in found if records is not None]
    value = check.value or 0.0
    if not isinstance(places, list) or len(each) != len(places):
        yield "details.searched does not say how many records were found in each place"
    elif not max(each, default=0) <= value <= sum(each):
        yield f"value is {shown(value)}, and details.searched counts between {max(each, default=0)} and {sum(each)} records"
    if bool(check.details.get("request_ids")) != (value > 0):
        yield f"details.request_ids does not fit a value of {shown(value)}"
    if check.value is None and evidence.deletion_log.batches:
        yield "value is nothing, although batches were deleted"
    yield from threshold_is(check, 0.0, "the contract's")
    if value > 0:
        yield from status_is(check, Status.FAIL)
    elif check.value is None or not evidence.deletion_log.batches or not each:
        yield from status_is(check, Status.INCONCLUSIVE)
    else:
        yield from status_is(check, Status.PASS, Status.INCONCLUSIVE)


def reproduced(evidence: Evidence, check: Check) -> Iterator[str]:
    """`model.reproduced`: the difference against a tolerance, which two reruns and the optimiser set."""
    if check.status is Status.SKIPPED:
        yield from not_run(check, excused=evidence.case.model is None, reason=f"the case names a model, {evidence.case.model}")
        return
    if evidence.case.model is None:
        yield f"status is {check.status}, and the case names no model"
    if check.threshold is None:
        # The procedure offers no parameters.
        yield from status_is(check, Status.INCONCLUSIVE)
        return
    apart = number(check.details.get("self_check_difference"))
    deterministic = apart is not None and apart <= check.threshold
    stated = check.details.get("deterministic")
    yield from differs("details.deterministic", stated, deterministic, "two reruns and the tolerance give")
    yield from differs("details.bit_identical", check.details.get("bit_identical"), apart == 0.0, "two reruns give")
    admitted = max(apart or 0.0, _admitted(evidence))
    if apart is not None and check.threshold > admitted * (1 + RELATIVE):
        yield f"threshold is {shown(check.threshold)}, two reruns and the optimiser's tolerance admit {shown(admitted)}"
    if check.value is not None:
        held = check.details.get("parameters")
        yield from differs("details.parameters", held, evidence.case.parameters, "the shipped file holds")
    if check.value is None:
        yield from status_is(check, Status.FAIL)
    elif deterministic:
        yield from status_is(check, decide_at_most(check.value, check.threshold))
    else:
        yield from status_is(check, Status.INCONCLUSIVE)


def _admitted(evidence: Evidence) -> float:
    """What the declared tolerance of our own optimiser, or the rounding of noisy steps, lets two honest runs differ by."""
    declared = evidence.procedure.settings
    if evidence.procedure.use == "noisy-gd":
        return _rounding(declared)
    tolerance, strength = number(declared.get("tolerance")), number(declared.get("l2"))
    if evidence.procedure.use != "certified-removal" or not tolerance or not strength or evidence.case.records_left < 1:
        return 0.0
    return _TOLERANCE_FACTOR * tolerance / (strength * evidence.case.records_left)


def _rounding(declared: Mapping[str, Any]) -> float:
    """What rounding lets two runs of noisy gradient descent on a known loss differ by; 0 where the settings name none."""
    strength = number(declared.get("l2"))
    if declared.get("loss") is None or not strength or strength < 0:
        return 0.0
    try:
        found = descent.declared(declared)
    except (LookupError, TypeError, ValueError):
        return 0.0
    if not found.convex or found.lipschitz is None or found.smoothness is None or found.rate <= 0:
        return 0.0
    return rounding_spread(lipschitz=found.lipschitz, smoothness=found.smoothness, l2=strength, rate=found.rate)


def accuracy(evidence: Evidence, check: Check) -> Iterator[str]:
    """`utility.accuracy`: the drop from the two accuracies, against the policy's largest."""
    largest = setting(evidence, "max_accuracy_drop")
    if check.value is None:
        yield from status_is(check, Status.SKIPPED)
        excused = evidence.case.holdout_records is None or not evidence.case.classes
        yield from not_run(check, excused=excused, reason="the case names holdout data")
        return
    retrained, unlearned = number(check.details.get("retrained")), number(check.details.get("unlearned"))
    if retrained is None or unlearned is None:
        yield "details holds no two accuracies to derive the drop from"
    else:
        yield from differs("value", check.value, retrained - unlearned, "retrained minus unlearned is")
    yield from differs("details.records", check.details.get("records"), evidence.case.holdout_records, "the holdout holds")
    yield from _paired(check)
    yield from threshold_is(check, largest, "the policy's max_accuracy_drop")
    yield from status_is(check, Status.SKIPPED if largest is None else decide_at_most(check.value, largest))


def _paired(check: Check) -> Iterator[str]:
    """The interval of a difference: that of some count of records which only one of the models gets right.

    The counts themselves are not in the evidence. Their difference is, and the more of them there are the wider the interval.
    """
    records, confidence = count(check.details.get("records")), number(check.details.get("confidence"))
    stated = interval_of(check.interval)
    if not records or confidence is None or not 0 < confidence < 1 or check.value is None or stated is None:
        yield "details holds no count and confidence to derive the interval from"
        return
    difference = round(check.value * records)

    def interval(fewer: int) -> Interval:
        one, other = (fewer + difference, fewer) if difference >= 0 else (fewer, fewer - difference)
        return paired_difference(one, other, records, confidence=confidence)

    low, high = 0, (records - abs(difference)) // 2
    while low < high:
        middle = (low + high) // 2
        found = interval(middle)
        if found.high - found.low < (stated.high - stated.low) * (1 - RELATIVE):
            low = middle + 1
        else:
            high = middle
    nearest = interval(low)
    if not same(check.interval, (nearest.low, nearest.high)):
        yield f"interval is {shown(check.interval)}, which no count of {records} records gives"


def speedup(evidence: Evidence, check: Check) -> Iterator[str]:
    """`cost.speedup`: the quotient of two times, against the policy's least."""
    least = setting(evidence, "min_speedup")
    if check.value is None:
        yield from status_is(check, Status.SKIPPED)
        yield from not_run(check, excused=not evidence.deletion_log.batches, reason="batches were unlearned")
        return
    slow, fast = number(check.details.get("retrain_seconds")), number(check.details.get("unlearn_seconds"))
    if slow is None or not fast:
        yield "details holds no two times to derive the quotient from"
    else:
        yield from differs("value", check.value, slow / fast, "retraining over unlearning is")
        warm = number(check.details.get("warm_refit_seconds"))
        refit = None if warm is None else warm / fast
        yield from differs("details.warm_speedup", check.details.get("warm_speedup"), refit, "a warm refit over unlearning is")
    batches = evidence.deletion_log.batches
    yield from differs("details.batches", check.details.get("batches"), batches, "deletion_log has")
    yield from threshold_is(check, least, "the policy's min_speedup")
    yield from status_is(check, Status.SKIPPED if least is None else decide_at_least(check.value, least))
