"""`reconstruction.label`: what was the label of the deleted record (Gao et al. 2022, Algorithms C.1 and C.3).

Of a classification, one record of each class stands to be deleted, and the attack names the class; of a regression the attack
knows the instance, and its guess is held against the labels of other records.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from auditor.base.domain import Message
from auditor.parts.revealing.cards import RECONSTRUCTION_LABEL, no_labels
from auditor.parts.revealing.judging.reconstruction import judging
from auditor.parts.revealing.judging.reconstruction.judging import wanted
from auditor.parts.revealing.judging.reconstruction.observed import LabelObserved
from auditor.parts.revealing.judging.reconstruction.routes import least_squares
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding

CARD: Final = RECONSTRUCTION_LABEL

RANGE, RECORDS = "range", "records"
CONSTANT, LEVERAGE = "constant", "leverage"
TEST: Final = "reconstruction-label"
"""The share of the level at which its attacks fail a case."""


class Derived(judging.Derived):
    """What the games come to, with the paper's own measures."""

    success_rate: float | None
    """Games won if every record is as likely to be deleted as any other (Table 5); None of a regression."""
    factor: float | None
    distance: float | None
    """The mean distance of the named attack's guess from the deleted label (Table 6); None of a classification."""
    nearer_model: float | None
    """The mean distance of the better of the two models' predictions."""
    left: float | None
    """`distance` as a share of `nearer_model`: what is left of the error."""
    without: float | None
    """The share of games won by the prediction before the deletion alone; None of a classification."""


def names(context: Context) -> tuple[str, ...]:
    """The attacks that have to play, the named one first."""
    if context.classifies:
        return RANGE, RECORDS
    return (CONSTANT,) if least_squares(context.procedure) is None else (LEVERAGE, CONSTANT)


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It is played where somebody asks, on records that have labels."""
    return no_labels(context)


def judge(context: Context, observed: LabelObserved, _earlier: Earlier) -> Finding:
    """Hold the share of labels that were found against the policy."""
    if (open_ := judging.unplayed(context, observed, names(context))) is not None:
        return open_
    distance = next((each.mean for each in observed.distances if each.attack == observed.tallies[0].attack), None)
    rate = None
    if observed.classes and all(each.games for each in observed.classes):
        rate = sum(each.share * each.right / each.games for each in observed.classes)
    left = distance / observed.nearer_model if distance is not None and observed.nearer_model else None
    found = Derived(
        **judging.derived(context, observed).model_dump(),
        success_rate=rate,
        factor=observed.factor,
        distance=distance,
        nearer_model=observed.nearer_model,
        left=left,
        without=None if observed.without is None else judging.share(observed.without),
    )
    more = []
    if rate is not None:
        more.append(Message("reconstruction.label.rate", {"rate": rate}))
    if distance is not None and left is not None:
        given = {"distance": distance, "nearer": observed.nearer_model, "left": left, "without": found.without}
        more.append(Message("reconstruction.label.distance", given))
    return judging.concluded(context, observed, found, *more, test=TEST)


CHECK: Final = Definition(
    CARD,
    LabelObserved,
    judge,
    applies,
    wanted=wanted(applies),
    contradictions=judging.contradictions,
    derived=(Derived,),
    levels=partial(judging.levels, test=TEST),
)
