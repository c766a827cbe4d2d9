"""What a value of audit.toml may be: annotated types, each with the message for what it is not.

Numbers are finite and never booleans, unknown keys are errors, and a seed is kept out of every representation and message.
"""

from __future__ import annotations

import difflib
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from auditor.base import suggestions
from auditor.base.domain import Problem

# How a problem with an input is put into words: values shown safely, unknown words with their nearest known one.
# What is in an input may be hostile (control characters, numbers of a million digits) or secret, so nothing is echoed but
# short scalars, and of tables and arrays only their kind.
SHOWN_PER_FILE = 20
"""Cells of one file that are named one by one; the others are counted."""

_LONGEST = 60
_FEW: Final = 12
"""Words in a list at whose end a suggestion is still seen."""


def show(value: object) -> str:  # noqa: PLR0911 - one line a kind
    """A value from an input in a few printable characters; of tables and arrays the kind and size alone."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if value.bit_length() <= 192 else f"an integer of {value.bit_length()} bits"
        case float():
            return repr(value)
        case str():
            shown = value if len(value) <= _LONGEST else value[:_LONGEST] + "..."
            return json.dumps(shown, ensure_ascii=not shown.isprintable())
        case list() | tuple():
            return f"an array of {len(value)}"
        case dict():
            return "a table"
        case datetime() | date() | time():
            return value.isoformat()
        case _:
            return f"a value of type {type(value).__name__}"


def unknown(kind: str, word: str, known: Sequence[str]) -> tuple[str, str]:
    """What to expect, with the known word that was meant as a hint, and what was found, where `word` is not one of `known`."""
    near, listed = suggestions.hint(word, known), ", ".join(known)
    # Of a long list nobody reads the end, where the one word stands that matters.
    expected = f"one of {len(known)}{near}: {listed}" if near and len(known) > _FEW else f"one of {listed}{near}"
    return expected, f"an unknown {kind} {show(word)}"


def misspelt(word: str, known: Sequence[str]) -> bool:
    """Whether `word` looks so much like a known one that to pass it over would be dangerous, whatever was meant."""
    return bool(difflib.get_close_matches(word[:200].lower(), known, n=1, cutoff=0.85))


def text_fault(text: str) -> str | None:
    """Why `text` cannot serve as a name or identifier, or None where it can.

    Identifiers are printed in reports, letters and terminals and are written as UTF-8: control characters, line
    separators, direction overrides and lone surrogates have no place in them.
    """
    if text.isascii() and text.isprintable():
        return None if text.strip() else "only blanks or nothing"
    for character in text:
        category = unicodedata.category(character)
        if category in {"Cc", "Cs", "Zl", "Zp"} or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
            return f"the character U+{ord(character):04X}"
    return None if text.strip() else "only blanks or nothing"


class Cells:
    """Problems with single cells of one file: the first twenty by name, the others by number."""

    def __init__(self, file: str) -> None:
        """Start with none for `file`, named relative to the case."""
        self.file = file
        self.count = 0
        self._shown: list[Problem] = []

    def add(self, where: str, expected: str, found: str) -> None:
        """Record one cell."""
        self.count += 1
        if len(self._shown) < SHOWN_PER_FILE:
            self._shown.append(Problem(self.file, where, expected, found))

    def add_many(self, places: Iterable[str], total: int, expected: str, found: str) -> None:
        """Record `total` cells with the same fault, of which `places` names at least the first twenty."""
        before = self.count
        for place in places:
            if self.count - before >= min(total, SHOWN_PER_FILE):
                break
            self.add(place, expected, found)
        self.count = before + total

    def problems(self) -> list[Problem]:
        """Every problem recorded, the surplus summed up in one."""
        more = self.count - len(self._shown)
        if not more:
            return list(self._shown)
        return [*self._shown, Problem(self.file, "", "no more cells like these", f"and {more} more")]


LARGEST_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON reader keeps (RFC 8785, section 3.2.2.3)."""
LONGEST_TEXT: Final = 1000
"""Characters of a name or path."""
_SEED_DIGITS: Final = 1000
_LARGEST_EXPONENT: Final = 1000


