"""What a pass rests on in words: every page, letter and format prints this list, and none says anything else of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from auditor.document.conclusions import StatedPremise
from auditor.document.context import Superseded
from auditor.document.evidence import Evidence
from auditor.pages.words import attestations
from auditor.pages.words.backups import backups
from auditor.pages.words.dates import dated
from auditor.pages.words.texts import either, say, text
from auditor.settings.attestations import BACKUPS, CODE_CLEAN
from auditor.verdict.checks import definitions
from auditor.verdict.premises import unsaid as of_premises

_LONGEST: Final = 60
"""Characters of a name that are printed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Premises that stand alike."""

    kind: str
    """`unsaid`, `said`, `examined` or `refuted`."""
    heading: str
    """By whom, and since when."""
    names: tuple[str, ...]
    """As the evidence has them."""
    premises: tuple[str, ...]
    """In a few words each."""

    @property
    def line(self) -> str:
        """All of it in one line."""
        return say("premises-line", heading=self.heading, premises="; ".join(self.premises))


def standings(evidence: Evidence) -> tuple[Standing, ...]:
    """List what a pass of this case rests on, what nobody says first; empty for a document that does not say."""
    return tuple(_grouped(evidence))


def lines(evidence: Evidence) -> tuple[str, ...]:
    """Say the same, one line for each standing and speaker."""
    return tuple(each.line for each in standings(evidence))


def unsaid(evidence: Evidence) -> tuple[str, ...]:
    """Name what nobody says and nothing examined."""
    return of_premises(evidence.premises)


def speakers(evidence: Evidence) -> tuple[str, ...]:
    """Name who says what a pass rests on, and since when, one phrase for each."""
    if evidence.premises:
        return tuple(each.heading for each in standings(evidence) if each.kind == "said")
    # A document from before premises were listed has the words of the policy alone.
    return tuple(dict.fromkeys(_said(each.by, each.at, None) for each in evidence.policy.attested))


def brief(name: str, base: str = "") -> str:
    """Say a premise in a few words.

    Args:
        name: As the evidence has it.
        base: The folders of files that the procedure was given: what its code brings along includes them.
    """
    if name == CODE_CLEAN and base:
        return say("premises-code-and-base", folders=base)
    return either(f"main-word-{name}", attestations.statement(name).removesuffix("."))


def _grouped(evidence: Evidence) -> Iterator[Standing]:
    for kind in ("refuted", "unsaid", "said", "examined"):
        by_heading: dict[str, list[StatedPremise]] = {}
        for each in evidence.premises:
            if each.standing == kind:
                by_heading.setdefault(_heading(each, evidence), []).append(each)
        for heading, found in by_heading.items():
            names = tuple(each.name for each in found)
            yield Standing(kind, heading, names, tuple(_briefly(evidence, each) for each in found))


def _briefly(evidence: Evidence, premise: StatedPremise) -> str:
    """Say a premise in a few words; of backups as what is declared of them has it."""
    return _of_backups(evidence, premise) if premise.name == BACKUPS else brief(premise.name, _base(evidence))


def _of_backups(evidence: Evidence, premise: StatedPremise) -> str:
    found = backups(evidence)
    if found.last is None or found.first is None:
        return say(f"premises-backups-{found.state}")
    if found.state == "before" and found.erased is not None:
        return say("premises-backups-before", day=dated(found.first), erased=dated(found.erased))
    # Nobody says of a place that is merely called after one kind of backup that there are no others.
    state = "others" if found.state == "until" and premise.standing == "unsaid" else found.state
    return say(f"premises-backups-{state}", day=dated(found.last))


def _base(evidence: Evidence) -> str:
    return ", ".join(_short(each.path) for each in evidence.case.base)


def _heading(premise: StatedPremise, evidence: Evidence) -> str:
    known = definitions(evidence.version).get(premise.check or "")
    check = premise.check if known is None else text("premises-check", title=known.card.title)
    match premise.standing:
        case "said":
            return _said(premise.by or "", premise.at, evidence.audit.attested_before)
        case "examined":
            return say("premises-examined", check=check)
        case "refuted":
            return say("premises-refuted", check=check or text("premises-run"))
        case "unsaid":
            return text("premises-unsaid")


def _said(by: str, at: date | None, before: Superseded | None) -> str:
    said = say("premises-said", by=_short(by), at=None if at is None else dated(at))
    # What has no day is declared elsewhere, and for no release.
    if at is None or before is None:
        return said
    if before.release is None:
        return say("premises-said-before", said=said, audited=dated(before.audited))
    return say("premises-said-for", said=said, release=_short(before.release), audited=dated(before.audited))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
