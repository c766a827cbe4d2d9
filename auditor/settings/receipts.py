"""Receipts of processors, as audit.toml declares them: that one erased what it held, on whose word, and the file that says so."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator

from auditor.settings.values import Day, Sha256, Table, Text, show, wrong

ALL: Final = "all"
"""Every request that was received by the day of the receipt."""
MOST_RECEIPTS: Final = 1000
"""Entries of [[receipts]]."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""Of the file of a receipt."""


def _requests(value: object) -> object:
    expected = f'an array with the ids of requests, each once, or "{ALL}"'
    if value == ALL:
        return value
    if isinstance(value, str) or not isinstance(value, list | tuple) or not value:
        raise wrong(expected, "an empty array" if value in ([], ()) else show(value))
    words = [item for item in value if isinstance(item, str)]
    if repeated := sorted({word for word in words if words.count(word) > 1}):
        raise wrong(expected, f"{show(repeated[0])} more than once")
    return tuple(value)


class Receipt(Table):
    """A processor's receipt: a fact as declared, with a file that no check reads."""

    processor: Text
    """Who gave it."""
    what: Text
    """What the processor says that it did."""
    requests: Annotated[Literal["all"] | tuple[Text, ...], BeforeValidator(_requests)]
    """Ids of the requests that it covers, as the log has them, or `"all"`: those received by the day of the receipt."""
    at: Day
    """The day of the receipt."""
    file: Text
    """The receipt itself, inside the case folder; the evidence has its digest. A status of OpenDSR must be `completed`, and of
    this request."""
    sha256: Sha256 | None = None
    """Its SHA-256, where it was noted when it came; the audit refuses a file with another."""

    def covers(self, request_id: str, received_on: date) -> bool:
        """Whether it covers a request: none that was received after it."""
        return received_on <= self.at and (self.requests == ALL or request_id in self.requests)
