"""Rows of a log that amend earlier ones: read together with them, so that the newest facts count and the earlier word is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Final

from pydantic_core import PydanticCustomError

from auditor.base.deletion_log import log_chain
from auditor.base.deletion_log.requests import Amendment, Link, Request
from auditor.case.log_values import READ, STATES, moment, read_request
from auditor.settings.values import show

AMENDABLE: Final = tuple(name for name in READ if name not in log_chain.FIXED)
"""Columns that a later row may add or replace."""
REMOVABLE: Final = frozenset({"undertaking"})
"""Columns that a later row may take out, by null: what was done is no longer promised. The earlier row keeps what was said."""
_SHORTENS: Final = frozenset({"due_on"})
"""What is pointed out even where nothing was there before: it moves a deadline."""


@dataclass(slots=True)
class _Row:
    """A request's row, with what later rows made of it."""

    row: int
    fields: dict[str, Any]
    entry_hash: str | None
    place: int
    """Among all rows of the file."""
    said_in: dict[str, int] = field(default_factory=dict)
    """The row that said something last, by column."""
    later: list[tuple[int, int, Amendment]] = field(default_factory=list)
    """Row, place and what it replaced."""


class Amended:
    """Reads the rows of a log in their order, and joins what amends a request to it."""

    def __init__(self, file: str, report: Callable[[int, str, str, str], None]) -> None:
        self._file, self._report = file, report
        self._rows: list[_Row] = []
        self._by_hash: dict[str, _Row] = {}
        self._count = 0

    def take(self, row: int, fields: Mapping[str, Any], raw: Mapping[str, Any]) -> None:
        """Take a row: one of a request of its own, or one that amends an earlier one."""
        place, self._count = self._count, self._count + 1
        own = raw.get(log_chain.ENTRY)
        if fields.get(log_chain.AMENDS) is not None:
            self._amend(row, place, fields, own)
            return
        made = _Row(row, dict(fields), own, place)
        self._rows.append(made)
        if isinstance(own, str):
            self._by_hash.setdefault(own, made)

    def _amend(self, row: int, place: int, fields: Mapping[str, Any], own: str | None) -> None:
        target = self._by_hash.get(str(fields[log_chain.AMENDS]))
        if target is None:
            self._report(row, log_chain.AMENDS, "the entry_hash of an earlier row of a request", show(fields[log_chain.AMENDS]))
            return
        if fields.get("request_id") != target.fields.get("request_id"):
            self._report(row, "request_id", "that of the row which it amends", show(fields.get("request_id")))
        try:
            moment(fields.get(log_chain.AMENDED_AT))
        except PydanticCustomError as error:
            context = error.context or {}
            self._report(row, log_chain.AMENDED_AT, str(context["expected"]), str(context["found"]))
        for name in log_chain.FIXED:
            if name != "request_id" and fields.get(name) is not None:
                self._report(row, name, "nothing: a later row changes neither who asked nor for which records", "a value")
        told = {name: value for name, value in fields.items() if name in AMENDABLE and (value is not None or name in REMOVABLE)}
        replaced = tuple(
            (name, _shown(name, target.fields.get(name)), _shown(name, value))
            for name, value in told.items()
            if target.fields.get(name) != value and (target.fields.get(name) is not None or name in _SHORTENS)
        )
        taken = _taken_out(target.fields.get("terms"), told.get("terms"))
        target.fields |= told
        target.said_in |= dict.fromkeys(told, row)
        target.later.append((row, place, Amendment(row, replaced, taken, None, own)))

    def requests(self, links: Sequence[Link | None]) -> tuple[Request, ...]:
        """Read every request with what was said of it last.

        Args:
            links: What the hash chain says of each row of the file.
        """
        found = []
        for each in self._rows:
            request = read_request(each.row, each.fields, self._faults(each))
            if request is None:
                continue
            link, hashed = links[each.place], links[each.place] is not None
            later = tuple(replace(made, link=links[place]) for _, place, made in each.later)
            if hashed or later:
                request = replace(request, link=link, entry_hash=each.entry_hash if hashed else None, amendments=later)
            found.append(request)
        return tuple(found)

    def _faults(self, each: _Row) -> Callable[[str, str, str], None]:
        """Report what cannot be read at the row that says it."""
        return lambda key, expected, found: self._report(
            each.said_in.get(key.split(".", maxsplit=1)[0], each.row), key, expected, found
        )


def _taken_out(before: Any, after: Any) -> tuple[str, ...]:
    """Names and numbers that a later row has no more; what cannot be read is reported where it is read."""
    if not isinstance(before, list) or not isinstance(after, list):
        return ()
    return tuple(dict.fromkeys(each.strip() for each in before if isinstance(each, str) and each not in after))


def _shown(name: str, value: Any) -> str | None:
    """A state, time or date as the log has it; None for anything else, which may be personal."""
    if name == "status":
        return value if isinstance(value, str) and value in STATES else None
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return None
    return value
