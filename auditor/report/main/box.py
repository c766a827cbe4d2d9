"""The box of the decision page: six rows, each with its mark and one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from auditor.checks import judging_unlearning
from auditor.deadlines import Timing, timing
from auditor.domain import Status, Strength, Verdict
from auditor.report.main.light import Light
from auditor.words import verdict as verdicts
from auditor.words.texts import text
from auditor.words.told import Told, ToldCheck

STORED: Final = frozenset({"copies-are-others", "store-holds-no-copies"})
"""Statements that a search of the store may rest on."""
RECOGNISING: Final = ("release.remembers", "swap.quality", "epsilon.consistency", "inference.difference", "swap.strong")
"""Checks in which attacks recognise deleted records."""
OF_FILE: Final = frozenset({"removal.residual", "release.remembers"})
"""Checks of the unlearning that examine the model file, where there is one."""
COMPARING: Final = ("inference.example", "inference.instance")
"""Checks in which attacks name the deleted one of two records, by the models before and after."""
REBUILDING: Final = ("reconstruction.label", "reconstruction.instance", "reconstruction.sentence")
"""Checks in which attacks rebuild a deleted record, by the models before and after."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the box."""

    area: str
    light: Light
    said: str
    bad: bool = False
    """Whether something was found that should not be."""


def rows(told: Told) -> tuple[Row, ...]:
    """What was examined, and what came of it: model file, store, procedure, people found again, time, strength.

    Of a whole controller alone: the program, what it keeps, strength.
    """
    if not told.evidence.learns:
        return _program(told), _kept(told), _strength(told)
    return _model(told), _store(told), _procedure(told), _people(told), _time(told), _strength(told)


def named(told: Told, check_id: str) -> ToldCheck | None:
    """A check by its id; None where the evidence has none."""
    return next((check for check in told.checks if check.id == check_id), None)


def status(told: Told, check_id: str) -> Status | None:
    """The status of a check; None where the evidence has none."""
    found = named(told, check_id)
    return None if found is None else found.status


def _row(name: str, light: Light, said: str, *, bad: bool = False, **given: str | int) -> Row:
    return Row(text(f"main-box-{name}"), light, text(f"main-box-{name}-{said}", **given), bad)


def _program(told: Told) -> Row:
    match status(told, "privacy.continual"):
        case Status.PASS:
            return _row("program", Light.HALF, "noise")
        case Status.FAIL:
            return _row("program", Light.EMPTY, "no-noise", bad=True)
        case _:
            return _past(told)


def _past(told: Told) -> Row:
    """Whether its state shows what was there before: noise hides people where it does."""
    match status(told, "state.history_independent"):
        case Status.PASS:
            trusted = bool(verdicts.unchecked(told.evidence))
            return _row("program", Light.HALF, "trusted" if trusted else "same")
        case Status.FAIL:
            return _row("program", Light.EMPTY, "different", bad=True)
        case Status.INCONCLUSIVE:
            return _row("program", Light.HALF, "open")
        case _:
            return _row("program", Light.EMPTY, "none")


def _kept(told: Told) -> Row:
    erased = named(told, "data.erased")
    match None if erased is None else erased.status:
        case Status.PASS:
            trusted = bool(verdicts.unchecked(told.evidence))
            return _row("kept", Light.HALF if trusted else Light.FULL, "clean")
        case Status.FAIL:
            return _row("kept", Light.EMPTY, "found", bad=True, count=int(0 if erased is None else erased.value or 0))
        case Status.INCONCLUSIVE:
            return _row("kept", Light.HALF, "open")
        case _:
            return _row("kept", Light.EMPTY, "none")


def _model(told: Told) -> Row:
    if told.case.model is None:
        return _row("model", Light.EMPTY, "none" if told.evidence.reruns else "answers")
    match status(told, "model.reproduced"):
        case Status.PASS:
            return _row("model", Light.FULL, "same") if told.case.model_alone else _row("model", Light.HALF, "part")
        case Status.FAIL:
            return _row("model", Light.EMPTY, "other", bad=True)
        case _:
            return _row("model", Light.HALF if told.evidence.examined.model else Light.EMPTY, "open")


