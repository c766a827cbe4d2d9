"""`utility.accuracy`: what unlearning costs in accuracy, against the retrained model."""

from __future__ import annotations

from typing import Final, Self

from pydantic import model_validator

from auditor.checks.card import Card, LetterWords
from auditor.checks.context import Context
from auditor.checks.definition import Definition
from auditor.checks.finding import Earlier, Finding, Values, skipped
from auditor.checks.quantities import Count
from auditor.decisions import decide_at_most
from auditor.domain import Reason, Status
from auditor.statistics import paired_difference

CONFIDENCE: Final = 0.95

CARD = Card(
    id="utility.accuracy",
    place=230,
    title="Accuracy against the retrained model",
    question="Is the model still about as accurate as one retrained from scratch?",
    unit="accuracy lost against the retrained model, as a fraction",
    failure="Unlearning lost more accuracy than the policy allows.",
    remedy="Retrain, or accept a larger loss of accuracy in the policy before the next run.",
    open_question="how accurate the unlearned model is",
    letter=LetterWords("Is the model still about as good as one retrained from scratch?"),
)


class Observed(Values):
    """Right predictions on the holdout, by the unlearned model and by one retrained on what is left."""

    predicted: bool
    """Whether both models gave predictions."""
    unlearned_right: Count = 0
    retrained_right: Count = 0
    lost: Count = 0
    """Records that the retrained model alone predicts right."""
    won: Count = 0
    """Records that the unlearned model alone predicts right."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.retrained_right - self.lost != self.unlearned_right - self.won or self.lost > self.retrained_right:
            raise ValueError("both models predict the same records right but for those that one alone does")
        return self


class Derived(Values):
    """Accuracies."""

    unlearned: float
    retrained: float
    records: int
    confidence: float


def applies(context: Context, _earlier: Earlier) -> Reason | None:
    """It needs a holdout and a classification."""
    if not context.case.holdout_records:
        return Reason("utility.accuracy.no-holdout")
    return None if context.classifies else Reason("utility.accuracy.regression")


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Hold the drop of accuracy against the policy; without a threshold it is informative."""
    count = context.case.holdout_records
    if not observed.predicted or not count:
        return skipped(Reason("utility.accuracy.no-predictions"))
    unlearned, retrained = observed.unlearned_right / count, observed.retrained_right / count
    threshold = context.policy.max_accuracy_drop
    reasons = [Reason("utility.accuracy.predicted", {"records": count})]
    if threshold is None:
        reasons.append(Reason("utility.accuracy.informative"))
    drop = retrained - unlearned
    return Finding(
        status=Status.SKIPPED if threshold is None else decide_at_most(drop, threshold),
        value=drop,
        interval=paired_difference(observed.lost, observed.won, count, confidence=CONFIDENCE),
        threshold=threshold,
        reasons=tuple(reasons),
        derived=Derived(unlearned=unlearned, retrained=retrained, records=count, confidence=CONFIDENCE),
    )


CHECK = Definition(
    CARD, Observed, judge, applies, replays=True, wanted=lambda context: context.policy.max_accuracy_drop is not None
)
