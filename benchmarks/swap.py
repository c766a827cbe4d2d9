"""The SWAP test's price: whole audits, one of many convex models, one of a network against its bare trainings.

The second audits scikit-learn's MLPClassifier with the hyperparameters that it comes with, on all 1,797 digits. Its baseline is
a plain loop over the very same training sets, each fitted once with the same class, in two processes of one thread each: no
sandbox, no attacks, no report.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from auditor.case import read
from auditor.domain import Dataset
from auditor.observing.swap import REFERENCE_PAIRS
from auditor.observing.swap.drawing import Game, draw
from benchmarks.measuring import line
from sample_models.digits import ten_digits

ROOT = Path(__file__).resolve().parent.parent
PAIRS = 20
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


def _audited(folder: Path, *arguments: str) -> float:
    started = time.perf_counter()
    command = [sys.executable, "-m", "auditor", "check", str(folder), "--fresh", "--quiet", *arguments]
    subprocess.run(command, check=False, capture_output=True)
    return time.perf_counter() - started


def _write_case(folder: Path) -> None:
    train = _digits()
    np.savez(folder / "train.npz", features=train.features, labels=train.labels, ids=train.ids)
    row = {
        "request_id": "R1",
        "record_ids": [str(train.ids[0])],
        "received_at": "2026-01-05T09:00:00Z",
        "executed_at": "2026-01-09T09:00:00Z",
    }
    (folder / "deletions.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (folder / "audit.toml").write_text(_CASE.format(pairs=PAIRS), encoding="utf-8")


def _digits() -> Dataset:
    """All of scikit-learn's bundled digits."""
    both = ten_digits()
    return Dataset(*(np.concatenate([getattr(part, name) for part in both]) for name in ("features", "labels", "ids")))


def _training_sets(game: Game, records: int) -> list[np.ndarray]:
    """Rows of every model that the audit trains; the few of replay, self-check and confusion stand for sets of their sizes."""
    every = np.arange(records)
    tested = [rows for pair in game.pairs for side in range(2) for rows in (pair.trained(side), pair.retained)]
    control = list(chain.from_iterable([pair.retained] * 3 for pair in game.pairs))
    baseline = [np.setdiff1d(pair.trained(side), np.concatenate(pair.decoys[side])) for pair in game.pairs for side in range(2)]
    numbers = range(len(game.references))
    references = [rows for each in numbers for rows in (game.reference_trained(each), game.reference_kept(each))]
    return [*tested, *baseline, *control, *references, *[every] * 5, *[game.target] * 9]


def _fit(rows: np.ndarray, seed: int) -> None:
    train = _digits()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        MLPClassifier(random_state=seed).fit(train.features[rows], train.labels[rows])


def _bare(sets: list[np.ndarray]) -> float:
    with ProcessPoolExecutor(WORKERS) as pool:
        list(pool.map(_fit, sets[:WORKERS], range(WORKERS)))  # both processes have loaded scikit-learn
        started = time.perf_counter()
        list(pool.map(_fit, sets, range(len(sets))))
        return time.perf_counter() - started


def main() -> None:
    """Time both audits as whole commands, from case to PDF."""
    sample = ROOT / "sample_models" / "digits-newton"
    with tempfile.TemporaryDirectory() as out:
        taken = _audited(sample, "--out", out, "--jobs", str(WORKERS))
        line(
            f"audit of digits-newton, {read(sample).settings.swap.pairs} swap pairs, case to PDF", f"{taken:.1f} s", "under 30 s"
        )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_case(folder)
        case = read(folder)
        game = draw(case.train, pairs=PAIRS, models=1, alpha=case.settings.swap.alpha, reference_pairs=REFERENCE_PAIRS, seed=0)
        sets = _training_sets(game, len(case.train))
        taken, bare = _audited(folder, "--jobs", str(WORKERS)), _bare(sets)
        line(f"audit of a scikit-learn MLP, {PAIRS} swap pairs, case to PDF", f"{taken:.1f} s", f"{WORKERS} processes")
        line(f"its {len(sets)} bare trainings in a loop on {WORKERS} processes", f"{bare:.1f} s")
        line("the audit against the loop", f"{taken / bare:.2f} x", "at most 1.3 x")


if __name__ == "__main__":
    main()