def _store(told: Told) -> Row:
    erased = named(told, "data.erased")
    found = None if erased is None else erased.value
    if erased is not None and erased.status is Status.FAIL and found:
        return _row("store", Light.EMPTY, "found", bad=True, count=int(found))
    if told.case.store is None:
        return _row("store", Light.EMPTY, "none")
    if erased is None or erased.status is not Status.PASS:
        return _row("store", Light.HALF if told.evidence.examined.store else Light.EMPTY, "open")
    trusted = STORED & set(told.evidence.reliance.statements)
    return _row("store", Light.HALF, "trusted") if trusted else _row("store", Light.FULL, "clean")


def _procedure(told: Told) -> Row:
    judging = judging_unlearning(told.policy.required, told.audit.auditor_version)
    other = status(told, "model.reproduced") is Status.FAIL  # then what a file shows is no fault of the procedure
    outcomes = [check.status for check in told.checks if check.id in judging and not (other and check.id in OF_FILE)]
    failed = Status.FAIL in outcomes
    if not told.evidence.reruns:
        return _row("procedure", Light.EMPTY, "answered-wrongly" if failed else "not-run", bad=failed)
    if failed:
        return _row("procedure", Light.EMPTY, "fails", bad=True)
    if told.audit.failure is not None:
        return _row("procedure", Light.EMPTY, "broke")
    if not told.evidence.examined.procedure or not outcomes:
        return _row("procedure", Light.EMPTY, "none")
    if any(each is not Status.PASS for each in outcomes):
        return _row("procedure", Light.HALF, "open")
    count = len(verdicts.unchecked(told.evidence))
    return _row("procedure", Light.HALF, "trusted", count=count) if count else _row("procedure", Light.FULL, "met")


def _people(told: Told) -> Row:
    erased = named(told, "data.erased")
    again = 0 if erased is None else len(erased.details.get("request_ids") or ())
    if again:
        return _row("people", Light.EMPTY, "data", bad=True, count=again)
    for checks, said in ((RECOGNISING, "model"), (COMPARING, "compared"), (REBUILDING, "rebuilt")):
        if any(status(told, each) is Status.FAIL for each in checks):
            return _row("people", Light.EMPTY, said, bad=True)
    searched = erased is not None and erased.status is Status.PASS
    if Status.PASS in {status(told, "release.exact"), status(told, "release.remembers")} and searched:
        return _row("people", Light.FULL, "none") if told.evidence.examined.model else _row("people", Light.HALF, "rerun")
    if status(told, "swap.quality") is Status.PASS and searched:
        return _row("people", Light.HALF, "game")
    return _row("people", Light.HALF, "open") if searched else _row("people", Light.EMPTY, "unknown")


def _time(told: Told) -> Row:
    if overdue := len(told.deletion_log.overdue):
        return _row("time", Light.EMPTY, "late", bad=True, count=overdue)
    if status(told, "log.deadlines") is not Status.PASS or not told.requests:
        return _row("time", Light.HALF if told.requests else Light.EMPTY, "open")
    if any(timing(each) is Timing.NOT_RECORDED for each in told.requests):
        return _row("time", Light.HALF, "done")
    return _row("time", Light.FULL, "all", count=len(told.requests))


def _strength(told: Told) -> Row:
    grade = told.evidence.strength
    if grade is None or told.verdict is not Verdict.PASS:
        return _row("strength", Light.EMPTY, "none")
    light = {Strength.A: Light.FULL, Strength.B: Light.HALF, Strength.C: Light.HALF}.get(grade, Light.EMPTY)
    said = verdicts.worth(told.evidence)
    return Row(text("main-box-strength"), light, text("main-box-strength-grade", grade=grade.value, said=said))
