"""A linear classifier that forgets how it came to its data (Cohen et al. 2023, Definition 3.4, with an epsilon above 0).

Records stand in a dictionary in one form. Whatever is asked, a reading too, ends with noisy steps of gradient descent on the
records that are there, so many that it hardly counts any more where they started: how many, `rules.noisy_descent_history` says.
What was read is forgotten by then as well, so that answers show the state hardly better than a fresh run would.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from auditor.base.records import Floats
from auditor.learning.sums import RefusedError
from auditor.parts.controllers.learning import canonical, linear_records, tape
from auditor.parts.controllers.learning.compiled import DELTA, EPSILON
from auditor.parts.controllers.rules.noisy_descent_history import descent

REGULARISATION: Final = 0.1
NOISE: Final = 0.1


class NoisyDescentModel:
    """`add` puts a channel's record, `x1,...,xd,y`; `read` returns the weights; `delete` takes the record out."""

    def __init__(
        self,
        *,
        epsilon: float = EPSILON,
        delta: float = DELTA,
        features: int = 2,
        regularisation: float = REGULARISATION,
        noise: float = NOISE,
    ) -> None:
        """Take note of what is promised: (epsilon, delta)-adaptive history independence.

        Args:
            epsilon: See above.
            delta: See above.
            features: d, from 1 to 20.
            regularisation: lambda, of the term lambda |w|^2/2 of the loss.
            noise: The standard deviation in each number of each step.

        Raises:
            ValueError: If there are too many features or none, or if no number of steps keeps the promise.
        """
        if not 1 <= features <= linear_records.MOST_FEATURES:
            raise ValueError(f"features: expected 1 to {linear_records.MOST_FEATURES}")
        self._features = features
        self._descent = descent(regularisation, noise, epsilon=epsilon, delta=delta)

    def initialize(self, seed: int) -> None:
        """Begin without a record: the steps are taken here too, as somebody may come and leave again."""
        (self._tape,) = tape.parts(seed, 1)
        self._records: dict[str, list[float]] = {}
        self._weights: Floats = np.zeros(self._features)
        self._settle()

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation, then forget where the weights were; a reading is answered, or why a record is refused."""
        answer = None
        match operation:
            case "add":
                try:
                    self._records[channel] = linear_records.read(argument, self._features)
                except RefusedError as refusal:
                    answer = f"refused: {refusal}"
            case "delete":
                self._records.pop(channel, None)
            case "read":
                answer = ",".join(map(repr, self._weights.tolist()))
        self._settle()
        return answer

    def _settle(self) -> None:
        """Take the steps of one operation, in order of the channels' names: the same data give the same sums."""
        rows = [self._records[name] for name in sorted(self._records)]
        signed = linear_records.signed(np.array(rows).reshape(len(rows), self._features + 1))
        for noise in self._tape.normal(0.0, self._descent.noise, (self._descent.steps, self._features)):
            self._weights = self._moved(signed, self._weights) + noise

    def _moved(self, signed: Floats, weights: Floats) -> Floats:
        """One step without its noise, from within the ball."""
        made = self._descent
        within = weights * (made.radius / max(math.sqrt(float(weights @ weights)), made.radius))
        slope = made.strong_convexity * within
        if len(signed):
            # In the ball no exponent exceeds its radius, which is 500 at most.
            slope -= 1 / (1 + np.exp(signed @ within)) @ signed / len(signed)
        found: Floats = within - made.step * slope
        return found

    def held(self) -> dict[str, Any]:
        """Everything that is kept between two operations."""
        return {"records": self._records, "weights": self._weights.tolist()}

    def state(self) -> bytes:
        """The same as bytes."""
        return canonical.form(self.held())
