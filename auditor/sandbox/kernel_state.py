"""What the kernel keeps for a process and for what it has open, and gives back when asked: numbers of the code's own choice.

A counter, a size or a signal that is ignored lies in no object and in no file. What is listed here can be asked for without
changing it. What cannot stays unseen: the upper half of numbers of `epoll`, filters of a socket, floating-point flags, registers,
which pages of a mapping were touched, and whatever lies with another process.
"""

from __future__ import annotations

import ctypes
import fcntl
import re
import socket
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

_HERE: Final = Path("/proc/self")
_SET: Final = re.compile(
    r"((?:eventfd-count|eventfd-semaphore|sigmask|clockid|settime flags|it_interval|ticks|inotify wd):.*"
    r"|tfd: *\d+ events: *\w+ data: *)(?:\w*?(\w{1,8})\b)?"
)
"""What a process sets of a descriptor: counters, sets of signals, clocks, what is waited for. No place in memory, no number of a
file and nothing that runs by itself is among it. Of a number that `epoll` gives back the upper half is left out: Python leaves it
to chance."""
_PIPE_SIZE: Final = 1032
"""F_GETPIPE_SZ."""
_OPTIONS: Final = (
    *(1, 2, 3, *range(5, 17), *range(18, 22), 29, 34, 36, *range(40, 48)),
    *(51, 60, 61, 67, 68, 69, 70, 72, 73, 74, 75),
)
"""Options of a socket that say the same in every process. Left out are its last error, which asking takes away, the other end's
numbers, cookies, and on which processor something came in."""
_MOST_BYTES: Final = 64
_SIGNALS: Final = range(1, 65)
_IGNORED: Final = 1


class _Action(ctypes.Structure):
    """`struct sigaction` of the C library on Linux."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ulong * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def of_descriptor(number: int, mode: int) -> str:
    """What an open descriptor is set to, beyond how it was opened; nothing where there is nothing to set.

    Args:
        number: Of the descriptor.
        mode: Its `st_mode`.
    """
    found: list[object] = []
    with suppress(OSError):
        lines = (_HERE / "fdinfo" / str(number)).read_text(encoding="ascii", errors="replace")
        found += ["".join(map(str.strip, each)) for each in _SET.findall(lines)]
    if stat.S_ISFIFO(mode):
        with suppress(OSError):
            found.append(fcntl.fcntl(number, _PIPE_SIZE))
    if stat.S_ISSOCK(mode):
        found += _options(number)
    return " ".join(map(str, found))


def _options(number: int) -> Iterator[str]:
    """Whatever a socket answers about itself."""
    ask = ctypes.CDLL(None).getsockopt  # an object of its own each time: one that stays would change by being asked
    answer, size = ctypes.create_string_buffer(_MOST_BYTES), ctypes.c_uint()
    for option in _OPTIONS:
        size.value = _MOST_BYTES
        if ask(number, socket.SOL_SOCKET, option, answer, ctypes.byref(size)) == 0:
            yield f"{option}:{answer.raw[: size.value].hex()}"


def _signals() -> list[tuple[int, str, int, int]]:
    """What happens at each signal. Python knows of what it was asked to set itself, and of no call of the C library."""
    ask, found, action = ctypes.CDLL(None).sigaction, [], _Action()
    for number in _SIGNALS:
        if ask(number, None, ctypes.byref(action)) == 0 and (action.handler or action.flags or any(action.mask)):
            what = "ignored" if action.handler == _IGNORED else "handled" if action.handler else "default"
            found.append((number, what, action.flags, int(action.mask[0])))
    return found


def _masks() -> list[str]:
    """The kernel's own list of signals that are blocked, ignored or handled, those of the C library among them."""
    lines = (_HERE / "status").read_text(encoding="ascii", errors="replace").splitlines()
    return [line for line in lines if line.startswith(("SigBlk", "SigIgn", "SigCgt"))]


def _pointed_at(option: int) -> Callable[[], int]:
    """What `prctl` writes down in answer to an option."""

    def ask() -> int:
        answer = ctypes.c_int()
        ctypes.CDLL(None).prctl(option, ctypes.byref(answer), 0, 0, 0)
        return answer.value

    return ask


def _returned(*options: int) -> Callable[[], list[int]]:
    """What `prctl` answers to options."""
    return lambda: [int(ctypes.CDLL(None).prctl(each, 0, 0, 0, 0)) for each in options]


def _text(name: str) -> Callable[[], str]:
    return lambda: (_HERE / name).read_text(encoding="ascii", errors="replace")


_KEEPS_CAPABILITIES, _IS_DUMPABLE, _SECURE, _MACHINE_CHECKS, _HUGE_PAGES = 7, 3, 27, 34, 42
SETTINGS: Final[Mapping[str, Callable[[], object]]] = {
    "signals of C": _signals,
    "signals of the kernel": _masks,
    "signal at the parent's end": _pointed_at(2),
    "orphans": _pointed_at(37),
    "counter of cycles": _pointed_at(25),
    "flags of the process": _returned(_IS_DUMPABLE, _KEEPS_CAPABILITIES, _SECURE, _MACHINE_CHECKS, _HUGE_PAGES),
    "timers of the kernel": _text("timers"),
    "what a dump holds": _text("coredump_filter"),
    "order of ends": _text("oom_score_adj"),
}
"""What the kernel keeps for the process, by name, each with what asks for it."""
