"""Whether updates that were resumed came out as they did originally: bit for bit, or, where chance plays a part, as laws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from auditor.checks.findings import finite
from auditor.domain import Floats
from auditor.sandbox import Answer, Parameters, Predict
from auditor.statistics import sign_flip_p

Seen: TypeAlias = Mapping[str, tuple[Floats, ...]]
"""What each model was seen to be, by its name: its parameters, then its predictions."""

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


def seen(answers: Sequence[Answer]) -> Seen:
    """What the models of a run were seen to be; only those that were."""
    found: dict[str, tuple[Floats, ...]] = {}
    for answer in answers:
        if isinstance(answer.step, Parameters | Predict) and answer.array is not None:
            found[answer.step.model] = (*found.get(answer.step.model, ()), answer.array)
    return found


def same(first: Seen, second: Seen) -> bool:
    """Whether every model that both runs saw is the same, bit for bit. That there is none is no sameness."""
    common = first.keys() & second.keys()
    return bool(common) and all(_bits(first[model]) == _bits(second[model]) for model in common)


def difference(first: Seen, second: Seen) -> float | None:
    """The largest absolute difference between models of one name; None where their shapes differ."""
    pairs = [pair for model in sorted(first.keys() & second.keys()) for pair in zip(first[model], second[model], strict=False)]
    if any(a.shape != b.shape for a, b in pairs):
        return None
    return finite(max((float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs), default=0.0))


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


def _bits(arrays: tuple[Floats, ...]) -> list[tuple[tuple[int, ...], bytes]]:
    return [(array.shape, array.tobytes()) for array in arrays]
