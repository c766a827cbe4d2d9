"""Say what is overleaf: what the number means, what was found, what is open, and what the letter is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.pages.letters import punctuality, statements
from auditor.pages.letters.card_words import sentences_of, words_of
from auditor.pages.letters.known import Known
from auditor.pages.words.texts import text
from auditor.verdict.checks import definitions
from auditor.verdict.grade import NO_USE

MOST_TOPICS: Final = 3


def number(known: Known) -> Iterator[str]:
    """What the number means, and what it does not cover."""
    promise = known.model.promise
    if promise is None or known.model.forgot not in {"shown", "supported"}:
        return
    yield text("letter-number-game", **known.whose)
    yield text(f"letter-number-{promise.origin}", count=len(promise.statements), **known.whose)
    if promise.share >= NO_USE:
        yield text("letter-number-useless")
    covers = "person" if promise.person else "request" if known.request.subject is None else "own"
    yield text(f"letter-number-{covers}", count=promise.records)
    yield text("letter-number-not")


def found(known: Known) -> Iterator[str]:
    """What the audit found of the model that should not be, but for what the first page says."""
    on_the_first_page = {*known.gives_away, *known.model.broke_off}
    yield from sentences_of(each for each in known.model.failed if each not in on_the_first_page)
    yield from (text("letter-untrue", said=statements.statement(each)) for each in known.untrue)


def unsettled(known: Known) -> Iterator[str]:
    """What the audit tested and could not settle; what an attack found is no longer open."""
    ids = (*known.model.open, *known.model.broke_off, *known.model.unsettled)
    yield from dict.fromkeys(said for each in ids if (said := words_of(each).open_question))


def limits(known: Known) -> Iterator[str]:
    """What the audit left out."""
    if known.letter.audit.quick:
        yield text("letter-limits-quick")


def about(known: Known) -> Iterator[str]:
    """Who ran the audit, and what the letter is not."""
    yield text(f"letter-run-by-{known.letter.audit.relation or 'unsaid'}")
    promise = known.model.promise
    if promise is not None and promise.origin == "declared" and tuple(number(known)):
        yield text("letter-limits-declared")
    yield text(known.of_places("letter-not-advice"))
    yield text("letter-only-yours")
    yield text("letter-verify")


def goes_with(known: Known) -> str:
    """How the letter goes with the controller's reply, which may have gone out long before the audit."""
    since = "since" if punctuality.answered_before(known.letter) else "with"
    return text(f"letter-goes-{since}", executed="yes" if known.request.status == "executed" else "no")


def topics(known: Known) -> tuple[str, ...]:
    """What checks that did not run leave open, and none that ran answers."""
    said = {check_id: each.card.letter for check_id, each in definitions().items() if each.card.letter is not None}
    missing = set(known.model.not_run)
    answered = {
        words.open_question
        for check_id, words in said.items()
        if check_id not in missing or any(other in said and other not in missing for other in words.answered_by)
    }
    open_ = dict.fromkeys(said[check_id].open_question for check_id in known.model.not_run if check_id in said)
    tested = {*answered, *unsettled(known)}
    return tuple(topic for topic in open_ if topic and topic not in tested)[:MOST_TOPICS]
