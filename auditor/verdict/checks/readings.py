"""What pages read of the models of a check that they know by its role alone: what the role promises of them.

A test holds that the check of each role keeps the promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from auditor.base.domain import Reason


class SearchedPlace(Protocol):
    """A place that was searched."""

    @property
    def place(self) -> Reason:
        """What it is."""

    @property
    def records_searched(self) -> int | None:
        """Records, lines or cells that it came apart into; None where it was searched as plain bytes."""

    @property
    def found(self) -> int:
        """Deleted records that were found there."""

    @property
    def how(self) -> Reason:
        """How it was searched."""


class UnsearchedPlace(Protocol):
    """A place that does not exist, or could not be searched."""

    @property
    def place(self) -> Reason:
        """What it is."""

    @property
    def why(self) -> Reason:
        """Why it was not."""


@runtime_checkable
class Search(Protocol):
    """What a check with the role `SEARCHES` observed."""

    @property
    def deleted(self) -> int:
        """Records that were looked for."""

    @property
    def request_ids(self) -> Sequence[str]:
        """Requests whose records were found."""

    @property
    def searched(self) -> Sequence[SearchedPlace]:
        """Every place that was searched."""

    @property
    def not_searched(self) -> Sequence[UnsearchedPlace]:
        """Every place that was not."""


@runtime_checkable
class Times(Protocol):
    """What a check with the role `SPEED` observed."""

    @property
    def retrain_seconds(self) -> float:
        """Of one training from scratch."""


@runtime_checkable
class Accuracies(Protocol):
    """What a check with the role `ACCURACY` derived."""

    @property
    def unlearned(self) -> float:
        """The accuracy of the unlearned model, between 0 and 1."""

    @property
    def retrained(self) -> float:
        """The accuracy of a retrained one, between 0 and 1."""

    @property
    def records(self) -> int:
        """Records that both were asked about."""


class Requests(Protocol):
    """Some of the log's requests."""

    def holds(self, request_id: str, subject: str | None, /) -> bool:
        """Whether a request, and that person's where the log tells people apart, is among them."""


class Picking(Protocol):
    """An attack on the log's own releases."""

    @property
    def picked(self) -> Requests:
        """Requests with a record that it picked out."""

    @property
    def not_tried(self) -> Requests:
        """Executed requests none of whose records was attacked."""


@runtime_checkable
class AttackOnLog(Protocol):
    """What a check with the role `ATTACKS_LOG` observed."""

    @property
    def log(self) -> Picking | None:
        """None where the log's own releases were not attacked."""
