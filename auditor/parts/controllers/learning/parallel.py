"""Two controllers side by side (Cohen et al. 2023, Definition 6.3): both get every operation and share neither tape nor state."""

from __future__ import annotations

from typing import Any, Protocol

from auditor.parts.controllers.learning import canonical


class Part(Protocol):
    """One of the two."""

    def initialize(self, seed: int) -> None:
        """Begin."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation."""

    def held(self) -> Any:
        """Everything that is kept between two operations."""


class Parallel:
    """Query-response controllers (Definition 6.2) of which at most one answers an operation: that answer is the pair's."""

    def __init__(self, first: Part, second: Part) -> None:
        """Take two controllers."""
        self._parts = (first, second)

    def initialize(self, seed: int) -> None:
        """Begin both, each with a part of the tape of its own."""
        for number, part in enumerate(self._parts):
            part.initialize(2 * seed + number)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Let both carry out one operation."""
        answers = [part.activate(channel, operation, argument) for part in self._parts]
        return next((each for each in answers if each is not None), None)

    def held(self) -> list[Any]:
        """What both keep, the first one's first."""
        return [part.held() for part in self._parts]

    def state(self) -> bytes:
        """The same as bytes."""
        return canonical.form(self.held())
