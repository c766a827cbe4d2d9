"""The checkpoints of a step that takes long: what the child may write while it trains, and is given back when it trains again.

A checkpoint is bytes of the procedure's own, read with suspicion and never parsed. It is given to the very same step of the very
same job alone, so that it tells the procedure nothing that its process did not hold when it wrote it.
"""

from __future__ import annotations

import os
import stat
import time
from typing import Final, Protocol

from auditor.sandbox.returned import READ_BYTES

SUFFIX: Final = ".checkpoint"
_SHARE_OF_KEEPING: Final = 20


class Checkpoints(Protocol):
    """Where the checkpoints of one job are kept, by the position of the step in the job."""

    def take(self, position: int) -> tuple[bytes, float] | None:
        """The checkpoint of a step, and the seconds that the step had taken by then; None where there is none to trust."""

    def keep(self, position: int, content: bytes, seconds: float) -> None:
        """Keep the checkpoint of a step in place of an earlier one."""


class Watched:
    """One step that may write a checkpoint: `<number>.checkpoint` in the folder of answers, put in place by renaming."""

    def __init__(self, kept: Checkpoints, position: int, *, folder: int, number: int, limit: int) -> None:
        """Take what is kept for the step; no file is opened yet.

        Args:
            kept: Where checkpoints are kept.
            position: Where the step lies among those of the job.
            folder: A descriptor of the folder of answers.
            number: The number under which the child is asked for the step.
            limit: How many bytes a checkpoint may have.
        """
        self._kept, self._position, self._folder, self._limit = kept, position, folder, min(limit, READ_BYTES)
        self._name = f"{number}{SUFFIX}"
        found = kept.take(position)
        self.content: bytes | None = None if found is None else found[0]
        self.seconds = 0.0 if found is None else found[1]
        self._begin = time.monotonic()
        self._seen: tuple[int, ...] | None = None
        self._next = -float("inf")

    def look(self) -> None:
        """Keep the checkpoint if there is a new one, not so often that keeping takes more than a twentieth of the time."""
        if time.monotonic() >= self._next:
            self._keep()

    def end(self) -> None:
        """Look once more, and leave no checkpoint behind for later steps to meet."""
        self._keep()
        try:
            os.unlink(self._name, dir_fd=self._folder)
        except OSError:
            return  # there is none, or a folder, which the procedure made itself

    def _keep(self) -> None:
        begin = time.monotonic()
        content = self._read()
        if content is not None:
            self._kept.keep(self._position, content, self.seconds + begin - self._begin)
            self._next = time.monotonic() + _SHARE_OF_KEEPING * (time.monotonic() - begin)

    def _read(self) -> bytes | None:
        """The bytes of a new file; None for what is no plain file of its own, is too large, or changes while it is read."""
        try:
            # O_NONBLOCK: opening a named pipe must not wait for a writer.
            descriptor = os.open(self._name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self._folder)
        except OSError:
            return None
        try:
            before = os.fstat(descriptor)
            if not stat.S_ISREG(before.st_mode) or before.st_nlink != 1 or before.st_size > self._limit:
                return None
            if _state(before) == self._seen:
                return None
            with os.fdopen(os.dup(descriptor), "rb") as file:
                content = file.read(before.st_size + 1)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        # That it was replaced meanwhile does no harm: what was read is the earlier one, whole.
        if len(content) != before.st_size or _state(after) != _state(before):
            return None
        self._seen = _state(before)
        return content


def _state(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
