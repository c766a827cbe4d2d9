"""Compares what a document states of things made from the model, and of receipts, with inputs, log and the day of the run."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from datetime import date, timedelta

from auditor.base.domain import InputFile
from auditor.document.evidence import Evidence, case_digest
from auditor.recheck.outcome import shown
from auditor.settings.lineage import Descendant, faults
from auditor.settings.receipts import ALL, Receipt


def lineage(evidence: Evidence) -> Iterator[str]:
    """Say what no case can state of what was made from its model."""
    made = evidence.lineage
    if made and not evidence.learns:
        yield f"found {len(made)} made from a model, expected none, as nothing learns"
    for fault in faults(made):
        yield f"{fault.index}.{fault.key}: found {fault.found}, expected {fault.expected}"
    for index, each in enumerate(made):
        yield from _not_ahead(evidence, f"{index}.made_at", each.made_at)
        if each.path is not None:
            yield from _of_files(evidence, index, each, posixpath.normpath(each.path))


def _of_files(evidence: Evidence, index: int, made: Descendant, path: str) -> Iterator[str]:
    files = sorted((each for each in evidence.case.inputs if _within(each.path, path)), key=lambda each: each.path)
    if not files:
        yield f"{index}.path: found {shown(made.path)}, expected one of the inputs, or a folder of some"
        return
    sha256 = files[0].sha256 if [each.path for each in files] == [path] else case_digest(files)
    if made.sha256 != sha256:
        yield f"{index}.sha256: found {shown(made.sha256)}, expected {sha256}, which the inputs give"


def _within(name: str, path: str) -> bool:
    return name == path or name.startswith(f"{path}/") or path == "."


def receipts(evidence: Evidence) -> Iterator[str]:
    """Say what no case can state of receipts."""
    received: dict[str, date] = {}
    for request in evidence.requests:
        day = request.received_on
        received[request.request_id] = max(day, received.get(request.request_id, day))
    inputs = {each.path: each for each in evidence.case.inputs}
    for index, each in enumerate(evidence.receipts):
        yield from _not_ahead(evidence, f"{index}.at", each.at)
        yield from _of_file(index, each, inputs)
        named = tuple(received) if each.requests == ALL else each.requests
        if foreign := [name for name in named if name not in received]:
            yield f"{index}.requests: found {shown(foreign[0])}, expected requests of the log"
        early = [name for name in named if name in received and each.at < received[name]]
        if each.requests == ALL and len(early) == len(received):
            yield f"{index}.at: found {each.at.isoformat()}, expected no day before every request of the log"
        elif each.requests != ALL and early:
            yield f"{index}.at: found {each.at.isoformat()}, expected no day before {early[0]} was received"


def _of_file(index: int, receipt: Receipt, inputs: dict[str, InputFile]) -> Iterator[str]:
    file = inputs.get(posixpath.normpath(receipt.file))
    if file is None or receipt.sha256 != file.sha256 or not file.bytes:
        expected = "one of the inputs" if file is None else f"the digest of the file, {file.sha256}"
        yield f"{index}.file: found {shown(receipt.file)} with {shown(receipt.sha256)}, expected {expected}"


def _not_ahead(evidence: Evidence, key: str, day: date | None) -> Iterator[str]:
    """A day after the audit; where its clock was set by hand, or stood still, nothing is compared with it."""
    started, ended = evidence.audit.started_at, evidence.audit.finished_at
    if day is not None and ended > started and day > ended.date() + timedelta(days=1):
        yield f"{key}: found {day.isoformat()}, expected no day after the audit, which ended at {ended.isoformat()}"
