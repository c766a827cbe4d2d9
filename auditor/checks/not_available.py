"""Checks that this version cannot make: each with its card, and the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from auditor.checks.card import Card, LetterWords
from auditor.checks.context import Context
from auditor.checks.definition import Definition
from auditor.checks.finding import Earlier, Finding, Nothing, skipped
from auditor.domain import Reason

_Judge: TypeAlias = Callable[[Context, Nothing, Earlier], Finding]

_HISTORY: Final = Card(
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
)


def _skipping(reason: Reason) -> _Judge:
    def judge(_context: Context, _observed: Nothing, _earlier: Earlier) -> Finding:
        return skipped(reason)

    return judge


CHECKS: Final = (Definition(_HISTORY, Nothing, _skipping(Reason("state.history_independent.not-available"))),)
