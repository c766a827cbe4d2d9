"""Random operations, and other ways to the same logical state, all drawn from one generator: a seed gives them again."""

from __future__ import annotations

import random
import string
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
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
    equivalent,
    runs_of,
    without_deleted,
)

# A pair of histories that leave different states, made as short as it goes while it stays one.
# What is tried keeps both sides logically equivalent: a channel is left out of both, operations one by one out of one side or
# both, texts are replaced by short ones. It ends where no single operation can be left out any more, or where the patience
# does.
PATIENCE: Final = 100_000
"""Operations that are played before it stops where it is."""
_SHORT: Final = tuple(string.ascii_lowercase)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two logically equivalent histories, played with the same tape."""

    tape: int
    left: History
    right: History


@dataclass(slots=True)
class _Budget:
    left: int


def shrunk(
    pair: Pair, commuting: frozenset[str], differs: Callable[[Pair], bool], *, patience: int = PATIENCE
) -> tuple[Pair, bool]:
    """Shorten a pair that differs.

    Args:
        pair: Logically equivalent histories that leave different states.
        commuting: Operations whose order across channels makes no difference.
        differs: Whether a pair leaves different states; it plays both sides.
        patience: Operations that may be played.

    Returns:
        The shortest pair found, and whether no single operation can be left out of it.
    """
    budget = _Budget(patience)

    def accepts(candidate: Pair) -> bool:
        if budget.left <= 0 or not equivalent(candidate.left, candidate.right, commuting):
            return False
        budget.left -= len(candidate.left) + len(candidate.right) + 1
        return differs(candidate)

    while budget.left > 0:
        before = pair
        for step in (_fewer_channels, _fewer_operations, _plainer_texts):
            pair = _exhausted(pair, step, accepts)
        if pair == before:
            # Where the patience ended on the way, not everything was tried.
            return pair, budget.left > 0
    return pair, False


def _exhausted(pair: Pair, step: Callable[[Pair], Iterator[Pair]], accepts: Callable[[Pair], bool]) -> Pair:
    """Take steps of one kind until none is accepted."""
    start = 0
    while True:
        for number, candidate in enumerate(step(pair)):
            if number >= start and _size(candidate) < _size(pair) and accepts(candidate):
                # What failed before this one mostly fails still: go on from here, and come back to it at the end.
                pair, start = candidate, number
                break
        else:
            if start == 0:
                return pair
            start = 0


def _size(pair: Pair) -> tuple[int, int]:
    both = (*pair.left, *pair.right)
    return len(both), sum(len(each.channel) + len(each.argument or "") for each in both)


def _fewer_channels(pair: Pair) -> Iterator[Pair]:
    """Leave out half of the channels, a quarter, an eighth, down to each by itself."""
    names = sorted({each.channel for each in (*pair.left, *pair.right)})
    size = len(names)
    while size > 1:
        size = (size + 1) // 2
        for start in range(0, len(names), size):
            yield _without(pair, set(names[start : start + size]))
    if len(names) == 1:
        yield _without(pair, set(names))


def _without(pair: Pair, names: set[str]) -> Pair:
    left, right = (tuple(each for each in side if each.channel not in names) for side in (pair.left, pair.right))
    return replace(pair, left=left, right=right)


def _fewer_operations(pair: Pair) -> Iterator[Pair]:
    """Leave out one operation: of one side, where it makes no logical difference, or the same of both."""
    for index in range(len(pair.left)):
        yield replace(pair, left=_cut(pair.left, index))
    for index in range(len(pair.right)):
        yield replace(pair, right=_cut(pair.right, index))
    for index, each in enumerate(pair.left):
        for other in (place for place, found in enumerate(pair.right) if found == each):
            yield replace(pair, left=_cut(pair.left, index), right=_cut(pair.right, other))
    # A side that carries a deletion may do without it where what it deletes goes as well.
    yield replace(pair, left=without_deleted(pair.left))
    yield replace(pair, right=without_deleted(pair.right))


def _cut(history: History, index: int) -> History:
    return (*history[:index], *history[index + 1 :])


def _plainer_texts(pair: Pair) -> Iterator[Pair]:
    """Give channels and arguments the first letters, in the order in which they occur; then each by itself."""
    channels = list(dict.fromkeys(each.channel for each in (*pair.left, *pair.right)))
    arguments = list(dict.fromkeys(each.argument for each in (*pair.left, *pair.right) if each.argument))
    short = dict(zip(channels, _SHORT, strict=False)) | dict(zip(arguments, reversed(_SHORT), strict=False))
    if any(found != wanted for found, wanted in short.items()):
        yield _renamed(pair, short)
    taken = set(channels) | set(arguments)
    for text in (*channels, *arguments):
        for wanted in (letter for letter in _SHORT if letter not in taken):
            if len(wanted) < len(text):
                yield _renamed(pair, {text: wanted})
            break
        if len(text) > 1:
            yield _renamed(pair, {text: text[: len(text) // 2]})


def _renamed(pair: Pair, names: dict[str, str]) -> Pair:
    def side(history: History) -> History:
        return tuple(
            Operation(
                names.get(each.channel, each.channel),
                each.operation,
                None if each.argument is None else names.get(each.argument, each.argument),
            )
            for each in history
        )

    return replace(pair, left=side(pair.left), right=side(pair.right))


def kind(pair: Pair) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What two counterexamples have in common whose operations have the same names in the same order."""
    return tuple(each.operation for each in pair.left), tuple(each.operation for each in pair.right)


def deletes(pair: Pair) -> bool:
    """Whether anybody deletes on either side."""
    return any(each.operation == DELETE for each in (*pair.left, *pair.right))


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
