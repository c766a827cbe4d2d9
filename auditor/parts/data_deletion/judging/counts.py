"""What counts of one event say of a Rényi ε, a lower bound, as certificates."""

from __future__ import annotations

import math

from auditor.base.domain import Certificate
from auditor.maths.certificates import derive
from auditor.maths.certificates.renyi_lower import KIND
from auditor.parts.data_deletion.rules.adaptive import refuted_epsilon
from auditor.verdict.checks.counted import Counted


def event(order: float, counted: Counted, *, confidence: float) -> Certificate:
    """The certificate of one counted event."""
    return derive(KIND, {"q": order, **counted.model_dump(), "confidence": confidence})


def most(order: float, counted: Counted, *, confidence: float) -> Certificate:
    """The certificate of an event that was always seen in the first world and never in the second."""
    always = counted.model_copy(update={"hits": counted.trials, "other_hits": 0})
    return event(order, always, confidence=confidence)


def by_advantage(order: float, advantage: float) -> Certificate:
    """Theorem 4.1 inverted: the largest ε whose bound on the advantage does not exceed what was reached, rounded down."""
    epsilon, less = refuted_epsilon(order, math.sqrt(advantage)), 2.0**-50
    # Bound and inverse are rounded in their own ways: a last rounding may leave the bound a hair above.
    while epsilon > 0 and derive("advantage", {"q": order, "epsilon": epsilon}).outputs["bound"] > advantage:
        epsilon, less = max(0.0, epsilon * (1 - less)), 2 * less
    return derive("advantage", {"q": order, "epsilon": epsilon})
