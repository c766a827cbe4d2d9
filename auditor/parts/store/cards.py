"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.verdict.checks.card import Card, Role
from auditor.verdict.checks.late import Late

REFUTED: Final = ("controller-is-implementation", "ids-in-dictionary", "training-data-destroyed")
"""What nobody can say of a program that keeps words of deleted people, or traces of them outside its state."""

DATA_ERASED: Final = Card(
    id="data.erased",
    place=30,
    since="0.2.0",
    roles=frozenset({Role.SEARCHES, Role.CONTRADICTS}),
    title="Deleted records in what is kept",
    question="Are the deleted records gone from the places that were searched?",
    unit="deleted records found",
    finds=("store-erased",),
    may_find=REFUTED,
    failure="Deleted records were found in the data store, the model file, the procedure's state or its saved output.",
    remedy="Erase the records that were found; the results list where. Then audit again.",
    of_controllers=True,
    needs=("release.exact",),
)


CARDS: Final = (Late(DATA_ERASED, "auditor.parts.store.judging.data_erased", declares=True),)
