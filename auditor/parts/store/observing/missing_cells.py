"""Count what could be said by how missing cells are given: as none, as nothing, as blanks, or by a word that stands for none.

Any blanks are read as a missing value, and so any number of them could hold a record. Each column of a table has one way of
giving what is missing; the cells that differ are counted, and so is a way that no writer has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from auditor.parts.store.observing.cell_values import codes_of, missing_in
from auditor.parts.store.observing.line_edits import bits_apart
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.spare_bits import of_choice

Given: TypeAlias = str | None
_USUAL: Final = frozenset({None, "", "null", "NULL", "Null", "nan", "NaN", "NAN", "none", "None", "NA", "N/A", "n/a"})
"""What writers give for a missing value; which of these a whole table has is not counted."""
_OF_WORD: Final = 4
"""Bits of one of them."""
_OF_COLUMN: Final = 8
"""Bits of a column with another than the others: of some hundred."""
_NONE: Final = "\0"
"""Stands for none: no cell that is read as a missing one holds it."""
_NO_MARK: Final = "\1"
"""Parts no cell."""


def of_columns(columns: Mapping[str, Sequence[object]], people: People) -> int:
    """Bits of how missing cells are given in the columns of a database, a Parquet file or a vector store."""
    bits, ways = 0, defaultdict[bool, list[Given]](list)
    for name, column in columns.items():
        if people.columns.get(name) in {None, "declared"}:
            continue
        words = missing_in(name, [each for each in column if isinstance(each, str)], people)
        gone = [each for each in column if each is None or (isinstance(each, str) and each in words)]
        if gone:
            usual = Counter(gone).most_common(1)[0][0]
            bits += _apart(gone, usual)
            ways[codes_of(name, people) is None].append(usual)
    # Many databases have nothing for a missing text, and none for a missing number.
    return bits + sum(map(of_ways, ways.values()))


def of_ways(ways: Sequence[Given]) -> int:
    """Bits of the ways that columns have, one for each column: of those that are not most columns', and of odd ones."""
    usual = Counter(ways).most_common(1)[0][0] if ways else ""
    others = [each for each in ways if each != usual]
    by_column = _OF_COLUMN * len(others)
    plain = others and set(ways) <= {None, ""}
    return of_odd([usual, *others]) + (min(len(ways), by_column) if plain else by_column)


def of_odd(ways: Iterable[Given]) -> int:
    """Bits of ways of giving what is missing that no writer has."""
    return sum(bits_apart([_said(each)], [""], _NO_MARK) for each in ways if each not in _USUAL)


def _apart(gone: Sequence[Given], usual: Given) -> int:
    """Bits of which missing cells are given in another way than usual, and in which."""
    if not (others := set(gone) - {usual}):
        return 0
    found = bits_apart([*map(_said, gone)], [_said(usual)] * len(gone), _NO_MARK)
    if len(others) > 1:
        return found
    return min(found, _OF_WORD + of_odd(others) + of_choice(np.array([each != usual for each in gone], dtype=bool)))


def _said(given: Given) -> str:
    return _NONE if given is None else given
