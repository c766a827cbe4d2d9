"""Count right predictions where only the auditor knows the labels: on the holdout, and on moved copies of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.audit.predicted import MOVED, Asked, Predicted, Unmet
from auditor.audit.replay import Replay
from auditor.audit.stages import Measuring
from auditor.base.records import Dataset, Floats
from auditor.case import Case
from auditor.parts.usefulness.judging import cost_speedup
from auditor.parts.usefulness.judging.utility_accuracy import CARD, MovedCounts, Observed
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Counts


# Read off the auditor's clock what unlearning took in the rerun, and what retraining did.
def observe(replay: Replay) -> Mapping[str, Values]:
    """Hold both times alongside one another, in seconds."""
    return {
        cost_speedup.CARD.id: cost_speedup.Observed(
            unlearn_seconds=replay.unlearn_seconds,
            retrain_seconds=replay.retrain_seconds,
            warm_refit_seconds=replay.warm_refit_seconds,
            batches=len(replay.batches),
        ),
    }


class Cost(Measuring):
    """Time of unlearning and of retraining."""

    checks = (cost_speedup.CARD.id,)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """Read both times."""
        return observe(replay)


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
            **Counts.of(*copies).model_dump(),
            originals_right=int(originals.sum()),
            only_originals=int((originals & ~copies[0]).sum()),
            only_copies=int((copies[0] & ~originals).sum()),
        )
    held = Counts.of(*here)
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


def _right(predictions: Floats, table: Dataset, classes: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
    return np.asarray(classes[np.argmax(predictions, axis=1)] == table.labels, dtype=np.bool_)


class Accuracy(Measuring):
    """Right predictions of both models, and those on records that models of a game never met."""

    checks = (CARD.id,)
    after = (*Measuring.after, Unmet)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """Count right predictions."""
        unmet = self.run.handed(Unmet)
        unseen = None if unmet is None else unmet.counts
        return {CARD.id: count(self.run.case, replay.asked, replay.predicted, replay.retrained_predicted, unseen)}


STAGES: Final = (
    Cost,
    Accuracy,
)
