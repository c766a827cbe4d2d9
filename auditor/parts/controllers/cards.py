"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.base.domain import Message
from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.late import Late

ANSWERS: Final = "answers-from-own-data"
NOISY: Final = "history-hidden-by-noise"
"""(ε, δ)-adaptive history independence of a whole program under fresh tapes, which plays and games may refute."""
FRESH: Final = "history-independent-when-fresh"
SYNTAX: Final = "unlearning-syntax"
FIRST: Final = "first-part-has-control"
SECOND: Final = "second-part-has-control"
CHANCE: Final = "first-part-answers-without-chance"
APART: Final = "parts-share-nothing"
ASKER: Final = "parts-answer-the-asker"

CONFIDENTIALITY_GAME: Final = Card(
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

CONTROL_GAME: Final = Card(
    id="control.game",
    place=222,
    since="0.2.0",
    title="State after a deletion, with and without the person",
    question="Once a person has been deleted, could the state have come about without them?",
    unit="distinguishing cases found",
    finds=(
        "adaptively-history-independent",
        "batch-private",
        "control-unrefuted",
        NOISY,
        "pan-private",
        "part-has-control",
        SECOND,
        "strongly-history-independent",
    ),
    failure="After a deletion the state is one that does not come about without the person.",
    remedy="Make the state after a deletion depend on what others said, and on nothing said of the person.",
    open_question="whether the state after a deletion could have come about without the person",
    letter=LetterWords(
        question="Once somebody was deleted, could what is kept have come about without them?",
        found="What is kept would not have come about without those who were deleted.",
        open_question="whether what is kept could have come about without those who were deleted",
    ),
    of_controllers=True,
)

STATE_HISTORY_INDEPENDENT: Final = Card(
    id="state.history_independent",
    place=220,
    since="0.2.0",
    roles=frozenset({Role.HISTORY}),
    title="Dependence of the state on the order of past operations",
    question="Does the state show nothing of the order of past operations?",
    unit="distinguishing cases found",
    own_terms=("stateless",),
    finds=(
        "adaptively-history-independent",
        ANSWERS,
        FIRST,
        SECOND,
        CHANCE,
        APART,
        ASKER,
        "controller-is-implementation",
        NOISY,
        FRESH,
        "logical-deletion",
        "strongly-history-independent",
        "touchstone-storage",
        SYNTAX,
    ),
    failure="Two histories that lead to the same data leave states that can be distinguished.",
    remedy="Make the state depend on the data that are there alone. What was added and deleted before may leave no trace.",
    open_question="whether what is kept shows the order of past operations",
    letter=LetterWords(
        question="Does what is kept show nothing of what was there before?",
        found="What is kept shows what was there before.",
        open_question="whether what is kept shows what was there before",
    ),
    of_controllers=True,
)

PRIVACY_CONTINUAL: Final = Card(
    id="privacy.continual",
    place=95,
    since="0.2.0",
    roles=frozenset({Role.REPORTING_NOISE}),
    title="Differential privacy of reports",
    question="Does the noise in reports and in the state hide each person as far as was promised?",
    unit="ε of all reports and one view of the state at the stated δ, an upper bound",
    finds=(
        "answers-outcome-alone",
        "batch-private",
        "deterministic-transcript",
        "dictionary-before",
        "disjoint-parts",
        "ids-in-dictionary",
        "nothing-before-training",
        "one-release-channel",
        "other-part-has-control",
        "pan-private",
        "part-has-control",
        "query-response",
        SECOND,
        "training-data-destroyed",
    ),
    failure="The noise in reports or in the state gives less privacy than was promised.",
    remedy="Draw separate noise for every sum that is kept and for every one that is released, as large as the horizon asks for; "
    "then audit again.",
    open_question="how much privacy the noise in reports gives",
    letter=LetterWords(
        question="Does the noise in reports hide every single person as well as was promised?",
        found="The noise in reports hides a single person less well than was promised.",
        open_question="how well noise in reports hides a single person",
    ),
    own_threshold=False,
    of_controllers=True,
    glossary=("differential-privacy", "epsilon-epsilon"),
)


def claimed(context: Context) -> bool:
    """Whether there is a learner that is said to be history independent."""
    return context.learns and context.claims.history_independent


def asked(context: Context, check_id: str) -> bool:
    """Say whether the games of a learner are played: where the policy or the command line names the check."""
    named = check_id in (context.policy.required or ()) or check_id in (context.audit.only or ())
    return named and context.learns and context.procedure.reruns


def no_reports(context: Context) -> Message | None:
    """Say why there are no reports: the case has no whole controller."""
    return None if context.controller is not None else Message("privacy.continual.no-controller")


def no_history(context: Context) -> Message | None:
    """Say why no history is played: the case has no whole controller, and no learner is said to be history independent."""
    return None if context.controller is not None or claimed(context) else Message("state.history_independent.no-controller")


def no_program(context: Context) -> Message | None:
    """Say why nothing is played: the case has no whole controller."""
    return None if context.controller is not None else Message("games.no-controller")


def no_games(context: Context) -> Message | None:
    """Say why nothing is played: the case has no whole controller, and nobody asks for the games of a learner."""
    played = context.controller is not None or asked(context, CONFIDENTIALITY_GAME.id)
    return None if played else Message("games.no-controller")


CARDS: Final = (
    Late(CONFIDENTIALITY_GAME, "auditor.parts.controllers.judging.control.confidentiality_game", no_games),
    Late(CONTROL_GAME, "auditor.parts.controllers.judging.control.control_game", no_program),
    Late(STATE_HISTORY_INDEPENDENT, "auditor.parts.controllers.judging.history.independence", no_history, promises=True),
    Late(PRIVACY_CONTINUAL, "auditor.parts.controllers.judging.privacy_continual", no_reports, promises=True),
)
