"""What runs on a worker of the cluster: functions of bytes, called by the engine in any thread of the worker's process.

A worker keeps, for each audit that has introduced itself, its key and its tables, which lie in temporary files and are mapped
into memory. Both go when the audit says farewell or the process ends, however it ends.
"""

from __future__ import annotations

import json
import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from auditor import __version__
from auditor.base import process_marks
from auditor.base.errors import SandboxError
from auditor.base.records import Dataset
from auditor.sandbox import Answer, Level, Worker, available
from auditor.sandbox.cluster import payloads
from auditor.sandbox.cluster.engines import FAILED
from auditor.sandbox.cluster.payloads import BrokenSealError, Letterbox, Seal
from auditor.sandbox.memory import Allowance, free_bytes
from auditor.sandbox.runs import circumstances

STRANGER: Final = b"stranger"
"""Said to an audit that this process does not know: it began after the audit had introduced itself."""
DONE: Final = b"done"
IDLE_S: Final = 600.0
"""Seconds after which an audit that asks for nothing is forgotten when another one comes: its auditor may have been killed. One
that lives introduces itself again."""

_LETTERBOX: Final = Letterbox()
_TOKEN: Final = secrets.token_hex(16)


@dataclass(slots=True, eq=False)
class _Session:
    """What one audit left with this process."""

    seal: Seal
    share: int
    """How many processes of this machine serve the audit."""
    tables: dict[str, Dataset] = field(default_factory=dict)
    stops: dict[str, threading.Event] = field(default_factory=dict)
    allowance: Allowance = field(default_factory=lambda: Allowance(0))
    lock: threading.Lock = field(default_factory=threading.Lock)
    heard_at: float = field(default_factory=time.monotonic)

    @contextmanager
    def running(self, number: str) -> Iterator[threading.Event]:
        """Note that a job runs; gives the event that stops it."""
        with self.lock:
            if not self.stops:
                # As on one machine, all that run side by side share half of what is free when the first begins.
                self.allowance = Allowance(free_bytes() // 2 // self.share)
            stop = self.stops[number] = threading.Event()
        try:
            yield stop
        finally:
            with self.lock:
                del self.stops[number]
                self.heard_at = time.monotonic()


_SESSIONS: Final[dict[str, _Session]] = {}


def hello() -> bytes:
    """Say what this process is: JSON with versions, machine, barriers by probes, and the public key; nothing of it is secret."""
    for session, known in list(_SESSIONS.items()):
        if not known.stops and time.monotonic() - known.heard_at > IDLE_S:
            _SESSIONS.pop(session, None)
    try:
        level = available()
    except SandboxError:
        level = Level.NONE
    said = {
        "auditor": __version__,
        "software": circumstances.software(),
        "machine": list(circumstances.machine()),
        "places": circumstances.places(),
        "host": socket.gethostname(),
        "level": level.value,
        "token": _TOKEN,
        "key": _LETTERBOX.public.hex(),
    }
    return json.dumps(said).encode()


def introduce(session: str, sealed_key: bytes, share: int) -> bytes:
    """Take the key of an audit.

    Args:
        session: The name of the audit.
        sealed_key: As `sealing.put` gives it, for the key of this process.
        share: How many processes of this machine serve the audit.
    """
    if session not in _SESSIONS:
        try:
            seal = Seal(_LETTERBOX.take(sealed_key))
        except BrokenSealError:
            return STRANGER
        _SESSIONS[session] = _Session(seal, share)
    return DONE


def keep(session: str, name: str, sealed: bytes) -> bytes:
    """Keep a table under its name, mapped into memory."""
    known = _SESSIONS.get(session)
    if known is None:
        return STRANGER
    known.heard_at = time.monotonic()
    if name not in known.tables:
        try:
            arrays, columns = payloads.table_read(known.seal.open(sealed, b"table" + name.encode()))
        except BrokenSealError:
            return STRANGER
        mapped = {part: _mapped(array) for part, array in arrays.items()}
        known.tables[name] = Dataset(**mapped, table=columns)
    return DONE


def forget(session: str, name: str) -> bytes:
    """Let go of a table; a job that uses it keeps it until it ends."""
    known = _SESSIONS.get(session)
    if known is not None:
        known.tables.pop(name, None)
    return DONE


def run(session: str, number: str, sealed: bytes) -> bytes:
    """Run one job in a sandbox of this machine.

    Args:
        session: The name of the audit.
        number: A name of this attempt at the job, which `stop` takes.
        sealed: The job.

    Returns:
        The sealed reply, or `STRANGER`.
    """
    known = _SESSIONS.get(session)
    if known is None:
        return STRANGER
    try:
        task = payloads.job_read(known.seal.open(sealed, b"job" + number.encode()))
        tables = {called: known.tables[name] for called, name in task.tables.items()}
    except (BrokenSealError, KeyError):
        return STRANGER
    try:
        with known.running(number) as stop:
            reply = payloads.answers_written(_answers(task, tables, known.allowance, stop))
    except Exception as error:  # noqa: BLE001 - whatever it is, the auditor hears of it in its own words
        reply = payloads.failure_written(error, socket.gethostname())
    return known.seal.close(reply, b"reply" + number.encode())


def stop(session: str, number: str) -> bytes:
    """Stop a job, in the middle of a step if need be."""
    known = _SESSIONS.get(session)
    if known is not None and (event := known.stops.get(number)) is not None:
        event.set()
    return DONE


def farewell(session: str) -> bytes:
    """Stop what runs for an audit, and forget its key and its tables."""
    known = _SESSIONS.pop(session, None)
    if known is not None:
        for event in list(known.stops.values()):
            event.set()
    return DONE


def _answers(task: payloads.Task, tables: dict[str, Dataset], allowance: Allowance, stop: threading.Event) -> list[Answer]:
    # Probes of this very machine decide, however the level was settled: a worker that came later was not asked before.
    found = available()
    if found < task.level:
        raise SandboxError(f"the audit runs at level {task.level}, found level {found} there")
    with Worker(
        task.spec, tables, limits=task.limits, level=task.level, stop=stop, device=task.device, allowance=allowance
    ) as worker:
        return [worker.run(step) for step in task.steps]


def _mapped(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array in a file that has no name any more: it goes with the last who has it mapped, even where that one is killed."""
    if not array.size:
        return array  # no file of no length can be mapped
    with tempfile.NamedTemporaryFile(prefix=process_marks.prefix(), suffix=".npy") as file:
        np.save(file, array, allow_pickle=False)
        file.flush()
        mapped: np.ndarray[Any, Any] = np.load(file.name, mmap_mode="r", allow_pickle=False)
    return mapped


def call(function: str, *parts: Any) -> bytes:
    """Call one of these functions by name: the one name that engines ask for, so that it stays in every version.

    A failure is returned as a text: what an engine makes of an exception is a pickle.
    """
    found: dict[str, Callable[..., bytes]] = {
        each.__name__: each for each in (hello, introduce, keep, forget, run, stop, farewell)
    }
    try:
        return found[function](*parts)
    except Exception as error:  # noqa: BLE001 - the auditor hears of it in words
        return FAILED + f"{type(error).__name__}: {error}".encode("utf-8", "replace")[:2000]
