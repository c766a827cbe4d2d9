"""What the checks of answers read of the tables that a case has: nothing is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.audit.replay import forgotten_of
from auditor.audit.stages import Stage, Subject
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions, joined
from auditor.case import Case
from auditor.case.answers import Answers, Given
from auditor.parts.usefulness.judging import utility_accuracy
from auditor.parts.usefulness.judging.answers import (
    INFERENCE,
    LEAST,
    MEMBERSHIP,
    QUANTILE,
    Accepted,
    InferenceObserved,
    MembershipObserved,
    Score,
)
from auditor.sandbox import Answer
from auditor.verdict.checks.finding import Values

_LEAST_PROBABILITY: Final = 1e-12
_MOST_COUPLES: Final = 10_000


def observe(case: Case, given: Given, *, seed: int) -> Mapping[str, Values]:
    """Count what rules accept, couples that are told apart, and right answers.

    Args:
        case: The case.
        given: Its tables, which are about the same records.
        seed: The auditor's own.
    """
    deleted = np.sort(joined(forgotten_of(case)))
    gone = np.isin(given.after.train, deleted)
    observed: dict[str, Values] = {
        MEMBERSHIP.id: _membership(case, given, gone, seed=seed),
        INFERENCE.id: _inference(case, given, gone, seed=seed),
    }
    accuracy = utility_accuracy.Observed(predicted=False)
    if given.retrained is not None and case.holdout is not None:
        accuracy = _accuracy(case.holdout, given.after, given.retrained, np.unique(case.train.labels))
    return observed | {utility_accuracy.CARD.id: accuracy}


def _membership(case: Case, given: Given, gone: npt.NDArray[np.bool_], *, seed: int) -> MembershipObserved:
    assert case.holdout is not None  # noqa: S101 - a case of answers has one
    mixed = generator(seed, "answers", "halves").permutation(len(case.holdout))
    fitted, tried = mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]
    deleted, after = int(gone.sum()), given.after
    same = [other is not None and _same(after, other) for other in (given.before, given.retrained)]
    kept = np.concatenate([after.of_train[~gone], after.holdout])
    among_all = _equal_to_another(np.concatenate([after.of_train[gone], kept]))
    counts = MembershipObserved(
        deleted=deleted,
        unseen=len(tried),
        copied=int(among_all[:deleted].sum()),
        others=len(kept),
        copied_others=int(_equal_to_another(kept).sum()),
        as_before=same[0],
        as_retrained=same[1],
    )
    if min(deleted, len(fitted), len(tried)) < LEAST:
        return counts
    sure, sure_unseen = _sure(case, after)
    accepted: dict[Score, Accepted] = {
        # Retained records are what the model holds for certain.
        "confidence": _accepted(sure[gone], sure[~gone], sure_unseen, fitted, tried)
    }
    if given.retrained is not None:
        easy, easy_unseen = _sure(case, given.retrained)
        known = np.zeros(0)
        if given.before is not None:
            known = (_sure(case, given.before)[0] - easy)[gone]
        accepted["difference"] = _accepted((sure - easy)[gone], known, sure_unseen - easy_unseen, fitted, tried)
    return counts.model_copy(update={"accepted": accepted})


def _equal_to_another(answers: Floats) -> npt.NDArray[np.bool_]:
    """Whether each row is, to the bit, that of another record."""
    _, inverse, counts = np.unique(answers, axis=0, return_inverse=True, return_counts=True)
    found: npt.NDArray[np.bool_] = counts[inverse.reshape(-1)] > 1
    return found


def _accepted(deleted: Floats, known: Floats, unseen: Floats, fitted: Positions, tried: Positions) -> Accepted:
    above = float(np.quantile(unseen[fitted], QUANTILE, method="higher"))
    return Accepted(
        deleted=int((deleted > above).sum()),
        unseen=int((unseen[tried] > above).sum()),
        known=int((known > above).sum()),
        asked_known=len(known),
    )


def _inference(case: Case, given: Given, gone: npt.NDArray[np.bool_], *, seed: int) -> InferenceObserved:
    if given.before is None:
        return InferenceObserved(couples=0)
    fallen = _sure(case, given.before)[0] - _sure(case, given.after)[0]
    rng = generator(seed, "answers", "couples")
    deleted, retained = rng.permutation(fallen[gone]), rng.permutation(fallen[~gone])
    couples = min(len(deleted), len(retained), _MOST_COUPLES)
    first, second = deleted[:couples], retained[:couples]
    return InferenceObserved(couples=couples, right=int((first > second).sum()), ties=int((first == second).sum()))


def _accuracy(holdout: Dataset, after: Answers, retrained: Answers, classes: Floats) -> utility_accuracy.Observed:
    right, other = (classes[each.holdout.argmax(axis=1)] == holdout.labels for each in (after, retrained))
    return utility_accuracy.Observed(
        predicted=True,
        unlearned_right=int(right.sum()),
        retrained_right=int(other.sum()),
        lost=int((other & ~right).sum()),
        won=int((right & ~other).sum()),
    )


def _sure(case: Case, answers: Answers) -> tuple[Floats, Floats]:
    """The logarithm of the probability of each record's own label: of the training records asked about, and of the holdout."""
    assert case.holdout is not None  # noqa: S101 - a case of answers has one
    classes = np.unique(case.train.labels)
    found = []
    for labels, rows in ((case.train.labels[answers.train], answers.of_train), (case.holdout.labels, answers.holdout)):
        own = rows[np.arange(len(rows)), np.searchsorted(classes, labels)]
        found.append(np.log(np.maximum(own, _LEAST_PROBABILITY)))
    return found[0], found[1]


def _same(one: Answers, other: Answers) -> bool:
    return np.array_equal(one.of_train, other.of_train) and np.array_equal(one.holdout, other.holdout)


class Written(Stage):
    """The tables of answers that a case has in place of a model."""

    subject = Subject.ANSWERS
    checks = (MEMBERSHIP.id, INFERENCE.id, utility_accuracy.CARD.id)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Read the tables."""
        del answers
        run = self.run
        return {} if run.case.answers is None else observe(run.case, run.case.answers, seed=run.how.seed)


STAGES: Final = (Written,)
