"""People and deadlines: how many requests came how far, and the exceptions alone; an attached file has every row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from auditor.base.deletion_log.deadlines import ByDue, Timing, denies_erasure, rule
from auditor.base.deletion_log.deletions import HARMLESS, NOTED
from auditor.base.deletion_log.requests import ClockPause, LogFinding, RequestOutcome, StorageState
from auditor.pages import wording
from auditor.pages.main import times
from auditor.pages.main.times import Answers
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import either, text
from auditor.pages.words.verdict import unchecked
from auditor.verdict import examination
from auditor.verdict.examination import ModelFile
from auditor.verdict.request_status import Chain, Data, Model, StillThere, chains

_MOST_EXCEPTIONS: Final = 6
_FEWEST_EXCEPTIONS: Final = 4
MOST_COUNTED: Final = 12
"""Requests that a page counts as late, groundless, in doubt or waiting: so many are named, whatever room there is."""
_FOUND, _REGULAR = 0, 5
"""Ranks of requests whose data were found again, and of those of which no page counts anything wrong."""
_ROOM: Final = 15
"""Rows of states and exceptions together for which the page has room."""
MOST_PROBLEMS: Final = 5
"""Problems of the log that are listed."""
MOST_BARS: Final = 10
"""Requests that the timeline draws."""
_OF_MODELS: Final = {ByDue.MISSED: "main-exception-model-late", ByDue.IN_DOUBT: "main-exception-model-in-doubt"}
_BAD: Final = frozenset({Data.FOUND, Model.REFUTED, ByDue.MISSED, StillThere.AGAIN, "not-located"})


@dataclass(frozen=True, slots=True)
class Stage:
    """How many requests are in one state, at one link of the chain."""

    link: str
    """Of the chain; empty where it is that of the row above."""
    state: str
    count: int
    bad: bool


@dataclass(frozen=True, slots=True)
class Exceptional:
    """One request that did not go as it should, was turned down, or took longer."""

    request_id: str
    received: str
    due: str
    said: str


@dataclass(frozen=True, slots=True)
class Overview:
    """What the page prints of the requests."""

    stages: tuple[Stage, ...]
    exceptions: tuple[Exceptional, ...]
    """Those that the page has room for, what is late or unlawful first; the attached file has all."""
    unlisted: int
    """How many more there are."""
    answers: Answers
    tickets: int
    """Ids of requests: one that several people share is a request of each."""


def overview(told: Told) -> Overview:
    """Where all requests stand: counts by state along the chain, and exceptions."""
    found = chains(told.evidence)
    in_part = examination.model_file(told.evidence) is ModelFile.PART
    by_word = examination.by_word(told.evidence)
    stages = tuple(_stages(found, trusted=bool(unchecked(told.evidence)), in_part=in_part, by_word=by_word))
    listed = [
        Exceptional(each.request_id, wording.day(each.received_on), wording.day(each.due_on), " ".join(said))
        for each, chain in _worst_first(told, found)
        if (said := tuple(_said(each, chain)))
    ]
    # Of many whose data were found again each row says the same.
    counted = sum(_FOUND < _rank(pair[1]) < _REGULAR for pair in zip(told.requests, found, strict=True))
    room = max(_FEWEST_EXCEPTIONS, min(MOST_COUNTED, counted), min(_MOST_EXCEPTIONS, _ROOM - len(stages)))
    return Overview(
        stages,
        tuple(listed[:room]),
        max(0, len(listed) - room),
        times.answers(found),
        len({each.request_id for each in told.requests}),
    )


def doubtful(told: Told) -> tuple[bool, ...]:
    """Of each request whether only a doubt about who the person is makes it late or not."""
    return tuple(each.in_doubt for each in chains(told.evidence))


@dataclass(frozen=True, slots=True)
class Overdue:
    """A request that fails the deadlines, for a reviewer."""

    request_id: str
    regime: str
    received: str
    due: str
    said: str


def overdue(told: Told) -> tuple[Overdue, ...]:
    """List every request that is overdue or was refused without a reason, the worst first."""
    return tuple(
        Overdue(
            each.request_id,
            each.regime.value,
            wording.day(each.received_on),
            wording.day(each.due_on),
            " ".join(_wrong(each, chain)),
        )
        for each, chain in _worst_first(told, chains(told.evidence))
        if each.overdue or chain.without_reason
    )


def problems(told: Told) -> tuple[LogFinding, ...]:
    """Problems of the log."""
    return tuple(each for each in told.deletion_log.problems if each.code not in HARMLESS)


def amendments(told: Told) -> tuple[LogFinding, ...]:
    """What later rows of the log replaced: the earlier word stays visible, and it is no problem."""
    return tuple(each for each in told.deletion_log.problems if each.code in NOTED)


def _worst_first(told: Told, found: Sequence[Chain]) -> list[tuple[RequestOutcome, Chain]]:
    """Every request with its chain, the worst first; each group keeps the order of the log, as sorting is stable."""
    return sorted(zip(told.requests, found, strict=True), key=lambda pair: _rank(pair[1]))


def _rank(chain: Chain) -> int:
    """The worst first: whose data are still there, who still waits, who was answered late or without a ground, and the rest."""
    if chain.data is Data.FOUND:
        return _FOUND
    if chain.open_late or (chain.late and chain.timing is Timing.NOT_INFORMED):
        return 1
    if chain.late or chain.without_reason or chain.erased is ByDue.MISSED:
        return 2
    if chain.in_doubt or chain.erased is ByDue.IN_DOUBT or chain.model_erased in _OF_MODELS or chain.marked:
        return 3
    return 4 if chain.timing is Timing.PAUSED else _REGULAR


def _stages(found: tuple[Chain, ...], *, trusted: bool, in_part: bool, by_word: bool) -> Iterator[Stage]:
    links: Mapping[str, Counter[str]] = {
        "recorded": Counter(each.recorded for each in found),
        "data": Counter(each.data for each in found if each.data is not None and each.recorded == "executed"),
        # A guarantee that is shown may take something for granted in its own words.
        "model": Counter(
            Model.SUPPORTED if trusted and each.model is Model.SHOWN else each.model for each in found if each.model is not None
        ),
        "erased-by": Counter(each.erased_in_time for each in found),
        "informed-by": Counter(each.informed for each in found),
    }
    for link, counts in links.items():
        for place, (state, count) in enumerate(counts.most_common()):
            lead = text(f"main-link-{link}") if place == 0 else ""
            key = f"main-{link}-{state}"
            if in_part and state is Model.NOT_EXAMINED:
                key = "main-model-in-part"
            elif by_word and state is Data.NOT_FOUND:
                key = "main-data-not-found-by-word"
            name = either(key, wording.shown(str(state)))
            yield Stage(lead, name, count, state in _BAD)


def _said(request: RequestOutcome, chain: Chain) -> Iterator[str]:
    yield from _wrong(request, chain)
    if request.reason or request.exception:
        given = "; ".join(wording.short(each, 120) for each in (request.exception, request.reason) if each)
        yield text("main-exception-reason", given=given)
    if chain.extended:
        yield text("main-exception-extended")
    elif request.extension is not None:
        yield text("main-exception-not-extended")
    if chain.paused_days:
        yield text("main-exception-paused-days", count=chain.paused_days)


def _stands_still(request: RequestOutcome) -> str:
    """Since when the clock stands still, and why, by the log."""
    stops = rule(request.regime, request.received_on).stops
    since = min((each for each in request.clock_pauses if each.resumed_at is None and each.awaits in stops), key=_begun)
    return text("main-exception-paused", day=wording.day(since.paused_at.date()), reason=wording.short(since.reason or "", 120))


def _begun(pause: ClockPause) -> datetime:
    return pause.paused_at


def _doubt(request: RequestOutcome, chain: Chain) -> str:
    """Say what only a doubt about who asked may excuse."""
    if request.answered_at is not None:
        return "in-doubt"
    return "in-doubt-erased" if chain.timing is Timing.ERASED_LATE else "in-doubt-unanswered"


def _still_there(chain: Chain) -> Iterator[str]:
    if chain.data is Data.FOUND:
        yield text("main-exception-again")
    if chain.marked:
        yield text("main-exception-marked")


def _wrong(request: RequestOutcome, chain: Chain) -> Iterator[str]:
    """What did not go as it should, each in a sentence."""
    yield from _still_there(chain)
    data, model = request.data_erased_at, request.model_erased_at
    contradicted = request.status == "open" and denies_erasure(request.status, data=data, model=model)
    if data is not None and request.status == "open":
        done = "marked" if request.storage_state is StorageState.LOGICAL else "erased"
        yield text(f"main-exception-{done}-while-open", day=wording.day(data.date()))
    if contradicted:
        yield text("main-exception-contradicted")
    elif chain.in_doubt:
        yield text(f"main-exception-{_doubt(request, chain)}")
    elif chain.late:
        yield text(f"main-exception-{(Timing.OPEN_LATE if chain.open_late else chain.timing).value}")
    elif chain.timing is Timing.PAUSED:
        yield _stands_still(request)
    if chain.erased is ByDue.MISSED and not chain.open_late and chain.timing is not Timing.ERASED_LATE:
        yield text("main-exception-erased-late")
    if chain.model_erased in _OF_MODELS:
        yield text(_OF_MODELS[chain.model_erased])
    if chain.without_reason:
        yield text("main-exception-groundless")
    elif request.status != "executed" and not contradicted and not chain.open_late and chain.timing is not Timing.PAUSED:
        yield either(f"main-exception-{request.status}", text("main-exception-other"))
