"""Controllers that a few lines make: a bulletin board, cloud storage, a dictionary, and the XOR controller."""

from __future__ import annotations

import hashlib
import random

from auditor.parts.controllers.learning import canonical


# A public bulletin board (Cohen et al. 2023, Section 1.1): what one posts all read, until the one who posted it leaves.
# Deletion-as-confidentiality rules it out, since others have read the posts; deletion-as-control does not (Corollary 3.10).
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


# Private cloud storage (Cohen et al. 2023, Section 1.1): each channel keeps files that nobody else reads.
# On a history independent dictionary it satisfies deletion-as-control (Corollary 3.10).
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


# A strongly history independent dictionary (Cohen et al. 2023, Section 3.1.1): the state is its contents in order of keys.
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


# The XOR controller (Cohen et al. 2023, Example 2.4): control over one's data without any deletion.
# A random start is combined with every message. What a deletion leaves is as random as what there was before: with a fresh
# start nobody can tell. Under the same start everybody can.
_BYTES = 16


class Xor:
    """`add` combines a message with the state, bit by bit; everything else, `delete` too, does nothing."""

    def __init__(self, *, bits: int | None = None) -> None:
        """Take note of how long the state is: 128 bits that are drawn from the seed, or so many, read from it as they are."""
        self._bits = bits

    def initialize(self, seed: int) -> None:
        """Draw the start."""
        if self._bits is None:
            self._held = random.Random(seed).randbytes(_BYTES)  # noqa: S311 - the game's tape, given from outside
        else:
            self._held = (seed % 2**self._bits).to_bytes(_BYTES)

    def activate(self, channel: str, operation: str, argument: str | None) -> None:
        """Combine a message with the state; nothing is returned."""
        if operation == "add":
            message = hashlib.sha256(f"{channel}\0{argument}".encode()).digest()[:_BYTES]
            if self._bits is not None:
                message = (int.from_bytes(message) % 2**self._bits).to_bytes(_BYTES)
            self._held = bytes(one ^ other for one, other in zip(self._held, message, strict=True))

    def state(self) -> bytes:
        """The bits."""
        return self._held
