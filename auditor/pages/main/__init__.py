"""Say what the eight pages of the main report say: what was decided, found and left open, for someone who knows no formula."""

from __future__ import annotations

from enum import StrEnum


# How far a thing is settled: a mark that reads without colour. A full one is never given for what is taken on trust.
class Light(StrEnum):
    """Whether something was examined and holds, holds in part or on trust, or does not hold or was not examined."""

    FULL = "●"
    HALF = "◐"
    EMPTY = "○"

    @property
    def tone(self) -> str:
        """The class that colours it."""
        return {Light.FULL: "full", Light.HALF: "half", Light.EMPTY: "empty"}[self]
