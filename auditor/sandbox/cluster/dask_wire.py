"""Dask's messages, read without Dask's reader: nothing that a scheduler or a worker sends is unpickled in this process.

Dask unpickles what arrives in six places, whatever `deserializers` a client asks for (distributed 2026.8): objects marked
`__Pickled__` (`protocol/core.py`, `loads`), the type of a value that is not pickled itself (`protocol/serialize.py`,
`dask_loads`), exceptions and tracebacks that are plain bytes (`core.py`, `clean_exception`), the type of a result
(`client.py`, `_handle_key_in_memory`), warnings (`_handle_warn`), and failures of `Client.run`. So the connections of this
engine have a reader of their own, under schemes of their own. What it hands to Dask holds no bytes at all, and therefore nothing
that any of these places could unpickle; a worker's bytes come out as `Crossed`, which Dask does not look into.
"""

from __future__ import annotations

import asyncio
import struct
import sys
from typing import Any, Final

import msgpack
from distributed import Client
from distributed.comm import registry
from distributed.comm.addressing import parse_address
from distributed.comm.core import CommClosedError
from distributed.comm.tcp import TCP, TLS, TCPBackend, TCPConnector, TLSBackend, TLSConnector
from tornado.iostream import IOStream, StreamClosedError

from auditor.sandbox.memory import free_bytes
from auditor.sandbox.wire import printable

GREETING_S: Final = 10.0
"""Seconds for the first message of a peer: one that is no Dask may wait for ever for ours."""
LOST: Final = ("FutureCancelledError", "CancelledError", "KilledWorker", "NoValidWorkerError", "CommClosedError")
"""What a task ends with whose worker went away."""

_SMALL: Final = 1 << 20
"""Bytes of a message that need no look at the memory that is free."""
_SHARE: Final = 4
"""Part of the memory that is free that one message may have: it is copied while it is read, and once more as a value."""
_CHUNK: Final = 4 << 20
"""Bytes read at a time: a message takes memory as it arrives, and none for what it only announces."""
_MOST_FRAMES: Final = 1 << 16
_MOST_PLAIN: Final = 4 << 20
"""Bytes of a message without the contents that it carries: a byte can become an empty mapping of 64, which is copied.
Ten thousand workers with their threads, or as many tasks that are over, take less."""
_MOST_ITEMS: Final = 1 << 14
"""Items of a list: the reader of MessagePack makes room for as many as are announced, at each level."""
_MOST_HEADER: Final = 64 << 10
"""Bytes of what says how a value is to be read."""
_DEEPEST: Final = 32
_LONGEST: Final = 2000
_LENGTH: Final = struct.Struct("=Q")

WITHHELD: Final = "bytes that this auditor does not read"
"""Stands for all bytes but a worker's answer: a text, since Dask unpickles no text."""


class MalformedError(Exception):
    """A peer sent what no message of Dask is."""


class Crossed:
    """Bytes that a function returned on a worker."""

    __slots__ = ("content",)

    def __init__(self, content: bytes) -> None:
        self.content = content


def decode(frames: list[bytes]) -> Any:
    """Read a message: None, truths, numbers, texts, tuples, sets and mappings of these, and `Crossed`.

    Args:
        frames: A MessagePack document, then what it refers to by number.

    Raises:
        MalformedError: If it is no message, or larger or deeper than one may be.
    """
    if not frames:
        return {}  # as Dask says that there is nothing
    try:
        return _Frames(frames).plain(_unpacked(frames[0], _MOST_PLAIN), 0)
    except MalformedError:
        raise
    except Exception as error:  # whatever a reader of bytes raises at bytes of others
        raise MalformedError(f"{type(error).__name__} in a message") from error


def _unpacked(content: bytes, most: int) -> Any:
    if len(content) > most:
        raise MalformedError(f"{len(content)} bytes next to the contents of a message, where at most {most} may be")
    return msgpack.unpackb(
        content, raw=False, use_list=False, strict_map_key=True, max_array_len=_MOST_ITEMS, max_map_len=1 << 16, max_ext_len=0
    )


