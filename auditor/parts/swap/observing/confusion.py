"""The interclass confusion test (Goel et al. 2023), run alongside the SWAP test for comparison: it decides nothing.

Half of the records of two classes swap their labels; a model is trained on them and then unlearns them. The memorisation score is
the share of those records that it still puts into the class they were swapped to; the IC score is one minus it (Tu, Hu and Ma,
Section 4.4). It has no ground truth of its own, so retraining without those records is measured too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.audit.devices import Place, require_same
from auditor.audit.renamed_columns import Disguise
from auditor.audit.replay import limits_of, specification
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Part, Positions
from auditor.case import Case
from auditor.parts.swap.observing.drawing import PROGRESS, Game
from auditor.sandbox import Answer, Device, Learn, Level, Predict, Step, Unlearn
from auditor.sandbox.jobs import Job

TRIALS = 3
_LEAST = 2
_SEEDS = 2**31


@dataclass(frozen=True, slots=True)
class Confusion:
    """Mean IC scores over the trials: 1 where nothing of the swapped labels is left."""

    unlearned: float
    retrained: float
    trials: int


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """One pair of classes; positions are those of the training data."""

    clean: Positions
    """Target records that keep their labels."""
    confused: Positions
    """Target records that get the other one's label."""
    memorised: Positions
    """Of each of these, the column of the label that it was given."""
    seeds: tuple[int, int, int]


class Confusing:
    """The test on one case: what to run, and what the answers mean.

    Attributes:
        jobs: One for each trial, or one for all of them where the code is ours and takes long to load; none where no two classes
            have enough records.
    """

    def __init__(self, case: Case, game: Game, disguise: Disguise, *, seed: int, level: Level, where: Place) -> None:
        """Plan the trials.

        Args:
            case: The case.
            game: Its target half is what the models are trained on.
            disguise: What the trials show of the case.
            seed: The auditor's own.
            level: The sandbox level in force.
            where: What the procedure computes on.
        """
        classes, codes = np.unique(case.train.labels, return_inverse=True)
        self._trials = _drawn(game.target, codes, len(classes), seed)
        self._where = where
        spec, limits = specification(case), limits_of(case)
        together = self._trials and case.settings.procedure.trains_together
        groups = [self._trials] if together else [[trial] for trial in self._trials]
        device = [Device()] if where.device == "cuda" else []
        self.jobs = tuple(
            Job(
                f"confusion-{number}",
                spec,
                {"train": _table(disguise.train, trials), **disguise.tables},
                (*device, *_steps(trials, len(classes), disguise)),
                limits,
                level,
                where.device,
                part_of=PROGRESS,
            )
            for number, trials in enumerate(groups, start=1)
        )

    def read(self, answers: Sequence[tuple[Answer, ...]]) -> Confusion | None:
        """The scores, from the answers to `jobs`; None where there are none.

        Raises:
            NoDeviceError: If a run did not use the CUDA device that was found.
        """
        if not self._trials:
            return None
        for each in answers:
            require_same(self._where, each)
        predicted = [answer.array for each in answers for answer in each if answer.array is not None]
        scores = [
            [_score(array, trial) for array in pair]
            for trial, pair in zip(self._trials, zip(predicted[::2], predicted[1::2], strict=True), strict=True)
        ]
        unlearned, retrained = np.mean(scores, axis=0)
        return Confusion(float(unlearned), float(retrained), len(self._trials))


def _table(train: Dataset, trials: Sequence[_Trial]) -> Part:
    """The records of each trial behind those of the one before; no model meets those of two."""
    labels = np.unique(train.labels)
    positions = [part for trial in trials for part in (trial.clean, trial.confused)]
    given = [part for trial in trials for part in (train.labels[trial.clean], labels[trial.memorised])]
    return Part(train, np.concatenate(positions), np.concatenate(given))


def _steps(trials: Sequence[_Trial], columns: int, disguise: Disguise) -> list[Step]:
    steps: list[Step] = []
    start = 0
    for trial in trials:
        clean, confused = len(trial.clean), len(trial.confused)
        rows = np.arange(start, start + clean + confused, dtype=np.int64)
        start += len(rows)
        drawn, other, retrain = trial.seeds
        learn, unlearn = disguise.seed(drawn), disguise.unlearning_seed(drawn, other)
        steps += [
            Learn("learned", rows, learn),
            Unlearn("learned", "unlearned", rows, np.arange(clean, clean + confused, dtype=np.int64), unlearn),
            Predict("unlearned", "train", columns, rows[clean:]),
            Learn("retrained", rows[:clean], disguise.seed(retrain)),
            Predict("retrained", "train", columns, rows[clean:]),
        ]
    return steps


def _score(probabilities: Floats, trial: _Trial) -> float:
    return 1.0 - float(np.mean(np.argmax(probabilities, axis=1) == trial.memorised))


def _drawn(target: Positions, codes: Positions, classes: int, seed: int) -> list[_Trial]:
    """The trials; none where no two classes have enough records."""
    trials = []
    for number in range(TRIALS):
        rng = generator(seed, "swap", "confusion", number)
        sizes = np.bincount(codes[target], minlength=classes)
        usable = np.flatnonzero(sizes >= 2 * _LEAST)
        if len(usable) < 2:
            return []
        one, other = (int(code) for code in rng.choice(usable, 2, replace=False))
        chosen = np.concatenate(
            [rng.permutation(target[codes[target] == code])[: sizes[code] // 2] for code in (one, other)]
        ).astype(np.int64)
        memorised = np.where(codes[chosen] == one, other, one).astype(np.int64)
        first, second, third = (int(each) for each in rng.choice(_SEEDS, 3, replace=False))
        trials.append(_Trial(np.setdiff1d(target, chosen), chosen, memorised, (first, second, third)))
    return trials
