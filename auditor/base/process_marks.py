"""Whose is this temporary file? Its name says so: the process that made it, by number and start.

A process number alone comes round again; together with the moment at which the process started, in the kernel's own ticks,
it names one process for as long as the machine runs. So what a killed auditor left behind differs from what a living one
still uses. Two machines, or two containers that number their processes apart, cannot tell each other's.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

MARK = r"([0-9a-f]{1,8})-([0-9a-f]{1,16})"
"""A mark inside a longer pattern: two groups, number and start. Hexadecimal: a socket's path has room for 107 bytes."""
NAME = "auditor"
"""What the names of temporary folders begin with."""
_PROC = Path("/proc")
_ENDED = {"Z", "X"}


def mark() -> str:
    """The mark of this process, to be part of a name: `<number>-<start>`."""
    pid = os.getpid()
    return f"{pid:x}-{_start(pid) or 0:x}"


def prefix() -> str:
    """How the name of every temporary folder of this process begins: `auditor-<number>-<start>-`."""
    return f"{NAME}-{mark()}-"


def has_ended(marked: str) -> bool:
    """Whether the process of a mark has ended; False where that cannot be told.

    Raises:
        ValueError: If it is no mark.
    """
    parts = re.fullmatch(MARK, marked)
    if parts is None:
        raise ValueError(f"expected <number>-<start>, found {marked!r}")
    if _start(os.getpid()) is None:
        return False
    return _start(int(parts[1], 16)) != int(parts[2], 16)


def _start(pid: int) -> int | None:
    """When a running process started, in clock ticks since the machine did (proc_pid_stat(5), field 22); None for none."""
    try:
        # The command, in parentheses, may itself hold spaces and parentheses.
        fields = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        return None if fields[0] in _ENDED else int(fields[19])
    except (OSError, IndexError):
        return None
