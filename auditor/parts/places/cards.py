"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.verdict.checks.card import Card, Role
from auditor.verdict.checks.late import Late

PLACES_ERASED: Final = Card(
    id="places.erased",
    place=31,
    since="0.2.0",
    roles=frozenset({Role.SEARCHES_PLACES}),
    title="Deleted people in the places",
    question="Are the deleted people gone from the places that were named?",
    unit="deleted records found",
    failure="Deleted people were found in the places that were named.",
    remedy="Erase what was found; the results list where. Where it lies in what was deleted, have the store reclaim the space: "
    "compact, vacuum or rebuild it. Then scan again.",
    judges_unlearning=True,
    required_when_run=True,
    of_places=True,
    open_question="whether deleted people are still in the places",
)


CARDS: Final = (Late(PLACES_ERASED, "auditor.parts.places.judging.places_erased"),)
