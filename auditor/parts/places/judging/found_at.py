"""Where in a place a deleted record was found: a file and a line, or a row and its columns, and never what is there."""

from __future__ import annotations

from typing import Final, Self

from pydantic import Field, model_validator

from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Count

MOST: Final = 3
"""Spots of one request that are kept; the others are counted."""
MOST_REQUESTS: Final = 100
"""Requests of one place whose spots are kept."""
MOST_COLUMNS: Final = 3
_ADDED: Final = frozenset({"byte", "under_other"})


class FoundSpot(Values):
    """One line, row, file or name."""

    file: str
    """Below the place; what is packed, below its own file."""
    line: Count = Field(default=0, exclude_if=lambda value: not value)
    """From one on, of a text."""
    table: str = Field(default="", exclude_if=lambda value: not value)
    """Of a database or store, where its name says nobody's data."""
    row: Count = Field(default=0, exclude_if=lambda value: not value)
    """From one on, in the order in which the table keeps them."""
    byte: Count = Field(default=0, exclude_if=lambda value: not value)
    """From one on, where it begins in a file that has neither rows nor lines."""
    columns: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """That hold it, the first few of those whose names say nobody's data."""
    deleted: bool = Field(default=False, exclude_if=lambda value: not value)
    """Whether nothing of it lies in rows that are there."""
    named: bool = Field(default=False, exclude_if=lambda value: not value)
    """Whether it is what the file or folder is called, or noted of it."""
    under_other: bool = Field(default=False, exclude_if=lambda value: not value)
    """Whether its row or line has the id of somebody who stays, and not the record's own."""

    def told(self) -> dict[str, object]:
        """Give every field, for a sentence; of those added later, the ones that say something."""
        return {name: value for name in type(self).model_fields if (value := getattr(self, name)) or name not in _ADDED}


class FoundOf(Values):
    """Where records of one request were found."""

    request_id: str
    spots: tuple[FoundSpot, ...]
    more: Count = Field(default=0, exclude_if=lambda value: not value)
    """Further ones."""

    def told(self) -> dict[str, object]:
        """Give every field, for a sentence."""
        return {"request": self.request_id, "spots": [each.told() for each in self.spots], "more": self.more}

    @model_validator(mode="after")
    def _first_few(self) -> Self:
        if not self.spots or len(self.spots) > MOST or (self.more and len(self.spots) < MOST):
            raise ValueError(f"the first {MOST} spots are named before others are counted")
        return self
