"""What is no error in a case, and seldom meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from auditor.audit.rehearsal.doubtful_dates import warn_of_dates
from auditor.audit.rehearsal.warned import Warned
from auditor.audit.told_log import ToldLog
from auditor.base.deletion_log.deletions import NOT_LOCATED, replayable
from auditor.base.deletion_log.requests import LogFinding
from auditor.base.records import Positions
from auditor.case import Case
from auditor.document import purge_receipt
from auditor.settings.attestations import PROOFS
from auditor.settings.controller import ControllerTable, PartTable, controllers
from auditor.settings.tables import Claims
from auditor.verdict.checks.context import SECRET_BITS

MOST_NUMBERS: Final = 50_000_000
"""Of a table whose rows are held against one another."""
_NAMED: Final = 3
_MISTAKEN: Final = (",", "|")
"""What other systems put between several ids, where this log has a semicolon."""


def warn(case: Case, log: ToldLog) -> tuple[Warned, ...]:
    """List what an officer would want to look into before an audit.

    Args:
        case: The case.
        log: What its log says today.
    """
    program = () if case.settings.controller is None else tuple(_program(case.settings.controller, case.settings.claims))
    of_learner = _learner(case, log.problems) if case.settings.procedure.learns else ()
    return *program, *of_learner, *_laws(case), *warn_of_dates(case, log.outcomes)


def _learner(case: Case, findings: tuple[LogFinding, ...]) -> tuple[Warned, ...]:
    return (*_seed(case), *_not_located(case, findings), *_joined(case), *_equal(case))


def _laws(case: Case) -> Iterator[Warned]:
    """Rows whose law is taken for want of one, where others name theirs: letters and replies cite it."""
    rows = [each.row for each in case.requests if not each.names_law]
    if 0 < len(rows) < len(case.requests):
        yield Warned("regime-empty", {"count": len(rows), "rows": ", ".join(map(str, rows[:_NAMED]))})


def _program(table: ControllerTable, claims: Claims) -> Iterator[Warned]:
    """What keeps every guarantee of a program from following, however it behaves."""
    if claims.dp is not None and table.entry is None and not any(each.noisy for each in (table.parts or (table,))):
        yield Warned("program-without-noise", {"named": table.named})
    if not table.parts:
        return
    first, second = table.parts
    if first.noisy:
        yield Warned("pair-noise-first", {"use": first.named})
    if second.use is not None and controllers()[second.use].fades:
        yield Warned("pair-fading-second", {"use": second.use})
    missing = [each for each in _words_of(first, second) if each not in claims.attested]
    if missing:
        yield Warned("pair-words", {"words": ", ".join(missing)})
    if of_one := [each for each in PROOFS if each in claims.attested]:
        yield Warned("pair-words-of-one", {"words": ", ".join(sorted(of_one))})


def _words_of(first: PartTable, second: PartTable) -> Iterator[str]:
    """What control of a pair takes on trust (Theorem 6.4), as `[claims] attested` has it."""
    yield from ("controller-is-implementation", "logical-deletion", "seed-secret")
    if first.entry is not None:
        yield from ("first-part-strongly-history-independent", "first-part-answers-without-chance")
    if second.entry is not None:
        yield "second-part-strongly-history-independent"
    if first.entry is not None or second.entry is not None:
        yield from ("parts-share-nothing", "parts-answer-the-asker")


def _seed(case: Case) -> Iterator[Warned]:
    if not case.settings.procedure.reruns:
        return
    bits = case.settings.procedure.seed.bit_length()
    if bits < SECRET_BITS:
        yield Warned("short-seed", {"bits": bits, "wanted": SECRET_BITS})


def _not_located(case: Case, findings: tuple[LogFinding, ...]) -> Iterator[Warned]:
    rows = sorted({each.row for each in findings if each.code == NOT_LOCATED})
    if not rows:
        return
    given = {"count": len(rows), "rows": ", ".join(map(str, rows[:_NAMED]))}
    cut = list(_cut(case))
    if not cut:
        yield Warned("not-located", given)
        return
    # A status of no_match would say of somebody who was erased that nothing of them was ever held.
    files, receipts = (", ".join(dict.fromkeys(names)) for names in zip(*cut, strict=True))
    yield Warned("purged", {**given, "files": files, "receipts": receipts})


def _cut(case: Case) -> Iterator[tuple[str, str]]:
    """Tables that are as a purge of a person left them, each with the receipt that says so."""
    here = {(each.path, each.sha256) for each in case.inputs}
    for name, receipt in purge_receipt.lying_in(case.folder).items():
        yield from ((each.path, name) for each in receipt.cut if (each.path, each.sha256_after) in here)


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
