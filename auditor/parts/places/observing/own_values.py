"""Read a line as what is known of one person who stays, and what stands around it.

A line belongs to the person of whom most is in it: an id, an address, four words that follow one another. Where nothing in it is
one person's alone, it is theirs who have most of what few people have, if a whole text of theirs is in it, or two values. What of
it is in their values, in whole or in pieces of at least eight characters, is theirs; the rest is left as it is.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from urllib.parse import quote, quote_plus, unquote

import numpy as np

from auditor.base.mixed_columns import Kind
from auditor.parts.places.observing.addressees import Addressees
from auditor.parts.places.observing.notations import notations
from auditor.parts.store.observing.people import People

MANY: Final = 8
"""People who stay, from whom on what they share is nobody's own: a word of their texts, a form of their lines."""
_WORDS: Final = 4
"""Words that follow one another, by which a text is known."""
_SHARED: Final = 256
"""People who have the same words, at most, of whom one may be found by what else is in a line."""
_PIECE: Final = 8
"""Characters of a piece of a value, at least."""
_NAME: Final = 255
"""Characters of the name of a file, at most."""
_SHORT: Final = 4
"""Characters of a value that is known wherever it stands: a shorter one has to fill a cell."""
_MOST_WORDS: Final = 2_000_000
"""Words of all values together; of more, no line is explained."""
_MOST_LETTERS: Final = 1 << 25
"""Letters of values in all ways of writing them that are kept, and not written again for each pass over the lines."""
_TOKENS: Final = re.compile(r"[^\W_]+")
_ENDS: Final = re.compile(r"[.!?]+(?=\s|%20|\+|$)|\n+|\\n")
_OPENING: Final = frozenset({"", '"', "\t", "|", ";", ">"})
_CLOSING: Final = frozenset({"", '"', "\t", "|", ";", "<"})
"""What is before a cell, and behind it."""
_EDGES: Final = frozenset('",;:=|\t<>()[] \n')
ON_ONE_LINE: Final = "on one line, "
"""Begins the name of a way in which words follow one another with one blank between them."""
_WRITTEN: Final[Mapping[str, Callable[[str], str]]] = {
    "plain": str,
    "json": lambda text: json.dumps(text)[1:-1],
    "json in letters": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "percent": quote,
    "percent, slashes too": lambda text: quote(text, safe=""),
    "form": quote_plus,
    "page": html.escape,
    "quotes doubled": lambda text: text.replace('"', '""'),
    "small": str.lower,
    "capitals": str.upper,
    f"{ON_ONE_LINE}plain": lambda text: " ".join(text.split()),
    f"{ON_ONE_LINE}json": lambda text: json.dumps(" ".join(text.split()))[1:-1],
    f"{ON_ONE_LINE}json in letters": lambda text: json.dumps(" ".join(text.split()), ensure_ascii=False)[1:-1],
}
"""How a value may be written: all of a file in one way."""


@dataclass(frozen=True, slots=True)
class Form:
    """A value of a person as it may be written."""

    column: str
    text: str
    ways: frozenset[str]


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a line that is a person's: a value in each way in which it may be one, from where to where."""

    column: str
    options: tuple[tuple[Form, int, int], ...]

    @property
    def text(self) -> str:
        """It, as it is written."""
        form, start, end = self.options[0]
        return form.text[start:end]

    @property
    def whole(self) -> bool:
        """Whether it is the value from its first character to its last."""
        return any(start == 0 and end == len(form.text) for form, start, end in self.options)


@dataclass(frozen=True, slots=True)
class Read:
    """A line: what stands around slots, which begins and ends it, and whose it is, as a number; -1 for nobody's."""

    around: tuple[str, ...]
    slots: tuple[Slot, ...]
    owner: int

    @property
    def text(self) -> str:
        """All of it."""
        written = (each.text for each in self.slots)
        return self.around[0] + "".join(slot + around for slot, around in zip(written, self.around[1:], strict=True))


