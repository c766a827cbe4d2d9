"""What a case asks to be learned, as far as a plan needs it. The case's own seed is a secret, and is not touched."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Dataset, Problem
from auditor.base.errors import InputError
from auditor.case import Case
from auditor.learning.one_versus_rest import Loss, Shape
from auditor.maths.certificates.perturbation import Distribution
from auditor.pages.words.texts import say, text
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval

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
