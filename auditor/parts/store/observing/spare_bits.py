"""Count the bits that the counters, settings and row numbers of an SQLite database could carry.

A program that keeps data leaves such numbers behind, and so could anyone who wants to keep a record: nothing else in the file
says what they have to be. Each is counted by the length of its code in Elias' delta code, so that at most 2^n databases differ in
numbers of n bits together. A value that rows determine, as the largest number that a table had, counts by how far it is off.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from math import ceil, comb, lgamma, log, log2
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.parts.release.observing.parquet_styles import Styled, Styles
from auditor.parts.store.judging.accounting import Spare, SpareName

Numbers = npt.NDArray[np.int64]
OF_COLUMN: Final = 8
"""Bits of a column that is written otherwise than the others: of some hundred."""
_SETTINGS: Final = ((18, 1, 1), (20, 1, 0), (44, 4, 4), (56, 4, 1))
"""Offset, bytes and usual value: log, room at the end of each page, form of rows, encoding."""
_USUAL_PAGE: Final = 4096
_COUNTERS: Final[tuple[tuple[int, SpareName], ...]] = (
    (24, "change counter"), (40, "schema_version"), (48, "default_cache_size"), (60, "user_version"), (68, "application_id"),
)  # fmt: skip
_LAST_FORM: Final = 4
_NOBODY: Final[Mapping[str, int]] = {}
_RELEASES: Final = range(3_000_000, 3_100_000)
_LAST_PATCH: Final = 31
_OF_RELEASE: Final = 12
"""Bits that the number of the release has that wrote a file last: 100 times 32 values, and none."""
_DIGITS: Final = re.compile(r"\d{1,15}(?=\D*$)", re.ASCII)


def bits_of(number: int) -> int:
    """Bits of a whole number in Elias' delta code, the sign after it; 1 for 0."""
    return int(_bits(np.array([number], dtype=object))[0])


def of_header(header: bytes, largest_root: int) -> tuple[int, list[Spare]]:
    """Count the bytes of a database's header that no program writes, and the bits that the others could carry.

    Args:
        header: Its first 100 bytes.
        largest_root: The last page that a table or an index begins with.
    """

    def at(place: int) -> int:
        return int(struct.unpack_from(">I", header, place)[0])

    mapped, steps, stated, release = at(52), at(64), at(28), at(96)
    written = release in _RELEASES and release % 1000 <= _LAST_PATCH
    sound = (
        header[18:20] in {b"\1\1", b"\2\2"} and header[21:24] == b"\x40\x20\x20",
        at(44) <= _LAST_FORM,
        mapped in {0, largest_root},
        steps <= (mapped > 0),
        written or not (stated or release),
        at(92) == at(24) or not (stated or at(92)),
    )
    beyond = 4 * sound.count(False) + len(header[72:92]) - header.count(0, 72, 92)
    others = [int.from_bytes(header[place : place + size], "big") ^ usual for place, size, usual in _SETTINGS]
    # The size of a page is a power of two, the largest of which is written as 1.
    others.append(int.from_bytes(header[16:18], "big").bit_length() - _USUAL_PAGE.bit_length())
    usual = stated and not (mapped or any(others))
    settings = 1 if usual else 4 + sum(map(bits_of, others))
    found = [Spare(name="settings", bits=settings), Spare(name="release", bits=_OF_RELEASE)]
    return beyond, found + [Spare(name=name, bits=bits_of(at(place))) for place, name in _COUNTERS]


