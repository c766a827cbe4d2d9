"""The SWAP test's price: a whole audit of a network against its bare trainings.

It audits scikit-learn's MLPClassifier with the hyperparameters that it comes with, on all 1,797 digits. The baseline is a plain
loop over the very same training sets, each fitted once with the same class, in two processes of one thread each: no sandbox, no
attacks, no report. Both count the processor time of all their processes; the loop's without its imports.
"""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from auditor.base.records import Dataset
from auditor.case import read
from auditor.parts.swap.observing import REFERENCE_PAIRS
from auditor.parts.swap.observing.drawing import Game, draw
from benchmarks.measuring import Figure, command, once, pool, ratios
from sample_models.digits import ten_digits

WORKERS = 2
_CASE = """
[case]
name = "network"
[data]
train = "train.npz"
task = "classification"
[procedure]
use = "sklearn"
estimator = "sklearn.neural_network.MLPClassifier"
unlearn = "retrain"
[deletions]
log = "deletions.jsonl"
[swap]
pairs = {pairs}
[policy]
required = ["swap.quality"]
"""
"""The release is exact: only what the policy lists makes the audit play the game."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the game and of what it is played on."""

    pairs: int
    records: int
    options: tuple[str, ...] = ()
    """Further options of the audit."""
    apart: bool = True


USUAL = Sizes(pairs=20, records=1_797)
TINY = Sizes(pairs=2, records=100, options=("--quick", "--only", "log.consistency"), apart=False)


def write_case(folder: Path, sizes: Sizes) -> None:
    """Write a case of a network that is trained again for a deletion."""
    train = _digits(sizes.records)
    np.savez(folder / "train.npz", features=train.features, labels=train.labels, ids=train.ids)
    row = {
        "request_id": "R1",
        "record_ids": [str(train.ids[0])],
        "received_at": "2026-01-05T09:00:00Z",
        "executed_at": "2026-01-09T09:00:00Z",
    }
    (folder / "deletions.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (folder / "audit.toml").write_text(_CASE.format(pairs=sizes.pairs), encoding="utf-8")


def _digits(records: int) -> Dataset:
    """The first of scikit-learn's bundled digits."""
    both = ten_digits()
    return Dataset(*(np.concatenate([getattr(part, name) for part in both])[:records] for name in ("features", "labels", "ids")))


def _training_sets(game: Game, records: int) -> list[np.ndarray]:
    """Rows of every model that the audit trains; the few of replay, self-check and confusion stand for sets of their sizes."""
    every = np.arange(records)
    tested = [rows for pair in game.pairs for side in range(2) for rows in (pair.trained(side), pair.retained)]
    control = list(chain.from_iterable([pair.retained] * 3 for pair in game.pairs))
    baseline = [np.setdiff1d(pair.trained(side), np.concatenate(pair.decoys[side])) for pair in game.pairs for side in range(2)]
    numbers = range(len(game.references))
    references = [rows for each in numbers for rows in (game.reference_trained(each), game.reference_kept(each))]
    return [*tested, *baseline, *control, *references, *[every] * 5, *[game.target] * 9]


def _fit(records: int, rows: np.ndarray, seed: int) -> float:
    """Fit once; seconds of processor time."""
    train = _digits(records)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return once(lambda: MLPClassifier(random_state=seed).fit(train.features[rows], train.labels[rows]))[1]


def _bare(sets: list[np.ndarray], sizes: Sizes) -> float:
    """Seconds of processor time of the loop; a tiny one stops after a few."""
    chosen = sets if sizes.apart else sets[:2]
    with pool(WORKERS if sizes.apart else 1, apart=sizes.apart) as workers:
        return sum(workers.map(_fit, [sizes.records] * len(chosen), chosen, range(len(chosen))))


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time the audit as a whole command, from case to PDF, and the loop around it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_case(folder, sizes)
        case = read(folder)
        alpha = case.settings.swap.alpha
        game = draw(case.train, pairs=sizes.pairs, models=1, alpha=alpha, reference_pairs=REFERENCE_PAIRS, seed=0)
        sets = _training_sets(game, len(case.train))
        # Half of the loop before the audit and half after it: the machine's pace changes within minutes.
        bare = _bare(sets[::2], sizes)
        cost = command("check", str(folder), "--fresh", "--quiet", "--jobs", str(WORKERS), *sizes.options, codes=(0, 1, 3))
        bare += _bare(sets[1::2], sizes)
        yield ratios("network", [cost.processor], [bare])
        yield Figure("network-beyond", (cost.processor - bare,), "s")
        yield Figure("network-seconds", (cost.seconds,), "s", (cost.processor,))
