"""The measurements behind `removal.*`: walk along the rerun's trajectory and measure each step on the data.

The parameters come from the sandbox; everything else is computed here, from the data and from b, which leaves this module only as
the norms that it led to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

import numpy as np

from auditor.case import Case
from auditor.case.certified import CertifiedRemoval
from auditor.certificates.increments import LOGISTIC_LIPSCHITZ, LOGISTIC_LIPSCHITZ_PRINTED
from auditor.checks.replay import Replay
from auditor.domain import Floats
from auditor.procedures.certified_removal import perturbation, perturbation_norm_bound, signs_of
from auditor.procedures.logistic import Objective, minimise
from auditor.procedures.residuals import StepMeasurement, measure_step, rounding_floor

OPTIMUM_ROUNDING = 20
"""How many rounding floors away from zero a gradient may be for its weights to count as the exact optimum."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """The exactly retrained optimum of the same objective, beside some weights."""

    gradient: float
    """‖∇L_b‖₂ at the optimum, as far as float64 goes."""
    distance: float
    """‖w − w_r‖₂."""
    distance_bound: float
    """(‖∇L_b(w)‖ + ‖∇L_b(w_r)‖)/(λn'), by strong convexity."""


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """What was measured along the log."""

    inputs: Mapping[str, object]
    """The inputs of the rule `removal-residual`."""
    steps: tuple[StepMeasurement, ...]
    optima: tuple[Optimum | None, ...]
    """After training and after each batch."""
    measured: tuple[float, ...]
    """‖∇L_b‖₂ after training and after each batch."""
    final: Objective
    """L_b(·; D') of what is left, with the b in force at the end."""


def optimum(objective: Objective, parameters: Floats, *, tolerance: float, norm: float) -> Optimum | None:
    """Retrain to the limit of float64, starting from `parameters` or, where that leads nowhere, from zero.

    It is shown beside the bounds and decides nothing, so None, where float64 reaches no optimum, costs no verdict.
    """
    floor = OPTIMUM_ROUNDING * rounding_floor(objective, parameters, perturbation_norm=norm)
    for start in (parameters, None):
        try:
            best = minimise(objective, tolerance=max(min(tolerance, 1e-9), floor), start=start)
        except ArithmeticError:
            continue
        at_best = float(np.linalg.norm(objective.gradient(best)))
        here = float(np.linalg.norm(objective.gradient(parameters)))
        return Optimum(at_best, float(np.linalg.norm(parameters - best)), (here + at_best) / objective.strength)
    return None


def walk(case: Case, procedure: CertifiedRemoval, replay: Replay, trajectory: tuple[Floats, ...]) -> Walk:
    """Measure every step of `trajectory`, shape (d,) each, from training to the last batch.

    Raises:
        ArithmeticError: If a measurement exceeds what float64 holds.
    """
    dimensions = case.train.features.shape[1]
    norm = perturbation_norm_bound(dimensions, sigma=procedure.sigma)
    objective = Objective(
        case.train.features,
        signs_of(case.train.labels, np.unique(case.train.labels)),
        procedure.l2,
        perturbation(procedure.seed, dimensions, sigma=procedure.sigma),
    )
    left = np.arange(len(case.train))
    measured = [float(np.linalg.norm(objective.gradient(trajectory[0])))]
    optima = [optimum(objective, trajectory[0], tolerance=procedure.tolerance, norm=norm)]
    leftover = max(procedure.tolerance, measured[0] + rounding_floor(objective, trajectory[0], perturbation_norm=norm))
    steps: list[StepMeasurement] = []
    new_leftovers: list[float] = []
    for number, (forgotten, retrained) in enumerate(zip(replay.forgotten, replay.retrained, strict=True), start=1):
        forget = np.flatnonzero(np.isin(left, forgotten))
        before, after = trajectory[number - 1], trajectory[number]
        step = measure_step(objective, forget, before, after, perturbation_norm=norm)
        objective, left = objective.without(forget), np.delete(left, forget)
        if retrained:
            drawn = perturbation(procedure.seed + number, dimensions, sigma=procedure.sigma)
            objective = Objective(objective.features, objective.signs, objective.l2, drawn)
        measured.append(float(np.linalg.norm(objective.gradient(after))))
        optima.append(optimum(objective, after, tolerance=procedure.tolerance, norm=norm))
        steps.append(step)
        hidden = rounding_floor(objective, after, perturbation_norm=norm)
        new_leftovers.append(max(procedure.tolerance, measured[-1] + hidden) if retrained else 0.0)
    inputs: dict[str, object] = {
        "l2": procedure.l2,
        "lipschitz_printed": LOGISTIC_LIPSCHITZ_PRINTED,
        "lipschitz": LOGISTIC_LIPSCHITZ,
        "gradient_bound": 1.0,
        "row_norm": float(np.max(np.linalg.norm(case.train.features, axis=1))),
        "perturbation_norm": norm,
        "leftover": leftover,
        **_columns(steps),
        "retrained": [int(flag) for flag in replay.retrained],
        "batch_leftover": new_leftovers,
        "measured": measured[1:],
    }
    _require_finite(inputs)
    return Walk(inputs, tuple(steps), tuple(optima), tuple(measured), objective)


def _require_finite(inputs: Mapping[str, object]) -> None:
    beyond = [name for name, value in inputs.items() if not np.isfinite(np.asarray(value, dtype=np.float64)).all()]
    if beyond:
        raise ArithmeticError(f"float64 does not hold what was measured of {', '.join(beyond)}")


def _columns(steps: list[StepMeasurement]) -> dict[str, list[float]]:
    rows = [asdict(step) for step in steps]
    names = [item.name for item in fields(StepMeasurement) if item.name != "measured"]
    return {name: [row[name] for row in rows] for name in names}
