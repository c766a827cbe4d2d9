"""Where a case's audits, letters and replies were written: a file in the case, which `auditor purge` reads.

It lists folders and names no file: letters are called after requests. It may come from anybody, as the case does, so that what
lies in a listed folder is removed only where something else shows whose it is.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from auditor.base.noted import Noted, note

FILE: Final = ".outputs.jsonl"
_DECLARED: Final = "audit.toml"
_LARGEST: Final = 1024 * 1024
_MOST: Final = 1000
_FLAGS: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Wrote(StrEnum):
    """What was written to a folder."""

    AUDIT = "audit"
    LETTERS = "letters"
    """Letters or replies."""


class Output(NamedTuple):
    """A folder that something was written to."""

    wrote: Wrote
    folder: Path
    """Where it lay then."""


def of_evidence(evidence: Path, folder: Path) -> bool:
    """List a folder of letters or replies in the case whose audit lies there, or above.

    Args:
        evidence: What they were written from.
        folder: Where they are.

    Returns:
        Whether a purge of the case will look there.
    """
    case = case_of(evidence)
    if case is None or not remember(case, folder, Wrote.LETTERS):
        return False
    if not folder.resolve().is_relative_to(case) and letters_to(case, folder) not in Noted():
        with suppress(OSError):
            note([letters_to(case, folder)])
    return True


def letters_to(case: Path, folder: Path) -> bytes:
    """How it is noted that letters or replies of a case were written to a folder elsewhere: a copy has its list too."""
    return b"letters\0" + bytes(case.resolve()) + b"\0" + bytes(folder.resolve())


def case_of(evidence: Path) -> Path | None:
    """Find the case whose audit lies there, or above; None where there is none."""
    here = evidence.resolve().parent
    return next((each for each in (here, *here.parents) if (each / _DECLARED).is_file()), None)


def remember(case: Path, folder: Path, wrote: Wrote) -> bool:
    """List a folder in its case, once.

    A signed audit that lies in the case folder itself gets no file that nothing signs.

    Returns:
        Whether a purge of the case will look there.
    """
    case, folder = case.resolve(), folder.resolve()
    found = Output(wrote, folder)
    if folder == case or (wrote is Wrote.LETTERS and folder == case / "audit") or found in list(listed(case)):
        return True
    where = str(folder.relative_to(case)) if folder.is_relative_to(case) else str(folder)
    return append(case, FILE, json.dumps({"wrote": wrote, "folder": where}, ensure_ascii=True) + "\n")


def append(case: Path, name: str, line: str) -> bool:
    """Add a line to a list of this user's in a case, for its owner alone; none next to a statement that signs the case folder.

    Returns:
        Whether it was added.
    """
    if any(case.glob("*.dsse.json")):
        return False
    try:
        if case.stat().st_uid != os.geteuid():
            return False  # whoever owns it would read where this user writes
        descriptor = os.open(case / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _FLAGS, 0o600)
        with os.fdopen(descriptor, "ab", buffering=0) as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
                return False
            os.fchmod(descriptor, 0o600)
            file.write(line.encode())  # at once: two who write do not mix their lines
    except (OSError, UnicodeEncodeError):
        return False
    return True


def listed(case: Path) -> Iterator[Output]:
    """The folders that a case lists, each once with each thing that was written there; any other line is left out."""
    found: dict[Output, None] = {}
    for line in lines(case, FILE):
        try:
            said = json.loads(line)
            found[Output(Wrote(said["wrote"]), Path(os.path.normpath(case / said["folder"])))] = None
        except (ValueError, LookupError, TypeError, RecursionError):
            continue
    yield from found


def lines(case: Path, name: str) -> list[bytes]:
    """Read the lines of such a list, no more than there can sensibly be; none where it is no plain file."""
    try:
        descriptor = os.open(case / name, os.O_RDONLY | _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            content = file.read(_LARGEST) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return []
    return content.splitlines()[:_MOST]
