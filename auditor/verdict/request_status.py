"""The status of one request: what the log records, what was found of its data, what can be said of the model, and the deadline.

The log's word is the first link of a chain, and no more: what it records as executed is not called erased, or carried out in
time, where the same audit found the data again, or where the model failed its checks or was not examined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Final

from auditor.base.deletion_log.deadlines import (
    LATE,
    PENDING,
    ByDue,
    Confirmed,
    Due,
    Timing,
    answers_recorded,
    confirmed,
    declared_days,
    due,
    erased_by_due,
    in_doubt,
    informed_by_due,
    records_answer,
    timing,
    without_reason,
)
from auditor.base.deletion_log.requests import RequestOutcome, StorageState
from auditor.base.domain import ClaimStatus, Guarantee, Status
from auditor.base.kept_for_last import kept_for_last
from auditor.document.evidence import Evidence
from auditor.verdict import examination
from auditor.verdict.checks import definitions, derived_in, observed_in, the
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.readings import LeavesOpen, NamesRequests, Search, is_unseen
from auditor.verdict.grade import NO_USE, guesses
from auditor.verdict.reliance import HOLDING

_NOT_OF_FORGETTING: Final = frozenset({Role.USEFULNESS, Role.CALIBRATES, Role.SHOWS_DELETIONS})
"""Roles of checks of the model whose failure says nothing of what it remembers."""


class Data(StrEnum):
    """What the search found of one request's records."""

    FOUND = "found"
    NOT_FOUND = "not-found"
    OPEN = "open"
    """It was searched, and some place may hold what the search could not see."""
    NOT_EXAMINED = "not-examined"


class Model(StrEnum):
    """What can be said of the model about to be released."""

    SHOWN = "shown"
    SUPPORTED = "supported"
    NOT_SHOWN = "not-shown"
    REFUTED = "refuted"
    """A promise is refuted, or a check of what the model remembers failed."""
    NOT_EXAMINED = "not-examined"
    """No model file was given, or nothing examined one."""


class StillThere(StrEnum):
    """Why data were not erased by the deadline that were by the log's dates."""

    AGAIN = "again"
    """The same audit found them."""
    MARKED = "marked"
    """The log itself only marks them as erased."""


BECAME: Final[Mapping[str, frozenset[str]]] = {
    "deleted": frozenset({"executed"}),
    "nothing": frozenset({"no-match"}),
    "refused": frozenset({"denied"}),
    "withdrew": frozenset({"revoked"}),
    "waiting": frozenset({"open", "not-located"}),
}
"""What becomes of people, by the statuses of their requests."""


@dataclass(frozen=True, slots=True)
class Became:
    """What became of the people who asked for erasure, by the log."""

    people: int
    by_outcome: Mapping[str, int]
    """People by what became of a request of theirs, as `BECAME` names it; one with several outcomes is counted at each."""
    several: int
    """People with requests of several outcomes."""
    records: int
    """Training records that were deleted: not an id of which nothing is held."""


def became(evidence: Evidence) -> Became:
    """Count the people of the log and the records that were deleted: every page asks here.

    A request without a pseudonym is a person's of its own.
    """
    of = {name: _people(each for each in evidence.requests if each.status in states) for name, states in BECAME.items()}
    outcomes = Counter(person for people in of.values() for person in people)
    several = sum(count > 1 for count in outcomes.values())
    gone = evidence.case.training_records - evidence.case.records_left
    counts = {name: len(people) for name, people in of.items()}
    return Became(len(_people(evidence.requests)), counts, several, gone)


def _people(requests: Iterable[RequestOutcome]) -> set[tuple[str, str]]:
    return {("request", each.request_id) if each.subject is None else ("person", each.subject) for each in requests}


@dataclass(frozen=True, slots=True)
class Chain:
    """The status of one request."""

    recorded: str
    """By the log: executed, open, denied, revoked, not-located or no-match."""
    data: Data | None
    """None where the log records nothing that a search could hold it to: the request is open, or was turned down."""
    model: Model | None
    """None where nothing was to be removed from a model."""
    timing: Timing
    in_doubt: bool
    """Whether it is late or not as a doubt about who the person is stopped the clock, or did not."""
    erased: ByDue
    model_erased: ByDue
    """Of its date alone: what the log does not date is not known."""
    informed: ByDue
    extended: bool
    """Whether an extension moved the deadline."""
    paused_days: int
    marked: bool
    """Whether the log itself says that the data are only marked as erased, and still there."""
    without_reason: bool
    """Whether it was refused, and the log lacks the reason or the exception of the law."""

    @property
    def late(self) -> bool:
        """Whether the deadline was missed for certain, as `log.deadlines` counts it."""
        return self.timing in LATE and not self.in_doubt

    @property
    def open_late(self) -> bool:
        """Whether it is still to be carried out after its deadline, whatever its person was told meanwhile."""
        return self.recorded in PENDING and self.late

    @property
    def erased_in_time(self) -> ByDue | StillThere:
        """Whether the data were erased by the deadline: not where the same audit found them, or the log only marks them."""
        if self.erased is not ByDue.MET:
            return self.erased
        if self.data is Data.FOUND:
            return StillThere.AGAIN
        return StillThere.MARKED if self.marked else ByDue.MET

    @property
    def confirmed(self) -> bool:
        """Whether what the log records as executed holds, as far as anybody examined it: data and model both."""
        return self.recorded == "executed" and self.data is Data.NOT_FOUND and self.model in {Model.SHOWN, Model.SUPPORTED}

    @property
    def contradicted(self) -> bool:
        """Whether the audit found otherwise than the log records."""
        return self.data is Data.FOUND or self.model is Model.REFUTED


