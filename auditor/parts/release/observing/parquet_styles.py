"""How the columns and pages of a Parquet file are written: choices of its writer, which its rows do not determine.

A writer has one way for each type, and goes from one to another by a rule, as from a dictionary to plain values where too many
of them are different. A choice for each column of each group, or for each page, could say something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from auditor.parts.release.observing import parquet_footers
from auditor.parts.release.observing.parquet_footers import Written
from auditor.parts.release.observing.parquet_pages import Decoded

_INDEXES: Final = (4, 6)
"""Fields of the footer that say where an index of pages lies."""
_DICTIONARY: Final = 2
_REPETITION, _NAME, _CHILDREN, _OLD_TYPE, _NUMBER, _TYPE = 3, 4, 5, 6, 9, 10
"""Fields of the schema: whether a value may be missing, a column's name, parts, types by an older field, number and type."""


@dataclass(frozen=True, slots=True)
class Styled:
    """A column of a group, or a page of one, that is written in one style of several."""

    kind: Hashable
    """What is written alike by a writer."""
    style: Hashable
    column: int
    by: tuple[float, float]
    """What writers choose by: the share of different values, and the bytes of these."""


class Habit(NamedTuple):
    """How a file is written as a whole."""

    name: str
    way: Hashable
    bits: int
    """Of which way it is."""


@dataclass(frozen=True, slots=True)
class Styles:
    """How a file is written."""

    aspects: Sequence[Sequence[Styled]]
    """How each group is described, each dictionary is ordered that rows or values order, but not both, each column of each group
    is packed, encoded and described, and each page of data is; in the order of columns."""
    changes: Sequence[int]
    """After how many pages a column goes on in another encoding than before; 0 where its dictionary had become too large."""
    ways: Sequence[Sequence[frozenset[Hashable]]]
    """The ways in which the runs of each page's levels and values are made, and by which it gives entries so many bits."""
    orders: Sequence[Sequence[int]]
    """Of each dictionary, which entry rows name first, and next, and so on; empty where rows or values order it."""
    numbers: Sequence[int]
    """Numbers that a table format gives columns and what they consist of; empty where none has one."""
    places: Sequence[Sequence[int]]
    """The orders in which columns lie in the file, and their indexes; empty where these are that of the columns."""


def styles(decoded: Decoded) -> Styles:
    """Tell how a file is written.

    Args:
        decoded: Its pages.
    """
    groups, schema = decoded.footer.get(4, []), decoded.footer.get(2, [])
    leaves = [each for each in schema if _CHILDREN not in each]
    listing = {number for number, leaf in enumerate(leaves) if leaf[_NAME].decode("utf-8", "replace") in decoded.categories}
    in_order = sorted(decoded.columns.items(), key=lambda each: each[0][::-1])
    orders, by_value = list[Sequence[int]](), list[Styled]()
    first: dict[int, Sequence[Any]] = {}
    for (_, number), written in in_order:
        if written.listed:
            order, sort = _order(written, first.setdefault(number, written.listed))
            orders.append(order)
            by_value += [] if sort is None else [Styled(number in listing, sort, number, _chosen_by(written))]
    said = [(groups[group][1][number], number, written) for (group, number), written in in_order]
    columns = [_of_column(*each, leaves[each[1]]) for each in said]
    pages = [page for each in said for page in _of_pages(*each)]
    of_groups = [Styled(None, (tuple(sorted(each.keys() - {4})), each.get(5, 0) == 0), 0, (0, 0)) for each in groups]
    return Styles(
        aspects=(of_groups, by_value, *map(_known, zip(*columns, strict=True)), *map(_known, zip(*pages, strict=True))),
        changes=list(_changes(decoded.columns)),
        ways=[
            *([page.made[of] for _, written in in_order for page in written.found] for of in (0, 1)),
            [rules for _, written in in_order for rules in _widths(written)],
        ],
        orders=orders,
        numbers=[each.get(_NUMBER, -1) for each in schema if each.get(_NUMBER, -1) != -1],
        places=list(_places(decoded.footer, decoded.columns)),
    )


def habits(decoded: Decoded) -> tuple[Habit, ...]:
    """How most columns are packed, encoded, described and indexed, each way by itself."""
    found: dict[tuple[str, int], Counter[Hashable]] = {}
    for (group, number), written in decoded.columns.items():
        said = decoded.footer[4][group][1][number]
        pages = written.looks[0].head if written.looks else None
        there = (4 in said, 6 in said), 12 in said[3], 16 in said[3], 13 in said[3]
        ways = (said[3].get(4), 3), (bool(written.listed), 1), (tuple(each for each, _ in written.pages)[-1:], 1), (pages, 2)
        for at, (way, bits) in enumerate((*ways, *((each, 1) for each in there))):
            found.setdefault((f"Parquet {at}", bits), Counter())[way] += 1
    return tuple(Habit(name, counted.most_common(1)[0][0], bits) for (name, bits), counted in found.items())


def _widths(written: Written) -> Iterator[frozenset[Hashable]]:
    """By which rules the entries of each page that names some have so many bits."""
    last = 0
    for page in written.found:
        if page.width is not None:
            last = max(last, *page.first_named)
            ends = {"listed": len(written.listed) - 1, "so far": last, "page": max(page.first_named)}
            rules = {rule for rule, end in ends.items() if max(1, end.bit_length()) == page.width}
            rules |= {f"{rule}, none of one" for rule, end in ends.items() if end.bit_length() == page.width}
            yield frozenset({*rules, page.width})


def _known(aspect: Iterable[Styled | None]) -> list[Styled]:
    return [each for each in aspect if each is not None]