@dataclass(slots=True)
class Owners:
    """People who stay, in the table's order, and what is known of them."""

    values: list[list[tuple[str, str]]]
    """Of each: columns and what is in them."""
    words: frozenset[str]
    """Words that many of them have, names of columns among them."""
    gone: frozenset[str]
    """Words of deleted people that nobody who stays has."""
    index: dict[tuple[str, ...], int]
    """Words that follow one another, and who has them; -1 where it is not one alone."""
    shared: Mapping[tuple[str, ...], Sequence[int]] = field(default_factory=dict)
    """Who has them, where it is not one alone but few."""
    places: tuple[int, ...] = ()
    """Of each, the position in the table."""
    waiting: frozenset[int] = frozenset()
    """Who of them waits for their erasure, by number."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """What each column holds, of a table that has columns."""
    addressees: Addressees = field(default_factory=lambda: Addressees({}))
    """Addresses of mail, with whose they are."""
    _forms: dict[int, list[Form]] = field(default_factory=dict)
    _all: dict[int, str] = field(default_factory=dict)
    _short: dict[int, Mapping[str, Sequence[Form]]] = field(default_factory=dict)
    """Forms shorter than a piece, by their first sign."""
    _letters: int = 0
    """Of all forms that are kept."""
    _known: dict[str, Read] = field(default_factory=dict)

    @classmethod
    def of(cls, people: People) -> Owners:
        """Collect what is known of people."""
        everybody = values_of(people)
        stays = np.flatnonzero(people.retained).tolist()
        values = [everybody[at] for at in stays]
        gone = [everybody[at] for at in np.flatnonzero(~people.retained).tolist()]
        users: Counter[str] = Counter()
        index: dict[tuple[str, ...], int] = {}
        shared: dict[tuple[str, ...], list[int]] = {}
        total = 0
        for at, own in enumerate(values):
            known: set[str] = set()
            for _, text in own:
                tokens = words_of(text)
                total += len(tokens)
                known.update(tokens)
                for each in _keys(tokens, text):
                    if (other := index.setdefault(each, at)) == at:
                        continue
                    index[each] = -1
                    those = shared.setdefault(each, [other])
                    if those[-1] != at and len(those) <= _SHARED:
                        those.append(at)
            users.update(known)
            if total > _MOST_WORDS:
                return cls([], frozenset(), frozenset(), {})
        columns = {word for name in people.columns for word in words_of(name)}
        deleted = {word for own in gone for _, text in own for word in words_of(text)}
        deleted |= {word for record in people.gone for word in words_of(record)}
        return cls(
            values,
            frozenset({each for each, count in users.items() if count >= MANY and each.isalpha()} | columns),
            frozenset(deleted - users.keys() - columns),
            index,
            {each: those for each, those in shared.items() if len(those) <= _SHARED},
            tuple(stays),
            frozenset() if people.waiting is None else frozenset(np.flatnonzero(people.waiting[people.retained]).tolist()),
            {each.name: each.kind for each in people.train.table or ()},
            Addressees.of(([text for _, text in own] for own in values), [text for own in gone for _, text in own]),
        )

    def read(self, line: str, before: int = -1) -> Read:
        """Take a line apart.

        Args:
            line: The line.
            before: Whose the line before it is: theirs where others have as much of it.
        """
        if len(line) <= _NAME and before < 0:
            if line not in self._known:
                self._known[line] = self._taken_apart(line, before)
            return self._known[line]
        return self._taken_apart(line, before)

    def _taken_apart(self, line: str, before: int) -> Read:
        tokens = words_of(_decoded(line))
        reads = [self._taken_apart_as(line, owner) for owner in self._owners(tokens, before)]
        if not reads and (owner := self._owner_of_shared(tokens, before)) >= 0:
            reads = [each for each in (self._taken_apart_as(line, owner),) if _is_of_one(each)]
        return max(reads, key=lambda read: sum(len(each.text) for each in read.slots), default=Read((line,), (), -1))

    def _taken_apart_as(self, line: str, owner: int) -> Read:
        around, slots, last, at = [""], list[Slot](), 0, 0
        while at < len(line):
            starts = line[at].isalnum() and not (at and line[at - 1].isalnum())
            # A chunk may begin with a blank, after what opens a cell.
            opens = not line[at].isspace() or line[at - 1 : at] in _OPENING
            slot, size = self._slot(line, at, owner) if starts or opens else (None, 0)
            if slot is None:
                at += 1
                continue
            around[-1] = line[last:at]
            slots.append(slot)
            around.append("")
            at += size
            last = at
        around[-1] = line[last:]
        return Read(tuple(around), tuple(slots), owner if slots else -1)

    def ways(self, column: str) -> Mapping[str, Callable[[str], str]]:
        """How values of a column may be written, by name."""
        return _WRITTEN if self.kinds.get(column, Kind.TEXT) is Kind.TEXT else {"plain": str}

    def forms(self, owner: int, column: str) -> list[Form]:
        """A value of a person in each way of writing it."""
        return [each for each in self._of(owner) if each.column == column]

    def own(self, owner: int, column: str) -> str | None:
        """A value of a person."""
        return next((text for name, text in self.values[owner] if name == column), None)

    def _owners(self, tokens: Sequence[str], before: int) -> list[int]:
        """Whose a line may be: of whom it has most words, and whose id it has, where that is another one's.

        Times of many people are made of the same few numbers.
        """
        met: Counter[int] = Counter()
        for each in _runs(tokens):
            if (owner := self.index.get(each, -1)) >= 0:
                met[owner] += len(each)
        if not met:
            return []
        most = max(met.values())
        those = [each for each, count in met.items() if count == most]
        usual = before if before in those else min(those)
        there = f" {' '.join(tokens)} "
        named = [each for each in met if f" {' '.join(words_of(self.values[each][0][1]))} " in there]
        return [usual, *named] if len(named) == 1 and named != [usual] else [usual]

    def _owner_of_shared(self, tokens: Sequence[str], before: int) -> int:
        """Who has most of what several people have in a line of which nobody has anything alone; -1 for nobody.

        Of several who have as much, who has most short values in it; then, whose the line before is, or who comes next.
        """
        met = Counter(owner for each in _runs(tokens) for owner in self.shared.get(each, ()) for _ in each)
        there, most = f" {' '.join(tokens)} ", max(met.values(), default=0)
        short = {
            each: sum(len(text) for _, text in self.values[each] if len(text) < _SHORT and f" {text.casefold()} " in there)
            for each, count in met.items()
            if count == most
        }
        those = [each for each, size in short.items() if size == max(short.values())]
        return before if before in those else min(those, key=lambda each: (each < before, each), default=-1)

    def _slot(self, line: str, at: int, owner: int) -> tuple[Slot | None, int]:
        """The longest part of the line from here on that is the person's."""
        best, options = 0, list[tuple[Form, int, int]]()
        forms: Sequence[Form] = self._of(owner)
        head = line[at : at + _PIECE]
        # Where no value has the next signs, only one that is shorter than these can be there.
        if len(head) == _PIECE and head not in self._all[owner]:
            forms = self._short[owner].get(line[at], ())
        for form in forms:
            for start, size in _matches(line, at, form.text):
                if size > best:
                    best, options = size, []
                if size == best:
                    options.append((form, start, start + size))
        if not options:
            return None, 0
        whole = [each for each in options if each[1] == 0 and each[2] == len(each[0].text)]
        column = (whole or options)[0][0].column
        return Slot(column, tuple(each for each in options if each[0].column == column)), best

    def _of(self, owner: int) -> list[Form]:
        if owner not in self._forms:
            if self._letters > _MOST_LETTERS:
                for kept in (self._forms, self._all, self._short):
                    kept.clear()
                self._letters = 0
            found = []
            for column, text in self.values[owner]:
                ways: dict[str, set[str]] = {}
                for name, write in self.ways(column).items():
                    ways.setdefault(write(text), set()).add(name)
                for name, written in notations(self.kinds.get(column, Kind.TEXT), text):
                    ways.setdefault(written, set()).add(name)
                # Blanks on one line are nothing, which is everywhere and moves nobody on.
                ways.pop("", None)
                found += [Form(column, written, frozenset(names)) for written, names in ways.items()]
            self._forms[owner] = found
            self._all[owner] = "\0".join(each.text for each in found)
            short: dict[str, list[Form]] = {}
            for each in found:
                if len(each.text) < _PIECE:
                    short.setdefault(each.text[0], []).append(each)
            self._short[owner] = short
            self._letters += 2 * len(self._all[owner])
        return self._forms[owner]


