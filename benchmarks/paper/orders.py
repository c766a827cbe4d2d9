"""What a score does to the order of methods and of privacy budgets: the figures that Section 4.4 of the paper argues from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scipy.stats import kendalltau

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
    above_retrain: int
    """Places of the table at which a method scores at least as much as retraining does at that ε."""
    places: int


def orders(scores: Scores) -> Orders:
    """Read them off a table."""
    others = [row for name, row in scores.items() if name != "retrain"]
    rising = [later > earlier for row in others for earlier, later in pairwise(row)]
    above = [score >= least for row in others for score, least in zip(row, scores["retrain"], strict=True)]
    columns = list(zip(*scores.values(), strict=True))
    agreements = [agreement(earlier, later) for earlier, later in pairwise(columns)]
    return Orders(sum(rising), len(rising), sum(agreements) / len(agreements), sum(above), len(above))


def rises_for_certain(lows: Scores, highs: Scores) -> int:
    """Steps from one ε to the next larger one at which a method's whole interval rises above where it was."""
    return sum(
        low > high for name in lows if name != "retrain" for high, low in zip(highs[name][:-1], lows[name][1:], strict=True)
    )


def agreement(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's tau-b between two scores of the same methods: 1 for the same order, -1 for the reverse."""
    return float(kendalltau(one, other).statistic)
