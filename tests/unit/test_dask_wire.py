"""What a peer may send over Dask's wire: pickles in every place of a message, and messages that are larger than they are."""

from __future__ import annotations

import asyncio
import os
import pickle
import random
import struct
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
from distributed.client import _handle_warn
from distributed.core import clean_exception
from distributed.protocol import Serialize, Serialized, dumps, loads, serialize
from distributed.protocol.pickle import loads as unpickled
from distributed.protocol.serialize import ToPickle
from tornado.iostream import StreamClosedError

from auditor.sandbox.cluster import dask_wire
from auditor.sandbox.cluster.dask_wire import WITHHELD, Crossed, MalformedError, decode


class Bomb:
    """Leaves a file with the number of the process that unpickles it."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def __reduce__(self) -> Any:
        return exec, (f"import os; open({self._folder!r} + '/' + str(os.getpid()), 'w').close()",)


def went_off(folder: Path) -> bool:
    return (folder / str(os.getpid())).exists()


def of_dask(kind: str, typed: bytes, *frames: bytes, **more: Any) -> Serialized:
    """A value in the form of Dask's own serializers."""
    header = {"serializer": "dask", "type": kind, "type-serialized": typed, "sub-header": {}, "writeable": (False,) * len(frames)}
    return Serialized(header | more, list(frames))


FORMS: dict[str, Callable[[Bomb], Any]] = {
    "marked as pickled": ToPickle,
    "a list marked as pickled": lambda bomb: ToPickle([1, {"a": bomb}]),
    "serialized by pickle": Serialize,
    "in a collection": lambda bomb: Serialize([b"x", bomb]),
    "in a mapping": lambda bomb: Serialize({"x": bomb}),
    "the type of bytes": lambda bomb: of_dask("builtins.bytes", pickle.dumps(bomb), b"x"),
    "the type of an array": lambda bomb: of_dask("numpy.ndarray", pickle.dumps(bomb), b"x"),
    "the elements of an array": lambda bomb: of_dask(
        "numpy.ndarray",
        pickle.dumps(np.ndarray),
        b"x",
        **{"sub-header": {"dtype": (1, pickle.dumps(bomb)), "shape": (1,), "strides": (1,), "writeable": (None,)}},
    ),
    "a family of its own": lambda bomb: Serialized({"serializer": "pickle", "writeable": ()}, [pickle.dumps(bomb)]),
    "a family without a name": lambda bomb: Serialized({"type": "builtins.bytes"}, [pickle.dumps(bomb)]),
}
BYTES: dict[str, Callable[[Bomb], Any]] = {
    f"a pickle of protocol {number}": lambda bomb, number=number: pickle.dumps(bomb, protocol=number) for number in range(6)
}
PLACES: dict[str, Callable[[Any], Any]] = {
    "alone": lambda held: held,
    "in a list": lambda held: [1, held],
    "deep": lambda held: {"a": [{"b": [[held]]}]},
    "the exception": lambda held: {"op": "task-erred", "key": "k", "exception": held, "traceback": None},
    "the traceback": lambda held: {"op": "task-erred", "key": "k", "exception": "said", "traceback": held},
    "both": lambda held: {"status": "error", "exception": held, "traceback": held, "exception_text": "said"},
    "the text of an exception": lambda held: {"status": "error", "exception": "said", "exception_text": held},
    "the type of a result": lambda held: {"op": "key-in-memory", "key": "k", "type": held},
    "the category of a warning": lambda held: {
        "topic": "warn",
        "event": (1.0, {"message": held, "category": held}),
    },
    "an event": lambda held: {"op": "event", "topic": "print", "event": (1.0, {"args": (held,), "file": 1})},
    "a result": lambda held: {"status": "OK", "result": held},
    "the data of a task": lambda held: {"status": "OK", "data": {"k": held}},
    "a status": lambda held: {"status": held},
    "an operation": lambda held: [{"op": held}],
    "a key": lambda held: [{"op": "cancelled-keys", "keys": [held], "reason": held}],
    "a number of threads": lambda held: {"tcp://127.0.0.1:1": held},
    "a greeting": lambda held: {"compression": held, "python": held, "pickle-protocol": held},
}


def bytes_in(found: Any) -> Iterator[bytes]:
    match found:
        case bytes() | bytearray() | memoryview():
            yield bytes(found)
        case dict():
            for name, held in found.items():
                yield from bytes_in(name)
                yield from bytes_in(held)
        case tuple() | list() | set():
            for held in found:
                yield from bytes_in(held)


def frames_of(message: Any) -> list[bytes]:
    return [bytes(frame) for frame in dumps(message)]


