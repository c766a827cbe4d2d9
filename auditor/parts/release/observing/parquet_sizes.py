"""How many rows each group of a Parquet file has, and how many values each page: numbers that its writer chose.

A writer has one size for all groups, and ends pages of a column after so many values, or at the end of the batch in which they
reach so many bytes. Other sizes could say something, since every row is there whatever they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final

from auditor.parts.release.observing import parquet_styles
from auditor.parts.release.observing.parquet_pages import Decoded

_BATCH: Final = 1000
"""Values of a batch, at least: where pages end with a smaller one, each of them says more than its rows give room for."""
_UNEVEN: Final = 0.95
"""How much smaller a batch of texts may be than the others of its page."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes that are not what the ones before let expect."""

    groups: tuple[int, ...]
    """What most groups have; empty where there is one."""
    columns: tuple[int, ...]
    """What most pages have of each column that has several in a group, at its first one and where that changes."""
    off: tuple[int, ...]
    """By how much every other one is off, in the order of the file; 0 for each that is usual."""


def sizes(decoded: Decoded) -> Sizes:
    """Read the sizes of groups and pages.

    Args:
        decoded: The pages of a file.
    """
    groups, columns, off = list[int](), list[int](), list[int]()
    _add([group[3] for group in decoded.footer.get(4, [])], groups, off)
    known: dict[int, int] = {}
    full = parquet_styles.cut_short(decoded.columns)
    for (group, column), written in decoded.columns.items():
        pages = [(sum(page.definitions), look.size) for page, look in zip(written.found, written.looks, strict=True)]
        if (group, column) in full:
            # Its last page that refers to the dictionary ends where this had become too large.
            del pages[next(parquet_styles.ends(written)) - 1]
        counts = [count for count, _ in pages]
        unit = gcd(*counts[:-1])
        if len(counts) > 1 and unit >= _BATCH and _by_bytes(counts[:-1], [size for _, size in pages[:-1]], unit):
            counts = [unit] * (len(counts) - 1) + [min(unit, counts[-1])]
        own = list[int]()
        _add(counts, own, off)
        columns += [each for each in own if known.get(column) != each]
        known.update((column, each) for each in own)
    return Sizes(tuple(groups), tuple(columns), tuple(off))


def _add(counts: Sequence[int], usual: list[int], off: list[int]) -> None:
    """Add the usual one of some sizes, the last of which is what is left over, and how far the others are off."""
    if len(counts) > 1:
        most = Counter(counts[:-1]).most_common(1)[0][0]
        usual.append(most)
        off += [each - most for each in counts[:-1]]
        off.append(max(0, counts[-1] - most))


def _by_bytes(counts: Sequence[int], sizes: Sequence[int], batch: int) -> bool:
    """Whether each page ends with the batch in which it reached one number of bytes."""
    before = [size * (1 - batch / count) * _UNEVEN for count, size in zip(counts, sizes, strict=True)]
    return max(before) <= min(sizes)
