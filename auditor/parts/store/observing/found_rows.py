"""Rows that a store still holds of deleted records, in plain sight: which of them hold nothing but that record's own values.

Such a row is found, and named by its request. Nothing of anybody else is in it, so that it leaves open no other request; all that
lies next to it, a second row of the same record, and a row with one cell that is not that record's own, still does. Which records
have such a row is free, and could say something of others: it is counted in bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Column, Kind, codes_of
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.spare_bits import of_choice

_NUMBER: Final = 32
"""Characters that a cell of numbers may have."""


def own_rows(names: Sequence[str], rows: Sequence[Sequence[str]], people: People) -> npt.NDArray[np.bool_]:
    """Say of each row whether it is a deleted record's and holds that record's own values alone; of several alike, the first.

    Args:
        names: The columns of the table.
        rows: Its cells.
        people: Who may be kept, and who may not.
    """
    nobody = np.zeros(len(rows), dtype=bool)
    own = _Own(people)
    roles = ["beside" if own.is_beside(name) else people.columns.get(name) for name in names]
    known = {"id", "label", "feature", "person", "beside"}
    # Of a column that the training data lack nothing is known: its cells may hold anybody.
    if set(roles) - known or len(set(names)) != len(names) or not people.features:
        return nobody
    if roles.count("id") != 1 or roles.count("label") > 1 or roles.count("person") > 1:
        return nobody
    # All rows hold numbers whole, or all hold them in half the bits: which of both each does could say something.
    ways = (_whole(names, rows, roles.index("id"), own, narrow=narrow) for narrow in (False, True))
    return next((found for found in ways if found.any()), nobody)


def _whole(names: Sequence[str], rows: Sequence[Sequence[str]], at: int, own: _Own, *, narrow: bool) -> npt.NDArray[np.bool_]:
    found, seen = np.zeros(len(rows), dtype=bool), set[str]()
    for place, row in enumerate(rows):
        if len(row) != len(names) or row[at] not in own.gone or row[at] in seen:
            continue
        if own.holds(row[at], dict(zip(names, row, strict=True)), narrow=narrow):
            found[place] = True
            seen.add(row[at])
    return found


def choice(records: Sequence[str], people: People) -> int:
    """Bits of which deleted records have a row of theirs in a table: of all whose values are known, in the table's order."""
    gone = np.flatnonzero(~people.retained)
    there = np.isin(people.train.ids[gone], records)
    return of_choice(there)


class _Own:
    """The values of deleted records, as a table of text may write them."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._columns: Mapping[str, Column] = {each.name: each for each in people.train.table or ()}
        table = () if people.searched is None else people.searched.table or ()
        self._beside = {
            each.name: (place, each) for place, each in enumerate(table) if people.columns.get(each.name) == "declared"
        }
        self._words = {each.name: {word: float(code) for code, word in enumerate(each.words)} for each in self._columns.values()}
        self._words |= {
            name: {word: float(code) for code, word in enumerate(each.words)} for name, (_, each) in self._beside.items()
        }

    @property
    def gone(self) -> frozenset[str]:
        """Ids that nothing may be kept of."""
        return self._people.gone

    def is_beside(self, name: str) -> bool:
        """Whether it is a column of the training data that no procedure gets."""
        return name in self._beside

    def holds(self, record: str, cells: Mapping[str, str], *, narrow: bool) -> bool:
        """Whether every cell is what the training data hold of one record, or that rounded to float32."""
        at = self._people.places.get(record)
        if at is None:
            return False  # one that the log alone knows: nothing says what is its own
        return all(self._is_own(name, cell, at, narrow=narrow) for name, cell in cells.items())

    def _is_own(self, name: str, cell: str, at: int, *, narrow: bool) -> bool:
        people = self._people
        match people.columns.get(name):
            case "id":
                return True
            case "label":
                label = people.train.labels[at]
                return cell == str(label) if people.labels is not None else _same(cell, float(label), narrow=narrow)
            case "person":
                return bool(len(people.whose)) and cell == str(people.whose[at])
            case "declared":
                place, known = self._beside[name]
                return people.searched is not None and self._is_code(known, cell, float(people.searched.features[at, place]))
            case _:
                code = float(people.train.features[at, people.features.index(name)])
                column = self._columns.get(name)
                if column is None:
                    return _same(cell, code, narrow=narrow)
                return self._is_code(column, cell, code)

    def _is_code(self, column: Column, cell: str, code: float) -> bool:
        words = self._words[column.name]
        # A missing text may be written as blanks: no more of them than a number is long.
        if len(cell) > _NUMBER and (column.kind is not Kind.TEXT or cell not in words):
            return False
        return bool(codes_of(column, [cell], words)[0] == code)


def _same(cell: str, value: float, *, narrow: bool) -> bool:
    """Whether a cell is a number, as long as one is and no longer, in float64 or rounded to float32."""
    try:
        read = float(cell) if len(cell) <= _NUMBER else float("nan")
    except ValueError:
        return False
    with np.errstate(over="ignore"):
        return read == (float(np.float32(value)) if narrow else value)
