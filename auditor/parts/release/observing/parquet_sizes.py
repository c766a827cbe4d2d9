"""How many rows each group of a Parquet file has, and how many values each page: numbers that its writer chose.

A writer has one size for all groups, and ends pages of a column after so many values, or at the end of the batch in which they
reach so many bytes. Other sizes could say something, since every row is there whatever they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import gcd
from typing import Any, Final

from auditor.parts.release.observing import parquet_pages, parquet_styles

_DICTIONARY: Final = 2
_LATER: Final = 3
_BATCH: Final = 1000
"""Values of a batch, at least: where pages end with a smaller one, each of them says more than its rows give room for."""
_UNEVEN: Final = 0.95
"""How much smaller a batch of texts may be than the others of its page."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes that are not what the ones before let expect."""

    usual: tuple[int, ...]
    """What most groups have, and what most pages of a column have, each size once, where there is more than one of either."""
    columns: tuple[int, ...]
    """What most pages have of each column that has several in a group, at its first one and where that changes."""
    off: tuple[int, ...]
    """By how much every other one is off, in the order of the file; 0 for each that is usual."""


def sizes(content: bytes, metadata: Any) -> Sizes:
    """Read the sizes of groups and pages.

    Args:
        content: The file.
        metadata: What its footer says (`pyarrow.parquet.FileMetaData`).
    """
    usual, columns, off = list[int](), list[int](), list[int]()
    groups = [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)]
    _add(groups, usual, off)
    known: dict[int, int] = {}
    for (_, column), chunk in parquet_pages.pages(content, metadata).chunks.items():
        heads = [header for *_, header in chunk.heads if header[1] != _DICTIONARY]
        own_heads = [header[8 if header[1] == _LATER else 5] for header in heads]
        encodings = [head[4 if header[1] == _LATER else 2] for header, head in zip(heads, own_heads, strict=True)]
        if cut := _cut(chunk, encodings):
            del heads[cut - 1], own_heads[cut - 1]
        counts = [int(head[1]) for head in own_heads]
        unit = gcd(*counts[:-1])
        if len(counts) > 1 and unit >= _BATCH and _by_bytes(counts[:-1], [int(header[2]) for header in heads[:-1]], unit):
            counts = [unit] * (len(counts) - 1) + [min(unit, counts[-1])]
        own = list[int]()
        _add(counts, own, off)
        columns += [each for each in own if known.get(column) != each]
        known.update((column, each) for each in own)
    return Sizes((*usual, *dict.fromkeys(columns)), tuple(columns), tuple(off))


def _add(counts: Sequence[int], usual: list[int], off: list[int]) -> None:
    """Add the usual one of some sizes, the last of which is what is left over, and how far the others are off."""
    if len(counts) > 1:
        most = Counter(counts[:-1]).most_common(1)[0][0]
        usual.append(most)
        off += [each - most for each in counts[:-1]]
        off.append(max(0, counts[-1] - most))


def _cut(chunk: parquet_pages.Chunk, encodings: Sequence[int]) -> int | None:
    """After how many pages a column goes on without its dictionary, which had become too large: the last of them ends there."""
    change = next((at for at, (now, then) in enumerate(pairwise(encodings), 1) if now != then), None)
    _, _, size, entries = chunk.dictionary or (0, 0, 0, 0)
    return change if parquet_styles.limit_reached(size, entries) else None


def _by_bytes(counts: Sequence[int], sizes: Sequence[int], batch: int) -> bool:
    """Whether each page ends with the batch in which it reached one number of bytes."""
    before = [size * (1 - batch / count) * _UNEVEN for count, size in zip(counts, sizes, strict=True)]
    return max(before) <= min(sizes)
