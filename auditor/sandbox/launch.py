"""The child process as the auditor sees it: started in a session of its own, waited for, and ended with all that it started.

At levels *confined* and *namespaced* it is forked from a process that has loaded its libraries already, where that can be had;
otherwise a program is executed for it. It goes behind the same barriers either way: into namespaces that bubblewrap makes for it
alone, where it is to have them.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from auditor.base.errors import SandboxError
from auditor.base.templates import Ending, Forked
from auditor.sandbox import devices, fork_server, namespaces, processes
from auditor.sandbox.allowed_paths import Openings, accesses, openings, temporary_folder
from auditor.sandbox.control_groups import Group
from auditor.sandbox.joining import JOINED
from auditor.sandbox.landlock import READ_AND_WRITE
from auditor.sandbox.levels import Level
from auditor.sandbox.scratch import Scratch

# Bubblewrap: user, process, network, message and mount namespaces around the launcher, where the machine allows them.
# Inside, only what is opened exists, at the same paths, and read-only but for the folders of the procedure; `/tmp` and
# `/dev/shm` are the worker's own and end with it. The other barriers hold within these as well.
SHARED_MEMORY = "/dev/shm"  # noqa: S108 - the namespace's own
"""Where semaphores and tensors are shared between the processes of one worker."""

_SHARED_BYTES = 1024 * 1024 * 1024
_BUILT_IN = ("/dev", "/proc")


def bubblewrap_command(opened: Openings, working: str, root: Path | None = None) -> list[str]:
    """The command that starts another one, given behind it, in namespaces of its own.

    No `--new-session`: the auditor starts bubblewrap in a session without a terminal, which is what that option is for, and
    finds the processes of a worker by their session.

    Args:
        opened: What exists inside.
        working: The working directory.
        root: The folder that everything is mounted in, which has a place for each; one that exists inside alone when left out.

    Raises:
        SandboxError: If bubblewrap is not installed.
    """
    namespaces = ["user", "pid", "net", "ipc", "uts"]
    arguments = [_bubblewrap(), *(f"--unshare-{name}" for name in namespaces), "--unshare-cgroup-try"]
    arguments += ["--die-with-parent", "--cap-drop", "ALL", "--hostname", fork_server.HOST]
    if root is not None:
        arguments += ["--ro-bind", str(root), "/"]
    apart = () if root is None else (str(temporary_folder()),)
    arguments += ["--proc", "/proc", "--dev", "/dev", "--size", str(_SHARED_BYTES), "--tmpfs", SHARED_MEMORY]
    arguments += [each for folder in dict.fromkeys(("/tmp", *apart)) for each in ("--tmpfs", folder)]  # noqa: S108
    for path in _parents_first((*opened.programs, *opened.facts, *opened.inputs)):
        if not path.startswith(_BUILT_IN):
            arguments += _shown(path, linked=root is None)
    for path in opened.accelerators:
        arguments += ["--dev-bind-try", path, path]
    for path in opened.outputs:
        arguments += ["--bind", path, path]
    return [*arguments, "--chdir", working, "--"]


def _bubblewrap() -> str:
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxError("bubblewrap (the program bwrap) is not installed")
    return program


def _shown(path: str, *, linked: bool) -> list[str]:
    """A system folder that is a link into another stays one; it is there already where nothing is to be made."""
    link = namespaces.link_to(path)
    if link is None:
        return ["--ro-bind-try", path, path]
    return ["--symlink", link, path] if linked else []


def _parents_first(paths: Iterable[str]) -> list[str]:
    return sorted(set(paths))


_HINTS = {signal.SIGKILL: ", perhaps because memory ran out", signal.SIGXCPU: ", too much processor time"}
_JOINING_S = 20.0
_LONGEST_ANSWER = 500
_SIGNALLED = 128  # bubblewrap's exit status for a child that was killed is this and the signal's number


class Launched:
    """A running child, the leader of its own session and process group.

    It is not reaped before the group is killed: until then its number cannot become another process's.
    """

    def __init__(
        self,
        level: Level,
        *,
        channel: int,
        scratch: Scratch,
        device: devices.DeviceKind = "cpu",
        group: Group | None = None,
        preload: Sequence[str] = (),
    ) -> None:
        """Start the child.

        Args:
            level: The barriers to put up.
            channel: The descriptor that it talks on; it is passed on under the same number.
            scratch: Its folders, and where its output goes.
            device: What it shall compute on.
            group: The control group that it runs in, which ends with it.
            preload: Modules that it will import in any case; see `preloading`.

        Raises:
            SandboxError: If a program that the barriers need is missing, or the level is that of no process.
        """
        self._level = level
        self._marker = f"HOME={scratch.home}"
        self._group = group
        self._launcher: set[processes.MappedFile] = set()
        forked = _forked(level, scratch, channel, group, preload) if device == "cpu" else None
        self._process = forked or _Executed(level, channel, scratch, group, device)
        self.pid = self._process.pid
        """Its number, which is that of its process group and session as well."""

    def child_parent(self) -> int | None:
        """The process that the child should find as its parent; None where it has process numbers of its own."""
        return self._process.parent

    def processes(self) -> set[int]:
        """The living processes that descend from it, as far as they can be found."""
        left = processes.strays(self._marker) if self._level is Level.PROCESS else []
        inside = self._group.processes() if self._group is not None else ()
        return {*processes.members(self.pid), *left, *inside}

    def process_count(self) -> int:
        """How many living processes its group has."""
        return len(processes.members(self.pid))

    def note_launcher(self) -> None:
        """Take note of what bubblewrap has mapped into its own memory; to be called before any foreign code runs.

        Two processes of the group run bubblewrap and nothing else until the end: the leader, which the auditor started, and its
        one child, the first process inside. What loses its parent inside comes to that first process, so that no process of the
        procedure's ever is a child of the leader. A worker that joined namespaces is in another group than bubblewrap.
        """
        if self._level is Level.NAMESPACED and isinstance(self._process, _Executed):
            self._launcher = {file for pid in processes.leading(self.pid) for file in processes.files_in(pid)}

    def mapped_files(self, *, data: Container[str] = ()) -> set[str]:
        """The files that its group has mapped into memory, by path; what the kernel shows, whatever the processes say.

        What the launcher had mapped before foreign code ran does not count in the launcher's own processes. It does in any other,
        and so does anything else under its name.

        Args:
            data: Paths that count only where a process may execute what they hold.
        """
        return processes.mapped_files(self.pid, data=data, known=self._launcher)

    def has_ended(self) -> bool:
        """Whether the child itself has ended, whatever became of the processes that it started."""
        return self._process.ending() is not None

    def ending(self, patience_s: float) -> str | None:
        """How the child ended, waiting for it at most `patience_s` seconds; None where it still runs."""
        deadline = time.monotonic() + patience_s
        while (ending := self._process.ending()) is None:
            if time.monotonic() >= deadline:
                return None
            time.sleep(0.005)
        if ending.code != os.CLD_EXITED:
            return _killed(ending.status)
        bubblewrap = self._level is Level.NAMESPACED and isinstance(self._process, _Executed)
        if bubblewrap and ending.status > _SIGNALLED:
            return f"exit status {ending.status}, which means {_killed(ending.status - _SIGNALLED)}"
        return f"exit status {ending.status}"

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended it because its control group held too much memory."""
        return self._group is not None and self._group.ran_out_of_memory()

    def end(self) -> bool:
        """Kill everything that descends from the child, and reap it; whether all of it is gone."""
        if self._group is not None:
            self._group.end()
        gone = processes.end(self.pid, self._marker)
        self._process.bury()
        return gone if self._group is None else self._group.remove() and gone


