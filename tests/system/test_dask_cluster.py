"""Audits on a Dask cluster of several processes of this machine: the same evidence, and nothing a scheduler should not see."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from dask import config as dask_config
from distributed import Client

import small_cases
from auditor.api import check
from auditor.base.errors import ProcedureError, UsageError
from auditor.base.records import Dataset
from auditor.cli import run
from auditor.sandbox import Learn, Level, Limits, Parameters, ProcedureSpec, StoppedError, Unlearn, jobs
from auditor.sandbox.cluster import Cluster, WorkersLostError, opened
from auditor.sandbox.jobs import Job
from benchmarks.kill_and_resume import timeless
from dask_clusters import DaskCluster, dask_cluster
from levels import forking

FAULTY = Path(__file__).with_name("faulty_procedures.py")
OVERRUN = Path(__file__).resolve().parent.parent.parent / "sample_models" / "digits-newton-overrun"
ROWS = np.arange(4)
TRAIN = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), np.array(["person-anna", "person-bert", "person-carl", "person-dora"]))
SEED = 278189252447704765151761555871619860438

# Dask leaves sockets to the collector of garbage.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.xdist_group("dask"),
]


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A scheduler and two workers."""
    with dask_cluster(tmp_path_factory.mktemp("dask")) as found:
        yield found


def job(name: str, kind: str = "Good", *, seed: int = SEED, table: Dataset = TRAIN) -> Job:
    steps = (Learn("a", ROWS, seed), Unlearn("a", "b", ROWS, ROWS[:1], seed), Parameters("b"))
    return Job(name, ProcedureSpec(None, f"{FAULTY}:{kind}"), {"train": table}, steps, Limits(timeout_s=60), forking())


def quiet(*_progress: object) -> None:
    """Progress that nobody reads."""


def arrays(results: list[Any]) -> list[bytes]:
    return [answers[2].array.tobytes() for answers in results]


def test_answers_are_those_of_one_machine_and_large_data_go_straight(dask: DaskCluster) -> None:
    large = Dataset(np.random.default_rng(1).normal(size=(20_000, 8)), np.arange(20_000) % 2, np.arange(20_000).astype(str))
    lot = [job(f"{number}", seed=number, table=large if number % 2 else TRAIN) for number in range(6)]
    with Cluster(opened("dask", dask.address)) as found:
        assert found.seats == 2
        there = jobs.run(lot, workers=2, on_step=quiet, cluster=found)
    assert arrays(there) == arrays(jobs.run(lot, workers=2, on_step=quiet))


# As text: the scheduler's process knows no module of the tests.
EVERYTHING_KNOWN = """
def everything_known(dask_scheduler):
    import cloudpickle
    parts = [str(dask_scheduler.tasks), str(dask_scheduler.transition_log)]
    for task in dask_scheduler.tasks.values():
        parts += [repr(task), str(task.run_spec), cloudpickle.dumps(task.run_spec).decode("latin-1")]
    return "|".join(parts).encode("latin-1", "replace")
"""


def test_the_scheduler_never_sees_the_seed(dask: DaskCluster) -> None:
    with Cluster(opened("dask", dask.address)) as found:
        stop = threading.Event()
        thread = threading.Thread(target=lambda: _stopped(found, job("long", "Hanging"), stop))
        thread.start()
        time.sleep(1.5)
        code: dict[str, Any] = {"__name__": "__main__"}
        exec(EVERYTHING_KNOWN, code)
        with Client(dask.address, set_as_default=False) as looking:
            known = looking.run_on_scheduler(code["everything_known"])
        stop.set()
        thread.join()
    assert b"auditor-run" in known
    size = (SEED.bit_length() + 7) // 8
    for secret in (str(SEED).encode(), f"{SEED:x}".encode(), SEED.to_bytes(size, "big"), SEED.to_bytes(size, "little")):
        assert secret not in known
    assert b"person-anna" not in known
    assert b"class Good" not in known


def _stopped(found: Cluster, asked: Job, stop: threading.Event) -> None:
    with pytest.raises(StoppedError):
        found.answers(asked, stop=stop)


def test_a_failure_ends_the_lot_and_the_workers_stay(dask: DaskCluster) -> None:
    begin = time.monotonic()
    with Cluster(opened("dask", dask.address)) as found:
        with pytest.raises(ProcedureError, match="it raised ArithmeticError"):
            jobs.run([job("long", "Hanging"), job("bad", "Raising"), job("later")], workers=2, on_step=quiet, cluster=found)
        jobs.run([job("fine"), job("fine too")], workers=2, on_step=quiet, cluster=found)
    assert time.monotonic() - begin < 25


def test_jobs_of_a_killed_worker_run_again_elsewhere(tmp_path: Path) -> None:
    lot = [job(f"{number}", seed=number) for number in range(12)]
    said: list[str] = []
    with dask_cluster(tmp_path) as dask, Cluster(opened("dask", dask.address), notice=said.append) as found:

        def kill_one(_name: str, _done: int, _total: int) -> None:
            if dask.workers[0].poll() is None and len(finished) >= 3:
                dask.workers[0].kill()
            finished.append(_name)

        finished: list[str] = []
        there = jobs.run(lot, workers=2, on_step=kill_one, cluster=found)
        assert dask.workers[0].wait() == -signal.SIGKILL
    assert arrays(there) == arrays(jobs.run(lot, workers=2, on_step=quiet))


