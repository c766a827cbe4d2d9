"""`confidentiality.game`: nobody else may be answered otherwise because of one who left (Definitions 4.1 and 4.2)."""

from __future__ import annotations

from typing import Final

from auditor.base.domain import Message
from auditor.parts.controllers.cards import CONFIDENTIALITY_GAME, asked, no_games
from auditor.parts.controllers.judging.control import learner
from auditor.parts.controllers.judging.control.judging import Derived, Observed, goal, judged, levels
from auditor.parts.controllers.judging.together import both
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding
from auditor.verdict.checks.levels import Level

CARD: Final = CONFIDENTIALITY_GAME


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the games that answers or a state give away; none may be. A learner counts as well where its games are asked for."""
    of_learner = learner.judged(context, observed.learner, goal(context)) if asked(context, CARD.id) else None
    if of_learner is not None and context.controller is None:
        return of_learner
    found = judged(context, observed, kind=CARD.id)
    return found if of_learner is None else both(found, of_learner)


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """Say why nothing is played: the case has no whole controller, and nobody asks for the games of a learner."""
    return no_games(context)


def _levels(context: Context, observed: Observed, finding: Finding) -> tuple[Level, ...]:
    return (*levels(context, observed, finding, kind=CARD.id), *learner.levels(observed.learner))


CHECK: Final = Definition(CARD, Observed, judge, applies, derived=(Derived, learner.Derived), levels=_levels)
