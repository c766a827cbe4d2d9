"""Say what the controller undertook to do, and if something is left to settle."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.base.deletion_log.requests import Undertaking
from auditor.pages import wording
from auditor.pages.letters import punctuality, recipients
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import theirs
from auditor.pages.words.texts import text


def following(known: Known) -> Iterator[str]:
    """What the controller undertook, by the log; where it undertook nothing about what is left, the reply has to say it."""
    if known.contradictions:
        yield text("letter-contradicted")
    if known.request.undertaking is not None:
        what = theirs(known.request.undertaking.what.rstrip(" ."))
        yield undertaken(known, known.request.undertaking, what)
        if is_settled(known) or known.is_missing:
            # What the words of an undertaking ask for, an erasure or a copy of the data, no program can tell.
            yield text(f"letter-next-{_unsaid(known)}")
    promised = known.request.undertaking is not None and not is_settled(known)
    left = is_left_to_settle(known) or recipients.not_notified(known.letter)
    if not promised and (left or known.is_marked or known.is_overwriting_unknown):
        yield text("letter-next-reply")


def _unsaid(known: Known) -> str:
    """What the log leaves open of an undertaking."""
    if known.is_missing:
        return "perhaps"
    return "not-notified" if recipients.not_notified(known.letter) else "unsaid"


def is_settled(known: Known) -> bool:
    """Whether the log records the erasure, and neither it nor the audit has anything that is left of the data.

    What was undertaken before is then no longer promised: it may long be done.
    """
    return known.request.status == "executed" and not (is_left_to_settle(known) or known.is_marked)


def undertaken(known: Known, undertaking: Undertaking, what: str) -> str:
    """Say what the controller undertook; of a day that had passed when the audit ended, that it has."""
    if is_settled(known):
        by, erased = ("" if each is None else wording.day(each) for each in (undertaking.by, known.request.erased_on))
        said = text("letter-next-undertook-by", what=what, on=by) if by else text("letter-next-undertook", what=what)
        if recipients.not_notified(known.letter) and known.has_passed(undertaking.by):
            said = f"{said} {text('letter-next-day-passed')}"
        return f"{said} {text('letter-next-erased', on=erased)}" if erased else said
    if known.is_missing:
        on = None if undertaking.by is None else wording.day(undertaking.by)
        return text("letter-next-undertook-by", what=what, on=on) if on else text("letter-next-undertook", what=what)
    if undertaking.by is None:
        return text("letter-next-undertaken", what=what)
    passed = undertaking.by < known.letter.audit.finished_at.date()
    said = text("letter-next-passed" if passed else "letter-next-undertaken-by", what=what, on=wording.day(undertaking.by))
    if not punctuality.is_beyond(known.letter, undertaking.by):
        return said
    last, extended = wording.day(punctuality.last_by_law(known.request)), known.request.extended
    return f"{said} {text('letter-next-beyond', on=last, extended='yes' if extended else 'no')}"


def is_left_to_settle(known: Known) -> bool:
    """Whether something is left to do about a request that the audit cannot know: it is for the controller to say what."""
    request = known.request
    untrue = known.is_prepared or bool(known.gives_away or known.untrue)
    undone = request.status == "executed" and (known.model.forgot == "failed" or untrue)
    return request.search == "found" or undone or request.status == "open" or bool(known.contradictions)
