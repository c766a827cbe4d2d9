"""A seat is room for one job in a worker process. Jobs wait for a free one; a lost worker's job runs again on another.

Which jobs a worker has cost is counted here, by job: two, and the audit ends with the job's name, for a procedure that takes
machines down would take them all.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self

from auditor import __version__
from auditor.base.errors import SandboxError, UsageError
from auditor.base.records import Dataset, Part
from auditor.sandbox import Answer, Level, StoppedError
from auditor.sandbox.cluster import payloads, remote
from auditor.sandbox.cluster.engines import PATIENCE_S, Engine, LostError, RemoteError, Waiting
from auditor.sandbox.cluster.payloads import BrokenSealError, Seal, put
from auditor.sandbox.runs import circumstances
from auditor.sandbox.runs.circumstances import Describer
from auditor.sandbox.wire import printable

# Who the workers are: each is asked for its software, its machine and its barriers before anything of an audit runs there.
_SOME: Final = 5
"""Distributions that one message names at most."""
_LONGEST_HELLO: Final = 8 << 20
"""Bytes of what a worker says of itself."""


@dataclass(frozen=True, slots=True)
class About:
    """What one worker process says of itself."""

    host: str
    level: Level
    """The strongest barriers that held when they were tried there."""
    token: str
    """Drawn by the process: another process at the same address has another one."""
    key: bytes
    machine: tuple[str, ...]


def about(said: bytes) -> tuple[About | None, tuple[str, ...]]:
    """Read what a worker says, and say what keeps it from working along with this auditor.

    Two sides of a comparison may run on different workers, and the evidence names one machine and one set of versions. So all
    must be the same: the auditor, Python, the C library, the processor, and every package that is installed here.
    """
    try:
        if len(said) > _LONGEST_HELLO:
            raise ValueError  # noqa: TRY301 - one answer to all that is no worker's
        told = json.loads(said)
        read = About(
            printable(str(told["host"]), 200),
            Level(told["level"]),
            str(told["token"]),
            bytes.fromhex(told["key"]),
            tuple(map(str, told["machine"])),
        )
        put(b"", read.key)  # whether it is a key
        return read, tuple(printable(each, 500) for each in _differences(told, read))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, BrokenSealError):
        return None, ("expected a worker with this version of the auditor, found one that answers otherwise",)


def _differences(told: Mapping[str, Any], read: About) -> list[str]:
    here, found, version = circumstances.software(), told["software"], told["auditor"]
    wrong = []
    if version != __version__:
        wrong.append(f"expected auditor {__version__}, found {version}")
    elif found.get("source") != here["source"]:
        wrong.append(f"expected the same source of auditor {__version__}, found another")
    wrong += [
        f"expected {_words(here[name])}, found {_words(found.get(name, ()))}"
        for name in ("python", "libc")
        if list(found.get(name, ())) != list(here[name])
    ]
    if read.machine != circumstances.machine():
        wrong.append(f"expected the machine {_words(circumstances.machine())}, found {_words(read.machine)}")
    if told.get("places") != circumstances.places():
        wrong.append(
            f"expected Python and the auditor at {_words(circumstances.places())}, found {_words(told.get('places', ()))}"
        )
    # A worker may have more installed than is here; what is here must be there.
    lacking = sorted(set(here["distributions"]) - set(found.get("distributions", ())))
    if lacking and not wrong:
        named = ", ".join(name.removesuffix(".dist-info").removesuffix(".egg-info") for name in lacking[:_SOME])
        more = f" and {len(lacking) - _SOME} more" if len(lacking) > _SOME else ""
        wrong.append(f"expected every package that is installed here, in its version, found none of {named}{more}")
    return wrong


def _words(parts: Any) -> str:
    return " ".join(map(str, parts)) or "none"


_LOOK_S: Final = 0.25
_WAIT_FOR_WORKERS_S: Final = 60.0
"""Seconds after which a cluster that has lost every worker counts as gone."""
_HELLO_S: Final = 120.0
"""Seconds for a worker's first answer: it imports the auditor and tries its barriers."""
_REFUSED_FOR_S: Final = 30.0
"""Seconds after which a worker that could not be used is asked again: another may have taken its address."""
_MOST_LOST: Final = 2
_MOST_NEVER_RAN: Final = 50
"""Workers that may go away before one and the same job has begun on them: more, and somebody plays with the audit."""
_MOST_TABLES: Final = 32
"""Tables that a worker keeps at a time; beyond, the one that was used longest ago is let go of."""


class WorkersLostError(SandboxError):
    """Workers went away: all of them, or two under the same job."""


class _NeverRanError(LostError):
    """A worker went away before the job began on it: nothing that the job could have caused."""


@dataclass(slots=True, eq=False)
class _Process:
    """A worker process that the audit has introduced itself to."""

    address: str
    about: About
    seats: int
    busy: int = 0
    tables: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """The tables that it has, the one that was used longest ago first, each with the jobs that use it now."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while a table is on its way, so that it goes once."""

    @property
    def named(self) -> str:
        """Host and address, for messages."""
        return f"{self.about.host} ({self.address})"


