"""A public directory with usage statistics (Cohen et al. 2023, Algorithm 5, Corollary 6.5).

A listing is a name, and after a space a number or whatever else; anybody may look it up by the name (Section 1.1). How many have
looked one up, former members included, is reported with noise. The directory is a dictionary in canonical form, the count a
pan-private tree: neither history independence nor confidentiality nor differential privacy holds of the two together, and
deletion-as-control does.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from auditor.parts.controllers.learning import canonical
from auditor.parts.controllers.learning.compiled import DELTA, EPSILON, HORIZON, TreeCount


# Two controllers side by side (Cohen et al. 2023, Definition 6.3): both get every operation and share neither tape nor state.
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


_COUNTED: Final = {"get": "add", "getCount": "tick", "delete": "delete"}
"""What the count makes of an operation."""


class _Entries:
    """`set` puts the channel's listing, `get` returns those that begin with a name, `delete` forgets one's own."""

    def initialize(self, seed: int) -> None:
        del seed
        self._entries: dict[str, str] = {}

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        match operation:
            case "set":
                self._entries[channel] = argument or ""
            case "get":
                found = sorted(each for each in self._entries.values() if each.split(" ", 1)[0] == argument)
                return "\n".join(found) or None
            case "delete":
                self._entries.pop(channel, None)
        return None

    def held(self) -> dict[str, str]:
        return self._entries


class _Readers(TreeCount):
    """Counts each channel's first `get`; `getCount` is the tick."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        del argument  # whose entry was looked up is nothing to the count
        counted = _COUNTED.get(operation)
        return None if counted is None else super().activate(channel, counted, None)


class PublicDirectory(Parallel):
    """`set` and `get` for everybody, `delete` for one's own, `getCount` for the environment alone."""

    def __init__(self, *, epsilon: float = EPSILON, delta: float = DELTA, horizon: int = HORIZON) -> None:
        """Take note of what is promised: (epsilon, delta) for one reader, over `horizon` reports."""
        super().__init__(_Readers(epsilon=epsilon, delta=delta, horizon=horizon), _Entries())
