"""A log of 100,000 requests: `auditor validate`, `auditor report`, and what the deletion log alone costs `auditor check`.

The requests are carried out in 20 batches, so that the replay is short: what is measured is the handling of the log.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np

from auditor import case as cases
from auditor import deletions, processors
from auditor.audit import Options, audit
from auditor.domain import RequestOutcome
from benchmarks.measuring import line, seconds

RECORDS, FEATURES, REQUESTS, BATCHES = 120_000, 8, 100_000, 20
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
_MEASURE = """
import json, resource, subprocess, sys, time
started = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(json.dumps([code, time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss]))
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one command took."""

    seconds: float
    megabytes: float
    """Peak of resident memory, in MiB."""


def write_case(folder: Path, *, requests: int = REQUESTS, records: int = RECORDS) -> Path:
    """Write a case of `records` records of which `requests` are deleted, one a request, in 20 batches a week apart."""
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


def write_evidence(folder: Path, sample: Path, path: Path) -> None:
    """Write the evidence of an audit of `sample`, whole, with the requests of the case in `folder` in place of its own."""
    audited = audit(cases.read(sample), Options(workers=processors.count())).evidence
    case = cases.read(folder)
    covering = next(request.guarantees for request in audited.requests if request.status == "executed")
    requests = tuple(replace(outcome, guarantees=covering) for outcome in outcomes(case))
    counts = {"requests": len(requests), "records": len(requests), "batches": BATCHES}
    log = audited.deletion_log.model_copy(update=counts)
    path.write_bytes(audited.model_copy(update={"requests": requests, "deletion_log": log}).to_bytes())


def outcomes(case: cases.Case) -> tuple[RequestOutcome, ...]:
    """What became of each request of the case."""
    return deletions.outcomes(case.requests, case.known_ids, deadline_days=None, today=date(2026, 12, 1))


def command(*arguments: str) -> Cost:
    """Run a command of the auditor as a process of its own.

    Raises:
        RuntimeError: If it does not end with exit code 0.
    """
    # Started by a small process: a child begins with its parent's memory, and its peak would be that of this one.
    words = [sys.executable, "-c", _MEASURE, sys.executable, "-m", "auditor", *arguments]
    code, taken, peak = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
    if code:
        raise RuntimeError(f"auditor {arguments[0]} ended with exit code {code}")
    return Cost(taken, peak / 1024)


def main() -> None:
    """Measure the commands as processes and the log's own functions in this one."""
    sample = Path(__file__).resolve().parent.parent / "sample_models" / "digits-newton"
    with tempfile.TemporaryDirectory() as name:
        folder = write_case(Path(name))
        evidence, report = folder / "evidence.json", folder / "report.pdf"
        cost = command("validate", "--no-run", str(folder))
        line("validate, 100,000 requests", f"{cost.seconds:.1f} s", "under 5 s")
        line("its peak memory", f"{cost.megabytes:.0f} MiB")
        case = cases.read(folder)
        today = date(2026, 12, 1)
        found = seconds(lambda: deletions.findings(case.requests, case.known_ids, today=today), repeats=3)
        line("what does not hold together in the log", f"{found:.2f} s")
        line("deadlines and outcomes", f"{seconds(lambda: outcomes(case), repeats=3):.2f} s")
        write_evidence(folder, sample, evidence)
        cost = command("report", str(evidence), "-o", str(report))
        line("report of 100,000 requests, PDF from evidence", f"{cost.seconds:.1f} s", "under 10 s")
        line("its peak memory", f"{cost.megabytes:.0f} MiB", "under 400 MiB")


if __name__ == "__main__":
    main()
