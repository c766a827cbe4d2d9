"""What a Rényi ε is held against: the claim's at its order, and the policy's at the declared one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from auditor.settings import ProcedureTable
from auditor.settings.tables import Claims, Policy

DEFAULT_ORDER = 2.0
"""Where neither a claim nor the procedure names one."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The order that is certified at, and the strictest ε of claim and policy there."""

    order: float
    threshold: float | None
    sources: tuple[dict[str, Any], ...]
    """Who names an ε, and at which order."""


def order_of(claims: Claims, procedure: ProcedureTable) -> float:
    """The order that ε is stated at: the claim's, else the procedure's, else the default."""
    claim = claims.data_deletion
    return claim.q if claim is not None else procedure.renyi_order or DEFAULT_ORDER


def goal(claims: Claims, policy: Policy, procedure: ProcedureTable) -> Goal:
    """The order to state ε at, and the smallest ε that anybody names, carried to that order.

    The policy speaks at the order of the procedure. Where the claim names another, the policy's ε is carried there by the ratio
    of the orders, as every bound here is linear in the order, and is made no larger by it. The bounds of Theorem 5.2 are so only
    up to an order at which it says nothing any more: reading a case refuses a larger one beside a capped loss.
    """
    claim, most = claims.data_deletion, policy.max_epsilon
    declared, order = procedure.renyi_order, order_of(claims, procedure)
    named: list[tuple[str, float, float]] = []
    if claim is not None:
        named.append(("claim", claim.epsilon, claim.q))
    if most is not None:
        named.append(("policy", most, declared or order))
    limits = [carried(epsilon, at, order) for _, epsilon, at in named]
    listed = tuple({"source": source, "epsilon": epsilon, "delta": None, "order": at} for source, epsilon, at in named)
    return Goal(order, min(limits, default=None), listed)


def carried(limit: float, at: float, order: float) -> float:
    """A limit that is named at one order, at another: no larger, and rounded down."""
    if order >= at:
        return limit
    scaled = Fraction(limit) * Fraction(order) / Fraction(at)
    found = float(scaled)
    return found if found <= scaled else math.nextafter(found, -math.inf)
