"""One setting of loss perturbation: λ and σ (Guo et al. 2020, Algorithms 1 and 2), the bound that decides being `local`."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from auditor.base.domain import Floats, Positions
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval, RemovalModel
from auditor.parts.removal.planning import walking
from auditor.parts.removal.planning.accuracy import accuracy, fit
from auditor.parts.removal.planning.settings import Served, Setting, Target
from auditor.parts.removal.planning.task import Task
from auditor.parts.removal.rules import laplace, removal

_MOST_EPSILON = 100.0
"""Counting goes on to the target's deletions until not even this ε would allow what was spent."""


def setting(
    task: Task,
    target: Target,
    *,
    l2: float,
    sigma: float,
    seed: int,
    seeds: Sequence[int],
    orders: Sequence[Positions],
    norms: Sequence[Floats],
) -> Setting:
    """What λ and σ serve, and how accurate they are.

    Args:
        task: What is learned.
        target: What has to be served.
        l2: λ.
        sigma: σ.
        seed: The plan's, for what is drawn alongside trainings.
        seeds: Of one training each.
        orders: Of deletion, one for each training; all as long as the most that is counted.
        norms: `walking.spectral_norms` of each order.
    """
    procedure: CertifiedRemoval = task.procedure(l2=l2, sigma=sigma)
    try:
        models = [procedure.learn(task.train, each) for each in seeds]
        walks = [
            _walk(task, target, procedure, model, order, norm) for model, order, norm in zip(models, orders, norms, strict=True)
        ]
        worst = _worst(task, target, procedure, models[0], most=len(orders[0]))
        found = accuracy(task, procedure, fit(task, procedure, seeds, models, seed=seed), seed=seed)
    except ArithmeticError as error:
        return Setting("loss-perturbation", l2, sigma, reason=str(error))
    allowed = budget(task, target.epsilon, target.delta, sigma)
    served = Served(tuple(_within(values, allowed) for values in walks), worst, len(orders[0]))
    at_target = [values[target.deletions - 1] if len(values) >= target.deletions else math.inf for values in walks]
    # Of an even number the larger of the two in the middle: the same order that `served.median` takes.
    needed = _epsilon(task, statistics.median_high(at_target), target.delta, sigma)
    return Setting(
        "loss-perturbation",
        l2,
        sigma,
        accuracy=found,
        served=served,
        serves=served.median >= target.deletions,
        epsilon_needed=needed if needed is not None and math.isfinite(needed) else None,
    )


def budget(task: Task, epsilon: float, delta: float, sigma: float) -> float:
    """The largest β that the criterion allows."""
    return removal.budget(epsilon, delta, sigma) if task.distribution == "gaussian" else laplace.budget(epsilon, sigma)


def _walk(
    task: Task, target: Target, procedure: CertifiedRemoval, model: RemovalModel, order: Positions, norms: Floats
) -> tuple[float, ...]:
    """β after each deletion: up to the target's deletions while any ε would do, and from there on while the target's does."""
    hopeless = budget(task, _MOST_EPSILON, target.delta, procedure.sigma)
    allowed = budget(task, target.epsilon, target.delta, procedure.sigma)
    values: list[float] = []
    for number, value in enumerate(walking.spent(task, procedure, model, order, norms), start=1):
        values.append(value)
        if value > (hopeless if number < target.deletions else allowed):
            break
    return tuple(values)


def _worst(task: Task, target: Target, procedure: CertifiedRemoval, model: RemovalModel, *, most: int) -> int:
    order = walking.worst_margin_first(task, model)[:most]
    allowed = budget(task, target.epsilon, target.delta, procedure.sigma)
    values = walking.spent(task, procedure, model, order, None)
    return walking.count_within(values, most=most, within=lambda value: value <= allowed)


def _within(values: Sequence[float], allowed: float) -> int:
    return walking.count_within(iter(values), most=len(values), within=lambda value: value <= allowed)


def _epsilon(task: Task, beta: float, delta: float, sigma: float) -> float | None:
    if not math.isfinite(beta):
        return None
    return removal.epsilon_spent(beta, delta, sigma) if task.distribution == "gaussian" else beta / sigma
