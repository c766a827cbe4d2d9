"""Crosswalk: which duty each part of this report serves, and what people must add. It names topics and quotes no law."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from auditor.pages import wording
from auditor.pages.main import Light, decision
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import text
from auditor.verdict import examination, request_status
from auditor.verdict.examination import Recipients


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


def duties(told: Told) -> tuple[Duty, ...]:
    """Every duty that the report knows, articles first."""
    every = _duties(told) if told.evidence.learns else _of_places(told) if told.evidence.places_alone else _of_program(told)
    return tuple(
        Duty(text(f"main-law-{name}"), text(f"main-law-{name}-asks"), light, shows, part, text(f"main-law-{name}-add"))
        for name, light, shows, part in every
    )


_OF_MODELS: Final = frozenset({"12", "18", "33", "edpb", "erasure", "cnil", "iso", "nist", "ai-act", "ai-logs"})
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


def _duties(told: Told) -> Iterator[tuple[str, Light, str, str]]:
    case = told.case
    late, deleted = len(told.deletion_log.overdue), request_status.became(told.evidence).records
    count = len(told.requests)
    missing = text("main-law-missing")

    def given(name: str, value: str | None) -> tuple[str, Light, str, str]:
        return name, Light.HALF if value else Light.EMPTY, wording.short(value, 160) if value else missing, ""

    yield "5-2", Light.HALF, decision.headline(told).removesuffix("."), "decision"
    again = request_status.found_again(told.evidence)
    time = text("main-law-12-shows", late=late, requests=wording.plural(count, "request"))
    time = text("main-law-12-again", count=again) if again and not late else time
    yield "12", Light.EMPTY if late or again or not count else Light.HALF, time, "people"
    yield "15", Light.EMPTY, text("main-law-none"), ""
    yield "17", Light.EMPTY if told.verdict.value == "fail" else Light.HALF, text("main-law-17-shows", count=deleted), "decision"
    yield "18", Light.EMPTY, text("main-law-none"), ""
    yield _recipients(told)
    reasons = len(told.policy.rationale)
    yield "24", Light.HALF, text("main-law-24-shows", count=reasons), "annex"
    yield "25", Light.HALF, text("main-law-25-shows"), "promise"
    yield "28", Light.EMPTY, text("main-law-none"), ""
    yield given("30", case.ropa)
    if again:
        # Found again is what the audit saw; whether security was breached (Article 4(12)) is another question.
        yield "33", Light.EMPTY, text("main-law-33-shows", count=again), ""
    yield given("35", case.dpia)
    yield "58", Light.FULL, text("main-law-58-shows"), "annex"
    yield given("77", case.authority)
    yield "edpb", Light.HALF, text("main-law-edpb-shows"), "attacks"
    yield "erasure", Light.HALF, text("main-law-erasure-shows"), "found"
    yield "cnil", Light.HALF, text("main-law-cnil-shows"), "todo"
    yield "iso", Light.HALF, text("main-law-iso-shows", count=len(told.policy.required)), "annex"
    yield "nist", Light.HALF, text("main-law-nist-shows"), "attacks"
    yield "ai-act", Light.HALF, text("main-law-ai-act-shows", count=len(verdicts.unchecked(told.evidence))), "annex"
    yield "ai-logs", Light.EMPTY, text("main-law-ai-logs-shows"), ""


def _recipients(told: Told) -> tuple[str, Light, str, str]:
    match examination.recipients(told.evidence):
        case Recipients.LOGGED:
            named = sum(each.recipients_notified is not None for each in told.requests)
            return "19", Light.HALF, text("main-law-19-logged", count=named), ""
        case Recipients.DECLARED:
            return "19", Light.HALF, text("main-law-19-declared"), "outside"
        case Recipients.SILENT:
            return "19", Light.EMPTY, text("main-law-none"), ""
