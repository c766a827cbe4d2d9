"""Random operations, and other ways to the same logical state, all drawn from one generator: a seed gives them again."""

from __future__ import annotations

import random
import string
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from auditor.base.histories import (
    ANY_WORD,
    DELETE,
    ENVIRONMENT,
    History,
    Move,
    Operation,
    Output,
    Vocabulary,
    runs_of,
    without_deleted,
)

_LETTERS: Final = 16
"""Of a word: no two are drawn alike, and none occurs in a state by chance."""
MOST_DETOURS: Final = 3


class Drawing:
    """Draws operations of one controller."""

    def __init__(self, vocabulary: Vocabulary, rng: random.Random) -> None:
        self._rng = rng
        self._arguments = {name: given for name, given in vocabulary.arguments.items() if name != DELETE}
        self._commuting = vocabulary.commuting
        self.operations = tuple(name for name in self._arguments if name not in vocabulary.environment)
        """What a data subject may ask for in addition to `delete`."""
        self._of_environment = tuple(name for name in self._arguments if name in vocabulary.environment)

    def word(self) -> str:
        """A word that occurs nowhere else."""
        return "".join(self._rng.choices(string.ascii_lowercase, k=_LETTERS))

    def words(self, count: int) -> list[str]:
        """Several of them."""
        return [self.word() for _ in range(count)]

    def number(self, least: int, most: int) -> int:
        """A whole number between two, both included."""
        return self._rng.randint(least, most)

    def chosen(self, among: Sequence[str]) -> str:
        """One of several texts."""
        return self._rng.choice(among)

    def shuffle(self, texts: list[Any]) -> None:
        """Put a list in another order."""
        self._rng.shuffle(texts)

    def move(self, channel: str | Output, operation: str | None = None, *, saying: str | Output | None = None) -> Move:
        """An operation of a channel.

        Args:
            channel: Who makes it.
            operation: Which; any but `delete` where it is left out.
            saying: The argument, where the operation takes any word.
        """
        name = self._rng.choice(self.operations) if operation is None else operation
        examples = self._arguments[name]
        if not examples:
            return Move(channel, name, None)
        argument = self._rng.choice(examples)
        return Move(channel, name, (saying if saying is not None else self.word()) if argument == ANY_WORD else argument)

    def speech(self, channel: str | Output, *, saying: str | Output | None = None) -> tuple[Move, ...]:
        """Every operation once, in the order of the declaration."""
        return tuple(self.move(channel, name, saying=saying) for name in self.operations)

    def clock(self) -> tuple[Move, ...]:
        """Every operation of the environment once, such as a tick; nothing where there is none."""
        return tuple(self.move(ENVIRONMENT, name) for name in self._of_environment)

    def another_way(self, history: Sequence[Operation], *, detours: bool) -> History:
        """A logically equivalent history: deletions carried out, commuting operations in another order.

        Args:
            history: What was played.
            detours: Whether channels that nobody else knows come, speak and are deleted on the way.
        """
        parts = runs_of(without_deleted(history), self._commuting)
        way = [each for part in parts for each in self._merged(part)]
        for _ in range(self.number(1, MOST_DETOURS) if detours else 0):
            way = self._with_detour(way)
        return tuple(way)

    def _merged(self, part: History) -> list[Operation]:
        """A run of commuting operations with its channels merged in another order; each channel keeps its own."""
        waiting: dict[str, deque[Operation]] = {}
        for each in part:
            waiting.setdefault(each.channel, deque()).append(each)
        names = [each.channel for each in part]
        self._rng.shuffle(names)
        return [waiting[name].popleft() for name in names]

    def _with_detour(self, way: list[Operation]) -> list[Operation]:
        name = self.word()
        start, end = sorted((self.number(0, len(way)), self.number(0, len(way))))
        spoken = [Operation(name, each.operation, _text(each.argument)) for each in self.speech(name)]
        return [*way[:start], *spoken, *way[start:end], Operation(name, DELETE), *way[end:]]


def _text(argument: str | Output | None) -> str | None:
    return None if isinstance(argument, Output) else argument
