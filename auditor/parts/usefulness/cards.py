"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.parts.release.cards import RELEASE_EXACT
from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.late import Late

ANSWERS_MEMBERSHIP: Final = Card(
    id="answers.membership",
    place=52,
    since="0.2.0",
    roles=frozenset({Role.ATTACKS_ANSWERS}),
    title="Answers about deleted records",
    question="Do the answers about deleted records look like answers about records that the model never saw?",
    unit="Q, from 0 (recognised at once) to 1 (like unseen records)",
    failure="By its answers, the model still knows the deleted records better than records that it never saw.",
    remedy="Retrain without the deleted records, ask the new model about the same records, and audit its answers.",
    direction="at least",
    judges_unlearning=True,
    every_case=True,
    of_answers=True,
    open_question="whether the answers of the model give deleted records away",
    letter=LetterWords(
        question="Do the answers about erased records look like answers about records that the model never saw?",
        found="By the answers that we wrote down, the model still knows erased records better than records that it never saw.",
        open_question="whether the answers of the model give erased records away",
    ),
    glossary=("membership-inference", "confidence-interval"),
)

ANSWERS_INFERENCE: Final = Card(
    id="answers.inference",
    place=53,
    since="0.2.0",
    roles=frozenset({Role.SHOWS_DELETIONS}),
    title="Deletion inference, by answers",
    question="Can anyone who sees the answers before and after tell a deleted record from a retained one?",
    unit="share of couples in which the deleted record was named; guessing names half",
    failure="The change of the answers tells a deleted record from a retained one more often than the policy allows.",
    remedy="Let nobody see the answers from before a deletion as well as those after it.",
    informative=True,
    of_answers=True,
    letter=LetterWords(
        question="Can someone who sees answers from before and after an erasure tell whose data were erased?",
        found="Someone who sees answers from before and after an erasure can tell whose data were erased.",
        open_question="whether answers from before and after an erasure give away whose data were erased",
    ),
    open_question="whether answers from before and after a deletion give away what was deleted",
    glossary=("membership-inference", "confidence-interval"),
)

COST_SPEEDUP: Final = Card(
    id="cost.speedup",
    place=240,
    since="0.2.0",
    roles=frozenset({Role.USEFULNESS, Role.SPEED}),
    title="Time of unlearning against retraining",
    question="Was unlearning cheaper than retraining from scratch?",
    unit="times faster than retraining",
    failure="Unlearning is not as much faster than retraining as the policy asks.",
    remedy="Review whether unlearning is worth its cost here; nothing about erasure depends on it.",
    open_question="how long unlearning takes",
    letter=LetterWords("Was this cheaper than retraining from scratch?"),
    unsteady="times differ from run to run",
    direction="at least",
    needs=(RELEASE_EXACT.id,),
)

UTILITY_ACCURACY: Final = Card(
    id="utility.accuracy",
    place=230,
    since="0.2.0",
    roles=frozenset({Role.USEFULNESS, Role.ACCURACY, Role.READS_ANSWERS}),
    title="Accuracy against the retrained model",
    question="Is the model still about as accurate as one retrained from scratch?",
    unit="accuracy lost against the retrained model, as a fraction",
    failure="Unlearning lost more accuracy than the policy allows.",
    remedy="Retrain, or accept a larger loss of accuracy in the policy before the next run.",
    needs=(RELEASE_EXACT.id,),
    open_question="how accurate the unlearned model is",
    letter=LetterWords("Is the model still about as good as one retrained from scratch?"),
)


CARDS: Final = (
    Late(ANSWERS_MEMBERSHIP, "auditor.parts.usefulness.judging.answers"),
    Late(ANSWERS_INFERENCE, "auditor.parts.usefulness.judging.answers"),
    Late(COST_SPEEDUP, "auditor.parts.usefulness.judging.cost_speedup"),
    Late(UTILITY_ACCURACY, "auditor.parts.usefulness.judging.utility_accuracy"),
)
