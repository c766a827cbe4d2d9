"""The XOR controller (Cohen et al. 2023, Example 2.4): control over one's data without any deletion.

A random start is combined with every message. What a deletion leaves is as random as what there was before: with a fresh start
nobody can tell. Under the same start everybody can.
"""

from __future__ import annotations

import hashlib
import random

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
