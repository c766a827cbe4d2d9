"""Folders that audits of a case were written to: listed in the case, and noted for this user, who need not trust the list."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from auditor.base.noted import note
from auditor.base.outputs import Wrote, remember


def audit_to(case: Path, folder: Path) -> None:
    """Let a purge of a case find an audit that is about to be written elsewhere than to `CASE/audit`."""
    case, folder = case.resolve(), folder.resolve()
    if folder in {case, case / "audit"}:
        return
    remember(case, folder, Wrote.AUDIT)
    with suppress(OSError):
        note([written_to(case, folder)])


def written_to(case: Path, folder: Path) -> bytes:
    """How it is noted that an audit of a case was written to a folder."""
    return b"audit\0" + bytes(case) + b"\0" + bytes(folder)
