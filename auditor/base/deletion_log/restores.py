"""Which requests have to be carried out again after a restore: a backup brings back whatever was erased after it was made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone

from auditor.base.deletion_log.requests import Request

_EARLIEST = timezone(timedelta(hours=14))
"""Where a day begins first."""


@dataclass(frozen=True, slots=True)
class Again:
    """What a restored backup asks for."""

    to_repeat: tuple[Request, ...]
    """Carried out since the backup was made, or at a time that the log does not say; in the order of the log."""
    waiting: tuple[Request, ...]
    """Not carried out yet, whatever was restored."""


def made_at(said: str) -> datetime:
    """When a backup was made: a time with an offset, or a day, of which the first moment anywhere on earth counts.

    Raises:
        ValueError: If it is neither.
    """
    try:
        return datetime.combine(date.fromisoformat(said), time(), _EARLIEST)
    except ValueError:
        moment = datetime.fromisoformat(said)
        if moment.tzinfo is None:
            raise ValueError("a time without an offset") from None
        return moment


def again(requests: Iterable[Request], made: datetime) -> Again:
    """Sort out what has to be carried out again.

    The latest of a request's times of erasure decides: what was erased in part before the backup may have been in it in part.
    A request that says it was carried out and not when is repeated.

    Args:
        requests: The log.
        made: When the backup was made.
    """
    repeat, waiting = [], []
    for each in requests:
        times = [moment for moment in (each.executed_at, each.data_erased_at, each.model_erased_at) if moment is not None]
        if times:
            # Whatever its status says: to erase once more is the strict side of a contradiction.
            if max(times) >= made:
                repeat.append(each)
        elif each.status == "executed":
            repeat.append(each)
        elif each.status not in {"denied", "revoked", "no_match"}:
            waiting.append(each)
    return Again(tuple(repeat), tuple(waiting))
