"""Columns in which people who stay have numbers or values of deleted people, more of them than by chance.

A table says what explains a place, so anyone who keeps a list of deleted people may put it into the table: as the digits of their
ids, backwards, or halves in two columns. How many of these are in a column by chance is known in two ways: by how many of the
numbers that ids may have the column has, and by how many people who stay are in it (Fisher's exact test). Where deleted people
are there more often than either says, the column explains nothing. Values that are no one's number by themselves, and numbers
that were moved, are looked for in `borrowed` and `shifted`, texts in `quoting_columns`, whole rows under other ids in `twins`,
and in `copied_vectors`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from math import exp, lgamma, log
from typing import Final

import numpy as np

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.maths.statistics.exact import larger_share_p
from auditor.parts.places.observing import borrowed, copied_vectors, quoting_columns, shifted, twins

_LEVEL: Final = 0.01
_DIGITS: Final = 5
"""Digits, or letters, of a number that tells a person, at least."""
_LONG: Final = 6
"""The same of one that is part of an address or a number other than the id."""
_OWN: Final = 0.9
"""Share of different texts from which on a column is of what each person has alone."""
_LOCAL: Final = re.compile(r"([^\s@]+)@[^\s@]+")
_NO_DIGIT: Final = re.compile(r"\D+")
_NUMBERS: Final = re.compile(rf"\d{{{_DIGITS},18}}", re.ASCII)
_MOST_WORDS: Final = 3
_Texts = Mapping[int, str]
_Keys = Sequence[tuple[int, str]]
"""What a row may be known by, with its place."""


@dataclass(frozen=True, slots=True)
class Pointing:
    """What a table has of deleted people in columns of those who stay."""

    columns: tuple[str, ...] = ()
    records: frozenset[str] = frozenset()
    """Deleted records whose numbers or values are there."""


def of_table(records: Dataset, gone: frozenset[str], *, copies_are_others: bool = False) -> Pointing:
    """Find such columns.

    Args:
        records: Everybody who is in the table.
        gone: Ids of deleted people, in it or not.
        copies_are_others: Whether the controller attests that rows like those of deleted people are other people's.
    """
    table, ids = records.table or (), records.ids.tolist()
    stays = np.array([each not in gone for each in ids], dtype=bool)
    everybody = [*ids, *(gone - set(ids))]
    owners = _owners(records, everybody)
    numbers = [digits for each in everybody if len(digits := _digits_of(each)) >= _DIGITS]
    columns = [(each.name, _keys(each, records.features[:, at], stays)) for at, each in enumerate(table)]
    cells: list[tuple[tuple[str, ...], _Keys]] = [
        ((name,), [(at, key) for at, text in texts.items() for key in known[text]])
        for name, texts in columns
        for keys in _KEYS
        # Each text once, of however many rows.
        for known in [{text: tuple(keys(text)) for text in set(texts.values())}]
    ]
    halves = [(name, _all_digits(texts)) for name, texts in columns]
    for (one, first), (other, second) in pairwise(halves):
        cells += [((one, other), _put_together(first, second)), ((one, other), _put_together(second, first))]
    tested = [
        _Tested(
            names,
            _met(keys, {_IDS: owners[_IDS]}, ids),
            _met(keys, {name: known for name, known in owners.items() if name not in names}, ids),
            _chance({key for _, key in keys}, numbers),
        )
        for names, keys in cells
    ]
    tested.append(_Tested((), set(), set[str]().union(*(each.met for each in tested)), None))
    kept, tests = int(np.count_nonzero(stays)), sum(each.counts for each in tested)
    found = [each for each in tested if each.met & gone and each.p(gone, kept) <= _LEVEL / max(1, tests)]
    names = dict.fromkeys(name for each in found for name in each.columns)
    if found and not names:
        # Here one, and there one: each of the columns may be chosen for it.
        names = dict.fromkeys(name for each in tested if each.met & gone for name in each.columns)
    searches = (borrowed, shifted, quoting_columns) if copies_are_others else (borrowed, shifted, quoting_columns, twins)
    more = [each.of_table(records, gone) for each in searches]
    known = frozenset(names).union(*(each.columns for each in more))
    return Pointing(
        tuple(each.name for each in table if each.name in known),
        frozenset[str]().union(*(each.met & gone for each in found), *(each.records for each in more)),
    )


@dataclass(frozen=True, slots=True)
class _Tested:
    """A column, or two next to one another, or all."""

    columns: tuple[str, ...]
    by_id: set[str]
    met: set[str]
    """Whose numbers, those of ids or any, are in rows of other people who stay."""
    chance: float | None
    """Of how many ids the number is there by chance; None where that is not known."""

    @property
    def counts(self) -> bool:
        """Whether anything could be met at all."""
        return bool(self.met or self.chance)

    def p(self, gone: frozenset[str], kept: int) -> float:
        """How often as many deleted people are met by chance, or a bound on it, the smaller one."""
        theirs, others = len(self.met & gone), len(self.met - gone)
        found = larger_share_p(theirs, len(gone), others, kept)
        if self.chance:
            those = len(self.by_id & gone)
            found = min(found, exp(min(0.0, _of_subsets(len(gone), those) + those * log(self.chance))))
        return found


def _of_subsets(count: int, size: int) -> float:
    return lgamma(count + 1) - lgamma(size + 1) - lgamma(count - size + 1)


def _chance(keys: set[str], numbers: Sequence[str]) -> float | None:
    """Which share of the numbers that ids may have, from the least to the largest of as many digits, is among some keys."""
    shares = []
    for size, those in groupby(sorted(numbers, key=len), key=len):
        own = sorted(map(int, those))
        span = range(own[0], own[-1] + 1)
        near = sum(int(key) in span or int(key[::-1]) in span for key in keys if len(key) == size and key.isdecimal())
        shares.append(2 * near / len(span))
    return min(1.0, max(shares)) if shares else None


def without_copies(records: Dataset, gone: frozenset[str], *, copies_are_others: bool) -> Dataset:
    """Give a table without rows that are deleted people's under other ids, where it is one of numbers alone.

    Args:
        records: Everybody who is in the table.
        gone: Ids of deleted people, in it or not.
        copies_are_others: Whether the controller attests that rows like those of deleted people are other people's.
    """
    copies = frozenset[str]() if copies_are_others else copied_vectors.of_table(records, gone)
    return records.subset(np.flatnonzero([each not in copies for each in records.ids.tolist()])) if copies else records


def without(records: Dataset, pointing: Pointing) -> Dataset:
    """Give a table without these columns."""
    if not pointing.columns or records.table is None:
        return records
    left = [at for at, each in enumerate(records.table) if each.name not in pointing.columns]
    return replace(records, features=records.features[:, left], table=tuple(records.table[at] for at in left))


def only(records: Dataset, pointing: Pointing) -> Dataset:
    """Give a table of these columns alone."""
    held = [at for at, each in enumerate(records.table or ()) if each.name in pointing.columns]
    return replace(records, features=records.features[:, held], table=tuple((records.table or ())[at] for at in held))


_IDS: Final = ""
"""Stands for ids where columns are named."""


def _owners(records: Dataset, ids: Sequence[str]) -> dict[str, Mapping[str, set[str]]]:
    """Whose each number of a column is: of an id, an address, a telephone; forwards and backwards."""
    of_ids = defaultdict[str, set[str]](set)
    for each in ids:
        for mark in _marks(each, _DIGITS):
            of_ids[mark].add(each)
    found: dict[str, Mapping[str, set[str]]] = {_IDS: of_ids}
    for at, column in enumerate(records.table or ()):
        codes = records.features[:, at]
        # Of what many have nobody is known.
        if column.kind is Kind.TEXT and len(np.unique(codes)) > _OWN * np.count_nonzero(codes != column.missing):
            found[column.name] = own = defaultdict[str, set[str]](set)
            for record, code in zip(records.ids.tolist(), codes.tolist(), strict=True):
                for mark in _of_number(column.words[int(code)]) if code >= 0 else ():
                    own[mark].add(record)
    return found


def _of_number(text: str) -> Iterator[str]:
    """The marks of an address or a number; none of other texts."""
    local = _LOCAL.fullmatch(text)
    if len(text.split()) <= _MOST_WORDS and (local or not any(map(str.isalpha, text))):
        yield from _marks(local[1] if local else text, _LONG)


def _marks(text: str, least: int) -> Iterator[str]:
    for key in {_digits_of(text), _squeezed(text)}:
        if len(key) >= least:
            yield from (key, key[::-1])


def _digits_of(text: str) -> str:
    return text if text.isdecimal() else _NO_DIGIT.sub("", text)


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _keys(column: Column, codes: np.typing.NDArray[np.float64], stays: np.typing.NDArray[np.bool_]) -> _Texts:
    """What cells of people who stay hold, by their place."""
    there = np.flatnonzero(stays & (codes != column.missing) & (np.abs(codes) < _LARGEST))
    if column.kind is Kind.TEXT:
        known = {float(code): word for code, word in enumerate(column.words)}
    elif column.kind in {Kind.INTEGER, Kind.NUMBER}:
        known = {each: _written(abs(each)) for each in np.unique(codes[there]).tolist()}
    else:
        return {}
    return {at: known[code] for at, code in zip(there.tolist(), codes[there].tolist(), strict=True) if code in known}


def _written(number: float) -> str:
    """The digits of a number, those after its point too: a point may hide another number."""
    return str(int(number)) if number == int(number) else _digits_of(repr(number))


_LARGEST: Final = 1e15


def _all_digits(texts: _Texts) -> _Texts:
    """The digits of cells that have any, and not too many to be a half of a number."""
    known = {text: _digits_of(text) for text in set(texts.values())}
    return {at: digits for at, text in texts.items() if 0 < len(digits := known[text]) < _MOST_DIGITS}


def _put_together(first: _Texts, second: _Texts) -> _Keys:
    return [
        (at, one + other)
        for at, one in first.items()
        if (other := second.get(at)) is not None and len(one) + len(other) <= _MOST_DIGITS
    ]


def _as_one(text: str) -> Iterator[str]:
    if len(text.split()) <= _MOST_WORDS:
        yield from {_digits_of(text), _squeezed(text)} - {""}


def _one_by_one(text: str) -> Iterator[str]:
    """The numbers of a text, where it has more than one."""
    found = _NUMBERS.findall(text)
    yield from found if len(text.split()) > _MOST_WORDS or len(found) > 1 else ()


_KEYS: Final = (_as_one, _one_by_one)
"""In which ways a cell may hold a number."""
_MOST_DIGITS: Final = 18


def _met(keys: _Keys, owners: Mapping[str, Mapping[str, set[str]]], ids: Sequence[str]) -> set[str]:
    """Whose numbers are in rows of others."""
    known = list(owners.values())
    return {each for at, key in keys for own in known if key in own for each in own[key] if each != ids[at]}
