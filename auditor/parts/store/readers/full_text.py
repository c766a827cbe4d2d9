"""Read the index that SQLite's FTS5 keeps of texts, and compare it with the texts: see the notes at the head of `fts5_index.c`.

The index lists the terms of every text, three characters each, with the rows and places where they stand. A row that is deleted
stays in older segments, with every place of its terms, until these are merged: its text can be put together again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from auditor.parts.store.readers.contents import UnknownFormError

_AVERAGES, _STRUCTURE = 1, 10
_SEGMENT: Final = 37
_PAGES: Final = 31
_GRAM: Final = 3
_MOST_WRITTEN: Final = 1 << 32
_FRONT: Final = 4
"""Bytes in front of what a page holds."""


@dataclass(slots=True)
class Index:
    """What an index holds."""

    unexplained: int
    """Bytes that neither the texts nor the form of an index accounts for."""
    former: dict[int, str] = field(default_factory=dict)
    """Texts that are not there any more, as far as their terms give them, by the number of their row."""


def read(blocks: Sequence[Mapping[str, Any]], terms: Sequence[Mapping[str, Any]], texts: Mapping[int, str]) -> Index:
    """Compare an index with its texts.

    Args:
        blocks: Rows of the table of blocks: `id` and `block`.
        terms: Rows of the table of first terms: `segid`, `term`, `pgno`.
        texts: What is indexed, by the number of its row.

    Raises:
        UnknownFormError: If it is not an index of this form.
    """
    held: dict[int, bytes] = {}
    for each in blocks:
        if not isinstance(each["block"], bytes):
            raise UnknownFormError
        held[int(each["id"])] = each["block"]
    try:
        return _read(held, terms, texts)
    except (IndexError, TypeError, UnicodeError) as error:
        raise UnknownFormError from error


def _read(held: dict[int, bytes], terms: Sequence[Mapping[str, Any]], texts: Mapping[int, str]) -> Index:
    odd = 0
    averages, structure = held.pop(_AVERAGES, b""), held.pop(_STRUCTURE, b"")
    folded = {row: _folded(text) for row, text in texts.items()}
    expected = b"".join(map(_written, [len(texts), sum(_grams(each) for each in folded.values())])) if averages else b""
    if averages not in {expected, b"\0\0"} and (averages or texts):
        odd += len(averages)
    segments, more = _segments(structure)
    odd += more
    former: dict[int, dict[int, str]] = defaultdict(dict)
    alone, times = list[tuple[int, str]](), Counter[int]()
    firsts: dict[int, dict[int, bytes]] = {}
    for segment, first, last in segments:
        pages = []
        for page in range(first, last + 1):
            block = held.pop((segment << _SEGMENT) + page, None)
            if block is None:
                raise UnknownFormError
            pages.append(block)
        found = _Segment(pages, first)
        firsts[segment] = found.firsts
        for term, row, places in found.entries():
            text = folded.get(row)
            times[row] += 1
            if not places:
                alone.append((row, term))
            for place in places:
                if text is None or text[place : place + _GRAM] != term:
                    former[row][place] = term
    # Each term of a text is listed once, but where the text had been another.
    changed = {row for row, _ in alone}
    odd += sum(abs(times[row] - _different(text)) for row, text in folded.items() if row not in changed)
    odd += sum(len(each) for each in held.values())
    odd += _of_terms(terms, firsts)
    joined = {row: _joined(places) for row, places in former.items()}
    # That a row was deleted is noted of each of its terms, without a place.
    odd += sum(
        len(term.encode()) + 1 for row, term in alone if term not in joined.get(row, "") and term not in folded.get(row, "")
    )
    return Index(odd, joined)


def size_of(text: str) -> bytes:
    """Give what FTS5 notes of the length of a text: how many terms it has."""
    return _written(_grams(_folded(text)))


def _folded(text: str) -> str:
    """A text as its terms have it: letters in lower case, one character for one."""
    if text.isascii():
        return text.lower()
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def _grams(text: str) -> int:
    return max(0, len(text) - _GRAM + 1)


def _different(text: str) -> int:
    return len({text[at : at + _GRAM] for at in range(_grams(text))})


def _joined(places: Mapping[int, str]) -> str:
    """A text as far as its terms at their places give it."""
    letters: dict[int, str] = {}
    for place, term in places.items():
        letters.update({place + at: letter for at, letter in enumerate(term)})
    return "".join(letters.get(at, " ") for at in range(max(letters, default=-1) + 1))


def _segments(structure: bytes) -> tuple[list[tuple[int, int, int]], int]:
    """Read which segments there are: number, first and last page of each, and how many bytes are beyond that."""
    reader = _Bytes(structure, 4)
    odd = 4 - structure[:4].count(0)
    levels, total, written = reader.number(), reader.number(), reader.number()
    found: list[tuple[int, int, int]] = []
    for _level in range(levels):
        merging, count = reader.number(), reader.number()
        odd += merging == 1 or merging > count
        found += [(reader.number(), reader.number(), reader.number()) for _ in range(count)]
    # Pages that were ever written: a number that nothing else says.
    odd += 8 * (written >= _MOST_WRITTEN)
    if len(found) != total or any(not 1 <= first <= last < 1 << _PAGES for _, first, last in found):
        raise UnknownFormError
    return found, odd + len(structure) - reader.at


def _of_terms(terms: Sequence[Mapping[str, Any]], firsts: Mapping[int, Mapping[int, bytes]]) -> int:
    """Count the bytes of first terms of pages that are not those of the pages."""
    odd = 0
    for each in terms:
        own, page = each["term"], int(each["pgno"]) >> 1
        known = firsts.get(int(each["segid"]), {})
        shown = own if isinstance(own, bytes) else str(own).encode()
        first = known.get(page)
        # A term is cut where it differs from the last one of the page before.
        if shown and (first is None or not first.startswith(shown)):
            odd += len(shown)
        odd += 8 * (page not in known and bool(shown))
    return odd


@dataclass(slots=True)
class _Bytes:
    content: bytes
    at: int = 0

    def number(self) -> int:
        """Read a number of up to nine bytes.

        Raises:
            UnknownFormError: If it is longer than it has to be.
        """
        value, first = 0, self.at
        if (byte := self.content[first]) < 128:
            self.at += 1
            return byte
        for _ in range(8):
            byte = self.content[self.at]
            self.at += 1
            value = value << 7 | byte & 127
            if byte < 128:
                if self.at - first > 1 and value >> 7 * (self.at - first - 1) == 0:
                    raise UnknownFormError
                return value
        value = value << 8 | self.content[self.at]
        self.at += 1
        return value


def _written(number: int) -> bytes:
    parts = [number & 127]
    while number := number >> 7:
        parts.append(number & 127 | 128)
    return bytes(reversed(parts))


class _Segment:
    """The pages of a segment, whose lists go on from one to the next."""

    def __init__(self, pages: Sequence[bytes], first: int) -> None:
        self.firsts: dict[int, bytes] = {}
        """The first term that begins on each page."""
        self._begins: list[int] = []
        self._terms: set[int] = set()
        self._rows: set[int] = set()
        self._rows_met = 0
        self._first, at, bodies = first, 0, list[bytes]()
        for page in pages:
            row, size = int.from_bytes(page[:2], "big"), int.from_bytes(page[2:4], "big")
            if not _FRONT <= size <= len(page) or (row and not _FRONT <= row < size):
                raise UnknownFormError
            footer, place, offsets = _Bytes(page, size), 0, list[int]()
            while footer.at < len(page):
                place += footer.number()
                offsets.append(place)
            if any(not _FRONT <= each < size for each in offsets):
                raise UnknownFormError
            self._terms |= {at + each - _FRONT for each in offsets}
            self._rows |= {at + row - _FRONT} if row else set()
            self._begins.append(at)
            bodies.append(page[_FRONT:size])
            at += size - _FRONT
        self._content = b"".join(bodies)

    def entries(self) -> Iterator[tuple[str, int, list[int]]]:
        """Give each term with a row and its places there; without any where it is noted that the row was deleted.

        Raises:
            UnknownFormError: If there is anything between them.
        """
        reader, term, begun = _Bytes(self._content), b"", 0
        while reader.at < len(self._content):
            if reader.at not in self._terms:
                raise UnknownFormError
            begun += 1
            page = bisect_right(self._begins, reader.at) - 1
            opens = self._first + page not in self.firsts
            kept = 0 if opens else reader.number()
            length = reader.number()
            if kept > len(term) or reader.at + length > len(self._content):
                raise UnknownFormError
            before, term = term, term[:kept] + self._content[reader.at : reader.at + length]
            # A term follows the one before, and repeats nothing of it that could be taken from there.
            if term <= before or (not opens and before[kept : kept + 1] == term[kept : kept + 1]):
                raise UnknownFormError
            reader.at += length
            if opens:
                self.firsts[self._first + page] = term
            yield from self._of_term(reader, term)
        if begun != len(self._terms) or self._rows_met != len(self._rows):
            raise UnknownFormError

    def _of_term(self, reader: _Bytes, term: bytes) -> Iterator[tuple[str, int, list[int]]]:
        # In front of a term stands the mark of the list that it is of: of whole terms, and not of their beginnings.
        if not term.startswith(b"0"):
            raise UnknownFormError
        word, row, first = term[1:].decode(), 0, True
        while first or (reader.at < len(self._content) and reader.at not in self._terms):
            # The first row of a page is written in full, as the first of a list does.
            opens = reader.at in self._rows
            self._rows_met += opens and not first
            before = 0 if first or opens else row
            row = before + reader.number()
            first = False
            size = reader.number()
            end, place, places = reader.at + (size >> 1), 0, list[int]()
            while reader.at < end:
                step = reader.number() - 2
                # One below is the mark of another column; a place that is repeated says nothing of the text.
                if step < (1 if places else 0):
                    raise UnknownFormError
                place += step
                places.append(place)
            if reader.at != end or not (places or size & 1):
                raise UnknownFormError
            yield word, row, places
