"""Controllers from a differentially private mechanism that runs once (Cohen et al. 2023, Algorithm 1, Proposition 5.1).

Until the clock ticks, data are kept in a dictionary in canonical form and nothing is answered. At the tick the mechanism runs on
them, they are destroyed, and its outcome is the answer to everything from then on. Nobody has to do anything about a later
deletion.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from auditor.learning.sums import RefusedError
from auditor.maths.certificates import gaussian
from auditor.parts.controllers.learning import canonical, linear_records, tape
from auditor.parts.controllers.learning.compiled import DELTA, EPSILON

_TWICE: Final = "refused: expected one tick; the data are destroyed, and the outcome stays"
_STEPS: Final = 50
_RATE: Final = 0.5
_LEAST_EPSILON: Final = 1e-9
"""Below it draws reach the limit of 64 bits, where two of them cancel."""


class Batch:
    """`add` puts a channel's record, `delete` takes it back, `tick` runs the mechanism, once."""

    def initialize(self, seed: int) -> None:
        """Begin without a record."""
        (self._tape,) = tape.parts(seed, 1)
        self._records: dict[str, list[float]] | None = {}
        self._out: str | None = None

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation: nothing is answered before the tick, and its outcome ever after."""
        if self._records is None:
            return _TWICE if operation == "tick" else self._out
        try:
            match operation:
                case "add":
                    self._records[channel] = self._record(argument)
                case "delete":
                    self._records.pop(channel, None)
                case "tick":
                    # In order of the channels' names: the outcome depends on what is there, and not on how it came there.
                    self._out = self._mechanism([self._records[name] for name in sorted(self._records)])
                    self._records = None
        except RefusedError as refusal:
            return f"refused: {refusal}"
        return self._out

    def _record(self, argument: str | None) -> list[float]:
        raise NotImplementedError

    def _mechanism(self, records: list[list[float]]) -> str:
        raise NotImplementedError

    def held(self) -> dict[str, Any]:
        """The records before the tick, the outcome after it."""
        return {"out": self._out, "records": self._records}

    def state(self) -> bytes:
        """The same as bytes."""
        return canonical.form(self.held())


class BatchCount(Batch):
    """How many records there are, with two-sided geometric noise: the Laplace mechanism on whole numbers, whose law is exact."""

    def __init__(self, *, epsilon: float = EPSILON) -> None:
        """Take note of what is promised: epsilon, with delta = 0, for one channel.

        Raises:
            ValueError: If epsilon is so small that the noise does not fit into 64 bits.
        """
        if not epsilon >= _LEAST_EPSILON:
            raise ValueError(f"epsilon: expected at least {_LEAST_EPSILON:g}")
        self._epsilon = epsilon

    def _record(self, argument: str | None) -> list[float]:
        del argument
        return []

    def _mechanism(self, records: list[list[float]]) -> str:
        up, down = self._tape.geometric(-math.expm1(-self._epsilon), 2)
        return str(len(records) + int(up) - int(down))


class BatchModel(Batch):
    """A linear classifier by noisy gradient descent over all records (Corollary 5.2).

    A record is `x1,...,xd,y` with y = 1 or -1. Each gradient is clipped to length 1, their sum moves by at most 1 with a record
    more, and gets Gaussian noise of sqrt(steps)/mu(epsilon, delta) in every step: mu-Gaussian differential privacy, steps
    together. How many records there are is released by nothing: the step length does not depend on it.
    """

    def __init__(self, *, epsilon: float = EPSILON, delta: float = DELTA, features: int = 2) -> None:
        """Take note of what is promised: (epsilon, delta) for one channel's record of so many features."""
        if not 1 <= features <= linear_records.MOST_FEATURES:
            raise ValueError(f"features: expected 1 to {linear_records.MOST_FEATURES}")
        self._features = features
        self._sigma = math.sqrt(_STEPS) / gaussian.mu(epsilon, delta) * (1 + 2.0**-48)

    def _record(self, argument: str | None) -> list[float]:
        return linear_records.read(argument, self._features)

    def _mechanism(self, records: list[list[float]]) -> str:
        rows = np.array(records).reshape(len(records), self._features + 1)
        weights = np.zeros(self._features)
        for _ in range(_STEPS):
            noise = self._tape.normal(0.0, self._sigma, self._features)
            total = linear_records.gradients(rows, weights).sum(axis=0) + noise
            weights = weights - _RATE / self._sigma * total
        return ",".join(map(repr, weights.tolist()))
