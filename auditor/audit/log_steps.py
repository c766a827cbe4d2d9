"""The steps of a log that is run again, on a table with as many rows as the training data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from auditor.base.domain import Positions
from auditor.sandbox import Drop, Learn, Step, Unlearn


def model_after(batch: int) -> str:
    """Name the model after a batch; 0 for learning."""
    return f"model-{batch}"


def log_steps(records: int, forgotten: Sequence[Positions], *, seed: int, look: Callable[[int], Iterable[Step]]) -> list[Step]:
    """Learn, and unlearn batch after batch, each with its own seed; every model is examined, and dropped after its successor.

    Args:
        records: How many there are before the first batch.
        forgotten: Positions in the table, one array a batch.
        seed: The procedure's own: learning gets it, the k-th batch seed + k.
        look: What is asked about the model after a batch, 0 for learning.
    """
    rows = np.arange(records, dtype=np.int64)
    steps: list[Step] = [Learn(model_after(0), rows, seed), *look(0)]
    for number, positions in enumerate(forgotten, start=1):
        before, forget = model_after(number - 1), np.flatnonzero(np.isin(rows, positions)).astype(np.int64)
        steps += [Unlearn(before, model_after(number), rows, forget, seed + number), *look(number), Drop(before)]
        rows = np.delete(rows, forget)
    return steps
