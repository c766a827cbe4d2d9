"""Compare the law of resumed updates with that of the originals, where chance plays a part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from auditor.audit.model_outputs import Seen
from auditor.maths.statistics import sign_flip_p

PAIRS: Final = 12
"""Originals, each alongside a run resumed from it: enough for the least p-value of 1/2048."""
_COORDINATES: Final = 500


def laws_differ(pairs: Sequence[tuple[Seen, Seen]], model: str) -> float | None:
    """The p-value of the two runs of every pair having made `model` by one law; None where shapes differ within a pair.

    Given the model that both start from, they are then exchangeable, so that the sign of their difference is a fair coin, in all
    coordinates at once: an exact randomisation test, see `statistics.sign_flip`.
    """
    rows = []
    for original, resumed in pairs:
        if [each.shape for each in original[model]] != [each.shape for each in resumed[model]]:
            return None
        rows.append(np.concatenate([(a - b).ravel() for a, b in zip(original[model], resumed[model], strict=True)]))
    if len({len(row) for row in rows}) != 1:
        return None
    columns = np.stack(rows, axis=1)
    columns = columns[np.unique(np.linspace(0, len(columns) - 1, _COORDINATES).astype(np.int64))]
    largest = np.max(np.abs(columns), axis=1, keepdims=True)
    # An unused generator: as many pairs as there are here are all counted.
    return sign_flip_p(columns / np.where(largest > 0, largest, 1.0), rng=np.random.default_rng(0))
