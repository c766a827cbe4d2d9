"""The child process as the auditor sees it: started in a session of its own, waited for, and ended with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from auditor.sandbox import processes

_HINTS = {signal.SIGKILL: ", perhaps because memory ran out", signal.SIGXCPU: ", too much processor time"}


class Launched:
    """A running child, the leader of its own session and process group.

    It is not reaped before the group is killed: until then its number cannot become another process's.
    """

    def __init__(self, *, channel: int, stdout: int, stderr: int, home: Path) -> None:
        """Start the child.

        Args:
            channel: The descriptor that it talks on; it is passed on under the same number.
            stdout: Where its standard output goes.
            stderr: Where its standard error goes.
            home: Its home, working directory and folder for temporary files.
        """
        self._marker = f"HOME={home}"
        self._popen = subprocess.Popen(
            # Not -I: it would also ignore PYTHONHASHSEED. -P and -s keep the working directory and the user's own packages
            # out, and of the variables that Python reads the environment holds none but those in `environment`.
            [sys.executable, "-P", "-s", "-m", "auditor.sandbox.child", str(channel)],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            pass_fds=(channel,),
            env=environment(home),
            cwd=home,
            start_new_session=True,
        )

    def resident_bytes(self) -> int:
        """Resident memory of its process group, in bytes."""
        return processes.resident_bytes(self._popen.pid)

    def has_ended(self) -> bool:
        """Whether the child itself has ended, whatever became of the processes that it started."""
        return os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def ending(self, patience_s: float) -> str | None:
        """How the child ended, waiting for it at most `patience_s` seconds; None where it still runs."""
        deadline = time.monotonic() + patience_s
        while (status := os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is None:
            if time.monotonic() >= deadline:
                return None
            time.sleep(0.005)
        if status.si_code == os.CLD_EXITED:
            return f"exit status {status.si_status}"
        try:
            killer = signal.Signals(status.si_status)
        except ValueError:  # a real-time signal
            return f"killed by signal {status.si_status}"
        return f"killed by {killer.name}{_HINTS.get(killer, '')}"

    def end(self) -> bool:
        """Kill everything that descends from the child, and reap it; whether all of it is gone."""
        gone = processes.end(self._popen.pid, self._marker)
        self._popen.wait()
        return gone


def environment(home: Path) -> dict[str, str]:
    """The whole environment of a child: nothing of the auditor's own, and every switch that makes runs repeat."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "TMPDIR": str(home),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONFAULTHANDLER": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
    }
