"""One procedure in a process of its own: started, asked, watched, and ended with everything that it started.

While the auditor waits for an answer, it looks every few hundredths of a second at the clock, at the memory of the process
group, at the size of its output and at the disk space of its scratch folder. A Ctrl-C on the terminal reaches the auditor
alone, which then ends the child.

Time is taken here, from the question to the answer: a clock in the child is one that the procedure can set.
"""

from __future__ import annotations

import json
import math
import select
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, Self

from auditor import learning
from auditor.base import processors
from auditor.base.errors import ProcedureError, SandboxError
from auditor.base.records import Dataset, Part
from auditor.sandbox import control_groups, devices, memory, modules, preloading, processes, steps, wire
from auditor.sandbox.allowed_paths import require_apart
from auditor.sandbox.checkpoints import SUFFIX, Checkpoints, Watched
from auditor.sandbox.files import Files, Seeds
from auditor.sandbox.inventory import Inventory
from auditor.sandbox.launch import Launched
from auditor.sandbox.levels import MEBIBYTE, Level, Limits
from auditor.sandbox.scratch import Scratch, no_room
from auditor.sandbox.steps import (
    OPTIONAL,
    TRAIN,
    Answer,
    Device,
    Learn,
    Load,
    Modules,
    Predict,
    PredictRows,
    ProcedureSpec,
    Refit,
    Step,
    Together,
    Unlearn,
    count,
)
from auditor.sandbox.walls import WALLS_STAND
from auditor.settings.controller import controllers

if TYPE_CHECKING:
    from auditor.sandbox.entries import Named, NamedProcedure

_LOOK_S = 0.05
_LOOK_AT_DISK_S = 1.0
_SHARE_OF_LOOKING, _SHARE_OF_MAPS = 100, 20
_LOOK_AT_MAPS_S = 5.0
_HIDDEN = 32 * MEBIBYTE
"""By how much files in memory may grow on the whole machine before memory maps are read again."""
_LAST_BREATH_S = 2.0


class StoppedError(Exception):
    """The worker was told to stop by its event; nothing is wrong with the procedure."""


@dataclass(frozen=True, slots=True)
class _Call:
    """What is being waited for."""

    where: str
    """The step, in the words of an error message."""
    begin: float
    """On the monotonic clock."""
    allowed_s: float


