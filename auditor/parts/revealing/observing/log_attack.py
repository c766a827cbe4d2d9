"""Attack the releases of the log itself: who has the model before and after a batch is to pick out the records that went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from auditor.attacks.probabilities import losses
from auditor.base.deletion_log.deletions import people
from auditor.base.deletion_log.requests import Request
from auditor.base.draws import generator
from auditor.base.records import Floats, Positions, joined
from auditor.case import Case
from auditor.parts.revealing.judging.log_attack import DECOYS, LogAttack, Named

# Draw whom each deleted record is to be picked out of, and the rows that the models before and after a batch are asked about.
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


# Pick out of decoys the record whose loss rose most from the model before a batch to the one after it (Algorithm 3.2).
def observe(case: Case, answered: Sequence[Answered], *, seed: int) -> LogAttack | None:
    """Count who was picked out; None where nobody could be attacked.

    Args:
        case: The case.
        answered: One for each batch with questions.
        seed: The auditor's own, which draws among tied records.
    """
    rng = generator(seed, "log attack", "ties")
    picked, tried = list[int](), list[int]()
    tied = tied_won = decoys = 0
    expected, leads = 0.0, list[float]()
    for each in answered:
        rises = _rises(case, each)
        for number, line in enumerate(each.questions.lines):
            own, others = rises[line.record], np.array([rises[int(one)] for one in line.decoys])
            beside = int(np.count_nonzero(others == own))
            if not np.any(others >= own):
                picked.append(line.record)
            elif not np.any(others > own):
                tied += 1
                tied_won += int(rng.integers(beside + 1) == 0)
            tried.append(line.record)
            expected += 1 / (1 + len(others))
            decoys = max(decoys, len(others))
            if number == each.questions.played:
                leads.append(float(np.sign(own - rises[line.opponent])))
    if not tried:
        return None
    coins = rng.random(len(leads)) < 0.5
    return LogAttack(
        records=len(tried),
        decoys=decoys,
        first=len(picked),
        tied=tied,
        tied_won=tied_won,
        expected=expected,
        games=len(leads),
        ahead=sum(lead > 0 for lead in leads),
        ties=leads.count(0.0),
        ties_won=sum(lead == 0 and bool(coin) for lead, coin in zip(leads, coins, strict=True)),
        picked=_named(case, picked),
        not_tried=_others(case, tried),
    )


def _rises(case: Case, answered: Answered) -> dict[int, float]:
    """By how much the loss of each row rose."""
    rows = answered.questions.rows
    before, after = (_losses(case, given, rows) for given in (answered.before, answered.after))
    return dict(zip(rows.tolist(), (after - before).tolist(), strict=True))


def _losses(case: Case, given: Floats, rows: Positions) -> Floats:
    """The cross entropy of each row, or its squared error in a regression; shape (m,)."""
    labels = case.train.labels
    if case.settings.data.task == "classification":
        return losses(given, np.searchsorted(np.unique(labels), labels[rows]))
    squared: Floats = (np.asarray(given, dtype=np.float64).reshape(len(rows)) - labels[rows]) ** 2
    return squared


def _named(case: Case, records: Iterable[int]) -> Named:
    """Requests that were carried out and name one of these records."""
    return _listed(case, [each for each in _executed(case) if not _ids(case, records).isdisjoint(each.record_ids)])


def _others(case: Case, tried: Iterable[int]) -> Named:
    """Requests that were carried out, name a training record, and of whose records none was attacked."""
    ids = _ids(case, tried)
    known = case.known_ids
    return _listed(
        case, [each for each in _executed(case) if known.intersection(each.record_ids) and ids.isdisjoint(each.record_ids)]
    )


def _executed(case: Case) -> list[Request]:
    return [each for each in case.requests if each.executed_at is not None]


def _ids(case: Case, records: Iterable[int]) -> frozenset[str]:
    return frozenset(str(case.train.ids[each]) for each in records)


def _listed(case: Case, found: Sequence[Request]) -> Named:
    return Named(request_ids=tuple(each.request_id for each in found), subjects=people(found, case.requests))


__all__ = ["Answered", "Questions", "draw", "observe", "seen_by_somebody"]
