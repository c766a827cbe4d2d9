"""What a removal certificate leaves to any adversary of the SWAP test, and what a measured quality leaves of the certificate.

Split s forgets F, split s' forgets T, and both models are (epsilon, delta)-close, in both directions, to the same retrained
model R. The advantage of an adversary over the pair is at most the total variation distance of the two models. For any set S
with q = R(S): P(S) <= 1 - e^-epsilon (1 - q - delta) and P'(S) >= e^-epsilon (q - delta), so

    Adv <= 1 - (1 - 2 delta) e^-epsilon,    Q = 1 - sup Adv >= (1 - 2 delta) e^-epsilon

and R = (1/2, 1/2) has a pair that attains it. Theorem 3.6 of the SWAP paper (swap-test.md) has the looser
2 (1 - (2 - 2 delta)/(e^epsilon + 1)). With a = 1 - (1 - 2 delta) e^-epsilon this is 2a/(1 + e^-epsilon). Two Gaussians shifted
by mu from R, at worst in opposite directions, have Adv <= 2 Phi(mu) - 1.

Read backward, a quality Q refutes every epsilon whose ceiling it exceeds. Ceilings are rounded up, floors and what is read
backward down: rounding never refutes.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths import special
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.rule import TRUSTED, Inputs, Rule, without_guarantee, without_result

_FORWARD: Final = ("advantage_bound", "quality_bound", "sharp_advantage_bound", "sharp_quality_bound")
_BACKWARD: Final = ("epsilon_lower", "paper_epsilon_lower", "gaussian_mu_lower", "gaussian_epsilon_lower")
# A few roundings of one unit each, and more for what is read backward: forward and back never gives more than went in.
_ONE_WAY: Final = 2.0**-49
_AND_BACK: Final = 2.0**-47
_LARGEST_MU: Final = 1e6


def advantage_bound(epsilon: float, delta: float) -> float:
    """2 (1 - (2 - 2 delta)/(e^epsilon + 1)), rounded up; it says nothing from 1 on (swap-test.md, Theorem 3.6).

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1.
    """
    return _up(2 * _sharp(epsilon, delta) / (1 + math.exp(-epsilon)))


def sharp_advantage_bound(epsilon: float, delta: float) -> float:
    """1 - (1 - 2 delta) e^-epsilon, rounded up; it says nothing for delta >= 1/2.

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1.
    """
    return _up(_sharp(epsilon, delta))


def sharp_quality_bound(epsilon: float, delta: float) -> float:
    """(1 - 2 delta) e^-epsilon, rounded down, at least 0; it keeps its digits where the advantage is next to 1.

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1.
    """
    if epsilon == delta == 0:
        return 1.0
    return max(0.0, math.nextafter((1 - 2 * delta) * math.exp(-epsilon) * (1 - _ONE_WAY), -math.inf))


def epsilon_lower(quality: float, delta: float) -> float:
    """max(0, ln((1 - 2 delta)/Q)), rounded down: no smaller epsilon allows a quality as low as Q.

    At Q = 0 it is infinite, and every finite epsilon is refuted; for delta >= 1/2 nothing is, and it is 0.

    Args:
        quality: Between 0 and 1: the upper limit of an interval for Q.
        delta: Between 0 and 1.
    """
    left = 1 - 2 * Fraction(delta)
    if left <= Fraction(quality):
        return 0.0
    if quality == 0.0:
        return math.inf
    # Numbers below the normal range are taken as its smallest one: the result is smaller, and still a lower bound.
    found = Fraction(max(quality, sys.float_info.min))
    excess = float((left - found) / found)
    return _down(math.log1p(excess))


def paper_epsilon_lower(quality: float, delta: float) -> float:
    """max(0, ln((3 - 4 delta - Q)/(1 + Q))), rounded down: Corollary 3.8 read backward. It never exceeds ln 3.

    Args:
        quality: Between 0 and 1: the upper limit of an interval for Q.
        delta: Between 0 and 1.
    """
    excess = (2 - 4 * Fraction(delta) - 2 * Fraction(quality)) / (1 + Fraction(quality))
    return _down(math.log1p(float(excess))) if excess > 0 else 0.0


def gaussian_mu_lower(quality: float) -> float:
    """Phi^-1(1 - Q/2), rounded down: no smaller shift mu allows a quality as low as Q. Infinite at Q = 0.

    Args:
        quality: Between 0 and 1: the upper limit of an interval for Q.
    """
    # Relatively, so that a small shift keeps its digits; 0 comes out of ndtri as -0 or 0.
    return max(0.0, -float(special.ndtri(quality / 2)) * (1 - _ONE_WAY))


def gaussian_epsilon_lower(mu: float, delta: float) -> float:
    """The epsilon that a Gaussian mechanism with shift `mu` exceeds or attains at `delta`, rounded down.

    What comes out leaves `gaussian.delta(epsilon, mu)` at least `delta` in truth; it is 0 where epsilon = 0 leaves less.

    Args:
        mu: At least 0.
        delta: Between 0 and 1.
    """
    epsilon = gaussian.epsilon(delta, mu)
    if epsilon in {0.0, math.inf}:
        return epsilon
    logarithm = math.log(delta)
    enough = logarithm + 2.0**-50 * (16 - logarithm)
    step = 2.0**-52
    while epsilon > 0.0 and gaussian.log_delta(epsilon, mu) < enough:
        epsilon = max(0.0, epsilon * (1 - step) - sys.float_info.min)
        step = min(1.0, 2 * step)
    return epsilon


def gaussian_epsilon_exceeds(mu: float, delta: float, epsilon: float) -> bool | None:
    """Whether `gaussian_epsilon_lower` is above a number, by the δ that is left there; None where that is near `delta`.

    The bound leaves `delta` but for rounding, 2^-46 (16 + |ln δ|) of its logarithm at most; what is farther off by 2^-40 of the
    same is decided by one evaluation in the place of some twenty.

    Args:
        mu: At least 0.
        delta: Between 0 and 1.
        epsilon: The number, at least 0.
    """
    if not (0.0 < delta < 1.0 and 0.0 < mu < _LARGEST_MU and epsilon < math.inf):
        return None
    logarithm = math.log(delta)
    apart = gaussian.log_delta(epsilon, mu) - logarithm
    return apart > 0 if abs(apart) > 2.0**-40 * (16 - logarithm) else None


def _sharp(epsilon: float, delta: float) -> float:
    """1 - (1 - 2 delta) e^-epsilon as a sum of positive terms."""
    return -math.expm1(-epsilon) + 2 * delta * math.exp(-epsilon)


def _up(value: float) -> float:
    return math.nextafter(value * (1 + _ONE_WAY), math.inf) if value > 0 else 0.0


def _down(value: float) -> float:
    return max(0.0, value * (1 - _ONE_WAY) - _AND_BACK)


class SwapInputs(Inputs):
    """A certificate for the whole forget set, or a quality that was measured."""

    epsilon: float | None = None
    """The epsilon of the certificate, at least 0; leave it out to go from a quality back to epsilon."""
    delta: float
    """The delta of the certificate, between 0 and 1."""
    quality: float | None = None
    """The upper limit of the interval for the quality Q, between 0 and 1; leave it out to go from epsilon to the ceilings."""


def _conditions(inputs: SwapInputs) -> tuple[Condition, ...]:
    given = [name for name in ("epsilon", "quality") if getattr(inputs, name) is not None]
    found = " and ".join(given) or "neither"
    conditions = [
        Condition("exactly one of epsilon and quality is given", len(given) == 1, found, Provenance.COMPUTED),
        Condition("0 <= delta <= 1", 0 <= inputs.delta <= 1, f"{inputs.delta:g}", Provenance.COMPUTED),
    ]
    if inputs.epsilon is not None:
        conditions.append(Condition("epsilon >= 0", inputs.epsilon >= 0, f"{inputs.epsilon:g}", Provenance.COMPUTED))
    if inputs.quality is not None:
        conditions.append(Condition("0 <= quality <= 1", 0 <= inputs.quality <= 1, f"{inputs.quality:g}", Provenance.COMPUTED))
    conditions.append(
        Condition(
            "the certificate covers the whole forget set at once, in both directions, and the adversary sees one model",
            True,
            TRUSTED,
            Provenance.UNKNOWN,
        )
    )
    return tuple(conditions)


def _derive(inputs: SwapInputs) -> Certificate:
    conditions = _conditions(inputs)
    keys = (() if inputs.epsilon is None else _FORWARD) + (() if inputs.quality is None else _BACKWARD)
    if not all(condition.holds for condition in conditions):
        return without_result("swap", inputs, conditions, keys or _FORWARD + _BACKWARD)
    if inputs.epsilon is not None:
        outputs = _forward(inputs.epsilon, inputs.delta)
    elif inputs.quality is not None:
        outputs = _backward(inputs.quality, inputs.delta)
    else:
        raise ValueError("exactly one of epsilon and quality is needed")
    return without_guarantee("swap", inputs, conditions, outputs)


def _forward(epsilon: float, delta: float) -> dict[str, float | str | None]:
    outputs: dict[str, float | str | None] = dict.fromkeys(_FORWARD)
    reasons = []
    printed = advantage_bound(epsilon, delta)
    if printed < 1:
        floor = 1.0 if printed == 0 else math.nextafter(1 - printed, 0.0)
        outputs |= {"advantage_bound": printed, "quality_bound": floor}
    else:
        reasons.append("the printed ceiling is at least 1 from epsilon = ln(3 - 4 delta) on, and gives no information")
    sharp_floor = sharp_quality_bound(epsilon, delta)
    if sharp_floor > 0:
        ceiling = min(1.0, sharp_advantage_bound(epsilon, delta))
        outputs |= {"sharp_advantage_bound": ceiling, "sharp_quality_bound": sharp_floor}
    elif delta >= 0.5:
        reasons.append("the sharp ceiling is at least 1 from delta = 1/2 on, and gives no information")
    else:
        reasons.append("the sharp floor of the quality is below the floating-point range")
    return {**outputs, "reason": "; ".join(reasons)} if reasons else outputs


def _backward(quality: float, delta: float) -> dict[str, float | str | None]:
    mu = gaussian_mu_lower(quality)
    found = {
        "epsilon_lower": epsilon_lower(quality, delta),
        "paper_epsilon_lower": paper_epsilon_lower(quality, delta),
        "gaussian_mu_lower": mu,
        "gaussian_epsilon_lower": gaussian_epsilon_lower(mu, delta),
    }
    outputs: dict[str, float | str | None] = {key: value if math.isfinite(value) else None for key, value in found.items()}
    reasons = []
    if quality == 0.0 and delta < 0.5:
        reasons.append("a quality of 0 refutes every finite epsilon at this delta")
    if found["gaussian_mu_lower"] == math.inf:
        reasons.append("a quality of 0 refutes every finite mu")
    elif found["gaussian_epsilon_lower"] == math.inf:
        reasons.append("no Gaussian mechanism with mu > 0 has a finite epsilon at delta = 0")
    return {**outputs, "reason": "; ".join(reasons)} if reasons else outputs


RULES: Final = (
    Rule(
        kind="swap",
        theorem="SWAP test, Theorem 3.6 and Corollary 3.8; sharp: the total variation of two models close to one retrained model",
        summary="The ceilings that a certificate puts on the SWAP test's advantage, or the least epsilon that a quality allows.",
        example="auditor calc swap --epsilon 1 --delta 1e-5",
        inputs=SwapInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
