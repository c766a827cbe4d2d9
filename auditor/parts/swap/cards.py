"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.parts.release.cards import RELEASE_EXACT
from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.late import Late

SWAP_QUALITY: Final = Card(
    id="swap.quality",
    place=50,
    since="0.2.0",
    roles=frozenset({Role.SIZED_GAME, Role.ATTACKS_RECORDS, Role.RECOGNISES, Role.CLEARS}),
    judges_unlearning=True,
    title="Unlearning quality in the SWAP test",
    question="Do deleted records look to attacks like records that the model never saw?",
    unit="Q, from 0 (recognised at once) to 1 (like retraining)",
    own_terms=("quality-q", "swap-pair"),
    failure="Attacks tell deleted records from records that the model never saw better than the policy accepts.",
    remedy="Retrain without the deleted records, or fix the procedure: attacks tell them from records that the model never saw.",
    direction="at least",
    needs=("deletion.renyi", RELEASE_EXACT.id),
    every_case=True,
    open_question="whether an attacker can tell the unlearned model from one that was retrained",
    letter=LetterWords(
        question="Do erased records look to an attacker like records that the model never saw?",
        found="In a trial, attackers could tell erased records from records that the model never saw.",
        open_question="whether an attacker can tell erased records from records that the model never saw",
    ),
)

SWAP_STRONG: Final = Card(
    id="swap.strong",
    place=60,
    since="0.2.0",
    roles=frozenset({Role.SIZED_GAME, Role.ATTACKS_SETS, Role.RECOGNISES}),
    title="Whole-set adversary in the SWAP test",
    question="Can even an adversary that knows the whole set only guess what was deleted?",
    unit="share of models whose side was named correctly; guessing names half",
    own_terms=("quality-q", "swap-pair"),
    failure="An adversary that knows both sets names the deleted one more often, or less often, than guessing would.",
    remedy="Retrain without the deleted records, or fix the procedure: the model shows which set was deleted.",
    direction="interval holds",
    informative=True,
    needs=(RELEASE_EXACT.id,),
    open_question="whether an adversary that knows the whole deleted set can name it",
    letter=LetterWords(
        question="Can an attacker who knows all that may have been erased only guess?",
        found="In a trial, an attacker who knew all that may have been erased could tell what was.",
        open_question="whether an attacker can tell erased records from records that the model never saw",
    ),
    target=0.5,
)

SWAP_CONTROLS: Final = Card(
    id="swap.controls",
    place=70,
    since="0.2.0",
    roles=frozenset({Role.SIZED_GAME, Role.CALIBRATES}),
    title="Controls of the SWAP test",
    question="Does the test itself behave on a model known to be retrained?",
    unit="Q of retraining with the same seeds on both sides of a pair",
    own_terms=("quality-q", "swap-pair"),
    failure="The test finds a difference between models that are equal bit for bit, so none of its results holds.",
    remedy="Trust no SWAP result of this run. Make training give the same model for the same seed, then audit again.",
    direction="at least",
    every_case=True,
    needs=(RELEASE_EXACT.id,),
    letter=LetterWords(
        question="Does the test with attackers itself work?",
        found="The test with attackers did not work, so what it found counts for nothing.",
        open_question="whether an attacker can tell erased records from records that the model never saw",
    ),
)

EPSILON_CONSISTENCY: Final = Card(
    id="epsilon.consistency",
    place=80,
    since="0.2.0",
    roles=frozenset({Role.CONSISTENCY, Role.RECOGNISES}),
    required_when_run=True,
    title="Measured lower bounds on ε against every claimed or certified one",
    question="Do the attacks agree with what was certified or claimed?",
    unit="ε, empirical lower bound minus the stated bound",
    finds=(
        "deletion-unrefuted",
        "unrefuted",
    ),
    failure="A lower bound on ε that this run measured lies above a claimed or certified ε, which is refuted.",
    remedy="Withdraw the refuted claim: it cannot hold. Find which of its premises is false.",
    needs=(SWAP_QUALITY.id, SWAP_STRONG.id),
    open_question="whether an attack contradicts the claimed ε",
    letter=LetterWords(
        question="Do the attacks agree with what was promised in numbers?",
        found="An attack did better than a promise in numbers allows, so that promise does not hold.",
        open_question="whether an attack contradicts a promise that was made in numbers",
    ),
    unsteady="the margin follows a random game, and shrinks where the bound gets better",
)


CARDS: Final = (
    Late(SWAP_CONTROLS, "auditor.parts.swap.judging.controls"),
    Late(EPSILON_CONSISTENCY, "auditor.parts.swap.judging.epsilon_consistency", promises=True),
    Late(SWAP_QUALITY, "auditor.parts.swap.judging.quality"),
    Late(SWAP_STRONG, "auditor.parts.swap.judging.strong"),
)
