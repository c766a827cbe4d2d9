"""Print texts of the controller's: between quotation marks, at a length that a letter has room for."""

from __future__ import annotations

from typing import Final

from auditor.pages import wording

LONGEST: Final = 260
"""Characters of a text of the controller's that a letter prints: it has two pages at most."""


def theirs(said: str | None) -> str:
    """A text of the controller's, between quotation marks."""
    return "" if said is None else f"“{wording.short(said, LONGEST)}”"


def first_capital(said: str) -> str:
    """A text with a capital at its beginning."""
    return f"{said[:1].upper()}{said[1:]}"