class _Frames:
    """A message on its way from frames to plain values."""

    def __init__(self, frames: list[bytes]) -> None:
        self._frames = frames
        self._read = bytearray(len(frames))

    def plain(self, found: Any, depth: int) -> Any:
        """What may be handed on of a value."""
        if depth > _DEEPEST:
            raise MalformedError(f"more than {_DEEPEST} levels")
        match found:
            case None | bool() | int() | float() | str():
                return found
            case bytes():
                return WITHHELD
            case tuple():
                return tuple(self.plain(each, depth + 1) for each in found)
            case dict():
                return self._mapping(found, depth)
        raise MalformedError(f"a {type(found).__name__}")

    def _mapping(self, found: dict[Any, Any], depth: int) -> Any:
        if "__Serialized__" in found:
            content = self._content(found["__Serialized__"])
            return WITHHELD if content is None else Crossed(content)
        if "__Pickled__" in found or "__Enum__" in found:
            return WITHHELD
        if "__Set__" in found:
            return set(self.plain(found.get("as-list"), depth + 1))
        if not all(isinstance(name, str) for name in found):
            raise MalformedError("a name that is no text")
        read = {name: self.plain(each, depth + 1) for name, each in found.items() if name not in {"exception", "traceback"}}
        if "exception" in found:
            # Dask turns a text into an exception that says it, and a missing traceback into none.
            read |= {"exception": self._failure(found), "traceback": None}
        return read

    def _failure(self, found: dict[Any, Any]) -> str:
        """The text of a failure. One that came as a pickle alone is searched for the names that say that a worker was lost."""
        said, pickled = found.get("exception_text"), found["exception"]
        if isinstance(pickled, dict) and "__Serialized__" in pickled:
            pickled = self._content(pickled["__Serialized__"])
        held = pickled if isinstance(pickled, bytes) else b""
        lost = [name for name in LOST if name.encode() in held]
        if isinstance(said, str):
            return printable(" ".join(said.split()), _LONGEST)
        return f"{lost[0]}: the worker went away" if lost else "an error that came without a text"

    def _content(self, place: object) -> bytes | None:
        """The bytes of a value by Dask's own form of bytes; None for every other value."""
        if type(place) is not int or not 0 < place < len(self._frames):
            raise MalformedError("a value that is not there")
        header = _unpacked(self._frames[place], _MOST_HEADER)
        if not isinstance(header, dict):
            raise MalformedError("a value without a header")
        count = header.get("num-sub-frames")
        if type(count) is not int or not 0 <= count <= len(self._frames) - place - 1:
            raise MalformedError("a value whose parts are not there")
        behind = place + 1 + count
        # Dask writes the frames of each value anew, even where a message has one value twice. Without this, one large frame
        # that is named many times would be joined as many times.
        if any(self._read[place:behind]):
            raise MalformedError("two values in one place")
        self._read[place:behind] = b"\1" * (behind - place)
        # The type stands in the header as a pickle too, which is never looked at. Sealed bytes do not shrink, and are therefore
        # never compressed on the way.
        plain = header.get("serializer") == "dask" and header.get("type") in {"bytes", "builtins.bytes"}
        if not plain or "is-collection" in header or any(each is not None for each in header.get("compression") or ()):
            return None
        return b"".join(self._frames[place + 1 : behind])


async def _frames(stream: IOStream) -> list[bytes]:
    """Read the frames of one message: the length of its first part, the number of frames, their lengths, and the frames."""
    (first,) = _LENGTH.unpack(await stream.read_bytes(_LENGTH.size))
    most = _SMALL if first <= _SMALL else free_bytes() // _SHARE
    part = await _bytes(stream, first, most)
    count, start = _number(part, 0), _LENGTH.size
    if count > _MOST_FRAMES or start + count * _LENGTH.size > len(part):
        raise MalformedError(f"{count} frames in {len(part)} bytes")
    lengths = struct.unpack_from(f"={count}Q", part, start)
    start += count * _LENGTH.size
    if sum(lengths) > _SMALL:
        most = free_bytes() // _SHARE
    if sum(lengths) > most:
        raise MalformedError(f"a message of {sum(lengths)} bytes where {most} are free for it")
    frames = []
    for length in lengths:
        if start < len(part):
            if start + length > len(part):
                raise MalformedError("a frame that is cut off")
            frames.append(bytes(memoryview(part)[start : start + length]))
            start += length
        else:  # large frames come on their own
            frames.append(await _bytes(stream, length, most))
    if start != len(part):
        raise MalformedError("bytes behind the last frame")
    return frames