def of_rows(numbers: Numbers, ids: Sequence[str] | None, places: Mapping[str, int] = _NOBODY) -> int:
    """Bits that the numbers of a table's rows could carry: where they go on by other than one, and by how much.

    Where the ids hold numbers, as `C-1041` does, they may go on as these do instead, for then they say no more than the ids. So
    may they where everybody's table lists the same people in the same order: what is left out are the deleted ones.

    Args:
        numbers: Shape (n,), in order.
        ids: Of the same rows; None where the table has none.
        places: Where everybody's table lists each id.
    """
    steps: Numbers = np.diff(numbers, prepend=np.int64(0))
    found = 1 + _of_exceptions(steps - 1)
    held = [_DIGITS.search(each) for each in ids or ()]
    if len(held) == len(numbers) > 0 and all(held):
        said = np.array([int(each[0]) for each in held if each], dtype=np.int64)
        like: Numbers = np.diff(said, prepend=np.int64(0))
        found = min(found, 1 + _of_exceptions(steps - like))
    listed = np.array([places.get(each, -1) for each in ids or ()], dtype=np.int64)
    if len(listed) == len(numbers) and (listed >= 0).all():
        order: Numbers = np.diff(listed, prepend=np.int64(-1))
        found = min(found, 2 + _of_exceptions(steps - order))
    return found


def of_separators(numbers: Iterable[int]) -> int:
    """Bits of how far separators between pages are from the rows that they follow."""
    return _of_exceptions(np.array(list(numbers), dtype=np.int64))


def of_orders(orders: Iterable[Sequence[int]]) -> int:
    """Bits of some orders, by which items follow one another or as one of all orders of so many; an empty one is as usual."""
    given = list(orders)
    found = [
        1 + min(of_separators(np.diff(each, prepend=-1) - 1), ceil(lgamma(len(each) + 1) / log(2) - 1e-9))
        for each in given
        if each
    ]
    return sum(found) + of_choice(np.array([bool(each) for each in given], dtype=bool))


def of_places(marked: npt.NDArray[np.bool_]) -> int:
    """Bits of which items of an array are marked; 0 where none is."""
    return _of_exceptions(np.ravel(marked).astype(np.int64)) if marked.any() else 0


def of_choice(chosen: npt.NDArray[np.bool_]) -> int:
    """Bits of which items of an array are chosen, by their places, in runs or by their number; 0 where none is."""
    if not chosen.any():
        return 0
    some = int(chosen.sum())
    changes = np.diff(chosen, prepend=chosen[0])
    return min(
        of_places(chosen),
        of_places(~chosen),
        1 + of_places(changes),
        ceil(log2(comb(len(chosen), some))) + bits_of(some),
    )


def of_counters(counted: Sequence[int]) -> int:
    """Bits of numbers that are 0 where rows determine them."""
    return sum(map(bits_of, counted))


def of_changes(places: Sequence[int]) -> int:
    """Bits of which values are of another form than the last of their column, after how many, and of which of four."""
    return sum(bits_of(each) + 2 for each in places) + bits_of(len(places)) if places else 0


def of_rooms(choices: Sequence[int]) -> int:
    """Bits of numbers that are each one of so many, where each says by itself where it stands."""
    return sum((each + 1).bit_length() for each in choices)


def of_setting(number: int) -> int:
    """Bits of a number that somebody set: few where it is a round one, as 1024 or 5000 are."""
    found = bits_of(number)
    for base in (2, 10):
        rest, power = number, 0
        while rest and rest % base == 0:
            rest, power = rest // base, power + 1
        found = min(found, _OF_BASE + bits_of(rest) + bits_of(power))
    return found


def of_parts(groups: Iterable[int], columns: Sequence[int], off: Sequence[int]) -> int:
    """Bits of sizes of parts: of those that most have, one by one or each once, and of which parts are off, and by how much."""
    each_once = sum(map(of_setting, set(columns))) + _of_others(columns)
    usual = sum(map(of_setting, groups)) + min(sum(map(of_setting, columns)), each_once)
    return usual + (_of_exceptions(np.array(off, dtype=np.int64)) if any(off) else 0)


def of_writing(styles: Styles) -> int:
    """Bits of how a Parquet file is written: styles, ways to make runs, orders of dictionaries and columns, and their numbers."""
    return (
        of_styles(styles.aspects)
        + sum(map(of_ways, styles.ways))
        + of_counters([each for each in styles.changes if each])
        + of_orders(styles.orders)
        + of_orders(styles.places)
        + (of_separators(np.diff(styles.numbers, prepend=0) - 1) if styles.numbers else 0)
    )


