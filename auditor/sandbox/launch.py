"""The child process as the auditor sees it: started in a session of its own, waited for, and ended with all that it started.

At levels *confined* and *namespaced* it is forked from a process that has loaded its libraries already, where that can be had;
otherwise a program is executed for it. It goes behind the same barriers either way: into namespaces that bubblewrap makes for it
alone, where it is to have them.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Container, Sequence
from typing import Final

from auditor.sandbox import devices, processes
from auditor.sandbox.control_groups import Group
from auditor.sandbox.executed import Executed
from auditor.sandbox.forked import forked_child
from auditor.sandbox.levels import Level
from auditor.sandbox.scratch import Scratch

_HINTS: Final = {signal.SIGKILL: ", perhaps because memory ran out", signal.SIGXCPU: ", too much processor time"}
_SIGNALLED: Final = 128  # bubblewrap's exit status for a child that was killed is this and the signal's number


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
        forked = forked_child(level, scratch, channel, group, preload) if device == "cpu" else None
        self._process = forked or Executed(level, channel, scratch, group, device)
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
        if self._level is Level.NAMESPACED and isinstance(self._process, Executed):
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
        bubblewrap = self._level is Level.NAMESPACED and isinstance(self._process, Executed)
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


def _killed(number: int) -> str:
    try:
        killer = signal.Signals(number)
    except ValueError:  # a real-time signal
        return f"killed by signal {number}"
    return f"killed by {killer.name}{_HINTS.get(killer, '')}"
