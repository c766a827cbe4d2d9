"""A whole audit of logistic removal on a large table of float32, one run at a time: time, and memory of all processes.

    python -m benchmarks.large_table [rows]

100,000 rows of 256 columns where nothing else is said; a million take half an hour.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measuring import line
from benchmarks.mixed_table import command

ROWS, COLUMNS, UNSEEN, REQUESTS, BATCHES = 100_000, 256, 2_000, 20, 4
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


def write_case(folder: Path, rows: int) -> None:
    """Write a case with rows of norm 1 at most, and labels that follow from them but for noise."""
    rng = np.random.default_rng(7)
    weights = rng.normal(size=COLUMNS)
    for name, count in (("train", rows), ("holdout", UNSEEN)):
        features = np.empty((count, COLUMNS), dtype=np.float32)
        for first in range(0, count, _AT_ONCE):
            drawn = rng.normal(size=(min(_AT_ONCE, count - first), COLUMNS))
            features[first : first + _AT_ONCE] = drawn / (1.0001 * np.linalg.norm(drawn, axis=1, keepdims=True))
        labels = (8 * (features @ weights) + rng.logistic(size=count) > 0).astype(np.int64)
        np.savez(folder / f"{name}.npz", features=features, labels=labels, ids=[f"{name}-{at:07d}" for at in range(count)])
    with (folder / "deletions.jsonl").open("w", encoding="utf-8") as log:
        for number, place in enumerate(rng.choice(rows, REQUESTS, replace=False).tolist()):
            batch = number * BATCHES // REQUESTS
            times = {"received_at": f"2026-05-{batch + 1:02d}T09:00:00Z", "executed_at": f"2026-05-{batch + 2:02d}T09:00:00Z"}
            row = {"request_id": f"REQ-{number:03d}", "record_ids": [f"train-{place:07d}"], "batch": f"batch-{batch}", **times}
            log.write(json.dumps(row) + "\n")
    (folder / "audit.toml").write_text(CASE, encoding="utf-8")


def main() -> None:
    """Measure the audit."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_case(folder, rows)
        line("rows, of 256 columns", f"{rows}")
        line("the table as float64", f"{rows * COLUMNS * 8 / 1e9:.2f} GB")
        cost = command("check", str(folder), "--jobs", "1")
        line(f"check (exit {cost.code})", f"{cost.seconds:.0f} s")
        line("its peak memory, all processes", f"{cost.mebibytes * 2**20 / 1e9:.2f} GB", "under 6 GB for a million rows")


if __name__ == "__main__":
    main()
