"""Say how well the model forgot, by a promise in numbers or by attacks."""

from __future__ import annotations

from auditor.base.domain import ClaimStatus
from auditor.pages.letters.card_words import of_role, sentences_of
from auditor.pages.letters.known import Known
from auditor.pages.letters.rows import BAD, GOOD, NONE, OPEN, PART, Row
from auditor.pages.words import guesses
from auditor.pages.words.texts import text
from auditor.verdict.checks.card import Role
from auditor.verdict.grade import NO_USE


def forgot(known: Known) -> Row:
    """How well the model forgot; where stored data were found again, good news about the model is no all-clear."""
    row = _forgot_alone(known)
    if known.request.search != "found" or row.tone not in {GOOD[0], PART[0]}:
        return row
    which = "model" if known.letter.case.model_examined else "procedure"
    said = (text(f"letter-despite-{which}", **known.whose), *row.sentences)
    return Row(row.label, text(f"letter-word-only-{which}"), *PART, said)


def _forgot_alone(known: Known) -> Row:
    label, promise = text("letter-row-forgot"), known.model.promise
    if known.model.forgot in {"shown", "supported"} and promise is not None:
        most = guesses.at_most(promise.share)
        chance = most == "50"
        guessed = text("letter-guesses-chance" if chance else "letter-guesses", most=most, **known.whose)
        elsewhere = () if known.letter.case.model_examined else (text("letter-guesses-rerun"),)
        said = (guessed, _rests_on(known), *elsewhere, *_alone(known), *_given_away(known), *_picked(known))
        if known.gives_away:
            return Row(label, text("letter-word-given-away"), *BAD, said)
        tone = (
            OPEN
            if promise.share >= NO_USE
            else GOOD
            if promise.status is ClaimStatus.SHOWN and not promise.statements and known.letter.case.model_examined
            else PART
        )
        return Row(label, text("letter-word-chance") if chance else guesses.hardness(promise.share), *tone, said)
    word, name, tone = _tested(known)
    if known.gives_away and tone != BAD:
        word, tone = "letter-word-given-away", BAD
    said = (text(name, **known.whose), *_alone(known), *_given_away(known), *_picked(known))
    return Row(label, text(word), *tone, said)


def _tested(known: Known) -> tuple[str, str, tuple[str, str]]:
    """What came of the tests where no promise in numbers holds."""
    if known.model.forgot == "failed":
        return _failed(known)
    if known.model.forgot == "not-examined":
        return "letter-word-unchecked", "letter-forgot-unchecked", NONE
    if known.model.forgot != "attacks":
        return "letter-word-undecided", "letter-forgot-open", OPEN
    if known.gives_away:
        return "letter-word-given-away", "letter-no-number", BAD
    if known.is_unsettled_of_the_file:
        return "letter-word-trial", "letter-trial", PART
    return "letter-word-no-trace", "letter-attacks", PART


def _failed(known: Known) -> tuple[str, str, tuple[str, str]]:
    """What a failure says of the model: nothing of the right one, where another was given and nothing else failed."""
    nothing_else = set(known.refutes) == of_role(Role.COMPARES_FILE, known.model.failed)
    if known.is_other and (nothing_else or not known.is_refuted):
        return "letter-word-unconfirmed", "letter-forgot-other", BAD
    if known.is_refuted:
        return "letter-word-refuted", "letter-forgot-refuted", BAD
    return "letter-word-unconfirmed", "letter-forgot-failed", BAD


def _alone(known: Known) -> tuple[str, ...]:
    """That the model behaves as if nobody had asked for anything."""
    return (text("letter-left-alone"),) if known.model.left_alone else ()


def _given_away(known: Known) -> tuple[str, ...]:
    """What was found where the model itself did not fail."""
    return tuple(sentences_of(known.gives_away))


def _picked(known: Known) -> tuple[str, ...]:
    """What the model before the erasure shows together with this one, where somebody may have both."""
    if known.model.picked is None:
        return ()
    return (text("letter-picked" if known.model.picked else "letter-not-picked", **known.whose),)


def _rests_on(known: Known) -> str:
    promise = known.model.promise
    return "" if promise is None else text("letter-rests-on", count=len(promise.statements))
