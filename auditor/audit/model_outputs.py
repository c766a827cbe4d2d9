"""What the models of a run were seen to be, by their names, and whether two runs gave the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from auditor.base.domain import Floats
from auditor.maths.certificates.rounding import finite
from auditor.sandbox import Answer, Parameters, Predict

Seen: TypeAlias = Mapping[str, tuple[Floats, ...]]
"""Each model's arrays: its parameters, then its predictions."""


def seen(answers: Sequence[Answer]) -> Seen:
    """The arrays of every model that was asked for parameters or predictions and gave them."""
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
    common = sorted(first.keys() & second.keys())
    if any(_shapes(first[model]) != _shapes(second[model]) for model in common):
        return None
    pairs = [pair for model in common for pair in zip(first[model], second[model], strict=True)]
    return finite(max((float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs), default=0.0))


def _shapes(arrays: tuple[Floats, ...]) -> list[tuple[int, ...]]:
    return [array.shape for array in arrays]


def _bits(arrays: tuple[Floats, ...]) -> list[tuple[tuple[int, ...], bytes]]:
    return [(array.shape, array.tobytes()) for array in arrays]
