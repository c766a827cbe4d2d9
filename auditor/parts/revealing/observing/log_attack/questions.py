"""Draw whom each deleted record is to be picked out of, and the rows that the models before and after a batch are asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from auditor.base.domain import Floats, Positions, joined
from auditor.base.draws import generator
from auditor.case import Case
from auditor.parts.revealing.judging.log_attack import DECOYS

MOST_RECORDS: Final = 2000
"""Deleted records that are attacked; of more, so many are drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One deleted record among its decoys; positions are those of the training data."""

    record: int
    decoys: Positions
    """Shape (k,), k ≥ 1: retained records of its class, or any in a regression."""
    opponent: int
    """Whom it is distinguished from in the game against one."""


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """What the models before and after one batch are asked about."""

    lines: tuple[Line, ...]
    rows: Positions
    """Shape (m,), ascending: their order tells nothing of who went."""
    played: int
    """The line that the game against one decoy is played with."""


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """What the models before and after one batch answered, each of shape (m, classes), or (m,) for a regression."""

    questions: Questions
    before: Floats = field(repr=False)
    after: Floats = field(repr=False)


def seen_by_somebody(case: Case) -> bool:
    """Whether somebody is said to see the releases before and after a deletion: silence of the log does not count."""
    return case.settings.policy.before_and_after or any(request.seen_releases for request in case.requests)


def draw(case: Case, forgotten: Sequence[Positions], *, seed: int) -> tuple[Questions | None, ...]:
    """Draw the questions of every batch; None for one without a record that has a decoy.

    Args:
        case: The case.
        forgotten: Positions in the training data, one array a batch.
        seed: The auditor's own.
    """
    rng = generator(seed, "log attack")
    gone = joined(forgotten)
    kept = np.setdiff1d(np.arange(len(case.train)), gone)
    chosen = frozenset(rng.permutation(gone)[:MOST_RECORDS].tolist())
    return tuple(_of_batch(case, [int(each) for each in batch if int(each) in chosen], kept, rng) for batch in forgotten)


def _of_batch(case: Case, records: Sequence[int], kept: Positions, rng: np.random.Generator) -> Questions | None:
    lines = tuple(line for record in records if (line := _line(case, record, kept, rng)) is not None)
    if not lines:
        return None
    rows = np.unique(np.concatenate([np.append(line.decoys, (line.record, line.opponent)) for line in lines]))
    return Questions(lines, rows.astype(np.int64), int(rng.integers(len(lines))))


def _line(case: Case, record: int, kept: Positions, rng: np.random.Generator) -> Line | None:
    labels = case.train.labels
    alike = kept[labels[kept] == labels[record]] if case.settings.data.task == "classification" else kept
    if not len(alike):
        return None
    drawn = rng.permutation(alike)[:DECOYS].astype(np.int64)
    return Line(record, drawn, int(rng.choice(alike)))
