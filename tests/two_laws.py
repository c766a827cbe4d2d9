"""The smallest ε that the joint confidence set of two shares leaves, found without a step of the code under test."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.stats import beta


def product(level: float) -> float:
    """The t with t (1 - ln t) = level: what a product of two uniform numbers is at most with that probability."""
    return float(np.exp(-brentq(lambda x: x - np.log1p(x) + np.log(level), 0.0, 800.0, xtol=1e-14)))


def least_epsilon(high: int, low: int, trials: int, *, confidence: float, steps: int = 4001) -> float:
    """Follow the edge of the set in small steps: negative where laws are in it of which the other one has more.

    Args:
        high: Of the event, under the law that has more.
        low: Of the event, under the other one.
        trials: Runs under each.
        confidence: Half of the error is for the other side.
        steps: Along the edge.
    """
    together = product((1 - confidence) / 2)
    tails = together ** np.linspace(0.0, 1.0, steps)[1:-1]
    p = beta.ppf(tails, high, trials - high + 1)
    q = beta.isf(together / tails, low + 1, trials - low) if low < trials else np.ones(steps - 2)
    return float(np.maximum(np.log(p / q), np.log((1 - q) / (1 - p))).min())
