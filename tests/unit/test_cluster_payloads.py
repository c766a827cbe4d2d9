"""What crosses to a worker and back: the same job, the same answers, and types of ours alone."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.cluster import payloads
from auditor.cluster.sealing import BrokenSealError, Letterbox, Seal, put
from auditor.domain import Code, CodeFile
from auditor.errors import AuditorError, ProcedureError, SandboxError
from auditor.histories import Move, Output
from auditor.mixed_columns import Column, Kind
from auditor.runs.address import Describer
from auditor.sandbox import Activate, Guess, Level, Limits, Play, PredictRows, ProcedureSpec, Step, StoppedError
from auditor.sandbox.devices import NoDeviceError
from kept_runs import answers, job, steps, table

MORE: tuple[Step, ...] = (
    Play((0, 1), (2**70, 3), (4, 5), 2, 1),
    Guess(np.zeros((2, 3))),
    Activate(((7, (Move("a", "insert", "x"), Move(Output(0), "delete", Output(1)))),), 3.0),
    PredictRows("b", np.ones((2, 2)), 2),
)


def test_a_job_is_the_same_on_the_other_side() -> None:
    code = Code((CodeFile("a.py", b"class A: pass"),), (CodeFile("weights.bin", os.urandom(9)),))
    spec = ProcedureSpec(None, "/case/a.py:A", {"rate": 0.1, "names": ["x", None, True]}, code=code)
    sent = job(spec=spec, steps=(*steps(), *MORE), level=Level.CONFINED, limits=Limits(timeout_s=3.0))
    read = payloads.job_read(payloads.job_written(sent, {"train": "0123"}))
    for name in ("spec", "steps", "limits", "level", "device"):
        assert Describer().to_bytes(getattr(read, name)) == Describer().to_bytes(getattr(sent, name))
    assert read.tables == {"train": "0123"}


def test_a_table_is_the_same_but_for_the_weights_of_the_game() -> None:
    columns = (Column("a", Kind.NUMBER, -1.0), Column("b", Kind.TEXT, -2.0, ("x", "y")))
    sent = table(table=columns, weights=np.arange(4.0), sensitivity=np.arange(4.0), features=np.asfortranarray(np.eye(4)))
    arrays, found = payloads.table_read(payloads.table_written(sent))
    assert found == columns
    assert set(arrays) == {"features", "labels", "ids", "weights"}
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, getattr(sent, name))
        assert array.dtype == getattr(sent, name).dtype
    assert arrays["features"].flags.f_contiguous


def test_answers_come_back_as_they_were() -> None:
    asked = steps()
    read = payloads.reply_read(payloads.answers_written(answers(asked)), asked)
    assert [answer.seconds for answer in read] == [answer.seconds for answer in answers(asked)]
    assert [answer.facts for answer in read] == [dict(answer.facts) for answer in answers(asked)]


class _Evil:
    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self._path),)


def test_a_worker_reads_no_type_but_ours(tmp_path: Path) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(pickle.UnpicklingError, match=r"may not hold posix\.mkdir|may not hold"):
            payloads.job_read(pickle.dumps([_Evil(tmp_path / "x")], protocol=protocol))
    for name in (b"cos\nsystem\n.", b"cbuiltins\neval\n.", b"cnumpy.f2py.diagnose\nrun\n.", b"cnumpy\nload\n."):
        with pytest.raises(pickle.UnpicklingError, match="may not hold"):
            payloads.job_read(name)
    assert not (tmp_path / "x").exists()


def test_arrays_of_objects_are_read_by_the_same_rules(tmp_path: Path) -> None:
    array = np.array([_Evil(tmp_path / "x"), 1], dtype=object)
    with pytest.raises(pickle.UnpicklingError, match="may not hold"):
        payloads.table_read(pickle.dumps([array, array, array, None, None], protocol=5))
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("held", [object(), Path("/"), {1, 2}.union, np.array([object()], dtype=object), print])
def test_what_may_not_cross_is_refused_before_it_is_sent(held: object) -> None:
    spec = ProcedureSpec("certified-removal", None, {"x": held})
    with pytest.raises(TypeError, match=r"may not hold|must hold numbers"):
        payloads.job_written(job(spec=spec), {})


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (ProcedureError("learn: it raised", stderr_tail="last line"), ProcedureError, "learn: it raised"),
        (SandboxError("no room"), SandboxError, "on host-7: no room"),
        (NoDeviceError("no driver"), NoDeviceError, "on host-7: no driver"),
        (StoppedError(), StoppedError, ""),
        (ValueError("no such table"), ValueError, "no such table"),
        (AuditorError("odd"), SandboxError, "on host-7: odd"),
        (ZeroDivisionError("a fault of ours"), SandboxError, "on host-7: ZeroDivisionError: a fault of ours"),
    ],
)
def test_failures_keep_their_kind_and_say_where(error: Exception, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind) as found:
        payloads.reply_read(payloads.failure_written(error, "host-7"), ())
    assert said in str(found.value)
    if isinstance(error, ProcedureError):
        assert isinstance(found.value, ProcedureError)
        assert found.value.stderr_tail == "last line"


def test_a_seal_holds_for_its_key_and_purpose_alone() -> None:
    seal = Seal(os.urandom(32))
    closed = seal.close(b"content", b"job 1")
    assert seal.open(closed, b"job 1") == b"content"
    assert b"content" not in closed
    broken = bytes([closed[0] ^ 1]) + closed[1:]
    for key, sealed, purpose in [
        (seal, closed, b"job 2"),
        (Seal(os.urandom(32)), closed, b"job 1"),
        (seal, broken, b"job 1"),
        (seal, closed[:-1], b"job 1"),
        (seal, b"", b"job 1"),
        (seal, b"stranger", b"job 1"),
    ]:
        with pytest.raises(BrokenSealError):
            key.open(sealed, purpose)


def test_what_is_put_in_a_letterbox_its_owner_alone_takes_out() -> None:
    one, other = Letterbox(), Letterbox()
    sealed = put(b"key" * 10, one.public)
    assert one.take(sealed) == b"key" * 10
    assert b"keykey" not in sealed
    for box, content in [(other, sealed), (one, sealed[:40]), (one, b""), (one, bytes(32) + sealed[32:])]:
        with pytest.raises(BrokenSealError):
            box.take(content)
    with pytest.raises(BrokenSealError):
        put(b"key", b"short")
