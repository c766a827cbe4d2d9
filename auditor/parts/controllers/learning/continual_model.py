"""A linear classifier that is kept up to date from a stream (Cohen et al. 2023, Section 5.4.2, Proposition 5.13).

Follow the regularised leader over noisy sums (DP-FTRL; Kairouz et al. 2021, Algorithm 1): at every tick the weights are minus the
rate times the noisy sum of all gradients so far. Each person's first record gives one gradient, at the weights that were last
released, clipped to length 1; so it reaches the sums once, and whatever a later gradient owes to it, it owes to what was
released. State and release have noise of their own, as the pan-private counters do, and nothing has to be done about a later
deletion. That holds whatever the loss is; how good the weights are is told for convex losses alone.
"""

from __future__ import annotations

import math

import numpy as np

from auditor.base.records import Floats
from auditor.learning.sums import MECHANISMS, Sums, Value
from auditor.maths.certificates.prefix_sums import Factorisation, squared_sensitivity
from auditor.parts.controllers.learning import linear_records
from auditor.parts.controllers.learning.compiled import DELTA, EPSILON, HORIZON, Compiled
from auditor.parts.controllers.rules import square_root_counter, tree_counter


class ContinualModel(Compiled):
    """`add` learns a record, `x1,...,xd,y`, once for each channel; `tick` releases the weights; `delete` forgets who spoke."""

    def __init__(
        self,
        *,
        epsilon: float = EPSILON,
        delta: float = DELTA,
        horizon: int = HORIZON,
        features: int = 2,
        factorisation: Factorisation = "square-root",
        rate: float | None = None,
    ) -> None:
        """Take note of what is promised: (epsilon, delta) for one channel's first record of so many features.

        Args:
            epsilon: See above.
            delta: See above.
            horizon: The most ticks.
            features: d, from 1 to 20.
            factorisation: Of the matrix of prefix sums: "tree" or "square-root".
            rate: How far a gradient of length 1 moves the weights; None for one over the noise of the last release.

        Raises:
            ValueError: If there are too many features, or none.
        """
        if not 1 <= features <= linear_records.MOST_FEATURES:
            raise ValueError(f"features: expected 1 to {linear_records.MOST_FEATURES}")
        super().__init__(epsilon=epsilon, delta=delta, horizon=horizon)
        self._features, self._factorisation = features, factorisation
        self._rate = 1 / release_noise(factorisation, epsilon, delta, horizon) if rate is None else rate

    def _mechanism(self, part: np.random.Generator) -> Sums:
        self._weights: Floats = np.zeros(self._features)
        noise = noise_of_sums(self._factorisation, self._epsilon, self._delta, self._horizon)
        return MECHANISMS[self._factorisation](noise=noise, horizon=self._horizon, tape=part, size=self._features)

    def _value(self, argument: str | None) -> Value:
        record = np.array([linear_records.read(argument, self._features)])
        found: Floats = linear_records.gradients(record, self._weights)[0]
        return found

    def _report(self, total: Value) -> str:
        self._weights = -self._rate * np.asarray(total)
        return ",".join(map(repr, self._weights.tolist()))

    def held(self) -> dict[str, object]:
        """Sums and speakers, and the weights that were last released."""
        return {**super().held(), "weights": self._weights.tolist()}


def noise_of_sums(factorisation: Factorisation, epsilon: float, delta: float, horizon: int) -> float:
    """The standard deviation in each number of each sum, by the rules of the counters.

    Args:
        factorisation: Of the matrix of prefix sums.
        epsilon: Above 0.
        delta: Between 0 and 1.
        horizon: T, at least 1.
    """
    by_rule = tree_counter.node_noise if factorisation == "tree" else square_root_counter.noise
    return by_rule(epsilon, delta, horizon)


def release_noise(factorisation: Factorisation, epsilon: float, delta: float, horizon: int) -> float:
    """The most noise that a number of a release carries, as a standard deviation: of state and release together.

    Args:
        factorisation: Of the matrix of prefix sums.
        epsilon: Above 0.
        delta: Between 0 and 1.
        horizon: T, at least 1.
    """
    both = math.sqrt(2 * squared_sensitivity(factorisation, horizon))
    return both * noise_of_sums(factorisation, epsilon, delta, horizon)
