"""Look for names of deleted people in rows of tables, a part in one cell and a part in the next, as a line of text has them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache

from auditor.parts.places.observing.normal_forms import normal
from auditor.parts.places.observing.other_spellings import Spellings
from auditor.parts.places.observing.rows_of_tables import Spot, Table

_LONGEST = 64
"""Characters of a cell that may be a part of a name."""
_MOST = 2000
"""Rows of one table that may have a name, and are read one by one; more are read together."""


def names_in(tables: Iterable[Table], spelt: Spellings, whom: Callable[[str], set[str]]) -> dict[str, list[Spot]]:
    """Give the rows that name a deleted person, by record.

    Args:
        tables: Of files that belong together; lines of a text are read as such.
        spelt: What deleted people are called.
        whom: Tells whose names are in a text.
    """
    words = {word for those in spelt.forms.values() for form in those if form.written not in spelt.sure for word in form.words}
    may_be = cache(lambda cell: len(cell) <= _LONGEST and bool(own := normal(cell).split()) and words.issuperset(own))
    found = defaultdict[str, list[Spot]](list)
    for table in tables if words else ():
        if table.of_text:
            continue
        rows = [
            (at, named)
            for at, row in enumerate(table.rows)
            if len(named := [c for c, cell in enumerate(row) if cell and may_be(cell)]) > 1
        ]
        if not rows or not (left := whom("\n\n".join(_written(table, at) for at, _ in rows))):
            continue
        for at, named in rows[:_MOST]:
            for record in whom(_written(table, at)) & left:
                found[record].append(Spot(table, at, tuple(table.columns[each] for each in named)))
        for record in left - found.keys():
            found[record] = []
    return found


def _written(table: Table, at: int) -> str:
    return ",".join(" ".join(cell.split()) for cell in table.rows[at] if cell is not None)
