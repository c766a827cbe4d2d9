"""What the declared days of backups come to: report and conclusion ask here, and a letter asks the same of its one person."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from auditor.base.deletion_log.deadlines import erased_on
from auditor.base.kept_for_last import kept_for_last
from auditor.document.evidence import Evidence
from auditor.verdict import examination
from auditor.verdict.request_status import Data, chains


@dataclass(frozen=True, slots=True)
class Backups:
    """By when the last backup that holds an erased person is gone."""

    state: Literal["silent", "undated", "found", "marked", "before", "until"]
    """`silent`: none is declared; `undated`: one has no day; `found`, `marked`: they are made of what is still there; `before`: a
    day lies before an erasure; `until`: nothing speaks against it."""
    first: date | None = None
    """The earliest declared day."""
    last: date | None = None
    erased: date | None = None
    """The last erasure, by the log."""
    requests: int = 0
    """That are in this state."""
    marked: int = 0
    """Further ones whose data the log only marks as erased, where those of others were found."""


@kept_for_last
def backups(evidence: Evidence) -> Backups:
    """Derive it from what is declared, the log and what was found."""
    days = [each.until for each in examination.of_kind(evidence.outside, examination.BACKUPS)]
    said, erased = [day for day in days if day is not None], examination.last_erasure(evidence.requests)
    if len(said) < len(days) or not days:
        return Backups("undated" if days else "silent", erased=erased)
    first = min(said)
    states = Counter(
        examination.gone(first, erased_on(each), found=chain.data is Data.FOUND, marked=chain.marked)
        for each, chain in zip(evidence.requests, chains(evidence), strict=True)
    )
    for state in _WORST_FIRST:
        if states[state]:
            marked = states["marked"] if state == "found" else 0
            return Backups(state, first, max(said), erased, states[state], marked)
    return Backups("until", first, max(said), erased)


_WORST_FIRST: Final[tuple[Literal["found", "marked", "before"], ...]] = ("found", "marked", "before")
