"""Ask models about records whose labels only the auditor knows: the holdout, and moved copies of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from auditor.audit.shifted_copies import moved
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.case import Case
from auditor.verdict.checks.stated import Counts

HOLDOUT = "holdout"
MOVED = "moved"
"""Names of the tables; the procedure gets numbers for them."""
SHARE = 0.3
"""How far the copies of the holdout are moved: enough that a record of it is not recognised by rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What both models are asked about."""

    tables: dict[str, Dataset]
    originals: Positions | None = field(default=None, repr=False)
    """Shape (m,): positions in the holdout whose copies moved, in the order of the copies; None where none did."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """Right predictions on records that models of a game never met, as one stage hands them to another."""

    counts: Counts


def asked(case: Case, retained: Positions, *, seed: int) -> Asked:
    """Draw the copies of a holdout.

    Args:
        case: The case; without a holdout nothing is asked.
        retained: Shape (r,): positions of the training records that are left, towards which copies move.
        seed: The auditor's own.
    """
    if case.holdout is None:
        return Asked({})
    tables = {HOLDOUT: case.holdout}
    if case.settings.data.task != "classification":
        return Asked(tables)
    copied, places = _copies(case.holdout, case.train, retained.tobytes(), seed)
    return Asked(tables if copied is None else tables | {MOVED: copied}, places)


@lru_cache(maxsize=1)
def _copies(holdout: Dataset, train: Dataset, retained: bytes, seed: int) -> tuple[Dataset | None, Positions | None]:
    """Move the copies, once for the several who ask: of a large table that takes a second."""
    left = train.subset(np.frombuffer(retained, dtype=np.int64))
    rng = generator(seed, "accuracy", "moved copies")
    copies = moved(holdout.features, holdout.labels, left.features, left.labels, share=SHARE, rng=rng, table=left.table)
    places = np.flatnonzero(np.any(copies != holdout.features, axis=1)).astype(np.int64)
    if not places.size:
        return None, None
    return replace(holdout.subset(places), features=np.ascontiguousarray(copies[places])), places


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """What one model answered; None where it was not asked, or refused."""

    holdout: Floats | None
    """Shape (h, classes), or (h,) for regression."""
    moved: Floats | None
    """Shape (m, classes)."""
