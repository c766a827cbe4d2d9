"""Numbers in answers and states, and what of them tells two laws apart: one number, or a weighted sum of several.

Noise that is drawn once and used twice cancels in such a sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from auditor.base.records import Floats
from auditor.parts.controllers.judging.history.observed import Event

_NUMBERS: Final = 48
"""Of one view, that are compared."""
_RIDGE: Final = 1e-9
"""In addition to unit variances: sums in which noise cancels are found as well."""
_LONGEST: Final = 1_000_000
"""Bytes of a state in which numbers are looked for."""
_NUMBER: Final = re.compile(rb"-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?")


def numbers(answers: Iterable[str | None], state: bytes) -> Floats:
    """Read the numbers of answers and state in their order, 0 where there are fewer than are compared.

    Args:
        answers: What was returned.
        state: What is kept.
    """
    said = " ".join(each for each in answers if each is not None).encode(errors="replace")
    found = np.zeros(_NUMBERS)
    texts = [*_NUMBER.findall(said)[: _NUMBERS // 2], *_NUMBER.findall(state[:_LONGEST])][:_NUMBERS]
    found[: len(texts)] = [float(each) for each in texts]
    return np.nan_to_num(found)


def widest(left: Sequence[Floats], right: Sequence[Floats]) -> Iterator[tuple[float, Event, Floats, float]]:
    """Find, for each number by itself and for Fisher's linear discriminant of all that vary, where the two laws differ most.

    Args:
        left: Numbers of each run of one side.
        right: The same of the other.

    Yields:
        How far the two distribution functions are apart, what kind of event that is, the weights of the sum, and its limit.
    """
    one, two = np.array(left), np.array(right)
    for kind, weights in _sums(one, two):
        gap, limit = _farthest(one @ weights, two @ weights)
        yield gap, kind, weights, limit


def _sums(one: Floats, two: Floats) -> Iterator[tuple[Event, Floats]]:
    pooled = np.concatenate([one - one.mean(axis=0), two - two.mean(axis=0)])
    scale = pooled.std(axis=0)
    varies = scale > 0
    units = np.eye(one.shape[1])
    yield from ((Event.NUMBER, each) for each in units)
    if varies.any():
        moved = (one.mean(axis=0) - two.mean(axis=0))[varies] / scale[varies]
        spread = np.cov(pooled[:, varies] / scale[varies], rowvar=False).reshape(varies.sum(), -1)
        weights = np.zeros(one.shape[1])
        weights[varies] = np.linalg.solve(spread + _RIDGE * np.eye(len(spread)), moved) / scale[varies]
        yield Event.SUM, weights


def _farthest(one: Floats, two: Floats) -> tuple[float, float]:
    """Where the two distribution functions are farthest apart, and how far."""
    pooled = np.unique(np.concatenate([one, two]))
    gaps = abs(
        np.searchsorted(np.sort(one), pooled, side="right") / one.size
        - np.searchsorted(np.sort(two), pooled, side="right") / two.size
    )
    place = int(gaps.argmax())
    # Half-way to the next value, so that rounding puts nothing on the other side.
    return float(gaps[place]), float(pooled[place : place + 2].mean())
