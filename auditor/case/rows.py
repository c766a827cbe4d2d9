"""One row of a deletion log, checked: what makes it unreadable, and what it says.

Only what cannot be read is a problem here. What can be read but contradicts itself, such as a record that is deleted
twice, is a finding of the audit (`auditor.base.deletion_log.deletions`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from pydantic_core import PydanticCustomError

from auditor.base.deletion_log import log_chain
from auditor.base.domain import Regime, Request, StorageState
from auditor.case import log_tables
from auditor.case.log_values import (
    count,
    day,
    identifier,
    identifiers,
    member,
    moment,
    prose,
    pseudonym,
    reason,
    refuse_digest,
    state,
    statement,
)

Report = Callable[[str, str, str], None]
"""Takes a key, what was expected and what was found."""

_REQUIRED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "request_id": identifier,
    "record_ids": identifiers,
    "received_at": moment,
}
_OPTIONAL: Final[Mapping[str, Callable[[Any], Any]]] = {
    "executed_at": moment,
    "subject": pseudonym,
    "batch": identifier,
    "seen_releases": count,
    "status": state,
    "due_on": day,
    "basis": prose,
    "note": prose,
    "near_match": reason,
    "regime": partial(member, "regime", Regime),
    "data_erased_at": moment,
    "model_erased_at": moment,
    "answered_at": moment,
    "reason": statement,
    "exception": statement,
    "ground": statement,
    "storage_state": partial(member, "storage state", StorageState),
}
_TABLES: Final[Mapping[str, Callable[[Any, Report], Any]]] = {
    "extension": log_tables.extension,
    "clock_pauses": log_tables.pauses,
    "recipients_notified": log_tables.recipients,
}
REQUIRED: Final = tuple(_REQUIRED)
"""Columns without which a row is no request."""
READ: Final = (*_REQUIRED, *_OPTIONAL, *_TABLES)
"""Columns that the audit reads."""
UNREAD: Final = log_chain.COLUMNS
"""Columns that the format knows and that no request holds: the hash chain, which Parquet has no canonical form for."""


def read_request(row: int, fields: Mapping[str, Any], report: Report) -> Request | None:
    """The request that a row holds, or None where anything of it was reported.

    Args:
        row: Its line in the log, from 1.
        fields: Its values by column; a missing value is None or left out.
        report: Takes every problem of the row.
    """
    faults = 0

    def fault(key: str, expected: str, found: str) -> None:
        nonlocal faults
        faults += 1
        report(key, expected, found)

    given = {name: value for name, value in fields.items() if value is not None}
    for name in _REQUIRED:
        if name not in given:
            fault(name, "a value: this key is required", "nothing")
    read: dict[str, Any] = {}
    for name, reader in (*_REQUIRED.items(), *_OPTIONAL.items()):
        if name in given:
            try:
                read[name] = reader(given[name])
            except PydanticCustomError as error:
                fault(name, *_halves(error))
    for name, table in _TABLES.items():
        if name in given:
            read[name] = table(given[name], fault)
    beside = [read.get(name) for name in ("request_id", "basis", "note", "reason")]
    if "subject" in read and (refusal := refuse_digest(read["subject"], [*beside, *read.get("record_ids", ())])):
        fault("subject", *_halves(refusal))
    return None if faults else Request(row=row, **(read | {"executed_at": _executed(read)}))


def _halves(error: PydanticCustomError) -> tuple[str, str]:
    context = error.context or {}
    return str(context["expected"]), str(context["found"])


def _executed(read: Mapping[str, Any]) -> datetime | None:
    """When a request was carried out: where its row says that it was, the dates of its parts will do."""
    told: datetime | None = read.get("executed_at")
    if told is None and read.get("status") == "executed":
        told = read.get("model_erased_at") or read.get("data_erased_at")
    return told
