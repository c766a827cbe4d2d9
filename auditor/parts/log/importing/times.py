"""Times as exports write them, in a zone that the user names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, tzinfo
from typing import Final, Literal, TypeAlias

Order: TypeAlias = Literal["dmy", "mdy"]
TIMES: Final = (
    "received_at",
    "executed_at",
    "data_erased_at",
    "model_erased_at",
    "answered_at",
    "identity_checked_at",
    "confirmed_at",
)
"""Columns of the log that hold a time."""
_RECEIPT: Final = "received_at"
_END_OF_DAY: Final = time(23, 59, 59)
_CLOCK: Final = r"(?:[T ,]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?)?"
_ISO: Final = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})" + _CLOCK, re.IGNORECASE)
_DOTTED: Final = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})" + _CLOCK)
_SLASHED: Final = re.compile(r"(?P<first>\d{1,2})/(?P<second_part>\d{1,2})/(?P<year>\d{4})" + _CLOCK)
_BEGINS: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
NO_ZONE: Final = "a time with its offset, or --timezone to say whose clock it was read from"
NO_ORDER: Final = "--dates dmy or mdy to read dates with slashes"
FOR_ALL_ROWS: Final = {NO_ZONE: "--timezone", NO_ORDER: "--dates"}
"""What one option says of every row, by what is expected where it is missing."""
_EXPECTED: Final = "a time such as 2026-03-01T09:30:00+01:00, 2026-03-01 09:30 or 01.03.2026 09:30"


@dataclass(frozen=True, slots=True)
class Clock:
    """How times without an offset are to be read."""

    zone: tzinfo | None = None
    """None refuses them."""
    order: Order | None = None
    """Of days and months between slashes; None refuses them."""

    def read(self, column: str, text: str) -> str:
        """Give a time as RFC 3339 with its offset.

        Where a text leaves two readings, the one is taken that is stricter with the controller: a receipt as early, everything
        else as late as it can be. A date alone is the beginning or the end of that day; an hour that the clocks of the zone
        strike twice is the first or the second.

        Args:
            column: The log's column, which decides what is stricter.
            text: As the export has it.

        Raises:
            ValueError: With what was expected and what was found.
        """
        text = text.strip()
        try:
            exact = datetime.fromisoformat(text) if "T" in text.upper() or ":" in text else None
        except ValueError:
            exact = None
        if exact is not None and exact.tzinfo is not None:
            return exact.isoformat()
        return self._placed(self._local(text, early=column == _RECEIPT), text, early=column == _RECEIPT).isoformat()

    def strikes_twice(self, text: str) -> bool:
        """Whether a time that can be read is one that the clocks of the zone show twice, as when summer time ends."""
        text = text.strip()
        try:
            exact = datetime.fromisoformat(text) if "T" in text.upper() or ":" in text else None
        except ValueError:
            exact = None
        if self.zone is None or ":" not in text or (exact is not None and exact.tzinfo is not None):
            return False
        local = self._local(text, early=True).replace(tzinfo=self.zone)
        return local.utcoffset() != local.replace(fold=1).utcoffset()

    def _local(self, text: str, *, early: bool) -> datetime:
        match = _ISO.fullmatch(text) or _DOTTED.fullmatch(text) or _SLASHED.fullmatch(text)
        if match is None:
            raise ValueError(_EXPECTED, f'"{text[:40]}"')
        parts = match.groupdict()
        if "first" in parts:
            if self.order is None:
                raise ValueError(NO_ORDER, f'"{text[:40]}"')
            day, month = (parts["first"], parts["second_part"]) if self.order == "dmy" else (parts["second_part"], parts["first"])
        else:
            day, month = parts["day"], parts["month"]
        try:
            whole = datetime(int(parts["year"]), int(month), int(day))  # noqa: DTZ001 - its zone follows
            if parts["hour"] is None:
                return whole if early else datetime.combine(whole, _END_OF_DAY)
            return whole.replace(hour=int(parts["hour"]), minute=int(parts["minute"]), second=int(parts["second"] or 0))
        except ValueError as error:
            raise ValueError(_EXPECTED, f'"{text[:40]}": {error}') from error

    def _placed(self, local: datetime, text: str, *, early: bool) -> datetime:
        if self.zone is None:
            raise ValueError(NO_ZONE, f'"{text[:40]}"')
        placed = local.replace(tzinfo=self.zone, fold=0 if early else 1)
        if placed.astimezone(UTC).astimezone(self.zone).replace(tzinfo=None, fold=0) != local:
            raise ValueError("a time that there was", f'"{text[:40]}", which the clocks of {self.zone} leave out')
        return placed


def mostly_times(cells: Iterable[str]) -> bool:
    """Whether at least half of the cells that hold anything look like times, well written or not."""
    found = [bool(_BEGINS.match(each.strip())) for each in cells if each.strip()]
    return bool(found) and 2 * sum(found) >= len(found)
