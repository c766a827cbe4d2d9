"""Rounding in one direction: what is exact until its last step, and what passes through a logarithm.

A bound must not lose its side to rounding. Sums and products of the inputs are taken as fractions, exactly, and become one
floating-point number at the end; where a logarithm or an exponential comes in, the errors of all terms are added on the side
that keeps the bound.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

# One rounding is 2^-53; a term takes a few of them before it is added, relative to itself and relative to 1.
_EACH: Final = 2.0**-50
_UP: Final = 1 + 1e-12
"""More than a sum or a root of squares is off by."""
_LARGEST_LOGARITHM: Final = math.log(sys.float_info.max) - 1e-10


def ceiling(exact: Fraction) -> float:
    """The smallest floating-point number that is at least `exact`; infinity where none is."""
    try:
        value = float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -sys.float_info.max
    return value if value >= exact else math.nextafter(value, math.inf)


def floor(exact: Fraction) -> float:
    """The largest floating-point number that is at most `exact`; minus infinity where none is."""
    return -ceiling(-exact)


def exponential_ceiling(*terms: float) -> float:
    """e to the sum of the terms, rounded up; never 0, and infinity where it exceeds the floating-point range.

    Args:
        terms: Finite numbers, each off by at most a few 2^-53 times 1 or itself, whichever is larger.
    """
    margin = slack(*terms)
    if math.isinf(margin):
        return math.inf
    logarithm = math.fsum(terms) + margin
    if logarithm > _LARGEST_LOGARITHM:
        return math.inf
    value = math.exp(logarithm)
    # Below the normal range the spacing of numbers is wider than any relative slack.
    return value if value >= sys.float_info.min else math.nextafter(value, math.inf)


def slack(*terms: float) -> float:
    """What a sum of rounded terms, or the exponential of it relative to itself, may be off by; at least 2^-50.

    It is infinite where the terms exceed the floating-point range together.
    """
    try:
        return _EACH * (1.0 + math.fsum(1.0 + abs(term) for term in terms))
    except OverflowError:
        return math.inf


def logarithm(exact: Fraction) -> float:
    """ln of a fraction above 0 to about 2^-52 (1 + |ln|), however far it lies outside the floating-point range."""
    power = exact.numerator.bit_length() - exact.denominator.bit_length()
    scaled = exact / Fraction(2) ** power
    return math.log(float(scaled)) + power * math.log(2)


def finite(value: float) -> float | None:
    """The value, or None where it is infinite: JSON has no such number."""
    return value if math.isfinite(value) else None


def combined(added: int) -> Callable[[Sequence[float]], float]:
    """Give what puts the numbers of several classes together, rounded up: by their squares, or, for `added` = 1, by their sum."""
    if added:
        return lambda values: _outward(_sum(values))
    return lambda values: _outward(math.hypot(*values))


def _sum(values: Sequence[float]) -> float:
    """The sum of numbers that are at least 0; infinity where it exceeds the floating-point range."""
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf


def _outward(value: float) -> float:
    """A little above; also where numbers are so small that no share of them is one."""
    return math.nextafter(_UP * value, math.inf) if value else 0.0
