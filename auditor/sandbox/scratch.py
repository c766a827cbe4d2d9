"""The scratch folder of one worker: inputs, answers, the procedure's home and its output, all removed in every case.

scratch/            0700
    code/           the controller's Python files, copied by the auditor
    inputs/         tables and positions, written by the auditor
    answers/        arrays and bytes, written by the child
    home/           HOME, TMPDIR and working directory of the procedure
    stdout, stderr  what the procedure prints
    witness         a file that no barrier leaves open; each worker tries it before foreign code runs
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from auditor.base import process_marks
from auditor.base.errors import SandboxError
from auditor.base.mixed_columns import Columns
from auditor.base.records import Dataset, Floats, Part, Positions
from auditor.base.writing import way_out
from auditor.sandbox import folders, frames, mapped_rows
from auditor.sandbox.memory import lies_in_memory
from auditor.sandbox.wire import printable

_TAIL_BYTES = 64 * 1024
_TAIL_LINES = 20
_TAIL_COLUMNS = 500
_ENTRIES = 100_000
_LITTLE_ROOM = 64 * 1024
# What Python prints of an exception that nobody caught, and faulthandler of a crash.
_TRACEBACK = re.compile(r"\(most recent call (first|last)\):\s*$")
_FRAME = re.compile(r'\s+(\| +)?File "')


class Scratch:
    """A fresh scratch folder, with descriptors that stay good whatever the procedure does to the names in it."""

    def __init__(self) -> None:
        """Make the folder; where it cannot be filled, nothing of it stays.

        Raises:
            OSError: If it cannot be made or filled.
        """
        self.path = Path(tempfile.mkdtemp(prefix=process_marks.prefix()))
        self.mapped: set[str] = set()
        """Paths of the files that the child maps: tables, and no code."""
        self._descriptors: list[int] = []
        try:
            self._fill()
        except BaseException:
            self.remove()
            raise

    def _fill(self) -> None:
        self.code, self.inputs = self.path / "code", self.path / "inputs"
        self.answers, self.home = self.path / "answers", self.path / "home"
        for folder in (self.code, self.inputs, self.answers, self.home):
            folder.mkdir(mode=0o700)
        self.in_memory = lies_in_memory(self.path.stat().st_dev)
        self.witness = self.path / "witness"
        self.witness.touch(mode=0o600)
        self.answers_folder = self._opened(os.open(self.answers, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        # O_APPEND: a procedure that truncates its output cannot make the next write sparse and its size a lie. To be written to
        # alone: what it has printed is nothing that it keeps and could come back to.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        self.stdout = self._opened(os.open(self.path / "stdout", flags, 0o600))
        self.stderr = self._opened(os.open(self.path / "stderr", flags, 0o600))
        self._said = self._opened(os.open(self.path / "stderr", os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC))

    def _opened(self, descriptor: int) -> int:
        """A descriptor that is closed when the folder is removed."""
        self._descriptors.append(descriptor)
        return descriptor

    def folder_of_code(self, name: str) -> Path:
        """A folder of its own in `code`, for code from elsewhere.

        Raises:
            OSError: If the code that was copied there before has a folder of that name.
        """
        folder = self.code / name
        folder.mkdir(mode=0o700)
        return folder

    def write_records(self, name: str, table: Dataset | Part) -> None:
        """Write records to learn from as `inputs/<name>.npz`, with labels and ids, and their features alongside.

        Raises:
            TypeError: If labels or ids are Python objects, which would have to be pickled.
        """
        if table.labels.dtype.hasobject or table.ids.dtype.hasobject:
            raise TypeError("labels and ids must be arrays of numbers or strings, not of objects")
        arrays: dict[str, Any] = {"labels": table.labels, "ids": table.ids}
        if table.weights is not None:
            arrays["weights"] = table.weights
        with _new_file(self.inputs / f"{name}.npz") as file:
            np.savez(file, **arrays)
        if table.table is None:
            self._write_features(name, table, kind=mapped_rows.smallest_kind(*_rows(table)))
        else:
            self.write_features(name, table)

    def write_features(self, name: str, table: Dataset | Part) -> None:
        """Write rows to predict as `inputs/<name>.npy`, without labels: who knows labels can answer without a model.

        Those of a table of mixed columns are `inputs/<name>.arrow`.
        """
        if table.table is None:
            self._write_features(name, table, kind=mapped_rows.DOUBLE)
        else:
            whole = table.copied() if isinstance(table, Part) else table
            self.write_rows(name, table.table, whole.features)

    def _write_features(self, name: str, table: Dataset | Part, *, kind: np.dtype[Any]) -> None:
        features, positions = _rows(table)
        path = self.inputs / f"{name}{mapped_rows.SUFFIX}"
        with _new_file(path) as file:
            mapped_rows.write(file, features, kind, positions)
        self.mapped.add(str(path))

    def write_rows(self, name: str, table: Columns, features: Floats) -> None:
        """Write rows of a table of mixed columns as `inputs/<name>.arrow`."""
        frames.write(self.inputs / f"{name}{frames.SUFFIX}", table, features)

    def write_positions(self, name: str, arrays: dict[str, Positions | Floats]) -> None:
        """Write arrays, of positions for the most part, as `inputs/<name>`."""
        (self.inputs / name).unlink(missing_ok=True)
        with _new_file(self.inputs / name) as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]

    def write_plays(self, name: str, content: bytes) -> None:
        """Write the histories that a controller is to play as `inputs/<name>`, in one piece: there are thousands."""
        (self.inputs / name).unlink(missing_ok=True)
        with _new_file(self.inputs / name) as file:
            file.write(content)

    def write_model(self, name: str, content: bytes) -> None:
        """Write a model file as `inputs/<name>/model`, and alongside it under the suffix that a writer may have added."""
        folder = self.inputs / name
        folder.mkdir(mode=0o700)
        suffix = ".npz" if content.startswith(b"PK") else ".safetensors"
        for path in (folder / "model", folder / f"model{suffix}"):
            with _new_file(path) as file:
                file.write(content)

    def write_checkpoint(self, name: str, content: bytes) -> None:
        """Write what a step can go on from as `inputs/<name>`."""
        with _new_file(self.inputs / name) as file:
            file.write(content)

    def remove_checkpoint(self, name: str) -> None:
        """Remove it again: no later step is to meet it."""
        (self.inputs / name).unlink(missing_ok=True)

    def make_folder(self, name: str) -> int:
        """Make `answers/<name>` and open it, before the procedure knows of it.

        Raises:
            OSError: If something of that name is there already.
        """
        os.mkdir(name, 0o700, dir_fd=self.answers_folder)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        return self._opened(os.open(name, flags, dir_fd=self.answers_folder))

    def is_out_of_room(self) -> bool:
        """Whether the file system that it lies on is full."""
        room = os.fstatvfs(self.answers_folder)
        return room.f_blocks > 0 and room.f_bavail * room.f_frsize < _LITTLE_ROOM

    def output_bytes(self) -> int:
        """The size of stdout and stderr together."""
        return os.fstat(self.stdout).st_size + os.fstat(self.stderr).st_size

    def held_bytes(self) -> int | None:
        """The disk space of all files in the folder, in bytes; None where they are too many or too deep to count."""
        return folders.held_bytes(self.path, entries=_ENTRIES)

    def stderr_tail(self) -> str:
        """The last 20 lines of stderr, printable characters only; of a traceback the frame that raised, and the error."""
        size = os.fstat(self._said).st_size
        text = os.pread(self._said, _TAIL_BYTES, max(0, size - _TAIL_BYTES)).decode("utf-8", "replace")
        return "\n".join(printable(line, _TAIL_COLUMNS) for line in _shortened(text.splitlines())[-_TAIL_LINES:])

    def remove(self) -> None:
        """Close every descriptor and remove the folder, however its permissions were left.

        Raises:
            SandboxError: If something of it remains.
        """
        while self._descriptors:
            os.close(self._descriptors.pop())
        try:
            folders.remove(self.path)
        except OSError as error:
            raise SandboxError(f"the scratch folder {self.path} could not be removed: {error.strerror}") from error


def _rows(table: Dataset | Part) -> tuple[Floats, Positions | None]:
    """Features, and which rows of them; None for all."""
    return (table.whole.features, table.positions) if isinstance(table, Part) else (table.features, None)


def _new_file(path: Path) -> IO[bytes]:
    """A file to write that was not there; what a procedure put in its place, such as a link, is refused and not followed."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o600), "wb")


def no_room(error: OSError) -> SandboxError:
    """The error of ours where the system would not give a sandbox what it needs, with what to do about it."""
    place = error.filename or tempfile.tempdir or "the folder for temporary files"
    return SandboxError(f"the sandbox could not be had: {place}: {error.strerror or error}{way_out(error)}")


def _shortened(lines: Sequence[str]) -> list[str]:
    """Lines without the frames of tracebacks, but for the one where it happened."""
    kept: list[str] = []
    frames: list[str] = []
    latest_first = False
    for line in lines:
        if _FRAME.match(line) or (frames and line[:1].isspace()):
            frames.append(line)
            continue
        kept += _frame_of(frames, latest_first=latest_first)
        frames = []
        header = _TRACEBACK.search(line)
        if header is None:
            kept.append(line)
        else:
            latest_first = header[1] == "first"
    return kept + _frame_of(frames, latest_first=latest_first)


def _frame_of(lines: Sequence[str], *, latest_first: bool) -> list[str]:
    frames = [line for line in lines if _FRAME.match(line)]
    return frames[:1] if latest_first else frames[-1:]