KILLS = """
import os, signal, time

class Kills:
    def learn(self, data, seed):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)

    def unlearn(self, model, data, forget, seed):
        return model

    def predict(self, model, features):
        return [[1.0]] * len(features)
"""


def test_a_procedure_that_kills_its_worker_gets_no_third_one(tmp_path: Path) -> None:
    (tmp_path / "kills.py").write_text(KILLS, encoding="utf-8")
    spec = ProcedureSpec(None, f"{tmp_path / 'kills.py'}:Kills")
    bad = Job("the bad one", spec, {"train": TRAIN}, (Learn("a", ROWS, 1),), Limits(timeout_s=60), Level.PROCESS)
    with dask_cluster(tmp_path, workers=3) as dask:
        with (
            Cluster(opened("dask", dask.address)) as found,
            pytest.raises(WorkersLostError, match=r"^the bad one: 2 workers were lost") as raised,
        ):
            jobs.run([bad], workers=1, on_step=quiet, cluster=found)
        assert raised.value.exit_code == 4
        assert sorted(worker.poll() is None for worker in dask.workers) == [False, False, True]


@pytest.mark.slow
def test_workers_and_auditors_that_are_killed_change_no_evidence(tmp_path: Path) -> None:
    workers, auditors, _ = import_module("benchmarks.cluster_kills").kills(tmp_path, 3, 7)
    assert (workers, auditors) == (3, 3)


def test_workers_with_another_auditor_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other" / "auditor"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("__version__ = '0.0.1'\n")
    with dask_cluster(tmp_path, workers=0) as dask:
        worker = dask.add(env={"PYTHONPATH": str(other.parent)})
        dask.wait()
        with pytest.raises(UsageError, match=r"the worker tcp://.*can import this version of the auditor"):
            Cluster(opened("dask", dask.address))
        assert worker.poll() is None


def _audit(case: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "auditor", "check", str(case), "--out", str(out)]
    return subprocess.run([*command, *options], capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("unprinted")
def test_the_evidence_of_an_audit_is_the_same_but_for_times(
    dask: DaskCluster, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "case"
    case.mkdir()
    small_cases.write(case, *small_cases.problem())
    there = run(["check", str(case), "--out", str(tmp_path / "there"), "--backend", "dask", "--address", dask.address])
    said = capfd.readouterr().err
    here = run(["check", str(case), "--out", str(tmp_path / "here")])
    assert there == here == 3, said
    assert "2 workers of the cluster" in said
    assert timeless(tmp_path / "there") == timeless(tmp_path / "here")


@pytest.mark.slow
def test_from_python_it_is_the_same_audit(dask: DaskCluster, tmp_path: Path) -> None:
    """Faster, with a cluster in this process: tests/unit/test_api_options.py."""
    small_cases.write(tmp_path, *small_cases.problem())
    asked = {"only": "release.exact,log.consistency", "runs": f"memory://{tmp_path.name}"}
    there = check(tmp_path, backend="dask", address=dask.address, **asked)
    here = check(tmp_path, **asked)
    assert [each.status for each in there.checks] == [each.status for each in here.checks]
    assert (there.taken, "replay" in here.taken) == ((), True)


def test_an_address_nobody_answers_at_is_bad_usage(tmp_path: Path) -> None:
    found = _audit(OVERRUN, tmp_path, "--backend", "dask", "--address", "127.0.0.1:1")
    assert found.returncode == 2
    assert "expected a cluster at 127.0.0.1:1" in found.stderr
    assert not (tmp_path / "evidence.json").exists()


def _certificate(folder: Path) -> Path:
    """A key and a certificate for it that vouches for itself, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "auditor-test")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 7, now - timedelta(days=1), now + timedelta(days=1))
    signed = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "tls.pem").write_bytes(private + signed.public_bytes(Encoding.PEM))
    return folder / "tls.pem"


@pytest.mark.slow
def test_a_cluster_behind_tls_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections that are read here are encrypted as Dask's own are. Faster, in the clear: the other tests of this file."""
    pem = str(_certificate(tmp_path))
    files = {f"{who}.{what}": pem for who in ("scheduler", "worker", "client") for what in ("key", "cert")} | {"ca-file": pem}
    for name, value in files.items():
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{name.replace('.', '__').replace('-', '_').upper()}", value)
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION", "True")
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__DEFAULT_SCHEME", "tls")
    config = {f"distributed.comm.tls.{name}": value for name, value in files.items()}
    with dask_config.set(config | {"distributed.comm.require-encryption": True}), dask_cluster(tmp_path, workers=1) as dask:
        assert dask.address.startswith("tls://")
        with Cluster(opened("dask", dask.address)) as found:
            (there,) = jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)
        with pytest.raises(UsageError, match="--backend dask: expected a cluster at"):
            opened("dask", dask.address.replace("tls://", "tcp://"))
    (here,) = jobs.run([job("a")], workers=1, on_step=quiet)
    assert there[2].array is not None
    assert here[2].array is not None
    assert there[2].array.tobytes() == here[2].array.tobytes()