def _number(part: bytes, start: int) -> int:
    if len(part) < start + _LENGTH.size:
        raise MalformedError(f"a message of {len(part)} bytes")
    return int(_LENGTH.unpack_from(part, start)[0])


async def _bytes(stream: IOStream, length: int, most: int) -> bytes:
    if length > most:
        raise MalformedError(f"a message of {length} bytes where {most} are free for it")
    if length <= _CHUNK:
        return await stream.read_bytes(length) if length else b""
    read = bytearray()
    while len(read) < length:
        read += await stream.read_bytes(min(_CHUNK, length - len(read)))
    return bytes(read)


async def _read(comm: Any, deserializers: object = None) -> Any:  # noqa: ARG001 - the signature is Dask's
    """Read the next message of a connection; a malformed one closes it."""
    stream = comm.stream
    if stream is None:
        raise CommClosedError
    try:
        if comm.greeted:
            return decode(await _frames(stream))
        greeting = _greeting(await asyncio.wait_for(_frames(stream), GREETING_S))
        comm.greeted = True
    except (StreamClosedError, OSError) as error:
        comm.abort()
        raise CommClosedError(f"in {comm}: {type(error).__name__}: {error}") from error
    except MalformedError as error:
        comm.abort()
        raise CommClosedError(f"expected a message of Dask, found {error}") from error
    except BaseException:
        comm.abort()
        raise
    return greeting


def _greeting(frames: list[bytes]) -> dict[str, Any]:
    read = decode(frames)
    if not isinstance(read, dict):
        raise MalformedError("a greeting that is no mapping")
    return read


_READING: Final = {
    "read": _read,
    "greeted": False,
    # Without compression: what is small on the way and large here would be one more thing to limit.
    "handshake_info": lambda _comm: {"compression": None, "python": tuple(sys.version_info[:3]), "pickle-protocol": 5},
    "handshake_configuration": staticmethod(lambda _local, _remote: {"compression": None, "pickle-protocol": 5}),
}


async def _nothing(_client: Any, *_said: object, **_named: object) -> None:
    """Pass over what the scheduler says."""


def _in_memory(client: Any, key: object = None, **_named: object) -> None:
    """Note that a task is over, and not what type its result says that it has."""
    Client._handle_key_in_memory(client, key)  # noqa: SLF001 - the method that this one stands in for


def _left_out(_client: Any, *_said: object, **_named: object) -> None:
    """Ask for nothing."""


# Types are made by calls, since Dask's own are not typed.
_PLAIN: Final = {
    f"auditor-{scheme}": type(
        f"Plain{backend.__name__}",
        (backend,),
        {
            "_connector_class": type(
                f"Plain{connector.__name__}",
                (connector,),
                {"prefix": f"auditor-{scheme}://", "comm_class": type(f"Plain{comm.__name__}", (comm,), _READING)},
            )
        },
    )
    for scheme, backend, connector, comm in (
        ("tcp", TCPBackend, TCPConnector, TCP),
        ("tls", TLSBackend, TLSConnector, TLS),
    )
}

_QUIET_CLIENT: Final = type(
    "Client",
    (Client,),
    {
        # Lines and warnings of anybody's tasks would be printed here, and the cluster described to us every two seconds.
        "subscribe_topic": _left_out,
        "_handle_key_in_memory": _in_memory,
        "_handle_event": _nothing,
        "_handle_error": _left_out,
        "_adjust_heartbeat_intervals": _left_out,
        "_update_scheduler_info": _nothing,
    },
)


def plain(address: str) -> str:
    """The address under the scheme whose connections are read here.

    Raises:
        ValueError: If it is of another transport than TCP or TLS.
    """
    scheme, place = parse_address(address)
    ours = scheme if scheme in _PLAIN else f"auditor-{scheme}"
    if ours not in _PLAIN:
        raise ValueError(f"expected tcp:// or tls://, found {scheme}://")
    return f"{ours}://{place}"


def client(address: str, patience_s: float) -> Any:
    """Connect to a scheduler.

    Raises:
        OSError: If nobody answers, or one that is no Dask.
        ValueError: If the address is of another transport than TCP or TLS.
    """
    for scheme, backend in _PLAIN.items():
        registry.backends.setdefault(scheme, backend())
    return _QUIET_CLIENT(plain(address), timeout=patience_s, set_as_default=False, name="auditor", extensions={})