def written_as() -> Mapping[str, Callable[[str], str]]:
    """How a value may be written, the plainest way first."""
    return _WRITTEN


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _TOKENS.findall(text.casefold())


@lru_cache(maxsize=256)
def sentences(text: str) -> list[tuple[int, int]]:
    """Where each sentence of a text begins, and ends with what closes it."""
    found, start = list[tuple[int, int]](), 0
    for each in [*_ENDS.finditer(text), None]:
        end = len(text) if each is None else each.end()
        begin = start + len(text[start:end]) - len(text[start:end].lstrip(" \n+"))
        if text[begin:end].strip():
            found.append((begin, end))
        start = end
    return found


def values_of(people: People) -> list[list[tuple[str, str]]]:
    """Give columns and what is in them of everybody, in the table's order: first the id, in a column without a name."""
    cells: list[str]
    records, table = people.train, people.train.table or ()
    found = [[("", record)] for record in records.ids.tolist()]
    for at, column in enumerate(table):
        codes = records.features[:, at]
        if column.kind is Kind.TIME:
            cells = ["" if cell is None else cell for cell in column.cells(codes)]
        elif column.kind is Kind.TEXT:
            cells = [column.words[int(code)] if 0 <= code < len(column.words) else "" for code in codes.tolist()]
        elif column.kind in {Kind.NUMBER, Kind.INTEGER}:
            cells = ["" if code == column.missing else _number(code) for code in codes.tolist()]
        else:
            values = column.values(np.asarray(codes))
            cells = ["" if code == column.missing else str(value) for code, value in zip(codes.tolist(), values, strict=True)]
        for own, cell in zip(found, cells, strict=True):
            if cell:
                own.append((column.name, cell))
    return found


