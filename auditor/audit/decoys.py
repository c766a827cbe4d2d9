"""Draw decoys: retained records that a model is made to forget in the place of those that the log deletes.

A model that learned everything and then unlearned decoys still holds the deleted records, and has lost whatever unlearning always
takes away, a layer that memorised its training data for instance. It is the no-unlearning baseline that a procedure cannot make
look worse than it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Positions


def draw_decoys(
    retained: Positions, sizes: Sequence[int], *, labels: npt.NDArray[Any] | None, rng: np.random.Generator
) -> tuple[Positions, ...]:
    """Draw distinct records to forget, batch by batch.

    One record of each label always stays. Where too few are left to draw from, every batch takes the same share of what it asked
    for, rounded down but at least one record as long as there are any.

    Args:
        retained: Shape (r,): positions to draw from.
        sizes: How many records each batch forgets.
        labels: Shape (n,): of all records, by position; None where labels are no classes, and one record of any stays.
        rng: Draws.

    Returns:
        One array a batch, ascending; no position occurs twice.
    """
    mixed = rng.permutation(retained)
    codes = np.zeros(len(mixed), dtype=np.int64) if labels is None else np.unique(labels[mixed], return_inverse=True)[1]
    free = np.delete(mixed, np.unique(codes, return_index=True)[1])
    asked = np.asarray(sizes, dtype=np.int64)
    if asked.sum() > len(free):
        asked = np.minimum(asked, np.maximum(1, asked * len(free) // asked.sum()))
    ends = np.minimum(np.cumsum(asked), len(free))
    return tuple(
        np.sort(free[end - size : end]).astype(np.int64) for size, end in zip(np.diff(ends, prepend=0), ends, strict=True)
    )
