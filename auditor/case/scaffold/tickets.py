"""What is asked of an export of tickets, which the part on the log reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from auditor.case.scaffold.tables import Table


@dataclass(frozen=True, slots=True)
class Log:
    """A log for the case, and how it came about."""

    content: bytes
    people: str | None = None
    """The column of the data that tickets name people by; None where they name records."""
    requests: int | None = None
    """How many an export became; None of a log that is one already."""
    head: str | None = None
    """The last hash of the chain that they were given."""
    said: tuple[str, ...] = ()
    """Which columns were taken for what, and what was left out, a line each."""
    provenance: bytes | None = None
    """What of an export is not in the log, and how it was read; None of a log that is one already."""
    ending: str = ".jsonl"
    """Of the name that its content has."""


class Tickets(Protocol):
    """An export of tickets, or a log, with what was told about it."""

    def values(self) -> frozenset[str]:
        """Everything that its cells hold, one by one: ids of records are among them; empty where it is no table."""
        ...

    def log(self, data: Table, id_column: str) -> Log:
        """Turn it into a log about the data, whose ids are in that column."""
        ...

    def alone(self, who: Callable[[], tuple[Table, str] | None] = lambda: None) -> Log:
        """Turn it into a log where nothing is trained.

        Args:
            who: Reads the table that says whose records are whose, and names its column of ids; asked only where the export
                itself does not name records.
        """
        ...
