"""`state.history_independent`: histories that mean the same must leave the same state (Deletion-as-control, Definition 3.4)."""

from __future__ import annotations

from typing import Final

from auditor.checks.card import Card, LetterWords
from auditor.checks.context import Context
from auditor.checks.definition import Definition
from auditor.checks.finding import Earlier, Finding
from auditor.checks.history.judging import judged
from auditor.checks.history.observed import Observed
from auditor.domain import Reason
from auditor.settings.controller import HIDING

CARD: Final = Card(
    id="state.history_independent",
    place=220,
    title="Dependence of the state on the order of past operations",
    question="Does the state show nothing of the order of past operations?",
    unit="distinguishing cases found",
    failure="Two histories that lead to the same data leave states that can be distinguished.",
    remedy="Make the state a function of the data that are there, whatever was added and deleted before.",
    open_question="whether what is kept shows the order of past operations",
    letter=LetterWords(
        question="Does what is kept show nothing of what was there before?",
        open_question="whether what is kept shows what was there before",
    ),
    of_controllers=True,
)


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the histories that a state gives away; none may be."""
    whole = context.controller
    commuting = frozenset() if whole is None else frozenset(whole.commuting)
    return judged(observed, commuting, quick=context.quick, hides=whole is not None and whole.use in HIDING)


def applies(context: Context, _earlier: Earlier) -> Reason | None:
    """Say why nothing is played: the case has no whole controller."""
    return None if context.controller is not None else Reason("state.history_independent.no-controller")


CHECK: Final = Definition(CARD, Observed, judge, applies, wanted=lambda context: context.controller is not None)
