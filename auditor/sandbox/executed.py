"""A child for which a program is executed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from auditor.base.errors import SandboxError
from auditor.base.templates import Ending
from auditor.sandbox import bubblewrap, devices
from auditor.sandbox.child_plan import environment, opened, plan
from auditor.sandbox.control_groups import Group
from auditor.sandbox.levels import Level
from auditor.sandbox.scratch import Scratch


class Executed:
    """A child for which a program was executed."""

    def __init__(self, level: Level, channel: int, scratch: Scratch, group: Group | None, device: devices.DeviceKind) -> None:
        arguments = command(level, channel, scratch, device)
        self._popen = subprocess.Popen(
            arguments if group is None else group.entered_by(arguments),
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


def command(level: Level, channel: int, scratch: Scratch, device: devices.DeviceKind) -> list[str]:
    """The command that starts a child.

    Raises:
        SandboxError: If a program that the barriers need is missing, or the level is that of no process.
    """
    # Not -I: it would also ignore PYTHONHASHSEED. -P and -s keep the working directory and the user's own packages
    # out, and of the variables that Python reads the environment holds none but those in `environment`.
    python = [sys.executable, "-P", "-s", "-m"]
    if level is Level.PROCESS:
        return [*python, "auditor.sandbox.child", str(channel)]
    if level is Level.NONE:
        raise SandboxError(f"a worker runs at level {Level.PROCESS} or stronger, asked for was level {level}")
    left_open = opened(scratch, device)
    namespaces = level is Level.NAMESPACED
    told = plan(level, channel, None if namespaces else os.getpid(), left_open, scratch, device)
    around = bubblewrap.command(left_open, str(scratch.home)) if namespaces else []
    return [*around, *python, "auditor.sandbox.launcher", json.dumps(told)]
