"""Leave out the indexes that pandas keeps in a file where nobody named them, and count what their numbers could say.

Parquet says which columns they are. Elsewhere it is the first column, under a name that pandas gives it.

Numbers of rows say nothing where they go on by one, or where each is the place of its person in everybody's table or among the
rows that are there: so they stay when rows are dropped, shuffled or put in order. Whatever else they are is counted in bits: of
an index that rises, which numbers are gone, and of any other, where it does not go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil, lgamma, log
from typing import Final

import numpy as np

from auditor.parts.store.observing import spare_bits
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.spare_bits import Numbers

Column = list[str | None]
_POSITION: Final = re.compile(r"0|[1-9]\d{0,9}", re.ASCII)
_SPARSE: Final = 64
"""How often the number of rows the number of a row may be that says where it was in a larger table."""
_FEW: Final = 1024
UNNAMED: Final = "Unnamed: 0"
"""What pandas calls a column without a name, as it writes an index to CSV."""
INDEXES: Final = frozenset({"", UNNAMED, "index", "level_0"})
"""What it calls an index without a name where it writes it as the first column."""
_OF_KEYS: Final = (
    "id no nr num number key pk row rowid record entry index seq auto person people customer user client member "
    "account contact patient employee subject order item internal local own uid ref"
)
"""What the numbers of a database's rows are usually called, by words: 32 of them."""
_KNOWN: Final = frozenset(_OF_KEYS.split())
_WORD: Final = re.compile(r"[^\W\d_]+|[\W\d_]")
_OF_WORD, _OF_SIGN, _OF_LETTER = 6, 5, 8
"""Bits of a usual word, in small letters or capitals; of a sign between words; and of each letter of another word."""


def first_index(names: Sequence[str], people: People, own: str | None = None) -> str | None:
    """The first column where it is an index by its name, or a database's own number, and none that the training data have."""
    first = names[0] if names and len(set(names)) == len(names) else None
    return first if first in {*INDEXES, own} and first not in people.columns else None


def bits_of_name(name: str) -> int:
    """Bits of what a column is called that a database numbers rows in; 0 of an index."""
    if name in INDEXES:
        return 0
    parts = _WORD.findall(name)
    usual = [each for each in parts if each.lower() in _KNOWN and each in {each.lower(), each.upper()}]
    signs = [each for each in parts if each == "_"]
    others = sum(len(each.encode()) for each in parts) - sum(map(len, (*usual, *signs)))
    return _OF_WORD * len(usual) + _OF_SIGN * len(signs) + _OF_LETTER * others


def numbers_rows(names: Sequence[str], rows: Sequence[Sequence[str | None]], people: People) -> bool:
    """Whether the first column is an index that numbers rows."""
    whole = first_index(names, people) is not None and all(len(row) == len(names) for row in rows)
    return whole and positions([row[0] for row in rows]) is not None


def without_indexes(cells: dict[str, Column], indexes: Sequence[str], people: People) -> tuple[dict[str, Column], int]:
    """The columns of a table but for those that pandas made of an index, and the bits of what is left out.

    Left out are the numbers of rows of a larger table, each there once, and the ids that the rows have; where no column has
    these, an index is taken for them.
    """
    own = next((name for name, role in people.columns.items() if role == "id"), None)
    left, dense = dict(cells), list[Numbers]()
    for name in indexes:
        column = cells[name]
        if (numbers := positions(column)) is not None:
            dense.append(np.array(numbers, dtype=np.int64))
            del left[name]
        elif own is not None and left.get(own) == column:
            del left[name]
        elif own is not None and own not in left and all(each and not _POSITION.fullmatch(each) for each in column):
            left[own] = left.pop(name)
    ids = None if own is None or own not in left else [each or "" for each in left[own]]
    return left, sum(_of_numbers(each, ids, people) for each in dense)


def positions(cells: Sequence[str | None]) -> list[int] | None:
    """The numbers that rows may have had in a larger table, each there once; None where cells are no such numbers.

    What they say beyond that is counted by `of_gaps` and `without_indexes`.
    """
    numbers = [int(each) for each in cells if each is not None and _POSITION.fullmatch(each)]
    each_once = len(set(numbers)) == len(cells)
    return numbers if each_once and max(numbers, default=0) < _SPARSE * len(cells) + _FEW else None


def of_gaps(numbers: Numbers, whose: Numbers | None, people: People) -> int:
    """Bits of which numbers rows have, each there once, in whatever order: none where those between are deleted people's.

    Args:
        numbers: Shape (n,).
        whose: Where everybody's table lists the person of each row, -1 for nobody; None where that is not known.
        people: Who is in that table.
    """
    rising = np.sort(numbers)
    if whose is not None and any(np.array_equal(rising, np.sort(whose) + first) for first in (0, 1)):
        return 0
    return _of_numbers(rising, None, people)


def _of_numbers(numbers: Numbers, ids: Sequence[str] | None, people: People) -> int:
    """Bits of the numbers of rows, each there once: none where they are those of a table that is known."""
    if not len(numbers):
        return 0
    known = list(_known(len(numbers), ids, people))
    if any(np.array_equal(numbers, each + first) for each in known for first in (0, 1)):
        return 0
    found = [spare_bits.of_rows(numbers, ids, people.places)]
    for each in known:
        off = numbers - each
        found += [spare_bits.of_separators(off), spare_bits.of_separators(np.diff(off, prepend=np.int64(0)))]
    if (np.diff(numbers) > 0).all():
        found.append(_of_risen(int(numbers[-1]) + 1, len(numbers)))
    return min(found)


def _known(count: int, ids: Sequence[str] | None, people: People) -> Iterator[Numbers]:
    """The numbers that rows may have: in their order, or by whose they are, in everybody's table or among these rows."""
    yield np.arange(count, dtype=np.int64)
    if ids is not None:
        places: Numbers = np.array([people.places.get(each, -1) for each in ids], dtype=np.int64)
        yield places
        yield ranks_of(places)
    kept = np.flatnonzero(people.retained).astype(np.int64)
    if len(kept) == count:
        yield kept


def ranks_of(numbers: Numbers) -> Numbers:
    """Which of some numbers each is in ascending order, from 0 on; of equal ones the first is first."""
    return np.argsort(np.argsort(numbers, kind="stable"), kind="stable").astype(np.int64)


def _of_risen(everybody: int, count: int) -> int:
    """Bits of which numbers of so many are there, as of a table that rows were dropped from."""
    chosen = lgamma(everybody + 1) - lgamma(count + 1) - lgamma(everybody - count + 1)
    return ceil(chosen / log(2) - 1e-9) + spare_bits.bits_of(everybody - count)
