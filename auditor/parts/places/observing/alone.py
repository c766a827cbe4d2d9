"""Values of deleted people alone, wherever words and numbers are free: a date, a sum, a number, a name in front of an @.

A line of text, the names of files, folders, tables and indexes and a database's own numbers have room for a few words that
nothing explains. Before any of it is let pass, the very values that one deleted person has, and nobody who stays, are looked for
in it: without signs between their parts, for -447.65 and 2019-02-03 may be written in many ways. They are not looked for
elsewhere, since so few digits are in any large file by chance.

Each word of a name may be that of others too, so two words of one are looked for in one line or name, in any order and with
anything between them: "Last, First" is who "First Last" is, whatever the initial.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np

from auditor.base.mixed_columns import Column, Kind
from auditor.parts.places.observing.plain_words import USUAL
from auditor.parts.store.observing.people import People

_LEAST: Final = 4
"""Digits, or letters, of a value that is looked for: fewer are in any name."""
_MOST: Final = 64
"""Characters of one without the signs between its parts."""
_TOGETHER: Final = 8
"""Parts of one."""
_WORDS: Final = 3
"""Words of a cell whose words are names: those of longer ones are words of a text, which `own_values` looks for."""
_WORDS_OF_A_NAME: Final = 5
"""Words of a cell that may be a name."""
_PARTS: Final = re.compile(r"[^\W\d_]+|\d+")
_RANDOM: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,}", re.IGNORECASE)
"""Numbers that a program draws to name files."""


@dataclass(frozen=True)
class Alone:
    """Values, in small letters and without signs, each with the records that have it."""

    records: Mapping[str, frozenset[str]]
    pairs: Mapping[frozenset[str], frozenset[str]]
    """Two words of one name, each with the records that have it."""

    @classmethod
    def of(cls, people: People) -> Alone:
        """Collect them."""
        taken, found = set[str](), defaultdict[str, set[str]](set)
        ids = people.train.ids.tolist()
        for record, stays in zip(ids, people.retained.tolist(), strict=True):
            if stays:
                taken.update(_of_text(record))
        for record in people.gone:
            for each in _of_text(record):
                found[each].add(record)
        for at, column in enumerate(people.train.table or ()):
            codes = people.train.features[:, at]
            kept = np.unique(codes[people.retained])
            if column.kind is Kind.TEXT:
                for text in (column.words[int(code)] for code in kept.tolist() if code >= 0):
                    taken.update(_of_text(text))
            for place in np.flatnonzero(~people.retained & ~np.isin(codes, [*kept.tolist(), column.missing])).tolist():
                for each in _of_cell(column, float(codes[place])):
                    found[each].add(str(ids[place]))
        return cls(
            {each: frozenset(those) for each, those in found.items() if each not in taken and each not in USUAL},
            _names(people),
        )

    def met_in(self, text: str) -> set[str]:
        """Give the records of which a value is in some text, by itself or next to signs and parts of another kind."""
        found = set[str]()
        for each in _runs(_RANDOM.sub("\0\0", text)) if self.records else ():
            found |= self.records.get(each, frozenset())
        return found | self.called_in(text)

    def called_in(self, text: str) -> set[str]:
        """Give the records of which two words of a name are in some text, in any order."""
        words = {each.casefold() for each in _PARTS.findall(text)} & self._words if self.pairs else set[str]()
        # A text may have all words of many names, and then there are far more pairs of them than names.
        few = len(words) ** 2 < len(self.pairs)
        pairs = map(frozenset, combinations(words, 2)) if few else (each for each in self.pairs if each <= words)
        return set[str]().union(*(self.pairs.get(each, ()) for each in pairs))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset[str]().union(*self.pairs)


def _names(people: People) -> dict[frozenset[str], frozenset[str]]:
    """Two words of one name each that deleted people have, and nobody who stays, and that are not both words of any file."""
    taken, found = set[frozenset[str]](), defaultdict[frozenset[str], set[str]](set)
    ids, retained = people.train.ids.tolist(), people.retained.tolist()
    for at, column in enumerate(people.train.table or ()):
        codes = people.train.features[:, at].tolist() if column.kind is Kind.TEXT else ()
        for record, stays, code in zip(ids, retained, codes, strict=False):
            for pair in _pairs(column.words[int(code)]) if code >= 0 else ():
                if stays:
                    taken.add(pair)
                else:
                    found[pair].add(record)
    return {each: frozenset(those) for each, those in found.items() if each not in taken and not each <= USUAL}


def _of_cell(column: Column, code: float) -> Iterator[str]:
    if column.kind is Kind.TEXT:
        yield from _of_text(column.words[int(code)])
    elif column.kind is Kind.BOOLEAN:
        return
    else:
        (cell,) = column.cells(np.array([code]))
        forms = [cell or ""]
        if column.kind is Kind.TIME:
            day = (cell or "").partition("T")[0]
            forms += [day, "".join(reversed(day.split("-")))]
        else:
            forms.append(f"{abs(code):.2f}")
        yield from {each for each in map(_squeezed, forms) if len(each) >= _LEAST}


def _of_text(text: str) -> Iterator[str]:
    """What of a text is its person's: numbers in it, and of a short one each word and the whole."""
    parts = [each.casefold() for each in _PARTS.findall(text)]
    short = len(text.split()) <= _WORDS
    yield from (each for each in parts if len(each) >= _LEAST and (short or each.isdigit()))
    if short:
        turned = " ".join(reversed(text.split()))
        for whole in (_squeezed(text), _squeezed(turned), _squeezed(text.partition("@")[0])):
            if _LEAST < len(whole) <= _MOST:
                yield whole


def _pairs(text: str) -> Iterator[frozenset[str]]:
    """Two words each of a name: of a cell of words without digits."""
    if 1 < len(text.split()) <= _WORDS_OF_A_NAME and not any(map(str.isdigit, text)):
        words = sorted({each.casefold() for each in _PARTS.findall(text) if len(each) > 1})
        yield from map(frozenset, combinations(words, 2))


def _squeezed(text: str) -> str:
    return "".join(_PARTS.findall(text)).casefold()


def _runs(text: str) -> Iterator[str]:
    """Parts of a text that follow one another with a sign between them at most, put together."""
    parts = [(each[0].casefold(), each.start(), each.end()) for each in _PARTS.finditer(text)]
    for first in range(len(parts)):
        run, end = "", parts[first][1]
        for part, start, stop in parts[first : first + _TOGETHER]:
            if start - end > 1 or len(run) + len(part) > _MOST:
                break
            run, end = run + part, stop
            if len(run) >= _LEAST:
                yield run
