"""`utility.accuracy`: what unlearning costs in accuracy, against the retrained model.

Both models are asked by the auditor, which alone knows the labels: on the holdout; on copies of it that were moved a little
towards a neighbour of the same label; and on records that a model of the SWAP test never met. Code that knows the rows of a
holdout can answer them without a model. It does not know the other two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, Self, TypeAlias

from pydantic import model_validator

from auditor.base.domain import Interval, Message, Status
from auditor.document.evidence import Evidence
from auditor.maths.statistics import accuracy_difference, difference_upper, paired_difference, records_enough
from auditor.parts.release.judging import release_exact
from auditor.parts.usefulness.cards import UTILITY_ACCURACY
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values, skipped
from auditor.verdict.checks.levels import Level, pass_needs, share, spent
from auditor.verdict.checks.stated import Count, Counts, known_rows, require_counts

CARD: Final = UTILITY_ACCURACY

CONFIDENCE: Final = 0.95
"""Of the interval that is reported, whose upper limit a pass needs."""
_RISK: Final = 0.025
"""What is left to either end of it."""
ACCURACY: Final = "accuracy"
OTHERS: Final = "accuracy-elsewhere"
KNOWN: Final = "holdout-known"
"""Tests by their names: more is lost than is allowed; something is lost on records next to the holdout; its rows are known."""
SURE: Final = 0.99
"""Confidence with which a holdout is said to be answered far better than the records alongside it."""
MOVEMENT: Final = 0.1
"""Accuracy that a movement may cost, and be no sign of a table: 1-NN, 5-NN, trees, forests, logistic regression and naive Bayes
lost at most 0.08 of a hundred records or more on nine data sets, and never with a lower limit above 0.02."""

Table: TypeAlias = Literal["holdout", "moved", "unseen"]


class MovedCounts(Counts):
    """The same on moved copies of the holdout; copies that are equal to a record of it are left out."""

    originals_right: Count
    """Of the copies' originals, how many the unlearned model predicts right."""
    only_originals: Count
    """Originals that it predicts right, and their copies wrong."""
    only_copies: Count
    """Copies that it predicts right, and their originals wrong."""

    @model_validator(mode="after")
    def _paired(self) -> Self:
        same = self.originals_right - self.only_originals
        if same < 0 or same != self.unlearned_right - self.only_copies:
            raise ValueError("the unlearned model is right on originals and copies alike but for those that only one is right of")
        if self.originals_right + self.only_copies > self.records:
            raise ValueError("there are as many originals as copies")
        return self