def _of_column(said: Mapping[int, Any], number: int, written: Written, leaf: Mapping[int, Any]) -> tuple[Styled | None, ...]:
    """How a column of a group is packed, whether anything is noted of its values, and how it is encoded and described."""
    own, by = said[3], _chosen_by(written)
    bounds, there = bool(own.get(12, {}).keys() - {3, 4}), written.missing < written.values
    described = (_encoded(own, written), parquet_footers.style(said, written))
    return (
        Styled(None, own.get(4), number, by),
        Styled(own.get(1), bounds, number, by) if there else None,
        Styled((own.get(1), bounds, there), described, number, by),
        Styled(bool(written.listed), 4 in own.get(12, {}), number, by),
        Styled(None, written.dictionary_head, number, by) if written.listed else None,
        Styled(own.get(1), leaf.get(_REPETITION), number, by),
        Styled(None, _text_by(leaf), number, by) if _text_by(leaf) else None,
    )


def _text_by(leaf: Mapping[int, Any]) -> tuple[int, ...]:
    """The fields that say of a column that it is of text, an older one and one of today; none of other columns."""
    return (*([_OLD_TYPE] if leaf.get(_OLD_TYPE) == 0 else []), *([_TYPE] if 1 in (leaf.get(_TYPE) or {}) else []))


def _of_pages(said: Mapping[int, Any], number: int, written: Written) -> Iterator[tuple[Styled | None, ...]]:
    """What the header of each page of data says."""
    by, kind = _chosen_by(written), said[3].get(1)
    data = [each for each in written.pages if each[0] != _DICTIONARY]
    for look, page, (form, encoding) in zip(written.looks, written.found, data, strict=True):
        there = page.missing < page.definitions[-1] or not page.missing
        yield (
            Styled(form, look.head, number, by),
            Styled(kind, look.noted, number, by) if there else None,
            Styled((kind, encoding), (look.blocks, look.rest), number, by),
        )


def _chosen_by(written: Written) -> tuple[float, float]:
    different = written.values if written.different is None else written.different
    return different / max(1, written.values), different * (sum(written.texts) / max(1, written.values) + _EACH)


_EACH: Final = 4
"""Bytes of the length of a text."""


def _encoded(own: Mapping[int, Any], written: Written) -> Hashable:
    """How a column of a group is encoded, and how the footer lists that."""
    counted = tuple((each.get(1), each.get(2)) for each in own.get(13, []))
    return tuple(dict.fromkeys(written.pages)), tuple(own.get(2, [])), counted


def cut_short(columns: Mapping[tuple[int, int], Written]) -> frozenset[tuple[int, int]]:
    """Name the columns of groups that go on without their dictionary since it has reached a size, the same for as many as can be.

    Args:
        columns: By the numbers of the group of rows and of the column.
    """
    grew = {key: _growth(each) for key, each in columns.items() if each.listed and list(ends(each))}
    most = max((size for _, size in grew.values()), key=lambda limit: sum(a < limit <= b for a, b in grew.values()), default=0)
    return frozenset(key for key, (before, size) in grew.items() if before < most <= size)


def _growth(written: Written) -> tuple[int, int]:
    """Bytes that a dictionary had before the last page that refers to it, and has."""
    each = written.dictionary // len(written.listed)
    sizes = [_EACH + len(value) if isinstance(value, bytes) else each for value in written.listed]
    seen = {entry for page in written.found[: next(ends(written)) - 1] for entry in page.first_named}
    return sum(sizes[entry] for entry in seen), sum(sizes)


def ends(written: Written) -> Iterator[int]:
    """Give the pages of data of a column after which the encoding is another, counted from 1."""
    data = [each for each in written.pages if each[0] != _DICTIONARY]
    return (at for at, (now, then) in enumerate(pairwise(data), 1) if now != then)


def _changes(columns: Mapping[tuple[int, int], Written]) -> Iterator[int]:
    """After how many pages encodings change, but where dictionaries had become too large."""
    full = cut_short(columns)
    for key, each in columns.items():
        before = 0
        for number, end in enumerate(ends(each)):
            yield 0 if key in full and not number else end - before
            before = end


def _order(written: Written, first: Sequence[Any]) -> tuple[Sequence[int], bool | None]:
    """The order of a dictionary, empty where rows, values or the one of the first group have it; whether values alone do."""
    seen = dict.fromkeys(entry for page in written.found for entry in page.first_named)
    named, listed = list(seen), list(written.listed)
    by_rows, by_value = named == sorted(named), listed == sorted(listed)
    if by_rows or by_value:
        return (), None if by_rows and by_value else by_value
    places = {value: at for at, value in enumerate(first)}
    found = [places.get(value, -1) for value in listed]
    if written.listed is not first and -1 not in found and found == sorted(found):
        return (), None
    ranks = {value: at for at, value in enumerate(sorted(listed))}
    return min(named, [ranks[value] for value in listed], key=_jumps), None


def _jumps(order: Sequence[int]) -> int:
    return sum(then != now + 1 for now, then in pairwise(order))


def _places(footer: Mapping[int, Any], columns: Mapping[tuple[int, int], Written]) -> Iterator[Sequence[int]]:
    lie = [[columns[each].begins for each in sorted(columns)]]
    for field in _INDEXES:
        said = [footer[4][at][1][number].get(field) for at, number in sorted(columns)]
        lie.append([each for each in said if isinstance(each, int)])
    for begins in lie:
        ranks = {begin: rank for rank, begin in enumerate(sorted(begins))}
        order = [ranks[each] for each in begins]
        yield [] if order == sorted(order) else order
