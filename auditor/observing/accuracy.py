"""Count right predictions where only the auditor knows the labels: on the holdout, and on moved copies of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from auditor.case import Case
from auditor.checks.utility_accuracy import Counts, MovedCounts, Observed
from auditor.domain import Dataset, Floats, Positions
from auditor.draws import generator
from auditor.observing.moved_copies import moved

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


def count(case: Case, questions: Asked, unlearned: Predicted, retrained: Predicted, unseen: Counts | None) -> Observed:
    """Count right predictions of both models.

    Args:
        case: The case.
        questions: What they were asked.
        unlearned: What the unlearned model answered.
        retrained: What the retrained model answered.
        unseen: What the SWAP test counted on records that its models had not met.
    """
    if case.holdout is None or unlearned.holdout is None or retrained.holdout is None:
        return Observed(predicted=False)
    if case.settings.data.task != "classification":
        return Observed(predicted=True)
    classes = np.unique(case.train.labels)
    here = [_right(each, case.holdout, classes) for each in (unlearned.holdout, retrained.holdout)]
    beside = None
    if questions.originals is not None and unlearned.moved is not None and retrained.moved is not None:
        table = questions.tables[MOVED]
        copies = [_right(each, table, classes) for each in (unlearned.moved, retrained.moved)]
        originals = here[0][questions.originals]
        beside = MovedCounts(
            **counts(*copies).model_dump(),
            originals_right=int(originals.sum()),
            only_originals=int((originals & ~copies[0]).sum()),
            only_copies=int((copies[0] & ~originals).sum()),
        )
    held = counts(*here)
    return Observed(
        predicted=True,
        unlearned_right=held.unlearned_right,
        retrained_right=held.retrained_right,
        lost=held.lost,
        won=held.won,
        moved=beside,
        moved_refused=questions.originals is not None and beside is None,
        unseen=unseen,
    )


def counts(unlearned: npt.NDArray[np.bool_], retrained: npt.NDArray[np.bool_]) -> Counts:
    """Sum up which records each of two models predicts right, both of shape (n,), n at least 1."""
    return Counts(
        records=len(unlearned),
        unlearned_right=int(unlearned.sum()),
        retrained_right=int(retrained.sum()),
        lost=int((retrained & ~unlearned).sum()),
        won=int((unlearned & ~retrained).sum()),
    )


def _right(predictions: Floats, table: Dataset, classes: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
    return np.asarray(classes[np.argmax(predictions, axis=1)] == table.labels, dtype=np.bool_)
