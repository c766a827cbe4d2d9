"""Contradictions among dates that only some deletion logs have: three dates, extension, pauses, recipients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date
from typing import Literal

from auditor.base.deletion_log.requests import Awaited, ClockPause, Request

TIME_BEFORE_RECEIVED = "TIME_BEFORE_RECEIVED"
TIME_IN_FUTURE = "TIME_IN_FUTURE"
RESUMED_BEFORE_PAUSED = "RESUMED_BEFORE_PAUSED"
UNTIL_BEFORE_NOTIFIED = "UNTIL_BEFORE_NOTIFIED"


def misdated_check(
    checked: date | None, answered: date | None, waits: Iterable[ClockPause]
) -> Literal["after-answer", "in-wait"] | None:
    """Say whether an identity check is dated after the answer, or while the person had still to be asked who they are."""
    if checked is None:
        return None
    if answered is not None and checked > answered:
        return "after-answer"
    of_identity = ((each.paused_at.date(), each.resumed_at) for each in waits if each.awaits is Awaited.IDENTITY)
    return "in-wait" if any(over is not None and begun <= checked < over.date() for begun, over in of_identity) else None


def contradictions(request: Request, today: date | None) -> Iterator[tuple[str, str]]:
    """Give every code and message, without the row's name.

    TIME_BEFORE_RECEIVED, TIME_IN_FUTURE: a date lies before the receipt, or after `today` in UTC. RESUMED_BEFORE_PAUSED: a pause
    ends before it begins. UNTIL_BEFORE_NOTIFIED: an extension ends before the person was told of it.

    Args:
        request: The row.
        today: The day of the audit; None to look at no future.
    """
    extension, received = request.extension, request.received_at
    times = {name: getattr(request, name) for name in ("data_erased_at", "model_erased_at", "answered_at", "confirmed_at")}
    if request.identity_checked_at is not None:
        # Somebody who is known may have been checked before they asked.
        times["identity_checked_at"] = max(request.identity_checked_at, received)
    times["extension.notified_at"] = None if extension is None else extension.notified_at
    for number, pause in enumerate(request.clock_pauses):
        times |= {f"clock_pauses.{number}.paused_at": pause.paused_at, f"clock_pauses.{number}.resumed_at": pause.resumed_at}
        if pause.resumed_at is not None and pause.resumed_at < pause.paused_at:
            yield RESUMED_BEFORE_PAUSED, f"clock_pauses.{number} ends at {pause.resumed_at.isoformat()}, before it begins"
    for number, recipient in enumerate(request.recipients_notified or ()):
        times[f"recipients_notified.{number}"] = recipient.notified_at
    for name, at in times.items():
        if at is not None and at < received:
            yield TIME_BEFORE_RECEIVED, f"{name} is {at.isoformat()}, received at {received.isoformat()}"
        if at is not None and today is not None and at.astimezone(UTC).date() > today:
            yield TIME_IN_FUTURE, f"{name} is {at.isoformat()}, which lies after {today.isoformat()}"
    if extension is not None and extension.until is not None and extension.notified_at is not None:
        notified_on = extension.notified_at.date()
        if extension.until < notified_on:
            yield (
                UNTIL_BEFORE_NOTIFIED,
                f"extension.until is {extension.until.isoformat()}, notified on {notified_on.isoformat()}",
            )
