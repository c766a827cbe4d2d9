"""Rows of people who stay whose text tells a deleted person by what the table says of them: an id, an address, a day, a name.

What the table has explains places, so a note about a deleted person in somebody else's row there would be explained wherever it
lies. It tells a person by what nobody else has in its column: an id in any spelling or code; what is in front of an @; a day in
any usual notation; two words of a name; a sum. An id and an address are nobody else's. Days, names and sums may come up by
chance: they count where people who stay, who are looked for likewise, hardly come up in others' rows.

Such a text is looked for as a name is, wherever it lies.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.places.observing.alone import MOST_WORDS, heads_of, pairs_of, parted, runs_of, squeezed
from auditor.parts.places.observing.codes import readings
from auditor.parts.places.observing.days import days_in
from auditor.parts.places.observing.plain_words import USUAL
from auditor.parts.store.observing.record_forms import tells

_LEVEL: Final = 0.05
"""How many deleted people may come up by chance, by the share of those who stay that do, before none of theirs counts."""
_LEAST: Final = 6
"""Letters and digits of an address, or of a sum, that is looked for."""
_OF_IDS: Final = -1
_Form: TypeAlias = str | date | frozenset[str]


class _Owned(NamedTuple):
    """What one person has, and nobody else in its column."""

    row: int
    sure: bool
    """Whether it is nobody else's wherever it stands."""


def of_table(records: Dataset, gone: frozenset[str]) -> Mapping[str, frozenset[str]]:
    """Give the texts in rows of people who stay that tell deleted people, each with these.

    Args:
        records: Everybody who is in the table, deleted people included.
        gone: Ids of deleted people.
    """
    ids = records.ids.tolist()
    deleted = np.array([each in gone for each in ids], dtype=bool)
    columns = [(at, each) for at, each in enumerate(records.table or ()) if each.kind is Kind.TEXT]
    if not deleted.any() or deleted.all() or not columns:
        return {}
    owned = _owned(records)
    words = frozenset[str]().union(*(form for form in owned if isinstance(form, frozenset)))
    heads = heads_of(form for form in owned if isinstance(form, str))
    sure, told = defaultdict[str, set[int]](set), defaultdict[str, set[int]](set)
    for at, column in columns:
        for text, rows in _of_those_who_stay(column, records.features[:, at], deleted):
            for form in _forms_in(text, words, heads):
                for one in owned.get(form, ()):
                    if len(rows) > 1 or one.row not in rows:
                        (sure if one.sure else told)[text].add(one.row)
    stay = {row for those in told.values() for row in those if not deleted[row]}
    by_chance = len(stay) * np.count_nonzero(deleted) > _LEVEL * np.count_nonzero(~deleted)
    found = defaultdict[str, set[str]](set)
    for each in (sure,) if by_chance else (sure, told):
        for text, those in each.items():
            found[text] |= {ids[row] for row in those if deleted[row]}
    return {text: frozenset(those) for text, those in found.items() if those}


def _of_those_who_stay(
    column: Column, codes: npt.NDArray[np.float64], deleted: npt.NDArray[np.bool_]
) -> Iterator[tuple[str, frozenset[int]]]:
    """Different texts, short words aside, each with the rows of people who stay that have it, others or not."""
    rows = defaultdict[int, list[int]](list)
    for row in np.flatnonzero((codes >= 0) & ~deleted).tolist():
        rows[int(codes[row])].append(row)
    for code, those in rows.items():
        text = column.words[code]
        if " " in text.strip() or len(text) > _LEAST:
            yield text, frozenset(those)


def _forms_in(text: str, of_names: frozenset[str], heads: frozenset[str]) -> Iterator[_Form]:
    """By what a text may tell somebody.

    Args:
        text: The text.
        of_names: Words of names; a pair with another is nobody's.
        heads: How the others begin.
    """
    for each in (text, *readings(text)):
        gaps, parts = parted(each)
        yield from runs_of(gaps, parts, heads)
        yield from map(frozenset, combinations(sorted(of_names.intersection(parts)), 2))
    if any(map(str.isdigit, text)):
        yield from days_in(text)


def _owned(records: Dataset) -> Mapping[_Form, Sequence[_Owned]]:
    """What each person alone has in a column, by its form; of those who stay it says how often chance brings one up."""
    found = defaultdict[_Form, dict[int, _Owned | None]](dict)

    def add(form: _Form, column: int, one: _Owned) -> None:
        before = found[form].setdefault(column, one)
        if before is not None and before.row != one.row:
            found[form][column] = None  # of two people, in one column

    for row, each in enumerate(records.ids.tolist()):
        if tells(each):
            add(squeezed(each), _OF_IDS, _Owned(row, sure=True))
    for at, column in enumerate(records.table or ()):
        cells = column.cells(records.features[:, at]) if column.kind is not Kind.BOOLEAN else ()
        for row, cell in enumerate(cells):
            for form, sure in _forms_of(cell or "", column.kind):
                add(form, at, _Owned(row, sure))
    return {form: [each for each in those.values() if each is not None] for form, those in found.items()}


def _forms_of(cell: str, kind: Kind) -> Iterator[tuple[_Form, bool]]:
    """By what a cell tells its person."""
    words = cell.split()
    if not words or len(words) > MOST_WORDS:
        return
    local = squeezed(cell.partition("@")[0]) if "@" in cell else ""
    if len(local) >= _LEAST:
        yield local, any(map(str.isdigit, local))
        yield squeezed(cell), True
        pieces = re.split(r"[._+-]", cell.partition("@")[0])
        yield from ((squeezed(each), False) for each in pieces if len(each) > _LEAST and any(map(str.isdigit, each)))
    yield from ((day, False) for day in days_in(cell))
    if kind is Kind.TEXT:
        pairs = [pair for pair in pairs_of(cell) if not pair <= USUAL]
        yield from ((each, False) for each in (*pairs, *((squeezed(cell), squeezed(" ".join(reversed(words)))) if pairs else ())))
    elif len(squeezed(cell).strip("0")) >= _LEAST:
        yield squeezed(cell), False
