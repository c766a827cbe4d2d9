"""A log of 100,000 requests: `auditor validate`, and `auditor report` of the demo's evidence with as many requests.

The requests are carried out in 20 batches. Nothing is audited: what is measured is the handling of the log.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks.measuring import Figure, Times, bytes_of, command, commands
from benchmarks.recorded import evidence

FEATURES, BATCHES = 8, 20
CASE = """\
[case]
name = "large-log"

[data]
train = "train.npz"
task = "classification"

[procedure]
use = "certified-removal"
l2 = 1e-2
sigma = 1.0
epsilon = 1.0
delta = 1e-4
tolerance = 1e-8
seed = "278189252447704765151761555871619860438"

[deletions]
log = "deletions.jsonl"
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the log and the table, and how often each command runs."""

    requests: int
    records: int
    repeats: int


USUAL, TINY = Sizes(requests=100_000, records=120_000, repeats=2), Sizes(requests=40, records=50, repeats=1)


def write_case(folder: Path, sizes: Sizes = USUAL) -> Path:
    """Write a case whose requests delete one record each, in 20 batches a week apart."""
    records, requests = sizes.records, sizes.requests
    rng = np.random.default_rng(0)
    features = rng.normal(size=(records, FEATURES))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    labels = (features @ rng.normal(size=FEATURES) + 0.3 * rng.normal(size=records) > 0).astype(np.int64)
    np.savez(folder / "train.npz", features=features, labels=labels, ids=np.array([f"rec-{at:06d}" for at in range(records)]))
    start = datetime(2026, 1, 1, 8, tzinfo=UTC)
    with (folder / "deletions.jsonl").open("w", encoding="utf-8") as log:
        for at in range(requests):
            week = start + timedelta(weeks=at * BATCHES // requests)
            row = {
                "request_id": f"REQ-{at:06d}",
                "record_ids": [f"rec-{at:06d}"],
                "received_at": (week + timedelta(seconds=at % 86_400)).isoformat(),
                "executed_at": (week + timedelta(days=6)).isoformat(),
                "batch": f"batch-{at * BATCHES // requests:02d}",
                "status": "executed",
            }
            log.write(json.dumps(row) + "\n")
    (folder / "audit.toml").write_text(CASE, encoding="utf-8")
    return folder


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time the commands as processes, with the memory of the report."""
    with tempfile.TemporaryDirectory() as name:
        folder = write_case(Path(name), sizes)
        yield commands("validate", "--no-run", str(folder), repeats=sizes.repeats).figure("validate")
        path = folder / "evidence.json"
        path.write_bytes(evidence(sizes.requests).to_bytes())
        costs = [command("report", str(path), "-o", str(folder / "report.pdf")) for _ in range(sizes.repeats)]
        yield Times(tuple(cost.seconds for cost in costs), tuple(cost.processor for cost in costs)).figure("report")
        yield bytes_of("memory", [cost.peak for cost in costs])
