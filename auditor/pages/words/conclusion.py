"""The conclusion of an audit in words: every page and format asks here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from auditor.document.evidence import Evidence
from auditor.pages.words.backups import backups
from auditor.pages.words.dates import dated
from auditor.pages.words.lists import continued, listed
from auditor.pages.words.texts import say, text
from auditor.pages.words.verdict import worded
from auditor.verdict import conclusion, examination
from auditor.verdict.conclusion import Area, Basis, Conclusion, Gap, Reason, Weight

_LONGEST: Final = 60
"""Characters of a name that are printed."""
_MOST: Final = 6
"""Names that are printed of one gap: there are as many kinds of places."""


@dataclass(frozen=True, slots=True)
class Unexamined:
    """Something that was not examined."""

    name: str
    weight: str
    """How much it matters, in a word."""
    why: str
    """The same in a sentence."""


def heading(evidence: Evidence) -> str:
    """Name the conclusion; without a named person who ran the audit it is headed *unsigned*, and stays what it is."""
    found = conclusion.of(evidence)
    named = text(f"conclusion-{found.kind.value}")
    return named if found.run_by is not None else text("conclusion-by-nobody", conclusion=named)


def basis(evidence: Evidence) -> str:
    """Say why it is this conclusion and no better one, in a sentence."""
    found = conclusion.of(evidence)
    return text(f"conclusion-because-{found.kind.value}", reasons="; ".join(_reason(evidence, each) for each in found.basis))


def not_examined(evidence: Evidence) -> tuple[Unexamined, ...]:
    """List what was not examined, and how much it matters, what matters most first."""
    found = conclusion.of(evidence).not_examined
    said = any(each.area in {Area.BACKUPS, Area.BACKUPS_SAID} for each in found)
    # Backups have a line of their own, which says what is declared of them.
    named = (replace(each, names=_apart(each.names)) if said and each.area is Area.DECLARED else each for each in found)
    weighed = [(_weight(evidence, each), each) for each in named if each.names or each.area is not Area.DECLARED]
    return tuple(_unexamined(evidence, each, weight) for level in Weight for weight, each in weighed if weight is level)


def _weight(evidence: Evidence, gap: Gap) -> Weight:
    """How much it matters; of backups more than somebody's word makes of it, where their day does not cover what was erased."""
    uncovered = gap.area is Area.BACKUPS_SAID and backups(evidence).state in {"found", "marked", "before"}
    return Weight.MEDIUM if uncovered else gap.weight


def _apart(names: Sequence[str]) -> tuple[str, ...]:
    """Names of places that are no backups."""
    return tuple(each for each in names if not examination.is_kind(each, examination.BACKUPS))


def responsibilities(evidence: Evidence) -> tuple[str, ...]:
    """Say who answers for what, a sentence each."""
    return tuple(_responsibilities(evidence, conclusion.of(evidence)))


def _reason(evidence: Evidence, each: Basis) -> str:
    if each.reason is Reason.WEAKER_POLICY and examination.without_deadlines(evidence):
        return text("conclusion-reason-without-deadlines")
    return worded(evidence, f"conclusion-reason-{each.reason.value}", count=len(each.names), names=", ".join(each.names))


def _unexamined(evidence: Evidence, gap: Gap, weight: Weight) -> Unexamined:
    places = list(gap.names)
    if gap.area is Area.ELSEWHERE:
        places = continued(worded(evidence, f"main-place-kind-{kind.replace(' ', '-')}") for kind in gap.names)
    shown, more = [_short(each) for each in places[:_MOST]], len(places) - _MOST
    named = listed(shown) if more <= 0 else text("common-and-more", named=", ".join(shown), more=more)
    named = named if places else "none"
    why = text(f"conclusion-gap-{gap.area.value}-why")
    if gap.area in {Area.BACKUPS, Area.BACKUPS_SAID}:
        why = _of_backups(evidence, why)
    told, done = examination.told_recipients(evidence)
    if gap.area is Area.ELSEWHERE and told and examination.RECIPIENTS in gap.names:
        why = text("conclusion-gap-elsewhere-told", count=told, of=done)
    return Unexamined(say(f"conclusion-gap-{gap.area.value}", places=named), text(f"conclusion-weight-{weight.value}"), why)


def _of_backups(evidence: Evidence, silent: str) -> str:
    """Say what is declared of backups and why it settles nothing, if it does not."""
    found = backups(evidence)
    if found.first is None or found.last is None:
        return text("conclusion-gap-backups-undated-why") if found.state == "undated" else silent
    match found.state:
        case "found" | "marked":
            still = "both" if found.marked else found.state
            count = found.requests + found.marked
            return text("conclusion-gap-backups-still-why", day=dated(found.last), count=count, still=still)
        case "before" if found.erased is not None:
            return text("conclusion-gap-backups-early-why", day=dated(found.first), erased=dated(found.erased))
        case _:
            return silent


def _responsibilities(evidence: Evidence, found: Conclusion) -> Iterator[str]:
    """By office: names stand where each of them is introduced on the page."""
    yield say(
        "conclusion-responsible-controller",
        of="learned" if evidence.learns else "searched" if evidence.places_alone else "program",
    )
    if found.answers_for:
        yield text("conclusion-responsible-words")
    if found.no_model_by is not None:
        yield text("conclusion-no-model", name=_short(found.no_model_by))
    yield text("conclusion-responsible-runner" if found.run_by is not None else "conclusion-responsible-nobody")
    yield text("conclusion-responsible-program", version=evidence.version)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
