"""The measurements behind `removal.*`: walk along the rerun's trajectory and measure each step on the data.

The parameters come from the sandbox; everything else is computed here, from the data and from b, which leaves this module only as
the norms that it led to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import accumulate, chain
from typing import TypeAlias

import numpy as np

from auditor.case import Case
from auditor.certificates.increments import LOGISTIC_LIPSCHITZ, LOGISTIC_LIPSCHITZ_PRINTED
from auditor.certificates.joint import combined
from auditor.domain import Floats
from auditor.observing import hardest
from auditor.observing.replay import Replay
from auditor.procedures.logistic import Objective, minimise
from auditor.procedures.one_versus_rest import Shape, leaving
from auditor.procedures.randomness import perturbation_norm_bound, perturbations, release_noise
from auditor.procedures.residuals import StepMeasurement, measure_step, rounding_floor, row_norms, spectral_norm_bound
from auditor.procedures.row_norms import bounded
from auditor.settings.certified_removal import CertifiedRemoval

Together: TypeAlias = Callable[[Sequence[float]], float]

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

    rule: str
    """The rule that adds the bounds up: `removal-residual`, or `joint-residual` for several classes."""
    inputs: Mapping[str, object]
    """Its inputs."""
    forgotten: tuple[int, ...]
    """The records of each batch."""
    solver_errors: tuple[float, ...]
    rounding_floors: tuple[float, ...]
    """Of each batch, all classes together."""
    optima: tuple[Optimum | None, ...]
    """After training and after each batch."""
    measured: tuple[float, ...]
    """‖∇L_b‖₂ after training and after each batch, all classes together."""
    final: tuple[Objective, ...]
    """L_b(·; D') of what is left, with the b in force at the end, one a class."""
    together: Together
    """How the classes' numbers come together."""
    hardest: Mapping[int, Mapping[str, object] | None]
    """The rule's inputs had the hardest records been asked for in place of a batch, by its number from 1; None where float64 does
    not hold them."""

    @property
    def rows_left(self) -> tuple[int, ...]:
        """The records that are left after each batch."""
        last = self.final[0].rows
        later = [0, *accumulate(reversed(self.forgotten))][:-1]
        return tuple(last + gone for gone in reversed(later))


class Learned:
    """What the declared procedure draws and minimises, from the seed that the auditor holds."""

    def __init__(self, case: Case, procedure: CertifiedRemoval) -> None:
        """Take the shape of the case."""
        self.procedure = procedure
        self.shape = Shape(procedure.loss, procedure.halved)
        self.features = self.rows(case.train.features)
        self.dimensions = self.features.shape[1]
        # A regression has no classes; its targets are the labels themselves.
        classes = np.unique(case.train.labels) if procedure.loss == "logistic" else np.empty(0)
        self.models = self.shape.models(len(classes))
        self.targets = self.shape.targets(case.train.labels, classes)

    def rows(self, features: Floats) -> Floats:
        """Features as the procedure takes them, shape (n, d)."""
        return bounded(features) if self.procedure.row_norms == "scale" else features

    def perturbations(self, seed: int) -> Floats:
        """b as a training with that seed draws it, shape (K, d)."""
        declared = self.procedure
        kind = declared.perturbation
        return perturbations(seed, self.models, self.dimensions, sigma=declared.sigma, distribution=kind)

    def noise(self, seed: int) -> Floats:
        """What the release of an update with that seed adds, shape (K, d)."""
        drawn = release_noise(seed, self.models * self.dimensions, deviation=self.procedure.release_noise)
        return drawn.reshape(self.models, self.dimensions)

    def weights(self, released: Floats, number: int) -> Floats:
        """What was released after a batch, or after training (0), less the noise of that release, shape (K, d)."""
        weights = released.reshape(self.models, self.dimensions)
        return weights - self.noise(self.procedure.seed + number) if self.procedure.release_noise else weights

    @property
    def norm(self) -> float:
        """An upper bound of each ‖b_k‖ that gives nothing of it away."""
        declared = self.procedure
        return perturbation_norm_bound(self.dimensions, sigma=declared.sigma, distribution=declared.perturbation)

    @property
    def keeps_perturbation(self) -> bool:
        """Whether a batch that is answered by training anew keeps b: it does where noise is added at release."""
        return bool(self.procedure.release_noise) and self.procedure.unlearn == "newton"

    @property
    def together(self) -> Together:
        """How the classes' residuals come together."""
        if self.models == 1:
            return lambda values: values[0]
        return combined(self.added)

    @property
    def added(self) -> int:
        """1 where the classes' bounds add up, 0 where their squares do."""
        return int(self.procedure.perturbation == "laplace")


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


def optima(objectives: Sequence[Objective], weights: Floats, learned: Learned) -> Optimum | None:
    """The exactly retrained optima of all classes as one, beside weights of shape (K, d)."""
    found = [
        optimum(each, w, tolerance=learned.procedure.tolerance, norm=learned.norm)
        for each, w in zip(objectives, weights, strict=True)
    ]
    every = [each for each in found if each is not None]
    if len(every) < len(found):
        return None
    columns = ([getattr(each, item.name) for each in every] for item in fields(Optimum))
    return Optimum(*(math.hypot(*column) for column in columns))


def walk(case: Case, procedure: CertifiedRemoval, replay: Replay, trajectory: tuple[Floats, ...]) -> Walk:
    """Measure every step of `trajectory`, shape (Kd,) each, from training to the last batch.

    Raises:
        ArithmeticError: If a measurement exceeds what float64 holds.
    """
    learned = Learned(case, procedure)
    norm, together = learned.norm, learned.together
    objectives = learned.shape.objectives(
        learned.features, learned.targets, l2=procedure.l2, perturbations=learned.perturbations(procedure.seed)
    )
    weights, left = learned.weights(trajectory[0], 0), np.ones(len(case.train), dtype=bool)
    norms = [_norms(objectives, weights)]
    found = [optima(objectives, weights, learned)]
    leftovers = _leftovers(objectives, weights, norms[0], learned)
    steps: list[list[StepMeasurement]] = []
    new_leftovers: list[list[float]] = []
    harder: dict[int, Mapping[str, object] | None] = {}
    chosen = hardest.asked(replay.forgotten, replay.retrained)
    for number, (forgotten, retrained) in enumerate(zip(replay.forgotten, replay.retrained, strict=True), start=1):
        forget = np.unique(forgotten)
        forget = forget[left[forget]]
        left[forget] = False
        if number in chosen:
            harder[number] = _harder(learned, objectives, weights, len(forget))
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
        norms.append(_norms(objectives, weights))
        found.append(optima(objectives, weights, learned))
        kept = [0.0] * learned.models
        new_leftovers.append(_leftovers(objectives, weights, norms[-1], learned) if retrained else kept)
    inputs = _inputs(learned, steps, leftovers) | {
        "retrained": [int(flag) for flag in replay.retrained],
        "batch_leftover": list(chain.from_iterable(new_leftovers)),
        "measured": list(chain.from_iterable(norms[1:])),
    }
    _require_finite(inputs)
    return Walk(
        "removal-residual" if learned.models == 1 else "joint-residual",
        inputs,
        tuple(batch[0].forgotten for batch in steps),
        tuple(together([step.solver_error for step in batch]) for batch in steps),
        tuple(together([step.rounding_floor for step in batch]) for batch in steps),
        tuple(found),
        tuple(together(each) for each in norms),
        objectives,
        together,
        harder,
    )


def _harder(learned: Learned, objectives: Sequence[Objective], weights: Floats, count: int) -> Mapping[str, object] | None:
    """The rule's inputs had the hardest `count` records been removed; None where float64 does not hold them."""
    steps = hardest.measured(objectives, weights, count, perturbation_norm=learned.norm)
    if steps is None:
        return None
    leftovers = _leftovers(objectives, weights, _norms(objectives, weights), learned)
    inputs = _inputs(learned, [steps], leftovers) | {
        "retrained": [0],
        "batch_leftover": [0.0] * learned.models,
        "measured": [step.measured for step in steps],
    }
    return None if _beyond(inputs) else inputs


def _norms(objectives: Sequence[Objective], weights: Floats) -> list[float]:
    return [float(np.linalg.norm(each.gradient(w))) for each, w in zip(objectives, weights, strict=True)]


def _leftovers(objectives: Sequence[Objective], weights: Floats, norms: list[float], learned: Learned) -> list[float]:
    """β₀ of every class: what training left, from above, or its tolerance if that is larger."""
    floors = [rounding_floor(each, w, perturbation_norm=learned.norm) for each, w in zip(objectives, weights, strict=True)]
    return [max(learned.procedure.tolerance, norm + floor) for norm, floor in zip(norms, floors, strict=True)]


def _inputs(learned: Learned, steps: Sequence[Sequence[StepMeasurement]], leftovers: Sequence[float]) -> dict[str, object]:
    """What the steps, what was left before them, and the declaration say, under the names of the rule's inputs."""
    features, logistic = learned.features, learned.procedure.loss == "logistic"
    shared = ("rows", "forgotten", "spectral_norm")
    rows = [[asdict(step) for step in batch] for batch in steps]
    columns: dict[str, list[float]] = {}
    for item in fields(StepMeasurement):
        if item.name in shared:
            columns[item.name] = [batch[0][item.name] for batch in rows]
        elif item.name != "measured":
            columns[item.name] = [row[item.name] for batch in rows for row in batch]
    return {
        **(
            {"leftover": leftovers[0]}
            if learned.models == 1
            else {"classes": learned.models, "added": learned.added, "leftovers": list(leftovers)}
        ),
        "l2": learned.procedure.l2,
        "lipschitz_printed": LOGISTIC_LIPSCHITZ_PRINTED if logistic else 0.0,
        "lipschitz": LOGISTIC_LIPSCHITZ if logistic else 0.0,
        # The squared loss has no such bound, and with a Lipschitz constant of 0 needs none.
        "gradient_bound": 1.0 if logistic else 0.0,
        "row_norm": float(row_norms(features).max()),
        "perturbation_norm": learned.norm,
        **columns,
    }


def _beyond(inputs: Mapping[str, object]) -> list[str]:
    return [name for name, value in inputs.items() if not np.isfinite(np.asarray(value, dtype=np.float64)).all()]


def _require_finite(inputs: Mapping[str, object]) -> None:
    if beyond := _beyond(inputs):
        raise ArithmeticError(f"float64 does not hold what was measured of {', '.join(beyond)}")
