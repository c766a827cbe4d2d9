"""Private cloud storage (Cohen et al. 2023, Section 1.1): each channel keeps files that nobody else reads.

On a history independent dictionary it satisfies deletion-as-control (Corollary 3.10).
"""

from __future__ import annotations

from auditor.parts.controllers.learning import canonical


class CloudStorage:
    """`upload` keeps a file, `download` returns the channel's own file of that name, `delete` closes the account."""

    def initialize(self, seed: int) -> None:
        """Begin empty; it draws nothing."""
        del seed
        self._files: dict[str, list[str]] = {}

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation; only a download returns anything."""
        match operation:
            case "upload":
                self._files.setdefault(channel, []).append(argument or "")
            case "download":
                return argument if argument in self._files.get(channel, ()) else None
            case "delete":
                self._files.pop(channel, None)
        return None

    def state(self) -> bytes:
        """Every account in order of its name; its files as they were uploaded."""
        return canonical.form(self._files)
