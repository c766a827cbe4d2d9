"""One row of a deletion log, checked: what makes it unreadable, and what it says.

Only what cannot be read is a problem here. What can be read but does not hold together, such as a record that is deleted
twice, is a finding of the audit (`auditor.deletions`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any, Final

from auditor.domain import Request
from auditor.settings.problems import show, text_fault, unknown

READ: Final = (
    "request_id",
    "record_ids",
    "received_at",
    "executed_at",
    "subject",
    "batch",
    "seen_releases",
    "status",
    "due_on",
    "basis",
    "note",
    "near_match",
)
"""Columns that the audit reads."""
ACCEPTED: Final = (
    "regime",
    "reason",
    "ground",
    "exception",
    "extension",
    "clock_pauses",
    "data_erased_at",
    "storage_state",
    "model_erased_at",
    "answered_at",
    "recipients_notified",
    "prev_hash",
    "entry_hash",
)
"""Columns that a log may have and no check looks at. An extension or a paused clock thus never moves a deadline."""
STATUSES: Final = ("open", "in_progress", "executed", "denied", "revoked", "no_match")

Report = Callable[[str, str, str], None]
"""Takes a key, what was expected and what was found."""

_RFC3339: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,30})?(?P<offset>[Zz]|[+-][0-9]{2}:[0-9]{2})?"
)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMAIL: Final = re.compile(r"\S@\S")
_BARE_HASH: Final = re.compile(r"(?:[0-9a-f]{32}|[0-9a-f]{40})", re.IGNORECASE)
_UUID4: Final = re.compile(r"[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}", re.IGNORECASE)
_NAMED_HASH: Final = re.compile(r"(?:md5|sha-?(?:1|224|256|384|512)|sha3-[0-9]{3})[:$= ].*", re.IGNORECASE | re.DOTALL)
_YEARS: Final = (1970, 2999)


def read_request(row: int, fields: Mapping[str, Any], report: Report) -> Request | None:
    """The request that a row holds, or None where anything of it was reported.

    Args:
        row: Its line in the log, from 1.
        fields: Its values by column; a missing value is None or left out.
        report: Takes every problem of the row.
    """
    faults = 0

    def fault(key: str, expected: str, found: str) -> None:
        nonlocal faults
        faults += 1
        report(key, expected, found)

    request_id = _required(fields, "request_id", _name, fault)
    record_ids = _required(fields, "record_ids", _names, fault)
    received_at = _required(fields, "received_at", _time, fault)
    executed_at = _optional(fields, "executed_at", _time, fault)
    subject = _optional(fields, "subject", _subject, fault)
    batch = _optional(fields, "batch", _name, fault)
    seen = _optional(fields, "seen_releases", _count, fault)
    status = _optional(fields, "status", _status, fault)
    due_on = _optional(fields, "due_on", _day, fault)
    basis = _optional(fields, "basis", _prose, fault)
    note = _optional(fields, "note", _prose, fault)
    near_match = _optional(fields, "near_match", _reason, fault)
    if subject is not None and _is_digest_of(subject, [request_id, basis, note, *(record_ids or ())]):
        fault("subject", "a keyed HMAC or an opaque id", "the unkeyed hash of another value in this row")
    if faults or request_id is None or record_ids is None or received_at is None:
        return None
    return Request(
        row, request_id, record_ids, received_at, executed_at, subject, batch, seen, status, due_on, basis, note, near_match
    )


class _UnreadableError(ValueError):
    def __init__(self, expected: str, found: str) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found


def _required(fields: Mapping[str, Any], key: str, read: Callable[[Any], Any], fault: Report) -> Any:
    if fields.get(key) is None:
        fault(key, "a value: this key is required", "nothing")
        return None
    return _optional(fields, key, read, fault)


def _optional(fields: Mapping[str, Any], key: str, read: Callable[[Any], Any], fault: Report) -> Any:
    value = fields.get(key)
    if value is None:
        return None
    try:
        return read(value)
    except _UnreadableError as error:
        fault(key, error.expected, error.found)
        return None


def _name(value: Any) -> str:
    if not isinstance(value, str):
        raise _UnreadableError("text: identifiers are strings", show(value))
    if reason := text_fault(value):
        raise _UnreadableError("an identifier", f"text with {reason}")
    return value


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _UnreadableError("a list of record ids", show(value))
    if not value:
        raise _UnreadableError("at least one record id", "an empty list")
    for item in value:
        if not isinstance(item, str):
            raise _UnreadableError("a list of strings: record ids are text", f"{show(item)} in it")
        if reason := text_fault(item):
            raise _UnreadableError("a list of record ids", f"text with {reason} in it")
    return tuple(value)


def _time(value: Any) -> datetime:
    expected = "a time as RFC 3339 with its offset, such as 2026-03-01T09:30:00+01:00"
    if isinstance(value, datetime):
        found = value
    elif isinstance(value, str) and (match := _RFC3339.fullmatch(value)):
        if match["offset"] is None:
            raise _UnreadableError(expected, f"{show(value)}, which has no offset")
        try:
            found = datetime.fromisoformat(value.upper())
        except ValueError as error:
            raise _UnreadableError(expected, f"{show(value)}: {error}") from error
    else:
        raise _UnreadableError(expected, show(value))
    offset = found.utcoffset()
    if offset is None:
        raise _UnreadableError(expected, f"{found.isoformat()}, which has no offset")
    if not _YEARS[0] <= found.year <= _YEARS[1]:
        raise _UnreadableError(f"a time between the years {_YEARS[0]} and {_YEARS[1]}", show(value))
    return found if found.tzinfo is UTC else found.replace(tzinfo=_fixed(offset))


def _fixed(offset: timedelta) -> timezone:
    return timezone(offset) if offset else UTC


def _day(value: Any) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    expected = "a date, such as 2026-03-31"
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise _UnreadableError(expected, show(value))
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise _UnreadableError(expected, f"{show(value)}: {error}") from error


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1_000_000_000:
        raise _UnreadableError("an integer of at least 0", show(value))
    return value


def _status(value: Any) -> str:
    if value in STATUSES:
        return str(value)
    if isinstance(value, str):
        raise _UnreadableError(*unknown("status", value, STATUSES))
    raise _UnreadableError(f"one of {', '.join(STATUSES)}", show(value))


def _prose(value: Any) -> str:
    # Free text may hold personal data: a problem with it says what is wrong, never what it says.
    if not isinstance(value, str):
        raise _UnreadableError("text", "something else")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise _UnreadableError("text", "half of a surrogate pair")
    return value


def _reason(value: Any) -> str:
    """Text that says something: an empty reason explains nothing."""
    text = _prose(value)
    if not any(character.isalnum() for character in text):
        raise _UnreadableError("a reason in words", "none")
    return text


def _subject(value: Any) -> str:
    """A pseudonym that only the controller can turn back into a person.

    An e-mail address and its unkeyed hash are none: whoever guesses the address finds the person. By its form alone a bare
    SHA-256 cannot be told from an HMAC-SHA-256, so 64 hexadecimal digits are accepted; 32 or 40 of them, the length of MD5
    and SHA-1 (and not a random UUID), are refused, as is a hash that says of itself that it is unkeyed.
    """
    expected = "a keyed HMAC (hmac-sha256:...) or an opaque id"
    text = _name_of_subject(value, expected)
    if _EMAIL.search(text):
        raise _UnreadableError(expected, "what looks like an e-mail address")
    if _NAMED_HASH.fullmatch(text) or (_BARE_HASH.fullmatch(text) and not _UUID4.fullmatch(text)):
        raise _UnreadableError(expected, "what looks like an unkeyed hash, which can be undone by guessing")
    return text


def _name_of_subject(value: Any, expected: str) -> str:
    if not isinstance(value, str):
        raise _UnreadableError(f"{expected}, as text", "something else")
    if reason := text_fault(value):
        raise _UnreadableError(expected, f"text with {reason}")
    return value


def _is_digest_of(subject: str, candidates: list[str | None]) -> bool:
    kinds = {64: "sha256", 128: "sha512"}
    kind = kinds.get(len(subject))
    if kind is None:
        return False
    words = {word for text in candidates if text is not None for word in (text, *text.split())}
    return any(
        hashlib.new(kind, form.encode()).hexdigest() == subject.lower() for word in words for form in (word, word.strip().lower())
    )
