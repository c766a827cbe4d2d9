"""A controller from a pan-private mechanism (Cohen et al. 2023, Algorithm 4, Theorem 5.9).

The first operation of each channel is counted, whatever becomes of the channel later: `delete` takes it out of the dictionary of
those who spoke, and leaves the mechanism alone. Only `tick`, which no data subject may ask for, is answered. Somebody who was
deleted and speaks again is counted again; the theorem promises them nothing.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from auditor.learning.sums import RefusedError, SquareRootSums, Sums, TreeSums, Value
from auditor.parts.controllers.learning import canonical, tape
from auditor.parts.controllers.rules import square_root_counter, tree_counter

EPSILON: Final = 1.0
DELTA: Final = 1e-6
HORIZON: Final = 1_000


class Compiled:
    """`add` counts 1, or its argument, once for each channel; `tick` releases the noisy count; `delete` forgets who spoke."""

    def __init__(self, *, epsilon: float = EPSILON, delta: float = DELTA, horizon: int = HORIZON) -> None:
        """Take note of what is promised: (epsilon, delta) for one channel's first operation, over `horizon` ticks."""
        self._epsilon, self._delta, self._horizon = epsilon, delta, horizon

    def _mechanism(self, part: np.random.Generator) -> Sums:
        raise NotImplementedError

    def _value(self, argument: str | None) -> Value:
        """What an operation adds to the sums, 1 long at most."""
        return value_of(argument)

    def _report(self, total: Value) -> str:
        """What is answered, of the noisy sum."""
        return repr(total)

    def initialize(self, seed: int) -> None:
        """Begin with nobody and a fresh mechanism."""
        (part,) = tape.parts(seed, 1)
        self._sums = self._mechanism(part)
        self._spoke: set[str] = set()

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation; the answer of the clock's alone, or why an operation is refused."""
        try:
            match operation:
                case "tick":
                    return self._report(self._sums.tick())
                case "delete":
                    self._spoke.discard(channel)
                case "add" if channel not in self._spoke:
                    self._sums.add(self._value(argument))
                    self._spoke.add(channel)
        except RefusedError as refusal:
            return f"refused: {refusal}"
        return None

    def held(self) -> dict[str, Any]:
        """Everything that is kept between two operations."""
        return {"mechanism": self._sums.held(), "spoke": sorted(self._spoke)}

    def state(self) -> bytes:
        """The same as bytes."""
        return canonical.form(self.held())


class TreeCount(Compiled):
    """The pan-private tree (Proposition 5.12)."""

    def _mechanism(self, part: np.random.Generator) -> Sums:
        noise = tree_counter.node_noise(self._epsilon, self._delta, self._horizon)
        return TreeSums(noise=noise, horizon=self._horizon, tape=part)


class SquareRootCount(Compiled):
    """The square-root factorisation."""

    def _mechanism(self, part: np.random.Generator) -> Sums:
        noise = square_root_counter.noise(self._epsilon, self._delta, self._horizon)
        return SquareRootSums(noise=noise, horizon=self._horizon, tape=part)


def value_of(argument: str | None) -> float:
    """What an `add` adds: 1 without an argument.

    Raises:
        RefusedError: If the argument is no number from 0 to 1.
    """
    try:
        value = 1.0 if argument is None else float(argument)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise RefusedError(f"expected a number from 0 to 1, found {argument!r:.40}")
    return value
