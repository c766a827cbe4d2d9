"""Say what the eight pages of the main report say: what was decided, found and left open, for someone who knows no formula."""

from __future__ import annotations

from enum import StrEnum


# How far a thing is settled: a mark that reads without colour. A full one is never given for what is taken on trust.
class Light(StrEnum):
    """Whether something is met, met in part or on trust, not met, or not examined: four shapes that differ without colour."""

    FULL = "●"
    HALF = "◐"
    BAD = "■"
    EMPTY = "○"

    @property
    def tone(self) -> str:
        """The class that colours it."""
        return {Light.FULL: "full", Light.HALF: "half", Light.BAD: "bad", Light.EMPTY: "empty"}[self]
