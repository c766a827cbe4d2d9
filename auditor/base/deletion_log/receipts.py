"""Receipts against the log: whose each is, by the name alone, and where a receipt and the log do not agree.

Letter, reply, report and `validate` ask here. A name is compared without capitals, spaces and stops, as log and audit.toml may
write it differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Protocol, TypeVar

from auditor.base.deletion_log.requests import Recipient, RequestOutcome


class Given(Protocol):
    """A receipt that covers a request."""

    @property
    def processor(self) -> str:
        """Who gave it."""

    @property
    def at(self) -> date:
        """The day of the receipt."""


class Covering(Protocol):
    """A receipt that knows which requests it covers."""

    def covers(self, request_id: str, received_on: date, /) -> bool:
        """Whether it covers a request."""


_Receipt = TypeVar("_Receipt", bound=Given)
_Covering = TypeVar("_Covering", bound=Covering)


def covering(receipts: Iterable[_Covering], request: RequestOutcome) -> tuple[_Covering, ...]:
    """Give the receipts that cover a request."""
    return tuple(each for each in receipts if each.covers(request.request_id, request.received_on))


def of_recipient(receipts: Iterable[_Receipt], recipient: Recipient) -> tuple[_Receipt, ...]:
    """Give the receipts of one recipient, none of one without a name."""
    name = _folded(recipient.name or "")
    return tuple(each for each in receipts if name and _folded(each.processor) == name)


def of_untold(receipts: Iterable[_Receipt], recipients: Iterable[Recipient]) -> tuple[_Receipt, ...]:
    """Give the receipts of those who were not notified of the erasure by the log."""
    listed = tuple(receipts)
    return tuple(one for each in recipients if not each.notified for one in of_recipient(listed, each))


def before_notice(receipts: Iterable[_Receipt], recipients: Iterable[Recipient]) -> tuple[tuple[_Receipt, Recipient], ...]:
    """Give the receipts that are older than the notice of the erasure by the log, each with whose it is.

    Of one who gave a later receipt as well the older one may be about something else.
    """
    listed, found = tuple(receipts), list[tuple[_Receipt, Recipient]]()
    for each in recipients:
        told = each.notified_at
        own = () if told is None or not each.notified else of_recipient(listed, each)
        if told is not None and own and all(one.at < told.date() for one in own):
            found.append((max(own, key=lambda one: one.at), each))
    return tuple(found)


def _folded(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())
