"""The measurements behind `removal.*`: walk along the rerun's trajectory and measure each step on the data.

The parameters come from the sandbox; everything else is computed here, from the data and from b, which leaves this module only as
the norms that it led to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Final

import numpy as np

from auditor.audit.replay import Replay
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.learning.declared_removal import Learned
from auditor.learning.logistic import Objective, minimise
from auditor.learning.one_versus_rest import leaving
from auditor.learning.residuals import NewtonRemoval, StepMeasurement, measure_step, rounding_floor, spectral_norm_bound
from auditor.parts.removal.judging import measurements
from auditor.parts.removal.judging.chain import asked
from auditor.parts.removal.judging.measurements import Removals, Steps
from auditor.settings.facets import Removal


# Had the hardest records been asked for: worst-margin forget sets, removed in place of the log's from the same model.
# A bound that is small because the log's records are easy says little of the next request. Records with the worst margins
# leave many times the residual of others. What they would have left is shown alongside the log's own removals and decides
# nothing.
def worst_margins(objectives: Sequence[Objective], weights: Floats, count: int) -> Positions:
    """Positions of the records with the worst margins, shape (count,), the worst first.

    The margin of one classifier is yz; the slope of the logistic loss grows as it falls, and that of the squared loss with the
    distance from the target. Of several classifiers the slopes come together as the gradient's norm for a row of norm 1.

    Args:
        objectives: Of every class, over the same rows.
        weights: w of every class, shape (K, d).
        count: How many, at most the rows that are left.
    """
    slopes = sum(np.square(each.slopes(w)) for each, w in zip(objectives, weights, strict=True))
    if (kept := objectives[0].kept) is not None:
        slopes = np.where(kept, slopes, -1.0)
    worst: Positions = np.argsort(-np.asarray(slopes), kind="stable")[:count]
    return worst


def hardest_measured(
    objectives: Sequence[Objective], weights: Floats, count: int, *, perturbation_norm: float
) -> tuple[StepMeasurement, ...] | None:
    """Newton's removal of the `count` hardest records from a model, measured class by class.

    Args:
        objectives: L_b(·; D) of every class.
        weights: w of every class, shape (K, d).
        count: m, below the rows that are left.
        perturbation_norm: An upper bound of each ‖b‖.

    Returns:
        One measurement a class; None where float64 does not hold the step.
    """
    return removal(objectives, weights, worst_margins(objectives, weights, count), perturbation_norm=perturbation_norm)


def removal(
    objectives: Sequence[Objective], weights: Floats, forget: Positions, *, perturbation_norm: float
) -> tuple[StepMeasurement, ...] | None:
    """The same for the records at `forget`, shape (m,)."""
    after = leaving(objectives, forget)
    spectral = spectral_norm_bound(after[0].features, after[0].kept)
    found = []
    for one, rest, w in zip(objectives, after, weights, strict=True):
        try:
            step = NewtonRemoval(one, w).step(forget)
        except np.linalg.LinAlgError:
            return None
        found.append(
            measure_step(one, forget, w, w + step, perturbation_norm=perturbation_norm, after=rest, spectral_norm=spectral)
        )
    return tuple(found)


OPTIMUM_ROUNDING: Final = 20
"""How many rounding floors away from zero a gradient may be for its weights to count as the exact optimum."""
_OF_CLASSES: Final = tuple(
    item.name for item in fields(StepMeasurement) if item.name not in {"rows", "forgotten", "spectral_norm", "measured"}
)
"""What is measured of every class by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """The end of a walk along the log."""

    measured: measurements.Walk
    final: tuple[Objective, ...]
    """L_b(·; D') of what is left, with the b in force at the end, one a class."""
    worst_margins: tuple[Removals | None, ...]
    """The hardest records removed in place of each batch that `asked` names; None where float64 does not hold them."""


class BeyondFloat64Error(ArithmeticError):
    """A measurement exceeds what float64 holds.

    Attributes:
        names: Of what was measured, as the rule's inputs call it.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Name what is not held."""
        super().__init__(f"float64 does not hold what was measured of {', '.join(names)}")
        self.names = tuple(names)


def optima(objectives: Sequence[Objective], weights: Floats, learned: Learned) -> measurements.Optimum | None:
    """Retrain all classes exactly, and compare with weights of shape (K, d); None where one optimum is not reached."""
    found = [_optimum(each, w, learned) for each, w in zip(objectives, weights, strict=True)]
    every = [each for each in found if each is not None]
    if len(every) < len(found):
        return None
    gradient, distance, bound = (finite(math.hypot(*column)) for column in zip(*every, strict=True))
    return measurements.Optimum(gradient=gradient, distance=distance, distance_bound=bound)


def _optimum(objective: Objective, parameters: Floats, learned: Learned) -> tuple[float, float, float] | None:
    """Retrain to the limit of float64, starting from `parameters` or, where that leads nowhere, from zero.

    It is reported alongside the bounds and decides nothing, so None, where float64 reaches no optimum, costs no verdict.

    Returns:
        ‖∇L_b‖₂ there, the distance from `parameters`, and the bound on it by strong convexity.
    """
    floor = OPTIMUM_ROUNDING * rounding_floor(objective, parameters, perturbation_norm=learned.norm)
    for start in (parameters, None):
        try:
            best = minimise(objective, tolerance=max(min(learned.procedure.tolerance, 1e-9), floor), start=start)
        except ArithmeticError:
            continue
        at_best = float(np.linalg.norm(objective.gradient(best)))
        here = float(np.linalg.norm(objective.gradient(parameters)))
        return at_best, float(np.linalg.norm(parameters - best)), (here + at_best) / objective.strength
    return None


