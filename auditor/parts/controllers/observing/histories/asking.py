"""Questions after two histories that mean the same: their answers must be the same, whatever state() shows.

A program may sort its state, or tidy up when it is asked for it, and answer from more than that. So the same is asked at
the end of both, by a newcomer, by somebody who left and by somebody who stayed; with the words as they were said, and with one
word for all of them, so that an answer that names the first of several shows who came first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.base.histories import ANY_WORD, DELETE, History, Operation, Vocabulary, equivalent, without_deleted
from auditor.parts.controllers.observing.histories.drawing import Drawing
from auditor.parts.controllers.observing.histories.playing import Ran

LONGEST: Final = 200
"""Operations of a history that is asked about."""
MOST: Final = 12
"""Histories of one adversary that are asked about."""
_WORDS: Final = 4
"""Of a history, that are asked for."""


def asked(vocabulary: Vocabulary, left: History, right: History, draw: Drawing) -> Iterator[tuple[History, History]]:
    """The two histories with the same questions at the end of both, in several ways.

    Questions come in either order of the declaration: a program may tidy up at the first of them.
    """
    newcomer, word = draw.words(2)
    for one, other in ((left, right), (_alike(vocabulary, left, word), _alike(vocabulary, right, word))):
        questions = tuple(_questions(vocabulary, one, newcomer))
        for each in (questions, questions[::-1]):
            yield (*one, *each), (*other, *each)


def _alike(vocabulary: Vocabulary, history: History, word: str) -> History:
    """The same with one word for all: two histories that meant the same still do."""
    return tuple(each._replace(argument=word) if _is_any(vocabulary, each) else each for each in history)


def _is_any(vocabulary: Vocabulary, said: Operation) -> bool:
    examples = vocabulary.arguments.get(said.operation, ())
    return ANY_WORD in examples and said.argument is not None and said.argument not in examples


def _questions(vocabulary: Vocabulary, history: History, newcomer: str) -> Iterator[Operation]:
    gone = [each.channel for each in history if each.operation == DELETE]
    stayed = [each.channel for each in without_deleted(history) if each.operation not in vocabulary.environment]
    said = sorted((each for each in history if _is_any(vocabulary, each)), key=lambda each: each.channel not in gone)
    words = tuple(dict.fromkeys(each.argument for each in said))[:_WORDS] or (newcomer,)
    for channel in dict.fromkeys((newcomer, *gone[:1], *stayed[:1])):
        for operation, examples in vocabulary.arguments.items():
            if operation not in {DELETE, *vocabulary.environment}:
                for argument in (words if ANY_WORD in examples else examples) or (None,):
                    yield Operation(channel, operation, argument)


def answers(left: History, right: History, one: Ran, other: Ran, commuting: frozenset[str]) -> tuple[bytes, bytes]:
    """What either side was answered to what both asked at their end, where everything before it means the same."""
    count = shared(left, right, commuting)
    return tail(one, count), tail(other, count)


def tail(ran: Ran, count: int) -> bytes:
    """The last answers."""
    return repr(ran.outputs[len(ran.outputs) - count :]).encode()


def shared(left: History, right: History, commuting: frozenset[str]) -> int:
    """How many operations at the end of both are the same, each after histories that mean the same."""
    # What means the same does so whatever is said after it: no cut before one that does not fit can fit.
    least, most = 0, _common(left, right)
    while least < most:
        middle = (least + most + 1) // 2
        if equivalent(left[: len(left) - middle], right[: len(right) - middle], commuting):
            least = middle
        else:
            most = middle - 1
    return least


def differ(left: History, right: History, one: Ran, other: Ran, commuting: frozenset[str]) -> bool:
    """Whether states or answers tell the two apart."""
    if one.state != other.state:
        return True
    for back in range(1, _common(left, right) + 1):
        if one.outputs[-back] != other.outputs[-back]:
            return equivalent(left[: len(left) - back], right[: len(right) - back], commuting)
    return False


def _common(left: History, right: History) -> int:
    """How many operations at the end of both are the same."""
    most = min(len(left), len(right))
    return next((back for back in range(most) if left[-1 - back] != right[-1 - back]), most)
