"""A row of a letter's table, and the tones in which it is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GOOD: Final = ("good", "●")
PART: Final = ("part", "◐")
BAD: Final = ("bad", "■")
OPEN: Final = ("open", "◇")
NONE: Final = ("none", "○")
MOST: Final = 4
"""Recipients, places or things that a letter names one by one."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    label: str
    word: str
    """The state in a word or two; empty where there is none."""
    tone: str
    mark: str
    sentences: tuple[str, ...]
