"""Runs two controllers side by side as one (Cohen et al. 2023, Definition 6.3): both get every operation, and share nothing.

Of a pair that a case declares the sandbox's child builds both parts. Code of a case could work out any number that it can count
to, so that the two parts of the random tape are digests: nobody who has one knows the other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from auditor.base.histories import DELETE

_TAPE_BYTES: Final = 16


class Part(Protocol):
    """One of the two, with the methods of every controller."""

    def initialize(self, seed: int) -> str | None:
        """Begin."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation."""

    def state(self) -> bytes:
        """Everything that is kept between two operations."""


class Heard(NamedTuple):
    """What a part is asked where the pair is asked for an operation."""

    operation: str
    """By the part's own name."""
    takes: bool
    """Whether it is given the argument."""


def tape_of(seed: int, number: int) -> int:
    """The tape of one part, which says nothing of the other's.

    Args:
        seed: The pair's.
        number: 0 for the first part, 1 for the second.
    """
    return int.from_bytes(hashlib.sha256(f"{seed}/{number}".encode()).digest()[:_TAPE_BYTES])


def together(answers: Sequence[str | None]) -> str | None:
    """The pair's answer: that of the only part that gives one, or both as a JSON array.

    Raises:
        TypeError: If two are given that are not both texts.
    """
    said = [each for each in answers if each is not None]
    if len(said) < 2:
        return said[0] if said else None
    if any(type(each) is not str for each in said):
        raise TypeError("expected a text or None from each part")
    return json.dumps(said)


def joined(states: Sequence[bytes]) -> bytes:
    """The states of both as one, from which either can be read again.

    Raises:
        TypeError: If one is not bytes.
    """
    if any(type(each) is not bytes for each in states):
        raise TypeError("expected bytes from the state of each part")
    first, second = states
    return b"%d:%b%b" % (len(first), first, second)


class Parallel:
    """Query-response controllers (Definition 6.2): what they answer goes to the channel that asked."""

    def __init__(self, first: Any, second: Any, hears: Sequence[Mapping[str, Heard] | None] = (None, None)) -> None:
        """Take two controllers.

        Args:
            first: One of them.
            second: The other.
            hears: What each is asked for an operation of the pair, and nothing for any that is left out but `delete`; None for
                the same.
        """
        self._parts: tuple[Part, Part] = (first, second)
        self._hears = tuple(hears)

    def tape_of(self, seed: int, number: int) -> int:
        """The tape of one part."""
        return tape_of(seed, number)

    def initialize(self, seed: int) -> str | None:
        """Begin both, each with a part of the tape of its own."""
        return together([part.initialize(self.tape_of(seed, number)) for number, part in enumerate(self._parts)])

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Let both carry out one operation."""
        answers = []
        for part, hears in zip(self._parts, self._hears, strict=True):
            heard = Heard(operation, takes=True) if hears is None or operation == DELETE else hears.get(operation)
            if heard is not None:
                answers.append(part.activate(channel, heard.operation, argument if heard.takes else None))
        return together(answers)

    def state(self) -> bytes:
        """What both keep, the first one's first."""
        return joined([part.state() for part in self._parts])
