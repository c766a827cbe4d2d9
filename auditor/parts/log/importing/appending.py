"""`auditor log append`: rows at the end of a chained log, written whole or not at all."""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from auditor.base.deletion_log import deletions, log_chain
from auditor.base.domain import Problem
from auditor.base.errors import InputError, UsageError
from auditor.base.writing import unwritten, write_all
from auditor.case.files import Source
from auditor.case.logs import deletion_log


class Added(NamedTuple):
    """What was appended."""

    rows: int
    total: int
    """Requests that the log holds now."""
    head: str


def lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as JSON, one a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def provenance_of(log: Path) -> Path:
    """Name the file next to an imported log that says where it comes from and what of the export is not in it."""
    return log.with_suffix(".import.json")


def append_to(path: Path, entries: tuple[str, bytes]) -> Added:
    """Chain entries to the end of a log; two who append at once do so one after the other.

    Args:
        path: The log, JSON lines; it is made where it is missing.
        entries: Where the new rows come from, and their bytes: JSON objects, one a line.

    Raises:
        InputError: If an entry, or the log with it, cannot be read, or contradicts itself: the log stays as it was.
        UsageError: If the log is no .jsonl, or not chained, or its chain does not hold.
    """
    if path.suffix != ".jsonl":
        raise UsageError(f"{path}: expected a log ending in .jsonl")
    new, _ = deletion_log(Source(f"{entries[0]}.jsonl" if not entries[0].endswith(".jsonl") else entries[0], entries[1]))
    with _nothing_left(path), alone(path) as file:
        content = file.read()
        head = head_of(path, content)
        rows = []
        for row in (json.loads(line) for line in entries[1].decode("utf-8-sig").splitlines() if line.strip()):
            try:
                rows.append(log_chain.chained(row, head))
            except ValueError as error:
                raise InputError([Problem(entries[0], f"row {len(rows) + 1}", *log_chain.UNCHAINABLE)]) from error
            head = rows[-1][log_chain.ENTRY]
        joined = content + (b"\n" if content and not content.endswith(b"\n") else b"") + lines(rows)
        together, _ = deletion_log(Source(str(path), joined))
        _refuse_contradictions(path, together, len(together) - len(new))
        write_all({path: joined})
    assert head is not None  # noqa: S101 - a log without a row was refused
    return Added(len(rows), len(together), head)


def head_of(path: Path, content: bytes) -> str | None:
    """The last hash of a log whose chain holds; None for an empty file.

    Raises:
        InputError: If it cannot be read.
        UsageError: If it is not chained, or its chain does not hold.
    """
    if not content.strip():
        return None
    requests, _ = deletion_log(Source(str(path), content))
    if not any(each.link for each in requests):
        raise UsageError(f"{path}: its rows are not chained; auditor log import {path} --from jsonl -o NEW.jsonl chains them")
    head = deletions.chain_head(requests)
    if head is None:
        raise UsageError(f"{path}: its hash chain does not hold; auditor log check {path} names the rows")
    return head


def _refuse_contradictions(path: Path, requests: tuple[Any, ...], before: int) -> None:
    """Contradictions in what is new; what an earlier row says does not concern the new one."""
    known = {record for each in requests for record in each.record_ids if each.status != "no_match"}
    old = {each.row for each in requests[:before]}
    findings = deletions.findings(requests, known)
    found = [each for each in findings if each.row not in old and each.code not in deletions.HARMLESS]
    if found:
        raise InputError([Problem(str(path), f"row {each.row}", "no contradiction", each.message) for each in found])


@contextmanager
def _nothing_left(path: Path) -> Iterator[None]:
    """Remove a log that was made for this, if nothing could be added."""
    made = not path.exists()
    try:
        yield
    except BaseException:
        if made and path.exists() and not path.stat().st_size:
            path.unlink()
        raise


@contextmanager
def alone(path: Path) -> Iterator[BinaryIO]:
    """The log, opened by nobody else who appends: a process that waited for one that was replaced meanwhile opens it again."""
    while True:
        try:
            if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
                # A link would be replaced by a log, and what it leads to would lack the rows.
                raise UsageError(f"{path}: expected a log, found a link or no plain file")
            path.touch(mode=0o600, exist_ok=True)
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                if path.exists() and path.stat().st_ino == _inode(file):
                    yield file
                    return
        except OSError as error:
            raise unwritten(error, path) from error


def _inode(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_ino
