"""The box of the decision page: rows, each with its mark and one sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from auditor.base.domain import ClaimStatus, Status, Strength, Verdict
from auditor.pages import right_guesses, wording
from auditor.pages.main import Light, times
from auditor.pages.words import numbers
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.informative_findings import Met, informative, noticed
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.verdict import conclusion, examination, request_status
from auditor.verdict.checks import judging_unlearning
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.readings import LeavesOpen, Search
from auditor.verdict.examination import ModelFile, Searched

_FOUND_BY: Final = {
    Role.RECOGNISES: "model",
    Role.ATTACKS_ANSWERS: "model",
    Role.NAMES_DELETED: "compared",
    Role.REBUILDS: "rebuilt",
}
"""By which attacks people are found again, and what the cover says then."""
ATTACKING: Final = frozenset({Role.RECOGNISES, Role.ATTACKS_RELEASE, Role.ATTACKS_RECORDS, Role.ATTACKS_ANSWERS})
"""Roles of checks that attack one model; where one of them fails, it is known that people can be picked out."""
_SAME_SEED: Final = frozenset({"state.history_independent.identical-only", "state.history_independent.identical-within"})
"""Why a program passes whose state is the same only in law, or nearly so."""
_WITHIN: Final = "state.history_independent.within"
"""Why a program passes whose noise hides the past as far as a number says."""
_PROVING: Final = frozenset({Role.PROVES, Role.ADAPTIVE, Role.STATELESS})
"""Roles of checks that calculate what is left, or examine what the calculation needs."""
_OF_FILE: Final[Mapping[ModelFile, Light]] = {
    ModelFile.SAME: Light.FULL,
    ModelFile.PART: Light.HALF,
    ModelFile.OTHER: Light.BAD,
    ModelFile.OPEN: Light.EMPTY,
    ModelFile.NONE: Light.EMPTY,
    ModelFile.ANSWERS: Light.EMPTY,
}
_OF_STORE: Final[Mapping[Searched, Light]] = {
    Searched.CLEAN: Light.FULL,
    Searched.TRUSTED: Light.HALF,
    Searched.OPEN: Light.HALF,
    Searched.ELSEWHERE: Light.HALF,
    Searched.FOUND: Light.BAD,
    Searched.UNSEARCHED: Light.EMPTY,
    Searched.NONE: Light.EMPTY,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the box."""

    area: str
    light: Light
    said: str

    @property
    def bad(self) -> bool:
        """Whether something was found that should not be."""
        return self.light is Light.BAD


def rows(told: Told) -> tuple[Row, ...]:
    """What was examined, and what came of it: model file, store, procedure, people found again, the two of time, strength.

    Of a whole controller alone: the program, what it keeps, strength. Of places alone: the model that nobody examined, the
    places, the two of time.
    """
    if told.evidence.places_alone:
        return _no_model(told), _store(told), *_times(told)
    if not told.evidence.learns:
        return _program(told), kept(told), _strength(told)
    return _model(told), _with_copies(told, _store(told)), _procedure(told), _people(told), *_times(told), _strength(told)


def named(told: Told, role: Role) -> ToldCheck | None:
    """The check that has a role; None where the evidence has none."""
    return next(having(told, role), None)


def having(told: Told, *roles: Role) -> Iterator[ToldCheck]:
    """The checks of the evidence that have one of some roles, in its order."""
    return (check for check in told.checks if not check.card.roles.isdisjoint(roles))


def search(told: Told) -> Search | None:
    """Read what the search for deleted records observed; None where there was none."""
    check = named(told, examination.searching(told.evidence))
    seen = None if check is None else check.observed
    return seen if isinstance(seen, Search) else None


def status(told: Told, role: Role) -> Status | None:
    """The status of the check that has a role; None where the evidence has none."""
    found = named(told, role)
    return None if found is None else found.status


def of_file(told: Told) -> Light:
    """The mark of the model file, on every page."""
    return _OF_FILE[examination.model_file(told.evidence)]


def of_store(told: Told) -> Light:
    """The mark of what was searched, on every page."""
    return _OF_STORE[examination.searched(told.evidence)]


