"""The key of the user, 32 random bytes kept outside every case: who lacks it can neither seal nor note anything in their name."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

from auditor.base import process_marks, resources

_BYTES: Final = 32


def key_file() -> Path:
    """Where the user's key is kept: `$XDG_STATE_HOME/auditor/key`, else `~/.local/state/auditor/key`.

    Raises:
        OSError: If the user has no home folder.
    """
    return resources.state() / "key"


def key_of_user() -> bytes:
    """The user's key, 32 bytes; it is drawn where it is missing.

    Raises:
        OSError: If it or its folder cannot be had, or belongs to somebody else, or others may read it.
    """
    key = key_file()
    # The folders above are not a secret: made as usual.
    key.parent.parent.mkdir(parents=True, exist_ok=True)
    make_own(key.parent)
    return drawn_once(key)


def make_own(folder: Path) -> None:
    """Make a folder for this user alone where it is missing.

    Raises:
        OSError: If it cannot be made, is a link, or belongs to somebody else.
    """
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise OSError(0, "expected a folder that belongs to the user and is no link", str(folder))
    if found.st_mode & 0o077:
        folder.chmod(0o700)


def drawn_once(path: Path) -> bytes:
    """The 32 random bytes of a file, drawn and put there whole where it is missing: of two processes one wins."""
    if not os.path.lexists(path):
        descriptor, temporary = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.name}.{process_marks.mark()}.", suffix=".partial"
        )
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(os.urandom(_BYTES))
            with contextlib.suppress(FileExistsError):
                os.link(temporary, path)
        finally:
            Path(temporary).unlink(missing_ok=True)
    return drawn_before(path)


def drawn_before(path: Path) -> bytes:
    """The 32 random bytes of a file that is there; nothing is drawn.

    Raises:
        OSError: If there is none, or it belongs to somebody else, or others may read it.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        content = file.read(_BYTES + 1) if stat.S_ISREG(found.st_mode) else b""
    if len(content) != _BYTES or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise OSError(0, f"expected a file of {_BYTES} bytes that only its user can read", str(path))
    return content
