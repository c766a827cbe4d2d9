"""What the footer of a Parquet file says in numbers: counts, sizes and places that its pages determine, and nothing else.

A reader needs few of them, and none tells whether the others are true. So each is compared with what the pages have.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from auditor.parts.release.observing.parquet_values import Found

Fields = Mapping[int, Any]
_NUMBER: Final = 8
"""Bytes that a number may have that nothing determines."""
_VERSIONS: Final = frozenset({1, 2})
_LATER: Final = 3
"""The later type of pages of data, which some writers count as the first, 0."""
_RLE, _BIT_PACKED = 3, 4
_FIELD_IDS: Final = 4
"""How often the number of a file's columns the number of one may be that a table format gives it."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the header of a page of data says that its values do not determine."""

    head: Hashable
    noted: tuple[int, ...]
    """Fields of what is noted of its values; empty where all are missing."""
    blocks: tuple[int, int] | None
    """As of `parquet_values.Found`."""
    size: int
    """Bytes of the page, unpacked."""
    rest: int
    """Bytes of zero behind its values."""


@dataclass(frozen=True, slots=True)
class Written:
    """What the pages of a column in one group of rows have."""

    begins: int
    first: int
    """Where the first page of data begins."""
    packed: int
    unpacked: int
    """Bytes of all pages with their headers."""
    values: int
    pages: Sequence[tuple[int, int]]
    """Type and encoding of each page."""
    found: Sequence[Found]
    """Of each page of data."""
    different: int | None
    """How many different values there are; None where that is not known."""
    texts: Sequence[int]
    """Bytes of text in each page of data; 0 of other types."""
    levels: tuple[int, int]
    """The largest levels of repetition and definition."""
    indexed: frozenset[int] = field(default_factory=frozenset)
    """Fields of the footer that name an index that is one."""
    indexes: Hashable = ()
    """What indexes have that their pages do not determine."""
    dictionary_head: Hashable = ()
    """What the page of the dictionary says that its values do not determine."""
    looks: Sequence[Look] = ()
    """Of each page of data."""
    listed: Sequence[Any] = ()
    """The values of the dictionary, in its order; empty where there is none."""
    dictionary: int = 0
    """Its bytes, unpacked."""

    @property
    def missing(self) -> int:
        """How many values are missing."""
        return sum(each.missing for each in self.found)


def beyond(footer: Fields, columns: Mapping[tuple[int, int], Written]) -> int:
    """Count the bytes of numbers of a footer that the pages do not determine.

    Args:
        footer: By its fields.
        columns: What pages have, by the numbers of the group of rows and of the column.
    """
    return _NUMBER * sum(not holds for holds in _of_file(footer, columns))


def style(said: Fields, written: Written) -> tuple[Hashable, ...]:
    """What a column of a group says of itself apart from what its pages determine."""
    own = said.get(3, {})
    noted = own.get(12, {})
    places = {0: "none", written.begins: "begin"} if written.begins == written.first else {
        0: "none", written.begins: "begin", written.first: "first", written.first + written.packed: "behind",
    }  # fmt: skip
    where = places.get(said.get(2, 0), "end")
    # Where all values are missing there is no least one, and a column without a dictionary has no place of it.
    bounds = noted.keys() - {3, 4} if written.missing < written.values else "missing"
    exact = tuple(noted.get(each) for each in (7, 8)) if bounds != "missing" else ()
    lists = (13, own.get(13)), (8, own.get(8)), *sorted(own.get(16, {16: None}).items())
    return (
        tuple(sorted(said)),
        3 in noted,
        tuple((each, listed is not None and (listed == (), bool(listed))) for each, listed in lists if each != 1),
        written.indexes,
        where,
        tuple(sorted(own.keys() - {11, 12, 13, 16})),
        tuple(sorted(bounds)),
        exact,
        own.get(11, 0) == 0 or written.begins == written.first,
    )