@kept_for_last
def chains(evidence: Evidence) -> tuple[Chain, ...]:
    """Say the status of every request, in the order of the log."""
    search, model, clock = _search(evidence), _Model.of(evidence), _Clock.of(evidence)
    alike = dict[Chain, Chain]()  # of a hundred thousand few are different
    every = (_chain(each, search, model, clock) for each in evidence.requests)
    return tuple(alike.setdefault(each, each) for each in every)


def chain(evidence: Evidence, request: RequestOutcome) -> Chain:
    """Say the status of one request; of many, `chains` is quicker."""
    return _chain(request, _search(evidence), _Model.of(evidence), _Clock.of(evidence))


def is_marked(status: str, stored: StorageState | None) -> bool:
    """Whether a log that records an erasure says itself that the data are only marked as erased: that is not complete."""
    return status == "executed" and stored is StorageState.LOGICAL


def confirmations(evidence: Evidence) -> Counter[Confirmed]:
    """Count whether receipt of requests was confirmed in time, which California asks for."""
    holidays = frozenset(evidence.deletion_log.holidays)
    return Counter(confirmed(each, holidays) for each in evidence.requests)


def found_again(evidence: Evidence) -> int:
    """Count the requests whose records were found, although the log says that they are gone: of these it is no evidence."""
    return sum(each.data is Data.FOUND for each in chains(evidence))


@dataclass(frozen=True, slots=True)
class _Clock:
    """What of the case moves a deadline."""

    days: int | None
    holidays: frozenset[date]
    closing: date
    recorded: frozenset[bool]
    """Whose answers the log records, as `answers_recorded` says it."""

    @classmethod
    def of(cls, evidence: Evidence) -> _Clock:
        return cls(
            declared_days(evidence.policy.settings),
            frozenset(evidence.deletion_log.holidays),
            evidence.audit.started_at.date(),
            answers_recorded(evidence.requests),
        )


def _chain(request: RequestOutcome, search: _Search, model: _Model, clock: _Clock) -> Chain:
    executed = request.status == "executed"
    deadline = due(request, clock.days, clock.holidays)
    doubtful = _doubtful(request, deadline, clock)
    erased, informed, updated = _by_due(request, deadline, doubtful=doubtful)
    return Chain(
        recorded=request.status,
        data=search.of(request) if executed or request.status == "no-match" else None,
        model=model.of_request(request) if executed and model.learned else None,
        timing=timing(request),
        in_doubt=doubtful,
        erased=erased,
        model_erased=updated,
        informed=informed,
        extended=request.extension is not None and deadline.extended,
        paused_days=request.paused_days,
        marked=is_marked(request.status, request.storage_state),
        without_reason=without_reason(request),
    )


def _doubtful(request: RequestOutcome, deadline: Due, clock: _Clock) -> bool:
    return in_doubt(request, deadline, closing=clock.closing, informs=records_answer(request, clock.recorded))


def _by_due(request: RequestOutcome, deadline: Due, *, doubtful: bool) -> tuple[ByDue, ByDue, ByDue]:
    """Say whether the data were erased, the person informed, and the model updated by the deadline."""
    lenient = replace(request, due_on=deadline.latest, overdue=request.overdue and not doubtful)

    def by_due(asked: Callable[[RequestOutcome], ByDue]) -> ByDue:
        strict = asked(request)
        return ByDue.IN_DOUBT if strict is ByDue.MISSED and asked(lenient) is not ByDue.MISSED else strict

    return by_due(erased_by_due), by_due(informed_by_due), by_due(_updated_by_due)


def _updated_by_due(request: RequestOutcome) -> ByDue:
    if request.model_erased_at is None:
        return ByDue.NOT_KNOWN
    return ByDue.MISSED if request.model_erased_at.date() > request.due_on else ByDue.MET