class _Executed:
    """A child for which a program was executed."""

    def __init__(self, level: Level, channel: int, scratch: Scratch, group: Group | None, device: devices.DeviceKind) -> None:
        command = _command(level, channel, scratch, device)
        self._popen = subprocess.Popen(
            command if group is None else group.entered_by(command),
            stdin=subprocess.DEVNULL,
            stdout=scratch.stdout,
            stderr=scratch.stderr,
            pass_fds=(channel,),
            env=environment(scratch.home, device),
            cwd=scratch.home,
            start_new_session=True,
        )
        self.pid = self._popen.pid
        # Between no barriers and namespaces the launcher splits in two, and its outer half is the parent.
        parents = {Level.PROCESS: os.getpid(), Level.NAMESPACED: None}
        self.parent = parents.get(level, self.pid)

    def ending(self) -> Ending | None:
        """How it ended; None where it runs. It is not reaped: until then its number cannot become another process's."""
        status = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return None if status is None else Ending(status.si_code, status.si_status)

    def bury(self) -> None:
        """Reap it."""
        self._popen.wait()


class _Joined:
    """A child that was forked, and joined namespaces; it leads its group, and bubblewrap one of its own."""

    parent = None

    def __init__(self, forked: Forked, around: namespaces.Namespaces) -> None:
        self.pid = forked.pid
        self._forked, self._around = forked, around

    def ending(self) -> Ending | None:
        """How it ended; None where it runs."""
        return self._forked.ending()

    def bury(self) -> None:
        """End the namespaces, with everything in them, and let its number go."""
        self._around.end()
        self._forked.bury()


