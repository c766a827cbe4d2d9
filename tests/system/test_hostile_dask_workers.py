"""A worker of a real Dask cluster attacks the auditor: nothing of it runs here, and the audit ends or goes on elsewhere."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from distributed import Client

from auditor.base.errors import AuditorError
from auditor.base.records import Dataset
from auditor.sandbox import Learn, Level, Limits, Parameters, ProcedureSpec, jobs
from auditor.sandbox.cluster import Cluster, opened, remote
from auditor.sandbox.jobs import Job
from dask_clusters import dask_cluster

FAULTY = Path(__file__).with_name("faulty_procedures.py")
ROWS = np.arange(4)
TRAIN = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), np.array(list("abcd")))
PRELOAD = "auditor_hostile_worker.py"

# Dask leaves sockets to the collector of garbage.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.xdist_group("dask"),
]


def job(name: str) -> Job:
    spec = ProcedureSpec(None, f"{FAULTY}:Good")
    return Job(name, spec, {"train": TRAIN}, (Learn("a", ROWS, 1), Parameters("a")), Limits(timeout_s=60), Level.PROCESS)


def hostile(kind: str, folder: Path) -> dict[str, str]:
    """The environment of a worker that is hostile in one way."""
    preload = folder / PRELOAD
    preload.write_text(Path(__file__).with_name("hostile_worker.py").read_text(encoding="utf-8"), encoding="utf-8")
    return {"HOSTILE": f"{kind}|{folder}", "DASK_DISTRIBUTED__WORKER__PRELOAD": str(preload)}


@pytest.mark.attempt("a hostile worker in a cluster")
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("value hello", "which was not read"),
        ("exception hello", "expected one that can import this version of the auditor"),
        ("cause hello", "ValueError: odd|ValueError\\('odd'\\)|without a text"),
        ("value introduce", "which was not read"),
        ("exception introduce", "found "),
        ("value keep", "which was not read"),
        ("value run", "which was not read"),
        ("nested run", "which was not read"),
        ("bytes run", "which was not read"),
        ("exception run", "the worker .* failed: "),
        ("cause run", "the worker .* failed: "),
        ("group run", "the worker .* failed: "),
        ("text run", "the worker .* failed: [^\x1b\x07]*$"),
        ("events run", "which was not read"),
        ("large run", "bears no seal of this audit"),
    ],
)
def test_a_hostile_worker_runs_nothing_here(kind: str, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with dask_cluster(tmp_path, workers=0) as dask:
        dask.add(env=hostile(kind, tmp_path))
        dask.wait()
        with pytest.raises(AuditorError, match=said) as raised:
            _audited(dask.address)
    assert raised.value.exit_code in {2, 4}
    assert not (tmp_path / str(os.getpid())).exists()
    assert capfd.readouterr().out == ""


def _audited(address: str) -> None:
    with Cluster(opened("dask", address)) as found:
        jobs.run([job("a job")], workers=1, on_step=lambda *_step: None, cluster=found)


@pytest.mark.parametrize("kind", ["value hello", "exception hello"])
def test_dasks_own_client_runs_the_same_workers(kind: str, tmp_path: Path) -> None:
    with dask_cluster(tmp_path, workers=0) as dask:
        dask.add(env=hostile(kind, tmp_path))
        dask.wait()
        with Client(dask.address, set_as_default=False) as client:
            task = client.submit(remote.call, "hello", pure=False)
            with suppress(Exception):
                task.result(60)
    assert (tmp_path / str(os.getpid())).exists()


@pytest.mark.attempt("a hostile worker in a cluster")
def test_a_job_of_a_worker_that_ends_itself_runs_elsewhere(tmp_path: Path) -> None:
    said: list[str] = []
    with dask_cluster(tmp_path, workers=1) as dask:
        dask.add(env=hostile("exit run", tmp_path))
        dask.wait()
        with Cluster(opened("dask", dask.address), notice=said.append) as found:
            lot = [job(f"{number}") for number in range(3)]
            there = jobs.run(lot, workers=2, on_step=lambda *_step: None, cluster=found)
    assert len(there) == 3
    assert len(said) == 1
    assert "runs again on another" in said[0]
