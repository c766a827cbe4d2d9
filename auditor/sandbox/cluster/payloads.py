"""Jobs, tables and replies as bytes. A worker reads back types of ours and arrays of numbers or strings, and nothing else.

Jobs come from the auditor and are pickled; the reader refuses every class that is not on its list. Replies hold what a procedure
answered: those are arrays and JSON (`runs.packing`), and are never pickled.
"""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, get_args

import numpy as np
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from numpy._core import multiarray, numeric

from auditor.base.domain import Code, CodeFile
from auditor.base.errors import AuditorError, ProcedureError, SandboxError
from auditor.base.histories import Move, Output
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset, Part
from auditor.sandbox import Answer, DeviceKind, Level, Limits, ProcedureSpec, Step, StoppedError
from auditor.sandbox.devices import NoDeviceError
from auditor.sandbox.runs import packing
from auditor.sandbox.runs.secrets import BrokenSealError, Seal
from auditor.sandbox.wire import printable

# Sealed bytes between the auditor and its workers, which neither a scheduler nor a log of the cluster can read.
# Each worker process draws a pair of X25519 keys and says the public one. The auditor draws one key for the audit and sends
# it to each worker under a key that both derive (X25519, HKDF-SHA-256, ChaCha20-Poly1305; RFC 7748, RFC 5869, RFC 8439). This
# hides jobs from those who see what passes. It hides nothing from those who run the cluster: code of theirs can read a
# worker's memory.
__all__ = ["BrokenSealError", "Letterbox", "Seal", "put"]

_PUBLIC = 32


class Letterbox:
    """A pair of keys: anybody can put a key in, its owner alone can take it out."""

    def __init__(self) -> None:
        """Draw the pair."""
        self._private = X25519PrivateKey.generate()
        self.public: bytes = self._private.public_key().public_bytes_raw()

    def take(self, sealed: bytes) -> bytes:
        """Take out what was put in for this public key.

        Raises:
            BrokenSealError: If it is for another.
        """
        try:
            shared = self._private.exchange(X25519PublicKey.from_public_bytes(sealed[:_PUBLIC]))
        except ValueError as error:
            raise BrokenSealError from error
        return _between(shared, sealed[:_PUBLIC], self.public).open(sealed[_PUBLIC:], b"key")


def put(content: bytes, public: bytes) -> bytes:
    """Seal content for the owner of a public key.

    Raises:
        BrokenSealError: If it is no public key.
    """
    own = X25519PrivateKey.generate()
    try:
        shared = own.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:
        raise BrokenSealError from error
    ours = own.public_key().public_bytes_raw()
    return ours + _between(shared, ours, public).close(content, b"key")


def _between(shared: bytes, sender: bytes, receiver: bytes) -> Seal:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"auditor.cluster/1" + sender + receiver)
    return Seal(derived.derive(shared))


_OURS: Final = (*get_args(Step), ProcedureSpec, Code, CodeFile, Limits, Level, Column, Kind, Move, Output)
_READ: Final[Mapping[tuple[str, str], Any]] = {
    **{(each.__module__, each.__qualname__): each for each in _OURS},
    ("numpy", "dtype"): np.dtype,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy._core.numeric", "_frombuffer"): getattr(numeric, "_frombuffer"),  # noqa: B009 - it has no public name
    ("numpy._core.multiarray", "_reconstruct"): multiarray._reconstruct,  # noqa: SLF001
    ("numpy._core.multiarray", "scalar"): multiarray.scalar,
}
"""What may be made of a payload, by module and name."""
_KNOWN: Final = frozenset(_READ.values())
_ANSWERED, _FAILED = b"A", b"F"
_LONGEST_FAILURE: Final = 1 << 20
"""Bytes of a reply that says what went wrong."""


