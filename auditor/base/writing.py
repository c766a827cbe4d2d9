"""Writing results so that a reader never meets half of one: temporary names first, then renames."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from auditor.base import plain_files, process_marks
from auditor.base.errors import AuditorError, StorageError, UsageError

_MISNAMED = {errno.EEXIST, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS}
_MISNAMED |= {errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTEMPTY}
"""Errors of the one who chose the place; all others are the place's own."""
_NO_SECOND_NAME = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}
"""How a file system says that a file cannot have a second name there."""
_OWNER_ALONE, _SHARED = 0o600, 0o666
"""Modes of files, less what the umask takes away."""
_FOLDER_OWNER_ALONE, _FOLDER_SHARED = 0o700, 0o777
"""The same of folders that are made."""

FIRST_STAGE = "first"
"""The folder, in that of an audit, which holds the results of its first stage."""


def write_all(files: Mapping[Path, bytes], *, without: Collection[Path] = (), shared: bool = False) -> tuple[Path, ...]:
    """Write every file alongside its final name, then rename them all; on any failure the earlier files stay.

    Two processes that write the same files rename one after the other: what lies there in the end belongs together. What is
    written names people and what they asked for, so that its owner alone may read it.

    Args:
        files: What to write.
        without: Files that must not lie alongside the new ones. They are removed together with the renaming.
        shared: Whether others may read the files too, as far as the umask lets them.

    Returns:
        Those of `without` that were there.

    Raises:
        UsageError: If a folder cannot be made, or a file cannot be written or removed, for what it is called or where it lies.
        StorageError: If it cannot be for another reason, such as a full disk.
    """
    waiting: dict[Path, Path] = {}
    removed: list[Path] = []
    try:
        for path in (*files, *without):
            # Found before anything is renamed: a rename that fails halfway would leave new files alongside old ones.
            if (kind := _no_file(path)) is not None:
                raise UsageError(f"{path}: expected a file to write, found {kind}")
        for path, content in files.items():
            make_folder(path.parent, shared=shared)
            temporary = temporary_name(path)
            waiting[temporary] = path
            with _made_anew(temporary, _SHARED if shared else _OWNER_ALONE) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        with _alone_in({path.parent for path in files}), _restored([*without, *files]):
            for path in without:
                # First, so that a writer that is killed here leaves too little and never an old file alongside new ones.
                with contextlib.suppress(FileNotFoundError):
                    path.unlink()
                    removed.append(path)
            for temporary, path in waiting.items():
                temporary.replace(path)
    except OSError as error:
        named = waiting.get(Path(os.fsdecode(error.filename))) if isinstance(error.filename, str | bytes) else None
        if named is not None:
            error.filename = str(named)  # a temporary name tells nobody anything
        raise unwritten(error, next(reversed(waiting.values()), None)) from error
    finally:
        for temporary in waiting:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    return tuple(removed)


def make_folder(folder: Path, *, shared: bool = False) -> None:
    """Make a folder for results where it is missing: its owner alone may look into it, unless it is shared.

    Raises:
        OSError: If it cannot be made.
    """
    folder.mkdir(mode=_FOLDER_SHARED if shared else _FOLDER_OWNER_ALONE, parents=True, exist_ok=True)


def write_new(path: Path, content: bytes, *, shared: bool = False) -> None:
    """Write a file that was not there, for its owner alone unless it is shared; folders above it that are missing alike.

    Raises:
        OSError: If it is there, or cannot be written.
    """
    make_folder(path.parent, shared=shared)
    mode = _SHARED if shared else _OWNER_ALONE
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode), "wb") as file:
        file.write(content)


def share_folder(folder: Path) -> None:
    """Leave a folder that was made for its owner alone to the umask."""
    mask = os.umask(0)
    os.umask(mask)
    folder.chmod(_FOLDER_SHARED & ~mask)


def require_folder_of(path: Path) -> None:
    """Refuse a file in a folder that does not exist: one that was mistyped is not made.

    Raises:
        UsageError: If there is no such folder.
    """
    if not path.parent.is_dir():
        raise UsageError(f"{path}: cannot be written: there is no folder {path.parent}")


