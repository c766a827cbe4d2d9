"""A scheduler, or a peer that is none, attacks the auditor: it runs nothing here, and the audit ends with an error."""

from __future__ import annotations

import logging
import pickle
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client
from distributed.protocol import Serialize

from auditor.base.errors import AuditorError, UsageError
from auditor.base.records import Dataset
from auditor.sandbox import Learn, Level, Limits, ProcedureSpec
from auditor.sandbox.cluster import Cluster, dask_engine, dask_wire, opened, remote, seats
from auditor.sandbox.cluster.engines import RemoteError
from auditor.sandbox.jobs import Job
from hostile_dask import WORKER, Said, answered, peer, scheduler
from unit.test_dask_wire import BYTES, FORMS, Bomb, went_off

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
JOB = Job(
    "a job",
    ProcedureSpec(None, f"{Path(__file__)}:Nothing"),
    {"train": Dataset(np.ones((2, 2)), np.array([0, 1]), np.array(["a", "b"]))},
    (Learn("a", np.arange(2), 1),),
    Limits(timeout_s=10),
    Level.PROCESS,
)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module, name, value in [
        (seats, "PATIENCE_S", 0.2),
        (seats, "_HELLO_S", 1.5),
        (seats, "_WAIT_FOR_WORKERS_S", 1.0),
        (seats, "_MOST_NEVER_RAN", 2),
        (dask_engine, "PATIENCE_S", 2.0),
        (dask_engine, "_ASIDE_S", 1.0),
        (dask_wire, "GREETING_S", 0.3),
    ]:
        monkeypatch.setattr(module, name, value)
    # Dask says at length that it could not read something; where that is the point, the error counts.
    log = logging.getLogger("distributed")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    yield
    log.setLevel(before)


def attacked(**says: Said) -> str:
    """What an audit of a job ends with on such a cluster."""
    begin = time.monotonic()
    with scheduler(**says) as found, pytest.raises(AuditorError) as raised:
        _audit(found.address)
    assert raised.value.exit_code in {2, 4}
    assert time.monotonic() - begin < 30
    return str(raised.value)


def _audit(address: str) -> None:
    with Cluster(opened("dask", address)) as cluster:
        cluster.answers(JOB, stop=threading.Event())


def erred(**more: Any) -> Said:
    return lambda asked: [{"op": "task-erred", "key": key} | more for key in asked["keys"]]


def placed(place: str, held: Any) -> dict[str, Said]:
    """A scheduler that says something where a place is."""
    return {
        "the start": {"start": lambda _asked: [{"op": "stream-start", "warning": held, "error": held}]},
        "the stream": {"task": lambda asked: [held, {"op": "key-in-memory", "key": next(iter(asked["keys"]))}]},
        "the type of a result": {
            "task": lambda asked: [{"op": "key-in-memory", "key": key, "type": held} for key in asked["keys"]]
        },
        "an exception": {"task": erred(exception=held, traceback=None)},
        "a traceback": {"task": erred(exception="odd", traceback=held)},
        "an event": {
            "task": lambda asked: [
                {"op": "event", "topic": "warn", "event": (1.0, {"message": held, "category": held})},
                {"op": "event", "topic": "print", "event": (1.0, {"args": (held,), "file": 1})},
                {"op": "error", "exception": held},
                {"op": "key-in-memory", "key": next(iter(asked["keys"]))},
            ]
        },
        "an error of the stream": {"task": lambda _asked: [{"op": "x", "status": "error", "exception": held, "traceback": held}]},
        "the workers": {"ncores": lambda _asked: held},
        "the threads of a worker": {"ncores": lambda _asked: {WORKER: held}},
        "an uncaught error": {"ncores": lambda _asked: {"status": "uncaught-error", "exception": held, "traceback": held}},
        "what a function returned": {"broadcast": lambda _asked: {WORKER: {"status": "OK", "result": held}}},
        "the failure of a function": {
            "broadcast": lambda _asked: {WORKER: {"status": "error", "exception": held, "traceback": held}}
        },
        "the failure of a call": {"broadcast": lambda _asked: {WORKER: held}},
        "what hello returned": {"gather_hello": lambda asked: {"status": "OK", "data": dict.fromkeys(asked["keys"], held)}},
        "what introduce returned": {"gather_introduce": lambda asked: answered(asked, held)},
        "what a job returned": {"gather_run": lambda asked: {"status": "OK", "data": dict.fromkeys(asked["keys"], held)}},
        "the data": {"gather_run": lambda _asked: {"status": "OK", "data": held}},
        "the reply to gather": {"gather_run": lambda _asked: held},
    }[place]


