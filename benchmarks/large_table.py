"""A whole audit of logistic removal on a large table of float32: time, and memory of all processes.

100,000 rows of 256 columns, one run at a time; with `--long` a million too, with one and with two, which takes twenty minutes.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.measuring import Figure, bytes_of, watched

BATCHES = 4
_AT_ONCE = 50_000
CASE = """\
[case]
name = "large-table"

[data]
train = "train.npz"
holdout = "holdout.npz"
task = "classification"

[procedure]
use = "certified-removal"
loss = "logistic"
l2 = 1e-3
sigma = 1.0
perturbation = "gaussian"
epsilon = 1.0
delta = 1e-5
tolerance = 1e-5
unlearn = "newton"
seed = "219930471558620938475610293846277401936"

[deletions]
log = "deletions.jsonl"
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the tables, each of which is audited."""

    rows: dict[str, int]
    """Records by the name that begins the rows of the page."""
    columns: int
    unseen: int
    requests: int
    options: tuple[str, ...] = ()
    """Further options of the audit."""
    twice: tuple[str, ...] = ()
    """Which tables are audited once more with two runs at a time."""


USUAL = Sizes({"hundred-thousand": 100_000}, columns=256, unseen=2_000, requests=20)
LONG = Sizes({"hundred-thousand": 100_000, "million": 1_000_000}, columns=256, unseen=2_000, requests=20, twice=("million",))
TINY = Sizes({"hundred-thousand": 60}, columns=4, unseen=20, requests=4, options=("--quick", "--only", "removal.residual"))


def write_case(folder: Path, sizes: Sizes, rows: int) -> None:
    """Write a case with rows of norm 1 at most, and labels that follow from them but for noise."""
    rng = np.random.default_rng(7)
    weights = rng.normal(size=sizes.columns)
    for name, count in (("train", rows), ("holdout", sizes.unseen)):
        features = np.empty((count, sizes.columns), dtype=np.float32)
        for first in range(0, count, _AT_ONCE):
            drawn = rng.normal(size=(min(_AT_ONCE, count - first), sizes.columns))
            features[first : first + _AT_ONCE] = drawn / (1.0001 * np.linalg.norm(drawn, axis=1, keepdims=True))
        labels = (8 * (features @ weights) + rng.logistic(size=count) > 0).astype(np.int64)
        np.savez(folder / f"{name}.npz", features=features, labels=labels, ids=[f"{name}-{at:07d}" for at in range(count)])
    with (folder / "deletions.jsonl").open("w", encoding="utf-8") as log:
        for number, place in enumerate(rng.choice(rows, sizes.requests, replace=False).tolist()):
            batch = number * BATCHES // sizes.requests
            times = {"received_at": f"2026-05-{batch + 1:02d}T09:00:00Z", "executed_at": f"2026-05-{batch + 2:02d}T09:00:00Z"}
            row = {"request_id": f"REQ-{number:03d}", "record_ids": [f"train-{place:07d}"], "batch": f"batch-{batch}", **times}
            log.write(json.dumps(row) + "\n")
    (folder / "audit.toml").write_text(CASE, encoding="utf-8")


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Audit each table."""
    for name, rows in sizes.rows.items():
        with tempfile.TemporaryDirectory() as folder:
            write_case(Path(folder), sizes, rows)
            for jobs, as_named in ((1, name), *(((2, f"{name}-two"),) if name in sizes.twice else ())):
                # The policy asks for more than the audit of so few columns can show: any verdict will do.
                cost = watched("check", folder, "--jobs", str(jobs), "--fresh", *sizes.options, codes=(0, 1, 3))
                yield Figure(f"{as_named}-seconds", (cost.seconds,), "s", (cost.processor,))
                yield bytes_of(f"{as_named}-memory", [cost.peak])
