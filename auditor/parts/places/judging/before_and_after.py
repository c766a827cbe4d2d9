"""What a comparison with the baseline says: which forms of people that were in the places before are still there.

It can only take from a result. A form that is still there fails, wherever it lies; what was not there before says nothing about
its erasure now, and a baseline in which nobody was shows nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final, Self

from pydantic import Field, model_validator

from auditor.base.domain import Message, Status
from auditor.document.evidence import Evidence
from auditor.settings.attestations import COPIES, UNREAD
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Count

_MOST_SAID: Final = 6


class FormCounts(Values):
    """Forms of one person in one place, by kind."""

    ids: Count = 0
    terms: Count = 0
    """Numbers of the log."""
    rows: Count = 0
    """Whole rows and lines, without the ids in them."""
    values: Count = 0
    """Values that hardly another person has, and any two in one row."""
    shared: Count = 0
    """Names and values that another person may have."""

    @property
    def sure(self) -> int:
        """Those that are the person's."""
        return self.ids + self.terms + self.rows + self.values

    @property
    def all(self) -> int:
        """All of them."""
        return self.sure + self.shared


class FormsOfPerson(Values):
    """One person in one place, before and after."""

    request_id: str
    subject: str | None = Field(default=None, exclude_if=lambda value: value is None)
    place: str
    before: FormCounts
    after: FormCounts


class WithBaseline(Values):
    """What was there before and what is there now."""

    made_at: str
    """When the baseline was made."""
    expires_at: str
    requests: Count
    """Requests that were carried out and are in the baseline."""
    people: tuple[FormsOfPerson, ...]
    """Of these, those of whom anything was there, or is; place by place."""
    absent: tuple[str, ...] = ()
    """Requests of whose people nothing was there before."""
    added: tuple[str, ...] = ()
    """Requests that the log got later: nobody knows whether they were there."""
    same_files: tuple[str, ...] = ()
    """Places whose files are the very same as before."""
    planted: Count = 0
    """Planted records that the baseline has."""
    planted_before: Count = 0
    planted_after: Count = 0
    by_id_alone: Count = 0
    """Files that have no rows or lines: of them ids, names and numbers alone are compared."""
    unread_before: Count = 0
    """Files that could not be read before."""
    unread: Count = 0
    """Files that cannot be read now."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if max(self.planted_before, self.planted_after) > self.planted or len(self.absent) > self.requests:
            raise ValueError("no more was there than was looked for")
        if datetime.fromisoformat(self.made_at) >= datetime.fromisoformat(self.expires_at):
            raise ValueError("a baseline expires after it was made")
        return self


def status(context: Context, seen: WithBaseline) -> Status:
    """Judge the comparison by itself."""
    if seen.planted_after or any(each.after.sure for each in seen.people):
        return Status.FAIL
    return Status.INCONCLUSIVE if any(True for _ in _open(context, seen)) else Status.PASS


def _open(context: Context, seen: WithBaseline) -> Iterator[Message]:
    """What keeps a comparison open."""
    if seen.requests and not any(each.before.all for each in seen.people):
        yield Message("places.erased.before-nobody")
    if seen.planted_before < seen.planted:
        yield Message("places.erased.before-blind", {"missed": seen.planted - seen.planted_before, "planted": seen.planted})
    if not context.attests(COPIES) and (shared := sum(bool(each.after.shared) for each in seen.people)):
        yield Message("places.erased.before-shared", {"people": shared})
    if not context.attests(UNREAD) and (seen.unread or seen.unread_before):
        yield Message("places.erased.before-unread", {"before": seen.unread_before, "now": seen.unread})


def reasons(context: Context, seen: WithBaseline) -> Iterator[Message]:
    """Say what the comparison came to, place by place; whose it is stays in what was observed."""
    had = {(each.request_id, each.subject) for each in seen.people if each.before.all}
    left = {(each.request_id, each.subject) for each in seen.people if each.after.all}
    yield Message(
        "places.erased.before",
        {"requests": seen.requests, "there": len(had), "gone": len(had - left), "day": seen.made_at[:10]},
    )
    still = [(place, *_still(seen, place)) for place in dict.fromkeys(each.place for each in seen.people)]
    for place, count, forms in [each for each in still if each[1]][:_MOST_SAID]:
        name = Message("places.erased.place", {"name": place})
        yield Message("places.erased.before-still", {"place": name, "people": count, "forms": forms})
    if seen.absent:
        yield Message("places.erased.before-absent", {"people": len(seen.absent)})
    if seen.added:
        yield Message("places.erased.before-added", {"people": len(seen.added)})
    if seen.planted:
        counts = {"planted": seen.planted, "before": seen.planted_before, "after": seen.planted_after}
        yield Message("places.erased.before-planted", counts)
    for same in seen.same_files[:_MOST_SAID]:
        yield Message("places.erased.before-same", {"place": Message("places.erased.place", {"name": same})})
    if seen.by_id_alone:
        yield Message("places.erased.before-by-id", {"files": seen.by_id_alone})
    yield from _open(context, seen)


def _still(seen: WithBaseline, place: str) -> tuple[int, int]:
    """Count the people who are still in a place, and their forms."""
    there = [each.after.sure for each in seen.people if each.place == place and each.after.sure]
    return len(there), sum(there)


def contradictions(evidence: Evidence, seen: WithBaseline) -> Iterator[str]:
    """Compare what was observed with the case, the log and the time of the audit."""
    places = {each.name for each in evidence.case.places}
    if strange := sorted({each.place for each in seen.people} - places) + [
        each for each in seen.same_files if each not in places
    ]:
        yield f"the places {strange[:_MOST_SAID]} were compared with a baseline, which the case does not have"
    known = {each.request_id for each in evidence.requests}
    named = {*(each.request_id for each in seen.people), *seen.absent, *seen.added}
    if others := sorted(named - known):
        yield f"requests {others[:_MOST_SAID]} were compared with a baseline, which the log does not have"
    if seen.planted > evidence.deletion_log.canaries:
        yield f"{seen.planted} planted records were compared, the log has {evidence.deletion_log.canaries}"
    had = {(each.request_id, each.subject) for each in seen.people if each.before.all}
    if len(had) + len(seen.absent) != seen.requests:
        yield f"{seen.requests} requests were compared, of which {len(had)} were there before and {len(seen.absent)} were not"
    start = evidence.audit.started_at
    if not datetime.fromisoformat(seen.made_at) <= start < datetime.fromisoformat(seen.expires_at):
        yield f"the baseline of {seen.made_at} to {seen.expires_at} was used at {start.isoformat()}"
