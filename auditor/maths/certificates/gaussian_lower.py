"""How far apart two Gaussians must be where somebody tells them apart, and the Renyi epsilon of that.

Whatever tells N(0, 1) from N(mu, 1) has an advantage of 2 Phi(mu/2) - 1 at most (Dong, Roth and Su 2022, Section 2.2). Where a
certificate gives such a trade-off, an advantage that was reached says

    mu >= 2 Phi^-1((1 + advantage)/2) = 2 sqrt(2) erfinv(advantage),    epsilon = q mu^2/2,

and refutes every smaller one. It covers statements about a Gaussian trade-off alone. Both are rounded down.
"""

from __future__ import annotations

import math
from typing import Final

import scipy

from auditor.base.domain import Certificate, Condition, How
from auditor.maths.certificates.premises import above, trusted
from auditor.maths.certificates.rule import Inputs, Rule, failing, without_guarantee, without_result

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
    return 2 * math.sqrt(2) * float(scipy.special.erfinv(advantage)) * _INWARD if advantage > _INDISTINCT else 0.0


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
        Condition("0 <= advantage < 1", within, f"{inputs.advantage:g}", How.COMPUTED),
        trusted("the two laws have the trade-off of two unit Gaussians, mu apart"),
    )


def _derive(inputs: ReachedInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result(KIND, inputs, conditions, ("mu_lower", "epsilon_lower"))
    mu = mu_lower(min(MOST, inputs.advantage))
    epsilon = max(0.0, math.nextafter(inputs.q * mu**2 / 2 * _INWARD, -math.inf))
    return without_guarantee(KIND, inputs, conditions, {"mu_lower": mu, "epsilon_lower": epsilon})


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
)