def _of_file(footer: Fields, columns: Mapping[tuple[int, int], Written]) -> Iterator[bool]:
    groups = footer.get(4, [])
    yield footer.get(1) in _VERSIONS
    yield footer.get(3) == sum(each.get(3, 0) for each in groups)
    yield all(each == {1: {}} for each in footer.get(7, []))
    yield footer.keys() <= {1, 2, 3, 4, 5, 6, 7}
    count = len(footer.get(2, []))
    for each in footer.get(2, []):
        yield -1 <= each.get(9, 0) < _FIELD_IDS * count
    for at, group in enumerate(groups):
        own = [columns.get((at, number)) for number in range(len(group.get(1, [])))]
        whole = [each for each in own if each is not None]
        yield len(whole) == len(own) > 0
        if len(whole) == len(own) > 0:
            yield from _of_group(group, at, whole)


def _of_group(group: Fields, at: int, columns: Sequence[Written]) -> Iterator[bool]:
    packed, unpacked = sum(each.packed for each in columns), sum(each.unpacked for each in columns)
    rows = sum(each.rows for each in columns[0].found)
    yield group.get(2) in {packed, unpacked}
    yield group.get(3) == rows == max(sum(page.rows for page in each.found) for each in columns)
    yield group.get(5, 0) in {0, columns[0].begins, columns[0].first}
    yield group.get(6, packed) == packed
    yield group.get(7, at) == at
    yield group.keys() <= {1, 2, 3, 4, 5, 6, 7}
    sorting = group.get(4, [])
    yield len({each.get(1) for each in sorting}) == len(sorting)
    yield all(each.keys() == {1, 2, 3} and 0 <= each[1] < len(columns) and {each[2], each[3]} <= {0, 1} for each in sorting)
    for said, written in zip(group[1], columns, strict=True):
        yield from _of_column(said, written)


def _of_column(said: Fields, written: Written) -> Iterator[bool]:
    """What is said of a column in one group: fields 4 to 7 of it name indexes, which are compared where they lie."""
    own = said.get(3, {})
    places = {0, written.begins, written.first, written.begins + written.packed, written.first + written.packed}
    yield said.keys() - written.indexed <= {2, 3}
    yield said.get(2, 0) in places
    yield own.keys() <= {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16} and not own.get(8)
    yield own.get(5) == written.values and own.get(6) == written.unpacked and own.get(7) == written.packed
    yield own.get(9) in places and own.get(11, 0) in {0, written.begins}
    used = [encoding for _, encoding in written.pages]
    listed = own.get(2, [])
    yield len(set(listed)) == len(listed) and {*listed} <= {*used, 0, _RLE, _BIT_PACKED}
    counts = [(each.get(1) % _LATER, each.get(2)) for each in own.get(13, []) for _ in range(min(each.get(3, 0), len(used) + 1))]
    yield not own.get(13) or sorted(counts) == sorted((kind % _LATER, encoding) for kind, encoding in written.pages)
    yield of_statistics(own.get(12, {}), written.missing, written.different)
    sizes = own.get(16, {})
    yield not sizes or of_sizes(sizes, written)


def of_statistics(said: Fields, missing: int, different: int | None) -> bool:
    """Whether what is counted of values is so: how many are missing, and how many different ones there are."""
    # The last counts what is no number, of which a store has none.
    whole = all(said.get(each, 1) in {0, 1} for each in (7, 8)) and not said.get(9)
    return said.keys() <= set(range(1, 10)) and said.get(3, missing) == missing and said.get(4, different) == different and whole


def of_sizes(said: Fields, written: Written) -> bool:
    """Whether what is said of how many bytes texts have, and how many values each level, is so."""
    found = written.found
    repetitions = [sum(each) for each in zip(*(page.repetitions for page in found), strict=True)]
    definitions = [sum(each) for each in zip(*(page.definitions for page in found), strict=True)]
    text = said.get(1) in {None, sum(written.texts)}
    return said.keys() <= {1, 2, 3} and text and _is(said.get(2), repetitions) and _is(said.get(3), definitions)


def _is(listed: Any, counted: list[int]) -> bool:
    """Whether a list has how many values each level has, or nothing, as for columns with one level."""
    return not listed or listed == counted
