"""Crosswalk: which duty each part of this report serves, and what people must add. It names topics and quotes no law."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from auditor.base.deletion_log.deadlines import Confirmed
from auditor.base.deletion_log.requests import Regime
from auditor.base.domain import Verdict
from auditor.pages import wording
from auditor.pages.letters.legal_remedies import OF_THE_CASE
from auditor.pages.main import Light, decision, times
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import text
from auditor.verdict import examination, request_status
from auditor.verdict.examination import Recipients
from auditor.verdict.request_status import Data


@dataclass(frozen=True, slots=True)
class Duty:
    """One duty or guideline, and how far this report goes towards it."""

    source: str
    asks: str
    light: Light
    shows: str
    part: str
    """The page that says more, by its anchor; empty where the row itself says all that there is."""
    add: str
    anchor: str = ""
    """The very row of that page; empty where the page as a whole says it."""


def duties(told: Told) -> tuple[Duty, ...]:
    """Every duty that the report knows, articles first."""
    every = _duties(told) if told.evidence.learns else _of_places(told) if told.evidence.places_alone else _of_program(told)
    logged = examination.recipients(told.evidence) is Recipients.LOGGED
    return tuple(
        Duty(
            source=text(f"main-law-{name}"),
            asks=text(f"main-law-{_of(name)}-asks"),
            light=light,
            shows=shows,
            part=part,
            add=_add(told, _of(name)),
            anchor=_ROWS.get(name, "") if name != "19" or logged else "",
        )
        for name, light, shows, part in every
    )


_ROWS: Final = {"19": examination.RECIPIENTS, "28": "receipts"}
"""The very row that says more."""


def _of(name: str) -> str:
    """The duty that a law has in its own words: what is asked, and what people must add, is the same."""
    return "12" if name in _LAWS.values() else name


def _add(told: Told, name: str) -> str:
    refused = name == "17" and any(each.status == "denied" for each in told.requests)
    return text("main-law-17-add-refused" if refused else f"main-law-{name}-add")


_LAWS: Final = {Regime.EU: "12", Regime.UK: "12-uk", Regime.CCPA: "12-ccpa"}
"""By the law that a request falls under, the duty to answer it in time."""
_OF_MODELS: Final = frozenset({*_LAWS.values(), "33", "edpb", "erasure", "cnil", "iso", "nist", "ai-act", "ai-logs"})
"""Duties towards people in a log, and towards models: a report on a whole controller has neither."""
_PARTS: Final = {"people": "decision", "promise": "found"}
"""Where else something is said in such a report."""


_OF_PLACES: Final = frozenset({"edpb", "cnil", "iso", "nist", "ai-act", "ai-logs"})
"""Duties and guidelines on models, of which a search of places says nothing."""


def _of_places(told: Told) -> Iterator[tuple[str, Light, str, str]]:
    for name, light, shows, part in _duties(told):
        if name not in _OF_PLACES:
            yield name, light, text("main-law-25-places") if name == "25" else shows, "found" if part == "promise" else part


def _of_program(told: Told) -> Iterator[tuple[str, Light, str, str]]:
    for name, light, shows, part in _duties(told):
        if name not in _OF_MODELS:
            said = text(f"main-law-{name}-program") if name in {"17", "25"} else shows
            yield name, light, said, "found" if name == "17" else _PARTS.get(part, part)


def _authority(told: Told) -> str | None:
    """The authority by the laws of the requests: the one that the case names only where it has to."""
    regimes = {each.regime for each in told.requests} or OF_THE_CASE
    named = (text(f"letter-authority-{each.value}") for each in sorted(regimes - OF_THE_CASE))
    return told.case.authority if regimes & OF_THE_CASE else "; ".join(named)


def _duties(told: Told) -> Iterator[tuple[str, Light, str, str]]:
    case = told.case
    deleted = request_status.became(told.evidence).records
    missing = text("main-law-missing")

    def given(name: str, value: str | None) -> tuple[str, Light, str, str]:
        return name, Light.HALF if value else Light.EMPTY, wording.short(value, 160) if value else missing, ""

    yield "5-2", Light.HALF, decision.headline(told).removesuffix("."), "decision"
    again = request_status.found_again(told.evidence)
    yield from _answers(told)
    erased = text("main-law-17-shows", count=deleted)
    if made := told.evidence.lineage:
        erased = text("main-law-17-made", said=erased, count=len(made), open=sum(each.descent.open for each in made))
    yield "17", Light.BAD if told.verdict is Verdict.FAIL else Light.HALF, erased, "decision"
    yield _recipients(told)
    reasons = len(told.policy.rationale)
    yield "24", Light.HALF, text("main-law-24-shows", count=reasons), "annex"
    yield "25", Light.HALF, text("main-law-25-shows"), "promise"
    if receipts := len(told.evidence.receipts):
        yield "28", Light.HALF, text("main-law-28-shows", count=receipts), "outside"
    yield "rest" if receipts else "others", Light.EMPTY, text("main-law-others-shows"), ""
    yield given("30", case.ropa)
    if again:
        # Found again is what the audit saw; whether security was breached (Article 4(12)) is another question.
        yield "33", Light.EMPTY, text("main-law-33-shows", count=again), ""
    yield given("35", case.dpia)
    yield "58", Light.FULL, text("main-law-58-shows"), "annex"
    yield given("77", _authority(told))
    yield "edpb", Light.HALF, text("main-law-edpb-shows"), "attacks"
    yield "erasure", Light.HALF, told.text("main-law-erasure-shows"), "found"
    yield "cnil", Light.HALF, text("main-law-cnil-shows"), "todo"
    yield "iso", Light.HALF, text("main-law-iso-shows", count=len(told.policy.required)), "annex"
    yield "nist", Light.HALF, text("main-law-nist-shows"), "attacks"
    yield "ai-act", Light.HALF, text("main-law-ai-act-shows", count=len(verdicts.unchecked(told.evidence))), "annex"
    yield "ai-logs", Light.EMPTY, text("main-law-ai-logs-shows"), ""


def _answers(told: Told) -> Iterator[tuple[str, Light, str, str]]:
    """Whether people were answered in time, law by law."""
    found = list(zip(told.requests, request_status.chains(told.evidence), strict=True))
    regimes = {each.regime for each in told.requests} or {Regime.EU}
    for regime, name in _LAWS.items():
        if regime in regimes:
            of = [chain for request, chain in found if request.regime is regime]
            light, said = _answered(times.answers(of), sum(each.data is Data.FOUND for each in of))
            yield name, light, _with_receipts(told, said) if regime is Regime.CCPA else said, "people"


def _with_receipts(told: Told, said: str) -> str:
    """Whether receipts were confirmed in time, which California asks for: what is late or unknown is counted."""
    counts = request_status.confirmations(told.evidence)
    late, unknown = counts[Confirmed.LATE], counts[Confirmed.NOT_KNOWN]
    return text("main-law-12-confirmed", said=said, late=late, unknown=unknown) if late or unknown else said


def _answered(count: times.Answers, again: int) -> tuple[Light, str]:
    if again and not count.late:
        return Light.BAD, text("main-law-12-again", count=again)
    silent = count.unrecorded and count.unrecorded == count.asked
    said = text(
        "main-law-12-silent" if silent and not count.late else "main-law-12-shows",
        requests=wording.plural(count.requests, "request"),
        late=count.late,
        doubt=count.in_doubt,
        unrecorded=count.unrecorded,
    )
    if count.late:
        return Light.BAD, said
    return Light.EMPTY if silent or not count.requests else Light.HALF, said


def _recipients(told: Told) -> tuple[str, Light, str, str]:
    match examination.recipients(told.evidence):
        case Recipients.LOGGED:
            logged, done = examination.told_recipients(told.evidence)
            return "19", Light.HALF, text("main-law-19-logged", count=logged, of=done), "outside"
        case Recipients.DECLARED:
            return "19", Light.HALF, text("main-law-19-declared"), "outside"
        case Recipients.SILENT:
            return "19", Light.EMPTY, text("main-law-none"), ""
