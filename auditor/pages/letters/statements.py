"""Say what the controller attests: what a promise rests on, and what else bears on the request."""

from __future__ import annotations

from auditor.document.context import Superseded
from auditor.pages import wording
from auditor.pages.letters.known import Known
from auditor.pages.words.texts import text, variant
from auditor.settings.attestations import NO_MODEL
from auditor.verdict import examination


def statements(known: Known) -> tuple[str, ...]:
    """What the promise rests on, in plain words; what this version has no words for is a further point, once."""
    promise = known.model.promise
    if promise is None or known.model.forgot not in {"shown", "supported"}:
        return ()
    said = {name: _worded(known, name) for name in promise.statements}
    return tuple(text("letter-statement-unsaid", said=words) if name in promise.unsaid else words for name, words in said.items())


def stated(known: Known) -> str:
    """Whose word the statements under a promise are: of those that are attested, and no others."""
    word, promise = known.request.word, known.model.promise
    if word is None or promise is None or not statements(known):
        return ""
    count = len(set(promise.statements) & set(word.names))
    if not count:
        return ""
    said = text("letter-stated-by", count=count, by=wording.short(word.by, 80), on=wording.day(word.at))
    said = f"{said} {text('letter-stated-before')}" if word.at < known.request.received_on else said
    return said if word.before is None else f"{said} {_for_another(word.before)}"


def further(known: Known) -> tuple[str, ...]:
    """What else is attested that bears on this request, by its names."""
    word, promise = known.request.word, known.model.promise
    if word is None:
        return ()
    listed = set(promise.statements) if promise is not None and statements(known) else set()
    return tuple(each for each in word.names if each not in listed)


def further_in_words(known: Known) -> tuple[str, ...]:
    """Say that in words; of places, that what is kept may lie elsewhere."""
    kept = bool(known.request.kept)
    return tuple(statement(f"{each}-kept" if kept and each == NO_MODEL else _of_case(known, each)) for each in further(known))


def further_by(known: Known) -> str:
    """Whose word that is."""
    word = known.request.word
    if word is None or not further(known):
        return ""
    name = "letter-further-by-before" if word.at < known.request.received_on else "letter-further-by"
    said = text(name, by=wording.short(word.by, 80), on=wording.day(word.at))
    # Once, with what it is said of first.
    return said if word.before is None or stated(known) else f"{_for_another(word.before)} {said}"


def _for_another(before: Superseded) -> str:
    """Say that a statement was made for another release, and not again since."""
    day = wording.day(before.audited)
    if before.release is None:
        return text("letter-stated-for-another", day=day)
    return text("letter-stated-for-release", release=wording.short(before.release, 40), day=day)


def _worded(known: Known, name: str) -> str:
    """A statement in words; of backups, one that names a day only where one is declared."""
    promise = known.model.promise
    is_said = promise is not None and name not in promise.unsaid
    dated = any(each.until and examination.declared((each,), examination.BACKUPS) for each in known.letter.case.outside)
    if name == "backups-clean" and dated and is_said:
        return text("letter-statement-backups-by")
    # What a statement says of the number stands next to one alone.
    return statement(_of_case(known, variant(f"letter-statement-{name}", "number").removeprefix("letter-statement-")))


def _of_case(known: Known, name: str) -> str:
    """Name a statement as it is worded for the case: where places alone were searched, none is about a training."""
    return known.of_places(f"letter-statement-{name}").removeprefix("letter-statement-")


def statement(name: str) -> str:
    """Say in words what is attested, by its name."""
    try:
        return text(f"letter-statement-{name}")
    except KeyError:
        return text("letter-statement-other")
