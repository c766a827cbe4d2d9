"""What a process holds that no object of Python refers to: generators, environment, threads, descriptors, children."""

from __future__ import annotations

import ctypes
import fcntl
import gc
import locale
import os
import pickle
import random
import resource
import signal
import stat
import struct
import sys
import termios
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from auditor.sandbox import kernel_state
from auditor.sandbox.module_contents import is_of_module

Root: TypeAlias = tuple[str, Any]
"""A name, and where a walk begins."""
_MOST_DESCRIPTORS: Final = 1024
_MOST_OF_FILE: Final = 64 * 1024 * 1024
_LIMITS: Final = sorted({value for name, value in vars(resource).items() if name.startswith("RLIMIT_")} - {resource.RLIMIT_CPU})
"""Limits, but for the one that the sandbox itself moves with every step."""
_MOST_BLOCKS: Final = 4096
"""Of 624 words, that a generator may have drawn."""


class Twister(NamedTuple):
    """The state of a Mersenne Twister: 624 words, the place in them, and a number that was drawn ahead."""

    words: bytes
    place: int
    ahead: float | None

    def advanced_to(self, later: Twister) -> tuple[int, float | None] | None:
        """How many words were drawn between two states, and what is drawn ahead; None where the later one does not follow."""
        engine = np.random.MT19937()
        words = np.frombuffer(self.words, dtype=np.uint32)
        engine.state = {"bit_generator": "MT19937", "state": {"key": words, "pos": self.place}}
        for block in range(_MOST_BLOCKS):
            if engine.state["state"]["key"].tobytes() == later.words:
                return block * len(words) + later.place - self.place, later.ahead
            engine.random_raw(len(words), output=False)
        return None


def generators() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The generators that every caller shares, by name, with what gives their state."""
    yield "random", lambda: repr(random.getstate()).encode()
    yield "numpy", lambda: pickle.dumps(np.random.get_state(legacy=False))  # noqa: NPY002 - it is examined, not used
    if (torch := sys.modules.get("torch")) is not None and hasattr(torch, "random"):
        yield "torch", lambda: bytes(torch.random.get_rng_state().numpy())


def twisters() -> dict[str, Twister]:
    """The generators of Python and NumPy that every caller shares."""
    _, (*words, place), ahead = random.getstate()
    found = {"random": Twister(np.array(words, dtype=np.uint32).tobytes(), place, ahead)}
    state: Any = np.random.get_state(legacy=False)  # noqa: NPY002 - it is examined, not used
    if state["bit_generator"] == "MT19937":
        # A number that was drawn and is used up leaves a nought.
        drawn = float(state["gauss"]) if state["has_gauss"] or state["gauss"] else None
        found["numpy"] = Twister(state["state"]["key"].tobytes(), int(state["state"]["pos"]), drawn)
    return found


def environment() -> Iterator[bytes]:
    """The environment as the kernel gave it and the process changed it, which `os.environ` need not list."""
    listed = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    place = 0
    while listed and (entry := listed[place]) is not None:
        yield entry
        place += 1


def of_thread() -> dict[Any, Any]:
    """What libraries and `threading.local` keep for the main thread; an empty dictionary where that is nothing."""
    ask = ctypes.pythonapi.PyThreadState_GetDict
    ask.restype = ctypes.py_object
    try:
        found: dict[Any, Any] = ask()
    except ValueError:
        return {}
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(found))  # the thread lent it, and ctypes takes what it is given for its own
    return found


_PR_GET_NAME: Final = 16
_PR_GET_TIMERSLACK: Final = 30
_LONGEST_NAME: Final = 16


def _mask_of_files() -> int:
    """What is taken from the modes of new files, which can only be asked for by setting it."""
    os.umask(mask := os.umask(0o077))
    return mask


def _name_of_thread() -> bytes:
    name = ctypes.create_string_buffer(_LONGEST_NAME)
    ctypes.CDLL(None).prctl(_PR_GET_NAME, name, 0, 0, 0)
    return name.value


_SETTINGS: Final[Mapping[str, Callable[[], object]]] = {
    "depth of calls": sys.getrecursionlimit,
    "turns of threads": sys.getswitchinterval,
    "digits of numbers": sys.get_int_max_str_digits,
    "origins of coroutines": sys.get_coroutine_origin_tracking_depth,
    "collector": lambda: (gc.isenabled(), gc.get_threshold(), gc.get_debug()),
    "limits": lambda: [resource.getrlimit(each) for each in _LIMITS],
    "mask of files": _mask_of_files,
    "signals": lambda: [sorted(map(int, each)) for each in (signal.pthread_sigmask(signal.SIG_BLOCK, ()), signal.sigpending())],
    "ignored signals": lambda: [int(each) for each in signal.valid_signals() if signal.getsignal(each) is signal.SIG_IGN],
    "processors": lambda: sorted(os.sched_getaffinity(0)),
    "priority": lambda: (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)),
    "name of the thread": _name_of_thread,
    "folder": lambda: os.path.relpath(Path.cwd(), os.environ.get("HOME")),
    "locale": lambda: locale.setlocale(locale.LC_ALL),
    "time of sockets": lambda: _of_module("socket", "getdefaulttimeout"),
    "size of fields": lambda: _of_module("csv", "field_size_limit"),
    "frames of allocations": lambda: _of_module("tracemalloc", "get_traceback_limit"),
    "decimals": lambda: [repr(each) for each in _contexts()],
    "frozen objects": gc.get_freeze_count,
    "slack of timers": lambda: ctypes.CDLL(None).prctl(_PR_GET_TIMERSLACK, 0, 0, 0, 0),
    "stack of threads": threading.stack_size,
    "rounding": lambda: ctypes.CDLL(None).fegetround(),
    **kernel_state.SETTINGS,
}
"""What a process or its interpreter is set to, which no object has: each may be a number of the code's own choice."""
_TIMERS: Final = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)


