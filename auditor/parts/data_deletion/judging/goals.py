"""What a Rényi ε is held against: the claim's at its order, and the policy's at the declared one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from auditor.base.domain import Message
from auditor.maths.certificates.rounding import floor
from auditor.settings.builtin import Procedure
from auditor.settings.tables import Claims, Policy
from auditor.verdict.checks import guess_bounds
from auditor.verdict.checks.finding import Values

DEFAULT_ORDER = 2.0
"""Where neither a claim nor the procedure names one."""


class Named(Values):
    """An ε that somebody names."""

    source: Literal["claim", "policy"]
    epsilon: float
    delta: None = None
    order: float


@dataclass(frozen=True, slots=True)
class Goal:
    """The order that is certified at, and the strictest ε of claim and policy there."""

    order: float
    threshold: float | None
    sources: tuple[Named, ...]
    """Who names an ε, and at which order."""

    @property
    def empty(self) -> tuple[Message, ...]:
        """Why the threshold promises nothing; nothing where it promises something, or there is none."""
        return () if self.threshold is None else guess_bounds.empty_renyi(self.order, self.threshold)


def is_meant(claims: Claims, procedure: Procedure) -> bool:
    """Whether data deletion is certified or claimed: the procedure is noisy gradient descent, or a claim names it."""
    return procedure.descent is not None or claims.data_deletion is not None


def order_of(claims: Claims, procedure: Procedure) -> float:
    """The order that ε is stated at: the claim's, else the procedure's, else the default."""
    claim = claims.data_deletion
    return claim.q if claim is not None else procedure.renyi_order or DEFAULT_ORDER


def goal(claims: Claims, policy: Policy, procedure: Procedure) -> Goal:
    """The order to state ε at, and the smallest ε that anybody names, carried to that order.

    The policy speaks at the order of the procedure. Where the claim names another, the policy's ε is carried there by the ratio
    of the orders, as every bound here is linear in the order, and is made no larger by it. The bounds of Theorem 5.2 are so only
    up to an order at which it says nothing any more: reading a case refuses a larger one alongside a capped loss.
    """
    claim, most = claims.data_deletion, policy.max_epsilon
    declared, order = procedure.renyi_order, order_of(claims, procedure)
    named: list[Named] = []
    if claim is not None:
        named.append(Named(source="claim", epsilon=claim.epsilon, order=claim.q))
    if most is not None:
        named.append(Named(source="policy", epsilon=most, order=declared or order))
    limits = [carried(each.epsilon, each.order, order) for each in named]
    return Goal(order, min(limits, default=None), tuple(named))


def carried(limit: float, at: float, order: float) -> float:
    """A limit that is named at one order, at another: no larger, and rounded down."""
    if order >= at:
        return limit
    return floor(Fraction(limit) * Fraction(order) / Fraction(at))
