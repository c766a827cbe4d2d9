"""What `epsilon.consistency` holds against each other for data deletion: an ε from above, and what counts say from below.

The rows have the form of those of the SWAP test (see `checks.swap.consistency`), in Rényi ε at an order; `test` says where the
counts of a row come from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from auditor.certificates import derive
from auditor.certificates.adaptive import refuted_epsilon
from auditor.certificates.renyi_lower import KIND
from auditor.domain import Certificate

CLAIM: Final = "data_deletion"


@dataclass(frozen=True, slots=True)
class Further:
    """Comparisons beyond those of the SWAP test's own attacks."""

    rows: tuple[dict[str, Any], ...] = ()
    certificates: tuple[Certificate, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    """What stands beside the comparisons in the details of the check."""


@dataclass(frozen=True, slots=True)
class Stated:
    """An ε of data deletion from above."""

    against: str
    source: Literal["claim", "certificate"]
    epsilon: float | None
    order: float
    why_not: str | None = None
    """Why nothing of this run can be held against it; None where it can."""
    rule: str | None = None
    """The rule of the certificate; None for a claim."""


@dataclass(frozen=True, slots=True)
class Lower:
    """An ε from below, and the most that the same numbers of draws could have shown."""

    method: str
    title: str
    epsilon: float
    confidence: float
    reach: float


def event(order: float, counted: tuple[int, int, int, int], *, confidence: float) -> Certificate:
    """The certificate of one counted event: hits and trials in the first world, and in the second."""
    hits, trials, other_hits, other_trials = counted
    given = {"hits": hits, "trials": trials, "other_hits": other_hits, "other_trials": other_trials}
    return derive(KIND, {"q": order, **given, "confidence": confidence})


def most(order: float, counted: tuple[int, int, int, int], *, confidence: float) -> Certificate:
    """The certificate of an event that was always seen in the first world and never in the second."""
    _, trials, _, other_trials = counted
    return event(order, (trials, trials, 0, other_trials), confidence=confidence)


def by_advantage(order: float, advantage: float) -> Certificate:
    """Theorem 4.1 the other way round: the largest ε whose bound on the advantage does not exceed what was reached."""
    epsilon, less = refuted_epsilon(order, math.sqrt(advantage)), 2.0**-50
    # Bound and inverse are rounded in their own ways: a last rounding may leave the bound a hair above.
    while epsilon > 0 and derive("advantage", {"q": order, "epsilon": epsilon}).outputs["bound"] > advantage:
        epsilon, less = max(0.0, epsilon * (1 - less)), 2 * less
    return derive("advantage", {"q": order, "epsilon": epsilon})


def row(test: str, stated: Stated, lowers: Sequence[Lower]) -> dict[str, Any]:
    """One statement and what is held against it, as the evidence holds it."""
    compared = stated.why_not is None and stated.epsilon is not None and bool(lowers)
    why = stated.why_not or (None if compared else "there is no ε to compare")
    listed = lowers if compared else ()
    return {
        "test": test,
        "against": stated.against,
        "source": stated.source,
        "claim": CLAIM if stated.source == "claim" else None,
        **({} if stated.rule is None else {"rule": stated.rule}),
        "epsilon": stated.epsilon,
        "delta": None,
        "order": stated.order,
        "compared": compared,
        "why": why,
        "refutable": max(each.reach for each in lowers) if compared else None,
        "lower": [
            {
                "method": each.method,
                "title": each.title,
                "epsilon": each.epsilon,
                "confidence": each.confidence,
                "null": None,
                "decides": True,
            }
            for each in listed
        ],
        "gap": max(each.epsilon for each in lowers) - stated.epsilon if compared and stated.epsilon is not None else None,
    }
