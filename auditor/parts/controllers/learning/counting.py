"""Counters under continual release whose state may be seen once (Cohen et al. 2023, Definitions 5.3 and 5.7, Proposition 5.12).

Each keeps sums that are noisy from the moment they are begun, and adds noise of its own when one is released. Whoever sees the
state once, and every release, then has for each sum either the state's noise, the release's or both between them and the truth.

Noise is drawn from the tape when it is needed, and read once: what is drawn later is no part of the state (Section 2.5, Remark
5.8). A generator can be run ahead of itself, so a controller in use has to draw from the operating system and keep none. Noise is
a rounded Gaussian: what the rounding of floating-point numbers shows is not covered.
"""

from __future__ import annotations

import math
from typing import Any, Final, Protocol

import numpy as np

from auditor.parts.controllers.rules import square_root_counter, tree_counter

UNIT: Final = (0.0, 1.0)
"""The least and the most that an event adds."""


class RefusedError(ValueError):
    """What a mechanism was asked for is outside what was declared; its state is as it was, and no noise was drawn."""


class Counter(Protocol):
    """An online algorithm that counts, and speaks when the clock ticks (Definition 5.3)."""

    def add(self, value: float) -> None:
        """Count a value between 0 and 1 into the step that is going on."""

    def tick(self) -> float:
        """End the step; the noisy sum of everything so far."""

    def held(self) -> dict[str, Any]:
        """Everything that it keeps between two calls."""


def _refuse(clock: int, horizon: int, value: float | None = None) -> None:
    if clock >= horizon:
        raise RefusedError(f"expected at most {horizon} ticks, the horizon that the noise was computed for; all are over")
    if value is not None and not UNIT[0] <= value <= UNIT[1]:
        raise RefusedError(f"expected a value from {UNIT[0]:g} to {UNIT[1]:g}, found {value:g}")


class TreeCounter:
    """Sums over dyadic intervals of steps, of which log2(T) are open or stored at a time (Dwork et al. 2010, Chan et al. 2011).

    A sum of level i covers 2^i steps. Only those are kept that a prefix needs, the left ones of each pair: at tick t the one of
    the lowest bit of t ends and is released, and the answer is the sum of those released ones that the bits of t name.
    """

    def __init__(self, *, epsilon: float, delta: float, horizon: int, tape: np.random.Generator) -> None:
        """Compute the noise for (epsilon, delta) over `horizon` ticks, and begin.

        Args:
            epsilon: For one event, above 0.
            delta: For one event, between 0 and 1.
            horizon: T, at least 1.
            tape: Where noise is read from.
        """
        self._horizon, self._tape = horizon, tape
        self._sigma = tree_counter.node_noise(epsilon, delta, horizon)
        self._clock = 0
        self._released: dict[int, float] = {}
        self._open = {level: self._noise() for level in range(tree_counter.levels(horizon))}

    def _noise(self) -> float:
        return float(self._tape.normal(0.0, self._sigma))

    def add(self, value: float) -> None:
        """Count a value into every sum that is open.

        Raises:
            RefusedError: If the horizon has passed, or the value is not between 0 and 1.
        """
        _refuse(self._clock, self._horizon, value)
        for level in self._open:
            self._open[level] += value

    def tick(self) -> float:
        """End the step, release the sum that ends with it, and begin those that begin after it.

        Raises:
            RefusedError: If the horizon has passed.
        """
        _refuse(self._clock, self._horizon)
        self._clock += 1
        ended = (self._clock & -self._clock).bit_length() - 1
        self._released = {level: value for level, value in self._released.items() if level > ended}
        self._released[ended] = self._open.pop(ended) + self._noise()
        # The sums below cover the steps after this one; those above go on.
        self._open |= {level: self._noise() for level in range(ended)}
        return math.fsum(self._released.values())

    def held(self) -> dict[str, Any]:
        """The clock, the sums that are open with their noise, and those released that a later answer needs."""
        return {"clock": self._clock, "open": _by_level(self._open), "released": _by_level(self._released)}


class SquareRootCounter:
    """Weighted sums, one for each tick to come, that are released at their tick (Fichtenberger, Henzinger and Upadhyay 2023).

    The answers are the square root of the matrix of prefix sums times the released sums, and that matrix takes what is added to
    the sums: an event at step s adds c_{k-s} to the k-th. Of the same ε, δ and horizon it needs a third of the tree's noise at
    1,000 ticks, and memory for all of them.
    """

    def __init__(self, *, epsilon: float, delta: float, horizon: int, tape: np.random.Generator) -> None:
        """Compute the noise for (epsilon, delta) over `horizon` ticks, and begin; see `TreeCounter`."""
        self._horizon, self._tape = horizon, tape
        self._sigma = square_root_counter.noise(epsilon, delta, horizon)
        self._weights = square_root_counter.coefficients(horizon)
        self._clock = 0
        self._released = np.empty(0)
        self._open = tape.normal(0.0, self._sigma, horizon)

    def add(self, value: float) -> None:
        """Count a value into the sum of this step and of every later one.

        Raises:
            RefusedError: If the horizon has passed, or the value is not between 0 and 1.
        """
        _refuse(self._clock, self._horizon, value)
        self._open += value * self._weights[: self._open.size]

    def tick(self) -> float:
        """End the step and release its sum.

        Raises:
            RefusedError: If the horizon has passed.
        """
        _refuse(self._clock, self._horizon)
        self._clock += 1
        self._released = np.append(self._released, self._open[0] + self._tape.normal(0.0, self._sigma))
        self._open = self._open[1:].copy()
        return float(self._weights[: self._clock][::-1] @ self._released)

    def held(self) -> dict[str, Any]:
        """The clock, the sums to come with their noise, and those released."""
        return {"clock": self._clock, "open": self._open.tolist(), "released": self._released.tolist()}


def _by_level(sums: dict[int, float]) -> dict[str, float]:
    return {str(level): value for level, value in sorted(sums.items())}
