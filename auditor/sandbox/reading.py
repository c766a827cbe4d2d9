"""The process in which files that nobody vouches for are read: it limits itself, reads questions on stdin, and answers on stdout.

`auditor.base.limited` starts it and says what it is asked. It runs no code of a case. Of a file it may take so much memory and
processor time; it has no network, writes nowhere but in a folder of its own, and ends with the auditor.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from auditor.sandbox import kernel, landlock, seccomp

Answers: TypeAlias = Callable[[Mapping[str, Any], bytes], Any]
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_LARGEST_FILE: Final = 1 << 36
"""Bytes of a file that it may write: a database that is written again is limited by its own size, and by its time."""


def main(arguments: list[str]) -> None:
    """Answer questions until there are no more.

    Args:
        arguments: The function that answers, as `module:name`, and the process to end with.
    """
    serve, parent = arguments
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == int(parent):
        answer(serve, os.fdopen(0, "rb"))


def answer(serve: str, questions: BufferedReader) -> None:
    """Take what the function that answers is given, go behind the limits, and answer until there are no more questions."""
    with suppress(OSError):
        # Where the machine's memory runs out and much of it is here, it is this process that ends, not the auditor.
        Path("/proc/self/oom_score_adj").write_text("300", encoding="ascii")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no reply
    module, _, name = serve.partition(":")
    answers: Answers = getattr(import_module(module), name)(_given(questions))
    _wall_in()
    _reply(replies, b"ready")
    while (header := received(questions)) is not None:
        asked = json.loads(header)
        _limit(asked["memory"], asked["seconds"])
        _reply(replies, json.dumps(_answer(answers, asked, questions)).encode())


def received(questions: IO[bytes]) -> bytes | None:
    """The next message; None where there is none."""
    length = questions.read(8)
    return questions.read(int.from_bytes(length, "little")) if len(length) == 8 else None


def _given(questions: BufferedReader) -> Any:
    """What the auditor gives: it alone can write here."""
    held, count = received(questions), received(questions)
    if held is None or count is None:
        raise SystemExit(1)
    return pickle.loads(held, buffers=[_array(questions) for _ in range(int(count))])  # noqa: S301  (the auditor's own)


def _array(questions: BufferedReader) -> bytearray:
    """What becomes an array's memory, which may be written to."""
    found = bytearray(int.from_bytes(questions.read(8), "little"))
    questions.readinto(found)
    return found


def _answer(answers: Answers, asked: Mapping[str, Any], questions: IO[bytes]) -> dict[str, Any]:
    try:
        return {"answer": answers(asked["question"], questions.read(asked["size"]))}
    except MemoryError:
        return {"cannot": "memory"}
    except Exception as error:  # noqa: BLE001  (a hostile file may make a library raise anything)
        return {"cannot": type(error).__name__}


def _limit(memory: int, seconds: int) -> None:
    """Limit what this question may take, on top of what was taken before."""
    taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * _PAGE
    used = resource.getrusage(resource.RUSAGE_SELF)
    for what, most in ((resource.RLIMIT_AS, taken + memory), (resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + seconds)):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _wall_in() -> None:
    """Give up privileges, network, and writing; where the system offers no such thing, limits alone are left."""
    for what, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, _LARGEST_FILE)):
        resource.setrlimit(what, (most, most))
    architecture = kernel.own()
    if architecture is None:
        return
    handled = False
    # Each by itself: where one is not to be had, the others stand.
    with suppress(OSError):
        # Root's leave to read what others own stays: it is what the auditor itself may read.
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    with suppress(OSError):
        offered = landlock.version(architecture.numbers)
        if offered:
            own = tempfile.gettempdir()
            opened = [("/", landlock.READ_AND_EXECUTE), (own, landlock.READ_AND_WRITE), ("/dev/null", landlock.DEVICE)]
            landlock.restrict(architecture.numbers, offered, opened)
        handled = offered >= landlock.TRUNCATION_SINCE
    with suppress(OSError):
        seccomp.install(architecture, seccomp.program(architecture, own_namespaces=False, truncation_handled=handled))


def _reply(replies: IO[bytes], content: bytes) -> None:
    replies.write(len(content).to_bytes(8, "little") + content)
    replies.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
