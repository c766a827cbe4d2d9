"""What a refit is asked and what it answers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from auditor.base.records import Dataset, Floats, Positions

Params: TypeAlias = Mapping[str, Any]
"""Keyword arguments of an estimator's constructor; what is left out is scikit-learn's default."""


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """A model of a part of the data, some deletions from it, each tried on that same model, and rows to ask all of them about."""

    trained: Positions
    """Distinct rows of the data, in the order in which they are trained on, shape (m,)."""
    deleted: tuple[Positions, ...]
    """Rows out of `trained`, for each deletion."""
    rows: Floats
    """Features to predict for, shape (q, d)."""


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """What the models of one round say."""

    before: Floats
    """Shape (q, classes), or (q,) for regression."""
    after: tuple[Floats, ...]
    """The same of the model after each deletion."""


def number(value: object, *, least: float, most: float = math.inf, whole: bool = False) -> bool:
    """Whether a parameter is a finite number from `least` to `most`: what an estimator may refuse is left for it to refuse."""
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return False
    return math.isfinite(value) and least <= value <= most


class Refit(Protocol):
    """One way of refitting: a module with these two functions."""

    def applies(self, params: Params) -> bool:
        """Whether it gives what fitting an estimator with these parameters gives."""
        ...

    def play(self, params: Params, data: Dataset, codes: Positions | None, rounds: Sequence[Round]) -> list[Predictions | None]:
        """The answers, round by round; None where the round must be refitted plainly.

        Args:
            params: For which it applies.
            data: All records.
            codes: Classes of the records as positions among those of the procedure, shape (n,); None for regression.
            rounds: What is asked.
        """
        ...
