"""Audits on a Ray cluster of several processes of this machine: the same evidence, also where a process is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.base.errors import ProcedureError, UsageError
from auditor.base.records import Dataset
from auditor.sandbox import Learn, Level, Limits, Parameters, ProcedureSpec, StoppedError, Unlearn, jobs
from auditor.sandbox.cluster import Cluster, WorkersLostError, opened
from auditor.sandbox.jobs import Job
from benchmarks.kill_and_resume import timeless
from ray_clusters import ray_cluster

FAULTY = Path(__file__).with_name("faulty_procedures.py")
ROOT = Path(__file__).resolve().parent.parent.parent
ROWS = np.arange(4)
TRAIN = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), np.array(list("abcd")))

pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A head with room for two."""
    with ray_cluster() as found:
        yield found


def job(name: str, kind: str = "Good", *, seed: int = 1) -> Job:
    steps = (Learn("a", ROWS, seed), Unlearn("a", "b", ROWS, ROWS[:1], seed), Parameters("b"))
    return Job(name, ProcedureSpec(None, f"{FAULTY}:{kind}"), {"train": TRAIN}, steps, Limits(timeout_s=60), Level.PROCESS)


def quiet(*_progress: object) -> None:
    """Progress that nobody reads."""


def arrays(results: list[Any]) -> list[bytes]:
    return [answers[2].array.tobytes() for answers in results]


def pids(engine: Any) -> list[int]:
    """The processes of the actors."""
    ray = import_module("ray")
    asked = [actor.__ray_call__.options(concurrency_group="aside") for actor in engine._there.values()]
    return [ray.get(each.remote(lambda _seat: os.getpid())) for each in asked]


def test_answers_are_those_of_one_machine(address: str) -> None:
    lot = [job(f"{number}", seed=number) for number in range(6)]
    with Cluster(opened("ray", address)) as found:
        assert found.seats == 2
        there = jobs.run(lot, workers=2, on_step=quiet, cluster=found)
    assert arrays(there) == arrays(jobs.run(lot, workers=2, on_step=quiet))


def test_no_more_actors_than_jobs_at_a_time(address: str) -> None:
    with Cluster(opened("ray", address, most=1), most=1) as found:
        assert found.seats == 1


def test_a_failure_ends_the_lot_and_a_job_can_be_stopped(address: str) -> None:
    begin = time.monotonic()
    with Cluster(opened("ray", address)) as found:
        with pytest.raises(ProcedureError, match="it raised ArithmeticError"):
            jobs.run([job("long", "Hanging"), job("bad", "Raising"), job("later")], workers=2, on_step=quiet, cluster=found)
        stop = threading.Event()
        threading.Timer(1.0, stop.set).start()
        with pytest.raises(StoppedError):
            found.answers(job("long", "Hanging"), stop=stop)
    assert time.monotonic() - begin < 30


def test_jobs_of_a_killed_worker_run_again_elsewhere(address: str) -> None:
    lot = [job(f"{number}", seed=number) for number in range(12)]
    said: list[str] = []
    engine = opened("ray", address)
    with Cluster(engine, notice=said.append) as found:
        victim = pids(engine)[0]

        def kill_one(name: str, done: int, _total: int) -> None:
            finished.update({name} if done else set())
            if len(finished) == 3 and not killed:
                killed.append(victim)
                os.kill(victim, signal.SIGKILL)

        finished: set[str] = set()
        killed: list[int] = []
        there = jobs.run(lot, workers=2, on_step=kill_one, cluster=found)
    assert killed
    assert arrays(there) == arrays(jobs.run(lot, workers=2, on_step=quiet))


def test_a_job_that_costs_two_workers_ends_with_its_name(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    engine: Any = opened("ray", address, most=1)
    with Cluster(engine, most=1) as found:

        def kill_each() -> None:
            for _ in range(2):
                while not any(process.busy for process in list(found._processes.values())):
                    time.sleep(0.1)
                time.sleep(1)
                (victim,) = pids(engine)
                os.kill(victim, signal.SIGKILL)
                while any(process.busy for process in list(found._processes.values())):
                    time.sleep(0.1)

        thread = threading.Thread(target=kill_each)
        thread.start()
        with pytest.raises(WorkersLostError, match=r"^the bad one: 2 workers were lost"):
            jobs.run([job("the bad one", "Hanging")], workers=1, on_step=quiet, cluster=found)
        thread.join()
    assert capfd.readouterr().out == ""


def _audit(out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "auditor", "check", str(ROOT / "sample_models" / "digits-newton-overrun"), "--out", str(out)]
    return subprocess.run([*command, *options], capture_output=True, text=True, check=False)


def test_the_evidence_of_an_audit_is_the_same_but_for_times(address: str, tmp_path: Path) -> None:
    there = _audit(tmp_path / "there", "--backend", "ray", "--trust-workers", "--address", address)
    here = _audit(tmp_path / "here")
    assert there.returncode == here.returncode == 1, there.stderr
    assert timeless(tmp_path / "there") == timeless(tmp_path / "here")


def test_an_address_nobody_answers_at() -> None:
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1"):
        with pytest.raises(UsageError, match=r"--backend ray: expected a cluster at "):
            opened("ray", address)