class Worker:
    """A procedure behind barriers, as a context manager; one thread at a time.

    Enter and leave it in the same thread: the kernel ends the child together with the thread that started it.
    """

    def __init__(
        self,
        spec: ProcedureSpec,
        tables: Mapping[str, Dataset | Part],
        *,
        limits: Limits | None = None,
        level: Level = Level.PROCESS,
        stop: threading.Event | None = None,
        device: devices.DeviceKind = "cpu",
        allowance: memory.Allowance | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        """Take note of what to run; nothing starts before the context is entered.

        Args:
            spec: The procedure.
            tables: The data that it may see, by name; `train` is where Learn, Unlearn and Refit take their rows from. Of every
                other table it gets the features alone: neither labels nor ids cross.
            limits: What it may use up; the defaults of `Limits` where left out.
            level: The barriers to put up.
            stop: When set, the worker ends at once, even in the middle of a step.
            device: What it shall compute on. "cpu": it can see no GPU. "cuda": the barriers let it reach the GPUs of this
                machine; only the answer to a `Device` step shows that it can use one.
            allowance: The memory that it may hold with others in all, where `limits` names none of its own; half of what is
                free when left out.
            checkpoints: Where the checkpoints of a training are kept, and taken from; None to want none.

        Raises:
            SandboxError: If the level is that of no process.
            ValueError: If no table is named `train`.
        """
        if level is Level.NONE:
            raise SandboxError(f"a worker runs at level {Level.PROCESS} or stronger, asked for was level {level}")
        if TRAIN not in tables:
            raise ValueError(f"tables: expected one named {TRAIN}")
        self._spec, self._tables, self._limits, self._level = spec, dict(tables), limits or Limits(), level
        self._stop, self._device = stop or threading.Event(), device
        self._number = 0
        # The position of a step in the job: unlike its number, nothing that the procedure answers can shift it.
        self._position = 0
        self._checkpoints = checkpoints
        self._resumes = False
        self._watched: Watched | None = None
        self._inventory = Inventory(tables)
        # Numbered: that rows were made up, of which part of the data they are, or what a model is for, is not for it to know.
        self._called = wire.Called(tables)
        self._seeds = Seeds()
        self._buffer = b""
        self._disk_looked_at = self._memory_looked_at = -math.inf
        self._next_look_after_s = 0.0
        self._maps_looked_at, self._on_machine = -math.inf, 0
        self._in_maps_alone = 0
        """Bytes of memory that a short look did not show when the maps were read."""
        self._most_held = 0
        self._allowance = allowance or memory.default_allowance()
        self._threads = 0
        self._alone = 1
        """Processes of its group before any foreign code ran."""
        self._scratch: Scratch | None = None
        self._channel: socket.socket | None = None
        self._launched: Launched | None = None

    def __enter__(self) -> Self:
        """Start the child and wait until the procedure is built.

        Raises:
            NoDeviceError: If it shall compute on CUDA and there are no nodes of a device; nothing has run then.
            ProcedureError: If it cannot be built, or breaks a limit on the way.
            SandboxError: If the barriers cannot be put up or do not hold, the case lies where every procedure may read, or the
                machine has no room left for it: disk space, memory, processes or descriptors.
            StoppedError: If the event is set before that.
            TypeError: If the specification or a table holds what cannot cross.
        """
        try:
            self._start()
        except OSError as error:
            self.close()
            raise no_room(error) from error
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End every process and remove the scratch folder."""
        self.close()

    def run(self, step: Step) -> Answer:
        """Have the procedure do one step.

        Any failure, an interruption included, ends the worker at once.

        Raises:
            NoDeviceError: If the step is Device, and no CUDA device can be used.
            ProcedureError: If the procedure fails, breaks a limit, or gives an answer that is not one; with the tail of stderr.
            StoppedError: If the event is set before the answer came.
            ValueError: If the step names a table, a model or positions that do not exist, or is Device on the CPU.
            SandboxError: If the machine has no room left for it: disk space, memory, processes or descriptors.
            RuntimeError: If the worker is not running.
        """
        if self._channel is None or self._scratch is None:
            raise RuntimeError("the worker is not running")
        if isinstance(step, Device) and self._device != "cuda":
            raise ValueError("device: expected a worker that shall compute on CUDA")
        self._inventory.require(step)
        self._position += 1
        if not self._inventory.can(step):
            self._inventory.note(step, supported=False)
            return Answer(step, 0.0, None, None, {}, supported=False)
        try:
            return self._ask(step, self._channel, self._scratch)
        except ProcedureError as error:
            try:
                self.close()
            except SandboxError as further:
                raise SandboxError(f"{error}; {further}") from error
            if isinstance(step, Device):
                raise devices.NoDeviceError(_reason(str(error))) from error
            raise
        except OSError as error:
            self.close()
            raise no_room(error) from error
        except BaseException:
            self.close()
            raise

    def peak_bytes(self) -> int | None:
        """Measure the most memory that its processes have held until now, in bytes; None where that cannot be seen.

        Raises:
            RuntimeError: If the worker is not running.
        """
        if self._launched is None:
            raise RuntimeError("the worker is not running")
        return max(self._most_held, memory.peak_bytes(self._launched.processes())) or None

    def close(self) -> None:
        """End every process that descends from the child, and remove the scratch folder; harmless when repeated.

        Raises:
            SandboxError: If a process or a part of the scratch folder remains.
        """
        gone = True
        self._allowance.leave(id(self))
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._launched is not None:
            gone = self._launched.end()
            self._launched = None
        scratch, self._scratch = self._scratch, None
        if scratch is not None:
            scratch.remove()
        if not gone:
            raise SandboxError("a process that the procedure started could not be ended")

    def _start(self) -> None:
        if self._device == "cuda":
            devices.require_nodes()
        self._scratch = scratch = Scratch()
        for name, table in self._tables.items():
            write = scratch.write_records if name == TRAIN else scratch.write_features
            write(self._called.tables[name], table)
        entry, code = self._spec.entry, self._spec.code
        if entry is not None and code is not None:
            if self._level >= Level.CONFINED:
                require_apart(Path(entry).parent, self._device)
            entry = steps.write(code, entry, scratch.code)
        requester, code = self._spec.requester, self._spec.requester_code
        if requester is not None and code is not None:
            if self._level >= Level.CONFINED:
                require_apart(Path(requester).parent, self._device)
            requester = steps.write(code, requester, scratch.folder_of_code("requester"))
        copies: dict[str, str] = {}
        parts = [self._part(each, scratch, copies) for each in self._spec.parts]
        self._channel, theirs = socket.socketpair()
        self._channel.setblocking(False)
        self._threads = processes.threads_on_machine()
        with theirs:
            preload = preloading.modules(self._spec, tables=any(each.table is not None for each in self._tables.values()))
            self._launched = launched = self._launch(theirs.fileno(), scratch, preload)
        spec: NamedProcedure = {
            "use": self._spec.use,
            "build": _built(self._spec),
            "entry": entry,
            "settings": dict(self._spec.settings),
            "rows": None if self._spec.rows is None else dict(self._spec.rows),
            "requester": requester,
            "whole": self._spec.whole,
            "parts": parts,
        }
        hello = {
            "parent": launched.child_parent(),
            "scratch": str(scratch.path),
            "spec": spec,
            "tables": list(self._called.tables.values()),
            "limits": asdict(self._limits),
            # Behind barriers it cannot see the control groups that it is in.
            "processors": processors.count(),
            "preload": preload if self._spec.code is not None and not self._spec.whole else None,
        }
        line = json.dumps(hello, allow_nan=False).encode() + b"\n"
        if self._level > Level.PROCESS:
            self._await_walls(self._channel)
            launched.note_launcher()
        self._alone = launched.process_count()
        reply, _ = self._exchange(line, None, self._channel)
        self._resumes = reply.facts.get("resumes") is True

    def _part(self, spec: ProcedureSpec, scratch: Scratch, copies: dict[str, str]) -> Named:
        """What the child builds one of two controllers with, its code in a folder of its own.

        Classes of one file have one copy of it, as one program that runs both would load it once.
        """
        entry = spec.entry
        if entry is not None and spec.code is not None:
            file, _, name = entry.rpartition(":")
            if self._level >= Level.CONFINED:
                require_apart(Path(entry).parent, self._device)
            if file not in copies:
                copies[file] = steps.write(spec.code, entry, scratch.folder_of_code(f"part{len(copies)}")).rpartition(":")[0]
            entry = f"{copies[file]}:{name}"
        return {"build": _built(spec), "entry": entry, "settings": dict(spec.settings)}

    def _launch(self, channel: int, scratch: Scratch, preload: tuple[str, ...]) -> Launched:
        """Start the child, in a control group of its own where one can be had."""
        limit = self._limits.memory_mb
        group = control_groups.make(self._limits, self._allowance.total if limit is None else limit * MEBIBYTE)
        try:
            return Launched(self._level, channel=channel, scratch=scratch, device=self._device, group=group, preload=preload)
        except BaseException:
            if group is not None:
                group.remove()
            raise

    def _await_walls(self, channel: socket.socket) -> None:
        """Wait for the launcher's word; no foreign code runs before it."""
        try:
            said = self._receive(_Call("the sandbox", time.monotonic(), self._limits.timeout_s), channel)
        except ProcedureError as error:
            raise SandboxError(f"level {self._level} could not be had: {error} {error.stderr_tail}".rstrip()) from error
        if said != WALLS_STAND:
            raise SandboxError(f"level {self._level} could not be had: the launcher said something else")

    def _ask(self, step: Step, channel: socket.socket, scratch: Scratch) -> Answer:
        self._number += 1
        number, where = self._number, wire.place(step.name, self._number)
        parts = step.steps if isinstance(step, Together) else ()
        for each in parts or (step,):
            if isinstance(each, Learn | Unlearn | Refit):
                self._seeds.add(each.seed)
        table = self._tables[TRAIN].table
        limit = self._limits.file_mb * MEBIBYTE
        files = Files(scratch, self._inventory, self._seeds, limit=limit, accompanied=self._is_accompanied, table=table)
        saved = files.hand_over(step, number)
        resume = self._watch_checkpoints(step, number, scratch)
        reply, seconds = self._exchange(wire.request(step, number, self._called, resume=resume), step, channel)
        self._end_checkpoints(number, scratch)
        if any(self._seeds.told_by(facts) for facts in (reply.facts, *reply.parts)):
            self._fail(f"{where}: expected facts without the seed, which is a secret, found it among them")
        optional = isinstance(step, OPTIONAL) or (isinstance(step, Predict | PredictRows) and step.may_raise)
        if not reply.supported and not optional:
            self._fail(f"{where}: expected a method {step.name}, found none")
        self._inventory.note(step, supported=reply.supported)
        if isinstance(step, Device):
            devices.asserted(reply.facts)
        if not reply.supported:
            return Answer(
                step, 0.0, None, None, reply.facts if isinstance(step, Load | Predict | PredictRows) else {}, supported=False
            )
        try:
            array, content = files.collect(step, saved, str(number), where)
            if isinstance(step, Modules) and content is not None and self._launched is not None:
                mapped = self._launched.mapped_files(data=scratch.mapped)
                content = modules.joined(content, mapped, scratch=scratch.path, hide=self._seeds.hide, where=where)
            answers = []
            for index, (each, facts) in enumerate(zip(parts, reply.parts, strict=True)):
                part = f"{where}, {each.name} {index + 1} of {len(parts)}"
                found, _ = files.collect(each, -1, f"{number}.{index}", part)
                answers.append(Answer(each, seconds / len(parts), found, None, facts, supported=True))
        except ProcedureError as error:
            self._fail(str(error))
        return Answer(step, seconds, array, content, reply.facts, supported=True, parts=tuple(answers))

    def _is_accompanied(self) -> bool:
        """Whether its group has more processes than when no foreign code ran."""
        return self._launched is not None and self._launched.process_count() > self._alone

    def _watch_checkpoints(self, step: Step, number: int, scratch: Scratch) -> bool | None:
        """Hand over what is kept of a step that may write checkpoints, and whether there is any; None for any other step."""
        if self._checkpoints is None or not self._resumes or not isinstance(step, Learn | Unlearn | Refit):
            return None
        limit = self._limits.file_mb * MEBIBYTE
        self._watched = Watched(self._checkpoints, self._position, folder=scratch.answers_folder, number=number, limit=limit)
        if self._watched.content is not None:
            scratch.write_checkpoint(f"{number}{SUFFIX}", self._watched.content)
        return self._watched.content is not None

    def _end_checkpoints(self, number: int, scratch: Scratch) -> None:
        watched, self._watched = self._watched, None
        if watched is not None:
            watched.end()
            scratch.remove_checkpoint(f"{number}{SUFFIX}")

    def _exchange(self, line: bytes, step: Step | None, channel: socket.socket) -> tuple[wire.Reply, float]:
        """Send one line, which asks for a step or starts the procedure, and take exactly one; the seconds in between."""
        name = wire.START if step is None else step.name
        where, calls = wire.place(name, self._number), 1 if step is None else max(1, count(step))
        # A step that goes on from a checkpoint has taken what it had taken until then.
        spent = 0.0 if self._watched is None else self._watched.seconds
        call = _Call(where, time.monotonic() - spent, calls * self._limits.timeout_s)
        self._send(line, call, channel)
        answer = self._receive(call, channel)
        seconds = time.monotonic() - call.begin
        # A procedure can print much in the moment before it answers.
        self._look(where)
        parts = calls if isinstance(step, Together) else None
        try:
            reply = wire.parse_reply(answer, number=self._number, name=name, parts=parts)
        except ProcedureError as error:
            self._fail(str(error))
        return reply, seconds

    def _send(self, line: bytes, call: _Call, channel: socket.socket) -> None:
        """Send a line; what the child says before it is asked is an error."""
        if _ready(channel, select.POLLIN, 0.0):
            self._hear(call.where, channel)
            self._fail(f"{call.where}: expected no answer before the question, found one")
        rest = memoryview(line)
        while rest:
            self._watch(call)
            if _ready(channel, select.POLLOUT, _LOOK_S):
                try:
                    rest = rest[channel.send(rest) :]
                except OSError:
                    self._fail_ended(call.where)

    def _receive(self, call: _Call, channel: socket.socket) -> bytes:
        """The next line, and nothing behind it."""
        while b"\n" not in self._buffer:
            self._watch(call)
            # A process that the child forked can hold the channel open: the child's end counts, not the channel's.
            ended = self._launched is None or self._launched.has_ended()
            if _ready(channel, select.POLLIN, 0.0 if ended else _LOOK_S):
                self._hear(call.where, channel)
            elif ended:
                self._fail_ended(call.where)
            if len(self._buffer) > wire.LINE_BYTES:
                self._fail(f"{call.where}: expected an answer of at most {wire.LINE_BYTES} bytes, found more")
        line, _, self._buffer = self._buffer.partition(b"\n")
        if self._buffer:
            self._fail(f"{call.where}: expected one answer, found more")
        return line

    def _hear(self, where: str, channel: socket.socket) -> None:
        """Take what has arrived into the buffer."""
        try:
            received = channel.recv(65536)
        except OSError:  # a child that was killed with requests unread resets the channel
            received = b""
        if not received:
            self._fail_ended(where)
        self._buffer += received

    def _watch(self, call: _Call) -> None:
        """Examine the event, the clock and the limits."""
        if self._stop.is_set():
            raise StoppedError
        if time.monotonic() - call.begin > call.allowed_s:
            self._fail(f"{call.where} was ended: it took longer than {call.allowed_s:g} s of wall-clock time")
        self._look(call.where)

    def _look(self, where: str) -> None:
        """Examine output, memory and disk."""
        if self._scratch is None or self._launched is None:
            return
        limits = self._limits
        if self._scratch.output_bytes() > limits.output_mb * MEBIBYTE:
            self._fail(f"{where} was ended: it wrote more than {limits.output_mb} MiB to stdout and stderr")
        self._look_at_memory(where, self._launched, self._scratch)
        # A worker's processes are threads of the machine: only where these have become many is it worth counting them.
        if (
            processes.threads_on_machine() - self._threads > limits.processes
            and self._launched.process_count() > limits.processes
        ):
            self._fail(f"{where} was ended: it ran more than {limits.processes} processes at a time")
        if time.monotonic() - self._disk_looked_at > _LOOK_AT_DISK_S:
            self._disk_looked_at = time.monotonic()
            held = self._scratch.held_bytes()
            # A file that was removed and is still open takes its space all the same.
            nameless = memory.unlinked_bytes(self._launched.processes())
            # What the auditor handed over is not the procedure's.
            handed = 0 if self._watched is None else len(self._watched.content or b"")
            if held is None or held + nameless > limits.file_mb * MEBIBYTE + handed:
                self._fail(
                    f"{where} was ended: its files took more than {limits.file_mb} MiB, or were too many or too deep to count"
                )
            if self._watched is not None:
                self._watched.look()

    def _look_at_memory(self, where: str, launched: Launched, scratch: Scratch) -> None:
        """Examine memory; not so often that looking takes more than a hundredth of the time, and once a second at least.

        Memory maps are long: they are read every few seconds, and at once where something that they alone could show may have
        grown, or a short look shows too much; then for a twentieth of the time.
        """
        begin = time.monotonic()
        if begin - self._memory_looked_at < self._next_look_after_s:
            return
        limit = self._limits.memory_mb
        enough = self._allowance.total // 2 if limit is None else limit * MEBIBYTE
        running, files = launched.processes(), scratch.held_bytes() or 0 if scratch.in_memory else 0
        shown, on_machine = memory.shown_bytes(running), memory.shared_on_machine()
        held = shown + self._in_maps_alone + files
        pause, done = _SHARE_OF_LOOKING * (time.monotonic() - begin), time.monotonic()
        due = begin - self._maps_looked_at > _LOOK_AT_MAPS_S
        grown = on_machine > self._on_machine + _HIDDEN
        if due or grown or held > enough or (limit is None and self._allowance.is_exceeded_by(id(self), held)):
            whole = memory.held_bytes(running, enough=enough)
            self._maps_looked_at, self._on_machine = begin, on_machine
            self._in_maps_alone, held = max(0, whole - shown), whole + files
            pause += 0.0 if due else _SHARE_OF_MAPS * (time.monotonic() - done)
        self._most_held = max(self._most_held, held)
        self._memory_looked_at = time.monotonic()
        self._next_look_after_s = min(pause, _LOOK_AT_DISK_S)
        if limit is not None and held > limit * MEBIBYTE:
            self._fail_full(where, held)
        if limit is None and self._allowance.is_exceeded_by(id(self), held):
            self._fail_full(where, held)

    def _fail_full(self, where: str, held: int) -> NoReturn:
        """It held too much memory, `held` bytes where nobody set a limit for each job."""
        limit = self._limits.memory_mb
        if limit is not None:
            self._fail(f"{where} was ended: it held more than {limit} MiB of memory")
        found = f"{held // MEBIBYTE} MiB of memory, and together with the other jobs more than half of what was free"
        allowed = f"{self._allowance.total // MEBIBYTE} MiB"
        way_out = "set another limit for each job with memory_mb in [sandbox], or run fewer at a time with --jobs"
        self._fail(f"{where} was ended: it held {found}, {allowed}: {way_out}")

    def _fail_ended(self, where: str) -> NoReturn:
        """The child is gone, or has closed its channel: say how."""
        how = self._launched.ending(_LAST_BREATH_S) if self._launched is not None else None
        if self._launched is not None and self._launched.ran_out_of_memory():
            self._fail_full(where, self._allowance.total)
        self._fail(f"{where} ended without an answer: {how or 'it closed its channel'}")

    def _fail(self, message: str) -> NoReturn:
        """Raise a message that names no seed, with the tail of stderr, which names none either."""
        tail = self._scratch.stderr_tail() if self._scratch is not None else ""
        if self._scratch is not None and self._scratch.is_out_of_room():
            message += f"; {self._scratch.path.parent} has no space left: free some there and start again"
        raise ProcedureError(self._seeds.hide(wire.printable(message, 1000)), stderr_tail=self._seeds.hide(tail)) from None


def _reason(message: str) -> str:
    """What the child said, without the name of the step before it."""
    return message.partition(" failed: ")[2] or message


def _ready(channel: socket.socket, events: int, seconds: float) -> bool:
    """Whether the channel can be read or written within `seconds`; poll, unlike select, takes any descriptor number."""
    poller = select.poll()
    poller.register(channel, events)
    return bool(poller.poll(seconds * 1000))


def _built(spec: ProcedureSpec) -> str | None:
    """What the child builds a procedure or a controller of ours with, as a dotted name; None where none of ours is meant."""
    if spec.use is None:
        return None
    return controllers()[spec.use].build if spec.whole else learning.builders().get(spec.use)
