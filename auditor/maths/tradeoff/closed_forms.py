"""Trade-off functions in closed form: δ at ε and ε at δ rounded up, type II errors rounded down.

Of (ε₀, δ₀)-closeness the worst pair has δ(ε) = δ₀ + (1 − δ₀)(e^ε₀ − e^ε)/(1 + e^ε₀) below ε₀ and δ₀ from there (Kairouz, Oh and
Viswanath 2015, Theorem 2.1; the conjugate of Dong, Roth and Su 2022, Proposition 2.5). Two Laplace densities of scale 1, m apart,
have δ(ε) = 1 − e^((ε − m)/2) up to m, and 0 from there (Balle, Barthe and Gaboardi 2018, Theorem 3). The Gaussian's δ and ε are
those of `certificates.gaussian`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from auditor.maths import special
from auditor.maths.certificates.rounding import ceiling, exponential_ceiling, floor, slack

_UP: Final = 1 + 2.0**-47
_DOWN: Final = 1 - 2.0**-47
_QUANTILE: Final = 2.0**-48
"""More than `ndtri` is off by relative to its result, by several times."""
_TAIL: Final = 1e-12
"""More than `ndtr` is off by relative to its result in the normal range; the square of the argument counts in it."""
_FARTHEST: Final = 37.0
"""Beyond it a tail of the normal distribution comes near the end of the normal range of numbers, and is taken as 0."""
_LARGEST_EXPONENT: Final = 745.0


def approximate_delta(own: float, delta: float, epsilon: float) -> float:
    """δ at ε of (own, delta)-closeness, rounded up.

    Args:
        own: ε₀, at least 0.
        delta: δ₀, between 0 and 1.
        epsilon: At least 0.
    """
    if epsilon >= own or delta >= 1.0:
        return delta
    # A sum of positive terms: each is good to a few roundings.
    missing = (1 - delta) * -math.expm1(epsilon - own) / (1 + math.exp(-own))
    return min(1.0, math.nextafter((delta + missing) * _UP, math.inf))


def approximate_epsilon(own: float, delta: float, target: float) -> float:
    """ε at δ of (own, delta)-closeness, rounded up; infinite below δ₀.

    With d = (δ − δ₀)/(1 − δ₀) it is ln(e^ε₀ (1 − d) − d) = ε₀ + ln(1 − d) + ln(1 − e^−ε₀ d/(1 − d)), whose last term is at least
    −ln 2 wherever ε ≥ 0: nothing cancels that was not given.

    Args:
        own: ε₀, at least 0.
        delta: δ₀, between 0 and 1.
        target: δ, between 0 and 1.
    """
    if target < delta:
        return math.inf
    if target == delta or own == 0.0:
        return 0.0 if delta == 1.0 else own
    if target >= 1.0:
        return 0.0
    share = (Fraction(target) - Fraction(delta)) / (1 - Fraction(delta))
    odds = float(share / (1 - share)) * math.exp(-own)
    if odds >= 0.51:
        # ε is 0 from d/(1 + d) on, which is at most one half.
        return 0.0
    terms = (own, -_log1p(share / (1 - share)), math.log1p(-odds))
    return min(own, max(0.0, math.fsum(terms) + slack(*terms)))


def approximate_error(own: float, delta: float, alpha: float) -> float:
    """f(α) = max{0, 1 − δ − e^ε α, e^−ε (1 − δ − α)} of (own, delta)-closeness, rounded down.

    Args:
        own: ε, at least 0.
        delta: Between 0 and 1.
        alpha: Between 0 and 1.
    """
    rest = 1 - Fraction(delta) - Fraction(alpha)
    if rest <= 0:
        return 0.0
    shallow = math.nextafter(floor(rest) * math.exp(-own) * _DOWN, 0.0) if own else floor(rest)
    return max(0.0, shallow, steep_error(own, delta, alpha))


def steep_error(own: float, delta: float, alpha: float) -> float:
    """max{0, 1 − δ − e^ε α}, rounded down: all that P[S] ≤ e^ε Q[S] + δ says, in this one direction.

    Args:
        own: ε, at least 0.
        delta: Between 0 and 1.
        alpha: Between 0 and 1.
    """
    growth = exponential_ceiling(own) if own else 1.0
    if not math.isfinite(growth) and alpha:
        return 0.0
    return max(0.0, floor(1 - Fraction(delta) - (Fraction(growth) * Fraction(alpha) if alpha else 0)))


def laplace_delta(shift: float, epsilon: float) -> float:
    """δ at ε of Laplace noise, rounded up: 1 − e^((ε − m)/2), 0 from m on.

    Args:
        shift: m, at least 0.
        epsilon: At least 0.
    """
    if epsilon >= shift:
        return 0.0
    return min(1.0, math.nextafter(-math.expm1((epsilon - shift) / 2) * _UP, math.inf))


def laplace_epsilon(shift: float, delta: float) -> float:
    """ε at δ of Laplace noise, rounded up: m + 2 ln(1 − δ), at least 0.

    Args:
        shift: m, at least 0.
        delta: Between 0 and 1.
    """
    if delta >= 1.0:
        return 0.0
    if delta == 0.0:
        return shift
    terms = (shift, 2 * math.log1p(-delta))
    return min(shift, max(0.0, math.fsum(terms) + slack(*terms)))


def laplace_error(shift: float, alpha: float) -> float:
    """The type II error at α of Laplace noise, rounded down.

    Args:
        shift: m, at least 0.
        alpha: Between 0 and 1.
    """
    if alpha in {0.0, 1.0}:
        return 1.0 - alpha
    # The whole function is the largest of 0, its two straight pieces and, between their ends, the curve above both.
    straight = approximate_error(shift, 0.0, alpha)
    shrink = math.exp(-shift)
    if not shrink / 2 * _UP < alpha < 0.5:
        return straight
    return max(straight, math.nextafter(shrink / (4 * alpha) * _DOWN, 0.0))


def gaussian_error(mu: float, alpha: float) -> float:
    """f(α) = Φ(Φ⁻¹(1 − α) − μ), rounded down (Dong, Roth and Su 2022, equation 6).

    Args:
        mu: At least 0.
        alpha: Between 0 and 1.
    """
    if alpha in {0.0, 1.0} or mu == 0.0:
        return floor(1 - Fraction(alpha))
    quantile = -float(special.ndtri(alpha))
    argument = quantile - mu - _QUANTILE * (abs(quantile) + mu)
    if argument < -_FARTHEST:
        return 0.0
    found = math.nextafter(float(special.ndtr(argument)) * (1 - _TAIL), 0.0)
    return max(0.0, min(found, floor(1 - Fraction(alpha))))


def laplace_ceiling(shift: float) -> float:
    """1 − e^−m, rounded up: what two worlds, each m from a third, show by Laplace noise."""
    return laplace_delta(2 * shift, 0.0)


def approximate_ceiling(own: float, delta: float) -> float:
    """1 − (1 − 2δ) e^−ε, rounded up, at most 1: what two worlds show that are (own, delta)-close to a third.

    Args:
        own: ε, at least 0.
        delta: Between 0 and 1.
    """
    if delta >= 0.5:
        return 1.0
    found = -math.expm1(-own) + 2 * delta * math.exp(-own)
    return min(1.0, math.nextafter(found * _UP, math.inf)) if found else 0.0


def _log1p(value: Fraction) -> float:
    """ln(1 + value) for a value above 0, to a few roundings of itself; the value may exceed the floating-point range."""
    if value < Fraction(10) ** 300:
        return math.log1p(ceiling(value))
    return math.log(value.numerator) - math.log(value.denominator)
