"""What functions take that is a path: cases, folders, files of evidence."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, TypeAlias

from auditor.base.errors import UsageError

PathLike: TypeAlias = "str | os.PathLike[str]"
CaseLike: TypeAlias = PathLike
"""A path; a `Case` is one."""

EVIDENCE: Final = "evidence.json"


def case_path(case: CaseLike) -> Path:
    """Give the path of a case.

    Raises:
        UsageError: If it is something else.
    """
    return path_of(case, "case", "a folder with audit.toml, that file, or a Case")


def path_of(value: object, name: str, expected: str) -> Path:
    """Give an argument as a path.

    Args:
        value: The argument.
        name: How it is called.
        expected: What it may be, in words.

    Raises:
        UsageError: If it is something else.
    """
    if not isinstance(value, str | os.PathLike):
        raise UsageError(f"{name}: expected {expected}, found {type(value).__name__}")
    return Path(os.fspath(value))


def evidence_file(source: object) -> Path:
    """Give the path of evidence: the file itself, or the one in a folder."""
    path = path_of(source, "evidence", "an Audit, an evidence.json, its folder or its bytes")
    return path / EVIDENCE if path.is_dir() else path
