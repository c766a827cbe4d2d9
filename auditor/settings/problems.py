"""How a problem with an input is put into words: values shown safely, unknown words with their nearest known one.

What is in an input may be hostile (control characters, numbers of a million digits) or secret, so nothing is echoed
but short scalars, and of tables and arrays only their kind.
"""

from __future__ import annotations

import difflib
import json
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time

from auditor.base import suggestions
from auditor.base.domain import Problem

SHOWN_PER_FILE = 20
"""Cells of one file that are named one by one; the others are counted."""

_LONGEST = 60


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
    return f"one of {', '.join(known)}{suggestions.hint(word, known)}", f"an unknown {kind} {show(word)}"


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
