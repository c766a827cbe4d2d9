"""Marks what evidence does not repeat of the rows of a log, so that the next audit of the case can tell whether it changed.

A plain digest of an id or a name would let anybody try which one it is: the marks are keyed with the user's own key, which
stays on their machine, and bound to request and column, so that equal values in two rows are not seen to be equal.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from auditor.base import user_key
from auditor.base.deletion_log.requests import Request
from auditor.document.context import RowMarks

_DIGITS: Final = 16


def _at(value: datetime | None) -> str | None:
    return None if value is None else value.astimezone(UTC).isoformat()


_MARKED: Final[Mapping[str, Callable[[Request], Any]]] = {
    "record_ids": lambda row: sorted(set(row.record_ids)),
    "received_at": lambda row: _at(row.received_at),
    "executed_at": lambda row: _at(row.executed_at),
    "batch": lambda row: row.batch,
    "seen_releases": lambda row: row.seen_releases,
    "status": lambda row: row.status,
    "basis": lambda row: row.basis,
    "note": lambda row: row.note,
    "terms": lambda row: sorted(set(row.terms)) or None,
    "near_match": lambda row: row.near_match,
}
"""Columns whose values are not, or not whole, in evidence."""


def row_marks(rows: Sequence[Request]) -> RowMarks | None:
    """Mark rows with the user's key; None where it cannot be had, or nothing is there to be marked.

    Args:
        rows: The log, in its order, without planted records.
    """
    if not rows:
        return None
    try:
        key = user_key.key_of_user()
    except OSError:
        return None
    return RowMarks(key=_mark(key, ["key"]), rows=tuple(_of(key, row) for row in rows))


def _of(key: bytes, row: Request) -> dict[str, str]:
    values = ((name, read(row)) for name, read in _MARKED.items())
    return {
        name: _mark(key, ["row", row.request_id, row.subject, name, value]) for name, value in values if value not in (None, [])
    }


def _mark(key: bytes, value: Any) -> str:
    return hmac.digest(key, b"auditor row\0" + json.dumps(value).encode(), "sha256").hex()[:_DIGITS]
