"""Say which version of the model a letter is about: when it was updated, since when it is in use, what was seen of it."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.pages import wording
from auditor.pages.letters import dates, punctuality
from auditor.pages.letters.known import Known
from auditor.pages.letters.parts import Extract
from auditor.pages.letters.rows import BAD, GOOD, NONE, OPEN, PART, Row
from auditor.pages.words.texts import text
from auditor.settings.attestations import NO_MODEL


def no_model(known: Known) -> Row:
    """That stored data alone were searched; a day on which a model was updated contradicts it."""
    said, updated = [text("letter-places-alone")], known.request.model_erased_on
    if updated is None:
        return Row(text("letter-row-model"), text("letter-word-unchecked"), *NONE, tuple(said))
    said.append(text("letter-model-unknown", on=wording.day(updated)))
    if denies_a_model(known.letter):
        said.append(text("letter-model-denied"))
    return Row(text("letter-row-model"), text("letter-word-undecided"), *OPEN, tuple(said))


def version(known: Known) -> Row:
    """When the model was updated by the log, and which model that is."""
    request, case = known.request, known.letter.case
    if request.model_erased_on is None:
        updated = text("letter-update-undated")
    else:
        on = wording.day(request.model_erased_on)
        updated = text("letter-updated" if known.letter.confirmed else "letter-update-dated", on=on)
    seen: tuple[str, ...] = ()
    word, tone = "letter-word-examined", GOOD
    if known.is_other:
        word, tone = "letter-word-other", BAD
        seen = (text("letter-model-other"), text("letter-may-still-hold", **known.whose))
    elif not case.model_examined:
        saw = "answers" if case.answers_alone else case.model_seen or "unseen"
        word, tone = ("letter-word-part", PART) if saw == "part" else ("letter-word-unchecked", NONE)
        seen = (text(f"letter-model-{saw}"),)
    elif case.in_use_too_early:
        word, tone = "letter-word-undecided", OPEN
    if known.is_prepared and not known.is_other:
        word, tone = "letter-word-prepared", BAD
        seen = (*seen, text("letter-model-prepared", **known.whose))
    late = dates.lateness(known, request.model_erased_on)
    return Row(text("letter-row-model"), text(word), *tone, (updated, *late, used(known), *seen))


def still_open(known: Known) -> Iterator[Row]:
    """That the model was not updated for a request that is open, or the day on which the log has it updated."""
    updated, label = known.request.model_erased_on, text("letter-row-model")
    if updated is not None and punctuality.is_erased_while_open(known.request):
        said = (text("letter-update-dated", on=wording.day(updated)), *dates.lateness(known, updated), used(known))
        yield Row(label, text("letter-word-by-log"), *NONE, said)
    elif not known.letter.case.places_alone:
        said = (text("letter-not-updated"), text("letter-may-still-hold", **known.whose), used(known))
        yield Row(label, text("letter-word-not-yet"), *NONE, said)


def used(known: Known) -> str:
    """Since when this version of the model is in use, as declared."""
    return in_use(known.letter) or text("letter-in-use-unsaid")


def in_use(letter: Extract) -> str:
    """Say since when this version of the model is in use, as declared, or that it cannot be; empty where nobody says."""
    since = letter.case.in_use_since
    if since is None:
        return ""
    ahead = since > letter.audit.finished_at.date()
    name = "letter-in-use-not" if letter.case.in_use_too_early else f"letter-in-use{'-from' if ahead else ''}"
    return text(name, on=wording.day(since))


def denies_a_model(letter: Extract) -> bool:
    """Say whether the controller attests that no model was trained."""
    return letter.request.word is not None and NO_MODEL in letter.request.word.names
