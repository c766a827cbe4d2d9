"""The Gaussian mechanism, exactly: how (epsilon, delta) and the shift mu of two unit Gaussians belong together.

Two Gaussians of equal covariance sigma^2 I whose means are beta apart are distinguished as N(0, 1) and N(mu, 1) are, with
mu = beta / sigma. They are (epsilon, delta)-indistinguishable if and only if delta is at least

    delta(epsilon; mu) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)

(Balle and Wang 2018, Theorem 8; any epsilon >= 0). With a = epsilon/mu - mu/2, b = a + mu and the Mills ratio
R(x) = Phi(-x)/phi(x) this is phi(a) (R(a) - R(b)), because e^epsilon = phi(a)/phi(b). The difference cancels where mu is
small or epsilon large; there the module integrates R(a) - R(b) = int_0^inf e^(-a t - t^2/2) (1 - e^(-mu t)) dt, whose
integrand is positive throughout. Everything happens in logarithms, so that delta -> 0 keeps its digits.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths import special
from auditor.maths.certificates.rule import Inputs, Rule, above, failing, plain_inputs, trusted, without_guarantee, without_result
from auditor.maths.statistics.power import crossing

# How far apart two Gaussians must be where somebody tells them apart, and the Renyi epsilon of that.
# Whatever tells N(0, 1) from N(mu, 1) has an advantage of 2 Phi(mu/2) - 1 at most (Dong, Roth and Su 2022, Section 2.2).
# Where a certificate gives such a trade-off, an advantage that was reached says
#     mu >= 2 Phi^-1((1 + advantage)/2) = 2 sqrt(2) erfinv(advantage),    epsilon = q mu^2/2,
# and refutes every smaller one. It covers statements about a Gaussian trade-off alone. Both are rounded down.
KIND: Final = "gaussian-lower"
MOST: Final = 1 - 1e-12
"""An advantage above it counts as this much: no finite mu gives an advantage of 1."""
# erfinv was found within 1e-15 of the truth, relative to it.
_INWARD: Final = 1 - 1e-13
_INDISTINCT: Final = 1e-150


def mu_lower(advantage: float) -> float:
    """2 Phi^-1((1 + advantage)/2), rounded down.

    Args:
        advantage: Between 0 and `MOST`.
    """
    # Near the end of the floating-point range no relative margin is one.
    return 2 * math.sqrt(2) * float(special.erfinv(advantage)) * _INWARD if advantage > _INDISTINCT else 0.0


class ReachedInputs(Inputs):
    """An order, and an advantage that was reached."""

    q: float
    """The Renyi order, above 1."""
    advantage: float
    """A lower confidence bound on an adversary's advantage, at least 0 and below 1."""


def _conditions(inputs: ReachedInputs) -> tuple[Condition, ...]:
    within = 0 <= inputs.advantage < 1
    return (
        above("q", inputs.q, 1),
        Condition("0 <= advantage < 1", within, f"{inputs.advantage:g}", Provenance.COMPUTED),
        trusted("the two laws have the trade-off of two unit Gaussians, mu apart"),
    )