PLACES = (
    "the start", "the stream", "the type of a result", "an exception", "a traceback", "an event", "an error of the stream",
    "the workers", "the threads of a worker", "an uncaught error", "what a function returned", "the failure of a function",
    "the failure of a call", "what hello returned", "what introduce returned", "what a job returned", "the data",
    "the reply to gather",
)  # fmt: skip
SENT = {"marked as pickled": FORMS["marked as pickled"], "serialized by pickle": FORMS["serialized by pickle"], **BYTES}


@pytest.mark.attempt("a hostile scheduler or peer")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", ["marked as pickled", "serialized by pickle", "a pickle of protocol 5"])
def test_a_scheduler_that_sends_a_pickle_runs_nothing_here(
    place: str, form: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    said = attacked(**placed(place, SENT[form](Bomb(tmp_path))))
    assert not went_off(tmp_path)
    assert said
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("form", ["marked as pickled", "serialized by pickle"])
def test_dasks_own_client_runs_what_such_a_scheduler_sends(form: str, tmp_path: Path) -> None:
    held = SENT[form](Bomb(tmp_path))
    with scheduler(ncores=lambda _asked: held) as found, Client(found.address, timeout=5, set_as_default=False) as client:
        with suppress(Exception):
            client.nthreads()
        assert went_off(tmp_path)


def test_the_errors_say_what_was_not_read(tmp_path: Path) -> None:
    held = SENT["serialized by pickle"](Bomb(tmp_path))
    assert "expected bytes, found a value of another type, which was not read" in attacked(**placed("what a job returned", held))
    assert "an error that came without a text" in attacked(**placed("an exception", held))
    assert "expected a cluster with workers, found none" in attacked(**placed("the workers", held))


@pytest.mark.attempt("a hostile scheduler or peer")
def test_a_text_for_the_terminal_stays_a_text() -> None:
    said = attacked(
        broadcast=lambda _asked: {WORKER: {"status": "error", "exception_text": "\x1b]0;x\x07\x1b[2Jgone", "exception": b""}}
    )
    assert "[2Jgone" in said
    assert "\x1b" not in said
    assert "\x07" not in said


@pytest.mark.attempt("a hostile scheduler or peer")
@pytest.mark.parametrize(
    "workers",
    [
        None, 7, "tcp://a:1", (), ("tcp://a:1",), {WORKER: 0}, {WORKER: -1}, {WORKER: True}, {WORKER: 1.5}, {WORKER: "1"},
        {"tcp://\x1b[2J:1": 1}, {"a" * 301: 1}, {f"tcp://a:{number}": 1 for number in range(10_001)},
    ],
)  # fmt: skip
def test_workers_that_are_none(workers: Any) -> None:
    assert "expected a cluster with workers, found none" in attacked(ncores=lambda _asked: workers)


@pytest.mark.attempt("a hostile scheduler or peer")
def test_a_worker_has_no_million_threads() -> None:
    assert dask_engine._counted({WORKER: 10**6}) == {WORKER: 1024}


@pytest.mark.attempt("a hostile scheduler or peer")
@pytest.mark.parametrize(
    "answer",
    [
        b"", b"\x80\x05N.", b"[" * 100_000, b'{"host": 1' * 1000, b"null", remote.DONE, remote.STRANGER,
        b"\0failed\0\xff\x1b[2J", b"9" * 5000,
    ],
)  # fmt: skip
def test_answers_to_hello_that_are_none(answer: bytes) -> None:
    said = attacked(gather_hello=lambda asked: answered(asked, answer))
    assert f"the worker {WORKER}: expected " in said
    assert "\x1b" not in said


@pytest.mark.attempt("a hostile scheduler or peer")
def test_a_worker_that_forgets_every_audit_does_not_keep_it_for_ever() -> None:
    assert "2 workers went away before it began on them" in attacked()


@pytest.mark.attempt("a hostile scheduler or peer")
@pytest.mark.parametrize("answer", [b"", b"A", b"x" * 100, b"\x80\x05N."])
def test_answers_to_a_job_that_bear_no_seal(answer: bytes) -> None:
    assert "bears no seal of this audit" in attacked(gather_run=lambda asked: answered(asked, answer))


@pytest.mark.attempt("a hostile scheduler or peer")
@pytest.mark.parametrize("operation", ["ncores", "gather_hello", "task", "start"])  # a job takes as long as it takes
def test_a_scheduler_that_falls_silent(operation: str) -> None:
    attacked(**{operation: lambda _asked: None})


@pytest.mark.attempt("a hostile scheduler or peer")
def test_a_worker_that_never_says_whether_it_can_import_is_named() -> None:
    said = attacked(broadcast=lambda _asked: None)
    assert f"the worker {WORKER}: expected " in said
    assert "found no answer in time" in said


@pytest.mark.attempt("a hostile scheduler or peer")
def test_a_worker_that_never_takes_what_it_is_sent_is_not_waited_for() -> None:
    with scheduler(update_data=lambda _asked: None) as worker:
        imports = {worker.address: {"status": "OK", "result": Serialize(b"source")}}
        silent: dict[str, Said] = {"ncores": lambda _asked: {worker.address: 1}, "broadcast": lambda _asked: imports}
        with scheduler(**silent, scatter=lambda _asked: None) as found:
            engine = opened("dask", found.address)
            begin = time.monotonic()
            with pytest.raises(RemoteError, match="no answer in time"):
                engine.call(worker.address, remote.keep, "audit", "table", bytes(1 << 20))
            assert 5 < time.monotonic() - begin < 12  # two seconds and one for the MiB, straight and through the scheduler
            engine.close()
        assert "update_data" in worker.heard
        assert "scatter" in found.heard


@pytest.mark.attempt("a hostile scheduler or peer")
@pytest.mark.parametrize("operation", ["ncores", "broadcast", "gather_hello", "gather_run", "task", "start"])
def test_a_scheduler_that_says_close(operation: str) -> None:
    attacked(**{operation: lambda _asked: [{"op": "close"}]})


PEERS: dict[str, tuple[bytes, ...]] = {
    "nobody speaks": (),
    "HTTP": (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",),
    "SSH": (b"SSH-2.0-OpenSSH_9.6p1 Debian-1\r\n",),
    "TLS": (b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76" + bytes(200),),
    "garbage": (bytes(range(256)) * 64,),
    "zeros": (bytes(1 << 16),),
    "a length bomb": (struct.pack("=Q", 2**64 - 1),),
    "a terabyte": (struct.pack("=Q", 1 << 40), bytes(1 << 20)),
    "frames without end": (struct.pack("=2Q", 8, 2**60),),
    "a frame of a terabyte": (struct.pack("=3Q", 16, 1, 1 << 40),),
    "half a message": (struct.pack("=3Q", 16, 1, 100) + bytes(50),),
    "a list": (struct.pack("=3Q", 17, 1, 1) + b"\x90",),
    "a text": (struct.pack("=3Q", 18, 1, 2) + b"\xa1a",),
    "an empty greeting": (struct.pack("=3Q", 17, 1, 1) + b"\x80",),
    "one greeting twice": ((struct.pack("=3Q", 17, 1, 1) + b"\x80") * 2,),
    "nothing by Dask's words": (struct.pack("=2Q", 8, 0),),
    "a pickle": (pickle.dumps(Bomb(Path("/nowhere"))),),
}


@pytest.mark.attempt("a hostile scheduler or peer")
@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("ends", [False, True])
def test_a_peer_that_is_no_dask_is_bad_usage(name: str, ends: bool) -> None:
    begin = time.monotonic()
    expected = "--backend dask: expected a cluster at 127"
    with peer(*PEERS[name], ends=ends) as address, pytest.raises(UsageError, match=expected):
        opened("dask", address)
    assert time.monotonic() - begin < 15
