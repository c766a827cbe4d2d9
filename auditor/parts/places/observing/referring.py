"""Columns of numbers that refer to people by the digits of their ids, and deleted people's numbers in them.

In a dense range of ids any number of as many digits is somebody's, so a number alone says nothing. A column does, by two tests of
the numbers that people who stay have in it, each once: if they were anything, they would hardly all lie among the ids; if they
knew nothing of an erasure, they would hardly all be ids of people who are there still. A column that either test shows to refer
to people refers to a deleted one where it has their number. What counts up row by row refers to nobody, and of numbers of fewer
than five digits nothing can be said.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np

from auditor.base.mixed_columns import Kind
from auditor.base.records import Dataset

Referred: TypeAlias = Mapping[str, Mapping[str, frozenset[str]]]
"""By a column's name, then by a number: the deleted records whose it is."""
_DIGITS: Final = 5
"""Digits of a number that refers to a person, at least."""
_FEWEST: Final = 5
"""Numbers by which a column is judged."""
_ANYTHING: Final = 1e-6
"""How often numbers of as many digits may all lie among the ids by chance."""
_LIVE: Final = 0.01
"""How often as few deleted people may be among numbers by chance, in any column."""
_ALL: Final = 0.95
"""Share of a column's cells that are such numbers, where it refers to people."""
_NUMBER: Final = re.compile(r"(\d{5,18})(?:\.0)?", re.ASCII)
_NO_DIGIT: Final = re.compile(r"\D+")


def of_table(records: Dataset, names: Sequence[str], gone: frozenset[str]) -> Referred:
    """Find the columns that refer to people.

    Args:
        records: Everybody who is in the table.
        names: Its columns, in their order.
        gone: Ids of deleted people.
    """
    ids = records.ids.tolist()
    live, theirs = _numbers((each for each in ids if each not in gone), {}), _numbers(gone, {})
    theirs = {number: those for number, those in theirs.items() if number not in live}
    stays = np.array([each not in gone for each in ids], dtype=bool)
    held = {name: _cells(records, at, stays) for at, name in enumerate(names)} if theirs else {}
    tested = {name: found for name, cells in held.items() if (found := _in_range(cells, {*live, *theirs})) is not None}
    return {
        name: {number: frozenset(those) for number, those in theirs.items()}
        for name, (numbers, span) in tested.items()
        if _is_no_other(numbers, span) or _is_of_live(numbers, span, live, _LIVE / len(tested))
    }


def met(referred: Referred, column: str, cells: Collection[str]) -> set[str]:
    """Give the deleted records to which cells of a column refer."""
    known = referred.get(column.rpartition(".")[2])
    if known is None:
        return set()
    numbers = (found[1] for cell in cells if (found := _NUMBER.fullmatch(cell.strip())))
    return {record for number in numbers for record in known.get(number, ())}


def _numbers(ids: Collection[str] | Iterator[str], found: dict[str, set[str]]) -> dict[str, set[str]]:
    for each in ids:
        number = _NO_DIGIT.sub("", each)
        if _DIGITS <= len(number) <= 18:
            found.setdefault(number, set()).add(each)
    return found


def _cells(records: Dataset, at: int, stays: np.typing.NDArray[np.bool_]) -> list[str]:
    """What cells of people who stay hold, in the table's order."""
    codes = records.features[stays, at]
    column = None if records.table is None else records.table[at]
    if column is not None and column.kind is Kind.TEXT:
        return [column.words[int(each)] for each in codes.tolist() if 0 <= each < len(column.words)]
    if column is not None and column.kind not in {Kind.INTEGER, Kind.NUMBER}:
        return []
    missing = np.nan if column is None else column.missing
    return [str(int(each)) if each == int(each) else "" for each in codes[np.isfinite(codes) & (codes != missing)].tolist()]


def _in_range(cells: Sequence[str], known: Collection[str]) -> tuple[list[int], range] | None:
    """Give a column's numbers that lie among ids of as many digits, with the range of these; None of any other column."""
    found = [each for cell in cells if (each := _NUMBER.fullmatch(cell.strip()))]
    sizes = defaultdict[int, list[int]](list)
    for each in found:
        sizes[len(each[1])].append(int(each[1]))
    if not found or len(found) < _ALL * sum(1 for each in cells if each.strip()):
        return None
    size, numbers = max(sizes.items(), key=lambda pair: len(pair[1]))
    own = sorted(int(each) for each in known if len(each) == size)
    if not own:
        return None
    span = range(own[0], own[-1] + 1)
    inside = [each for each in numbers if each in span]
    counts_up = all(one < other for one, other in pairwise(inside))
    if len(set(inside)) < _FEWEST or len(inside) < _ALL * len(found) or counts_up:
        return None
    return inside, span


def _is_no_other(numbers: Sequence[int], span: range) -> bool:
    """Whether numbers of as many digits would hardly all lie among the ids."""
    size = len(str(numbers[0]))
    return float(len(span) / (9 * 10 ** (size - 1))) ** len(set(numbers)) <= _ANYTHING


def _is_of_live(numbers: Sequence[int], span: range, live: Collection[str], level: float) -> bool:
    """Whether so many of them would hardly be ids of people who are there still, drawn from all that lie among the ids."""
    from scipy.stats import hypergeom  # noqa: PLC0415  (slow to import, and few tables have such a column)

    own = {int(each) for each in live if int(each) in span and len(each) == len(str(span[0]))}
    distinct = set(numbers)
    return bool(hypergeom.sf(len(distinct & own) - 1, len(span), len(own), len(distinct)) <= level)
