"""Two samples of one event: how far apart its two probabilities are at least."""

from __future__ import annotations

import math

from auditor.maths.statistics.exact import clopper_pearson


def epsilon_lower(
    first: int, second: int, trials: int, *, confidence: float, delta: float = 0.0, other_delta: float = 0.0
) -> float:
    """The ε that two laws exceed for certain at some δ.

    No smaller ε has P(E) - δ ≤ e^ε (Q(E) + δ'), nor the same of the complement, nor both ways. With δ' = 0 that is
    (ε, δ)-closeness.

    Args:
        first: How often the event occurred under P.
        second: How often it occurred under Q.
        trials: Independent runs under each.
        confidence: With which the bound holds; the event must have been chosen without these runs.
        delta: δ.
        other_delta: δ', where the law that is counted is only within it of the one that is meant.

    Returns:
        The lower confidence limit of ε, 0 where the two cannot be told apart.

    Raises:
        ValueError: If a count lies outside 0 to `trials`, or the confidence outside 0 to 1.
    """
    # Two intervals share the error probability; all four quotients hold where both do.
    each = 1 - (1 - confidence) / 2
    one, other = (clopper_pearson(count, trials, confidence=each) for count in (first, second))
    found = 0.0
    for above, below in ((one, other), (other, one)):
        for high, low in ((above.low, below.high), (1 - above.high, 1 - below.low)):
            if high - delta > low + other_delta > 0:
                found = max(found, math.log((high - delta) / (low + other_delta)))
    return found
