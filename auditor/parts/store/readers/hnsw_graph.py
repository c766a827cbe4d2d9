"""Read the rows and links of an hnswlib graph, which hnswlib keeps in one file and Chroma in four.

A row is a list of links on the lowest level, a vector and a label; a row on higher levels has a list for each of them as well.
Which links a graph has follows from its vectors, the order in which they came and random numbers, so links are explained by what
links are: numbers of other rows on that level, each once. Where a full list became shorter, former links follow it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.parts.store.readers.contents import Lies, Rows, UnknownFormError
from auditor.parts.store.readers.fields import Fields, filled, no_numbers

HEADER: Final = 96
"""Bytes of the header, without a version in front of it."""
_LABEL: Final = 8
_LINK: Final = 4
_MARK: Final = 1
"""The bit of a list's third byte that says that its row was deleted."""
_MOST_ROWS: Final = 1 << 32
_MOST_LINKS: Final = 10_000
_AT_ONCE: Final = 1 << 15
"""Lists that are compared at a time."""
_USUALLY_TRIED: Final = 200
_MOST_TRIED: Final = 1 << 16
"""What `max_elements` and `ef_construction` may be at most: larger ones hold more than a setting does."""


@dataclass(frozen=True, slots=True)
class Header:
    """Sizes of a graph."""

    capacity: int
    count: int
    row: int
    """Bytes of a row on the lowest level."""
    dimensions: int
    links: int
    """Links of a row on each higher level; it has twice as many on the lowest."""
    highest: int
    entry: int
    tried: int
    """Rows among which links were chosen as the graph was built."""
    unexplained: int
    """Bytes of the header that hold anything but what they are for."""

    def settings(self, usually_tried: int = _USUALLY_TRIED) -> tuple[int, ...]:
        """Numbers that somebody set and that rows do not determine: none where the room is as large as what is in it.

        Args:
            usually_tried: What `ef_construction` is where nobody sets it.
        """
        room = 0 if self.capacity == self.count or self.capacity == 1 << max(0, self.count - 1).bit_length() else self.capacity
        return tuple(each for each in (room, 0 if self.tried == usually_tried else self.tried) if each)

    @classmethod
    def read(cls, fields: Fields) -> Header:
        """Read a header of 96 bytes.

        Raises:
            UnknownFormError: If it is not one, or of vectors other than float32.
        """
        first, capacity, count, row, label, data, highest, entry, most, most_below, links, mult, tried = fields.take("6QiI3QdQ")
        fits = first == 0 and 2 <= links <= _MOST_LINKS and most == links and most_below == 2 * links
        fits = fits and data == _LINK * (1 + most_below) and row == label + _LABEL and label > data and (label - data) % 4 == 0
        if not fits or count > capacity or (highest, entry) != ((-1, _MOST_ROWS - 1) if not count else (highest, entry)):
            raise UnknownFormError
        if count and not (0 <= highest < 64 and entry < count):
            raise UnknownFormError
        odd = 8 * (capacity >= _MOST_ROWS) + 8 * (tried >= _MOST_TRIED) + 8 * (not _is_near(mult, 1 / math.log(links)))
        return cls(capacity, count, row, (label - data) // 4, links, highest, entry, tried, odd)


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= math.ulp(other)


@dataclass(slots=True, eq=False)
class Graph:
    """The rows of a graph."""

    header: Header
    vectors: npt.NDArray[np.float32]
    """Shape (count, d), as stored."""
    labels: npt.NDArray[np.uint64]
    """Shape (count,)."""
    marked: npt.NDArray[np.bool_]
    """Shape (count,): which rows are marked as deleted."""
    unexplained: int
    uncounted: int
    """Bits of which rows are linked, and of the order in which rows came."""

    @classmethod
    def read(cls, header: Header, lowest: Fields, higher: Fields, *, spare: int = 0) -> Graph:
        """Read the lowest level and the lists of higher ones.

        Args:
            header: The sizes.
            lowest: The file of the lowest level, at its first row.
            higher: The file of higher levels, at the list of the first row; may be the same, which is then read afterwards.
            spare: Rows of the lowest level that no row has come to yet.

        Raises:
            UnknownFormError: If the files do not hold what the header says.
        """
        count, links = header.count, 2 * header.links
        block = lowest.array("u1", count, header.row)
        unexplained = header.unexplained + filled(lowest.array("u1", spare, header.row)) if spare else header.unexplained
        lists = np.ascontiguousarray(block[:, : _LINK * (1 + links)]).view("<u4")
        at = _LINK * (1 + links)
        vectors = np.ascontiguousarray(block[:, at : at + 4 * header.dimensions]).view("<f4")
        labels = np.ascontiguousarray(block[:, -_LABEL:]).view("<u8").reshape(count)
        marks = block[:, 2]
        unexplained += int(np.count_nonzero(marks & ~np.uint8(_MARK))) + int(np.count_nonzero(block[:, 3]))
        everybody = np.arange(count)
        unexplained += _beyond_links(lists[:, 0] & 0xFFFF, lists[:, 1:], everybody, np.ones(count, dtype=bool))
        more, of_higher = _of_higher(header, higher)
        unexplained += more
        chosen = count + of_higher + int((lists[:, 0] & 0xFFFF).sum())
        _, times = np.unique(labels, return_counts=True)
        unexplained += _LABEL * int((times - 1).sum()) + no_numbers(vectors)
        return cls(
            header=header,
            vectors=vectors.astype(np.float32),
            labels=labels.astype(np.uint64),
            marked=(marks & _MARK).astype(bool),
            unexplained=unexplained,
            uncounted=bits_of_links(chosen, count),
        )

    def rows(self, where: str, ids: tuple[str | None, ...] | None = None) -> tuple[Rows, ...]:
        """Give live rows and marked ones.

        Args:
            where: Where they lie.
            ids: The controller's ids, one for each row; the labels where left out.
        """
        named = tuple(map(str, self.labels.tolist())) if ids is None else ids
        return tuple(
            Rows(
                where=where,
                lies=lies,
                count=int(which.sum()),
                ids=tuple(named[at] for at in np.flatnonzero(which).tolist()),
                vectors=self.vectors[which],
                # Threads add rows side by side, so that each is a part of its own.
                group=np.arange(int(which.sum())),
            )
            for lies, which in ((Lies.LIVE, ~self.marked), (Lies.MARKED, self.marked))
            if which.any()
        )


def bits_of_links(links: int, rows: int) -> int:
    """Bits of so many numbers, each of which is one of some rows."""
    return math.ceil(links * math.log2(rows)) if rows > 1 else 0


def _of_higher(header: Header, higher: Fields) -> tuple[int, int]:
    """Read the lists of higher levels, and count what they hold beyond links, and the links."""
    size = _LINK * (1 + header.links)
    levels = np.zeros(header.count, dtype=np.int64)
    owners: list[int] = []
    spans: list[npt.NDArray[Any]] = []
    for row in range(header.count):
        length = higher.whole("I")
        if length == 0:
            continue
        if length % size or length // size > header.highest:
            raise UnknownFormError
        levels[row] = length // size
        spans.append(higher.array("<u4", length // size, 1 + header.links))
        owners.append(row)
    unexplained = links = 0
    if header.count and (int(levels.max()) != header.highest or levels[header.entry] != header.highest):
        # Where a search begins is a row of the highest level; another number there holds something else.
        unexplained += 8
    for level in range(1, header.highest + 1):
        having = [at for at, row in enumerate(owners) if levels[row] >= level]
        if not having:
            break
        lists = np.array([spans[at][level - 1] for at in having], dtype=np.uint32)
        unexplained += 2 * int(np.count_nonzero(lists[:, 0] >> 16))
        unexplained += _beyond_links(lists[:, 0] & 0xFFFF, lists[:, 1:], np.array(owners)[having], levels >= level)
        links += int((lists[:, 0] & 0xFFFF).sum())
    return unexplained, links


def _beyond_links(
    counts: npt.NDArray[Any], lists: npt.NDArray[Any], owners: npt.NDArray[Any], there: npt.NDArray[np.bool_]
) -> int:
    """Count the bytes of lists that are no links, nor what is left of former ones.

    Args:
        counts: How many links each list has, shape (n,).
        lists: The lists with their unused places, shape (n, most).
        owners: The row of each list.
        there: Which rows are on this level.
    """
    blocks = range(0, len(lists), _AT_ONCE) if lists.size else ()
    return sum(_beyond(counts[at : at + _AT_ONCE], lists[at : at + _AT_ONCE], owners[at : at + _AT_ONCE], there) for at in blocks)


def _beyond(counts: npt.NDArray[Any], lists: npt.NDArray[Any], owners: npt.NDArray[Any], there: npt.NDArray[np.bool_]) -> int:
    most, places = lists.shape[1], np.arange(lists.shape[1])
    live = places < counts[:, None]
    # Behind the last number there may be zeros; a zero before it is the number of the first row.
    last = most - np.argmax(lists[:, ::-1] != 0, axis=1)
    last[~lists.any(axis=1)] = 0
    former = ~live & (places < last[:, None])
    known = np.zeros(lists.shape, dtype=bool)
    inside = lists < len(there)
    known[inside] = there[lists[inside]]
    known &= lists != owners[:, None]
    # Former links may come from several lists of the past, and so be repeated.
    bad = ((live | former) & ~known) | (live & _again(lists, live))
    return _LINK * int(np.count_nonzero(bad)) + 2 * int(np.count_nonzero(counts > most))


def _again(lists: npt.NDArray[Any], which: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which of the numbers chosen in each list are repeated ones; shape (n, most)."""
    most = lists.shape[1]
    # Numbers of their own stand for those that are not chosen, so that none of these is met twice.
    values = np.where(which, lists.astype(np.int64), -1 - np.arange(most))
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    again = np.zeros(lists.shape, dtype=bool)
    again[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    found = np.zeros(lists.shape, dtype=bool)
    np.put_along_axis(found, order, again, axis=1)
    return found