def _derive(inputs: ReachedInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result(KIND, inputs, conditions, ("mu_lower", "epsilon_lower"))
    mu = mu_lower(min(MOST, inputs.advantage))
    epsilon = max(0.0, math.nextafter(inputs.q * mu**2 / 2 * _INWARD, -math.inf))
    return without_guarantee(KIND, inputs, conditions, {"mu_lower": mu, "epsilon_lower": epsilon})


_LOG_SQRT_TWO_PI: Final = 0.5 * math.log(2 * math.pi)
_SMALLEST: Final = math.ulp(0.0)
# Trapezoidal nodes in u = ln t: the rule converges like e^(-pi^2 / (2 h)) here, at h = 1/8 below the rounding error; the left
# end cuts a share of e^-44, the right end is past the double-exponential decay.
_NODES: Final = np.exp(np.arange(-22.0, 4.0, 0.125))
_SPACING: Final = 0.125


def log_delta(epsilon: float, mu: float) -> float:
    """The logarithm of delta(epsilon; mu), to about 1e-15 (1 + |ln delta|) absolutely.

    Args:
        epsilon: At least 0; infinity gives -infinity for finite mu.
        mu: At least 0, the distance of the means in standard deviations; 0 gives -infinity, infinity gives 0.

    Raises:
        ValueError: If an argument is negative or not a number.
    """
    _refuse_negative(epsilon=epsilon, mu=mu)
    if mu == math.inf:
        return 0.0
    if mu == 0.0 or epsilon == math.inf:
        return -math.inf
    # Rational arithmetic: epsilon/mu and mu/2 may agree in all their digits, and an error in a^2/2 is one in delta.
    exact = Fraction(epsilon) / Fraction(mu) - Fraction(mu) / 2
    try:
        a, b, half_square = float(exact), float(exact + Fraction(mu)), float(exact * exact / 2)
    except OverflowError:
        # |a| > 1e154: delta is 1 to the last digit, or its logarithm is below the floating-point range.
        return 0.0 if exact < 0 else -math.inf
    log_density = -half_square - _LOG_SQRT_TWO_PI
    if a < 0:
        missing = float(special.ndtr(a)) + math.exp(log_density) * _mills(b)
        if missing < 0.5:
            return math.log1p(-missing)
    elif (upper := _mills(b)) < 0.5 * (lower := _mills(a)):
        return log_density + math.log(lower - upper)
    return log_density + math.log(mu) + math.log(_mills_slope(a, mu))


def delta(epsilon: float, mu: float) -> float:
    """The delta that epsilon and mu leave, rounded up by about 2^-49 (4 + |ln delta|) relatively; at most 1.

    A positive delta too small for a floating-point number is given as the smallest one, never as 0.

    Raises:
        ValueError: If an argument is negative or not a number.
    """
    logarithm = log_delta(epsilon, mu)
    if mu == 0.0 or (epsilon == math.inf and mu < math.inf):
        return 0.0
    return min(1.0, max(math.nextafter(math.exp(logarithm + _error(logarithm)), math.inf), _SMALLEST))


@lru_cache(maxsize=4096)  # One document is judged several times over, and what it would have noticed asks this a hundred times.
def epsilon(delta: float, mu: float) -> float:
    """The smallest epsilon >= 0 with delta(epsilon; mu) <= delta, rounded up.

    What comes out satisfies `delta(epsilon(delta, mu), mu) <= delta` in floating point and in truth. It is infinite where no
    epsilon does (delta = 0 and mu > 0) or where it exceeds the floating-point range.

    Raises:
        ValueError: If delta is outside [0, 1], or mu is negative or not a number.
    """
    _refuse_negative(mu=mu)
    target = _target(delta)
    if delta >= 1.0 or log_delta(0.0, mu) <= target:
        return 0.0
    # delta(epsilon; mu) <= Phi(mu/2 - epsilon/mu), so this upper limit already has a delta near or below the wanted one.
    high = mu * (mu / 2 - float(special.ndtri(delta)))
    if not math.isfinite(high):
        return math.inf

    def excess(candidate: float) -> float:
        return log_delta(candidate, mu) - target

    high = max(high, _SMALLEST)
    while excess(high) > 0:
        high *= 2
    return crossing(excess, outside=0.0, inside=high)


@lru_cache(maxsize=256)
def mu(epsilon: float, delta: float) -> float:
    """The largest mu with delta(epsilon; mu) <= delta, rounded down.

    What comes out satisfies `delta(epsilon, mu(epsilon, delta)) <= delta` in floating point and in truth. It is infinite where
    every mu does (delta = 1 or epsilon infinite).

    Raises:
        ValueError: If delta is outside [0, 1], or epsilon is negative or not a number.
    """
    _refuse_negative(epsilon=epsilon)
    target = _target(delta)
    if delta >= 1.0 or epsilon == math.inf:
        return math.inf
    if delta == 0.0:
        return 0.0

    def excess(candidate: float) -> float:
        return log_delta(epsilon, candidate) - target

    # delta <= Phi(mu/2 - epsilon/mu) and delta <= mu phi(0): what solves either with equality is at most mu.
    quantile = -float(special.ndtri(delta))
    root = math.hypot(quantile, math.sqrt(2) * math.sqrt(epsilon))
    low = max(2 * (epsilon / (quantile + root)) if quantile > 0 else root - quantile, 2.5 * delta)
    while excess(low) > 0:
        low /= 2
    high = 2 * low + _SMALLEST
    while excess(high) <= 0:
        high *= 2
    return 0.0 if low == 0.0 else crossing(excess, outside=high, inside=low)


def classical_mu(epsilon: float, delta: float) -> float:
    """epsilon / sqrt(2 ln(1.5/delta)), rounded down: what Theorem 3(ii) of Guo et al. 2020 allows, proved for epsilon <= 1.

    Raises:
        ValueError: If delta is outside [0, 1], or epsilon is negative or not a number.
    """
    _refuse_negative(epsilon=epsilon)
    if _target(delta) == -math.inf:
        return 0.0
    # Both logarithms have one sign, so that each step is off by 2^-53 of its result or a little more.
    found = epsilon / math.sqrt(2 * (math.log(1.5) - math.log(delta))) * (1 - 2.0**-50)
    return max(0.0, math.nextafter(found, -math.inf)) if math.isfinite(found) else found


def _mills(x: float) -> float:
    """R(x) = Phi(-x)/phi(x), for x >= -37."""
    return math.sqrt(math.pi / 2) * float(special.erfcx(x / math.sqrt(2)))


def _mills_slope(a: float, mu: float) -> float:
    """(R(a) - R(a + mu)) / mu for a > -1, as an integral of a positive function."""
    scale = (a + math.sqrt(a * a + 4)) / 2 if a < 1e8 else a
    t = _NODES / scale
    shrink = np.maximum(mu * t, 1e-16)
    values = t * t * np.exp(-t * (a + t / 2)) * (-np.expm1(-shrink) / shrink)
    return float(values.sum()) * _SPACING


def _target(delta: float) -> float:
    """ln delta, lowered by more than the error of `log_delta`: anyone who stays below it stays below delta in truth."""
    if not 0.0 <= delta <= 1.0:
        raise ValueError(f"delta must be between 0 and 1, found {delta}")
    if delta == 0.0:
        return -math.inf
    logarithm = math.log(delta)
    return logarithm - 2.0**-48 * (8 - logarithm)


def _error(logarithm: float) -> float:
    """More than `log_delta` and the exponential of it may be off by, and less than `_target` takes off."""
    return 2.0**-49 * (4 - logarithm)


def _refuse_negative(**arguments: float) -> None:
    for name, value in arguments.items():
        if not value >= 0.0:
            raise ValueError(f"{name} must be at least 0, found {value}")


class GaussianInputs(Inputs):
    """Two of the three numbers that describe a Gaussian mechanism."""

    epsilon: float | None = None
    """At least 0."""
    delta: float | None = None
    """Between 0 and 1."""
    mu: float | None = None
    """At least 0: the distance of the means in standard deviations."""


def _gaussian_conditions(inputs: GaussianInputs) -> tuple[Condition, ...]:
    given = [name for name in ("epsilon", "delta", "mu") if getattr(inputs, name) is not None]
    found = ", ".join(given) or "none of them"
    conditions = [Condition("exactly two of epsilon, delta and mu are given", len(given) == 2, found, Provenance.COMPUTED)]
    if inputs.epsilon is not None:
        conditions.append(Condition("epsilon >= 0", inputs.epsilon >= 0, f"{inputs.epsilon:g}", Provenance.COMPUTED))
    if inputs.delta is not None:
        conditions.append(Condition("0 <= delta <= 1", 0 <= inputs.delta <= 1, f"{inputs.delta:g}", Provenance.COMPUTED))
    if inputs.mu is not None:
        conditions.append(Condition("mu >= 0", inputs.mu >= 0, f"{inputs.mu:g}", Provenance.COMPUTED))
    return tuple(conditions)


def _derive_gaussian(inputs: GaussianInputs) -> Certificate:
    conditions = _gaussian_conditions(inputs)
    missing = [name for name in ("epsilon", "delta", "mu") if getattr(inputs, name) is None]
    if not all(condition.holds for condition in conditions):
        keys = [*missing, "classical_mu"] if missing == ["mu"] else missing
        return without_result("gaussian", inputs, conditions, keys)
    outputs: dict[str, float | str | None]
    match inputs.epsilon, inputs.delta, inputs.mu:
        case None, float(given_delta), float(given_mu):
            outputs = {"epsilon": _finite(epsilon(given_delta, given_mu))}
        case float(given_epsilon), None, float(given_mu):
            outputs = {"delta": delta(given_epsilon, given_mu)}
        case float(given_epsilon), float(given_delta), None:
            outputs = {
                "mu": _finite(mu(given_epsilon, given_delta)),
                "classical_mu": _finite(classical_mu(given_epsilon, given_delta)),
            }
        case _:
            raise ValueError("exactly two of epsilon, delta and mu are needed")
    if outputs[missing[0]] is None:
        outputs["reason"] = f"no finite {missing[0]} satisfies the other two"
    known = {**plain_inputs(inputs), **outputs}
    return Certificate(
        kind="gaussian",
        epsilon=known["epsilon"],
        delta=known["delta"],
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs=outputs,
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Advantage of the best test between two Gaussians (Dong, Roth and Su 2022); R_q = q mu^2/2",
        summary="The least mu, and its Renyi epsilon, that a Gaussian trade-off can have after an advantage that was reached.",
        example="auditor calc gaussian-lower --q 2 --advantage 0.3",
        inputs=ReachedInputs,
        conditions=_conditions,
        derive=_derive,
    ),
    Rule(
        kind="gaussian",
        theorem="Balle and Wang 2018, Theorem 8; classical_mu: Guo et al. 2020, Theorem 3(ii)",
        summary="The analytic Gaussian mechanism: any two of epsilon, delta and mu give the third.",
        example="auditor calc gaussian --epsilon 1 --delta 1e-4",
        inputs=GaussianInputs,
        conditions=_gaussian_conditions,
        derive=_derive_gaussian,
    ),
)
