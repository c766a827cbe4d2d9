"""What is no error in a case, and seldom meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from auditor.base.deletion_log.deletions import NOT_LOCATED, replayable
from auditor.base.domain import LogFinding, Positions
from auditor.case import Case
from auditor.verdict.checks.context import SECRET_BITS

MOST_NUMBERS: Final = 50_000_000
"""Of a table whose rows are held against one another."""
_NAMED: Final = 3
_MISTAKEN: Final = (",", "|")
"""What other systems put between several ids, where this log has a semicolon."""


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning, by the id of its message and what that takes."""

    code: str
    given: dict[str, Any] = field(default_factory=dict)


def warn(case: Case, findings: tuple[LogFinding, ...]) -> tuple[Warned, ...]:
    """List what an officer would want to look into before an audit.

    Args:
        case: The case.
        findings: Of its log.
    """
    if not case.settings.procedure.learns:
        return ()
    return (*_seed(case), *_not_located(findings), *_joined(case), *_equal(case))


def _seed(case: Case) -> Iterator[Warned]:
    if not case.settings.procedure.reruns:
        return
    bits = case.settings.procedure.seed.bit_length()
    if bits < SECRET_BITS:
        yield Warned("short-seed", {"bits": bits, "wanted": SECRET_BITS})


def _not_located(findings: tuple[LogFinding, ...]) -> Iterator[Warned]:
    rows = sorted({each.row for each in findings if each.code == NOT_LOCATED})
    if rows:
        yield Warned("not-located", {"count": len(rows), "rows": ", ".join(map(str, rows[:_NAMED]))})


def _joined(case: Case) -> Iterator[Warned]:
    """Ids that hold a sign which elsewhere lies between ids, and whose parts are ids of the training data."""
    known = case.known_ids
    for sign in _MISTAKEN:
        rows = [request.row for request in case.requests if any(_several(record, sign, known) for record in request.record_ids)]
        if rows:
            yield Warned("joined-ids", {"sign": sign, "count": len(rows), "rows": ", ".join(map(str, rows[:_NAMED]))})


def _several(record: str, sign: str, known: frozenset[str]) -> bool:
    parts = [part.strip() for part in record.split(sign)]
    return len(parts) > 1 and record not in known and any(part in known for part in parts)


def _equal(case: Case) -> Iterator[Warned]:
    """Deleted records whose row is once more in the data, under an id that stays."""
    train = case.train
    if train.features.size > MOST_NUMBERS:
        return
    place = {record: position for position, record in enumerate(train.ids.tolist())}
    deleted = [place[record] for batch in replayable(case.requests, case.known_ids) for record in batch.record_ids]
    if not deleted:
        return
    wanted = {_row(case, position): position for position in deleted}
    gone = set(deleted)
    copies = Counter[int]()
    for position in _candidates(case, np.array(deleted, dtype=np.int64)).tolist():
        if position not in gone and (found := wanted.get(_row(case, position))) is not None:
            copies[found] += 1
    if copies:
        first = train.ids[next(iter(copies))]
        yield Warned("equal-rows", {"count": len(copies), "first": str(first), "copies": copies[next(iter(copies))]})


def _candidates(case: Case, deleted: Positions) -> Positions:
    """Records whose first column that varies has a value of a deleted one's: the others need not be compared."""
    features = case.train.features
    if not features.shape[1]:
        return np.array([], dtype=np.int64)
    column = int(np.argmax([len(np.unique(features[deleted, each])) for each in range(min(features.shape[1], 64))]))
    return np.flatnonzero(np.isin(features[:, column], features[deleted, column])).astype(np.int64)


def _row(case: Case, position: int) -> bytes:
    train = case.train
    return bytes(train.features[position].tobytes()) + str(train.labels[position]).encode()