def of_styles(aspects: Iterable[Sequence[Styled]]) -> int:
    """Bits of what is written in another style than most of its kind: which, in which, where not by how much differs in it."""
    found = 0
    for items in aspects:
        kinds: dict[Hashable, list[Styled]] = {}
        for each in items:
            kinds.setdefault(each.kind, []).append(each)
        found += sum(_of_kind(each) for each in kinds.values())
    return found


def _of_kind(items: Sequence[Styled]) -> int:
    """Bits of the styles of items of one kind, in their order or sorted by what writers choose by, or column by column."""
    styles = [each.style for each in items]
    if len(set(styles)) < 2:
        return 0
    of_columns: dict[int, Counter[Hashable]] = {}
    for each in items:
        of_columns.setdefault(each.column, Counter())[each.style] += 1
    usual = {column: counted.most_common(1)[0][0] for column, counted in of_columns.items()}
    # A style is held in a tuple, for it may be 1 or true itself, and is another than being as usual.
    apart = [() if each.style == usual[each.column] else (each.style,) for each in items]
    by_column = _of_others(list(usual.values())) + _of_others(apart)
    borders = [_of_border([each.style for each in sorted(items, key=by)]) for by in (_by_share, _by_bytes)]
    return _OF_WAY + min(by_column, _of_others(styles), *borders)


def _by_share(item: Styled) -> float:
    return item.by[0]


def _by_bytes(item: Styled) -> float:
    return item.by[1]


def _of_others(styles: Sequence[Hashable]) -> int:
    """Bits of which items have other styles than most, and which."""
    counted = Counter(styles).most_common()
    return sum(_OF_STYLE + of_choice(np.array([each == style for each in styles], dtype=bool)) for style, _ in counted[1:])


def _of_border(styles: Sequence[Hashable]) -> int:
    """Bits of where one style ends and another begins, some of which may be exchanged around there; as above of more than two."""
    if len(set(styles)) > 2:
        return _of_others(styles)
    chosen = np.array([each == styles[-1] for each in styles], dtype=bool)
    below = np.concatenate([[0], np.cumsum(chosen)])
    border = int(np.argmin(2 * below - np.arange(len(below))))
    off = chosen != (np.arange(len(styles)) >= border)
    return (len(styles) + 1).bit_length() + (_OF_STYLE if off.any() else 0) + of_choice(off)


def of_ways(ways: Sequence[Collection[Hashable]]) -> int:
    """Bits of which items are made in no way that most are made in, and in which of some they are instead."""
    left, found = list(ways), 0
    while counted := Counter(way for each in left for way in each).most_common(1):
        others = np.array([counted[0][0] not in each for each in left], dtype=bool)
        left = [each for each, other in zip(left, others.tolist(), strict=True) if other]
        found += of_choice(others) + (_OF_STYLE if left else 0)
    return found + len(left)


_OF_STYLE: Final = 4
_OF_WAY: Final = 2
_OF_BASE: Final = 1


def joined(found: Iterable[Spare]) -> tuple[Spare, ...]:
    """Add up what has one name."""
    sums: Counter[SpareName] = Counter()
    for each in found:
        sums[each.name] += each.bits
    return tuple(Spare(name=name, bits=bits) for name, bits in sums.items())


def _of_exceptions(values: Numbers) -> int:
    """Bits of how many of these are not 0, and of the place and the value of each of them."""
    places = np.flatnonzero(values)
    runs = np.diff(places, prepend=-1) - 1
    return bits_of(len(places)) + int(_bits(runs).sum()) + int(_bits(values[places]).sum())


def _bits(values: npt.NDArray[np.int64] | npt.NDArray[np.object_]) -> npt.NDArray[np.int64]:
    """Bits of each, shape (n,): of its size plus one in the delta code, and of its sign where it has one."""
    sizes = np.array([(abs(int(each)) + 1).bit_length() for each in values], dtype=np.int64)
    lengths = np.array([int(each).bit_length() for each in sizes], dtype=np.int64)
    signs = np.array([each != 0 for each in values], dtype=np.int64)
    return sizes - 1 + 2 * (lengths - 1) + 1 + signs
