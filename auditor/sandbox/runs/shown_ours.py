"""Kept runs that were sealed with this user's key: only those can be said to be the auditor's own.

A folder with the name of one of ours, and files with names of ours in it, may come with somebody else's case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from auditor.base import process_marks
from auditor.base.user_key import drawn_before, key_file
from auditor.sandbox.runs import packing
from auditor.sandbox.runs.checkpoints import SUFFIX as CHECKPOINT
from auditor.sandbox.runs.run_cache import SUFFIX
from auditor.sandbox.runs.secrets import SALT, secret_before
from auditor.sandbox.runs.storage import Elsewhere

__all__ = ["NAMED", "PARTIAL", "SALT", "begins_ours", "is_checkpoint", "remove_elsewhere", "test_of"]

NAMED: Final = re.compile(rf"([0-9a-f]{{64}}){re.escape(SUFFIX)}|([0-9a-f]{{64}}-[0-9]+){re.escape(CHECKPOINT)}")
"""What files of runs are called; one of the groups is what they are sealed for."""
PARTIAL: Final = re.compile(rf"\..+\.({process_marks.MARK})(?:\.[a-z0-9_]+)?\.partial")
"""What a file is called that a process was about to write; the group is the mark of the process."""


def is_checkpoint(name: str) -> bool:
    """Whether a file of that name is a checkpoint and no finished run."""
    return name.endswith(CHECKPOINT)


def test_of(folder: Path) -> Callable[[str], Callable[[BinaryIO], bool]]:
    """Give, for the name of a file in a folder of runs, the test whether what it holds bears this user's seal."""
    secret = secret_before(folder)

    def of(name: str) -> Callable[[BinaryIO], bool]:
        match = NAMED.fullmatch(name)

        def bears(file: BinaryIO) -> bool:
            return (
                secret is not None and match is not None and packing.bears_seal(file, address=_sealed_for(match), secret=secret)
            )

        return bears

    return of


def begins_ours(file: BinaryIO) -> bool:
    """Whether a file begins as a kept run does, as far as it goes: it was being written when its process was killed."""
    start = file.read(len(packing.START))
    return packing.START.startswith(start)


def remove_elsewhere(place: Elsewhere, *, keep: bool) -> list[tuple[str, int]]:
    """Remove the runs of a place elsewhere that bear this user's seal; names with sizes.

    Args:
        place: Where they are.
        keep: Whether to remove nothing.

    Raises:
        OSError: If they cannot be listed or removed.
    """
    try:
        drawn_before(key_file())
    except OSError:
        return []
    found = []
    secret = place.secret()
    for name, size in place.listed(NAMED):
        match = NAMED.fullmatch(name)
        if match is None or packing.unsealed(place.read(name), address=_sealed_for(match), secret=secret) is None:
            continue
        if not keep:
            place.remove(name)
        found.append((name, size))
    return found


def _sealed_for(match: re.Match[str]) -> str:
    return match[1] or match[2]
