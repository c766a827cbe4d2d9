"""Sums under continual release whose state may be seen once (Cohen et al. 2023, Definitions 5.3 and 5.7, Proposition 5.12).

Each keeps sums that are noisy from the moment they are begun, and adds noise of its own when one is released. Anyone who sees
the state once, and every release, has for each sum the state's noise, the release's or both between them and the truth. What is
added may depend on what was released: with Gaussian noise, and every release of sums that ended before it, nobody gains
by that (Denisov et al. 2022, Theorem 2.1).

Noise is drawn from the tape when it is needed, and read once: what is drawn later is no part of the state (Section 2.5, Remark
5.8). A generator can be run ahead of itself, so a controller in use has to draw from the operating system and keep none. Noise is
a rounded Gaussian: what the rounding of floating-point numbers shows is not covered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final, Protocol, TypeAlias

import numpy as np

from auditor.base.records import Floats
from auditor.maths.certificates.prefix_sums import Factorisation, coefficients, levels

Value: TypeAlias = float | Floats
"""A number, or a vector of `size` numbers: each coordinate has noise of its own."""


class RefusedError(ValueError):
    """What a mechanism was asked for is outside what was declared; its state is as it was, and no noise was drawn."""


class Sums(Protocol):
    """The noisy sum of everything so far, at every tick."""

    def add(self, value: Value) -> None:
        """Add a value of length 1 at most to the step that is going on."""

    def tick(self) -> Value:
        """End the step; the noisy sum of everything so far."""

    def held(self) -> dict[str, Any]:
        """Everything that is kept between two calls."""


def _within(clock: int, horizon: int) -> None:
    if clock >= horizon:
        raise RefusedError(f"expected at most {horizon} ticks, the horizon that the noise was computed for; all are over")


class TreeSums:
    """Sums over dyadic intervals of steps, of which log2(T) are open or stored at a time (Dwork et al. 2010, Chan et al. 2011).

    A sum of level i covers 2^i steps. Only those are kept that a prefix needs, the left ones of each pair: at tick t the one of
    the lowest bit of t ends and is released, and the answer is the sum of those released ones that the bits of t name.
    """

    def __init__(self, *, noise: float, horizon: int, tape: np.random.Generator, size: int | None = None) -> None:
        """Begin.

        Args:
            noise: Standard deviation in each number of each sum, and as much again at its release.
            horizon: T, the most ticks, at least 1.
            tape: Where noise is read from.
            size: Numbers of a value; None for a value that is a number.
        """
        self._sigma, self._horizon, self._tape, self._size = noise, horizon, tape, size
        self._clock = 0
        self._released: dict[int, Value] = {}
        self._open = {level: self._noise() for level in range(levels(horizon))}

    def _noise(self) -> Value:
        return self._tape.normal(0.0, self._sigma, self._size)

    def add(self, value: Value) -> None:
        """Add a value to every sum that is open.

        Raises:
            RefusedError: If the horizon has passed.
        """
        _within(self._clock, self._horizon)
        for level, kept in self._open.items():
            self._open[level] = kept + value

    def tick(self) -> Value:
        """End the step, release the sum that ends with it, and begin those that begin after it.

        Raises:
            RefusedError: If the horizon has passed.
        """
        _within(self._clock, self._horizon)
        self._clock += 1
        ended = (self._clock & -self._clock).bit_length() - 1
        self._released = {level: value for level, value in self._released.items() if level > ended}
        self._released[ended] = self._open.pop(ended) + self._noise()
        # The sums below cover the steps after this one; those above go on.
        self._open |= {level: self._noise() for level in range(ended)}
        return _total(self._released.values(), self._size)

    def held(self) -> dict[str, Any]:
        """The clock, the sums that are open with their noise, and those released that a later answer needs."""
        return {"clock": self._clock, "open": _by_level(self._open), "released": _by_level(self._released)}


class SquareRootSums:
    """Weighted sums, one for each tick to come, that are released at their tick (Fichtenberger, Henzinger and Upadhyay 2023).

    The answers are the square root of the matrix of prefix sums times the released sums, and that matrix takes what is added to
    the sums: an event at step s adds c_{k-s} to the k-th. Of the same ε, δ and horizon it needs a third of the tree's noise at
    1,000 ticks, and memory for all of them.
    """

    def __init__(self, *, noise: float, horizon: int, tape: np.random.Generator, size: int | None = None) -> None:
        """Begin; see `TreeSums`."""
        self._sigma, self._horizon, self._tape = noise, horizon, tape
        self._shape = () if size is None else (size,)
        self._weights = coefficients(horizon)
        self._clock = 0
        self._released = np.empty((0, *self._shape))
        self._open = tape.normal(0.0, self._sigma, (horizon, *self._shape))

    def add(self, value: Value) -> None:
        """Add a value to the sum of this step and of every later one.

        Raises:
            RefusedError: If the horizon has passed.
        """
        _within(self._clock, self._horizon)
        self._open += np.multiply.outer(self._weights[: len(self._open)], value)

    def tick(self) -> Value:
        """End the step and release its sum.

        Raises:
            RefusedError: If the horizon has passed.
        """
        _within(self._clock, self._horizon)
        self._clock += 1
        ended = self._open[0] + self._tape.normal(0.0, self._sigma, self._shape or None)
        self._released = np.concatenate([self._released, np.reshape(ended, (1, *self._shape))])
        self._open = self._open[1:].copy()
        found: Value = self._weights[: self._clock][::-1] @ self._released
        return found if self._shape else float(found)

    def held(self) -> dict[str, Any]:
        """The clock, the sums to come with their noise, and those released."""
        return {"clock": self._clock, "open": self._open.tolist(), "released": self._released.tolist()}


MECHANISMS: Final[dict[Factorisation, type[TreeSums | SquareRootSums]]] = {"tree": TreeSums, "square-root": SquareRootSums}
"""By the factorisation of the matrix of prefix sums."""


def _total(values: Iterable[Value], size: int | None) -> Value:
    if size is None:
        return math.fsum(values)
    total: Floats = np.array(list(values)).sum(axis=0)
    return total


def _by_level(sums: dict[int, Value]) -> dict[str, Any]:
    return {str(level): np.asarray(value).tolist() for level, value in sorted(sums.items())}
