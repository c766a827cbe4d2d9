"""What a score does to the order of methods and of privacy budgets: the figures that Section 4.4 of the paper argues from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from scipy.stats import kendalltau

_T = TypeVar("_T")
Scores = Mapping[str, Sequence[float]]
"""By method, one for each ε, ascending; ∞ last."""


@dataclass(frozen=True, slots=True)
class Orders:
    """How far a score keeps an order."""

    against_epsilon: int
    """Steps from one ε to the next larger one at which a method's score rises; retraining, which has none to lose, left out."""
    steps: int
    agreement: float
    """Kendall's tau between the order of methods at each ε and that at the next larger one, mean."""
    above_retrain: tuple[str, ...]
    """Methods that score at least as much as retraining without privacy."""


def orders(scores: Scores) -> Orders:
    """Read them off a table."""
    rising = [later > earlier for name, row in scores.items() if name != "retrain" for earlier, later in _neighbours(row)]
    columns = list(zip(*scores.values(), strict=True))
    agreements = [agreement(earlier, later) for earlier, later in _neighbours(columns)]
    least = scores["retrain"][-1]
    above = tuple(name for name, row in scores.items() if name != "retrain" and row[-1] >= least)
    return Orders(sum(rising), len(rising), sum(agreements) / len(agreements), above)


def agreement(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's tau-b between two scores of the same methods: 1 for the same order, -1 for the reverse."""
    return float(kendalltau(one, other).statistic)


def _neighbours(row: Sequence[_T]) -> list[tuple[_T, _T]]:
    return list(pairwise(row))
