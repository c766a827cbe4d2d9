"""Checks that this version cannot make, or that its models give no cause for: each with its card, and the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from auditor.checks.card import Card, LetterWords
from auditor.checks.context import Context
from auditor.checks.definition import Definition
from auditor.checks.finding import Earlier, Finding, Nothing, skipped
from auditor.domain import Reason

_Judge: TypeAlias = Callable[[Context, Nothing, Earlier], Finding]

_METRIC: Final = "share of games in which the guess is nearer to the deleted record than to any other"
_HIDE: Final = "Let nobody see the model from before a deletion as well as the one after it, or train with differential privacy."
_OPEN_RECONSTRUCTION: Final = "whether a deleted record or its label can be reconstructed"
_LETTER_RECONSTRUCTION: Final = LetterWords(
    question="Is it hard to rebuild an erased record from the model?",
    open_question="whether an erased record can be rebuilt from the model",
)

_RECONSTRUCTION: Final = (
    Card(
        id="reconstruction.label",
        place=180,
        title="Reconstruction of a deleted label",
        question="Can the label of a deleted record be worked out from the model before and after its deletion?",
        unit=_METRIC,
        failure="The label of a deleted record can be worked out from the model before and after its deletion.",
        remedy=_HIDE,
        informative=True,
        open_question=_OPEN_RECONSTRUCTION,
        letter=_LETTER_RECONSTRUCTION,
        direction="either way",
    ),
    Card(
        id="reconstruction.instance",
        place=190,
        title="Reconstruction of a deleted record",
        question="Can a deleted record be worked out from the model before and after its deletion?",
        unit=_METRIC,
        failure="A deleted record can be worked out from the model before and after its deletion.",
        remedy=_HIDE,
        informative=True,
        open_question=_OPEN_RECONSTRUCTION,
        letter=_LETTER_RECONSTRUCTION,
        direction="either way",
    ),
)
_SENTENCE: Final = Card(
    id="reconstruction.sentence",
    place=200,
    title="Reconstruction of a deleted sentence",
    question="Can a deleted sentence be worked out from the model before and after its deletion?",
    unit=_METRIC,
    failure="A deleted sentence can be worked out from the model before and after its deletion.",
    remedy=_HIDE,
    informative=True,
    open_question=_OPEN_RECONSTRUCTION,
    letter=_LETTER_RECONSTRUCTION,
    direction="either way",
)
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


CHECKS: Final = (
    *(Definition(card, Nothing, _skipping(Reason("reconstruction.not-available"))) for card in _RECONSTRUCTION),
    Definition(_SENTENCE, Nothing, _skipping(Reason("reconstruction.sentence.no-text"))),
    Definition(_HISTORY, Nothing, _skipping(Reason("state.history_independent.not-available"))),
)
