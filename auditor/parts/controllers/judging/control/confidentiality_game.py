"""`confidentiality.game`: nobody else may be answered otherwise because of one who left (Definitions 4.1 and 4.2)."""

from __future__ import annotations

from typing import Final

from auditor.base.domain import Message
from auditor.parts.controllers.judging.control import learner
from auditor.parts.controllers.judging.control.judging import Derived, Observed, goal, judged, levels
from auditor.parts.controllers.judging.together import both
from auditor.verdict.checks.card import Card, LetterWords
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding
from auditor.verdict.checks.levels import Level

CARD: Final = Card(
    id="confidentiality.game",
    place=224,
    since="0.2.0",
    title="Answers to others and state, with and without the person",
    question="Are others answered, and is the state, as if the person had never said anything?",
    unit="distinguishing cases found",
    finds=(
        "adaptively-history-independent",
        "answers-from-own-data",
        "batch-private",
        "confidentiality-unrefuted",
        "pan-private",
        "strongly-history-independent",
    ),
    failure="What others were answered, or the state, shows that the person was there. A public board does that by design.",
    remedy="Show nobody what another person said, nor anything that depends on it, or ask for control alone.",
    open_question="whether others learn anything of a person before the deletion",
    letter=LetterWords(
        question="Could others learn nothing of somebody before the deletion?",
        found="Others could learn something of somebody before the deletion.",
        open_question="whether others could learn something of somebody before the deletion",
    ),
    of_controllers=True,
    informative=True,
)


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the games that answers or a state give away; none may be. A learner counts as well where its games are asked for."""
    of_learner = learner.judged(context, observed.learner, goal(context)) if learner.asked(context, CARD.id) else None
    if of_learner is not None and context.controller is None:
        return of_learner
    found = judged(context, observed, kind=CARD.id)
    return found if of_learner is None else both(found, of_learner)


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """Say why nothing is played: the case has no whole controller, and nobody asks for the games of a learner."""
    played = context.controller is not None or learner.asked(context, CARD.id)
    return None if played else Message("games.no-controller")


def _levels(context: Context, observed: Observed, finding: Finding) -> tuple[Level, ...]:
    return (*levels(context, observed, finding, kind=CARD.id), *learner.levels(observed.learner))


CHECK: Final = Definition(CARD, Observed, judge, applies, derived=(Derived, learner.Derived), levels=_levels)