def handed_on(found: Any) -> None:
    """All that Dask does with what it reads that could unpickle."""
    for each in [found, *(found.values() if isinstance(found, dict) else ())]:
        for use in (
            lambda each: clean_exception(each, each),
            unpickled,
            lambda each: _handle_warn((0.0, {"message": each, "category": each})),
            lambda each: clean_exception(**each),
        ):
            with suppress(Exception):
                use(each)


@pytest.mark.attempt("messages of a Dask scheduler or worker")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", FORMS | BYTES)
def test_no_pickle_is_read_wherever_it_stands(form: str, place: str, tmp_path: Path) -> None:
    message = PLACES[place]((FORMS | BYTES)[form](Bomb(tmp_path)))
    found = decode(frames_of(message))
    assert list(bytes_in(found)) == []
    handed_on(found)
    assert not went_off(tmp_path)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "a family without a name"])
def test_dasks_own_reader_runs_the_same_messages(form: str, tmp_path: Path) -> None:
    with suppress(Exception):  # it fails, if it does, at what the bomb returned
        loads(frames_of(PLACES["deep"](FORMS[form](Bomb(tmp_path)))))
    assert went_off(tmp_path)


def test_dasks_own_handlers_run_bytes(tmp_path: Path) -> None:
    clean_exception(pickle.dumps(Bomb(tmp_path)))
    assert went_off(tmp_path)


def test_what_a_worker_returned_and_said_is_read() -> None:
    read = decode(
        frames_of({"status": "OK", "data": {"k": Serialize(b"answer"), "l": Serialize(b"")}, "n": [1, 2.5, None, True]})
    )
    assert (read["data"]["k"].content, read["data"]["l"].content) == (b"answer", b"")
    assert read["n"] == (1, 2.5, None, True)
    assert decode(frames_of({"keys": {"a", "b"}})) == {"keys": {"a", "b"}}
    large = os.urandom(70 << 20)  # Dask splits it
    assert decode(frames_of({"data": Serialize(large)}))["data"].content == large
    told = {"exception": Serialize(b"..."), "traceback": None, "exception_text": "Odd('x')\n\x1b[2J"}
    said = decode(frames_of(told))
    assert said["exception"] == "Odd('x') [2J"
    assert decode(frames_of({"exception": b"...KilledWorker..."}))["exception"].startswith("KilledWorker")
    assert decode([]) == {}


def test_one_value_twice_is_written_twice_by_dask() -> None:
    held = Serialize(b"answer")
    worker_said = Serialized(*serialize(b"more"))
    read = decode(frames_of([held, {"a": held, "b": worker_said}, worker_said]))
    assert [each.content for each in (read[0], read[1]["a"], read[1]["b"], read[2])] == [b"answer", b"answer", b"more", b"more"]


@pytest.mark.attempt("messages of a Dask scheduler or worker")
def test_a_large_value_that_is_named_often_is_read_once() -> None:
    header = msgpack.dumps({"num-sub-frames": 1, "serializer": "dask", "type": "builtins.bytes"})
    frames = [msgpack.dumps([{"__Serialized__": 1}] * (1 << 14)), header, bytes(100 << 20)]
    tracemalloc.start()
    with pytest.raises(MalformedError, match="two values in one place"):
        decode(frames)
    assert tracemalloc.get_traced_memory()[1] < 150 << 20
    tracemalloc.stop()


@pytest.mark.attempt("messages of a Dask scheduler or worker")
@pytest.mark.parametrize("value", [bytearray(b"x"), memoryview(b"x"), "text", 7, None, [b"x"], np.arange(3)])
def test_a_value_that_is_no_bytes_is_withheld(value: Any) -> None:
    assert decode(frames_of({"k": Serialize(value)})) == {"k": WITHHELD}


@pytest.mark.attempt("messages of a Dask scheduler or worker")
def test_a_compressed_value_is_withheld(tmp_path: Path) -> None:
    header = {"serializer": "dask", "type": "builtins.bytes", "sub-header": {}, "compression": ("zlib",)}
    message = {"k": Serialized(header, [zlib.compress(bytes(100 << 20))])}
    tracemalloc.start()
    frames = frames_of(message)
    assert decode(frames) == {"k": WITHHELD}
    assert tracemalloc.get_traced_memory()[1] < 10 << 20
    tracemalloc.stop()


def nested(levels: int, announced: int) -> bytes:
    """Lists in lists, each of which announces as many items as there are bytes behind it."""
    return (b"\xdd" + struct.pack(">I", announced)) * levels + b"\xc0" * announced


