"""What tells a resumed update from the original: a case of another model, or, where chance plays a part, another law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from auditor.observing.models_seen import Seen
from auditor.statistics import sign_flip_p

PAIRS: Final = 12
"""Originals, each beside a run resumed from it: enough for the least p-value of 1/2048."""
SIGNIFICANT: Final = 5e-4
"""At which a difference of laws counts; two are looked at, so that a clean procedure is called otherwise once in 1,000 audits."""
_COORDINATES: Final = 500


@dataclass(frozen=True, slots=True)
class Otherwise:
    """A distinguishing case: an update that came out otherwise once everything but the model was wiped."""

    after: int
    """The update after which it was resumed."""
    difference: float | None
    """The largest absolute difference of parameters or predictions; None where not even their numbers agree."""
    how: str

    def listed(self) -> dict[str, Any]:
        """As the evidence holds it."""
        return {"after": self.after, "difference": self.difference, "how": self.how}


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