class Asked(Protocol):
    """What a job says to a worker; `jobs.Job` is one."""

    @property
    def name(self) -> str:
        """What it is called; it stays with the auditor."""

    @property
    def spec(self) -> ProcedureSpec:
        """The procedure."""

    @property
    def tables(self) -> Mapping[str, Dataset | Part]:
        """The data that it may see."""

    @property
    def steps(self) -> Sequence[Step]:
        """What it is asked for."""

    @property
    def limits(self) -> Limits:
        """What it may use up."""

    @property
    def level(self) -> Level:
        """The barriers around it."""

    @property
    def device(self) -> DeviceKind:
        """What it computes on."""


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A job as a worker reads it."""

    spec: ProcedureSpec
    tables: Mapping[str, str]
    """The names that its tables were sent under."""
    steps: tuple[Step, ...]
    limits: Limits
    level: Level
    device: DeviceKind


def job_written(job: Asked, tables: Mapping[str, str]) -> bytes:
    """A job, with names in place of its tables.

    Raises:
        TypeError: If it holds what may not cross.
    """
    return _written([job.spec, dict(tables), tuple(job.steps), job.limits, job.level, job.device])


def job_read(content: bytes) -> Task:
    """The job of `job_written`."""
    return Task(*_read(content))


def table_written(table: Dataset) -> bytes:
    """A table without the weights of the SWAP test, which no procedure sees.

    Raises:
        TypeError: If labels or ids are Python objects.
    """
    return _written([table.features, table.labels, table.ids, table.weights, table.table])


def table_read(content: bytes) -> tuple[dict[str, np.ndarray[Any, Any]], tuple[Column, ...] | None]:
    """The arrays of a table by the name of their field, and its columns."""
    features, labels, ids, weights, columns = _read(content)
    arrays = {"features": features, "labels": labels, "ids": ids, "weights": weights}
    return {name: array for name, array in arrays.items() if array is not None}, columns


def answers_written(answers: Sequence[Answer]) -> bytes:
    """A reply that holds answers."""
    return _ANSWERED + packing.packed(answers)


def failure_written(error: Exception, host: str) -> bytes:
    """A reply that says what went wrong; of a failure that is not the procedure's it says where."""
    told = {"kind": "other", "said": f"on {host}: {type(error).__name__}: {error}"}
    match error:
        case ProcedureError():
            told = {"kind": "procedure", "said": str(error), "tail": error.stderr_tail}
        case NoDeviceError():
            told = {"kind": "device", "said": f"on {host}: {error.reason}"}
        case SandboxError():
            told = {"kind": "sandbox", "said": f"on {host}: {error}"}
        case StoppedError():
            told = {"kind": "stopped", "said": ""}
        case ValueError():
            told = {"kind": "value", "said": str(error)}
        case AuditorError():
            told = {"kind": "other", "said": f"on {host}: {error}"}
    return _FAILED + json.dumps(told).encode()


class BrokenReplyError(SandboxError):
    """A reply is not one that a worker of this version writes."""


def reply_read(content: bytes, steps: Sequence[Step]) -> tuple[Answer, ...]:
    """The answers of a reply.

    Raises:
        BrokenReplyError: If it cannot be read.
        AuditorError: The failure that it reports: of a procedure, a sandbox, a device, or of the auditor on that machine.
        StoppedError: If the job was stopped there.
        ValueError: If the job named what does not exist.
    """
    try:
        if content[:1] == _ANSWERED:
            return packing.unpacked(content[1:], steps)
        if content[:1] != _FAILED or len(content) > _LONGEST_FAILURE:
            raise BrokenReplyError("expected answers or a failure, found something else")
        told = json.loads(content[1:])
        kind, said, tail = str(told["kind"]), printable_lines(told["said"]), printable_lines(told.get("tail", ""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BrokenReplyError(f"expected answers or a failure, found what cannot be read: {error}") from error
    match kind:
        case "procedure":
            raise ProcedureError(said, stderr_tail=tail)
        case "device":
            raise NoDeviceError(said)
        case "sandbox":
            raise SandboxError(said)
        case "stopped":
            raise StoppedError
        case "value":
            raise ValueError(said)
    raise SandboxError(f"a worker failed {said}")


def printable_lines(text: str) -> str:
    """The lines of a text of a worker's, without what a terminal would obey."""
    return "\n".join(printable(line, 1000) for line in text.split("\n"))


class _Pickler(pickle.Pickler):
    """Refuses what `_read` would refuse, before it is sent."""

    def reducer_override(self, value: object) -> Any:
        """Leave what may cross to itself.

        Raises:
            TypeError: For anything else.
        """
        if isinstance(value, np.ndarray):
            if value.dtype.hasobject:
                raise TypeError("an array must hold numbers or strings, not objects")
            return NotImplemented if type(value) is np.ndarray else np.asarray(value).__reduce_ex__(5)
        if not isinstance(value, np.dtype | np.generic) and type(value) not in _KNOWN and value not in _KNOWN:
            raise TypeError(f"a job may not hold a {type(value).__name__}")
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Give a class of the list.

        Raises:
            UnpicklingError: For any other name.
        """
        if (module, name) not in _READ:
            raise pickle.UnpicklingError(f"a job may not hold {module}.{name}")
        return _READ[module, name]


def _written(parts: list[Any]) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, protocol=5).dump(parts)
    return buffer.getvalue()


def _read(content: bytes) -> Any:
    return _Unpickler(io.BytesIO(content)).load()
