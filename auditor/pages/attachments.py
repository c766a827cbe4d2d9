"""The long tables of a report as files: what is too long for print, taken from the evidence alone.

Nothing here states anything of its own. A report carries these files next to evidence.json; `auditor verify` makes them again
from the evidence and compares their bytes.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date
from typing import Any, Final

import rfc8785

from auditor.base.deletion_log import receipts
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.domain import Check
from auditor.document.evidence import Evidence
from auditor.pages.words.verdict import unchecked
from auditor.verdict import examination
from auditor.verdict.checks import derived_in
from auditor.verdict.checks.finding import Values
from auditor.verdict.request_status import Chain, Data, Model, chains

MOST_ROWS: Final = 20
"""The most rows of a table in print; a longer one is a file."""
REQUESTS: Final = "requests.csv"
CERTIFICATES: Final = "certificates.json"
PROBLEMS: Final = "log-problems.csv"
INPUTS: Final = "inputs.csv"
_STANDS: Final[Mapping[str, str]] = {
    **{each: each for each in ("late", "in_doubt", "without_reason", "timing")},
    "erased": "erased_in_time",
    **{each: each for each in ("informed", "data", "model")},
}
"""What is derived of a request, as columns of its table: the properties that they show."""
_TRUSTED: Final = ("found_data_on_trust", "found_model_on_trust")
"""Whether what two of these columns say rests in part on somebody's word, as pages say it; empty where there is no such part."""
_CHECK: Final = re.compile(r"[a-z][a-z0-9_.]{0,60}")
_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,60}")
"""Only plain names become names of files: a document may come from anybody."""
_FORMULA: Final = ("=", "+", "-", "@")
"""How a cell begins that a spreadsheet would calculate."""


def of(evidence: Evidence) -> dict[str, bytes]:
    """Make the tables of one document, by file name.

    Every request and every certificate with all of its inputs are always there. Problems of the log, input files and rows that a
    check derived are there where they are more than print holds.
    """
    made: dict[str, bytes] = {}
    if evidence.requests:
        made[REQUESTS] = _requests(evidence)
    if evidence.certificates:
        certificates = evidence.model_dump(mode="json", include={"certificates"})["certificates"]
        made[CERTIFICATES] = json.dumps(certificates, indent=1, sort_keys=True).encode() + b"\n"
    if len(evidence.deletion_log.problems) > MOST_ROWS:
        made[PROBLEMS] = _table([dataclasses.asdict(each) for each in evidence.deletion_log.problems])
    if len(evidence.case.inputs) > MOST_ROWS:
        made[INPUTS] = _table([dataclasses.asdict(each) for each in evidence.case.inputs])
    for check in evidence.checks:
        if not _CHECK.fullmatch(check.id):
            continue
        for key, rows in _derived(check, evidence.version):
            if is_long(rows) and _KEY.fullmatch(key):
                content = _table([_as_written(row) for row in rows])
                if content not in made.values():
                    made.setdefault(name_of(check.id, key), content)
    return made


def _derived(check: Check, version: str) -> Sequence[tuple[str, Any]]:
    """What a check derived, by name; nothing where the document says something else than what its judge derives."""
    try:
        return sorted(derived_in(check, version) or (), key=lambda field: field[0])
    except (LookupError, ValueError):
        return ()


def _as_written(row: Values) -> dict[str, Any]:
    """A row as the document has it, its keys in order and whole numbers without a point."""
    written: dict[str, Any] = json.loads(rfc8785.dumps(row.model_dump(mode="json")))
    return written


def name_of(check_id: str, key: str) -> str:
    """Name the file of rows that a check derived."""
    return f"{check_id}.{key}.csv"


def is_long(rows: Any) -> bool:
    """Whether this is a table with more rows than print holds."""
    return isinstance(rows, list | tuple) and len(rows) > MOST_ROWS and all(isinstance(row, Values) for row in rows)


def _requests(evidence: Evidence) -> bytes:
    """Every request as the evidence has it, and where it stands as the pages derive it: a spreadsheet can filter by that."""
    names = [each.name for each in dataclasses.fields(RequestOutcome)]
    by_word, trusted = examination.by_word(evidence), bool(unchecked(evidence))
    rows = (
        [
            *(_cell(getattr(request, name)) for name in names),
            *(_cell(getattr(chain, name)) for name in _STANDS.values()),
            *(_cell(each) for each in _on_trust(chain, by_word=by_word, trusted=trusted)),
            *((_receipts(evidence, request),) if evidence.receipts else ()),
        ]
        for request, chain in zip(evidence.requests, chains(evidence), strict=True)
    )
    found = (*(f"found_{name}" for name in _STANDS), *_TRUSTED)
    return _written([*names, *found, *(("receipts",) if evidence.receipts else ())], rows)


def _on_trust(chain: Chain, *, by_word: bool, trusted: bool) -> tuple[bool | None, bool | None]:
    """Whether "not-found" of the data, and "shown" or "supported" of the model, rest in part on somebody's word."""
    model = {Model.SHOWN: trusted, Model.SUPPORTED: True}
    return by_word if chain.data is Data.NOT_FOUND else None, None if chain.model is None else model.get(chain.model)


def _receipts(evidence: Evidence, request: RequestOutcome) -> str:
    """Who gave a receipt that covers a request, and when, with the digest of its file: all of it on trust."""
    covering = receipts.covering(evidence.receipts, request)
    return _text("; ".join(f"{each.processor}, {each.at.isoformat()}, SHA-256 {each.sha256}" for each in covering))


def _table(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Rows with a column for each key that any of them has, in the order in which keys first come."""
    flat = [dict(_flat(row)) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    return _written([_text(name) for name in names], ([_cell(row.get(name)) for name in names] for row in flat))


def _flat(row: Mapping[str, object]) -> Iterable[tuple[str, Any]]:
    """The entries of a row, those of a mapping in it under dotted names."""
    for key, value in row.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", each) for inner, each in value.items())
        else:
            yield key, value


def _written(names: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """CSV with a mark at its beginning, by which spreadsheets know that it is UTF-8."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return target.getvalue().encode("utf-8-sig", "backslashreplace")


def _cell(value: Any) -> str:
    """A value as a cell; lists of plain values with semicolons between, everything deeper as JSON."""
    match value:
        case None:
            cell = ""
        case str():
            cell = _text(str(value))
        case bool():
            cell = "true" if value else "false"
        case int() | float():
            cell = repr(value)
        case list() | tuple() if not any(isinstance(each, Mapping | list | tuple) or is_dataclass(each) for each in value):
            cell = _text(";".join(str(each) for each in value))
        case _ if isinstance(value, Mapping | list | tuple) or is_dataclass(value):
            cell = _text(json.dumps(value, sort_keys=True, default=_deeper))
        case date():
            cell = value.isoformat()
        case _:
            cell = _text(str(value))
    return cell


def _deeper(value: Any) -> Any:
    """What JSON has no form for: a record by its fields, a time as ISO 8601 writes it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: each for name, each in dataclasses.asdict(value).items() if each is not None}
    return value.isoformat() if isinstance(value, date) else str(value)


def _text(text: str) -> str:
    """Text from outside: what cannot be seen is spelled out, and what a spreadsheet would calculate begins with an apostrophe."""
    if not text.isprintable():
        text = "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in text)
    return f"'{text}" if text.startswith(_FORMULA) else text
