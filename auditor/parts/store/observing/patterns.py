"""Look for many byte strings at once in content that nobody vouches for, in one pass.

Of each string a short piece, its anchor, goes into an automaton (Aho and Corasick, "Efficient string matching", 1975); where an
anchor stands, the whole string is compared. Anchors are at most eight bytes long, so that at most five end at one place: strings
that contain one another, or content that repeats one of them, cost time in proportion to their length and no more.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import ahocorasick_rs

SHORTEST: Final = 4
"""Bytes that a pattern has at least."""
_ANCHOR: Final = 8
_CHUNK: Final = 2**20
_AT_ONCE: Final = 50_000
"""Anchors in one automaton: it takes some 100 MB."""
_HITS: Final = 4_096
"""Places of one anchor that are examined; then its strings are looked for one by one."""
_GROUPS: Final = 32
_IDLE: Final = 10_000
"""Hits of anchors that are done with, in one chunk, from which on a new automaton without them is worth making."""


class Ends(enum.Enum):
    """What must not be next to a pattern."""

    ANY = (b"", b"")
    WORD = (rb"(?<![\w-])", rb"(?![\w-])")
    """A letter, digit, underscore or hyphen on either side makes it part of a longer identifier."""
    DIGIT = (b"", rb"(?![0-9])")
    """In an array of fixed width the next text follows at once: only what continues a number is another identifier."""
    LETTER = (b"", rb"(?![A-Za-z])")
    WIDE_DIGIT = (b"", rb"(?!\0{1,3}[0-9])")
    """The same where the high bytes of a character come first."""
    WIDE_LETTER = (b"", rb"(?!\0{1,3}[A-Za-z])")
    WIDE_WORD = (rb"(?<![\w-])", rb"(?!\0{1,3}[\w-])")
    LONG_WORD = (rb"(?<![\w-]\0\0\0)", rb"(?![\w-])")
    """A word in four bytes a character, the low one first."""

    def around(self, form: bytes) -> re.Pattern[bytes]:
        """An expression for `form` by itself."""
        before, after = self.value
        return re.compile(before + re.escape(form) + after)


class Pattern(NamedTuple):
    """One byte string, and whom it stands for."""

    form: bytes
    owner: str
    ends: Ends = Ends.ANY


@dataclass(slots=True)
class _Anchored:
    """The patterns that share an anchor, by how many bytes come before it and how many there are in all."""

    groups: dict[tuple[int, int], dict[bytes, list[Pattern]]] = field(default_factory=dict)

    def add(self, pattern: Pattern, before: int) -> None:
        self.groups.setdefault((before, len(pattern.form)), {}).setdefault(pattern.form, []).append(pattern)

    def at(self, content: bytes, place: int, found: set[str]) -> None:
        """Note the patterns that are with their anchor at `place`, and drop those whose owners are found."""
        for (before, length), forms in self.groups.items():
            start = place - before
            if start < 0:
                continue
            for pattern in forms.get(content[start : start + length], ()):
                if pattern.owner not in found and pattern.ends.around(pattern.form).match(content, start):
                    found.add(pattern.owner)

    def anywhere(self, content: bytes, found: set[str]) -> None:
        """Note the patterns that are anywhere, one after the other."""
        for forms in self.groups.values():
            for form, patterns in forms.items():
                left = [pattern for pattern in patterns if pattern.owner not in found]
                if left and form in content:
                    found.update(each.owner for each in left if each.ends is Ends.ANY or each.ends.around(form).search(content))


class Patterns:
    """Byte strings that are looked for together."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        """Choose an anchor for each pattern; those shorter than `SHORTEST` bytes are left out."""
        anchored: dict[bytes, _Anchored] = {}
        for pattern in patterns:
            if len(pattern.form) >= SHORTEST:
                anchor, before = _anchor(pattern.form, anchored)
                anchored.setdefault(anchor, _Anchored()).add(pattern, before)
        self._anchored = anchored

    def owners_in(self, content: bytes) -> set[str]:
        """Whom any pattern in `content` stands for."""
        found: set[str] = set()
        for machine, order in self._machines():
            self._search(machine, order, content, found)
        return found

    def _machines(self) -> Iterator[tuple[ahocorasick_rs.BytesAhoCorasick, list[bytes]]]:
        if len(self._anchored) <= _AT_ONCE:
            yield from self._kept
            return
        anchors = list(self._anchored)
        for start in range(0, len(anchors), _AT_ONCE):
            yield _machine(anchors[start : start + _AT_ONCE])

    @cached_property
    def _kept(self) -> list[tuple[ahocorasick_rs.BytesAhoCorasick, list[bytes]]]:
        return [_machine(list(self._anchored))] if self._anchored else []

    def _search(self, machine: ahocorasick_rs.BytesAhoCorasick, order: list[bytes], content: bytes, found: set[str]) -> None:
        hits: Counter[int] = Counter()
        done: set[int] = set()
        view = memoryview(content)
        for start in range(0, len(content), _CHUNK):
            idle = 0
            chunk = view[start : start + _CHUNK + _ANCHOR - 1]
            for at, place, _ in machine.find_matches_as_indexes(chunk, overlapping=True):
                if at in done:
                    idle += 1
                    continue
                anchored = self._anchored[order[at]]
                hits[at] += 1
                if hits[at] > _HITS or len(anchored.groups) > _GROUPS:
                    anchored.anywhere(content, found)
                    done.add(at)
                else:
                    anchored.at(content, start + place, found)
            if idle > _IDLE:
                left = [anchor for at, anchor in enumerate(order) if at not in done]
                if not left:
                    return
                (machine, order), hits, done = _machine(left), Counter(), set()


def _machine(anchors: list[bytes]) -> tuple[ahocorasick_rs.BytesAhoCorasick, list[bytes]]:
    import ahocorasick_rs  # noqa: PLC0415  (`auditor --help` does without)

    return ahocorasick_rs.BytesAhoCorasick(anchors), anchors


def _anchor(form: bytes, taken: dict[bytes, _Anchored]) -> tuple[bytes, int]:
    """The piece of `form` that says most, and how many bytes come before it: of several, one that is not taken yet."""
    last = max(0, len(form) - _ANCHOR)
    pieces = [(form[before : before + _ANCHOR], before) for before in sorted({0, last // 4, last // 2, last * 3 // 4, last})]
    return max(pieces, key=lambda piece: (len(set(piece[0])) >= min(4, len(form)), piece[0] not in taken, len(set(piece[0]))))
