"""Deletions one after another, as the built-in procedure answers them, and what each spends.

Nothing here is an estimate: objectives, Newton steps and measurements are the procedure's own, so that what a plan counts is
what the procedure serves. Only what settings share is computed once: the spectral norm of the rows that are left belongs to an
order of deletion, whatever λ and σ are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.records import Dataset, Floats, Positions
from auditor.case import Case
from auditor.learning.logistic import Objective
from auditor.learning.one_versus_rest import Loss, Shape, without
from auditor.learning.residuals import NewtonRemoval, measure_step, rounding_floor, spectral_norm_bound
from auditor.maths.certificates.perturbation import Distribution, perturbation_norm_bound
from auditor.pages.words.texts import say, text
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval, RemovalModel

# What a case asks to be learned, as far as a plan needs it. The case's own seed is a secret, and is not touched.
_SLACK = 1 + 1e-9
_TOLERANCE = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """Data, loss and distribution of b: all that a setting of λ, σ and noise is added to."""

    train: Dataset
    holdout: Dataset | None
    classes: npt.NDArray[Any]
    """The distinct labels, sorted; none for a regression."""
    loss: Loss
    halved: bool
    distribution: Distribution
    tolerance: float
    row_norm: float
    """C, a bound on the norm of a row."""
    l2: float | None
    """λ as declared; None where the case declares none."""
    sigma: float | None
    assumptions: tuple[str, ...]

    @property
    def models(self) -> int:
        """K."""
        return Shape(self.loss, self.halved).models(len(self.classes))

    @property
    def regression(self) -> bool:
        """Whether real values are predicted."""
        return self.loss == "least-squares"

    def procedure(self, *, l2: float, sigma: float, release_noise: float = 0.0, residual_budget: float | None = None) -> Any:
        """The built-in procedure of this task at a setting."""
        return CertifiedRemoval(
            l2,
            sigma,
            self.tolerance,
            loss=self.loss,
            halved=self.halved,
            distribution=self.distribution,
            release_noise=release_noise,
            residual_budget=residual_budget,
        )


def task_of(case: Case) -> Task:
    """The task of a case.

    Raises:
        InputError: If it is a regression that is not declared as certified removal, or has labels of one value only.
    """
    declared = case.settings.procedure.removal
    assumptions = [text("plan-assume-all-records")]
    train, holdout = case.train, case.holdout
    if declared is not None:
        loss, halved, kind = declared.loss, declared.halved, declared.perturbation
        tolerance, l2, sigma = declared.tolerance, declared.l2, declared.sigma or None
    else:
        if case.settings.data.task != "classification":
            raise InputError([Problem("audit.toml", "data.task", _EXPECTED, 'task = "regression" of another procedure')])
        loss, halved, kind, tolerance, l2, sigma = "logistic", False, "gaussian", _TOLERANCE, None, None
        train, scaled = _bounded(train)
        holdout = None if holdout is None else _bounded(holdout)[0]
        assumptions.append(text("plan-assume-logistic", scaled=scaled))
    classes = np.unique(train.labels) if loss == "logistic" else np.empty(0)
    if loss == "logistic" and len(classes) < 2:
        raise InputError([Problem("audit.toml", "data.train", "records of at least two labels", "one label")])
    found = float(np.max(np.linalg.norm(train.features, axis=1)))
    row_norm = 1.0 if found <= _SLACK else round_up(found)
    return Task(train, holdout, classes, loss, halved, kind, tolerance, row_norm, l2, sigma, tuple(assumptions))


_EXPECTED = '"classification", or [procedure] use = "certified-removal" with loss = "least-squares"'


def _bounded(data: Dataset) -> tuple[Dataset, str]:
    """Each row that is longer than 1 scaled to norm 1: by itself, so that no record changes another."""
    norms = np.linalg.norm(data.features, axis=1)
    count = int(np.count_nonzero(norms > _SLACK))
    if not count:
        return data, ""
    return replace(data, features=data.features / np.maximum(norms, 1.0)[:, None]), say("plan-assume-rows-scaled", count=count)


def round_up(value: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least a value above 0.

    What is fixed before the data must not fit them to the last digit.
    """
    power = math.floor(math.log10(value))
    candidates = (float(f"{digit}e{power + more}") for more in (-1, 0, 1) for digit in (1, 2, 5))
    return next(candidate for candidate in candidates if candidate >= value)


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    before: tuple[Objective, ...]
    after: tuple[Objective, ...]
    forget: Positions
    weights: Floats
    updated: Floats