def _row(name: str, light: Light, said: str, **given: str | int) -> Row:
    return Row(text(f"main-box-{name}"), light, text(f"main-box-{name}-{said}", **given))


def _program(told: Told) -> Row:
    match status(told, Role.REPORTING_NOISE):
        case Status.PASS:
            return _row("program", Light.HALF, "noise")
        case Status.FAIL:
            return _row("program", Light.BAD, "no-noise")
        case _:
            return _past(told)


def _past(told: Told) -> Row:
    """Whether its state shows what was there before: noise hides people where it does."""
    match status(told, Role.HISTORY):
        case Status.PASS:
            if (allowed := allowed_by_noise(told)) is not None:
                return _row("program", Light.HALF, "within", **allowed)
            if hidden_by_chance(told):
                return _row("program", Light.HALF, "fresh")
            trusted = bool(verdicts.unchecked(told.evidence))
            return _row("program", Light.HALF, "trusted" if trusted else "same")
        case Status.FAIL:
            return _row("program", Light.BAD, "different")
        case Status.INCONCLUSIVE:
            return _row("program", Light.HALF, "open")
        case _:
            return _row("program", Light.EMPTY, "none")


def hidden_by_chance(told: Told) -> bool:
    """Whether histories left different states under one seed, which a fresh one hides by how the program is made."""
    check = examination.check_of(told.evidence, Role.HISTORY)
    return check is not None and any(each.code in _SAME_SEED for each in check.reasons)


def allowed_by_noise(told: Told) -> Mapping[str, str] | None:
    """By which ε and δ states may differ that stand for the same contents; None where they may not."""
    check = examination.check_of(told.evidence, Role.HISTORY)
    within = () if check is None else (each.parameters for each in check.reasons if each.code == _WITHIN)
    return next(({name: numbers.at_most(float(given[name])) for name in ("epsilon", "delta")} for given in within), None)


def kept(told: Told) -> Row:
    """What was found in what a program keeps."""
    erased = named(told, Role.SEARCHES)
    match None if erased is None else erased.status:
        case Status.PASS:
            trusted = bool(verdicts.unchecked(told.evidence))
            return _row("kept", Light.HALF if trusted else Light.FULL, "clean")
        case Status.FAIL:
            return _row("kept", Light.BAD, "found", count=int(0 if erased is None else erased.value or 0))
        case Status.INCONCLUSIVE:
            return _row("kept", Light.EMPTY, "open")
        case _:
            return _row("kept", Light.EMPTY, "none")


def _model(told: Told) -> Row:
    return _row("model", of_file(told), examination.model_file(told.evidence).value, part=told.case.model_part or "")


def _no_model(told: Told) -> Row:
    """What somebody says of a model that was trained on these data: on trust at best."""
    by = conclusion.of(told.evidence).no_model_by
    said = text("main-box-unasked-unsaid") if by is None else text("main-box-unasked-said", name=wording.short(by, 60))
    return Row(text("main-box-unasked"), Light.EMPTY if by is None else Light.HALF, said)


def _store(told: Told) -> Row:
    found, which = examination.searched(told.evidence), "places" if told.evidence.places_alone else "store"
    if found is Searched.FOUND:
        check = named(told, examination.searching(told.evidence))
        return _row(which, of_store(told), found.value, count=int(0 if check is None else check.value or 0))
    row, whose = _row(which, of_store(told), found.value), examination.without_values(told.evidence)
    return row if whose is None else replace(row, said=text("main-box-places-by-id", said=row.said, whose=whose))


def _with_copies(told: Told, row: Row) -> Row:
    """Say alongside it how many deleted records have near copies among the training data, where they have no more than others."""
    erased, seen = named(told, Role.SEARCHES), search(told)
    copies, left = None if seen is None else seen.copies, None if erased is None else erased.derived
    if copies is None or not copies.found or not isinstance(left, LeavesOpen) or left.copies:
        return row
    said = text("main-box-store-copies", said=row.said, found=copies.found, deleted=copies.deleted)
    return replace(row, said=said)


