"""A public bulletin board (Cohen et al. 2023, Section 1.1): what one posts all read, until the one who posted it leaves.

Deletion-as-confidentiality rules it out, since others have read the posts; deletion-as-control does not (Corollary 3.10).
"""

from __future__ import annotations

from auditor.parts.controllers.learning import canonical


class BulletinBoard:
    """`post` adds to the board, `read` returns all of it, `delete` takes down everything that the channel posted."""

    def initialize(self, seed: int) -> None:
        """Begin empty; it draws nothing."""
        del seed
        self._posts: list[tuple[str, str]] = []

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation; only reading returns anything."""
        match operation:
            case "post":
                self._posts.append((channel, argument or ""))
            case "read":
                return "\n".join(f"{name}: {text}" for name, text in self._posts)[:100_000]
            case "delete":
                self._posts = [each for each in self._posts if each[0] != channel]
        return None

    def state(self) -> bytes:
        """The posts in the order in which they were made: no number of a post is left over from one that is gone."""
        return canonical.form(self._posts)