def walk(case: Case, procedure: Removal, replay: Replay, trajectory: tuple[Floats, ...]) -> Walked:
    """Measure every step of `trajectory`, shape (Kd,) each, from training to the last batch.

    Raises:
        BeyondFloat64Error: If a measurement exceeds what float64 holds.
    """
    learned = Learned(case.train, procedure)
    norm = learned.norm
    objectives = learned.shape.objectives(
        learned.features, learned.targets, l2=procedure.l2, perturbations=learned.perturbations(procedure.seed)
    )
    weights, left = learned.weights(trajectory[0], 0), np.ones(len(case.train), dtype=bool)
    found = [optima(objectives, weights, learned)]
    leftovers = _leftovers(objectives, weights, learned)
    steps: list[list[StepMeasurement]] = []
    measured: list[list[float]] = []
    again: list[list[float]] = []
    harder: list[Removals | None] = []
    chosen = asked([(len(gone), retrained) for gone, retrained in zip(replay.forgotten, replay.retrained, strict=True)])
    for number, (forgotten, retrained) in enumerate(zip(replay.forgotten, replay.retrained, strict=True), start=1):
        forget = np.unique(forgotten)
        forget = forget[left[forget]]
        left[forget] = False
        if number in chosen:
            harder.append(_harder(learned, objectives, weights, len(forget)))
        after, updated = leaving(objectives, forget), learned.weights(trajectory[number], number)
        spectral = spectral_norm_bound(after[0].features, after[0].kept)
        steps.append(
            [
                measure_step(one, forget, w, u, perturbation_norm=norm, after=rest, spectral_norm=spectral)
                for one, rest, w, u in zip(objectives, after, weights, updated, strict=True)
            ]
        )
        if retrained and not learned.keeps_perturbation:
            drawn = learned.perturbations(procedure.seed + number)
            after = tuple(replace(each, perturbation=b) for each, b in zip(after, drawn, strict=True))
        objectives, weights = after, updated
        measured.append(norms(objectives, weights))
        found.append(optima(objectives, weights, learned))
        again.append(_leftovers(objectives, weights, learned) if retrained else [0.0] * learned.models)
    removals = _removals(learned, leftovers, steps, again, measured)
    return Walked(
        measurements.Walk(row_norm=learned.row_norm, removals=removals, optima=tuple(found)), tuple(objectives), tuple(harder)
    )


def norms(objectives: Sequence[Objective], weights: Floats) -> list[float]:
    """‖∇L_b(w_k)‖₂ of every class at weights of shape (K, d)."""
    return [float(np.linalg.norm(each.gradient(w))) for each, w in zip(objectives, weights, strict=True)]


def finite(value: float) -> float | None:
    """The value as JSON holds it: null where it is no finite number."""
    return value if math.isfinite(value) else None


def _harder(learned: Learned, objectives: Sequence[Objective], weights: Floats, count: int) -> Removals | None:
    """What the hardest `count` records would have left; None where float64 does not hold it."""
    steps = hardest_measured(objectives, weights, count, perturbation_norm=learned.norm)
    if steps is None:
        return None
    leftovers, measured = _leftovers(objectives, weights, learned), [step.measured for step in steps]
    try:
        return _removals(learned, leftovers, [steps], [[0.0] * learned.models], [measured])
    except BeyondFloat64Error:
        return None


def _leftovers(objectives: Sequence[Objective], weights: Floats, learned: Learned) -> list[float]:
    """What training left of every class, and what rounding may add to it."""
    floors = (rounding_floor(each, w, perturbation_norm=learned.norm) for each, w in zip(objectives, weights, strict=True))
    return [norm + floor for norm, floor in zip(norms(objectives, weights), floors, strict=True)]


def _removals(
    learned: Learned,
    leftovers: Sequence[float],
    steps: Sequence[Sequence[StepMeasurement]],
    again: Sequence[Sequence[float]],
    measured: Sequence[Sequence[float]],
) -> Removals:
    """Rows of measurements, one a batch, as columns.

    Raises:
        BeyondFloat64Error: If one of them, or all classes of one together, exceed what float64 holds.
    """
    columns = {name: [getattr(step, name) for batch in steps for step in batch] for name in _OF_CLASSES}
    columns["spectral_norm"] = [batch[0].spectral_norm for batch in steps]
    kept, left = list(chain.from_iterable(again)), list(chain.from_iterable(measured))
    named = {
        "leftover" if learned.models == 1 else "leftovers": leftovers,
        "row_norm": [learned.row_norm],
        "perturbation_norm": [learned.norm],
        **{name: columns[name] for name in Steps.model_fields if name in columns},
        "batch_leftover": kept,
        "measured": left,
    }
    if beyond := [name for name, values in named.items() if not _holds(learned, values)]:
        raise BeyondFloat64Error(beyond)
    return Removals(leftovers=leftovers, steps=Steps(**columns, measured=left), batch_leftovers=kept)


def _holds(learned: Learned, column: Sequence[float]) -> bool:
    """Whether float64 holds every number of a column with an entry a batch and class, and the classes of each batch together."""
    if not all(map(math.isfinite, column)):
        return False
    batches = (column[at : at + learned.models] for at in range(0, len(column), learned.models))
    try:
        return all(math.isfinite(learned.together(each)) for each in batches)
    except OverflowError:  # in an exact sum
        return False
