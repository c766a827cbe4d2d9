"""Which rows of a log say something else than they did at the audit before, and in which columns.

A request stands as it did only where its row does: a log without a chain can be written over, and a moved receipt makes a late
answer timely. Columns are named, and days; nothing else of what a row says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, TypeAlias

from auditor.base.deletion_log.requests import RequestOutcome
from auditor.document.evidence import Evidence
from auditor.pages.words.dates import dated
from auditor.pages.words.lists import listed
from auditor.pages.words.texts import text
from auditor.verdict.request_status import Chain, chains

Key: TypeAlias = tuple[str, str | None]
"""A request id, and whose: one ticket of several people is on several rows."""

_FOLLOWS: Final = frozenset({"request_id", "subject", "due_on", "days", "overdue", "paused_days", "records", "guarantees"})
"""Fields of a request that name it, or that follow from its row and something else."""
_COLUMNS: Final = {"received_on": "received_at", "due_in_log": "due_on", "deleted_at": "executed_at"}
"""Columns by the fields that are called otherwise."""
_FROM_MORE: Final = frozenset({"status", "received_at", "executed_at"})
"""Columns that evidence has as they read with table, batch and time zone: where a mark stands, the row is as it was."""
_RECEIPT: Final = "received_at"
_RECORDS: Final = "record_ids"


class How(StrEnum):
    """What became of a value."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class Lateness(StrEnum):
    """Whether a request missed its deadline."""

    LATE = "late"
    IN_DOUBT = "in-doubt"
    NOT_LATE = "not-late"


@dataclass(frozen=True, slots=True)
class Field:
    """One column of a row that changed."""

    column: str
    how: How
    old: date | None = None
    """The day, where it is a date, and both sides have another one."""
    new: date | None = None


@dataclass(frozen=True, slots=True)
class Amended:
    """One request whose row changed."""

    key: Key
    fields: tuple[Field, ...]
    """In the order of the log's columns."""
    was: Lateness
    now: Lateness

    @property
    def request_id(self) -> str:
        """The id of the request."""
        return self.key[0]

    @property
    def is_worse(self) -> bool:
        """Whether it came later now, is about other records, or was late and now is not: evidence cannot tell why."""
        later = any(each.old is not None and each.new is not None and each.new > each.old for each in self._of(_RECEIPT))
        return later or any(self._of(_RECORDS)) or (self.was is Lateness.LATE and self.now is not Lateness.LATE)

    @property
    def is_prominent(self) -> bool:
        """Whether its receipt moved, its records changed, or it is late otherwise than it was."""
        return any(each.column in {_RECEIPT, _RECORDS} for each in self.fields) or self.was is not self.now

    @property
    def said(self) -> str:
        """What changed, in columns and days."""
        parts = [text("diff-row-moved", column=each.column, old=_day(each.old), new=_day(each.new)) for each in self._dated]
        others = [(how, [each.column for each in self.fields if each.how is how and each not in self._dated]) for how in How]
        parts += [text("diff-row-columns", names=listed(names), how=how.value) for how, names in others if names]
        if self.was is not self.now:
            parts.append(text("diff-row-late", was=self.was.value, now=self.now.value))
        return "; ".join(parts)

    @property
    def _dated(self) -> tuple[Field, ...]:
        """The days that are told: of the receipt always, of others where they move the request past its deadline or before it."""
        return tuple(
            each for each in self.fields if each.old is not None and (each.column == _RECEIPT or self.was is not self.now)
        )

    def _of(self, column: str) -> Iterator[Field]:
        return (each for each in self.fields if each.column == column)


def amended(old: Evidence, new: Evidence) -> tuple[Amended, ...]:
    """List the requests of both audits whose rows changed, in the order of the new log.

    Rows that share id and person cannot be told apart, and are left out.
    """
    before, after = _by_key(old), _by_key(new)
    keyed = compares_marks(old, new)
    found = (_amended(key, before[key], after[key], keyed=keyed) for key in after if key in before)
    return tuple(each for each in found if each is not None)


def compares_marks(old: Evidence, new: Evidence) -> bool:
    """Whether columns that evidence does not repeat can be compared: both audits marked them with one key."""
    was, now = old.deletion_log.marks, new.deletion_log.marks
    return was is not None and now is not None and was.key == now.key


_Row: TypeAlias = tuple[RequestOutcome, Chain, Mapping[str, str]]


def _by_key(evidence: Evidence) -> dict[Key, _Row]:
    marks = evidence.deletion_log.marks
    rows = () if marks is None else marks.rows
    counts = Counter(map(key_of, evidence.requests))
    # What was written by hand may have too few marks, or too many.
    of = {at: dict(row) for at, row in enumerate(rows)}
    found = enumerate(zip(evidence.requests, chains(evidence), strict=True))
    return {key_of(each): (each, chain, of.get(at, {})) for at, (each, chain) in found if counts[key_of(each)] == 1}


def requests_only_in(one: Evidence, other: Evidence) -> tuple[str, ...]:
    """List the requests of one audit that another has not, in the order of its log; several rows with one id as often."""
    missing = Counter(map(key_of, one.requests)) - Counter(map(key_of, other.requests))
    return tuple(name for name, _ in missing.elements())


def key_of(request: RequestOutcome) -> Key:
    """Give what a request is found by in another audit."""
    return request.request_id, request.subject


def _amended(key: Key, old: _Row, new: _Row, *, keyed: bool) -> Amended | None:
    was, now = old[0], new[0]
    found: dict[str, Field] = {
        column: Field(column, *_change(before, after))
        for field in fields(RequestOutcome)
        if field.name not in _FOLLOWS
        for column, before, after in [(_COLUMNS.get(field.name, field.name), getattr(was, field.name), getattr(now, field.name))]
        if before != after
    }
    if keyed:
        for column in _FROM_MORE - {name for name in (*old[2], *new[2]) if old[2].get(name) != new[2].get(name)}:
            found.pop(column, None)
        for column in dict.fromkeys((*old[2], *new[2])):
            if (before := old[2].get(column)) != (after := new[2].get(column)):
                found.setdefault(column, Field(column, *_change(before, after)))
    elif was.records != now.records:
        found[_RECORDS] = Field(_RECORDS, How.CHANGED)
    if not found:
        return None
    return Amended(key, tuple(found.values()), _lateness(old[1]), _lateness(new[1]))


def _change(before: Any, after: Any) -> tuple[How, date | None, date | None]:
    # Nothing kept is a word of its own, where the log said none before.
    if before is None or (before == () and after is not None):
        how = How.ADDED
    else:
        how = How.REMOVED if after is None or after == () else How.CHANGED
    days = (_as_day(before), _as_day(after))
    return (how, *days) if how is How.CHANGED and None not in days and days[0] != days[1] else (how, None, None)


def _as_day(value: object) -> date | None:
    return value.date() if isinstance(value, datetime) else value if isinstance(value, date) else None


def _day(value: date | None) -> str:
    return "" if value is None else dated(value)


def _lateness(chain: Chain) -> Lateness:
    return Lateness.LATE if chain.late else Lateness.IN_DOUBT if chain.in_doubt else Lateness.NOT_LATE