def _no_file(path: Path) -> str | None:
    """What lies at a path other than a plain file; None for one, and for nothing. A pipe there would be gone after a rename."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return None  # nothing, or what writing will fail at
    if stat.S_ISREG(mode):
        return None
    return "a folder" if stat.S_ISDIR(mode) else "a pipe" if stat.S_ISFIFO(mode) else "a device or a socket"


def temporary_name(path: Path, what: str = "") -> Path:
    """Name a file next to another, by this process and, within it, by the thread; `auditor clean` knows it by that name."""
    thread = "" if threading.current_thread() is threading.main_thread() else f"t{threading.get_native_id():x}"
    return path.with_name(".".join(["", path.name, process_marks.mark(), *filter(None, [what + thread]), "partial"]))


def require_writable(folder: Path) -> None:
    """Refuse a folder that nothing can be written to, before anybody waits for what is to be written; nothing stays there.

    Raises:
        UsageError: If it cannot be made or written to, for what it is called or where it lies.
        StorageError: If it cannot be for another reason, such as a full disk.
    """
    trial = folder / f".trial.{process_marks.mark()}.partial"
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        make_folder(folder)
        _made_anew(trial, _OWNER_ALONE).close()
    except OSError as error:
        raise unwritten(error, folder) from error
    finally:
        with contextlib.suppress(OSError):
            trial.unlink(missing_ok=True)
            for each in missing:
                each.rmdir()


def unwritten(error: OSError, path: Path | None = None) -> AuditorError:
    """The error of ours for one of the system's: whether the user chose a wrong place, or the place has failed.

    Args:
        error: What the system said.
        path: What was to be written, where the error does not name it.
    """
    kind = UsageError if error.errno in _MISNAMED else StorageError
    return kind(f"{error.filename or path or 'output'}: cannot be written: {error.strerror or error}{way_out(error)}")


def way_out(error: OSError) -> str:
    """What to do about an error of the system's, to stand behind its words; empty where nobody can tell."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "; free some space there and start again"
        case errno.EFBIG:
            return "; raise the limit on file sizes (ulimit -f) and start again"
        case errno.EMFILE | errno.ENFILE:
            return "; raise the limit on open files (ulimit -n) and start again"
        case errno.ENOMEM:
            return "; free some memory, raise the limit on it (ulimit -v) or run fewer jobs at a time (--jobs 1)"
        case errno.EAGAIN:
            return "; raise the limit on processes (ulimit -u) or run fewer jobs at a time (--jobs 1)"
        case _:
            return ""


@contextlib.contextmanager
def _restored(paths: Sequence[Path]) -> Iterator[None]:
    """Put back what lay at these paths if not all of them can be exchanged: old and new results belong to two audits."""
    earlier: dict[Path, Path] = {}
    try:
        # One file alone is exchanged or not.
        for path in paths if len(paths) > 1 else ():
            kept = temporary_name(path, "earlier")
            kept.unlink(missing_ok=True)
            earlier[path] = kept
            try:
                _keep(path, kept)
            except FileNotFoundError:
                del earlier[path]
        there = {path for path in paths if os.path.lexists(path)}
        try:
            yield
        except BaseException:
            for path in paths:
                with contextlib.suppress(OSError):
                    if path in earlier:
                        earlier[path].replace(path)
                    elif path not in there:
                        path.unlink(missing_ok=True)
            raise
    finally:
        for kept in earlier.values():
            with contextlib.suppress(OSError):
                kept.unlink(missing_ok=True)


def _keep(path: Path, kept: Path) -> None:
    """Give a file a second name; a copy of it, where the file system has no second names."""
    try:
        os.link(path, kept, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_SECOND_NAME:
            raise
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            kept.symlink_to(path.readlink())
            return
        if not stat.S_ISREG(mode):
            raise  # a pipe or a device cannot be copied
        with plain_files.opened(path) as file, _made_anew(kept, _OWNER_ALONE) as copy:
            shutil.copyfileobj(file, copy)
        with contextlib.suppress(OSError):  # some file systems have one mode for all
            kept.chmod(stat.S_IMODE(mode))


def _made_anew(path: Path, mode: int) -> BinaryIO:
    """A file that was not there: in a folder where others may write, a link of theirs would lead to a file of ours."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb")


@contextlib.contextmanager
def _alone_in(folders: Iterable[Path]) -> Iterator[None]:
    """Wait until no other writer renames in these folders; the kernel frees them when a writer is killed."""
    with contextlib.ExitStack() as held:
        # In one order, so that two writers never wait for each other.
        for folder in sorted({path.resolve() for path in folders}):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            held.callback(os.close, descriptor)
            with contextlib.suppress(OSError):  # some network file systems have no locks: as good as it gets there
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