def wrong(expected: str, found: str) -> PydanticCustomError:
    """A validation error that carries both halves of a Problem."""
    return PydanticCustomError("wrong", "expected {expected}, found {found}", {"expected": expected, "found": found})


def _text(value: object) -> object:
    if isinstance(value, str) and (fault := text_fault(value)):
        raise wrong("text without control characters", fault)
    return value


def _seed(value: object) -> int:
    expected = f"an integer of at least 0, or its decimal digits in quotes, at most {_SEED_DIGITS} digits"
    if isinstance(value, str) and re.fullmatch(rf"[0-9]{{1,{_SEED_DIGITS}}}", value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**_SEED_DIGITS:
        return value
    # The value is a secret, even a wrong one: say no more than that it is wrong.
    raise wrong(expected, "something else (a seed is not shown)")


def _day(value: object) -> object:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    if isinstance(value, datetime) or not isinstance(value, date):
        raise wrong("a date such as 2026-09-30", show(value))
    return value


def _sha256(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"[0-9a-f]{64}", value):
        raise wrong("a SHA-256 digest, 64 hexadecimal digits in lower case", show(value))
    return value


def power_of_two(value: object) -> float:
    """A power of two, as a number or as text such as 2^-30.

    Raises:
        PydanticCustomError: If it is not one, or lies beyond 2^-1000 and 2^1000.
    """
    match = re.fullmatch(r"2(?:\^|\*\*)(-?[0-9]{1,4})", value) if isinstance(value, str) else None
    if match is not None and abs(int(match[1])) <= _LARGEST_EXPONENT:
        return math.ldexp(1.0, int(match[1]))
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf:
        fraction, exponent = math.frexp(value) if value < 2.0**_LARGEST_EXPONENT else (0.0, 0)
        if fraction == 0.5 and abs(exponent - 1) <= _LARGEST_EXPONENT:
            return float(value)
        if fraction and abs(exponent) < _LARGEST_EXPONENT:
            nearest = f"2^{round(math.log2(value))}"
            raise wrong(f'a power of two, such as "{nearest}"', show(value))
    raise wrong('a power of two, such as "2^-30", at least 2^-1000 and at most 2^1000', show(value))


Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), BeforeValidator(_text)]
NonNegative: TypeAlias = Annotated[float, Field(ge=0)]
Positive: TypeAlias = Annotated[float, Field(gt=0)]
Inside: TypeAlias = Annotated[float, Field(gt=0, lt=1)]
Fraction: TypeAlias = Annotated[float, Field(ge=0, le=1)]
Share: TypeAlias = Annotated[float, Field(ge=0.5, le=1)]
"""Of right answers where guessing gives half of them."""
BelowOne: TypeAlias = Annotated[float, Field(ge=0, lt=1)]
PowerOfTwo: TypeAlias = Annotated[float, BeforeValidator(power_of_two, json_schema_input_type=float | str)]
Day: TypeAlias = Annotated[date, BeforeValidator(_day)]
Sha256: TypeAlias = Annotated[str, BeforeValidator(_sha256)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=1_000_000_000)]
Deletions: TypeAlias = Annotated[int, Field(ge=1, le=10)]
"""Of a game of deletion inference; half of the smallest set that games are played on leaves room for so many."""
Seed: TypeAlias = Annotated[
    int, BeforeValidator(_seed, json_schema_input_type=int | str), Field(default=0, repr=False, exclude=True)
]


class Table(BaseModel):
    """A frozen table that takes its own keys and no others."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
        defer_build=True,
    )


def json_fault(value: Any, depth: int = 0) -> str | None:  # noqa: PLR0911 - one line a kind
    """Why a value of a free key is no JSON value that every reader keeps, or None where it is one."""
    match value:
        case bool() | None:
            return None
        case str():
            return None if value.isprintable() else "text with control characters"
        case int():
            return None if abs(value) <= LARGEST_INTEGER else f"an integer beyond {LARGEST_INTEGER} (put its digits in quotes)"
        case float():
            return None if value - value == 0 else show(value)
        case list() | dict() if depth >= 16:
            return "more than 16 levels of nesting"
        case list():
            return next((fault for item in value if (fault := json_fault(item, depth + 1))), None)
        case dict():
            return next((fault for item in value.values() if (fault := json_fault(item, depth + 1))), None)
        case _:
            return show(value)
