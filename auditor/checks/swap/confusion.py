"""The interclass confusion test (Goel et al. 2023), run beside the SWAP test for comparison: it decides nothing.

Half of the records of two classes swap their labels; a model is trained on them and then unlearns them. The memorisation score is
the share of those records that it still puts into the class they were swapped to; the IC score is one minus it (Tu, Hu and Ma,
Section 4.4). It has no ground truth of its own, so retraining without those records is measured too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from auditor.case import Case
from auditor.checks.devices import Place, require_same
from auditor.checks.replay import specification
from auditor.checks.swap.drawing import Game
from auditor.domain import Dataset, Floats, Positions
from auditor.draws import generator
from auditor.jobs import Job, run
from auditor.runs import Runs
from auditor.sandbox import Device, Learn, Level, Limits, Predict, Step, Unlearn

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
    """One pair of classes; positions are those of the enlarged table."""

    clean: Positions
    """Target records that keep their labels."""
    confused: Positions
    """Copies with the other label."""
    memorised: Positions
    """Per copy, the column of the label that it was given."""
    seeds: tuple[int, int, int]


def measure(
    case: Case,
    game: Game,
    *,
    seed: int,
    level: Level,
    where: Place,
    kept: Runs | None,
    on_step: Callable[[str, int, int], None],
) -> Confusion | None:
    """Run the test in the sandbox, all trials in one process.

    Args:
        case: The case.
        game: Its target half is what the models are trained on.
        seed: The auditor's own.
        level: The sandbox level that stands.
        where: What the procedure computes on.
        kept: Finished runs of an earlier audit, and where to keep these.
        on_step: Told the job's name, the steps done and the steps in all.

    Returns:
        The scores; None where no two classes have enough records.

    Raises:
        ProcedureError: As for any run.
        SandboxError: As for any run.
    """
    classes, codes = np.unique(case.train.labels, return_inverse=True)
    table, trials = _drawn(case.train, game.target, codes, len(classes), seed)
    if not trials:
        return None
    steps: list[Step] = [Device()] if where.device == "cuda" else []
    for trial in trials:
        rows = np.sort(np.concatenate([trial.clean, trial.confused]))
        forget = np.searchsorted(rows, trial.confused).astype(np.int64)
        learn, unlearn, retrain = trial.seeds
        steps += [
            Learn("learned", rows, learn),
            Unlearn("learned", "unlearned", rows, forget, unlearn),
            Predict("unlearned", "train", len(classes), trial.confused),
            Learn("retrained", trial.clean, retrain),
            Predict("retrained", "train", len(classes), trial.confused),
        ]
    sandbox = case.settings.sandbox
    limits = Limits(timeout_s=sandbox.timeout_s, memory_mb=sandbox.memory_mb)
    job = Job("confusion", specification(case), {"train": table}, tuple(steps), limits, level, where.device)
    (answers,) = run([job], workers=1, on_step=on_step, kept=kept)
    require_same(where, answers)
    predicted = [answer.array for answer in answers if isinstance(answer.step, Predict) and answer.array is not None]
    unlearned = [_score(array, trial) for array, trial in zip(predicted[::2], trials, strict=True)]
    retrained = [_score(array, trial) for array, trial in zip(predicted[1::2], trials, strict=True)]
    return Confusion(float(np.mean(unlearned)), float(np.mean(retrained)), len(trials))


def _score(probabilities: Floats, trial: _Trial) -> float:
    return 1.0 - float(np.mean(np.argmax(probabilities, axis=1) == trial.memorised))


def _drawn(train: Dataset, target: Positions, codes: Positions, classes: int, seed: int) -> tuple[Dataset, list[_Trial]]:
    """The training data with the confused copies behind them, and the trials."""
    labels = np.unique(train.labels)
    trials, copied, given = [], [train], [np.empty(0, dtype=np.int64)]
    start = len(train)
    for number in range(TRIALS):
        rng = generator(seed, "swap", "confusion", number)
        sizes = np.bincount(codes[target], minlength=classes)
        usable = np.flatnonzero(sizes >= 2 * _LEAST)
        if len(usable) < 2:
            return train, []
        one, other = (int(code) for code in rng.choice(usable, 2, replace=False))
        chosen = np.concatenate(
            [rng.permutation(target[codes[target] == code])[: sizes[code] // 2] for code in (one, other)]
        ).astype(np.int64)
        memorised = np.where(codes[chosen] == one, other, one).astype(np.int64)
        confused = np.arange(start, start + len(chosen), dtype=np.int64)
        start += len(chosen)
        seeds = rng.choice(_SEEDS, 3, replace=False)
        trials.append(_Trial(np.setdiff1d(target, chosen), confused, memorised, (int(seeds[0]), int(seeds[1]), int(seeds[2]))))
        copied.append(train.subset(chosen))
        given.append(memorised)
    return _enlarged(train, copied, labels[np.concatenate(given)]), trials


def _enlarged(train: Dataset, copied: list[Dataset], given: np.ndarray[tuple[int], np.dtype[np.generic]]) -> Dataset:
    mark = "confused"
    while any(name.startswith(mark) for name in train.ids.tolist()):
        mark += "-"
    ids = np.array([f"{mark}{number}" for number in range(len(given))], dtype=np.str_)
    return Dataset(
        np.concatenate([part.features for part in copied]),
        np.concatenate([train.labels, given]),
        np.concatenate([train.ids, ids]),
    )