def _procedure(told: Told) -> Row:
    judging = judging_unlearning(told.policy.required, told.audit.auditor_version)
    other = status(told, Role.COMPARES_FILE) is Status.FAIL  # then what a file shows is no fault of the procedure
    outcomes = [
        check.status for check in told.checks if check.id in judging and not (other and Role.EXAMINES_FILE in check.card.roles)
    ]
    failed = Status.FAIL in outcomes
    if not told.evidence.reruns:
        return _row("procedure", Light.BAD, "answered-wrongly") if failed else _row("procedure", Light.EMPTY, "not-run")
    if failed:
        idle = any(each.message == "noticed-left-alone" for each in noticed(told.evidence))
        return _row("procedure", Light.BAD, "idle" if idle else _failing(told, judging))
    if told.audit.failure is not None:
        return _row("procedure", Light.EMPTY, "broke")
    if not told.evidence.examined.procedure or not outcomes:
        return _row("procedure", Light.EMPTY, "none")
    if any(each is not Status.PASS for each in outcomes):
        return _row("procedure", Light.HALF, "open")
    count = len(verdicts.unchecked(told.evidence))
    said = "given" if examination.carries(told.evidence) else "trusted" if count else "met"
    return _row("procedure", Light.FULL if said == "met" else Light.HALF, said, count=count)


def _failing(told: Told, judging: Collection[str]) -> str:
    """Say what failed of how it forgets: something that was found, or its proof alone."""
    failed = [check for check in told.checks if check.id in judging and check.status is Status.FAIL]
    if any(each.status is ClaimStatus.REFUTED for each in told.guarantees) or not all(map(_bounds, failed)):
        return "fails"
    return "unproved" if right_guesses.falls_short(told) else "premise"


def _bounds(check: ToldCheck) -> bool:
    return not check.card.roles.isdisjoint(_PROVING) and Role.EXAMINES_FILE not in check.card.roles


def _people(told: Told) -> Row:
    if again := request_status.found_again(told.evidence):
        return _row("people", Light.BAD, "data", count=again)
    if (by := _found_by(told)) is not None:
        without_file = by == "model" and examination.model_file(told.evidence) is ModelFile.NONE
        row = _row("people", Light.BAD, "model-rerun" if without_file else by)
        allowed = told.verdict is Verdict.PASS
        return replace(row, said=text("main-box-people-allowed", said=row.said)) if allowed else row
    stored = examination.searched(told.evidence)
    if stored not in {Searched.CLEAN, Searched.TRUSTED}:
        # Without a store, what was searched is no place where people's data are kept.
        return _row("people", Light.EMPTY, "unsearched" if stored is Searched.NONE else "unknown")
    attacked = status(told, Role.ATTACKS_RELEASE) is Status.PASS
    if attacked or examination.retrained(told.evidence):
        if examination.model_file(told.evidence) is not ModelFile.SAME:  # what the rerun shows is not shown of another file
            return _row("people", Light.HALF, "rerun")
        return _row("people", Light.FULL if stored is Searched.CLEAN else Light.HALF, "none" if attacked else "exact")
    return _row("people", Light.HALF, "game" if status(told, Role.ATTACKS_RECORDS) is Status.PASS else "open")


def _found_by(told: Told) -> str | None:
    """By which attacks people are found again; None where none finds them."""
    # What a policy sets no limit to is found all the same: the second page answers it by the natural threshold.
    natural = informative(told.evidence)
    for role, said in _FOUND_BY.items():
        compares = role in {Role.NAMES_DELETED, Role.REBUILDS}
        for check in having(told, role):
            if check.status is Status.FAIL or (compares and natural.get(check.id) is Met.NOT_MET):
                return said
    return None


def _times(told: Told) -> Iterator[Row]:
    lights = {"trust": Light.HALF, "no": Light.BAD, "unknown": Light.EMPTY}
    for each in times.in_time(told):
        yield Row(text(f"main-box-{each.name}"), lights[each.answer], each.said)


def _strength(told: Told) -> Row:
    grade = told.evidence.strength
    if grade is None or told.verdict is not Verdict.PASS:
        return _row("strength", Light.EMPTY, "none")
    light = {Strength.A: Light.FULL, Strength.B: Light.HALF, Strength.C: Light.HALF}.get(grade, Light.EMPTY)
    said = verdicts.worth(told.evidence)
    return Row(text("main-box-strength"), light, text("main-box-strength-grade", grade=grade.value, said=said))
