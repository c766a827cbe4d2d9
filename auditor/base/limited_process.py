"""A process in which files are read: forked from one that has loaded what it needs, or executed where there can be none.

Either way its command line names only the function that answers, and it limits itself: see `auditor.sandbox.reading`.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from typing import IO, Final

from auditor.base import templates

_EXECUTED: Final = "auditor.sandbox.reading"
"""The module that runs in a process that is executed."""
_TEMPLATE: Final = "auditor.sandbox.fork_reading"
"""The same in one that others are forked from."""
_NEEDED: Final = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV")
"""What a process needs to find its libraries."""
_ONE_THREAD: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # Neither reserves address space by the gigabyte, which is what is limited.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "2",
}


class LimitedProcess:
    """A running process; its two pipes carry messages as `send` writes them."""

    def __init__(self, process: subprocess.Popen[bytes] | templates.Forked, questions: IO[bytes], replies: IO[bytes]) -> None:
        """Take note of a process that was started."""
        self._process = process
        self.questions, self.replies = questions, replies

    def signal(self, patience_s: float) -> int | None:
        """The signal that ended it, waiting for its end at most so long; None where it ended otherwise, or runs."""
        if isinstance(self._process, templates.Forked):
            ending = self._process.ending(patience_s)
            return None if ending is None or ending.code == os.CLD_EXITED else ending.status
        try:
            return -min(self._process.wait(timeout=patience_s), 0) or None
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """Kill and reap it."""
        self._process.kill()
        for pipe in (self.questions, self.replies):
            with contextlib.suppress(OSError):
                pipe.close()
        if not isinstance(self._process, templates.Forked):
            self._process.wait()


def start(serve: str, folder: str) -> LimitedProcess:
    """Start a process; it reads next what it is given.

    Args:
        serve: The function that answers in it, as `module:name`.
        folder: The only place that it may write to.

    Raises:
        OSError: If it cannot be started.
    """
    environment = _environment()
    return _forked(serve, folder, environment) or _executed(serve, environment | {"TMPDIR": folder})


def load(serve: str) -> None:
    """Begin to load what such a process needs, for a command that will start one.

    Args:
        serve: The function that answers in it, as `module:name`.
    """
    templates.load(_TEMPLATE, (serve,), _environment())


def _environment() -> dict[str, str]:
    return {key: os.environ[key] for key in _NEEDED if key in os.environ} | _ONE_THREAD


def send(pipe: IO[bytes], content: bytes | memoryview) -> None:
    """Write one message, its length before it."""
    length = content.nbytes if isinstance(content, memoryview) else len(content)
    pipe.write(length.to_bytes(8, "little"))
    pipe.write(content)


def _executed(serve: str, environment: dict[str, str]) -> LimitedProcess:
    # -P and -s: nothing in the folder that somebody is in, nor of their own packages, is run.
    process = subprocess.Popen(
        [sys.executable, "-P", "-s", "-m", _EXECUTED, serve, str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    if process.stdin is None or process.stdout is None:
        raise OSError("a process without pipes")
    return LimitedProcess(process, process.stdin, process.stdout)


def _forked(serve: str, folder: str, environment: dict[str, str]) -> LimitedProcess | None:
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        questions, writing = os.pipe()
        theirs.callback(os.close, questions)
        to_it = ours.enter_context(os.fdopen(writing, "wb"))
        reading, replies = os.pipe()
        theirs.callback(os.close, replies)
        from_it = ours.enter_context(os.fdopen(reading, "rb"))
        forked = templates.fork(_TEMPLATE, (serve,), environment, (questions, replies))
        if forked is None:
            return None
        try:
            send(to_it, json.dumps({"template": forked.parent, "folder": folder, "at": _here()}).encode())
        except BaseException:
            forked.kill()
            raise
        ours.pop_all()
        return LimitedProcess(forked, to_it, from_it)


def _here() -> str | None:
    """The folder that relative paths are in; None where it was removed."""
    try:
        return os.getcwd()  # noqa: PTH109 - a string, for JSON
    except FileNotFoundError:
        return None
