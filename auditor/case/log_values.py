"""What a cell of a deletion log may hold, and the words for what it may not: identifiers, times, dates, pseudonyms, free text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any, Final, TypeVar

from pydantic_core import PydanticCustomError

from auditor.base.suggestions import plain
from auditor.settings.problems import show, text_fault, unknown
from auditor.settings.values import LONGEST_TEXT, wrong

_Word = TypeVar("_Word", bound=StrEnum)

_RFC3339: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,30})?(?P<offset>[Zz]|[+-][0-9]{2}:[0-9]{2})?"
)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMAIL: Final = re.compile(r"\S@\S")
_BARE_HASH: Final = re.compile(r"(?:[0-9a-f]{32}|[0-9a-f]{40})", re.IGNORECASE)
_UUID4: Final = re.compile(r"[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}", re.IGNORECASE)
_NAMED_HASH: Final = re.compile(r"(?:md5|sha-?(?:1|224|256|384|512)|sha3-[0-9]{3})[:$= ].*", re.IGNORECASE | re.DOTALL)
_YEARS: Final = (1970, 2999)
_PSEUDONYM: Final = "a keyed HMAC (hmac-sha256:...) or an opaque id"


STATES: Final = ("open", "in_progress", "executed", "denied", "revoked", "no_match")
"""States of a request."""
_MEANT: Final[Mapping[str, str]] = {
    "open": "new pending submitted received requestmade waiting todo",
    "in_progress": "processing started working verifying enriching compiling approving onhold delayed",
    "executed": "closed done complete completed finished fulfilled erased deleted resolved",
    "denied": "rejected refused declined",
    "revoked": "cancelled canceled withdrawn",
    "no_match": "notfound nodata unknownperson",
}


SYNONYMS: Final[Mapping[str, str]] = {plain(word): state for state, words in _MEANT.items() for word in (state, *words.split())}
"""States of the log by what ticket systems call them, plainly written."""


def state(value: Any) -> str:
    """Read a state; for another system's word of the same meaning, the problem names the log's."""
    if isinstance(value, str) and value not in STATES and (meant := SYNONYMS.get(plain(value))) is not None:
        raise wrong(f"one of {', '.join(STATES)}: {meant} for {show(value)}", show(value))
    return one_of("status", STATES, value)


def identifier(value: Any) -> str:
    """Read an identifier: text that can be printed."""
    if not isinstance(value, str):
        raise wrong("text: identifiers are strings", show(value))
    if reason := text_fault(value):
        raise wrong("an identifier", f"text with {reason}")
    return value


def identifiers(value: Any) -> tuple[str, ...]:
    """Read a list of record ids, none of them twice in vain: what is named twice is a finding, and no problem here."""
    if not isinstance(value, list):
        raise wrong("a list of record ids", show(value))
    if not value:
        raise wrong("at least one record id", "an empty list")
    for item in value:
        if not isinstance(item, str):
            raise wrong("a list of strings: record ids are text", f"{show(item)} in it")
        if reason := text_fault(item):
            raise wrong("a list of record ids", f"text with {reason} in it")
    return tuple(value)


def moment(value: Any) -> datetime:
    """Read a time with its offset, as RFC 3339."""
    expected = "a time as RFC 3339 with its offset, such as 2026-03-01T09:30:00+01:00"
    if isinstance(value, datetime):
        found = value
    elif isinstance(value, str) and (match := _RFC3339.fullmatch(value)):
        if match["offset"] is None:
            raise wrong(expected, f"{show(value)}, which has no offset")
        try:
            found = datetime.fromisoformat(value.upper())
        except ValueError as error:
            raise wrong(expected, f"{show(value)}: {error}") from error
    else:
        raise wrong(expected, show(value))
    offset = found.utcoffset()
    if offset is None:
        raise wrong(expected, f"{found.isoformat()}, which has no offset")
    if not _YEARS[0] <= found.year <= _YEARS[1]:
        raise wrong(f"a time between the years {_YEARS[0]} and {_YEARS[1]}", show(value))
    return found if found.tzinfo is UTC else found.replace(tzinfo=_fixed(offset))


def _fixed(offset: timedelta) -> timezone:
    return timezone(offset) if offset else UTC


def day(value: Any) -> date:
    """Read a date."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    expected = "a date, such as 2026-03-31"
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise wrong(expected, show(value))
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise wrong(expected, f"{show(value)}: {error}") from error


def count(value: Any) -> int:
    """Read an integer of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1_000_000_000:
        raise wrong("an integer of at least 0", show(value))
    return value


def one_of(kind: str, known: tuple[str, ...], value: Any) -> str:
    """Read one of the words that are known."""
    if isinstance(value, str) and value in known:
        return value
    if isinstance(value, str):
        raise wrong(*unknown(kind, value, known))
    raise wrong(f"one of {', '.join(known)}", show(value))


def member(kind: str, words: type[_Word], value: Any) -> _Word:
    """Read one of the words of an enum."""
    return words(one_of(kind, tuple(each.value for each in words), value))


def prose(value: Any) -> str:
    """Read free text, which stays where it is; it may hold personal data, so a problem never says what it says."""
    if not isinstance(value, str):
        raise wrong("text", "something else")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise wrong("text", "half of a surrogate pair")
    return value


def reason(value: Any) -> str:
    """Read text that says something: an empty reason explains nothing."""
    text = prose(value)
    if not any(character.isalnum() for character in text):
        raise wrong("a reason in words", "none")
    return text


def statement(value: Any) -> str:
    """Read text that is printed for the person and is in the evidence: one short paragraph."""
    text = " ".join(reason(value).split())
    if len(text) > LONGEST_TEXT:
        raise wrong(f"text of at most {LONGEST_TEXT} characters", f"{len(text)} characters")
    if fault := text_fault(text):
        raise wrong("text without control characters", f"text with {fault}")
    return text


def pseudonym(value: Any) -> str:
    """Read a pseudonym that only the controller can turn back into a person.

    An e-mail address and its unkeyed hash are no pseudonyms: anyone who guesses the address finds the person. By its form alone a
    bare SHA-256 looks the same as an HMAC-SHA-256, so 64 hexadecimal digits are accepted; 32 or 40 of them, the length of MD5
    and SHA-1 (and not a random UUID), are refused, as is a hash that says of itself that it is unkeyed.
    """
    if not isinstance(value, str):
        raise wrong(f"{_PSEUDONYM}, as text", "something else")
    if fault := text_fault(value):
        raise wrong(_PSEUDONYM, f"text with {fault}")
    if _EMAIL.search(value):
        raise wrong(_PSEUDONYM, "what looks like an e-mail address")
    if _NAMED_HASH.fullmatch(value) or (_BARE_HASH.fullmatch(value) and not _UUID4.fullmatch(value)):
        raise wrong(_PSEUDONYM, "what looks like an unkeyed hash, which can be undone by guessing")
    return value


def refuse_digest(subject: str, candidates: list[str | None]) -> PydanticCustomError | None:
    """Say what is wrong with a pseudonym that is the unkeyed hash of another value of its row; None where nothing is."""
    kind = {64: "sha256", 128: "sha512"}.get(len(subject))
    if kind is None:
        return None
    words = {word for text in candidates if text is not None for word in (text, *text.split())}
    forms = (form for word in words for form in (word, word.strip().lower()))
    if any(hashlib.new(kind, form.encode()).hexdigest() == subject.lower() for form in forms):
        return wrong("a keyed HMAC or an opaque id", "the unkeyed hash of another value in this row")
    return None