class Cluster:
    """The workers of one audit, as a context manager; used by several threads."""

    def __init__(self, engine: Engine, *, most: int | None = None, notice: Callable[[str], None] = lambda _said: None) -> None:
        """Ask every worker who it is.

        Args:
            engine: The cluster; it is closed with this.
            most: How many jobs shall run at a time at most; None for as many as there are seats.
            notice: Told, in a sentence, of workers that were lost, and of those that came later and cannot be used.

        Raises:
            UsageError: If there is no worker, or one has other software, another machine, or no barriers at all.
        """
        self._engine, self._notice = engine, notice
        self._key = secrets.token_bytes(32)
        self._seal, self._session = Seal(self._key), secrets.token_hex(16)
        self._describer = Describer()
        self._free = threading.Condition()
        self._processes: dict[str, _Process] = {}
        self._refused: dict[str, float] = {}
        self._looked_at = time.monotonic()
        try:
            self._begin()
        except BaseException:
            engine.close()
            raise
        self._floor, _ = self.weakest
        room = sum(process.seats for process in self._processes.values())
        self.seats: int = room if most is None else max(1, min(most, room))
        """How many jobs may run at a time."""

    def __enter__(self) -> Self:
        """Go on with it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Have the workers forget the audit, and leave the cluster."""
        self.close()

    def close(self) -> None:
        """Have the workers forget the audit, and leave the cluster."""
        for process in list(self._processes.values()):
            self._engine.aside(process.address, remote.farewell, self._session)
        self._engine.close()

    @property
    def weakest(self) -> tuple[Level, str]:
        """The weakest barriers of a worker, and its host."""
        return min(((each.about.level, each.about.host) for each in self._processes.values()), key=lambda item: item[0].strength)

    def answers(
        self, job: payloads.Asked, *, stop: threading.Event, begin: Callable[[], None] = lambda: None
    ) -> tuple[Answer, ...]:
        """Run a job on some worker.

        Args:
            job: What to run.
            stop: When set, the job ends at once, even in the middle of a step.
            begin: Called when a seat is found, once.

        Raises:
            AuditorError: As a worker of this machine would, and `WorkersLostError` where workers went away.
            StoppedError: If the event was set before the answers came.
        """
        lost: list[str] = []
        never_ran = 0
        begun = False
        while True:
            process = self._seat(stop)
            if not begun:
                begin()
                begun = True
            try:
                return self._run(process, job, stop)
            except LostError as error:
                self._drop(process)
                if isinstance(error, _NeverRanError):
                    never_ran += 1
                else:
                    lost.append(process.named)
                if never_ran >= _MOST_NEVER_RAN:
                    raise WorkersLostError(f"{job.name}: {never_ran} workers went away before it began on them") from None
                if len(lost) >= _MOST_LOST:
                    raise WorkersLostError(
                        f"{job.name}: {len(lost)} workers were lost while they ran it, {' and '.join(lost)}; run the audit with "
                        "--backend local to see what it does to a machine"
                    ) from None
                self._notice(f"a worker was lost, {process.named}: {job.name} runs again on another")
            finally:
                with self._free:
                    process.busy -= 1
                    self._free.notify_all()

    def _begin(self) -> None:
        """Meet the workers that are there; one that goes away meanwhile is passed over."""
        deadline = time.monotonic() + PATIENCE_S
        while not self._processes:
            known, problems = self._met(self._engine.processes())
            if problems:
                raise UsageError("\n".join(problems))
            for process in known:
                share = len([each for each in known if each.about.host == process.about.host])
                try:
                    self._add(process, share)
                except LostError:
                    continue
                except RemoteError as error:
                    raise UsageError(
                        f"the worker {process.named}: expected one that takes the key of an audit, found {error}"
                    ) from error
            if not self._processes and time.monotonic() > deadline:
                raise UsageError("--backend: expected a cluster with workers, found none; docs/clusters.md says how to start one")
            time.sleep(0 if self._processes else _LOOK_S)

    def _met(self, found: Mapping[str, int]) -> tuple[list[_Process], list[str]]:
        """Ask processes who they are; those that can be used, and what is wrong with the others."""
        with ThreadPoolExecutor(max_workers=min(32, len(found) or 1)) as pool:
            said = list(pool.map(self._hello, found))
        known, problems = [], []
        for (address, seats), heard in zip(found.items(), said, strict=True):
            if heard is None:
                continue
            read, wrong = heard
            host = address if read is None else f"{read.host} ({address})"
            problems += [f"the worker {host}: {each}; start the workers with the auditor's own environment" for each in wrong]
            if read is not None and not wrong:
                known.append(_Process(address, read, seats))
        return known, problems

    def _hello(self, address: str) -> tuple[About | None, tuple[str, ...]] | None:
        """What a process says of itself, and what is wrong with it; None where it has gone away."""
        try:
            return about(_awaited(self._engine.call(address, remote.hello), _HELLO_S))
        except LostError:
            return None
        except RemoteError as error:
            return None, (f"expected one that can import this version of the auditor, found {error}",)

    def _add(self, process: _Process, share: int) -> None:
        sealed = put(self._key, process.about.key)
        if _awaited(self._engine.call(process.address, remote.introduce, self._session, sealed, share), _HELLO_S) != remote.DONE:
            raise LostError(process.address)
        with self._free:
            self._processes[process.address] = process
            self._free.notify_all()

    def _seat(self, stop: threading.Event) -> _Process:
        """A free seat, where the fewest are taken."""
        empty_since = None
        while True:
            with self._free:
                if stop.is_set():
                    raise StoppedError
                room = [each for each in self._processes.values() if each.busy < each.seats]
                if room:
                    process = min(room, key=lambda each: each.busy / each.seats)
                    process.busy += 1
                    return process
                self._free.wait(_LOOK_S)
                empty = not self._processes
            self._look_for_others()
            empty_since = (empty_since or time.monotonic()) if empty else None
            if empty_since is not None and time.monotonic() - empty_since > _WAIT_FOR_WORKERS_S:
                raise WorkersLostError(
                    f"every worker of the cluster was lost, and none came for {_WAIT_FOR_WORKERS_S:.0f} seconds"
                )

    def _look_for_others(self) -> None:
        """Meet workers that came after the audit began; some engines start a new one for each that is lost."""
        with self._free:
            now = time.monotonic()
            if now - self._looked_at < 1.0:
                return
            self._looked_at = now
            known = {*self._processes, *(each for each, at in self._refused.items() if now - at < _REFUSED_FOR_S)}
        came = {address: seats for address, seats in self._engine.processes().items() if address not in known}
        if not came:
            return
        met, problems = self._met(came)
        problems += [
            f"the worker {each.named}: expected level {self._floor}, as the others have it, found level {each.about.level}"
            for each in met
            if each.about.level < self._floor
        ]
        met = [each for each in met if each.about.level >= self._floor]
        for said in problems:
            self._notice(f"{said}; it is left alone")
        if problems:
            self._refused |= dict.fromkeys(set(came) - {each.address for each in met}, now)
        hosts = Counter(each.about.host for each in [*self._processes.values(), *met])
        for process in met:
            try:
                self._add(process, hosts[process.about.host])
            except (LostError, RemoteError):
                continue  # gone again

    def _drop(self, process: _Process) -> None:
        with self._free:
            if self._processes.get(process.address) is process:
                del self._processes[process.address]

    def _run(self, process: _Process, job: payloads.Asked, stop: threading.Event) -> tuple[Answer, ...]:
        names = {called: self._name(table) for called, table in job.tables.items()}
        number = secrets.token_hex(16)
        sealed = self._seal.close(payloads.job_written(job, names), b"job" + number.encode())
        used: list[str] = []
        try:
            try:
                with process.lock:
                    for called, name in names.items():
                        self._send(process, name, job.tables[called])
                        used.append(name)
            except LostError as error:
                raise _NeverRanError(process.address) from error
            waiting = self._engine.call(process.address, remote.run, self._session, number, sealed)
            reply = self._awaited(process, waiting, number, stop)
            if reply == remote.STRANGER:
                # A process that does not know us has taken the place of the one that did.
                raise _NeverRanError(process.address)
            return payloads.reply_read(self._seal.open(reply, b"reply" + number.encode()), job.steps)
        except payloads.BrokenReplyError as error:
            raise SandboxError(f"the worker {process.named} failed: {error}") from error
        except RemoteError as error:
            raise SandboxError(f"the worker {process.named} failed: {error}") from error
        except BrokenSealError as error:
            raise SandboxError(f"the worker {process.named} failed: what it answered bears no seal of this audit") from error
        finally:
            with process.lock:
                for name in used:
                    process.tables[name] -= 1

    def _awaited(self, process: _Process, waiting: Waiting, number: str, stop: threading.Event) -> bytes:
        told = False
        while (reply := waiting.wait(_LOOK_S)) is None:
            if stop.is_set() and not told:
                told = True
                self._engine.aside(process.address, remote.stop, self._session, number)
        return reply

    def _name(self, table: Dataset | Part) -> str:
        return self._seal.name(hashlib.sha256(self._describer.to_bytes(table)).digest())

    def _send(self, process: _Process, name: str, table: Dataset | Part) -> None:
        """See that a process has a table, and note that one more job uses it."""
        users = process.tables.pop(name, None)
        if users is None:
            idle = [each for each, using in process.tables.items() if not using]
            for each in idle[: max(0, len(process.tables) + 1 - _MOST_TABLES)]:
                del process.tables[each]
                self._engine.aside(process.address, remote.forget, self._session, each)
            copied = table.copied() if isinstance(table, Part) else table
            sealed = self._seal.close(payloads.table_written(copied), b"table" + name.encode())
            if _awaited(self._engine.call(process.address, remote.keep, self._session, name, sealed), None) != remote.DONE:
                raise LostError(process.address)
        process.tables[name] = (users or 0) + 1


def _awaited(waiting: Waiting, seconds: float | None) -> bytes:
    deadline = None if seconds is None else time.monotonic() + seconds
    while (reply := waiting.wait(_LOOK_S)) is None:
        if deadline is not None and time.monotonic() > deadline:
            raise RemoteError("no answer")
    return reply
