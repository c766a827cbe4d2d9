"""Views of what a model answers: less of it is one of the ways to show less of a deletion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Floats
from auditor.parts.revealing.judging.inference.observed import View

See: TypeAlias = Callable[[Floats], Floats]
"""From answers to what is seen of them, same shape."""
_STEPS: Final = 100
"""Two digits."""
_LARGEST: Final = 1e140


def views(labels: npt.NDArray[np.generic]) -> Mapping[View, See]:
    """Every view of a task's answers, all of them first.

    Args:
        labels: Shape (n,), of the training data: real values for a regression, where a step is a hundredth of their range.
    """
    if labels.dtype.kind != "f":
        return {"scores": _all, "rounded": lambda answers: _rounded(answers, 1.0), "labels": _labels}
    spread = float(np.ptp(bounded(labels.astype(np.float64))))
    return {"scores": bounded, "rounded": lambda answers: _rounded(bounded(answers), spread or 1.0)}


def bounded(values: Floats) -> Floats:
    """Real values cut off at ±1e140, so that squares and their sums are finite: a game with no number would be a lost one."""
    return np.clip(values, -_LARGEST, _LARGEST)


def _all(answers: Floats) -> Floats:
    return answers


def _rounded(answers: Floats, spread: float) -> Floats:
    step = spread / _STEPS
    rounded: Floats = np.round(answers / step) * step
    return rounded


def _labels(answers: Floats) -> Floats:
    """The likeliest class alone, shape (..., classes); the first of several."""
    likeliest: Floats = np.eye(answers.shape[-1])[answers.argmax(axis=-1)]
    return likeliest