class _Joining:
    """Whether workers of this process join namespaces, and why not."""

    lock = threading.Lock()
    refused: ClassVar[dict[tuple[str, ...] | None, str]] = {}
    """By the modules that are loaded; by None what holds for all."""


def refuse_joining(why: str) -> None:
    """Have no worker of this process join namespaces any more: one is executed within for each."""
    with _Joining.lock:
        _Joining.refused[None] = why


def allow_joining() -> None:
    """Take that back."""
    with _Joining.lock:
        _Joining.refused.pop(None, None)


def not_joined() -> str | None:
    """Why workers are executed within namespaces, all or some, and do not join them; None where that is not known to be so."""
    with _Joining.lock:
        return next(iter(_Joining.refused.values()), None)


def _forked(level: Level, scratch: Scratch, channel: int, group: Group | None, preload: Sequence[str]) -> Forked | _Joined | None:
    """Fork the child where its level allows; None where none can be forked."""
    if level is Level.CONFINED:
        return _fork(_plan(level, channel, None, _opened(scratch), scratch), channel, scratch, group, preload)
    if level is not Level.NAMESPACED:
        return None
    with _Joining.lock:
        if {None, tuple(preload)} & _Joining.refused.keys():
            return None
    try:
        return _joined(scratch, channel, group, preload)
    except namespaces.NoNamespacesError as error:
        with _Joining.lock:
            _Joining.refused[tuple(preload)] = str(error)
        return None


def _joined(scratch: Scratch, channel: int, group: Group | None, preload: Sequence[str]) -> _Joined:
    """Fork the child into namespaces of its own.

    Raises:
        NoNamespacesError: If it cannot join any.
    """
    opened = _opened(scratch)
    _bubblewrap()
    try:
        root = namespaces.root(opened)
    except OSError as error:  # what is executed needs no such folder
        raise namespaces.NoNamespacesError(f"{error.filename}: {error.strerror}") from error
    command = bubblewrap_command(opened, str(scratch.home), root)
    around = namespaces.Namespaces(
        command if group is None else group.entered_by(command), environment(scratch.home), scratch.home
    )
    try:
        forked = _fork(_plan(Level.NAMESPACED, channel, None, opened, scratch), channel, scratch, group, preload, around, root)
    except BaseException:
        around.end()
        raise
    if forked is None:
        around.end()
        raise namespaces.NoNamespacesError("the process that workers are forked from did not load")
    return _Joined(forked, around)


