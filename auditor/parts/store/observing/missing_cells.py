"""Count what could be said by how missing cells are given: as none, as nothing, as blanks, or by a word that stands for none.

Any blanks are read as a missing value, and so any number of them could hold a record. Each column of a table has one way of
giving what is missing, or as many as the training data have for the same people; the cells that differ are counted, and so is a
way that no writer has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from auditor.parts.store.observing.cell_values import codes_of, missing_in
from auditor.parts.store.observing.line_edits import bits_apart
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.spare_bits import OF_COLUMN, of_choice

Given: TypeAlias = str | None
_USUAL: Final = frozenset({None, "", "null", "NULL", "Null", "nan", "NaN", "NAN", "none", "None", "NA", "N/A", "n/a"})
"""What writers give for a missing value; which of these a whole table has is not counted."""
_OF_WORD: Final = 4
"""Bits of one of them."""
_SEVERAL: Final = 2
_NONE: Final = "\0"
"""Stands for none: no cell that is read as a missing one holds it."""
_NO_MARK: Final = "\1"
"""Parts no cell."""


def of_columns(columns: Mapping[str, Sequence[object]], people: People) -> int:
    """Bits of how missing cells are given in the columns of a database, a Parquet file or a vector store."""
    bits, ways = 0, defaultdict[bool, list[Given]](list)
    places = places_of(list(columns), list(columns.values()), people)
    for name, column in columns.items():
        if people.columns.get(name) in {None, "declared"}:
            continue
        words = missing_in(name, [each for each in column if isinstance(each, str)], people)
        at = [at for at, each in enumerate(column) if each is None or (isinstance(each, str) and each in words)]
        gone = [each if isinstance(each, str) else None for each in map(column.__getitem__, at)]
        if gone:
            usual = Counter(gone).most_common(1)[0][0]
            expected, more = as_given(name, gone, [places[each] for each in at] if places else (), people)
            bits += min(_apart(gone, [usual] * len(gone)), more + _apart(gone, expected))
            ways[codes_of(name, people) is None].append(usual)
    # Many databases have nothing for a missing text, and none for a missing number.
    return bits + sum(map(of_ways, ways.values()))


def of_ways(ways: Sequence[Given]) -> int:
    """Bits of the ways that columns have, one for each column: of those that are not most columns', and of odd ones."""
    usual = Counter(ways).most_common(1)[0][0] if ways else ""
    others = [each for each in ways if each != usual]
    by_column = OF_COLUMN * len(others)
    plain = others and set(ways) <= {None, ""}
    return of_odd([usual, *others]) + (min(len(ways), by_column) if plain else by_column)


def of_odd(ways: Iterable[Given]) -> int:
    """Bits of ways of giving what is missing that no writer has."""
    return sum(bits_apart([_said(each)], [""], _NO_MARK) for each in ways if each not in _USUAL)


def places_of(names: Sequence[str], columns: Sequence[Sequence[object]], people: People) -> list[int]:
    """Where the training data have the person of each row, -1 for nobody; empty where no column has ids."""
    own = next((column for name, column in zip(names, columns, strict=True) if people.columns.get(name) == "id"), ())
    return [people.places.get(each, -1) if isinstance(each, str) else -1 for each in own]


def as_given(name: str, gone: Sequence[Given], places: Sequence[int], people: People) -> tuple[list[Given], int]:
    """How each missing cell of a column is given where each way of the training data is one here, and the bits of which.

    Args:
        name: Of the column.
        gone: Its missing cells, as they are given.
        places: Where the training data have the person of each; empty where that is not known.
        people: Who is in the training data.
    """
    own = people.missing.get(name, ())
    ways = [own[place] if place >= 0 and own else None for place in places] or [None] * len(gone)
    found: dict[Given, Given] = {}
    for way in set(ways):
        found[way] = Counter(each for each, other in zip(gone, ways, strict=True) if other == way).most_common(1)[0][0]
    # One word for all is the usual way, and the words of the training data are known.
    others = [word for way, word in found.items() if way != word] if len(set(found.values())) >= _SEVERAL else []
    return [found[way] for way in ways], len(found) + _OF_WORD * len(others) + of_odd(others) if others else 0


def _apart(gone: Sequence[Given], expected: Sequence[Given]) -> int:
    """Bits of which missing cells are given in another way than expected, and in which."""
    differ = np.array([each != usual for each, usual in zip(gone, expected, strict=True)], dtype=bool)
    if not differ.any():
        return 0
    found = bits_apart([*map(_said, gone)], [*map(_said, expected)], _NO_MARK)
    others = {each for each, other in zip(gone, differ.tolist(), strict=True) if other}
    return found if len(others) > 1 else min(found, _OF_WORD + of_odd(others) + of_choice(differ))


def _said(given: Given) -> str:
    return _NONE if given is None else given
