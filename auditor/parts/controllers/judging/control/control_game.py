"""`control.game`: another tape must explain the state after a deletion without the one who left (Definition 2.3)."""

from __future__ import annotations

from functools import partial
from typing import Final

from auditor.base.domain import Message
from auditor.parts.controllers.cards import CONTROL_GAME, no_program
from auditor.parts.controllers.judging.control.judging import Derived, Observed, judged, levels
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding

CARD: Final = CONTROL_GAME


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the games that a state gives away; none may be."""
    return judged(context, observed, kind=CARD.id)


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """Say why nothing is played: the case has no whole controller."""
    return no_program(context)


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    applies,
    derived=(Derived,),
    wanted=lambda context: context.controller is not None,
    levels=partial(levels, kind=CARD.id),
)
