"""Fresh tapes: whether two histories leave states of another law, by an event chosen on half of the runs, counted on the others.

What the adversary saw counts as well (Definition 3.4 compares view and state together): an event may ask whether the state
holds what this very play returned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from auditor.base.histories import History
from auditor.base.records import Floats
from auditor.parts.controllers.judging.history.observed import Event
from auditor.parts.controllers.observing.numbers import numbers, widest

_BYTES: Final = 2048
"""Bytes of a state whose values are compared."""
_LEAST_TEXT: Final = 4
"""Characters of a text worth looking for: a shorter one occurs in many states by chance."""
_MOST_TEXTS: Final = 40


class Left(NamedTuple):
    """What a play left, and what its adversary saw of the other side's."""

    outputs: tuple[str | None, ...]
    """Of the history that the adversary played: its view, whichever state it is shown."""
    state: bytes


class _Choice(NamedTuple):
    event: Event
    occurs: Callable[[Left], bool]


class Counted(NamedTuple):
    """An event, and how often it occurred on either side of runs that it was not chosen on."""

    event: Event
    left: int
    right: int
    runs: int


def compare(left: Sequence[Left], right: Sequence[Left], history: History, *, by_numbers: bool = False) -> Counted:
    """Choose the event that differs most on the first half of the runs, and count it on the second.

    Args:
        left: What runs of the history itself left, each under a tape of its own.
        right: What runs of the other history left, with the view of the left run that they belong to.
        history: One play of the left side: its texts are looked for.
        by_numbers: Whether numbers and sums of them are compared too: what noise hides shows there first.
    """
    half = min(len(left), len(right)) // 2
    events = [*_events(left[:half], right[:half], history), *(_numbers(left[:half], right[:half]) if by_numbers else ())]
    chosen = max(events, key=lambda each: _gap(each, left[:half], right[:half]))
    counted = [sum(chosen.occurs(each) for each in side[half : 2 * half]) for side in (left, right)]
    return Counted(chosen.event, counted[0], counted[1], half)


def _gap(choice: _Choice, left: Sequence[Left], right: Sequence[Left]) -> int:
    return abs(sum(map(choice.occurs, left)) - sum(map(choice.occurs, right)))


def _events(left: Sequence[Left], right: Sequence[Left], history: History) -> Iterator[_Choice]:
    for side in (left, right):
        state, _ = Counter(each.state for each in side).most_common(1)[0]
        yield _Choice(Event.WHOLE, partial(_is_whole, state))
    for size in sorted({len(each.state) for each in (*left, *right)})[1:][:_MOST_TEXTS]:
        yield _Choice(Event.SIZE, partial(_is_long, size))
    texts = dict.fromkeys(text for each in history for text in (each.channel, each.argument) if text)
    for text in [each for each in texts if len(each) >= _LEAST_TEXT][:_MOST_TEXTS]:
        yield _Choice(Event.HOLDS, partial(_holds, text.encode(errors="surrogatepass")))
    for number in range(min(len(left[0].outputs), _MOST_TEXTS)):
        yield _Choice(Event.ECHO, partial(_echoes, number))
    yield from _bytes(left, right)


def _is_whole(state: bytes, run: Left) -> bool:
    return run.state == state


def _is_long(size: int, run: Left) -> bool:
    return len(run.state) >= size


def _holds(text: bytes, run: Left) -> bool:
    return text in run.state


def _echoes(number: int, run: Left) -> bool:
    said = run.outputs[number] if number < len(run.outputs) else None
    return said is not None and len(said) >= _LEAST_TEXT and said.encode(errors="surrogatepass") in run.state


def _bytes(left: Sequence[Left], right: Sequence[Left]) -> Iterator[_Choice]:
    """The byte and the bit whose values differ most: all are counted at once, two are handed on."""
    length = min(_BYTES, min((len(each.state) for each in (*left, *right)), default=0))
    if length == 0:
        return
    one, two = (np.frombuffer(b"".join(each.state[:length] for each in side), dtype=np.uint8) for side in (left, right))
    one, two = one.reshape(len(left), length), two.reshape(len(right), length)
    gaps = np.zeros((256, length))
    for value in range(256):
        gaps[value] = abs((one == value).sum(axis=0) - (two == value).sum(axis=0))
    value, place = (int(each) for each in np.unravel_index(int(gaps.argmax()), gaps.shape))
    yield _Choice(Event.BYTE, lambda run: len(run.state) > place and run.state[place] == value)
    bits = abs(np.unpackbits(one, axis=1).sum(axis=0, dtype=np.int64) - np.unpackbits(two, axis=1).sum(axis=0, dtype=np.int64))
    bit = int(bits.argmax())
    yield _Choice(Event.BIT, lambda run: len(run.state) > bit // 8 and bool(run.state[bit // 8] >> (7 - bit % 8) & 1))


def _numbers(left: Sequence[Left], right: Sequence[Left]) -> Iterator[_Choice]:
    """The number, and the sum of numbers, whose laws differ most."""
    found = list(widest(*([numbers(*each) for each in side] for side in (left, right))))
    for kind in (Event.NUMBER, Event.SUM):
        of_kind = [each for each in found if each[1] is kind]
        if of_kind:
            _, _, weights, limit = max(of_kind, key=lambda each: each[0])
            yield _Choice(kind, partial(_exceeds, weights, limit))


def _exceeds(weights: Floats, limit: float, run: Left) -> bool:
    return bool(numbers(*run) @ weights > limit)