def spectral_norms(data: Dataset, order: Positions) -> Floats:
    """Upper bounds of ‖X‖₂ of what is left after each deletion of an order of positions, shape (len(order),)."""
    kept = np.ones(len(data), dtype=bool)
    norms = np.empty(len(order))
    for number, row in enumerate(order):
        kept[row] = False
        norms[number] = spectral_norm_bound(data.features[kept])
    return norms


def spent(
    task: Task, procedure: CertifiedRemoval, model: RemovalModel, order: Positions, norms: Sequence[float] | Floats | None
) -> Iterator[float]:
    """β after each deletion, all classes together, by the `local` bound.

    Args:
        task: What is learned.
        procedure: With its λ and σ.
        model: As it was trained on all records.
        order: Positions in the training data, one deleted after the other.
        norms: `spectral_norms` of that order; worked out on the way if left out.
    """
    bound = perturbation_norm_bound(model.weights.shape[1], sigma=procedure.sigma, distribution=procedure.distribution)
    total = np.array(model.spent)
    for number, step in enumerate(_steps(task, procedure, model, order)):
        spectral = spectral_norm_bound(step.after[0].features) if norms is None else float(norms[number])
        parts = zip(step.before, step.after, step.weights, step.updated, strict=True)
        total = total + np.array(
            [
                measure_step(one, step.forget, w, u, perturbation_norm=bound, after=rest, spectral_norm=spectral).increment
                for one, rest, w, u in parts
            ]
        )
        yield math.hypot(*total) if procedure.distribution == "gaussian" else math.fsum(total)


def leftovers(task: Task, procedure: CertifiedRemoval, model: RemovalModel, order: Positions) -> Iterator[float]:
    """An upper bound on ‖∇L‖₂ after each deletion, all classes together, of a model without a random linear term."""
    for step in _steps(task, procedure, model, order):
        yield residual(step.after, step.updated)


def residual(objectives: Sequence[Objective], weights: Floats) -> float:
    """√Σ‖∇L_k(w_k)‖² from above, without a random linear term; weights have shape (K, d)."""
    pairs = zip(objectives, weights, strict=True)
    return math.hypot(
        *(float(np.linalg.norm(each.gradient(w))) + rounding_floor(each, w, perturbation_norm=0.0) for each, w in pairs)
    )


def worst_margin_first(task: Task, model: RemovalModel) -> Positions:
    """All positions, those first that a model fits worst: by their smallest margin y wᵀx of all classes, or largest error."""
    scores = task.train.features @ model.weights.T
    targets = objectives_of(task, model, l2=1.0)
    if task.regression:
        return np.argsort(-np.abs(scores[:, 0] - targets[0].signs), kind="stable")
    margins = np.stack([each.signs for each in targets], axis=1) * scores
    return np.argsort(margins.min(axis=1), kind="stable")


def objectives_of(task: Task, model: RemovalModel, *, l2: float) -> tuple[Objective, ...]:
    """L(·; D) of every class on all records, without a random linear term."""
    procedure: CertifiedRemoval = task.procedure(l2=l2, sigma=0.0)
    return procedure.objectives(task.train, task.classes, np.zeros_like(model.weights))


def count_within(values: Iterator[float], *, most: int, within: Callable[[float], bool]) -> int:
    """How many values come before the first that is not within, of the first `most`."""
    served = 0
    for value in islice(values, most):
        if not within(value):
            break
        served += 1
    return served


def _steps(task: Task, procedure: CertifiedRemoval, model: RemovalModel, order: Positions) -> Iterator[_Step]:
    # The Newton step needs no b, nor do the bounds on what it leaves.
    objectives, weights = objectives_of(task, model, l2=procedure.l2), model.weights
    left = np.arange(len(task.train))
    for row in order:
        forget = np.flatnonzero(left == row)
        after = without(objectives, forget)
        steps = [NewtonRemoval(each, w).step(forget) for each, w in zip(objectives, weights, strict=True)]
        updated = weights + np.stack(steps)
        yield _Step(objectives, after, forget, weights, updated)
        objectives, weights, left = after, updated, np.delete(left, forget)