def _number(code: float) -> str:
    return str(int(code)) if code == code // 1 else repr(code)


def _keys(tokens: Sequence[str], text: str) -> Iterator[tuple[str, ...]]:
    if len(tokens) <= _WORDS and len(text) >= _SHORT:
        yield tuple(tokens)
    for at in range(len(tokens) - _WORDS + 1):
        yield tuple(tokens[at : at + _WORDS])


def _runs(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Words of a line that follow one another, as many as people are known by."""
    for at in range(len(tokens)):
        for size in range(1, min(_WORDS, len(tokens) - at) + 1):
            yield tuple(tokens[at : at + size])


def _is_of_one(read: Read) -> bool:
    """Whether a line has a whole text of its person's, or two values of words: one that many have is not theirs for that."""
    whole = [each for each in read.slots if each.whole and not any(map(str.isdecimal, words_of(each.text)))]
    texts = any(each.whole and len(words_of(each.text)) >= _WORDS for each in read.slots)
    return texts or len({each.column for each in whole}) > 1


def _decoded(line: str) -> str:
    line = unquote(line.replace("+", " ")) if "%" in line else line
    if "\\u" in line:
        line = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), line)
    return html.unescape(line) if "&" in line else line


def _matches(line: str, at: int, form: str) -> Iterator[tuple[int, int]]:
    """Where in a value the line goes on from here, and for how long."""
    if line.startswith(form, at) and _is_apart(line, at, len(form)):
        yield 0, len(form)
        return
    head = line[at : at + _PIECE]
    start = form.find(head) if len(head) == _PIECE else -1
    while start >= 0:
        if size := _trimmed(form, start, _common(line, at, form, start), line, at):
            yield start, size
        start = form.find(head, start + 1)


def _is_apart(line: str, at: int, size: int) -> bool:
    """Whether a value stands by itself; a short one has to fill a cell."""
    before, after = line[at - 1 : at], line[at + size : at + size + 1]
    if size < _SHORT:
        return (not before or before in _EDGES) and (not after or after in _EDGES) and not line[at : at + size].isdecimal()
    return not (line[at].isalnum() and before.isalnum()) and not (line[at + size - 1].isalnum() and after.isalnum())


def _common(line: str, at: int, form: str, start: int) -> int:
    most = min(len(line) - at, len(form) - start)
    low, high = _PIECE, most
    while low < high:
        middle = (low + high + 1) // 2
        if line[at : at + middle] == form[start : start + middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _trimmed(form: str, start: int, size: int, line: str, at: int) -> int:
    """Shorten a piece to where a word, a sentence or the value ends; 0 where too little is left."""
    end = start + size
    # What closes a cell ends a chunk too, wherever in a word that is.
    if (
        end < len(form)
        and line[at + size : at + size + 1] not in _CLOSING
        and not any(end == close for _, close in sentences(form))
    ):
        if form[end - 1].isalnum() and (form[end].isalnum() or line[at + size : at + size + 1].isalnum()):
            while end > start and form[end - 1].isalnum():
                end -= 1
        while end > start and not form[end - 1].isalnum():
            end -= 1
    return end - start if end - start >= _PIECE else 0
