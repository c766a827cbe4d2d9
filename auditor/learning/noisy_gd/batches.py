"""Mini-batches of noisy gradient descent: which records a step follows, and by what their gradients are divided.

The batch of a record follows from its own id, so that nobody else's changes when it leaves, or had it never been there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from auditor.base.records import Dataset, Floats
from auditor.learning.noisy_gd.fields import MeanGradient
from auditor.learning.noisy_gd.models import LinearModel, positions_of
from auditor.settings.facets import Packing


def batch_of(record_id: str, batches: int) -> int:
    """The batch of a record, from 0: SHA-256 of its id in UTF-8, as a number, modulo M."""
    return int.from_bytes(hashlib.sha256(record_id.encode()).digest(), "big") % batches


@dataclass(frozen=True, slots=True, eq=False)
class BatchedModel:
    """A linear model that is learned in mini-batches."""

    linear: LinearModel
    packing: Packing

    @property
    def size(self) -> int:
        """p."""
        return self.linear.size

    def on(self, data: Dataset) -> BatchedGradient:
        """The gradients of the batches of these records, from the first batch on.

        Raises:
            ValueError: If there is no record, a label is not among the classes, or a batch holds more records than allowed.
        """
        if not len(data):
            raise ValueError("expected at least one record to learn from, found none")
        places = np.array([batch_of(str(each), self.packing.batches) for each in data.ids], dtype=np.int64)
        counts = np.bincount(places, minlength=self.packing.batches)
        largest = int(counts.max())
        if largest > self.packing.divisor:
            raise ValueError(
                f"batch_size: expected at least {largest}, the records of batch {int(counts.argmax()) + 1}, "
                f"found {self.packing.divisor}"
            )
        rows, labels = self.linear.rows(data.features), positions_of(data.labels, self.linear.classes)
        return BatchedGradient(self.linear, self.packing, rows, labels, places)

    def probabilities(self, parameters: Floats, features: Floats) -> Floats:
        """Of the classes, shape (n, classes)."""
        return self.linear.probabilities(parameters, features)


class BatchedGradient:
    """The gradient of one batch after the other, always in the same order; each call is the next batch's."""

    def __init__(
        self,
        linear: LinearModel,
        packing: Packing,
        rows: Floats,
        labels: npt.NDArray[np.int64],
        places: npt.NDArray[np.int64],
    ) -> None:
        """Take the records of each batch; `places` says which, shape (n,)."""
        self._divisor, self._next = packing.divisor, 0
        self._whole = MeanGradient(linear.loss, rows, labels)
        chosen = (np.flatnonzero(places == batch) for batch in range(packing.batches))
        self._batches = [MeanGradient(linear.loss, rows[each], labels[each]) if len(each) else None for each in chosen]

    def __call__(self, parameters: Floats) -> Floats:
        """1/b times the sum of the next batch's gradients without the regulariser; 0 of an empty one."""
        batch = self._batches[self._next]
        self._next = (self._next + 1) % len(self._batches)
        if batch is None:
            return np.zeros_like(parameters)
        return np.asarray(batch(parameters[None])[0] * (batch.rows / self._divisor), dtype=np.float64)

    def seen(self, start: Floats, end: Floats, rng: np.random.Generator) -> Mapping[str, float]:  # noqa: ARG002
        """The largest norm of a row, as it was learned from."""
        return {"largest_row_norm": self._whole.largest_row_norm}
