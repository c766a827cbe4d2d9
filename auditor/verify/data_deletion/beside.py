"""What `deletion.renyi` says beside its ε: other orders, membership, a δ, batches, the figure's curve, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from auditor.certificates import derive, noisy_gd_utility
from auditor.certificates.orders import (
    advantage,
    at_order,
    best_conversion,
    best_membership,
    gaussian_advantage,
    grid,
)
from auditor.certificates.rounding import ceiling, finite
from auditor.domain import Certificate
from auditor.verify.data_deletion import descent
from auditor.verify.data_deletion.descent import Bounds, Run

_DELTAS: Final = (1e-5, 1e-6)
_CURVE: Final = 40


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch, as the details list it."""

    removed: int
    rows: int


def beside(
    run: Run, found: Bounds, *, max_delta: float | None, threshold: float | None
) -> tuple[dict[str, Any], list[Certificate]]:
    """Everything that follows from an ε that stands, by its key in the details, and the certificates behind it."""
    rows = [_at(run, found, order) for order in grid(run.order)]
    epsilons = tuple((row["order"], row["epsilon_dd"]) for row in rows if row["epsilon_dd"] is not None)
    best = best_membership(epsilons)
    deltas = sorted({*_DELTAS, *([max_delta] if max_delta else [])}, reverse=True)
    converted = [best_conversion(epsilons, delta) for delta in deltas]
    certificates = [derive("advantage", {"q": best.order, "epsilon": best.epsilon})]
    certificates += [derive("conversion", {"q": each.order, "epsilon": each.epsilon, "delta": each.delta}) for each in converted]
    curved = descent.tradeoff(run)
    distance = descent.mu(curved)
    certificates += [] if curved is None else [curved]
    utility = _utility(run, threshold)
    certificates += [] if utility is None else [utility]
    told: dict[str, Any] = {
        "orders": rows,
        "membership": {"order": best.order, "bound": best.bound},
        "conversions": [
            {"delta": each.delta, "order": each.order, "mironov": finite(each.mironov), "tight": finite(each.tight)}
            for each in converted
        ],
        "gaussian": None
        if distance is None
        else {"mu": distance, "epsilon": descent.of_mu(run.order, distance), "advantage": gaussian_advantage(distance)},
        "curve": curve(run),
        "utility": None if utility is None else dict(utility.outputs),
    }
    return told, certificates


def _at(run: Run, found: Bounds, order: float) -> dict[str, Any]:
    """One order of the grid. Theorem 5.2 has limits that are not linear in the order."""
    if found.source == "5.2" and order > run.order:
        deletion = descent.epsilon_dd(replace(run, order=order))
    else:
        deletion = None if found.epsilon_dd is None else finite(at_order(run.order, found.epsilon_dd, order))
    return {
        "order": order,
        "epsilon_dd": deletion,
        "epsilon_dp": None if found.epsilon_dp is None else finite(at_order(run.order, found.epsilon_dp, order)),
        "advantage": None if deletion is None else advantage(order, deletion),
    }


def curve(run: Run) -> list[dict[str, Any]]:
    """ε_dd against the steps, by the theorem and by the trade-off."""
    most = max(2 * run.unlearn_steps, 10)
    steps = sorted({round(most * index / _CURVE) for index in range(_CURVE + 1)} | {run.unlearn_steps})
    return [
        {
            "steps": each,
            "epsilon_dd": descent.epsilon_dd(replace(run, unlearn_steps=each)),
            "gaussian": descent.of_mu(run.order, descent.mu(descent.tradeoff(run, steps=each))),
        }
        for each in steps
    ]


def _utility(run: Run, threshold: float | None) -> Certificate | None:
    given = run.declared
    if given.theorem != "5.1" or not run.unlearn_steps:
        return None
    inputs = {
        "q": run.order,
        "d": run.parameters,
        "n": run.rows,
        "r": run.largest_batch,
        "lipschitz": given.lipschitz,
        "l2": run.l2,
        "smoothness": given.smoothness,
        "sigma2": run.sigma2,
        "learn_steps": run.learn_steps,
        "unlearn_steps": run.unlearn_steps,
        **({"epsilon_dd": threshold} if threshold else {}),
    }
    found = derive(noisy_gd_utility.KIND, inputs)
    return None if found.outputs["excess_risk_updated"] is None else found


def together(one: float | None, records: int) -> float | None:
    """m²ε: what holds for m records together."""
    return None if one is None else finite(ceiling(Fraction(one) * records**2))


def of_batches(run: Run, found: Bounds, batches: Sequence[Batch]) -> list[tuple[float | None, float | None]]:
    """Of each batch, ε_dd of one record and of all of them together."""
    each = [
        descent.of_batch(run, found, index=index, rows=batch.rows, removed=batch.removed) for index, batch in enumerate(batches)
    ]
    sizes = [1 if found.source == "5.2" else batch.removed for batch in batches]
    return [(one, together(one, size)) for one, size in zip(each, sizes, strict=True)]


def cost(run: Run, left: int) -> dict[str, Any]:
    """Gradients of learning anew on what is left, and of one update."""
    learning, unlearning = left * run.learn_steps, left * run.unlearn_steps
    return {
        "gradients_learning": learning,
        "gradients_unlearning": unlearning,
        "saved_share": None if not learning else 1 - unlearning / learning,
    }
