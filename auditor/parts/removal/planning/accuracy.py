"""How accurate a setting is: on the case's holdout if it has one, else by cross-validation on its training records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from auditor.audit.planning import CONFIDENCE, Accuracy
from auditor.base.domain import Interval
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.randomness import release_noise
from auditor.maths.statistics.exact import clopper_pearson
from auditor.pages.words.texts import say
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval, RemovalModel
from auditor.parts.removal.planning.walking import Task

FOLDS = 5
_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """One model and the records that it is judged on."""

    model: RemovalModel
    judged: Dataset


def measure_of(task: Task) -> str:
    """What accuracy means for a task, in words."""
    kind = "R²" if task.regression else say("plan-measure-share")
    where = (
        say("plan-measure-holdout", records=len(task.holdout))
        if task.holdout is not None
        else say("plan-measure-folds", folds=FOLDS, records=len(task.train))
    )
    method = say("plan-measure-bootstrap") if task.regression else "Clopper-Pearson"
    interval = say("plan-measure-interval", confidence=f"{100 * CONFIDENCE:g}", method=method)
    return f"{kind}, {where}; {interval}" + ("" if task.holdout is not None else say("plan-measure-as-one-model"))


def baseline(task: Task) -> float:
    """What always naming the commonest label of the training records scores; 0, R² of their mean, for a regression."""
    if task.regression:
        return 0.0
    labels, counts = np.unique(task.train.labels, return_counts=True)
    judged = task.train if task.holdout is None else task.holdout
    return float(np.mean(judged.labels == labels[np.argmax(counts)]))


def fit(
    task: Task, procedure: CertifiedRemoval, seeds: Sequence[int], models: Sequence[RemovalModel], *, seed: int
) -> tuple[tuple[Fitted, ...], ...]:
    """For every training the models to judge: itself on a holdout, or one a fold in cross-validation.

    Args:
        task: What is learned.
        procedure: At its setting.
        seeds: Of the trainings.
        models: What the trainings came to on all training records.
        seed: The plan's, which draws the folds.

    Raises:
        ArithmeticError: If the declared tolerance cannot be reached.
    """
    if task.holdout is not None:
        return tuple((Fitted(model, task.holdout),) for model in models)
    return tuple(
        tuple(Fitted(procedure.learn(train, each), judged) for train, judged in _splits(task, number, seed))
        for number, each in enumerate(seeds)
    )


def with_noise(fitted: tuple[Fitted, ...], training_seed: int, deviation: float) -> tuple[Fitted, ...]:
    """The same models, released with noise of a standard deviation."""
    return tuple(
        replace(each, model=replace(each.model, noise=_noise(each.model.weights, training_seed, number, deviation)))
        for number, each in enumerate(fitted)
    )


def accuracy(task: Task, procedure: CertifiedRemoval, draws: Sequence[tuple[Fitted, ...]], *, seed: int) -> Accuracy:
    """The mean accuracy over trainings, and an interval that holds each of theirs at once.

    Each of D trainings gets an interval that misses with probability at most (1 − 0.95)/D; the interval from the smallest to the
    largest end covers all D accuracies with 0.95 (union bound). Classification: exact (Clopper and Pearson 1934).
    """
    measure = _variance_explained if task.regression else _share_right
    confidence = 1 - (1 - CONFIDENCE) / len(draws)
    found = [measure(procedure, draw, confidence, seed, number) for number, draw in enumerate(draws)]
    return Accuracy(
        float(np.mean([value for value, _ in found])),
        min(interval.low for _, interval in found),
        max(interval.high for _, interval in found),
    )


_Measure = Callable[[CertifiedRemoval, tuple[Fitted, ...], float, int, int], tuple[float, Interval]]


def _share_right(
    procedure: CertifiedRemoval, draw: tuple[Fitted, ...], confidence: float, _: int, __: int
) -> tuple[float, Interval]:
    right = total = 0
    for each in draw:
        said = each.model.classes[np.argmax(procedure.predict(each.model, each.judged.features), axis=1)]
        right += int(np.count_nonzero(said == each.judged.labels))
        total += len(each.judged)
    return right / total, clopper_pearson(right, total, confidence=confidence)


def _variance_explained(
    procedure: CertifiedRemoval, draw: tuple[Fitted, ...], confidence: float, seed: int, number: int
) -> tuple[float, Interval]:
    truth = np.concatenate([each.judged.labels for each in draw])
    said = np.concatenate([procedure.predict(each.model, each.judged.features) for each in draw])
    rng = generator(seed, "plan", "bootstrap", number)
    drawn = rng.integers(len(truth), size=(_RESAMPLES, len(truth)))
    resampled = _r2(truth[drawn], said[drawn])
    tail = (1 - confidence) / 2
    value = float(_r2(truth[None], said[None])[0])
    low, high = (float(each) for each in np.quantile(resampled, [tail, 1 - tail]))
    return value, Interval(min(low, value), max(high, value))


def _r2(truth: Floats, said: Floats) -> Floats:
    left = ((truth - said) ** 2).sum(axis=1)
    spread = ((truth - truth.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    explained: Floats = 1 - np.divide(left, spread, out=np.zeros_like(left), where=spread > 0)
    return explained


def _splits(task: Task, number: int, seed: int) -> Iterator[tuple[Dataset, Dataset]]:
    folds = _folds(task, generator(seed, "plan", "folds", number))
    for fold in range(FOLDS):
        judged = np.flatnonzero(folds == fold)
        if len(judged):
            yield task.train.subset(np.flatnonzero(folds != fold)), task.train.subset(judged)


def _folds(task: Task, rng: np.random.Generator) -> Positions:
    """The fold of every record, shape (n,), labels spread evenly; −1 for the only record of a label, which is never judged."""
    shuffled = rng.permutation(len(task.train))
    order = shuffled[np.argsort(task.train.labels[shuffled], kind="stable")]
    folds = np.empty(len(order), dtype=np.int64)
    folds[order] = np.arange(len(order)) % FOLDS
    if not task.regression:
        _, inverse, counts = np.unique(task.train.labels, return_inverse=True, return_counts=True)
        folds[counts[inverse] == 1] = -1
    return folds


def _noise(weights: Floats, training_seed: int, fold: int, deviation: float) -> Floats:
    drawn = release_noise(training_seed + fold, weights.size, deviation=deviation)
    return drawn.reshape(weights.shape)
