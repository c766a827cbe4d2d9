"""A certificate of data deletion with all of its premises on a million records: seconds and memory, the records included.

The records are made in memory; what the rerun reports is what an honest one would report. One thread, float64.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from auditor import case as cases
from auditor.audit.replay import Replay
from auditor.base.deletion_log.deletions import replayable
from auditor.base.domain import Status
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.parts.data_deletion import observing as deletion
from auditor.parts.usefulness.observing.accuracy import Asked, Predicted
from auditor.verdict.checks.finding import Finding
from benchmarks.measuring import Figure, bytes_of, peak_memory, times
from tests.judging import context_of_case, judge_some
from tests.small_cases import ATTESTED

_SIGMA2, _STEPS = 0.01, (200, 60)
_AUDIT = """
[case]
name = "large"

[data]
train = "train.npz"
task = "classification"

[procedure]
use = "noisy-gd"
loss = "logistic"
l2 = 0.05
sigma2 = {sigma2}
learn_steps = {learn}
unlearn_steps = {unlearn}
row_norms = "scale"
seed = "278189252447704765151761555871619860438"

[deletions]
log = "deletions.jsonl"

[claims]
data_deletion = {{q = 2, epsilon = 0.1}}
{attested}
"""
_REQUEST = (
    '{"request_id": "R-1", "record_ids": ["rec-5"], "received_at": "2026-01-01T08:00:00Z", '
    '"executed_at": "2026-01-01T09:00:00Z", "seen_releases": 0}\n'
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the case."""

    rows: int
    dimensions: int


USUAL, TINY = Sizes(1_000_000, 256), Sizes(200, 3)


def made(sizes: Sizes) -> Case:
    """A case of that size, its rows of norms about 1, some of which are longer and have to be scaled."""
    rows, dimensions, rng = sizes.rows, sizes.dimensions, np.random.default_rng(0)
    settings = {"sigma2": _SIGMA2, "learn": _STEPS[0], "unlearn": _STEPS[1], "attested": ATTESTED}
    features = np.empty((rows, dimensions))
    for first in range(0, rows, 65_536):
        block = features[first : first + 65_536]
        block[:] = rng.normal(scale=dimensions**-0.5, size=block.shape)
    ids = np.char.add("rec-", np.arange(rows).astype(str))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.savez(folder / "train.npz", features=features[:10] / 10, labels=np.arange(10) % 2, ids=ids[:10])
        (folder / "deletions.jsonl").write_text(_REQUEST, encoding="utf-8")
        (folder / "audit.toml").write_text(_AUDIT.format(**settings), encoding="utf-8")
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
        asked=Asked({}),
        predicted=Predicted(None, None),
        retrained_predicted=Predicted(None, None),
        probed=None,
        state=None,
        saved=None,
        self_check_difference=0.0,
    )


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Observe and judge, with the memory that it takes.

    Raises:
        AssertionError: If an honest case does not pass.
    """
    case = made(sizes)
    replay, context = honest(case), context_of_case(case, only=deletion.IDS)
    found: dict[str, Finding] = {}

    def judged() -> None:
        found.update(judge_some(context, deletion.observe(case, replay), {"state.stateless": Finding(Status.PASS)}))

    taken = times(judged, repeats=1, warm_up=0)
    if any(found[check_id].status is not Status.PASS for check_id in deletion.IDS):
        raise AssertionError("an honest case does not pass")
    yield taken.figure("certificate")
    yield bytes_of("memory", [peak_memory()])
