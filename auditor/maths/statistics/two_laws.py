"""A lower limit on the ε that two laws exceed, from how often an event occurred under each.

The chance of as many or more under P is at most t with probability at most t, so is that of as few or fewer under Q, and the two
are independent. Their product is then at most t with probability at most t (1 - ln t) (Fisher 1925, "Statistical methods for
research workers", section 21.1): the pairs of probabilities with which it is larger are a joint confidence set, and the smallest
ε among them is the limit. Two intervals that share the error would ask for a gap a third as large again.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import log, nextafter
from typing import Final

from auditor.maths.statistics.exact import log_quotient_down, lower_limit, refuse_confidence, upper_limit

_STEPS: Final = 64
"""Steps in which the edge of the confidence set is followed; each lies wholly outside of it."""
_INWARD: Final = 1e-12
"""By what share the product is below the one with exactly that level: more than rounding takes."""


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
        The lower confidence limit of ε, rounded down; 0 where the two cannot be told apart.

    Raises:
        ValueError: If a count lies outside 0 to `trials`, or the confidence outside 0 to 1.
    """
    refuse_confidence(confidence)
    if not 0 <= min(first, second) <= max(first, second) <= trials:
        raise ValueError(f"counts must be between 0 and {trials}, found {first} and {second}")
    return _epsilon_lower(first, second, trials, confidence, delta, other_delta)


# As intervals are, in `exact`: the same counts are judged again and again.
@lru_cache(maxsize=4096)
def _epsilon_lower(first: int, second: int, trials: int, confidence: float, delta: float, other_delta: float) -> float:
    if first == second:
        return 0.0
    # Either law may be the one with more: each side has half of the error. The other side says nothing, as its set holds both
    # shares as they were counted.
    above, below = max(first, second), min(first, second)
    found = float("inf")
    for high, low in _edge(above, below, trials, _product((1 - confidence) / 2)):
        quotients = ((high, low), (1 - low, 1 - high))
        found = min(found, max(log_quotient_down(one - Fraction(delta), two + Fraction(other_delta)) for one, two in quotients))
        if found == 0.0:
            break
    return found


def _edge(above: int, below: int, trials: int, product: float) -> Iterator[tuple[Fraction, Fraction]]:
    """Give a p and a q for each step: no pair of the set between this step and the next has a smaller p or a larger q."""
    tails = [product ** (1 - step / _STEPS) for step in range(_STEPS)] + [1.0]
    # From the middle on, where laws that are hardly apart meet first.
    for step in sorted(range(_STEPS), key=lambda each: abs(2 * each + 1 - _STEPS)):
        high = lower_limit(above, trials, tail=tails[step])
        low = upper_limit(below, trials, tail=nextafter(product / tails[step + 1], 0.0))
        yield Fraction(high), Fraction(low)


@lru_cache(maxsize=256)
def _product(level: float) -> float:
    """Find the t with t (1 - ln t) = level, rounded down."""
    found = level
    for _ in range(200):
        found = level / (1 - log(found))
    return found * (1 - _INWARD)
