"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.late import Late

DELETION_RENYI: Final = Card(
    id="deletion.renyi",
    place=130,
    since="0.2.0",
    roles=frozenset({Role.DATA_DELETION, Role.PROVES}),
    judges_unlearning=True,
    title="Data deletion in Rényi divergence",
    question="Is as little left of each deleted record as was claimed?",
    unit="Rényi ε at the stated order",
    own_terms=("data-deletion", "epsilon-dd-epsilon-dp", "membership-advantage"),
    finds=(
        "full-batch-descent",
        "mini-batch-descent",
        "labels-fixed",
        "loss-bounded",
        "loss-constants",
        "loss-convex",
        "noise-measured",
        "release-independent",
        "rows-bounded",
        "start-gaussian",
        "step-size",
        "steps-counted",
    ),
    may_find=("stateless",),
    failure="More may be left of a deleted record than was claimed, or a premise of the theorem behind the bound is false.",
    remedy="Run more unlearning steps or train with more noise, or fix the premise that the result names; or claim less.",
    needs=("state.stateless",),
    open_question="certificates of data deletion",
    letter=LetterWords(
        question="Is as little left of the erased data as was claimed?",
        found="More of the erased data may be left in later models than we claimed.",
        open_question="how much later models can still say of the erased data",
    ),
)

DELETION_ADAPTIVE: Final = Card(
    id="deletion.adaptive",
    place=140,
    since="0.2.0",
    roles=frozenset({Role.ADAPTIVE, Role.CONTRADICTS}),
    judges_unlearning=True,
    title="Data deletion under adaptive requests",
    question="Does that still hold if requests depend on published models?",
    unit="Rényi ε at the stated order, adaptive requests",
    own_terms=("data-deletion", "epsilon-dd-epsilon-dp", "membership-advantage"),
    finds=(
        "deletion-bound-met",
        "deletion-unrefuted",
    ),
    failure="More may be left of a deleted record than was claimed where requests depend on published models.",
    remedy="Let requests see fewer models, train with more noise, or claim less; then audit again.",
    needs=(DELETION_RENYI.id,),
    open_question="certificates of data deletion",
    letter=LetterWords(
        question="Does that hold for requests that depend on published models?",
        found="Where people ask for erasure after seeing a model, more may be left than we claimed.",
        open_question="how much later models can still say of the erased data",
    ),
)

STATE_STATELESS: Final = Card(
    id="state.stateless",
    place=210,
    since="0.2.0",
    roles=frozenset({Role.STATELESS}),
    title="State carried between updates",
    question="Does the procedure carry anything but the model from one update to the next?",
    unit="distinguishing cases found",
    own_terms=("stateless",),
    finds=("stateless",),
    failure="An update depends on more than the released model: a hidden state may reveal a deleted record for ever.",
    remedy="Have the procedure start each update from the released model alone, and wipe what the result names.",
    open_question="whether anything but the model is carried over from before the deletions",
    letter=LetterWords(
        question="Is nothing but the model carried over from before the erasure?",
        found="An update carries over more than the model, and that may still reveal an erased record.",
        open_question="whether anything but the model was carried over from before the erasure",
    ),
)


CARDS: Final = (
    Late(DELETION_ADAPTIVE, "auditor.parts.data_deletion.judging.adaptive", promises=True),
    Late(DELETION_RENYI, "auditor.parts.data_deletion.judging.renyi"),
    Late(STATE_STATELESS, "auditor.parts.data_deletion.judging.state_stateless"),
)
