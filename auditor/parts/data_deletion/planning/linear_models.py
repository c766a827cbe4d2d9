"""What a plan for data deletion learns: a linear model without intercept, and trainings of it whose accuracy is measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.audit.planning import CONFIDENCE, Accuracy
from auditor.base.domain import Problem
from auditor.base.draws import generator
from auditor.base.errors import InputError
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.learning.noisy_gd.chains import Records, run, starts
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss
from auditor.learning.residuals import bounded
from auditor.maths.certificates.losses import Loss, LossConstants, constants
from auditor.maths.statistics.exact import clopper_pearson
from auditor.pages.words.texts import say
from auditor.settings.facets import NoisyDescent

PARTS = 5
"""Without a holdout every training leaves one of so many parts out, and is judged on it."""
_SLACK = 1 + 1e-9
_NO_NOISE = 1e-30


@dataclass(frozen=True, slots=True, eq=False)
class LinearTask:
    """Data and loss: all that a setting of noisy gradient descent is added to. Every row has norm at most 1."""

    train: Dataset
    holdout: Dataset | None
    classes: npt.NDArray[Any]
    """The distinct labels of the training records, sorted."""
    loss: LinearLoss
    l2: float | None
    """λ as declared; None where the case declares none for such a model."""
    order: float | None
    """q as declared."""
    assumptions: tuple[str, ...]

    @property
    def constants(self) -> LossConstants:
        """L and β, for rows of norm at most 1."""
        return constants(self.loss.name, clip=self.loss.clip)

    @property
    def parameters(self) -> int:
        """Numbers of one model."""
        return self.loss.outputs * int(self.train.features.shape[1])

    @property
    def measure(self) -> str:
        """What accuracy means here, in words."""
        where = (
            say("plan-measure-holdout", records=len(self.holdout))
            if self.holdout is not None
            else say("plan-measure-fifth", records=len(self.train))
        )
        return say("plan-measure-linear", where=where, confidence=f"{100 * CONFIDENCE:g}")

    def baseline(self) -> float:
        """What always naming the commonest label of the training records scores."""
        labels, counts = np.unique(self.train.labels, return_counts=True)
        judged = self.train if self.holdout is None else self.holdout
        return float(np.mean(judged.labels == labels[np.argmax(counts)]))


def linear_task(case: Case) -> LinearTask:
    """The linear model of a case: as declared for noisy gradient descent, else that of its rows.

    Raises:
        InputError: If it is a regression, or has labels of one value only.
    """
    if case.settings.data.task != "classification":
        raise InputError([Problem("audit.toml", "data.task", '"classification": data deletion is planned for it', "regression")])
    classes = np.unique(case.train.labels)
    if len(classes) < 2:
        raise InputError([Problem("audit.toml", "data.train", "records of at least two labels", "one label")])
    declared = case.settings.procedure.descent
    own = None if declared is None or declared.loss is None else declared
    loss, said = _usual(len(classes)) if own is None else _declared(own, len(classes))
    train, scaled = _within(case.train)
    holdout = None if case.holdout is None else _within(case.holdout)[0]
    if scaled:
        said.append(say("plan-assume-scaled", rows=scaled))
    return LinearTask(train, holdout, classes, loss, None if own is None else own.l2, _order(case), tuple(said))


def _usual(classes: int) -> tuple[LinearLoss, list[str]]:
    """The loss where the case declares none, and what is to be said of it."""
    name: Loss = "logistic" if classes == 2 else "softmax"
    return LinearLoss(name, classes, clip=None), [say("plan-assume-linear", loss=name)]


def _declared(own: NoisyDescent, classes: int) -> tuple[LinearLoss, list[str]]:
    """The declared loss as far as a theorem covers it, and what of it is left out."""
    if own.loss is None:
        raise AssertionError("a linear model has a loss")
    clip, said = own.clip, []
    if clip is not None and not constants(own.loss, clip=clip).is_gradient:
        clip = None
        said.append(say("plan-assume-without-clip"))
    if own.loss_cap is not None or own.rate != "theorem":
        said.append(say("plan-assume-without-cap"))
    return LinearLoss(own.loss, classes, clip=clip), said


def _order(case: Case) -> float | None:
    """q of the claim, else of the procedure; None where neither names one."""
    declared, claim = case.settings.procedure.descent, case.settings.claims.data_deletion
    if claim is not None and claim.q is not None:
        return claim.q
    return None if declared is None else declared.order


def _within(data: Dataset) -> tuple[Dataset, int]:
    """Each row that is longer than 1 scaled to norm 1, by itself, and how many there are beyond rounding."""
    longer = int(np.count_nonzero(np.linalg.norm(data.features, axis=1) > _SLACK))
    return replace(data, features=bounded(data.features)), longer


def trained(
    task: LinearTask, descent: Descent, *, steps: tuple[int, int], deletions: int, draws: int, seed: int
) -> tuple[Accuracy, Accuracy]:
    """Accuracy after learning, and after an update on what random deletions leave.

    Args:
        task: What is learned.
        descent: λ, σ² and the step size.
        steps: K_A and K_U.
        deletions: Records that are deleted before the update, the same in each training.
        draws: Trainings.
        seed: The plan's.

    Raises:
        ArithmeticError: If a training diverges.
    """
    rng = generator(seed, "plan", "noisy-gd", f"{descent.l2:.17g}", f"{descent.sigma2:.17g}")
    labels = np.searchsorted(task.classes, task.train.labels)
    counts: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    groups = [draws] if task.holdout is not None else [len(range(part, draws, PARTS)) for part in range(min(PARTS, draws))]
    for part, chains in enumerate(groups):
        kept, judged = _split(task, part, seed)
        left = kept[: max(1, len(kept) - deletions)]
        start = starts(descent, chains=chains, size=task.parameters, rng=rng)
        before, after = (Records(task.train.features[rows], labels[rows]) for rows in (kept, left))
        learned = run(task.loss, before, descent, start, steps=steps[0], rng=rng)
        updated = run(task.loss, after, descent, learned, steps=steps[1], rng=rng)
        for found, models in zip(counts, (learned, updated), strict=True):
            found += [_right(task, model, judged) for model in models]
    return _accuracy(counts[0]), _accuracy(counts[1])


def without_noise(task: LinearTask, *, l2: float, steps: int, rate: float, seed: int) -> float:
    """The accuracy after so many steps without noise: what λ costs by itself."""
    descent = Descent(l2, _NO_NOISE, rate)
    learned, _ = trained(task, descent, steps=(steps, 0), deletions=0, draws=1, seed=seed)
    return learned.value


def _split(task: LinearTask, part: int, seed: int) -> tuple[npt.NDArray[np.int64], Dataset]:
    """The training positions of a training in the order of deletion from the end, and the records that it is judged on."""
    order = generator(seed, "plan", "noisy-gd", "order").permutation(len(task.train))
    if task.holdout is not None:
        return order, task.holdout
    out = np.arange(len(order)) % PARTS == part
    return order[~out], task.train.subset(order[out])


def _right(task: LinearTask, model: npt.NDArray[np.float64], judged: Dataset) -> tuple[int, int]:
    said = task.classes[np.argmax(task.loss.probabilities(model, judged.features), axis=1)]
    return int(np.count_nonzero(said == judged.labels)), len(judged)


def _accuracy(counts: list[tuple[int, int]]) -> Accuracy:
    """The mean over trainings, and an interval that holds each of theirs at once (union bound)."""
    confidence = 1 - (1 - CONFIDENCE) / len(counts)
    intervals = [clopper_pearson(right, total, confidence=confidence) for right, total in counts]
    mean = float(np.mean([right / total for right, total in counts]))
    return Accuracy(mean, min(each.low for each in intervals), max(each.high for each in intervals))
