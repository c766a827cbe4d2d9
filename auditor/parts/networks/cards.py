"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.parts.store.cards import DATA_ERASED
from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.late import Late

TRAINING_PRIVACY: Final = Card(
    id="training.privacy",
    place=90,
    since="0.2.0",
    roles=frozenset({Role.TRAINING_NOISE}),
    title="Differential privacy of the training",
    question="Does the noise in the training hide each record as far as was promised?",
    unit="ε of the training at the stated δ, an upper bound",
    finds=("dp-per-subject",),
    needs=(DATA_ERASED.id,),
    failure="The noise in the training gives less privacy than claim or policy promise.",
    remedy="Train with more noise, on smaller samples or for fewer steps, or promise less; then audit again.",
    open_question="how much privacy the noise in the training gives",
    letter=LetterWords(
        question="Does the noise in the training hide every single record as well as was promised?",
        found="The noise in the training hides a single record less well than was promised.",
        open_question="how well noise in the training hides a single record",
    ),
)


CARDS: Final = (Late(TRAINING_PRIVACY, "auditor.parts.networks.judging.training_privacy", promises=True),)
