"""What a process holds that no object of Python refers to: generators, environment, threads, descriptors, children."""

from __future__ import annotations

import ctypes
import fcntl
import os
import pickle
import random
import stat
import struct
import sys
import termios
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from auditor.sandbox.module_contents import is_of_module

Root: TypeAlias = tuple[str, Any]
"""A name, and where a walk begins."""
_MOST_DESCRIPTORS: Final = 1024
_MOST_OF_FILE: Final = 64 * 1024 * 1024
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


def new_descriptors(known: Mapping[int, tuple[int, int]]) -> tuple[list[Root], bool]:
    """What files hold that were opened since, and whether anything waits in a pipe or a socket.

    Args:
        known: Device and inode of each descriptor that was open before.
    """
    found: list[Root] = []
    waiting = False
    for number, status in descriptors():
        if known.get(number) == (status.st_dev, status.st_ino):
            continue
        if stat.S_ISREG(status.st_mode):
            try:
                content = os.pread(number, min(status.st_size, _MOST_OF_FILE), 0)
                waiting = waiting or status.st_size > _MOST_OF_FILE
            except OSError:  # open to be written to alone
                waiting = waiting or status.st_size > 0
                continue
            found.append(("open file", content))
        elif stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode):
            with suppress(OSError):
                size = struct.unpack("i", fcntl.ioctl(number, termios.FIONREAD, b"\0" * 4))[0]
                waiting = waiting or size > 0
    return found, waiting


def has_children() -> bool:
    """Whether the process has started others that it has not waited for."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
