"""What would decide an open attack, and how long that takes: from what one training took in this very audit."""

from __future__ import annotations

import math
from typing import Final

from auditor.maths.statistics.exact import clopper_pearson
from auditor.pages.remedies.advice import Subject
from auditor.pages.words.texts import text
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.readings import Times

TRAININGS_A_PAIR: Final = 6
"""Two models learn, two are retrained with equal seeds and two with seeds of their own; updates cost less than that."""
MOST_MODELS: Final = 2000
"""More retrained models than that are no advice."""
_CONFIDENCE: Final = 0.95
_GROWTH: Final = 1.05
"""By how much the next number that is tried is larger."""


def time_of(about: Subject, trainings: int) -> str:
    """The time of so many trainings, one after another."""
    seen = next((each.observed for each in about.told.checks if Role.SPEED in each.card.roles), None)
    if not isinstance(seen, Times) or seen.retrain_seconds <= 0:
        return text("remedy-time-unknown")
    seconds = seen.retrain_seconds * trainings
    if seconds < 60:
        return text("remedy-time-short")
    if seconds < 3600:
        return text("remedy-time-minutes", count=math.ceil(seconds / 60))
    return text("remedy-time-hours", count=math.ceil(seconds / 3600))


def models_that_decide(p: float, models: int, *, level: float) -> int | None:
    """Estimate the retrained models with which it would be clear on which side of `level` a p lies.

    The share of retrained models that show as much as the release is taken to stay where it is; it is clear where its exact
    interval (Clopper and Pearson 1934) no longer holds the level.

    Args:
        p: (1 + those that show as much) / (models + 1).
        models: How many there were.
        level: What p is held against.

    Returns:
        The models, more than there were; None where that is clear already, or where no sensible number would show it.
    """
    as_much = max(0, round(p * (models + 1)) - 1)
    if _is_clear(as_much, models, level):
        return None
    wanted = float(models)
    while wanted <= MOST_MODELS:
        wanted = max(wanted + 1, wanted * _GROWTH)
        tried = math.ceil(wanted / 10) * 10 - 1
        if tried > models and _is_clear(round(as_much / models * tried), tried, level):
            return tried if tried <= MOST_MODELS else None
    return None


def _is_clear(as_much: int, models: int, level: float) -> bool:
    found = clopper_pearson(as_much, models, confidence=_CONFIDENCE)
    return not found.low <= level <= found.high
