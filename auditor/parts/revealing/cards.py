"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from auditor.base.domain import Message
from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import not_asked
from auditor.verdict.checks.late import Late

_NAMED: Final = "share of games in which the deleted record was named correctly; guessing names half"
_REBUILT: Final = "share of games in which the guess is nearer to the deleted record than to every decoy"
_NOBODY_SEES: Final = (
    "Let nobody see the model from before a deletion as well as the one after it, or train with differential privacy."
)

INFERENCE_DIFFERENCE: Final = Card(
    id="inference.difference",
    place=170,
    since="0.2.0",
    roles=frozenset({Role.ATTACKS_DIFFERENCE, Role.RECOGNISES, Role.SHOWS_DELETIONS}),
    title="Deletion inference from the difference of two releases",
    question="Can anyone who has the model before and after a deletion name the deleted record?",
    unit="share of games in which the deleted record was named correctly; guessing names half",
    failure="The releases before and after a deletion, put side by side, give away which record was deleted.",
    remedy="Add noise at release, delete records in larger batches, or do not let anyone see two releases in a row.",
    direction="interval holds",
    informative=True,
    glossary=("confidence-interval", "threat-model"),
    open_question="whether someone who sees the model before and after can infer what was deleted",
    letter=LetterWords(
        question="Is it hard to infer from two versions of the model what was erased?",
        found="In a trial, someone who had the models from before and after an erasure could tell what was erased.",
        open_question="whether somebody who has the model from before as well can find out what was erased",
    ),
)

INFERENCE_EXAMPLE: Final = Card(
    id="inference.example",
    place=150,
    since="0.2.0",
    roles=frozenset({Role.NAMES_DELETED, Role.KNOWS_LABELS, Role.ATTACKS_LOG, Role.SHOWS_DELETIONS}),
    title="Deletion inference, by example",
    question="Can anyone who sees the model before and after a deletion tell a deleted record from another?",
    unit=_NAMED,
    failure="An adversary that is shown two records with their labels can tell which of them was deleted.",
    remedy=_NOBODY_SEES,
    open_question=INFERENCE_DIFFERENCE.open_question,
    letter=INFERENCE_DIFFERENCE.letter,
    glossary=("membership-inference", "confidence-interval", "threat-model", "shadow-model"),
    unsteady="games are drawn",
)

INFERENCE_INSTANCE: Final = Card(
    id="inference.instance",
    place=160,
    since="0.2.0",
    roles=frozenset({Role.NAMES_DELETED, Role.SHOWS_DELETIONS}),
    title="Deletion inference, by instance",
    question="Can anyone who sees the model before and after a deletion tell a deleted record from another, labels unseen?",
    unit=_NAMED,
    failure="An adversary that is shown two records without their labels can tell which of them was deleted.",
    remedy=_NOBODY_SEES,
    open_question=INFERENCE_DIFFERENCE.open_question,
    letter=INFERENCE_DIFFERENCE.letter,
    glossary=INFERENCE_EXAMPLE.glossary,
    unsteady=INFERENCE_EXAMPLE.unsteady,
)


def _of_game(check_id: str, *, place: int, since: str, title: str, what: str, rebuilt: str, roles: Collection[Role] = ()) -> Card:
    """Make the card of one check.

    Args:
        check_id: Its id.
        place: Among the others in a document.
        since: The version since which documents have it.
        title: A neutral noun phrase.
        what: What is worked out, at the beginning of a sentence.
        rebuilt: The same for the person whose data it was, within a sentence.
        roles: What it is in addition to a game in which attacks rebuild a record.
    """
    return Card(
        id=check_id,
        place=place,
        since=since,
        roles=frozenset({Role.REBUILDS, Role.SHOWS_DELETIONS, *roles}),
        title=title,
        question=f"Can {what[0].lower()}{what[1:]} be worked out from the model before and after its deletion?",
        unit=_REBUILT,
        failure=f"{what} can be worked out from the model before and after its deletion.",
        remedy=_NOBODY_SEES,
        open_question="whether a deleted record or its label can be reconstructed",
        letter=LetterWords(
            question="Is it hard to rebuild an erased record from the model?",
            found=f"In a trial, someone who had the models from before and after an erasure could rebuild {rebuilt}.",
            open_question="whether an erased record can be rebuilt from the model",
        ),
        glossary=("confidence-interval", "threat-model"),
        unsteady="games are drawn",
    )


RECONSTRUCTION_INSTANCE: Final = _of_game(
    "reconstruction.instance",
    place=190,
    since="0.2.0",
    title="Reconstruction of a deleted record",
    what="A deleted record",
    rebuilt="an erased record",
)

RECONSTRUCTION_LABEL: Final = _of_game(
    "reconstruction.label",
    place=180,
    since="0.2.0",
    title="Reconstruction of a deleted label",
    what="The label of a deleted record",
    rebuilt="what an erased record said of the person",
)

RECONSTRUCTION_SENTENCE: Final = _of_game(
    "reconstruction.sentence",
    place=200,
    since="0.2.0",
    title="Reconstruction of a deleted sentence",
    what="A deleted sentence",
    rebuilt="an erased sentence",
    roles=(Role.REBUILDS_TEXT,),
)


def not_named(context: Context) -> Message | None:
    """Say why no records are named of which labels are unseen: nobody asks."""
    return not_asked(context, INFERENCE_INSTANCE.id)


def no_difference(context: Context) -> Message | None:
    """Say why no two releases are compared: it needs the steps of certified removal, and somebody who sees both."""
    if context.procedure.removal is None:
        return Message("inference.difference.other-procedure")
    return None if context.both_seen else Message("inference.difference.one-release")


def no_records(context: Context) -> Message | None:
    """Say why no record is rebuilt: this version cannot rebuild any of such a model, or nobody asks."""
    from auditor.parts.revealing.judging.reconstruction.routes import route  # noqa: PLC0415 - cards are read for everything

    if not context.procedure.learns_labels:
        return Message("reconstruction.instance.sentences")
    if route(context.procedure, classifies=context.classifies) is None:
        return Message("reconstruction.instance.other-procedure")
    return not_asked(context, RECONSTRUCTION_INSTANCE.id)


def no_labels(context: Context) -> Message | None:
    """Say why no label is rebuilt: there are none, or nobody asks."""
    if not context.procedure.learns_labels:
        return Message("reconstruction.label.none")
    return not_asked(context, RECONSTRUCTION_LABEL.id)


def no_sentences(context: Context) -> Message | None:
    """Say why no sentence is rebuilt: nothing learns text, or nobody asks."""
    if not context.procedure.learns_text:
        return Message("reconstruction.sentence.no-text")
    return not_asked(context, RECONSTRUCTION_SENTENCE.id)


CARDS: Final = (
    Late(INFERENCE_EXAMPLE, "auditor.parts.revealing.judging.inference.example"),
    Late(INFERENCE_INSTANCE, "auditor.parts.revealing.judging.inference.instance", not_named),
    Late(INFERENCE_DIFFERENCE, "auditor.parts.revealing.judging.inference_difference", no_difference),
    Late(RECONSTRUCTION_INSTANCE, "auditor.parts.revealing.judging.reconstruction.instance", no_records),
    Late(RECONSTRUCTION_LABEL, "auditor.parts.revealing.judging.reconstruction.label", no_labels),
    Late(RECONSTRUCTION_SENTENCE, "auditor.parts.revealing.judging.reconstruction.sentence", no_sentences),
)
