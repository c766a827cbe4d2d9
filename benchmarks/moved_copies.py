"""Moved copies of 2,000 deleted records in a table of 120,000 rows, which two checks make: their nearest neighbours.

The baseline is a plain loop over the deleted records, each held against all others by one matrix-vector product.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from auditor.domain import Floats, Positions
from auditor.observing.moved_copies import SHARES, Neighbours
from auditor.observing.neighbours import nearest
from benchmarks.measuring import line

RECORDS, FEATURES, DELETED = 120_000, 64, 2_000
Result = TypeVar("Result")


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


def processor(run: Callable[[], Result]) -> tuple[Result, float]:
    """What a call gives, and the processor time that it takes, in seconds: other work on the machine hardly changes it."""
    started = time.process_time()
    found = run()
    return found, time.process_time() - started


def main() -> None:
    """Time both, see that they find the same records, and time the copies themselves."""
    rng = np.random.default_rng(0)
    table, labels = rng.normal(size=(RECORDS, FEATURES)), rng.integers(0, 2, RECORDS)
    asked = (table[:DELETED], labels[:DELETED], table[DELETED:], labels[DELETED:])
    found, together = processor(lambda: nearest(*asked))
    expected, alone = processor(lambda: one_by_one(*asked))
    if not np.array_equal(found, expected):
        raise RuntimeError("the two searches found different records")
    line("nearest neighbours of 2,000 among 118,000 rows, d = 64, processor", f"{together:.1f} s", "under 5 s")
    line("a loop over the rows against it", f"{alone / together:.1f}", "at least 5")

    def copied() -> list[Floats]:
        near = Neighbours.of(*asked)
        return [near.copies(share, np.random.default_rng(1)) for share in SHARES]

    line("moved copies of all of them at both distances, processor", f"{processor(copied)[1]:.1f} s", "under 30 s")


if __name__ == "__main__":
    main()
