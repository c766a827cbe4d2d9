"""The premises of data deletion: whether each holds, from what stands beside it in the document, and how it may be known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from auditor.domain import Check, Status
from auditor.evidence import Evidence
from auditor.statistics import accepted_variance, detectable_deviation
from auditor.verify.data_deletion.descent import Bounds, Run, is_linear
from auditor.verify.expectations import count, number
from auditor.verify.numbers import differs

_SIGNIFICANCE: Final = 1e-6
_POWER: Final = 0.99
_SHARES: Final = 256
_SLACK: Final = 1e-9
_ROWS: Final = re.compile(r"the largest of (\d+) rows has norm ([0-9.e+-]+|inf)(?=,|$)")
Holds: TypeAlias = bool | None
_Allowed: TypeAlias = set[tuple[Holds, str]]


def listed(check: Check) -> dict[str, Mapping[str, Any]]:
    """The premises in the details of a check, by name."""
    found = check.details.get("premises")
    return {str(each.get("name")): each for each in found if isinstance(each, dict)} if isinstance(found, list | tuple) else {}


def messages(
    evidence: Evidence, check: Check, run: Run, found: Bounds, counted: Sequence[Any], noise: bool | None
) -> Iterator[str]:
    """Every premise that is not what the document makes it.

    Args:
        evidence: The document.
        check: `deletion.renyi`.
        run: What certificates are derived from.
        found: What they give.
        counted: The steps of each update, as the details have them.
        noise: Whether the noise keeps to its intervals; None where none was measured.
    """
    expected = _expected(evidence, check, run, found, counted, noise)
    stated = listed(check)
    if list(stated) != list(expected) or len(check.details["premises"]) != len(stated):
        yield f"details.premises names {', '.join(stated) or 'none'}; the theorem has {', '.join(expected)}"
        return
    for name, (allowed, mentions) in expected.items():
        premise = stated[name]
        if (premise.get("holds"), premise.get("how")) not in allowed:
            words = " or ".join(sorted(f"{holds} ({how})" for holds, how in allowed))
            yield f"premise {name} holds: {premise.get('holds')} ({premise.get('how')}), what stands beside it makes it {words}"
        missing = [each for each in mentions if each not in str(premise.get("found"))]
        if missing:
            yield f"premise {name} does not say “{missing[0]}”: “{premise.get('found')}”"
        if premise.get("holds") is False and not premise.get("mend"):
            yield f"premise {name} does not hold, and nothing says what would mend it"


def _expected(
    evidence: Evidence, check: Check, run: Run, found: Bounds, counted: Sequence[Any], noise: bool | None
) -> dict[str, tuple[_Allowed, tuple[str, ...]]]:
    """Name by name in their order: which pairs of `holds` and `how` are possible, and what has to be said."""
    given, foreign = run.declared, evidence.procedure.entry is not None
    bounded = given.bound is not None and found.source != "gaussian"
    ours = "attested" if foreign else "computed"
    premises: dict[str, tuple[_Allowed, tuple[str, ...]]] = {}
    if bounded:
        held = listed(check).get("loss-bounded", {}).get("holds")
        cap = f"c = {given.bound:g}" if held else f"loss_cap is {given.bound:g}"
        premises["loss-bounded"] = ({(True, ours), (False, "refuted")}, (cap,))
    elif given.loss is not None:
        premises["loss-convex"] = ({(True, "computed")} if given.convex else {(None, "computed")}, (f"{given.loss} loss",))
    else:
        word: _Allowed = {(True, "attested"), (False, "refuted")} if given.convex else {(None, "unknown")}
        premises["loss-convex"] = (word, ())
    premises["loss-constants"] = _constants(evidence, run)
    if given.loss is not None:
        premises["rows-bounded"] = _rows(evidence, check)
    if not bounded:
        premises["step-size"] = _step_size(run, found)
    premises["full-batch-descent"] = premises["start-gaussian"] = ({(True, ours)}, ())
    premises["steps-counted"] = _steps(run, counted, foreign=foreign)
    premises["noise-measured"] = _noise(check, noise, foreign=foreign)
    premises["labels-fixed"] = ({(True, "computed"), (False, "refuted")}, ())
    premises["stateless"] = ({_stateless(evidence, foreign=foreign)}, ())
    return premises


def _constants(evidence: Evidence, run: Run) -> tuple[_Allowed, tuple[str, ...]]:
    given = run.declared
    if given.lipschitz is None or given.smoothness is None:
        return {(None, "unknown")}, ()
    words = f"L = {given.lipschitz:g}, beta = {given.smoothness:g}"
    if given.loss is not None:
        return {(True, "computed")}, (words,)
    if is_linear(evidence.procedure.settings):
        return {(True, "computed"), (False, "refuted")}, (words,)
    return {(True, "attested"), (False, "refuted")}, ()


def _rows(evidence: Evidence, check: Check) -> tuple[_Allowed, tuple[str, ...]]:
    said = _ROWS.search(str(listed(check).get("rows-bounded", {}).get("found")))
    rows = f"the largest of {evidence.case.training_records} rows has norm "
    if said is None:
        return set(), (rows,)
    largest = float(said[2])
    # Nine digits are printed: what they show as 1 may lie on either side of the slack.
    within = {True} if largest < 1 else {True, False} if largest <= 1 + _SLACK else {False}
    return {(holds, "computed" if holds else "refuted") for holds in within}, (rows,)


def _step_size(run: Run, found: Bounds) -> tuple[_Allowed, tuple[str, ...]]:
    given = run.declared
    taken = f"{given.rate:.9g}"
    if found.source == "gaussian":
        return {(True, "computed")}, (taken,)
    if given.wanted_rate is None:
        return {(None, "unknown")}, (taken,)
    return {(True if given.has_wanted_rate else None, "computed")}, (taken, f"= {given.wanted_rate:.9g}")


def _steps(run: Run, counted: Sequence[Any], *, foreign: bool) -> tuple[_Allowed, tuple[str, ...]]:
    words = f"declared {run.learn_steps} for learning and {run.unlearn_steps} for each batch"
    if any(each is None for each in counted):
        return {(None, "unknown")}, (words,)
    wanted = [run.learn_steps, *[run.unlearn_steps] * (len(counted) - 1)]
    wrong = [index for index, (each, declared) in enumerate(zip(counted, wanted, strict=True)) if each != declared]
    if wrong:
        where = "learning" if not wrong[0] else f"batch {wrong[0]}"
        return {(False, "refuted")}, (words, f"{counted[wrong[0]]} were counted in {where}")
    return {(True, "attested" if foreign else "measured")}, (words, f"in {len(counted)} updates")


def _noise(check: Check, holds: bool | None, *, foreign: bool) -> tuple[_Allowed, tuple[str, ...]]:
    if holds is None:
        return {(None, "unknown")}, ()
    told = check.details["noise"]
    mean = f"mean square {told['measured']:.6g} of {told['count']} numbers, declared {told['declared']:g}"
    words = (mean, f"off by {100 * told['detects']:.2g} %")
    return ({(True, "attested" if foreign else "measured")} if holds else {(False, "refuted")}), words


def _stateless(evidence: Evidence, *, foreign: bool) -> tuple[Holds, str]:
    status = next((each.status for each in evidence.checks if each.id == "state.stateless"), None)
    if status is Status.FAIL:
        return False, "refuted"
    if not foreign:
        return True, "computed"
    return (True, "measured") if status is Status.PASS else (None, "unknown")


def noise(check: Check, run: Run, counted: Sequence[Any]) -> tuple[bool | None, list[str]]:
    """Whether the noise keeps to intervals that are derived again, and what in its numbers does not agree."""
    told = check.details.get("noise")
    if not isinstance(told, dict):
        # Where no step was counted there was no noise to measure.
        return None, []
    wrong = [*differs("details.noise.declared", told.get("declared"), run.sigma2, "the procedure's sigma2 is")]
    wrong += differs("details.noise.significance", told.get("significance"), _SIGNIFICANCE, "the test's is")
    wrong += differs("details.noise.power", told.get("power"), _POWER, "the test's is")
    updates = [each for each in told["updates"] if isinstance(each, dict)]
    expected = [each * run.parameters for each in counted if each]
    wrong += differs("details.noise.updates: counts", [each["count"] for each in updates], expected, "steps times parameters are")
    each_share = _SIGNIFICANCE / len(counted)
    holds = True
    for index, update in enumerate(updates):
        within, said = _accepted(update, run.sigma2, each_share, f"details.noise.updates[{index}]")
        holds, wrong = holds and within, [*wrong, *said]
    within, said = _accepted(told, run.sigma2, _SIGNIFICANCE, "details.noise")
    wrong += said
    total = sum(int(each["count"]) for each in updates)
    wrong += differs("details.noise.count", told.get("count"), total, "its updates add up to")
    detects = detectable_deviation(total, significance=_SIGNIFICANCE, power=_POWER)
    wrong += differs("details.noise.detects", told.get("detects"), detects, "the test finds")
    pooled = sum(each["count"] * each["measured"] for each in updates) / total
    spread = sum(each["count"] * (each["high"] - each["low"]) for each in updates) / total + told["high"] - told["low"]
    if abs(pooled - told["measured"]) > spread / _SHARES / 2 * (1 + 1e-6):
        wrong.append(f"details.noise.measured is {told['measured']:g}, its updates make it {pooled:g}")
    return holds and within, wrong


def _accepted(told: Mapping[str, Any], declared: float, significance: float, where: str) -> tuple[bool, list[str]]:
    """Whether a mean square lies in the interval that it has to, and what is wrong with the numbers that say so."""
    total, measured = count(told.get("count")), number(told.get("measured"))
    if not total or measured is None:
        return False, [f"{where} has no count or no measured variance"]
    interval = accepted_variance(declared, total, significance=significance)
    wrong = [
        message
        for name in ("low", "high")
        for message in differs(f"{where}.{name}", told.get(name), getattr(interval, name), "the test accepts")
    ]
    share = (interval.high - interval.low) / _SHARES
    parts = (measured - declared) / share
    if abs(parts - round(parts)) > 1e-6 * max(1.0, abs(parts)):
        wrong.append(f"{where}.measured is {measured:g}, not rounded to a part of its interval")
    return interval.low <= measured <= interval.high, wrong