@dataclass(frozen=True, slots=True)
class _Search:
    """What the search of everything that is kept found, for all requests."""

    examined: bool
    found: _Named
    open_to: tuple[_Named, ...] | None
    """Those that what is left open concerns; None where it may concern any. What is not found of others was not there."""

    def of(self, request: RequestOutcome) -> Data:
        if self.found.holds(request):
            return Data.FOUND
        if not self.examined:
            return Data.NOT_EXAMINED
        return Data.OPEN if self.open_to is None or any(each.holds(request) for each in self.open_to) else Data.NOT_FOUND


@dataclass(frozen=True, slots=True)
class _Named:
    """Requests that a search names, by id, and by person where a ticket of the log has two."""

    ids: frozenset[str] = frozenset()
    rows: frozenset[tuple[str, str | None]] | None = None
    unreadable: bool = False
    """Whether the document names none that can be read: then it may name any."""

    @classmethod
    def of(cls, found: NamesRequests | None) -> _Named:
        if found is None:
            return cls()
        rows = frozenset(zip(found.request_ids, found.subjects, strict=False)) if found.subjects else None
        return cls(frozenset(found.request_ids), rows)

    def holds(self, request: RequestOutcome) -> bool:
        if self.rows is None:
            return self.unreadable or request.request_id in self.ids
        return (request.request_id, request.subject) in self.rows


def _search(evidence: Evidence) -> _Search:
    searching = the(examination.searching(evidence), evidence.version)
    check = next((each for each in evidence.checks if each.id == searching), None)
    status = check.status if check else Status.SKIPPED
    there = evidence.case.store is not None or bool(evidence.case.places)
    examined = there and status in {Status.PASS, Status.FAIL, Status.INCONCLUSIVE}
    try:
        observed = None if check is None else observed_in(check, evidence.version)
        derived = None if check is None else derived_in(check, evidence.version)
    except ValueError:
        return _Search(examined=examined, found=_Named(unreadable=True), open_to=None)
    searched = observed if isinstance(observed, Search) else None
    left = derived if isinstance(derived, LeavesOpen) else None
    return _Search(examined=examined, found=_Named.of(searched), open_to=_open_to(status, left))


def _open_to(status: Status, left: LeavesOpen | None) -> tuple[_Named, ...] | None:
    """The requests that a search leaves open; None where it may be any."""
    match status:
        case Status.PASS:
            return ()
        case Status.FAIL if left is not None and not (left.open_places or _unknown(left)):
            return (_Named.of(left.copied),)
        case Status.INCONCLUSIVE if left is not None and not left.any_request:
            return (_Named.of(left.open_to), _Named.of(left.copied))
        case _:
            # A failure says that something was found, and nothing of the places that were left open alongside it.
            return None


def _unknown(left: LeavesOpen) -> bool:
    """Whether content is left that may hold anybody."""
    return any(map(is_unseen, left.unexplained))


@dataclass(frozen=True, slots=True)
class _Model:
    """What was found of the model, for all requests."""

    learned: bool
    """Whether anything was learned from the records, so that something was to be removed from a model."""
    refuted: bool
    examined: bool
    exact: bool
    """Whether retraining, or private training, is supported of every request, with or without a guarantee."""
    firm: Mapping[str, ClaimStatus]
    """Guarantees that hold and promise something."""

    @classmethod
    def of(cls, evidence: Evidence) -> _Model:
        held = any(each.name in {"dp", "retraining"} and each.standing in HOLDING for each in evidence.reliance.claims)
        return cls(
            learned=not evidence.places_alone,
            refuted=_failed(evidence) or any(each.status is ClaimStatus.REFUTED for each in evidence.guarantees),
            examined=evidence.case.model_alone and evidence.examined.procedure,
            exact=(held and not examination.carries(evidence)) or examination.retrained(evidence),
            firm={each.id: each.status for each in evidence.guarantees if each.status in HOLDING and _of_use(each)},
        )

    def of_request(self, request: RequestOutcome) -> Model:
        if self.refuted:
            return Model.REFUTED
        if not self.examined:
            return Model.NOT_EXAMINED
        covering = {self.firm[name] for name in request.guarantees if name in self.firm}
        if ClaimStatus.SHOWN in covering:
            return Model.SHOWN
        return Model.SUPPORTED if covering or self.exact else Model.NOT_SHOWN


def _of_use(guarantee: Guarantee) -> bool:
    share = guesses(guarantee)
    return share is None or share < NO_USE


def _failed(evidence: Evidence) -> bool:
    """Whether a check of what the model remembers failed."""
    known = definitions(evidence.version).items()
    about = {name for name, each in known if each.card.letter is not None and not each.card.roles & _NOT_OF_FORGETTING}
    return any(each.status is Status.FAIL and each.id in about for each in evidence.checks)
