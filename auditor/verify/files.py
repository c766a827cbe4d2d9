"""Which files there are to recheck: one that was named, or everything of ours in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from auditor.domain import Problem
from auditor.errors import InputError
from auditor.evidence import MAX_BYTES
from auditor.verify.printed import SIGNATURE

EVIDENCE: Final = "evidence.json"
REPORT: Final = "report.pdf"
PAGE: Final = "report.html"
_ENVELOPE: Final = ".dsse.json"


@dataclass(frozen=True, slots=True)
class Files:
    """What was found."""

    subjects: Mapping[str, bytes]
    """What is to be rechecked, by file name."""
    beside: bytes | None
    """The evidence.json that lies beside a single file; None where there is none, or where it is itself a subject."""
    envelopes: Mapping[str, bytes]
    """Signed statements, by file name."""


def find(path: Path) -> Files:
    """The files of ours at a path.

    Args:
        path: A file, or the folder of an audit.

    Raises:
        InputError: If there is nothing of ours, or a file cannot be read.
    """
    if path.is_dir():
        names = sorted(each.name for each in path.iterdir() if each.is_file() and _ours(each.name))
        subjects = {name: _content(path / name) for name in names}
        if not subjects:
            raise InputError([Problem(str(path), "", f"{EVIDENCE}, a report or a letter in PDF", "neither in this folder")])
        return Files(subjects, None, _envelopes(path))
    content = _content(path)
    neighbour = path.with_name(EVIDENCE)
    beside = content.startswith(SIGNATURE) and neighbour.is_file()
    return Files({path.name: content}, _content(neighbour) if beside else None, _envelopes(path.parent))


def _ours(name: str) -> bool:
    return name in {EVIDENCE, REPORT, PAGE} or (name.startswith("letter") and name.endswith(".pdf"))


def _envelopes(folder: Path) -> dict[str, bytes]:
    return {each.name: _content(each) for each in sorted(folder.glob(f"*{_ENVELOPE}")) if each.is_file()}


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError([Problem(str(path), "", f"at most {MAX_BYTES} bytes", f"{path.stat().st_size} bytes")])
        return path.read_bytes()
    except OSError as error:
        expected = "an evidence.json, a report, a letter or the folder of an audit"
        raise InputError([Problem(str(path), "", expected, error.strerror or str(error))]) from error
