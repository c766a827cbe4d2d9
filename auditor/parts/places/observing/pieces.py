"""Parts of deleted people's ids and addresses by which they are known all the same: where one is met, a place stays open.

Free names and words of an honest store have room for a short text: names of tables, a column of remarks, a line of a file. What
tells a person is looked for there even where it is a part alone: the digits of an id, the name in front of an @, a digest. A part
that somebody who stays has too tells nobody.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ahocorasick_rs import BytesAhoCorasick

_DIGITS: Final = re.compile(r"\d{6,18}")
"""Fewer are in any file."""
_LOCAL: Final = re.compile(r"([^\s@,;<>\"']{7,64})@[^\s@]+")
"""The name in front of an @."""
_DIGESTS: Final = ("md5", "sha1", "sha256")
_OF_A_DIGEST: Final = 32
"""Hexadecimal digits of the shortest of them."""


@dataclass(frozen=True)
class Pieces:
    """Parts, in small letters, each with the records that it is of."""

    records: Mapping[bytes, frozenset[str]]

    @classmethod
    def of(cls, gone: Iterable[tuple[str, str]], kept: Iterable[str]) -> Pieces:
        """Collect them.

        Args:
            gone: Ids and cells of deleted people, each with its record.
            kept: Ids and cells of people who stay.
        """
        taken = {piece for written in kept for piece in _parts(written)}
        found: defaultdict[bytes, set[str]] = defaultdict(set)
        for written, record in gone:
            for piece in _parts(written) - taken:
                found[piece.encode()].add(record)
            if _DIGITS.search(written) or "@" in written:
                for form in {written, written.lower()}:
                    for kind in _DIGESTS:
                        digest = hashlib.new(kind, form.encode("utf-8", "surrogatepass"), usedforsecurity=False)
                        found[digest.hexdigest().encode()].add(record)
        return cls({piece: frozenset(those) for piece, those in found.items()})

    def met_in(self, content: bytes) -> set[str]:
        """Give the records of which a part is in some bytes: by itself, or next to signs of another kind."""
        if not self.records:
            return set()
        lowered = content.lower()
        found: set[str] = set()
        for at, start, end in self._machine.find_matches_as_indexes(lowered, overlapping=True):
            if _stands_alone(lowered, start, end):
                found |= self.records[self._order[at]]
        return found

    @cached_property
    def _order(self) -> tuple[bytes, ...]:
        return tuple(self.records)

    @cached_property
    def _machine(self) -> BytesAhoCorasick:
        """Made where files are read, once for all of them."""
        return BytesAhoCorasick(list(self._order))


def _parts(written: str) -> set[str]:
    local = _LOCAL.fullmatch(written.strip())
    names = {local[1].lower()} if local is not None and not local[1].isalpha() else set()
    return names | {each for each in _DIGITS.findall(written) if each.isascii()}


def _stands_alone(content: bytes, start: int, end: int) -> bool:
    """Whether no sign of its own kind goes on before or after it: a digit next to digits, a letter next to letters."""
    if end - start >= _OF_A_DIGEST:
        return True  # by chance it is nowhere
    before = _go_on(content[start - 1 : start] if start else b"", content[start : start + 1])
    return not (before or _go_on(content[end - 1 : end], content[end : end + 1]))


def _go_on(one: bytes, other: bytes) -> bool:
    return bool(one and other) and ((one.isdigit() and other.isdigit()) or (one.isalpha() and other.isalpha()))
