"""A strongly history independent dictionary (Cohen et al. 2023, Section 3.1.1): the state is its contents in order of keys."""

from __future__ import annotations

from auditor.parts.controllers.learning import canonical


class Dictionary:
    """One value a channel. `set` puts it, `get` returns it, `delete` forgets both."""

    def initialize(self, seed: int) -> None:
        """Begin empty; it draws nothing."""
        del seed
        self._values: dict[str, str | None] = {}

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation, and return the channel's own value after it."""
        match operation:
            case "set":
                self._values[channel] = argument
            case "delete":
                self._values.pop(channel, None)
        return self._values.get(channel)

    def state(self) -> bytes:
        """The contents, sorted: who came first shows nowhere, nor who has left."""
        return canonical.form(self._values)