BROKEN: dict[str, list[bytes]] = {
    "nothing": [b""],
    "garbage": [b"\xc1\xff\xfe"],
    "two documents": [b"\xc0\xc0"],
    "a list that is longer than the message": [b"\xdd\xff\xff\xff\xff"],
    "a mapping that is longer than the message": [b"\xdf\xff\xff\xff\xff"],
    "a text that is longer than the message": [b"\xdb\xff\xff\xff\xff"],
    "bytes that are longer than the message": [b"\xc6\xff\xff\xff\xff"],
    "an extension": [b"\xd4\x05\x00"],
    "a time": [b"\xd6\xff\x00\x00\x00\x00"],
    "no text": [b"\xa2\xff\xfe"],
    "a name that is a number": [b"\x81\x01\x02"],
    "a name that is bytes": [b"\x81\xc4\x01a\x02"],
    "a name that is a list": [b"\x81\x91\x01\x02"],
    "a set of lists of mappings": [msgpack.dumps({"__Set__": True, "as-list": [{"a": 1}]})],
    "a set of nothing": [msgpack.dumps({"__Set__": True})],
    "a value behind the end": [msgpack.dumps({"__Serialized__": 9})],
    "a value that is the message": [msgpack.dumps({"__Serialized__": 0})],
    "a value before the message": [msgpack.dumps({"__Serialized__": -1})],
    "a value that is a truth": [msgpack.dumps({"__Serialized__": True}), msgpack.dumps({"num-sub-frames": 0})],
    "a value that is a text": [msgpack.dumps({"__Serialized__": "1"})],
    "a header that is none": [msgpack.dumps({"__Serialized__": 1}), b"\xc0"],
    "a header that is garbage": [msgpack.dumps({"__Serialized__": 1}), b"\xc1"],
    "a header without frames": [msgpack.dumps({"__Serialized__": 1}), msgpack.dumps({"serializer": "dask"})],
    "frames that are not there": [msgpack.dumps({"__Serialized__": 1}), msgpack.dumps({"num-sub-frames": 1})],
    "fewer frames than none": [msgpack.dumps({"__Serialized__": 1}), msgpack.dumps({"num-sub-frames": -1})],
    "a compression that is a number": [
        msgpack.dumps({"__Serialized__": 1}),
        msgpack.dumps({"num-sub-frames": 0, "serializer": "dask", "type": "builtins.bytes", "compression": 3}),
    ],
    "millions of empty mappings": [b"\xdd\x00\x00\x10\x01" + (b"\xdc\x04\x00" + b"\x80" * (1 << 10)) * 4097],
    "a long header": [msgpack.dumps({"__Serialized__": 1}), msgpack.dumps({"num-sub-frames": 0, "x": bytes(1 << 16)})],
    "one value twice": [
        msgpack.dumps([{"__Serialized__": 1}] * 2),
        msgpack.dumps({"num-sub-frames": 1, "serializer": "dask", "type": "builtins.bytes"}),
        b"x",
    ],
    "one withheld value twice": [msgpack.dumps([{"__Serialized__": 1}] * 2), msgpack.dumps({"num-sub-frames": 0})],
    "a value within another": [
        msgpack.dumps([{"__Serialized__": 1}, {"__Serialized__": 2}]),
        msgpack.dumps({"num-sub-frames": 1, "serializer": "dask", "type": "builtins.bytes"}),
        msgpack.dumps({"num-sub-frames": 0, "serializer": "dask", "type": "builtins.bytes"}),
    ],
    "lists that are deep": [b"\x91" * 40 + b"\xc0"],
    "lists that are deeper": [b"\x91" * 900 + b"\xc0"],
    "lists that are deepest": [b"\x91" * 200_000 + b"\xc0"],
    "mappings that are deep": [b"\x81\xa1a" * 40 + b"\xc0"],
    "long lists in lists": [nested(400, 1 << 20)],
    "lists of the most items in lists": [nested(400, 1 << 14)],
}


@pytest.mark.attempt("messages of a Dask scheduler or worker")
@pytest.mark.parametrize("name", BROKEN)
def test_no_message_is_refused_in_little_memory(name: str) -> None:
    tracemalloc.start()
    with pytest.raises(MalformedError):
        decode(BROKEN[name])
    assert tracemalloc.get_traced_memory()[1] < 150 << 20
    tracemalloc.stop()


