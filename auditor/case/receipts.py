"""Receipts of processors: each file digested and nothing else of it read, each request one of the log."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date, tzinfo
from pathlib import Path

from auditor.base.domain import InputFile, Problem, Request
from auditor.base.errors import InputError
from auditor.case.files import locate, read_source
from auditor.settings.receipts import ALL, MOST_BYTES, Receipt
from auditor.settings.values import show


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
        if each.sha256 not in {None, one.sha256}:
            problems.append(Problem(file, f"{where}.sha256", f"the digest of {name}, {one.sha256}", show(each.sha256)))
        listed[name] = one
        filled.append(each.model_copy(update={"sha256": one.sha256}))
    return tuple(filled), list(listed.values()), problems


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
