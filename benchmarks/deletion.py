"""A certificate of data deletion with all of its premises on a million records: seconds and memory, the records included.

The records are made in memory; what the rerun tells is taken as an honest one would tell it. One thread, float64.
"""

from __future__ import annotations

import resource
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from auditor import case as cases
from auditor import describing
from auditor.case import Case
from auditor.checks.context import Context
from auditor.checks.finding import Finding
from auditor.deletions import outcomes, replayable
from auditor.domain import Dataset, Status
from auditor.evidence import Audit, Environment
from auditor.judgement import judge_all
from auditor.observing import deletion
from auditor.observing.replay import Replay
from benchmarks.measuring import line

ROWS, DIMENSIONS = 1_000_000, 256
_L2, _SIGMA2, _STEPS = 0.05, 0.01, (200, 60)
_AUDIT = f"""
[case]
name = "large"

[data]
train = "train.npz"
task = "classification"

[procedure]
use = "noisy-gd"
loss = "logistic"
l2 = {_L2}
sigma2 = {_SIGMA2}
learn_steps = {_STEPS[0]}
unlearn_steps = {_STEPS[1]}
row_norms = "scale"
seed = "278189252447704765151761555871619860438"

[deletions]
log = "deletions.jsonl"

[claims]
data_deletion = {{q = 2, epsilon = 0.1}}
"""
_REQUEST = (
    '{"request_id": "R-1", "record_ids": ["rec-5"], "received_at": "2026-01-01T08:00:00Z", '
    '"executed_at": "2026-01-01T09:00:00Z", "seen_releases": 0}\n'
)


def made(rows: int, dimensions: int) -> Case:
    """A case of that size, its rows of norms about 1, some of which are longer and have to be scaled."""
    rng = np.random.default_rng(0)
    features = np.empty((rows, dimensions))
    for first in range(0, rows, 65_536):
        block = features[first : first + 65_536]
        block[:] = rng.normal(scale=dimensions**-0.5, size=block.shape)
    ids = np.char.add("rec-", np.arange(rows).astype(str))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.savez(folder / "train.npz", features=features[:10] / 10, labels=np.arange(10) % 2, ids=ids[:10])
        (folder / "deletions.jsonl").write_text(_REQUEST, encoding="utf-8")
        (folder / "audit.toml").write_text(_AUDIT, encoding="utf-8")
        small = cases.read(folder)
    return replace(small, train=Dataset(features, np.arange(rows) % 2, ids))


def honest(case: Case) -> Replay:
    """What the rerun of an honest procedure would be read as."""
    size = case.train.features.shape[1]
    told = tuple({"steps": count, "noise_count": count * size, "noise_variance": _SIGMA2} for count in _STEPS)
    return Replay(
        batches=replayable(case.requests, case.known_ids),
        forgotten=(np.array([5]),),
        trajectory=(np.zeros(size), np.zeros(size)),
        retrained=(False,),
        told=told,
        unlearn_seconds=None,
        retrain_seconds=1.0,
        warm_refit_seconds=None,
        predictions=None,
        retrained_predictions=None,
        state=None,
        saved=None,
        self_check_difference=0.0,
    )


def declared(case: Case) -> Context:
    """What judges may know of the case."""
    now = datetime.now(tz=UTC)
    audit = Audit(
        id="", started_at=now, finished_at=now, auditor_version="", seed="0", quick=False, only=deletion.IDS, exit_code=0
    )
    where = Environment(device="cpu", device_name="", isolation="", walls=(), capped=False, python="", packages={})
    requests = outcomes(case.requests, case.known_ids, deadline_days=None, today=now.date())
    return describing.context(case, audit=audit, environment=where, outcomes=requests, problems=())


def main() -> None:
    """Measure and print."""
    case = made(ROWS, DIMENSIONS)
    replay, context = honest(case), declared(case)
    started = time.perf_counter()
    observed = deletion.observe(case, replay)
    found = judge_all(context, observed, {"state.stateless": Finding(Status.PASS)})
    taken = time.perf_counter() - started
    if any(found[check_id].status is not Status.PASS for check_id in deletion.IDS):
        raise AssertionError("an honest case does not pass")
    size = f"n = {ROWS:,}, d = {DIMENSIONS}: certificate of data deletion with its premises"
    line(size, f"{taken:.1f} s", "under 60 s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    line("peak memory of this run, the records included", f"{peak:.2f} GB", "under 4 GB")


if __name__ == "__main__":
    main()