class Stream:
    """What a connection has received."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    async def read_bytes(self, count: int) -> bytes:
        if self._at + count > len(self._content):
            raise StreamClosedError
        self._at += count
        return self._content[self._at - count : self._at]


def received(content: bytes) -> Any:
    """A connection that has received something."""
    return Stream(content)


def sent(first: int, *numbers: int, then: bytes = b"") -> bytes:
    return struct.pack(f"={1 + len(numbers)}Q", first, *numbers) + then


ANNOUNCED: dict[str, bytes] = {
    "a message of all bytes that there are": sent(2**64 - 1),
    "a message of 2^62 bytes": sent(2**62) + bytes(100),
    "a message of a terabyte": sent(1 << 40) + bytes(100),
    "no room for the number of frames": sent(4, then=bytes(4)),
    "frames without end": sent(8, 2**60),
    "more frames than bytes": sent(16, 3, 1),
    "more frames than there may be": sent(8 + 8 * 70_000, 70_000, *[0] * 70_000),
    "a frame of all bytes that there are": sent(16, 1, 2**64 - 1),
    "frames that are too much together": sent(24, 2, 2**63, 2**63),
    "a frame of a terabyte": sent(16, 1, 1 << 40),
    "a frame that is cut off": sent(20, 1, 8, then=b"abcd"),
    "bytes behind the last frame": sent(20, 1, 2, then=b"abcd"),
    "an answer of HTTP": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n" * 20,
    "an answer of SSH": b"SSH-2.0-OpenSSH_9.6\r\n" * 20,
    "an alert of TLS": b"\x15\x03\x03\x00\x02\x02\x46" * 20,
    "a pickle": pickle.dumps(Bomb(Path("/"))) * 20,
}


@pytest.mark.attempt("messages of a Dask scheduler or worker")
@pytest.mark.parametrize("name", ANNOUNCED)
def test_a_message_takes_no_memory_before_it_is_there(name: str) -> None:
    tracemalloc.start()
    with pytest.raises((MalformedError, StreamClosedError)):
        asyncio.run(dask_wire._frames(received(ANNOUNCED[name])))
    assert tracemalloc.get_traced_memory()[1] < 32 << 20
    tracemalloc.stop()


def test_large_frames_come_on_their_own() -> None:
    content = os.urandom(9 << 20)
    head = msgpack.dumps({"a": 1})
    found = asyncio.run(dask_wire._frames(received(sent(24 + len(head), 2, len(head), len(content), then=head + content))))
    assert found == [head, content]
    whole = sent(24 + len(head) + 3, 2, len(head), 3, then=head + b"abc")
    assert asyncio.run(dask_wire._frames(received(whole))) == [head, b"abc"]


@pytest.mark.attempt("messages of a Dask scheduler or worker")
@pytest.mark.parametrize("together", [True, False])
def test_a_message_has_a_quarter_of_the_free_memory(together: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_wire, "free_bytes", lambda: 40 << 20)

    def read(size: int) -> list[bytes]:
        content = bytes(size)
        whole = sent(16 + size, 1, size, then=content) if together else sent(16, 1, size, then=content)
        return asyncio.run(dask_wire._frames(received(whole)))

    assert [len(each) for each in read(9 << 20)] == [9 << 20]
    with pytest.raises(MalformedError, match="are free for it"):
        read(11 << 20)


def test_ten_thousand_workers_and_tasks_are_no_large_message() -> None:
    workers = {f"tls://worker-{number}.rack-{number % 50}.cluster.example:40000": 64 for number in range(10_000)}
    over = [{"op": "key-in-memory", "key": f"auditor-run-{number:032x}", "type": b"x" * 60} for number in range(10_000)]
    for message in (workers, over):
        assert len(decode(frames_of(message))) == 10_000


@pytest.mark.attempt("messages of a Dask scheduler or worker")
@pytest.mark.parametrize("seed", range(40))
def test_damaged_messages_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    forms, places = FORMS | BYTES, list(PLACES.values())
    for _ in range(25):
        frames = [bytearray(each) for each in frames_of(draw.choice(places)(draw.choice(list(forms.values()))(Bomb(tmp_path))))]
        for _ in range(draw.randint(1, 4)):
            frame = draw.choice(frames)
            if frame:
                frame[draw.randrange(len(frame))] = draw.randrange(256)
        try:
            found = decode([bytes(each) for each in frames])
        except MalformedError:
            continue
        assert list(bytes_in(found)) == []
        handed_on(found)
    assert not went_off(tmp_path)


@pytest.mark.attempt("messages of a Dask scheduler or worker")
@pytest.mark.parametrize("address", ["ucx://a:1", "inproc://a/1", "ws://a:1", "auditor-ws://a:1", "file:///etc/passwd"])
def test_other_transports_are_refused(address: str) -> None:
    with pytest.raises(ValueError, match="expected tcp:// or tls://"):
        dask_wire.plain(address)


def test_addresses_keep_their_place() -> None:
    assert dask_wire.plain("127.0.0.1:8786") == "auditor-tcp://127.0.0.1:8786"
    assert dask_wire.plain("tls://[::1]:8786") == "auditor-tls://[::1]:8786"
    assert dask_wire.plain("auditor-tls://a:1") == "auditor-tls://a:1"
    assert Crossed(b"x").content == b"x"
