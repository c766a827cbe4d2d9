"""What many chains show of a divergence: a lower bound that holds with the confidence asked for, whatever the chains' law is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

from auditor.maths.certificates import derive
from auditor.maths.statistics.exact import clopper_pearson

Floats = npt.NDArray[np.float64]
CONFIDENCE = 1 - 1e-6
"""Of each pair of limits: a correct certificate fails a hundred of them once in ten thousand runs."""
_QUANTILES = np.linspace(0.01, 0.99, 50)


@dataclass(frozen=True)
class Apart:
    """How far apart two laws are at least."""

    epsilon: float
    """Of R_q, the larger of both directions."""
    mu: float
    """Of the Gaussian trade-off: no pair of unit Gaussians this far apart or less has such counts."""


def apart(first: Floats, second: Floats, *, order: float) -> Apart:
    """What independent draws of two laws, each of shape (chains, p), say from below.

    A direction and a threshold are fitted to one half of the chains; the other half is counted beyond them, with exact limits
    (Clopper and Pearson 1934), and data processing does the rest.
    """
    half = len(first) // 2
    direction = _direction(first[:half], second[:half])
    one, other = first @ direction, second @ direction
    found = [_counted(one, other, half, order), _counted(-other, -one, half, order)]
    return Apart(max(each.epsilon for each in found), max(each.mu for each in found))


def certified(loss: dict[str, Any], *, order: float, steps: int, learn_steps: int | None = None) -> Apart:
    """What Theorem 5.1 and the Gaussian trade-off bound them by; `loss` holds the constants of the rule noisy-gd-convex."""
    theorem = derive("noisy-gd-convex", {**loss, "q": order, "steps": steps}).outputs["epsilon_dd"]
    rate = 1 / (2 * (loss["l2"] + loss["smoothness"]))
    ran = {} if learn_steps is None else {"learn_steps": learn_steps}
    return Apart(theorem, derive("noisy-gd-gaussian", {**loss, "rate": rate, "steps": steps, **ran}).outputs["mu"])


def _direction(first: Floats, second: Floats) -> Floats:
    """Of the best linear test, were both laws Gaussian."""
    spread = np.atleast_2d(np.cov(np.vstack([first - first.mean(0), second - second.mean(0)]).T))
    found: Floats = np.linalg.solve(spread + 1e-12 * np.trace(spread) * np.eye(len(spread)), first.mean(0) - second.mean(0))
    return found / max(1e-300, float(np.linalg.norm(found)))


def _counted(one: Floats, other: Floats, half: int, order: float) -> Apart:
    """From the event of lying above a threshold, likelier under `one`."""
    thresholds = np.quantile(np.concatenate([one[:half], other[:half]]), _QUANTILES)
    chances = [(float(np.mean(one[:half] > each)), float(np.mean(other[:half] > each))) for each in thresholds]
    best = thresholds[int(np.argmax([_divergence(order, *each) for each in chances]))]
    hits, other_hits = int((one[half:] > best).sum()), int((other[half:] > best).sum())
    trials = len(one) - half
    inputs = {"q": order, "hits": hits, "trials": trials, "other_hits": other_hits, "other_trials": trials}
    epsilon = derive("renyi-lower", {**inputs, "confidence": CONFIDENCE}).outputs["epsilon_lower"]
    low = clopper_pearson(hits, trials, confidence=CONFIDENCE).low
    high = clopper_pearson(other_hits, trials, confidence=CONFIDENCE).high
    return Apart(epsilon, max(0.0, float(norm.ppf(low) - norm.ppf(high))))


def _divergence(order: float, first: float, second: float) -> float:
    """Of two coins, held away from 0 and 1; 0 where the second lands heads more often."""
    a, b = (min(0.999, max(0.001, each)) for each in (first, second))
    if a <= b:
        return 0.0
    return math.log(a**order * b ** (1 - order) + (1 - a) ** order * (1 - b) ** (1 - order)) / (order - 1)
