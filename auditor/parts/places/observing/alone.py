"""Values of deleted people alone, wherever words and numbers are free: a date, a sum, a number, a name in front of an @.

A line of text, the names of files, folders, tables and indexes and a database's own numbers have room for a few words that
nothing explains. Before any of it is let pass, the very values that one deleted person has, and nobody who stays, are looked for
in it: without signs between their parts, for -447.65 and 2019-02-03 may be written in many ways; a day in every usual notation;
and digests and codes of them. They are not looked for elsewhere, since so few digits are in any large file by chance.

Each word of a name may be that of others too, so two words of one are looked for in one line or name, in any order and with
anything between them: "Last, First" is who "First Last" is, whatever the initial. So are two of a cell that is written as names
are, or of two cells that are, over all lines and names together: the first name may be on one line, the last on another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import combinations, pairwise
from typing import Final

import numpy as np

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Floats
from auditor.parts.places.observing.codes import Digests, readings
from auditor.parts.places.observing.days import days_in
from auditor.parts.places.observing.plain_words import USUAL
from auditor.parts.store.observing.people import People

_LEAST: Final = 4
"""Digits, or letters, of a value that is looked for: fewer are in any name."""
_LEAST_DIGITS, _MOST_DIGITS = 6, 18
"""Digits of a number that is looked for in hexadecimal digits too."""
_TELLING: Final = 5
"""Digits of a sum that is looked for with more zeros, and in hexadecimal digits, too."""
_MOST: Final = 64
"""Characters of one without the signs between its parts."""
_TOGETHER: Final = 8
"""Parts of one."""
_WORDS: Final = 3
"""Words of a cell whose words are names: those of longer ones are words of a text, which `own_values` looks for."""
MOST_WORDS: Final = 5
"""Words of a cell that may be a name."""
_PARTS: Final = re.compile(r"[^\W\d_]+|\d+")
_APART: Final = re.compile(f"({_PARTS.pattern})")
"""The same, for a text to be split at."""
_NOBODY: Final[Mapping[str, frozenset[str]]] = {}
_RANDOM: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,}", re.IGNORECASE)
"""Numbers that a program draws to name files."""


@dataclass(frozen=True)
class Alone:
    """Values, in small letters and without signs, each with the records that have it."""

    records: Mapping[str, frozenset[str]]
    pairs: Mapping[frozenset[str], frozenset[str]]
    """Two words of one name, each with the records that have it."""
    names: Mapping[frozenset[str], frozenset[str]] = field(default_factory=dict)
    """Of these, and of names in two cells, those that are written as names of people are."""
    days: Mapping[date, frozenset[str]] = field(default_factory=dict)
    digests: Digests = field(default_factory=lambda: Digests({}))
    shared: frozenset[str] = frozenset()
    """Words of these names that are words of people who stay, too."""

    @classmethod
    def of(cls, people: People, terms: Mapping[str, frozenset[str]] = _NOBODY) -> Alone:
        """Collect them.

        Args:
            people: Who is in the table.
            terms: Names and numbers of the log, each with its records.
        """
        kept, own = _of_table(people)
        own += [*((record, frozenset({record})) for record in people.gone), *terms.items()]
        taken = {each for text in kept for each in _of_text(text)}
        found = _numbers(people)
        of_digests = defaultdict[str, set[str]](set)
        for text, those in own:
            for each in _of_text(text):
                found[each] |= those
            if len(text.split()) <= _WORDS:
                of_digests[text] |= those
        few = len(people.gone) <= _MOST_CODED
        names = _names(people, terms, named=True)
        return cls(
            records=_frozen({each: those for each, those in found.items() if each not in taken and each not in USUAL}),
            pairs=_names(people, terms, named=False),
            names=names,
            days=_days(people, terms),
            digests=Digests(_frozen({each: those for each, those in of_digests.items() if few and each not in kept})),
            shared=frozenset[str]().union(*names) & words_in("\0".join(kept)),
        )

    def met_in(self, text: str) -> set[str]:
        """Give the records of which a value is in some text, by itself or next to signs and parts of another kind."""
        found = set[str]()
        for each in runs_in(_RANDOM.sub("\0\0", text), self._heads) if self.records else ():
            found |= self.records.get(each, frozenset())
        return found | self.called_in(text)

    def written_in(self, text: str) -> set[str]:
        """Give the records of which a value is in some text in another notation, or in a code."""
        found = self.digests.met_in(text)
        for day in days_in(text) if self.days else ():
            found |= self.days.get(day, frozenset())
        for said in readings(text):
            runs = {each for each in runs_in(said, self._heads) if len(each) > _LEAST} & self.records.keys()
            found |= self.called_in(said).union(*(self.records[each] for each in runs))
        return found

    def has_any(self, text: str, around: str) -> bool:
        """Whether a text has a value of a deleted person's, or what stands around others' values a word of a name: to advise by.

        That word may be somebody else's too, so it decides nothing.
        """
        return bool(self.met_in(text) or self.written_in(text) or words_in(around) & self._of_names)

    def counted_in(self, numbers: Iterable[int]) -> set[str]:
        """Give the records of which a value, or a day, is among numbers that a row of numbers begins or ends with."""
        found = set[str]()
        for written in {str(each) for each in numbers if each >= 0}:
            if len(written) >= _TELLING:
                found = found.union(self.records.get(written, ()), *(self.days.get(day, ()) for day in days_in(written)))
        return found

    def called_in(self, text: str) -> set[str]:
        """Give the records of which two words of a name are in some text, in any order."""
        return _of_pairs(self.pairs, words_in(text) & self._words)

    def called_across(self, words: set[str]) -> Mapping[frozenset[str], frozenset[str]]:
        """Give the names of which two words are among some."""
        return {pair: self.names[pair] for pair in _pairs_among(self.names, words & self._of_names)}

    @cached_property
    def _heads(self) -> frozenset[str]:
        return heads_of(self.records)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset[str]().union(*self.pairs)

    @cached_property
    def _of_names(self) -> frozenset[str]:
        return frozenset[str]().union(*self.names)


def _of_table(people: People) -> tuple[set[str], list[tuple[str, frozenset[str]]]]:
    """Texts of people who stay, and those that deleted people have, each with its record."""
    ids = people.train.ids.tolist()
    kept = {record for record, stays in zip(ids, people.retained.tolist(), strict=True) if stays}
    own = list[tuple[str, frozenset[str]]]()
    for at, column in enumerate(people.train.table or ()):
        if column.kind is Kind.TEXT:
            codes = people.train.features[:, at]
            kept |= {column.words[int(code)] for code in np.unique(codes[people.retained]).tolist() if code >= 0}
            gone = np.flatnonzero(~people.retained & (codes >= 0)).tolist()
            own += [(column.words[int(codes[place])], frozenset({str(ids[place])})) for place in gone]
    return kept, own


def _numbers(people: People) -> defaultdict[str, set[str]]:
    """Numbers and times that deleted people have, and nobody who stays, in each way of writing them."""
    found = defaultdict[str, set[str]](set)
    for at, column in enumerate(people.train.table or ()):
        if column.kind in {Kind.TEXT, Kind.BOOLEAN}:
            continue
        codes = people.train.features[:, at]
        kept = np.unique(codes[people.retained])
        for place in np.flatnonzero(~people.retained & ~np.isin(codes, [*kept.tolist(), column.missing])).tolist():
            for each in _of_cell(column, float(codes[place])):
                found[each].add(str(people.train.ids[place]))
    return found


_MOST_CODED: Final = 5000
"""Deleted records of which digests are looked for: those of more take too much memory."""


def words_in(text: str) -> set[str]:
    """The words of a text, in small letters."""
    return {each.casefold() for each in _PARTS.findall(text)}


def _of_pairs(pairs: Mapping[frozenset[str], frozenset[str]], words: set[str]) -> set[str]:
    return set[str]().union(*(pairs[pair] for pair in _pairs_among(pairs, words)))


def _pairs_among(pairs: Mapping[frozenset[str], frozenset[str]], words: set[str]) -> Iterator[frozenset[str]]:
    # A text may have all words of many names, and then there are far more pairs of them than names.
    if len(words) ** 2 < len(pairs):
        yield from (pair for pair in map(frozenset, combinations(words, 2)) if pair in pairs)
    else:
        yield from (pair for pair in pairs if pair <= words)


def _frozen(found: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {each: frozenset(those) for each, those in found.items()}


def _names(people: People, terms: Mapping[str, frozenset[str]], *, named: bool) -> dict[frozenset[str], frozenset[str]]:
    """Two words of one name each that deleted people have, and nobody who stays, and that are not both words of any file.

    Args:
        people: Who is in the table.
        terms: Names of the log.
        named: Whether names of people alone count, and then those in two cells next to one another too.
    """
    taken, found = set[frozenset[str]](), defaultdict[frozenset[str], set[str]](set)
    columns = [(each, people.train.features[:, at]) for at, each in enumerate(people.train.table or ()) if each.kind is Kind.TEXT]
    texts = [_cells(column, codes) for column, codes in columns]
    if named:
        pairs = [_side_by_side(one, other) for one, other in pairwise(texts)]
        texts = [_written_as_names(each) for each in texts] + [
            each for each in pairs if each and (_are_own(each) or _with_capitals(each))
        ]
    for cells in texts:
        for record, stays, cell in zip(people.train.ids.tolist(), people.retained.tolist(), cells, strict=True):
            for pair in pairs_of(cell) if cell else ():
                if stays:
                    taken.add(pair)
                else:
                    found[pair].add(record)
    for term, those in terms.items():
        for pair in pairs_of(term):
            found[pair] |= those
    return {each: frozenset(those) for each, those in found.items() if each not in taken and not each <= USUAL}


def _cells(column: Column, codes: Floats) -> list[str]:
    return [column.words[int(code)] if code >= 0 else "" for code in codes.tolist()]


def _side_by_side(one: list[str], other: list[str]) -> list[str]:
    """Words of two columns next to one another, where each is a word in nearly all of its cells."""
    if not all(sum(map(str.isalpha, cells)) > _MOSTLY * len(list(filter(None, cells))) > 0 for cells in (one, other)):
        return []
    return [f"{first} {last}" if first and last else "" for first, last in zip(one, other, strict=True)]


def _are_own(cells: list[str]) -> bool:
    """Whether most people have other words in a column than anybody else."""
    known = list(filter(None, cells))
    return len(set(known)) > len(known) / 2


def _written_as_names(cells: list[str]) -> list[str]:
    """Cells of a column of names: all of one where most people have their own of a few words, else those with capitals alone."""
    known = list(filter(None, cells))
    if _are_own(cells) and sum(len(each.split()) <= _WORDS for each in known) > _MOSTLY * len(known):
        return cells
    return [" ".join(word for word in each.split() if word[0].isupper()) if _may_be_name(each) else "" for each in cells]


def _may_be_name(text: str) -> bool:
    return 1 < len(text.split()) <= MOST_WORDS and not any(map(str.isdigit, text))


def _with_capitals(cells: list[str]) -> bool:
    known = list(filter(None, cells))
    return sum(each.istitle() for each in known) > _MOSTLY * len(known)


_MOSTLY: Final = 0.9


def _days(people: People, terms: Mapping[str, frozenset[str]]) -> dict[date, frozenset[str]]:
    """Days that deleted people have, and nobody who stays; none where these are so many that any day may be one."""
    taken, found = set[date](), defaultdict[date, set[str]](set)
    for at, column in enumerate(people.train.table or ()):
        codes = people.train.features[:, at]
        if column.kind is Kind.TEXT:
            of_code = {code: _of_word(column.words[int(code)]) for code in np.unique(codes).tolist() if code >= 0}
        elif column.kind is Kind.TIME:
            known = np.unique(codes[codes != column.missing])
            days = column.values(known).astype("datetime64[D]").astype(object).tolist()
            of_code = {code: {day} for code, day in zip(known.tolist(), days, strict=True) if isinstance(day, date)}
        else:
            continue
        for record, stays, code in zip(people.train.ids.tolist(), people.retained.tolist(), codes.tolist(), strict=True):
            if stays:
                taken |= of_code.get(code, set())
            else:
                for day in of_code.get(code, ()):
                    found[day].add(record)
    for term, those in terms.items():
        for day in _of_word(term):
            found[day] |= those
    every = taken | found.keys()
    own = {day: frozenset(those) for day, those in found.items() if day not in taken}
    span = (max(every) - min(every)).days + 1 if every else 0
    return own if len(own) <= max(_FEW_DAYS, _SHARE_OF_DAYS * span) else {}


_SHARE_OF_DAYS: Final = 0.05
"""Of all days between the first and the last: where deleted people alone have more, any date may be one of theirs by chance."""
_FEW_DAYS: Final = 3


def _of_word(text: str) -> set[date]:
    return days_in(text) if len(text.split()) <= _WORDS else set()


def _of_cell(column: Column, code: float) -> set[str]:
    """In which ways a number or a time may be written."""
    (cell,) = column.cells(np.array([code]))
    forms = [cell or ""]
    if column.kind is Kind.TIME:
        day = (cell or "").partition("T")[0]
        forms += [day, "".join(reversed(day.split("-")))]
    else:
        forms.append(f"{abs(code):.2f}")
        if len(squeezed(forms[-1]).strip("0")) >= _TELLING:
            forms += [f"{abs(code):.3f}", f"{abs(code):.4f}", f"0x{round(abs(code) * 100):x}"]
    return {each for each in map(squeezed, forms) if len(each) >= _LEAST}


def _of_text(text: str) -> Iterator[str]:
    """What of a text is its person's: numbers in it, and of a short one each word and the whole."""
    parts = [each.casefold() for each in _PARTS.findall(text)]
    short = len(text.split()) <= _WORDS
    yield from (each for each in parts if len(each) >= _LEAST and (short or each.isdigit()))
    for each in parts:
        if each.isascii() and each.isdigit() and _LEAST_DIGITS <= len(each) <= _MOST_DIGITS:
            yield from (f"{int(each):x}", f"0x{int(each):x}")
    if short:
        turned = " ".join(reversed(text.split()))
        for whole in (squeezed(text), squeezed(turned), squeezed(text.partition("@")[0])):
            if _LEAST < len(whole) <= _MOST:
                yield whole


