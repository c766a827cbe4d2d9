"""What crosses to a worker and back: the same job, the same answers, and types of ours alone."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import os
import pickle
import random
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from auditor.base.domain import Code, CodeFile
from auditor.base.errors import AuditorError, ProcedureError, SandboxError
from auditor.base.histories import Move, Output
from auditor.base.mixed_columns import Column, Kind
from auditor.sandbox import Activate, Guess, Level, Limits, Parameters, Play, PredictRows, ProcedureSpec, Step, StoppedError
from auditor.sandbox.cluster import payloads
from auditor.sandbox.cluster.payloads import BrokenSealError, Letterbox, Seal, put
from auditor.sandbox.devices import NoDeviceError
from auditor.sandbox.runs.circumstances import Describer
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


@pytest.mark.attempt("replies of workers")
def test_a_worker_reads_no_type_but_ours(tmp_path: Path) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(pickle.UnpicklingError, match=r"may not hold posix\.mkdir|may not hold"):
            payloads.job_read(pickle.dumps([_Evil(tmp_path / "x")], protocol=protocol))
    for name in (b"cos\nsystem\n.", b"cbuiltins\neval\n.", b"cnumpy.f2py.diagnose\nrun\n.", b"cnumpy\nload\n."):
        with pytest.raises(pickle.UnpicklingError, match="may not hold"):
            payloads.job_read(name)
    assert not (tmp_path / "x").exists()


@pytest.mark.attempt("replies of workers")
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


ALICE = bytes.fromhex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
BOB = X25519PrivateKey.from_private_bytes(bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
"""The sender's public key and the receiver's private one of RFC 7748, section 6.1."""
SHARED = bytes.fromhex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
"""What these two share, by the same section."""
BETWEEN = bytes.fromhex("336caec86834c9739eba5882f9cad2191934b31e7cf69e421b31192c026120e8")
"""HKDF-SHA-256 of it without salt, for `auditor.cluster/1`, the sender and the receiver."""
UNREAD = bytes([*bytes(31), 0x80])
"""The one bit that X25519 reads of no public key (RFC 7748, section 5): what two share does not depend on it."""


def of_bob() -> Letterbox:
    box = Letterbox()
    box._private, box.public = BOB, BOB.public_key().public_bytes_raw()
    return box


def spelt_otherwise(public: bytes) -> bytes:
    """Another public key with which everybody shares the same."""
    return bytes(one ^ other for one, other in zip(public, UNREAD, strict=True))


def between(shared: bytes, sender: bytes, receiver: bytes) -> bytes:
    """HKDF by hand (RFC 5869): extract with 32 zeros for no salt, expand to one block."""
    extracted = hmac.new(bytes(32), shared, hashlib.sha256).digest()
    return hmac.new(extracted, b"auditor.cluster/1" + sender + receiver + b"\x01", hashlib.sha256).digest()


def sealed_by_hand(content: bytes, key: bytes) -> bytes:
    nonce = bytes(range(12))
    return ALICE + nonce + ChaCha20Poly1305(key).encrypt(nonce, content, b"key")


def test_what_is_sealed_by_hand_for_the_two_public_keys_is_taken_out() -> None:
    box = of_bob()
    assert BOB.exchange(X25519PublicKey.from_public_bytes(ALICE)) == SHARED
    assert between(SHARED, ALICE, box.public) == BETWEEN
    assert box.take(sealed_by_hand(b"a key of the audit", BETWEEN)) == b"a key of the audit"


@pytest.mark.attempt("replies of workers")
@pytest.mark.parametrize(
    ("sender", "receiver"),
    [(b"", b"receiver"), (b"sender", b""), (b"", b""), (b"receiver", b"sender")],
    ids=["without the sender", "without the receiver", "with neither", "the wrong way round"],
)
def test_a_key_that_leaves_out_a_public_key_opens_nothing(sender: bytes, receiver: bytes) -> None:
    box = of_bob()
    names = {b"sender": ALICE, b"receiver": box.public, b"": b""}
    with pytest.raises(BrokenSealError):
        box.take(sealed_by_hand(b"a key of the audit", between(SHARED, names[sender], names[receiver])))


def test_what_is_put_in_is_sealed_with_the_key_of_both() -> None:
    public = BOB.public_key().public_bytes_raw()
    sealed = put(b"a key of the audit", public)
    shared = BOB.exchange(X25519PublicKey.from_public_bytes(sealed[:32]))
    key = between(shared, sealed[:32], public)
    assert ChaCha20Poly1305(key).decrypt(sealed[32:44], sealed[44:], b"key") == b"a key of the audit"


def test_either_public_key_counts_though_the_shared_secret_does_not_change_with_it() -> None:
    box = of_bob()
    other = spelt_otherwise(ALICE)
    assert BOB.exchange(X25519PublicKey.from_public_bytes(other)) == SHARED
    with pytest.raises(BrokenSealError):
        box.take(other + sealed_by_hand(b"a key of the audit", BETWEEN)[32:])
    with pytest.raises(BrokenSealError):
        box.take(put(b"a key of the audit", spelt_otherwise(box.public)))


def npz(compressed: bool = False, **arrays: Any) -> bytes:
    buffer = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(buffer, **arrays)
    return buffer.getvalue()


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return buffer.getvalue()


def listed(told: Any) -> Any:
    return np.frombuffer(told if isinstance(told, bytes) else json.dumps(told).encode(), dtype=np.uint8)


def npy_head(descr: str, shape: str) -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (117 - len(text)) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


PLAIN = {"seconds": 0.5, "facts": {}, "supported": True, "parts": []}
GOOD = listed([PLAIN])


def overlapping() -> bytes:
    """One member that the list of contents names a hundred times."""
    whole = zipped(a=npy_head("'|u1'", "(1000,)") + bytes(1000))
    start, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    entry, tail = whole[start:end], bytearray(whole[end:])
    tail[8:12] = struct.pack("<2H", 100, 100)
    tail[12:16] = struct.pack("<I", 100 * len(entry))
    return whole[:start] + 100 * entry + bytes(tail)


BROKEN_ANSWERS: dict[str, Callable[[_Evil], bytes]] = {
    "nothing": lambda _evil: b"A",
    "garbage": lambda _evil: b"A" + bytes(range(256)),
    "a pickle": lambda evil: b"A" + pickle.dumps(evil),
    "a pickle in a file": lambda evil: b"A" + zipped(answers=pickle.dumps(evil)),
    "objects": lambda evil: b"A" + npz(answers=np.array([evil], dtype=object)),
    "objects beside answers": lambda evil: b"A" + npz(answers=GOOD, **{"array-0": np.array([evil], dtype=object)}),
    "objects under no name": lambda evil: b"A" + npz(answers=GOOD, x=np.array([evil], dtype=object)),
    "one array": lambda _evil: b"A" + npy_head("'<f8'", "(1,)") + bytes(8),
    "an array of a million terabytes": lambda _evil: b"A" + zipped(answers=npy_head("'|u1'", f"({10**17},)")),
    "elements of a gigabyte": lambda _evil: b"A" + zipped(answers=npy_head("'<U9999999'", "(1,)")),
    "elements of no bytes": lambda _evil: b"A" + zipped(answers=npy_head("'|S0'", f"({10**17},)")),
    "a header that is code": lambda _evil: b"A" + zipped(answers=npy_head("__import__('os').system('x')", "(1,)")),
    "a compressed file": lambda _evil: b"A" + npz(compressed=True, answers=GOOD, **{"array-0": np.zeros(50_000_000)}),
    "members that overlap": lambda _evil: b"A" + overlapping(),
    "no list of answers": lambda _evil: b"A" + npz(other=GOOD),
    "a list that is no text": lambda _evil: b"A" + npz(answers=listed(b"\xff\xfe")),
    "a list that is deep": lambda _evil: b"A" + npz(answers=listed(b"[" * 200_000)),
    "a list that is a mapping": lambda _evil: b"A" + npz(answers=listed({"0": PLAIN})),
    "a number of digits without end": lambda _evil: b"A" + npz(answers=listed(b"[" + b"9" * 100_000 + b"]")),
    "no answers": lambda _evil: b"A" + npz(answers=listed([])),
    "two answers": lambda _evil: b"A" + npz(answers=listed([PLAIN, PLAIN])),
    "an answer that is none": lambda _evil: b"A" + npz(answers=listed([7])),
    "an answer without keys": lambda _evil: b"A" + npz(answers=listed([{}])),
    "seconds that are none": lambda _evil: b"A" + npz(answers=listed(json.dumps([PLAIN | {"seconds": float("nan")}]).encode())),
    "seconds without end": lambda _evil: b"A" + npz(answers=listed(json.dumps([PLAIN]).replace("0.5", "1e999").encode())),
    "seconds before the question": lambda _evil: b"A" + npz(answers=listed([PLAIN | {"seconds": -1}])),
    "seconds in words": lambda _evil: b"A" + npz(answers=listed([PLAIN | {"seconds": "1"}])),
    "facts that are a list": lambda _evil: b"A" + npz(answers=listed([PLAIN | {"facts": [1]}])),
    "facts in facts": lambda _evil: b"A" + npz(answers=listed([PLAIN | {"facts": {"a": {"b": 1}}}])),
    "support in words": lambda _evil: b"A" + npz(answers=listed([PLAIN | {"supported": "no"}])),
    "parts of a step without parts": lambda _evil: b"A" + npz(answers=listed([PLAIN | {"parts": [PLAIN]}])),
    "parts that are none": lambda _evil: b"A" + npz(answers=listed([PLAIN | {"parts": 1}])),
    "numbers that are not finite": lambda _evil: b"A" + npz(answers=GOOD, **{"array-0": np.array([np.nan])}),
    "numbers without end": lambda _evil: b"A" + npz(answers=GOOD, **{"array-0": np.array([np.inf])}),
    "numbers of half the size": lambda _evil: b"A" + npz(answers=GOOD, **{"array-0": np.ones(1, dtype=np.float32)}),
    "texts in the place of numbers": lambda _evil: b"A" + npz(answers=GOOD, **{"array-0": np.array(["1.0"])}),
    "content in the place of bytes": lambda _evil: b"A" + npz(answers=GOOD, **{"content-0": np.ones(1)}),
    "no kind of reply": lambda _evil: b"X",
    "not even that": lambda _evil: b"",
    "a failure that is a pickle": lambda evil: b"F" + pickle.dumps(evil),
    "a failure that is none": lambda _evil: b"F",
    "a failure that is a list": lambda _evil: b"F[]",
    "a failure without a kind": lambda _evil: b'F{"said": "x"}',
    "a failure that says a number": lambda _evil: b'F{"kind": "value", "said": 7}',
    "a failure that is deep": lambda _evil: b"F" + b"[" * 200_000,
    "a failure that is long": lambda _evil: b'F{"kind": "value", "said": "' + b"x" * (2 << 20) + b'"}',
    "a tail that is a number": lambda _evil: b'F{"kind": "procedure", "said": "x", "tail": 7}',
}


@pytest.mark.attempt("replies of workers")
@pytest.mark.parametrize("name", BROKEN_ANSWERS)
def test_a_reply_that_is_none_is_refused_in_little_memory(name: str, tmp_path: Path) -> None:
    reply = BROKEN_ANSWERS[name](_Evil(tmp_path / "x"))
    tracemalloc.start()
    with pytest.raises(payloads.BrokenReplyError):
        payloads.reply_read(reply, (Parameters("a"),))
    assert tracemalloc.get_traced_memory()[1] < len(reply) * 8 + (32 << 20)
    tracemalloc.stop()
    assert not (tmp_path / "x").exists()


@pytest.mark.attempt("replies of workers")
@pytest.mark.parametrize("seed", range(20))
def test_damaged_replies_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    draw, asked = random.Random(seed), steps()
    whole = payloads.answers_written(answers(asked))
    for _ in range(10):
        reply = bytearray(whole)
        for _ in range(draw.randint(1, 6)):
            reply[draw.randrange(len(reply))] = draw.randrange(256)
        with suppress(payloads.BrokenReplyError, ProcedureError, SandboxError):
            assert len(payloads.reply_read(bytes(reply), asked)) == len(asked)


@pytest.mark.attempt("replies of workers")
def test_a_failure_says_nothing_that_a_terminal_obeys() -> None:
    told = {"kind": "procedure", "said": "\x1b[2Jit raised", "tail": "one\x07\ntwo"}
    with pytest.raises(ProcedureError) as raised:
        payloads.reply_read(b"F" + json.dumps(told).encode(), ())
    assert str(raised.value) == "[2Jit raised"
    assert raised.value.stderr_tail == "one\ntwo"
