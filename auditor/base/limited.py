"""Asks a process of its own about files that nobody vouches for, so that what one of them takes is taken from that process.

A few bytes can ask for gigabytes of memory and hours of time: what is packed, what repeats, what is nested, what is made of small
objects. So a file is read where memory and time are limited and there is no network, and a limit that is reached is an answer
like any other. The process is started when it is first asked, serves every question after that one, and is started again after a
file that ended it. Nothing of what it answers is unpickled: replies are JSON, and of limited length.
"""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import IO, Any, Final, Literal, Self, TypeAlias

from auditor.base import process_marks
from auditor.base.errors import SandboxError
from auditor.base.limited_process import LimitedProcess, send, start

Why: TypeAlias = Literal["memory", "time", "ended", "untried"]
"""What kept a file from being read: memory, time, that its reader did not survive it, or too many files before it."""

MEBIBYTE: Final = 1 << 20
MOST_ENDED: Final = 32
"""Processes that files may end before whatever is left is not read any more: each has had its whole time."""
_LONGEST_REPLY: Final = 256 * MEBIBYTE
_PATIENCE: Final = 4
"""How often the time of the clock may be that of the processor: others work on the machine too."""
_TO_START: Final = 300.0
"""Seconds in which the process is there and has read what it is given."""
_TO_END: Final = 10.0
"""Seconds in which it has ended, once it does not answer any more."""


@dataclass(frozen=True, slots=True)
class Room:
    """What reading one file may use up."""

    memory: int
    """Bytes, on top of what the process has before it reads it."""
    memory_times: int
    """Bytes more for each byte of the file."""
    seconds: int
    """Of processor time."""
    seconds_each_mebibyte: int
    """On top, for each MiB of the file."""

    def bytes_for(self, size: int) -> int:
        """Bytes for a file of `size` bytes."""
        return self.memory + self.memory_times * size

    def seconds_for(self, size: int) -> int:
        """Seconds for a file of `size` bytes."""
        return self.seconds + self.seconds_each_mebibyte * -(-size // MEBIBYTE)


class NotReadError(Exception):
    """A file that could not be read within its limits."""

    def __init__(self, why: Why, limit: int | None = None) -> None:
        """Keep why, and the limit in bytes or seconds."""
        super().__init__(why if limit is None else f"{why}: more than {limit}")
        self.why: Why = why
        self.limit = limit

    @property
    def found(self) -> str:
        """What the file is, for a Problem."""
        match self.why:
            case "memory":
                return f"one that takes more than {self.limit} bytes of memory to read"
            case "time":
                return f"one that takes more than {self.limit} s to read"
            case "ended" | "untried":
                return "one that ends the process that reads it"


@dataclass(slots=True)
class Reader:
    """A process that reads files, as a context manager; it is there only once it is asked."""

    serve: str
    """The function that answers in it, as `module:name`: it is called with `held`, and gives a function of question and bytes."""
    held: object
    """What that function is given; the auditor's own, as it is pickled."""
    room: Room
    starts: int = 0
    """How often a process was started."""
    _ended: int = 0
    _pickled: tuple[bytes, list[pickle.PickleBuffer]] | None = field(default=None, repr=False)
    """What it is given, once and for every process that follows."""
    _process: LimitedProcess | None = field(default=None, repr=False)
    _folder: TemporaryDirectory[str] | None = field(default=None, repr=False)

    def __enter__(self) -> Self:
        """Start nothing yet."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End the process."""
        self.close()

    def ask(self, question: Mapping[str, Any], content: bytes = b"", *, size: int | None = None) -> Any:
        """Put a question.

        Args:
            question: JSON.
            content: The file that it is about, where it is at hand.
            size: Bytes of the file, where the process reads it by itself.

        Returns:
            JSON, written in a process that has read a hostile file.

        Raises:
            NotReadError: If there is no answer within the limits.
            SandboxError: If the process cannot be started.
        """
        if self._ended >= MOST_ENDED:
            raise NotReadError("untried")
        size = len(content) if size is None else size
        memory, seconds = self.room.bytes_for(size), self.room.seconds_for(size)
        header = {"question": question, "size": len(content), "memory": memory, "seconds": seconds}
        why: Why
        process = self._started()
        try:
            send(process.questions, json.dumps(header).encode())
            process.questions.write(content)
            process.questions.flush()
            reply = json.loads(self._reply(process, _PATIENCE * seconds))
            if isinstance(reply, dict) and "answer" in reply:
                return reply["answer"]
            told = reply.get("cannot") if isinstance(reply, dict) else None
            why = "memory" if told == "memory" else "ended"
        except TimeoutError:
            why = "time"
        except (OSError, EOFError):
            why = self._why()
        except (ValueError, RecursionError):
            why = "ended"
        # Another file gets a process that has not seen this one.
        self._ended += 1
        self.close()
        raise NotReadError(why, {"memory": memory, "time": seconds}.get(why))

    def close(self) -> None:
        """End the process, and remove what it wrote."""
        process, self._process = self._process, None
        if process is not None:
            process.end()
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()

    def _started(self) -> LimitedProcess:
        if self._process is not None:
            return self._process
        self.starts += 1
        try:
            return self._start()
        except (OSError, EOFError, ValueError) as error:
            self.close()
            raise SandboxError("the process that reads files could not be started") from error

    def _start(self) -> LimitedProcess:
        self._folder = TemporaryDirectory(prefix=process_marks.prefix())
        self._process = process = start(self.serve, self._folder.name)
        self._hand_over(process)
        return process

    def _hand_over(self, process: LimitedProcess) -> None:
        """Give it what it needs, and wait until it has put its limits up."""
        if self._pickled is None:
            parts: list[pickle.PickleBuffer] = []
            self._pickled = pickle.dumps(self.held, protocol=5, buffer_callback=parts.append), parts
        held, apart = self._pickled
        send(process.questions, held)
        send(process.questions, str(len(apart)).encode())
        for each in apart:
            with each.raw() as view:
                send(process.questions, view)
        process.questions.flush()
        if self._reply(process, _TO_START) != b"ready":
            raise EOFError

    def _reply(self, process: LimitedProcess, seconds: float) -> bytes:
        """The next message.

        Raises:
            TimeoutError: If it does not come in time.
            EOFError: If the process ended.
            ValueError: If it says too much.
        """
        latest = time.monotonic() + seconds
        length = int.from_bytes(_bytes_of(process.replies, 8, latest), "little")
        if length > _LONGEST_REPLY:
            raise ValueError(length)
        return _bytes_of(process.replies, length, latest)

    def _why(self) -> Why:
        """Why a process ended."""
        ended_by = None if self._process is None else self._process.signal(_TO_END)
        return "time" if ended_by == signal.SIGXCPU else "ended"


def _bytes_of(pipe: IO[bytes], count: int, latest: float) -> bytes:
    parts: list[bytes] = []
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    while count:
        if not waiting.poll(max(0, int(1000 * (latest - time.monotonic())))):
            raise TimeoutError
        part = os.read(pipe.fileno(), min(count, MEBIBYTE))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