def _of_module(name: str, ask: str) -> object:
    """Ask a module that may not be loaded; None where it is not."""
    module = sys.modules.get(name)
    return None if module is None else vars(module)[ask]()


def _contexts() -> Iterator[Any]:
    """The contexts that the decimal numbers of a process begin with, which no collector looks into."""
    module = sys.modules.get("decimal")
    return (getattr(module, each) for each in ("DefaultContext", "BasicContext", "ExtendedContext") if module is not None)


def settings() -> dict[str, str]:
    """What the process is set to, by name, as text."""
    found = {}
    for name, ask in _SETTINGS.items():
        with suppress(OSError):
            found[name] = repr(ask())
    return found


def runs_a_timer() -> bool:
    """Whether a clock is set that runs down."""
    return any(any(signal.getitimer(each)) for each in _TIMERS)


def threads() -> tuple[list[Root], bool]:
    """What the functions of other threads hold, and whether there is a thread that no function can be seen of."""
    others = [frame for number, frame in sys._current_frames().items() if number != threading.get_ident()]  # noqa: SLF001
    found: list[Root] = []
    for frame in others:
        at: types.FrameType | None = frame
        while at is not None:
            elsewhere = None if is_of_module(at.f_globals) else at.f_globals
            found.append((f"thread in {at.f_code.co_qualname}", (dict(at.f_locals), at.f_code, elsewhere)))
            at = at.f_back
    import _thread  # noqa: PLC0415 - threading leaves out what it did not start

    return found, _thread._count() > len(others)  # noqa: SLF001


def descriptors() -> Iterator[tuple[int, os.stat_result]]:
    """What is open, by number."""
    for number in range(_MOST_DESCRIPTORS):
        with suppress(OSError):
            yield number, os.fstat(number)


def new_descriptors(known: Mapping[int, tuple[int, int, str]]) -> tuple[list[Root], bool]:
    """What files hold that were opened since, how each descriptor stands, and whether anything waits in a pipe or a socket.

    Args:
        known: Device, inode and standing of each descriptor that was open before.
    """
    found: list[Root] = []
    waiting = False
    for number, status in descriptors():
        now = (status.st_dev, status.st_ino, standing(number))
        if known.get(number) == now:
            continue
        found.append((f"descriptor {number}", f"{status.st_mode:o} {status.st_rdev} {now[2]}"))
        if known.get(number, now)[:2] != now[:2] or number not in known:
            content, unseen = _waiting_in(number, status)
            waiting = waiting or unseen
            found += [("open file", each) for each in content]
    return found, waiting


def standing(number: int) -> str:
    """How a descriptor was opened, whether a child has it, where in its file it is, and what it is set to.

    Of one that writes at the end alone the place is not told: it is how much was printed.
    """
    flags, kept = fcntl.fcntl(number, fcntl.F_GETFL), fcntl.fcntl(number, fcntl.F_GETFD)
    place = 0
    if not flags & os.O_APPEND:
        with suppress(OSError):  # a pipe or a socket
            place = os.lseek(number, 0, os.SEEK_CUR)
    return f"{flags} {kept} {place} {kernel_state.of_descriptor(number, os.fstat(number).st_mode)}".rstrip()


def _waiting_in(number: int, status: os.stat_result) -> tuple[list[bytes], bool]:
    """What a file holds, and whether there is something that cannot be read, or waits in a pipe or a socket."""
    if stat.S_ISREG(status.st_mode):
        try:
            return [os.pread(number, min(status.st_size, _MOST_OF_FILE), 0)], status.st_size > _MOST_OF_FILE
        except OSError:  # open to be written to alone
            return [], status.st_size > 0
    if stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode):
        with suppress(OSError):
            size: int = struct.unpack("i", fcntl.ioctl(number, termios.FIONREAD, b"\0" * 4))[0]
            return [], size > 0
    return [], False


def kept_by_kernel() -> dict[str, str]:
    """What the kernel keeps for the process and with what it has open, by name: of each thing that can be set, how it is set."""
    found = {}
    for name, ask in kernel_state.SETTINGS.items():
        with suppress(OSError):
            found[f"setting {name}"] = repr(ask())
    for number, status in descriptors():
        if said := kernel_state.of_descriptor(number, status.st_mode):
            found[f"descriptor {number}"] = said
    return found


def has_children() -> bool:
    """Whether the process has started others that it has not waited for."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