class Observed(Values):
    """Right predictions on the holdout and on further tables, by the unlearned model and by one retrained on what is left."""

    predicted: bool
    """Whether both models gave predictions."""
    unlearned_right: Count = 0
    retrained_right: Count = 0
    lost: Count = 0
    """Records that the retrained model alone predicts right."""
    won: Count = 0
    """Records that the unlearned model alone predicts right."""
    moved: MovedCounts | None = None
    """On moved copies of the holdout; None where none was asked about, none moved, or they were refused."""
    moved_refused: bool = False
    """Whether the procedure raised an error on moved copies."""
    unseen: Counts | None = None
    """On records that no model of the SWAP test asked about them had met, each once; None where no game was played."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        require_counts(self.unlearned_right, self.retrained_right, self.lost, self.won)
        return self


class Accuracy(Values):
    """Accuracies on one table."""

    unlearned: float
    retrained: float
    records: int


class Derived(Values):
    """Accuracies on the table that the value is taken from, and on each."""

    unlearned: float
    retrained: float
    records: int
    confidence: float
    table: Table = "holdout"
    """Where most was lost, of the holdout and the tables that show a loss at all."""
    tables: Mapping[Table, Accuracy]


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It needs a holdout and a classification."""
    if not context.case.holdout_records:
        return next(iter(known_rows(context)), Message("utility.accuracy.no-holdout"))
    return None if context.classifies else Message("utility.accuracy.regression")


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Hold the largest drop of accuracy over the tables against the policy, by its interval; without a threshold it informs.

    The holdout counts as it is; another table where its interval shows that something was lost at all. The largest of three noisy
    numbers would exceed a threshold more often than the one that the policy covers.
    """
    count = context.case.holdout_records
    if not observed.predicted or not count:
        return skipped(Message("utility.accuracy.no-predictions"))
    tables = _tables(observed, count)
    drops = {table: (counts.retrained_right - counts.unlearned_right) / counts.records for table, counts in tables.items()}
    worst = max(_established(tables), key=lambda table: drops[table])
    held, threshold = tables[worst], context.policy.max_accuracy_drop
    known = _known_rows(observed)
    status = Status.SKIPPED if threshold is None else _decide(tables, threshold, equal=_equal(observed, earlier))
    if known and status is Status.PASS:
        status = Status.INCONCLUSIVE
    reasons = [Message("utility.accuracy.predicted", {"records": count}), *known_rows(context), *_beside(observed, drops), *known]
    if threshold is None:
        reasons.append(Message("utility.accuracy.informative"))
    elif status is Status.INCONCLUSIVE and not known:
        reasons.append(_within_chance(tables, drops, threshold))
    accuracies = {table: _accuracy(counts) for table, counts in tables.items()}
    return Finding(
        status=status,
        value=drops[worst],
        interval=_interval(held),
        threshold=threshold,
        reasons=tuple(reasons),
        derived=Derived(**dict(accuracies[worst]), confidence=CONFIDENCE, table=worst, tables=accuracies),
    )


def _tables(observed: Observed, records: int) -> dict[Table, Counts]:
    """The counts of each table that was asked about, the holdout first."""
    holdout = Counts(
        records=records,
        unlearned_right=observed.unlearned_right,
        retrained_right=observed.retrained_right,
        lost=observed.lost,
        won=observed.won,
    )
    found: dict[Table, Counts | None] = {"holdout": holdout, "moved": observed.moved, "unseen": observed.unseen}
    return {table: counts for table, counts in found.items() if counts is not None}


def _established(tables: Mapping[Table, Counts]) -> list[Table]:
    """The tables whose drop counts, the holdout first: of equal drops its own is reported."""
    others = len(tables) - 1
    return [table for table, counts in tables.items() if table == "holdout" or _lower(counts, share(OTHERS) / others) > 0]


def _decide(tables: Mapping[Table, Counts], threshold: float, *, equal: bool) -> Status:
    """Fail where more was lost on some table for certain, pass where no more was for certain, else inconclusive."""
    if any(_lower(counts, share(ACCURACY) / len(tables)) > threshold for counts in tables.values()):
        return Status.FAIL
    within = all(_interval(tables[table]).high <= threshold for table in _established(tables))
    return Status.PASS if within or (equal and threshold >= 0) else Status.INCONCLUSIVE


def _equal(observed: Observed, earlier: Earlier) -> bool:
    """Whether the model is the retrained one, bit for bit: then nothing was lost, however few records say so."""
    exact = earlier.get(release_exact.CARD.id)
    if exact is None or exact.status is not Status.PASS or not isinstance(exact.derived, release_exact.Derived):
        return False
    return exact.derived.route == "clean-room" and not observed.lost and not observed.won


def _within_chance(tables: Mapping[Table, Counts], drops: Mapping[Table, float], threshold: float) -> Message:
    """The table that leaves most open: what may have been lost on it is both more and less than what is allowed."""
    widest = max(_established(tables), key=lambda table: _interval(tables[table]).high)
    found = _interval(tables[widest])
    given = {"table": widest, "drop": drops[widest], "low": found.low, "high": found.high, "allowed": threshold}
    held = tables[widest]
    enough = records_enough(held.lost, held.won, held.records, most=threshold, alpha=_RISK)
    return Message("utility.accuracy.within-chance", {**given, "enough": enough})


def _known_rows(observed: Observed) -> list[Message]:
    """Why the answers on the holdout look as if its rows had been known; nothing where they do not.

    Both answers are one model's, so that only movement lies between them. Models of the SWAP test learned from fewer records and
    are less accurate without any fault: between theirs and the release's no such line can be drawn.
    """
    reasons, moved = [], observed.moved
    if moved is not None:
        excess = paired_difference(moved.only_originals, moved.only_copies, moved.records, confidence=SURE)
        if excess.low > MOVEMENT:
            told = {"originals": moved.originals_right / moved.records, "copies": moved.unlearned_right / moved.records}
            reasons.append(Message("utility.accuracy.knows-holdout", told | {"allowed": MOVEMENT, "confidence": SURE}))
    if observed.moved_refused:
        reasons.append(Message("utility.accuracy.moved-refused"))
    return reasons


def _beside(observed: Observed, drops: Mapping[Table, float]) -> list[Message]:
    """What was asked alongside the holdout, and what was not."""
    reasons = []
    if observed.moved is not None:
        reasons.append(Message("utility.accuracy.moved", {"records": observed.moved.records, "drop": drops["moved"]}))
    if observed.unseen is not None:
        reasons.append(Message("utility.accuracy.unseen", {"records": observed.unseen.records, "drop": drops["unseen"]}))
    else:
        reasons.append(Message("utility.accuracy.nothing-unseen"))
    return reasons


def _interval(counts: Counts) -> Interval:
    return accuracy_difference(counts.lost, counts.won, counts.records, confidence=CONFIDENCE)


def _lower(counts: Counts, level: float) -> float:
    """What was lost at least; larger than the truth with this probability at most."""
    return -difference_upper(counts.won, counts.lost, counts.records, alpha=level)


def _accuracy(counts: Counts) -> Accuracy:
    return Accuracy(
        unlearned=counts.unlearned_right / counts.records,
        retrained=counts.retrained_right / counts.records,
        records=counts.records,
    )


def contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    right = seen.retrained_right + seen.won
    if right > (evidence.case.holdout_records or 0):
        yield f"{right} records are predicted right, the holdout has {evidence.case.holdout_records}"
    for table, counts, most in (
        ("moved copies of the holdout", seen.moved, evidence.case.holdout_records or 0),
        ("training records that were unseen", seen.unseen, evidence.case.training_records),
    ):
        if counts is not None and counts.records > most:
            yield f"it asked about {counts.records} {table}, and there are {most} at most"


def levels(context: Context, observed: Observed, finding: Finding) -> tuple[Level, ...]:
    """What its tests spend: of each only where the numbers of records let it reject at all."""
    threshold, count = context.policy.max_accuracy_drop, context.case.holdout_records
    if threshold is None or not count or not isinstance(finding.derived, Derived):
        return ()
    tables = _tables(observed, count)

    def rejects(table: Table, level: float, most: float) -> bool:
        records = tables[table].records
        return -difference_upper(0, records, records, alpha=level) > most

    others = [table for table in tables if table != "holdout"]
    found = [pass_needs("accuracy-limit", _RISK)]
    if any(rejects(table, share(ACCURACY) / len(tables), threshold) for table in tables):
        found.append(spent(ACCURACY))
    if any(rejects(table, share(OTHERS) / len(others), 0.0) for table in others):
        found.append(spent(OTHERS))
    moved = observed.moved
    if moved is not None and paired_difference(moved.records, 0, moved.records, confidence=SURE).low > MOVEMENT:
        found.append(spent(KNOWN, (1 - SURE) / 2))
    return tuple(found)


CHECK = Definition(
    CARD,
    Observed,
    judge,
    applies,
    replays=True,
    wanted=lambda context: context.policy.max_accuracy_drop is not None,
    contradictions=contradictions,
    derived=(Derived,),
    levels=levels,
)
