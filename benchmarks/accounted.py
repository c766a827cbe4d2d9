"""Processor time of a command with everything that it started, as the kernel's control groups count it.

`getrusage` counts a process only once its parent has waited for it. A sandbox kills workers that nobody waits for, and their
time, nearly all of a long audit's, is missing there.

Source: Linux `Documentation/admin-guide/cgroup-v1/cpuacct.rst` (cpuacct.usage, nanoseconds), `cgroup-v2.rst` (cpu.stat,
usage_usec).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FIRST: Final = Path("/sys/fs/cgroup/cpuacct")
"""Of the first version, with an accounting of its own."""
_SECOND: Final = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
"""Of the second version, alone or beside the first."""


@dataclass(frozen=True, slots=True)
class Account:
    """A control group for one command."""

    folder: Path
    """Empty where this machine lets nobody make one."""

    def entering(self, words: Sequence[str]) -> list[str]:
        """The command, which enters the group before it begins."""
        if self.folder == Path():
            return list(words)
        return ["/bin/sh", "-c", 'echo 0 > "$0" && exec "$@"', str(self.folder / "cgroup.procs"), *words]

    def seconds(self) -> float | None:
        """Processor time of all that was in the group, ended or not; None without a group."""
        if self.folder == Path():
            return None
        if (usage := self.folder / "cpuacct.usage").exists():
            return int(usage.read_text()) / 1e9
        lines = (self.folder / "cpu.stat").read_text().splitlines()
        return next(int(line.split()[1]) / 1e6 for line in lines if line.startswith("usage_usec "))


@contextmanager
def account() -> Iterator[Account]:
    """Make a group, and remove it once all that was in it has ended."""
    made = Account(_made())
    try:
        yield made
    finally:
        if made.folder != Path():
            _removed(made.folder)


def _made() -> Path:
    name = f"auditor-bench-{os.getpid()}-{time.monotonic_ns()}"
    for parent, count in ((_FIRST, "cpuacct.usage"), *((each, "cpu.stat") for each in _SECOND)):
        folder = parent / name
        with suppress(OSError):
            folder.mkdir()
            if (folder / count).exists() and os.access(folder / "cgroup.procs", os.W_OK):
                return folder
            folder.rmdir()
    return Path()


def _removed(folder: Path) -> None:
    """What is killed leaves its group a moment later; what stays for seconds keeps its group."""
    for _ in range(50):
        with suppress(OSError):
            folder.rmdir()
            return
        time.sleep(0.1)