def _fork(
    plan: dict[str, object],
    channel: int,
    scratch: Scratch,
    group: Group | None,
    preload: Sequence[str],
    around: namespaces.Namespaces | None = None,
    root: Path | None = None,
) -> Forked | None:
    """Fork the child, tell it its plan, and wait until it has joined what is around it; None where none can be forked.

    Raises:
        NoNamespacesError: If it has not joined.
    """
    home = str(scratch.home)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        handed = (channel, scratch.stdout, scratch.stderr, theirs.fileno(), *(around.descriptors if around else ()))
        forked = fork_server.fork(preload, environment(Path("/")), handed, root)
        if forked is None:
            return None
        theirs.close()
        told = {
            "plan": plan,
            "template": forked.parent,
            "home": home,
            "environment": {"HOME": home, "TMPDIR": home},
            "namespaces": around.names if around else [],
        }
        try:
            if group is not None:
                group.enter(forked.pid)
            ours.sendall(json.dumps(told).encode() + b"\n")
            if around is not None:
                around.close()
                _await_joined(ours)
        except BaseException:
            forked.kill()
            raise
    return forked


def _await_joined(answering: socket.socket) -> None:
    answering.settimeout(_JOINING_S)
    try:
        with answering.makefile("rb") as lines:
            answer = lines.readline(_LONGEST_ANSWER)
    except OSError as error:
        raise namespaces.NoNamespacesError(f"a worker could not join: {error.strerror or error}") from error
    if answer != JOINED:
        raise namespaces.NoNamespacesError(f"a worker could not join: {answer.decode('utf-8', 'replace').strip() or 'it ended'}")


def _opened(scratch: Scratch, device: devices.DeviceKind = "cpu") -> Openings:
    return openings(inputs=(scratch.code, scratch.inputs), outputs=(scratch.answers, scratch.home), device=device)


def _command(level: Level, channel: int, scratch: Scratch, device: devices.DeviceKind) -> list[str]:
    # Not -I: it would also ignore PYTHONHASHSEED. -P and -s keep the working directory and the user's own packages
    # out, and of the variables that Python reads the environment holds none but those in `environment`.
    python = [sys.executable, "-P", "-s", "-m"]
    if level is Level.PROCESS:
        return [*python, "auditor.sandbox.child", str(channel)]
    if level is Level.NONE:
        raise SandboxError(f"a worker runs at level {Level.PROCESS} or stronger, asked for was level {level}")
    opened = _opened(scratch, device)
    namespaces = level is Level.NAMESPACED
    plan = _plan(level, channel, None if namespaces else os.getpid(), opened, scratch, device)
    around = bubblewrap_command(opened, str(scratch.home)) if namespaces else []
    return [*around, *python, "auditor.sandbox.launcher", json.dumps(plan)]


def _plan(
    level: Level,
    channel: int,
    parent: int | None,
    opened: Openings,
    scratch: Scratch,
    device: devices.DeviceKind = "cpu",
) -> dict[str, object]:
    """What `walls.Plan` takes."""
    namespaces = level is Level.NAMESPACED
    shared = ((SHARED_MEMORY, READ_AND_WRITE),) if namespaces else ()
    return {
        "channel": channel,
        "parent": parent,
        "files": level >= Level.CONFINED,
        "namespaces": namespaces,
        "opened": [*accesses(opened), *shared],
        "names_threads": device == "cuda",
        "witness": str(scratch.witness),
    }


def _killed(number: int) -> str:
    try:
        killer = signal.Signals(number)
    except ValueError:  # a real-time signal
        return f"killed by signal {number}"
    return f"killed by {killer.name}{_HINTS.get(killer, '')}"


def environment(home: Path, device: devices.DeviceKind = "cpu") -> dict[str, str]:
    """The whole environment of a child: nothing of the auditor's own, and every switch that makes runs repeat."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "LOGNAME": "procedure",  # the list of users is out of reach
        "TMPDIR": str(home),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONFAULTHANDLER": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        # Where processes can share memory joblib counts processors, and libraries that ask it, LightGBM for one, train otherwise.
        "JOBLIB_MULTIPROCESSING": "0",
        "MKL_CBWR": "AUTO",  # one path through the arithmetic, wherever in memory the numbers lie
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
        **devices.environment(device),
    }
