"""What the cards of the reconstruction checks have in common."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from auditor.base.domain import Reason
from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import limit
from auditor.verdict.checks.finding import Earlier

_UNIT: Final = "share of games in which the guess is nearer to the deleted record than to every decoy"
_REMEDY: Final = (
    "Let nobody see the model from before a deletion as well as the one after it, or train with differential privacy."
)
_LETTER: Final = LetterWords(
    question="Is it hard to rebuild an erased record from the model?",
    open_question="whether an erased record can be rebuilt from the model",
)


def card(check_id: str, *, place: int, since: str, title: str, what: str, roles: Collection[Role] = ()) -> Card:
    """Make the card of one check.

    Args:
        check_id: Its id.
        place: Among the others in a document.
        since: The version since which documents have it.
        title: A neutral noun phrase.
        what: What is worked out, at the beginning of a sentence.
        roles: What it is in addition to a game in which attacks rebuild a record.
    """
    return Card(
        id=check_id,
        place=place,
        since=since,
        roles=frozenset({Role.REBUILDS, Role.SHOWS_DELETIONS, *roles}),
        title=title,
        question=f"Can {what[0].lower()}{what[1:]} be worked out from the model before and after its deletion?",
        unit=_UNIT,
        failure=f"{what} can be worked out from the model before and after its deletion.",
        remedy=_REMEDY,
        open_question="whether a deleted record or its label can be reconstructed",
        letter=_LETTER,
        glossary=("confidence-interval", "threat-model"),
        unsteady="games are drawn",
    )


def wanted(applies: Callable[[Context, Earlier], Reason | None]) -> Callable[[Context], bool]:
    """Whether the policy limits what may be rebuilt, and the check has something to say about the case."""
    return lambda context: limit(context, "reconstruction") is not None and applies(context, {}) is None
