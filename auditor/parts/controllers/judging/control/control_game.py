"""`control.game`: another tape must explain the state after a deletion without the one who left (Definition 2.3)."""

from __future__ import annotations

from functools import partial
from typing import Final

from auditor.base.domain import Message
from auditor.parts.controllers.judging.control.judging import Derived, Observed, judged, levels
from auditor.parts.controllers.judging.history.independence import NOISY
from auditor.parts.controllers.judging.history.side_by_side import SECOND
from auditor.verdict.checks.card import Card, LetterWords
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding

CARD: Final = Card(
    id="control.game",
    place=222,
    since="0.2.0",
    title="State after a deletion, with and without the person",
    question="Once a person has been deleted, could the state have come about without them?",
    unit="distinguishing cases found",
    finds=(
        "adaptively-history-independent",
        "batch-private",
        "control-unrefuted",
        NOISY,
        "pan-private",
        "part-has-control",
        SECOND,
        "strongly-history-independent",
    ),
    failure="After a deletion the state is one that does not come about without the person.",
    remedy="Make the state after a deletion depend on what others said, and on nothing said of the person.",
    open_question="whether the state after a deletion could have come about without the person",
    letter=LetterWords(
        question="Once somebody was deleted, could what is kept have come about without them?",
        found="What is kept would not have come about without those who were deleted.",
        open_question="whether what is kept could have come about without those who were deleted",
    ),
    of_controllers=True,
)


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the games that a state gives away; none may be."""
    return judged(context, observed, kind=CARD.id)


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """Say why nothing is played: the case has no whole controller."""
    return None if context.controller is not None else Message("games.no-controller")


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    applies,
    derived=(Derived,),
    wanted=lambda context: context.controller is not None,
    levels=partial(levels, kind=CARD.id),
)
