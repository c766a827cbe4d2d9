"""An adaptive requester (Theorem 3.1 of the paper): what `[requester] entry` in audit.toml names.

It plays against the procedure in many games. In half of them the record in the middle is replaced by another one before anything
is learned; it is deleted in the last round of every game. Whoever sees what is published then should not know which it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class WritesTheMedian:
    """Sees the first published median, and writes it over other people's records, one a round."""

    observes = (0,)
    """The rounds whose models it wants to see; 0 is the one that was learned."""

    def neighbours(self, data: Any) -> tuple[int, npt.NDArray[np.float64], float]:
        """The target's position, and the features and the label of what stands in its place in the other world."""
        order = np.argsort(data.features[:, 0])
        middle = order[len(order) // 2]
        self._others = np.setdiff1d(order, [middle])
        between = (data.features[middle] + data.features[order[len(order) // 2 + 1]]) / 2
        return int(middle), between, float(between[0])

    def request(
        self, shown: list[npt.NDArray[np.float64]], sent: list[Any], rng: np.random.Generator
    ) -> tuple[list[int], npt.NDArray[np.float64], list[float]]:
        """Positions in the training data, and what is written there. A list of positions alone would delete them.

        Args:
            shown: The parameters of the models that it was shown so far.
            sent: What it asked for so far.
            rng: Of this game.
        """
        taken = [position for positions, _, _ in sent for position in positions]
        chosen = rng.choice(np.setdiff1d(self._others, taken))
        median = float(shown[0][0])
        return [int(chosen)], np.array([[median]]), [median]
