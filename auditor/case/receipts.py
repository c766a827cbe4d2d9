"""Receipts of processors: each file digested, each request one of the log; of a file, only an OpenDSR status is read.

OpenDSR 1.0, sections 8.3 and 8.6: a status of a data subject request is a JSON object with `subject_request_id`,
`request_status` (one of section 8's four) and `expected_completion_time`; the same whether asked for or sent by callback.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date, tzinfo
from pathlib import Path
from typing import Final

from auditor.base.deletion_log.requests import Request
from auditor.base.domain import InputFile, Problem
from auditor.base.errors import InputError
from auditor.case.files import locate, read_source
from auditor.settings.receipts import ALL, MOST_BYTES, Receipt
from auditor.settings.values import show

_STATUS: Final = frozenset({"subject_request_id", "request_status", "expected_completion_time"})
"""Keys that every status of OpenDSR has."""
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
"""What OpenDSR has requests called; its digits mean the same in either case (RFC 9562, section 4)."""
_DONE: Final = "completed"
_MOST_STATUS_BYTES: Final = 64 * 1024
"""A status is some hundred bytes; whatever is longer is no status."""


def read(
    receipts: Sequence[Receipt], folder: Path, file: str, *, taken: Collection[str]
) -> tuple[tuple[Receipt, ...], list[InputFile], list[Problem]]:
    """Digest the file of each receipt.

    Args:
        receipts: The entries of [[receipts]].
        folder: The case folder, resolved.
        file: The file that declares them.
        taken: Paths of files that the case reads as something else.

    Returns:
        The entries, each with the digest of its file; the files, one of several receipts once; and every problem.
    """
    filled, listed, problems = list[Receipt](), dict[str, InputFile](), list[Problem]()
    others = {(folder / name).resolve() for name in taken}
    for index, each in enumerate(receipts):
        where = f"receipts.{index}"
        found = locate(folder, each.file, f"{where}.file", file=file)
        if isinstance(found, Problem):
            problems.append(found)
            continue
        path, name = found
        if path in others:
            problems.append(Problem(file, f"{where}.file", "a file of its own", f"{show(each.file)}, which is something else"))
            continue
        try:
            source = read_source(path, name, limit=MOST_BYTES, follow=False)
        except InputError as error:
            problems += error.problems
            continue
        one = source.listed()
        if not source.data.strip():
            problems.append(Problem(name, "", "what the processor wrote", "an empty file"))
        problems += _unfinished(source.data, each, name, file, where)
        if each.sha256 not in {None, one.sha256}:
            problems.append(Problem(file, f"{where}.sha256", f"the digest of {name}, {one.sha256}", show(each.sha256)))
        listed[name] = one
        filled.append(each.model_copy(update={"sha256": one.sha256}))
    return tuple(filled), list(listed.values()), problems


def _unfinished(data: bytes, receipt: Receipt, name: str, file: str, where: str) -> Iterator[Problem]:
    """Say where a status of OpenDSR confirms no erasure, or is of another request than the receipt."""
    status = _status(data)
    if status is None:
        return
    if status["request_status"] != _DONE:
        yield Problem(name, "request_status", f'"{_DONE}": any other status confirms no erasure', show(status["request_status"]))
    if receipt.requests == ALL or len(receipt.requests) > 1:
        expected = f"the id of one request: {name} is a status of OpenDSR, which is of one"
        yield Problem(file, f"{where}.requests", expected, show(receipt.requests))
    elif not _is_same(own := receipt.requests[0], status["subject_request_id"]):
        expected = f"{show(own)}, the request in {where}.requests: a status of OpenDSR is of the request that it names"
        yield Problem(name, "subject_request_id", expected, show(status["subject_request_id"]))


def _is_same(own: str, other: object) -> bool:
    """Whether a status names a request: ids of a log differ in case where they are no UUIDs."""
    if isinstance(other, str) and _UUID.fullmatch(own) and _UUID.fullmatch(other):
        return own.lower() == other.lower()
    return own == other


def _status(data: bytes) -> dict[str, object] | None:
    if len(data) > _MOST_STATUS_BYTES:
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.keys() >= _STATUS else None


def against_log(receipts: Sequence[Receipt], requests: Sequence[Request], file: str, zone: tzinfo | None) -> Iterator[Problem]:
    """Find receipts for requests that the log does not have, and those dated before a request that they are for.

    Args:
        receipts: The entries of [[receipts]].
        requests: The log.
        file: The file that declares them.
        zone: In whose calendar days are counted; None for the offset of each request.
    """
    received: dict[str, date] = {}
    for request in requests:
        day = request.received_at.astimezone(zone).date() if zone is not None else request.received_at.date()
        received[request.request_id] = max(day, received.get(request.request_id, day))
    for index, each in enumerate(receipts):
        if each.requests == ALL:
            if all(each.at < day for day in received.values()):
                yield Problem(file, f"receipts.{index}.at", "no day before every request of the log", each.at.isoformat())
            continue
        for place, name in enumerate(each.requests):
            if name not in received:
                yield Problem(file, f"receipts.{index}.requests.{place}", "the id of a request in the log", show(name))
            elif each.at < received[name]:
                expected = f"no day before {received[name].isoformat()}, when {show(name)} was received"
                yield Problem(file, f"receipts.{index}.at", expected, each.at.isoformat())
