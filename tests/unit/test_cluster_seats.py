"""Jobs on the workers of a cluster: who may work, what passes, and what becomes of a job whose worker is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import small_cases
from auditor import case as cases
from auditor.audit.auditing import Options, audit
from auditor.base.errors import ProcedureError, SandboxError, UsageError
from auditor.base.records import Dataset
from auditor.sandbox import Learn, Level, Limits, Parameters, ProcedureSpec, StoppedError, Unlearn, jobs
from auditor.sandbox import cluster as choosing
from auditor.sandbox.cluster import Cluster, WorkersLostError, seats
from auditor.sandbox.cluster.engines import RemoteError
from auditor.sandbox.jobs import Job
from levels import forking
from loopback import Loopback

FAULTY = Path(__file__).parent.parent / "system" / "faulty_procedures.py"
ROWS = np.arange(4)
IDS = np.array(["person-anna", "person-bert", "person-carl", "person-dora"])
TRAIN = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), IDS)
SEED = 278189252447704765151761555871619860438


def job(name: str, kind: str = "Good", *, seed: int = SEED, table: Dataset = TRAIN, level: Level | None = None) -> Job:
    steps = (Learn("a", ROWS, seed), Unlearn("a", "b", ROWS, ROWS[:1], seed), Parameters("b"))
    return Job(name, ProcedureSpec(None, f"{FAULTY}:{kind}"), {"train": table}, steps, Limits(timeout_s=30), level or forking())


def quiet(*_progress: object) -> None:
    """Progress that nobody reads."""


@contextmanager
def cluster(engine: Loopback, **options: Any) -> Iterator[tuple[Cluster, list[str]]]:
    said: list[str] = []
    with Cluster(engine, notice=said.append, **options) as found:
        yield found, said


def bytes_of(results: list[Any]) -> list[list[bytes | None]]:
    return [[None if answer.array is None else answer.array.tobytes() for answer in each] for each in results]


def test_answers_and_progress_are_those_of_one_machine() -> None:
    lot = [job(f"job {number}", seed=number) for number in range(5)]
    told: dict[bool, list[tuple[str, int, int]]] = {False: [], True: []}
    engine = Loopback(3)
    with cluster(engine) as (found, _):
        assert found.seats == 3
        there = jobs.run(lot, workers=found.seats, on_step=lambda *step: told[True].append(step), cluster=found)
    here = jobs.run(lot, workers=2, on_step=lambda *step: told[False].append(step))
    assert bytes_of(there) == bytes_of(here)
    assert [[answer.step for answer in each] for each in there] == [list(each.steps) for each in lot]
    assert sorted(told[True]) == [step for step in sorted(told[False]) if step[1] in {0, 3}]
    assert engine.closed
    assert [name for _, name in engine.called].count("farewell") == 3


def test_a_scheduler_sees_neither_seeds_nor_people_nor_code() -> None:
    engine = Loopback(2)
    with cluster(engine) as (found, _):
        jobs.run([job("job of person-anna"), job("two")], workers=2, on_step=quiet, cluster=found)
    passed = b"\0".join(engine.passed)
    assert len(passed) > 1000
    size = (SEED.bit_length() + 7) // 8
    for secret in (
        str(SEED).encode(),
        f"{SEED:x}".encode(),
        f"{SEED:X}".encode(),
        SEED.to_bytes(size, "big"),
        SEED.to_bytes(size, "little"),
        *(name.encode() for name in IDS.tolist()),
        *(name.encode("utf-32-le") for name in IDS.tolist()),
        b"class Good",
        b"faulty_procedures",
        np.ones((4, 2)).tobytes(),
    ):
        assert secret not in passed


def test_data_go_once_to_each_worker_and_equal_data_once() -> None:
    engine = Loopback(2)
    same = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), IDS.copy())
    with cluster(engine) as (found, _):
        lot = [job(f"{number}", table=same if number % 2 else TRAIN) for number in range(6)]
        jobs.run(lot, workers=2, on_step=quiet, cluster=found)
        jobs.run(lot, workers=2, on_step=quiet, cluster=found)
    sent = [worker for worker, name in engine.called if name == "keep"]
    assert sorted(sent) == sorted(set(sent))


def test_a_worker_lets_go_of_old_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "_MOST_TABLES", 2)
    engine = Loopback(1)
    tables = [Dataset(np.full((4, 2), float(number)), np.array([0, 1, 0, 1]), IDS) for number in range(4)]
    with cluster(engine) as (found, _):
        jobs.run([job("a", table=each) for each in [*tables, tables[3], tables[0]]], workers=1, on_step=quiet, cluster=found)
    names = [name for _, name in engine.called]
    assert (names.count("keep"), names.count("forget")) == (5, 3)


def test_a_lost_workers_job_runs_again_elsewhere() -> None:
    engine = Loopback(2)
    lost: list[str] = []

    def once(worker: str, function: str) -> bool:
        if function == "run" and not lost:
            lost.append(worker)
        return worker in lost

    engine.lost_by = once
    lot = [job(f"job {number}", seed=number) for number in range(4)]
    with cluster(engine) as (found, said):
        there = jobs.run(lot, workers=2, on_step=quiet, cluster=found)
    assert bytes_of(there) == bytes_of(jobs.run(lot, workers=2, on_step=quiet))
    assert len(said) == 1
    assert "runs again on another" in said[0]


def test_a_worker_that_was_replaced_at_its_address_is_a_lost_one() -> None:
    engine = Loopback(1)
    with cluster(engine) as (found, said):
        engine.replace(next(iter(engine.processes())))
        (answers,) = jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)
    assert len(answers) == 3
    assert len(said) == 1


def test_a_job_that_costs_two_workers_ends_the_audit_with_its_name() -> None:
    engine = Loopback(4)
    engine.lost_by = lambda _worker, function: function == "run"
    with cluster(engine) as (found, _), pytest.raises(WorkersLostError, match=r"^the bad one: 2 workers were lost") as raised:
        jobs.run([job("the bad one")], workers=1, on_step=quiet, cluster=found)
    assert raised.value.exit_code == 4
    assert len([1 for _, name in engine.called if name == "run"]) == 2


def test_workers_that_are_lost_before_a_job_begins_are_not_its_doing() -> None:
    engine = Loopback(4)
    engine.lost_by = lambda worker, function: function == "keep" and worker != last
    last = list(engine.processes())[-1]
    with cluster(engine) as (found, said):
        (answers,) = jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)
    assert len(answers) == 3
    assert len(said) == 3


def test_a_worker_forgets_an_auditor_that_was_killed_and_a_living_one_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Loopback(1)
    (module,) = engine._modules.values()
    with cluster(engine) as (found, _):
        jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)
        assert len(module._SESSIONS) == 1
        module.hello()
        assert len(module._SESSIONS) == 1
        monkeypatch.setattr(module, "IDLE_S", -1.0)
        module.hello()
        assert not module._SESSIONS
        monkeypatch.setattr(module, "IDLE_S", 600.0)
        assert len(jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)[0]) == 3


def test_what_a_case_needs_and_a_worker_lacks_ends_the_audit_with_the_host(tmp_path: Path) -> None:
    small_cases.write(tmp_path, *small_cases.problem())
    text = (tmp_path / "audit.toml").read_text(encoding="utf-8")
    (tmp_path / "audit.toml").write_text(text + '\n[sandbox]\nisolation = "strict"\n', encoding="utf-8")
    engine = Loopback(2)
    engine.says = {"level": "no-network", "host": "node-3"}
    with cluster(engine) as (found, _):
        outcome = audit(cases.read(tmp_path), Options(cluster=found, only=("removal.residual",)))
    assert outcome.evidence.audit.exit_code == 4
    assert outcome.evidence.verdict == "inconclusive"
    assert str(outcome.failure).startswith('on node-3: isolation = "strict" asks for a sandbox at level confined')
    assert "run" not in {name for _, name in engine.called}


def test_an_answer_without_the_seal_of_this_audit_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Loopback(1)
    with cluster(engine) as (found, _):
        for module in engine._modules.values():
            monkeypatch.setattr(module, "run", lambda *_parts: b"A made up")
        with pytest.raises(SandboxError, match="what it answered bears no seal of this audit"):
            jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)


def test_when_every_worker_is_gone_the_audit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "_WAIT_FOR_WORKERS_S", 1.0)
    engine = Loopback(1)
    engine.lost_by = lambda _worker, function: function == "run"
    with cluster(engine) as (found, _), pytest.raises(WorkersLostError, match="every worker of the cluster was lost"):
        jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)


def test_workers_that_come_later_are_asked_and_used() -> None:
    engine = Loopback(1)
    lost: list[str] = []

    def first(worker: str, function: str) -> bool:
        if function == "run" and not lost:
            lost.append(worker)
            engine.add()
        return worker in lost

    engine.lost_by = first
    with cluster(engine) as (found, _):
        jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)
    assert len({worker for worker, name in engine.called if name == "hello"}) == 2


def test_workers_that_come_later_with_weaker_barriers_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "_WAIT_FOR_WORKERS_S", 2.0)
    engine = Loopback(1)

    def first(_worker: str, function: str) -> bool:
        if function == "run":
            engine.says = {"level": "none", "host": "weak-host"}
            engine.add()
        return function == "run"

    engine.lost_by = first
    with cluster(engine) as (found, said), pytest.raises(WorkersLostError):
        jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)
    assert any("weak-host" in each and "found level none" in each for each in said)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ({"auditor": "0.0.1"}, r"expected auditor [^,]+, found 0\.0\.1"),
        ({"software": {"source": "0" * 64}}, "expected the same source of auditor"),
        ({"software": {"python": ["CPython", "3.9.0"]}}, r"found CPython 3\.9\.0"),
        ({"places": ["/opt/other", "/opt/other/auditor"]}, "found /opt/other /opt/other/auditor"),
        ({"software": {"libc": ["musl", "1"]}}, "found musl 1"),
        ({"machine": ["Linux", "riscv64", "other"]}, "found Linux riscv64 other"),
        ({"software": {"distributions": []}}, "expected every package that is installed here, in its version"),
        ({"key": "no key"}, "answers otherwise"),
        ({"level": "tall"}, "answers otherwise"),
        ({"machine": None}, "answers otherwise"),
    ],
)
def test_workers_that_differ_are_refused_before_anything_runs(says: dict[str, Any], expected: str) -> None:
    engine = Loopback(2)
    engine.says = {"host": "node-7"} | says
    with pytest.raises(UsageError, match=expected) as raised:
        Cluster(engine)
    assert raised.value.exit_code == 2
    lines = str(raised.value).splitlines()
    assert len(lines) == 2
    assert all("start the workers with the auditor's own environment" in line for line in lines)
    assert {name for _, name in engine.called} == {"hello"}
    assert engine.closed


@pytest.mark.parametrize("said", [b"", b"[]", b"{}", b"null", b"stranger", b"\xff"])
def test_what_is_no_answer_of_a_worker(said: bytes) -> None:
    read, wrong = seats.about(said)
    assert read is None
    assert "answers otherwise" in wrong[0]


def test_workers_without_the_auditor_are_refused() -> None:
    engine = Loopback(1)
    engine.fails = RemoteError("ModuleNotFoundError: No module named 'auditor.sandbox.cluster'")
    with pytest.raises(UsageError, match=r"can import this version of the auditor, found ModuleNotFoundError"):
        Cluster(engine)


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "PATIENCE_S", 0.1)
    with pytest.raises(UsageError, match="expected a cluster with workers, found none"):
        Cluster(Loopback(0))


def test_a_worker_that_goes_away_while_it_is_asked_is_passed_over() -> None:
    for function in ("hello", "introduce"):
        engine = Loopback(2)
        gone: list[str] = []

        def first(worker: str, called: str, function: str = function, gone: list[str] = gone) -> bool:
            if called == function and not gone:
                gone.append(worker)
            return worker in gone

        engine.lost_by = first
        with cluster(engine) as (found, _):
            assert found.seats == 1
            assert len(jobs.run([job("a")], workers=1, on_step=quiet, cluster=found)[0]) == 3


def test_the_weakest_worker_counts_and_is_named() -> None:
    engine = Loopback(2)
    engine.says = {"level": "no-network", "host": "node-3"}
    with cluster(engine) as (found, _):
        assert found.weakest == (Level.NO_NETWORK, "node-3")


def test_a_worker_examines_itself_whatever_the_auditor_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Loopback(1)
    with cluster(engine) as (found, _):
        for module in engine._modules.values():
            monkeypatch.setattr(module, "available", lambda: Level.PROCESS)
        with pytest.raises(SandboxError, match=r"on .+: the audit runs at level confined, found level process there"):
            jobs.run([job("a", level=Level.CONFINED)], workers=1, on_step=quiet, cluster=found)


def test_a_failure_of_the_procedure_is_its_own_and_ends_the_lot() -> None:
    lot = [job("long", "Hanging"), job("bad", "Raising"), job("later")]
    with cluster(Loopback(2)) as (found, _), pytest.raises(ProcedureError, match="it raised ArithmeticError") as raised:
        jobs.run(lot, workers=2, on_step=quiet, cluster=found)
    assert raised.value.stderr_tail


def test_a_job_is_stopped_in_the_middle_of_a_step() -> None:
    stop = threading.Event()
    engine = Loopback(1)
    with cluster(engine) as (found, _):
        threading.Timer(1.5, stop.set).start()
        with pytest.raises(StoppedError):
            found.answers(job("long", "Hanging"), stop=stop)
    assert "stop" in {name for _, name in engine.called}


def test_jobs_at_a_time() -> None:
    with cluster(Loopback(2, seats=2), most=3) as (found, _):
        assert found.seats == 3
    with cluster(Loopback(2, seats=2), most=9) as (found, _):
        assert found.seats == 4


def test_without_an_address_nothing_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    with pytest.raises(UsageError, match=r"give it with --address or in DASK_SCHEDULER_ADDRESS"):
        choosing.opened("dask", None)


def test_an_address_nobody_answers_at(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("127.0.0.1:1", "tcp://127.0.0.1:1", "no such thing://x", "::::"):
        with pytest.raises(UsageError, match=r"--backend dask: expected a cluster at "):
            choosing.opened("dask", address)
