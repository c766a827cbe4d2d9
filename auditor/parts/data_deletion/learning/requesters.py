"""Adaptive requesters that the auditor brings: small classes that a game drives, and examples for those that users bring.

Both are the paper's own (forget-unlearning.md, Section 3): each examines the first released model and carries what it says of the
target into records that stay. `auditor.sandbox.playing` says what a requester is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from auditor.base.records import Dataset, Floats, Positions


class RepeatFirstModel:
    """Theorem 3.1: writes the first released model over records that stay, one a round (equation 29).

    Of records with one feature the target is the one in the middle; in the other world it lies halfway to the next larger one.
    """

    def neighbours(self, data: Dataset) -> tuple[int, Floats, Any]:
        """The record in the middle, and one between it and the next.

        Raises:
            ValueError: If the records have more than one feature.
        """
        if data.features.shape[1] != 1:
            raise ValueError("expected records with one feature")
        order = np.argsort(data.features[:, 0], kind="stable")
        middle = int(order[len(order) // 2])
        self._target, self._label = middle, data.labels[middle]
        self._others = np.setdiff1d(order, [middle])
        between = (data.features[middle] + data.features[order[len(order) // 2 + 1]]) / 2
        return middle, between, self._label

    def request(self, shown: list[Floats], sent: list[Any], rng: np.random.Generator) -> tuple[list[int], Floats, list[Any]]:
        """Put the first model in the place of another record that was not chosen before."""
        taken = [position for each in sent for position in each[0]]
        chosen = int(rng.choice(np.setdiff1d(self._others, taken)))
        return [chosen], shown[0][:1].reshape(1, 1), [self._label]


class GroupBySign:
    """Equation 8: everybody on one side of zero asks for deletion where the first released model lies on that side.

    Of records with one feature the target is the one whose turning about zero moves the sum of all to the other side of zero.
    """

    def neighbours(self, data: Dataset) -> tuple[int, Floats, Any]:
        """A record whose sign decides on which side of zero the sum lies, and the same with the other sign.

        Raises:
            ValueError: If the records have more than one feature, or no record's sign decides.
        """
        if data.features.shape[1] != 1:
            raise ValueError("expected records with one feature")
        values = data.features[:, 0]
        total = float(values.sum())
        turned = total - 2 * values
        deciding = np.flatnonzero(turned * total < 0)
        if deciding.size == 0:
            raise ValueError("expected a record whose sign decides on which side of zero the sum lies")
        # The one whose two sums lie furthest from zero: that no small noise hides the side.
        target = int(deciding[np.argmax(np.minimum(abs(total), np.abs(turned[deciding])))])
        others = np.setdiff1d(np.arange(len(values)), [target])
        self._below: Positions = others[values[others] < 0]
        self._above: Positions = others[values[others] >= 0]
        return target, -data.features[target], data.labels[target]

    def request(self, shown: list[Floats], sent: list[Any], rng: np.random.Generator) -> Positions:  # noqa: ARG002
        """Once, everybody on the side of the first model."""
        if sent:
            return np.zeros(0, dtype=np.int64)
        return self._below if shown[0].sum() < 0 else self._above


REQUESTERS: Final[Mapping[str, Callable[[], Any]]] = {
    "repeat-first-model": RepeatFirstModel,
    "group-by-sign": GroupBySign,
}
"""Every requester of ours by its name in [requester] use."""
