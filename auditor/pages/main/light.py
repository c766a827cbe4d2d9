"""How far a thing is settled: a mark that reads without colour. A full one is never given for what is taken on trust."""

from __future__ import annotations

from enum import StrEnum


class Light(StrEnum):
    """Whether something was examined and holds, holds in part or on trust, or does not hold or was not examined."""

    FULL = "●"
    HALF = "◐"
    EMPTY = "○"

    @property
    def tone(self) -> str:
        """The class that colours it."""
        return {Light.FULL: "full", Light.HALF: "half", Light.EMPTY: "empty"}[self]
