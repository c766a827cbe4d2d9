"""Moved copies of 2,000 deleted records in a table of 120,000 rows, which two checks make: their nearest neighbours.

The baseline is a plain loop over the deleted records, each compared with all others by one matrix-vector product. Both count
processor time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from auditor.audit.shifted_copies import SHARES, Neighbours, nearest
from auditor.base.records import Floats, Positions
from benchmarks.measuring import Figure, once, ratios


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the table."""

    records: int
    features: int
    deleted: int
    repeats: int


USUAL = Sizes(records=120_000, features=64, deleted=2_000, repeats=1)
TINY = Sizes(records=300, features=4, deleted=5, repeats=1)


def one_by_one(rows: Floats, labels: Positions, retained: Floats, retained_labels: Positions) -> Positions:
    """Find the nearest record of each row's label, row by row; no row equals one of the records."""
    deviations = retained.std(axis=0)
    left, right = rows / deviations, retained / deviations
    lengths = np.einsum("ij,ij->i", right, right)
    found = np.empty(len(rows), dtype=np.int64)
    for place, row in enumerate(left):
        distances = lengths - 2 * (right @ row)
        distances[retained_labels != labels[place]] = np.inf
        found[place] = distances.argmin()
    return found


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time both, see that they find the same records, and time the copies themselves.

    Raises:
        AssertionError: If the two searches find different records.
    """
    rng = np.random.default_rng(0)
    table, labels = rng.normal(size=(sizes.records, sizes.features)), rng.integers(0, 2, sizes.records)
    asked = (table[: sizes.deleted], labels[: sizes.deleted], table[sizes.deleted :], labels[sizes.deleted :])
    together, alone, copies = [], [], []
    for _ in range(sizes.repeats):
        found: list[Positions] = []
        together.append(once(lambda: found.append(nearest(*asked)))[1])  # noqa: B023 - called at once
        alone.append(once(lambda: found.append(one_by_one(*asked)))[1])  # noqa: B023 - called at once
        if not np.array_equal(*found):
            raise AssertionError("the two searches found different records")
        copies.append(once(lambda: copied(*asked))[1])
    yield ratios("nearest", alone, together)
    yield Figure("copies", tuple(copies), "s")


def copied(rows: Floats, labels: Positions, retained: Floats, retained_labels: Positions) -> list[Floats]:
    """Copies of all rows at both distances."""
    near = Neighbours.of(rows, labels, retained, retained_labels)
    return [near.copies(share, np.random.default_rng(1)) for share in SHARES]
