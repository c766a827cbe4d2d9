"""Columns that have a part of people's names each, such as a first name and a last one, and the names that they are together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from typing import Final

import numpy as np

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.places.observing.normal_forms import normal
from auditor.parts.places.observing.turned_names import initials_of

_PARTS: Final = re.compile(r"[^\W\d_]+")
_LOWER: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORDS: Final = """
    name names first last middle given family fore forename surname firstname lastname givenname familyname fname lname
    vorname nachname familienname zuname rufname nom prenom prénom nombre apellido apellidos nome cognome voornaam achternaam
"""
_CALLED: Final = frozenset(_WORDS.split())
"""Words of what such columns are called."""
_MOST: Final = 3
"""Words of a part."""
_MOSTLY: Final = 0.9
"""Share of the cells from which on a column is one of such parts."""
_OWN: Final = 0.5
"""Share of people who have a name of their own, from which on two columns have names whatever they are called."""


def is_called_name(column: str) -> bool:
    """Whether a column is called as one of names is."""
    words = _LOWER.sub("_", column.rpartition(".")[2])
    return any(each.casefold() in _CALLED for each in _PARTS.findall(words))


def in_two_columns(records: Dataset, gone: frozenset[str], kept: set[str]) -> Iterator[tuple[str, str, bool]]:
    """Give the names of deleted people of which two columns have a part each, either part first: whose, and if they are turned.

    A name that somebody who stays has too, in any two columns, tells nobody. Where somebody who stays has its first and its last
    word, it is not turned, for it would be met by these alone.

    Args:
        records: Everybody who is in the table.
        gone: Ids of deleted people.
        kept: What people who stay have in one column, in normal form: such a name tells nobody either.
    """
    ids = records.ids.tolist()
    left = [at for at, each in enumerate(ids) if each in gone]
    parts = [(at, each) for at, each in enumerate(records.table or ()) if _has_parts(each)]
    cells = {at: [_cell(column, code) for code in records.features[:, at].tolist()] for at, column in parts}
    plain = {at: {cell: normal(cell) for cell in set(those)} for at, those in cells.items()}
    theirs = defaultdict[tuple[str, str], set[tuple[str, str]]](set)
    for one, other in _pairs(parts, cells):
        for at in left:
            first, last = cells[one][at], cells[other][at]
            if first and last and normal(f"{first} {last}") not in kept:
                theirs[plain[one][first], plain[other][last]].add((f"{first} {last}", ids[at]))
    if not theirs:
        return
    wanted = {first for first, _ in theirs}
    ends = {pair: _ends(*pair) for pair in theirs}
    begins, taken = {first for first, _ in ends.values()}, set[tuple[str, str]]()
    for at, record in enumerate(ids):
        said = {plain[column][those[at]] for column, those in cells.items() if those[at]} if record not in gone else set()
        for first in said & wanted:
            for last in said:
                theirs.pop((first, last), None)
        words = [each.split() for each in said]
        taken.update((one[0], other[-1]) for one in words if one[0] in begins for other in words if one is not other)
    yield from ((*each, ends[pair] not in taken) for pair, those in theirs.items() for each in sorted(those))


def _ends(first: str, last: str) -> tuple[str, str]:
    return first.split(maxsplit=1)[0], last.rsplit(maxsplit=1)[-1]


def initials(records: Dataset, gone: frozenset[str]) -> frozenset[tuple[str, str]]:
    """Give the initials and words of names of people who stay: of columns that are called so, or of all that may have parts."""
    parts = [(at, each) for at, each in enumerate(records.table or ()) if _has_parts(each)]
    parts = [(at, each) for at, each in parts if is_called_name(each.name)] or parts
    stays = np.flatnonzero([each not in gone for each in records.ids.tolist()])
    words = [[normal(each).split() for each in column.words] for _, column in parts]
    found = set[tuple[str, str]]()
    for row in records.features[stays][:, [at for at, _ in parts]].tolist():
        own = {word for code, known in zip(row, words, strict=True) if 0 <= code < len(known) for word in known[int(code)]}
        found.update(initials_of(own))
    return frozenset(found)


def _pairs(parts: list[tuple[int, Column]], cells: dict[int, list[str]]) -> Iterator[tuple[int, int]]:
    for (one, first), (other, second) in permutations(parts, 2):
        both = [pair for pair in zip(cells[one], cells[other], strict=True) if all(pair)]
        called = is_called_name(first.name) and is_called_name(second.name)
        if both and (called or len(set(both)) > _OWN * len(both)):
            yield one, other


def _has_parts(column: Column) -> bool:
    if column.kind is not Kind.TEXT:
        return False
    known = [each for each in column.words if each]
    alike = sum(len(each.split()) <= _MOST and not any(map(str.isdigit, each)) and "@" not in each for each in known)
    return alike > _MOSTLY * len(known) > 0


def _cell(column: Column, code: float) -> str:
    return column.words[int(code)] if 0 <= code < len(column.words) else ""
