"""Say what the person was asked for, when the clock stood still for it, and what is still missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from auditor.base.deletion_log.deadlines import says_nothing
from auditor.base.domain import Awaited, ClockPause, Regime
from auditor.pages import wording
from auditor.pages.letters import (
    punctuality,
)
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import theirs
from auditor.pages.letters.rows import NONE, Row
from auditor.pages.words.texts import text

MOST_PAUSES: Final = 2


def waiting(known: Known) -> str:
    """What the person was asked for, and when."""
    stopping = (each for each in known.request.pauses if each.resumed_at is None and each.reason)
    asked, left = min(stopping, key=lambda each: each.paused_at, default=None), punctuality.days_left(known.request)
    if asked is None or left is None:
        return text("letter-waiting", awaits=awaited_in_all(known.request.pauses))
    reason = theirs((asked.reason or "").rstrip(" ."))
    on = wording.day(asked.paused_at)
    return text("letter-waiting-for", awaits=awaited(asked), on=on, reason=reason, days=left)


def paused(known: Known) -> Iterator[str]:
    """When the clock stood still, and why, by the log alone."""
    if not known.request.paused_days:
        return
    for each in known.request.pauses[:MOST_PAUSES]:
        if each.resumed_at is not None and each.reason:
            given = {"on": wording.day(each.paused_at), "until": wording.day(each.resumed_at)}
            given["awaits"] = awaited(each)
            yield text("letter-paused-for", reason=theirs(each.reason.rstrip(" .")), **given)
    over = [each for each in known.request.pauses if each.resumed_at is not None]
    yield text("letter-paused", days=known.request.paused_days, awaits=awaited_in_all(over))
    yield text("letter-paused-unchecked")


def still_asked(known: Known) -> Iterator[Row]:
    """What the person is still asked for, where the dates do not say so already."""
    stopping = [each for each in known.request.pauses if each.resumed_at is None and each.reason]
    first = min(stopping, key=lambda each: each.paused_at) if known.request.waiting and stopping else None
    asked = tuple(each for each in known.request.asked if each != first)
    if not asked:
        return
    said = []
    for each in asked[:MOST_PAUSES]:
        awaits = awaited(each)
        said.append(text(f"reply-asked-{awaits}", on=wording.day(each.paused_at)))
        if not says_nothing(each.reason):
            said.append(text("letter-asked-reason", said=theirs((each.reason or "").rstrip(" ."))))
    said.append(text("reply-still-waiting"))
    said += [needed(known.request.regime, awaits) for awaits in dict.fromkeys(map(awaited, asked))]
    yield Row(text("letter-row-needed"), "", *NONE, tuple(said))


def awaited(pause: ClockPause) -> str:
    """Give what the person was asked for: details where the log does not say."""
    return (pause.awaits or Awaited.DETAILS).value


def awaited_in_all(pauses: Sequence[ClockPause]) -> str:
    """What the person was asked for in all of some pauses; "several" where these differ."""
    kinds = set(map(awaited, pauses)) or {Awaited.DETAILS.value}
    return kinds.pop() if len(kinds) == 1 else "several"


def needed(regime: Regime, awaits: str) -> str:
    """Ask for what the controller waits for, in the words of the law of the request."""
    law = "" if regime is Regime.CCPA else text(f"letter-law-{regime.value}")
    other = "-ccpa" if awaits == Awaited.IDENTITY.value and regime is Regime.CCPA else ""
    return text(f"reply-needed-{awaits}{other}", law=law)
