"""Shadow models of deletion games: models whose training records the adversary knows, trained apart from every game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.attacks.deletion import ShadowModels
from auditor.attacks.deletion.seen import loss
from auditor.audit.run_options import RunOptions
from auditor.base.draws import generator
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.parts.revealing.judging.inference.observed import View
from auditor.parts.revealing.observing.deleting.asking import play
from auditor.parts.revealing.observing.deleting.drawing import Asked, Game, UnplayableError
from auditor.verdict.checks.deleting import MOST_DRAWS

# Views of what a model answers: less of it is one of the ways to show less of a deletion.
See: TypeAlias = Callable[[Floats], Floats]
"""From answers to what is seen of them, same shape."""
_STEPS: Final = 100
"""Two digits."""
_LARGEST: Final = 1e140


def views(labels: npt.NDArray[np.generic]) -> Mapping[View, See]:
    """Every view of a task's answers, all of them first.

    Args:
        labels: Shape (n,), of the training data: real values for a regression, where a step is a hundredth of their range.
    """
    if labels.dtype.kind != "f":
        return {"scores": _all, "rounded": lambda answers: _rounded(answers, 1.0), "labels": _labels}
    spread = float(np.ptp(bounded(labels.astype(np.float64))))
    return {"scores": bounded, "rounded": lambda answers: _rounded(bounded(answers), spread or 1.0)}


def bounded(values: Floats) -> Floats:
    """Real values cut off at ±1e140, so that squares and their sums are finite: a game with no number would be a lost one."""
    return np.clip(values, -_LARGEST, _LARGEST)


def _all(answers: Floats) -> Floats:
    return answers


def _rounded(answers: Floats, spread: float) -> Floats:
    step = spread / _STEPS
    rounded: Floats = np.round(answers / step) * step
    return rounded


def _labels(answers: Floats) -> Floats:
    """The likeliest class alone, shape (..., classes); the first of several."""
    likeliest: Floats = np.eye(answers.shape[-1])[answers.argmax(axis=-1)]
    return likeliest


PAIRS: Final = 8
"""Complementary pairs of shadow models: they give nine tenths of what two hundred find."""
QUICK_PAIRS: Final = 4
PROGRESS: Final = "shadow models of deletion games"
_SEEDS: Final = 2**31


def shadow_models(case: Case, how: RunOptions) -> ShadowModels:
    """Train shadow models on complementary halves of the training data, and ask each about every record.

    Raises:
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did.
        UnplayableError: If no halves were found that both hold every class.
    """
    classifies = case.settings.data.task == "classification"
    games = list(_halves(codes(case) if classifies else None, len(case.train), how))
    answers = play(case, [Asked(game, case.train.features) for game in games], how, name=PROGRESS)
    trained_on = np.zeros((len(games), len(case.train)), dtype=bool)
    for row, game in zip(trained_on, games, strict=True):
        row[game.trained] = True
    given = np.stack([each.before for each in answers])
    given = given if case.settings.data.task == "classification" else bounded(given)
    return ShadowModels(given, trained_on, known_labels(case))


def known_labels(case: Case) -> npt.NDArray[np.generic]:
    """What adversaries know of the training records' labels, shape (n,): class codes, or real values."""
    return codes(case) if case.settings.data.task == "classification" else bounded(case.train.labels.astype(np.float64))


def codes(case: Case) -> Positions:
    """Class codes of the training records, shape (n,)."""
    return np.unique(case.train.labels, return_inverse=True)[1].astype(np.int64)


def hardest_first(shadow: ShadowModels) -> Positions:
    """All records in the order in which an adversary would choose them, shape (n,).

    First those whose loss under shadow models that never learned them exceeds that under models that did by most: what deleting
    them shows is likely to be large.
    """
    losses, inside = loss(shadow.answers, shadow.labels), shadow.trained_on
    without = np.where(inside, 0.0, losses).sum(axis=0) / (~inside).sum(axis=0)
    within = np.where(inside, losses, 0.0).sum(axis=0) / inside.sum(axis=0)
    return np.argsort(within - without, kind="stable").astype(np.int64)


def _halves(classes: Positions | None, records: int, how: RunOptions) -> Iterator[Game]:
    for pair in range(QUICK_PAIRS if how.quick else PAIRS):
        rng = generator(how.seed, "deleting", "shadow", pair)
        half = _half(classes, records, rng)
        other = np.setdiff1d(np.arange(records), half).astype(np.int64)
        for trained, outside in ((half, other), (other, half)):
            nobody = np.empty(0, dtype=np.int64)
            yield Game(trained, (), nobody, outside, int(rng.integers(_SEEDS)), ())


def _half(classes: Positions | None, records: int, rng: np.random.Generator) -> Positions:
    for _ in range(MOST_DRAWS):
        order = rng.permutation(records).astype(np.int64)
        first, second = np.sort(order[: records // 2]), order[records // 2 :]
        if classes is None or len(np.unique(classes[first])) == len(np.unique(classes[second])) == len(np.unique(classes)):
            return first
    raise UnplayableError("no-split")