def pairs_of(text: str) -> Iterator[frozenset[str]]:
    """Two words each of a name: of a cell of words without digits."""
    if _may_be_name(text):
        words = sorted({each.casefold() for each in _PARTS.findall(text) if len(each) > 1})
        yield from map(frozenset, combinations(words, 2))


def squeezed(text: str) -> str:
    """The letters and digits of a text, in small letters."""
    return "".join(_PARTS.findall(text)).casefold()


def heads_of(forms: Iterable[str]) -> frozenset[str]:
    """How forms begin, for `runs_in`."""
    return frozenset(each[:_LEAST] for each in forms)


def runs_in(text: str, heads: frozenset[str]) -> Iterator[str]:
    """Parts of a text that follow one another with a sign between them at most, put together, where they begin as is wanted."""
    return runs_of(*parted(text), heads)


def parted(text: str) -> tuple[list[str], list[str]]:
    """Parts of a text, in small letters, and the gaps before each and behind the last."""
    pieces = _APART.split(text)
    return pieces[::2], [each.casefold() for each in pieces[1::2]]


def runs_of(gaps: Sequence[str], parts: Sequence[str], heads: frozenset[str]) -> Iterator[str]:
    """The same, of a text that is in parts."""
    for first, begin in enumerate(parts):
        if len(begin) >= _LEAST and begin[:_LEAST] not in heads:
            continue
        run = ""
        for at in range(first, min(first + _TOGETHER, len(parts))):
            part = parts[at]
            if (run and len(gaps[at]) > 1) or len(run) + len(part) > _MOST:
                break
            run += part
            if len(run) < _LEAST:
                continue
            if run[:_LEAST] not in heads:
                break
            yield run
