"""Say what the person was asked for, what the wait for it moved, and what is still missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from auditor.base.deletion_log.deadlines import says_nothing
from auditor.base.deletion_log.requests import Awaited, ClockPause, Regime
from auditor.pages import wording
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import theirs
from auditor.pages.letters.rows import NONE, Row
from auditor.pages.words.texts import text

MOST_PAUSES: Final = 2


def waiting(known: Known) -> str:
    """What the person was asked for, and when."""
    lasting = [each for each in known.request.pauses if each.resumed_at is None and each.reason]
    awaits = awaited_in_all(lasting)
    begins = when_it_begins(known, awaits)
    if not lasting:
        return f"{text('letter-waiting', awaits=awaits)} {begins}"
    asked = min(lasting, key=lambda each: each.paused_at)
    given = {"on": wording.day(asked.paused_at), "reason": theirs((asked.reason or "").rstrip(" ."))}
    return f"{text('letter-waiting-for', awaits=awaited(asked), **given)} {begins}"


def when_it_begins(known: Known, awaits: str) -> str:
    """When the time to answer begins that has not begun yet: a notice of more time alone fixes no day."""
    return text("letter-waiting-begins", awaits=awaits, extended="yes" if known.request.extended else "no")


def paused(known: Known) -> Iterator[str]:
    """When the controller waited, why, and when the time to answer began, by the log alone."""
    if known.request.begins_on is None:
        return
    for each in known.request.pauses[:MOST_PAUSES]:
        if each.resumed_at is not None and each.reason:
            given = {"on": wording.day(each.paused_at), "until": wording.day(each.resumed_at)}
            given["awaits"] = awaited(each)
            yield text("letter-paused-for", reason=theirs(each.reason.rstrip(" .")), **given)
    over = [each for each in known.request.pauses if each.resumed_at is not None]
    yield text("letter-paused", begins=wording.day(known.request.begins_on), awaits=awaited_in_all(over))
    yield text("letter-paused-unchecked")


def still_asked(known: Known) -> Iterator[Row]:
    """What the person is still asked for; when and why, where the dates do not say so already."""
    stopping = [each for each in known.request.pauses if each.resumed_at is None and each.reason]
    first = min(stopping, key=lambda each: each.paused_at) if known.request.waiting and stopping else None
    asked = known.request.asked
    if not asked:
        return
    said = []
    for each in [each for each in asked if each != first][:MOST_PAUSES]:
        awaits = awaited(each)
        said.append(text(f"reply-asked-{awaits}", on=wording.day(each.paused_at)))
        if not says_nothing(each.reason):
            said.append(text("letter-asked-reason", said=theirs((each.reason or "").rstrip(" ."))))
    said.append(text("reply-still-waiting", awaits=awaited_in_all(asked)))
    said += [needed(known.request.regime, awaits) for awaits in dict.fromkeys(map(awaited, asked))]
    yield Row(text("letter-row-needed"), "", *NONE, tuple(said))


def awaited(pause: ClockPause) -> str:
    """Give what the person was asked for: details where the log does not say."""
    return (pause.awaits or Awaited.DETAILS).value


def awaited_in_all(pauses: Sequence[ClockPause]) -> str:
    """What the person was asked for in all of some pauses; "several" where these differ."""
    kinds = set(map(awaited, pauses)) or {Awaited.DETAILS.value}
    return kinds.pop() if len(kinds) == 1 else "several"


def of_doubt(known: Known) -> str:
    """What the person was asked for in the waits that may have given more time: in the EU that is one thing alone."""
    return awaited_in_all(known.request.pauses) if known.request.pauses else Awaited.IDENTITY.value


def needed(regime: Regime, awaits: str) -> str:
    """Ask for what the controller waits for, in the words of the law of the request."""
    law = "" if regime is Regime.CCPA else text(f"letter-law-{regime.value}")
    other = "-ccpa" if awaits == Awaited.IDENTITY.value and regime is Regime.CCPA else ""
    return text(f"reply-needed-{awaits}{other}", law=law)
