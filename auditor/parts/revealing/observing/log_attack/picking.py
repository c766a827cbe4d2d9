"""Pick out of decoys the record whose loss rose most from the model before a batch to the one after it (Algorithm 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from auditor.attacks.probabilities import losses
from auditor.base.deletion_log.deletions import people
from auditor.base.domain import Floats, Positions, Request
from auditor.base.draws import generator
from auditor.case import Case
from auditor.parts.revealing.judging.log_attack import LogAttack, Named
from auditor.parts.revealing.observing.log_attack.questions import Answered


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
