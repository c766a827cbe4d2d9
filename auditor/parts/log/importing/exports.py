"""The formats that are read: any CSV, OpenDSR 1.0 and 2.0, Data Rights Protocol 0.9 and 1.0, Transcend's CSV, our own logs."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.files import Source
from auditor.parts.log.importing.people import PersonColumns
from auditor.parts.log.importing.spreadsheets import separated_rows, whole
from auditor.settings.values import show

_DEEPEST: Final = 6
IDENTITY: Final = "identity."
"""What columns of identities begin with; the rest is their kind."""
CODED: Final = ".format"
"""What the column ends with that says how the identities of a kind are coded; there is none where all are as they are."""
_BROKEN: Final = ("text", "half of a surrogate pair")


class Row(NamedTuple):
    """One row of an export."""

    number: int
    """Its line in CSV, its place from 1 in JSON."""
    values: Mapping[str, str]
    """What it holds, without empty cells."""
    fault: tuple[str, str] | None = None
    """What was expected and found of a row that cannot be read at all."""
    own: Mapping[str, Any] | None = None
    """The row as it is, of a log of the auditor's own."""


class Table(NamedTuple):
    """An export as it was read."""

    names: tuple[str, ...]
    """Its columns, those without a value among them."""
    rows: tuple[Row, ...]
    mark: str = ","
    """What separates cells."""
    decimals: tuple[str, ...] = ()
    """Columns of whole numbers that were written with a decimal comma, as 12,0 for 12."""


@dataclass(frozen=True, slots=True)
class Export:
    """What is known of one format."""

    name: str
    says: str
    read: Callable[[Source], Table]
    columns: Mapping[str, str] = field(default_factory=dict)
    """Its columns that the log has too; of two for one column the first that a row has."""
    person: PersonColumns | None = None
    """Where it usually names people and their records."""
    kind: str | None = None
    """The column that says what was asked for, by words of `kinds`."""
    test_column: str | None = None
    """The column that marks test requests."""
    reason: str | None = None
    """The column that says why a request was refused, in the format's own words."""
    identities: str = ""
    """What columns of people's identities begin with, where people are known by identities of several kinds."""

    def column(self, name: str, names: Collection[str]) -> str:
        """The column that an option means, among those of an export: that of an identity may be called by its kind alone."""
        kind = self.identities + name
        return kind if name not in names and kind in names else name

    def test(self, values: Mapping[str, str]) -> str | None:
        """How to call a row that is a test and no request; None for a request."""
        if self.test_column is None or values.get(self.test_column, "").casefold() not in {"true", "1", "yes"}:
            return None
        return self.test_column


def _from_csv(source: Source) -> Table:
    names, read, mark = separated_rows(source)
    rows = [_row_of_csv(number, names, cells) for number, cells in read]
    decimals = () if mark == "," else tuple(name for name in names if whole(row.values.get(name) for row in rows))
    for name in decimals:
        rows = [
            row._replace(values={**row.values, name: row.values[name].partition(",")[0]}) if name in row.values else row
            for row in rows
        ]
    return Table(tuple(names), tuple(rows), mark, decimals)


def _row_of_csv(number: int, names: list[str], cells: list[str]) -> Row:
    if len(cells) != len(names):
        return Row(number, {}, (f"{len(names)} columns", f"{len(cells)}"))
    return Row(number, {name: cell.strip() for name, cell in zip(names, cells, strict=True) if cell.strip()})


def _table(rows: list[Row]) -> Table:
    return Table(tuple(dict.fromkeys(name for row in rows for name in row.values)), tuple(rows))


def _from_json(source: Source) -> Table:
    """Objects of a JSON array, of one under `requests`, or one a line."""
    try:
        text = source.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError([Problem(source.name, "", "text in UTF-8", "bytes that are not UTF-8")]) from error
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    try:
        whole = json.loads(text, object_pairs_hook=_each_once)
    except _TwiceError as error:
        if len(lines) == 1 or text.lstrip().startswith("["):
            raise InputError([Problem(source.name, "", *_once(error))]) from error
        return _table([_row_of_json(*each) for each in lines])
    except (ValueError, RecursionError):
        return _table([_row_of_json(*each) for each in lines])
    others = [name for name, each in whole.items() if _may_be_requests(each)] if isinstance(whole, dict) else []
    if "requests" in others and len(others) > 1:
        raise InputError([Problem(source.name, others[-1], "all requests under requests", "a list alongside them")])
    members = whole.get("requests", [whole]) if isinstance(whole, dict) else whole
    if not isinstance(members, list):
        raise InputError([Problem(source.name, "", "a list of requests, or one a line", show(members))])
    return _table([_row(number, each) for number, each in enumerate(members, start=1)])


def _row_of_json(number: int, line: str) -> Row:
    try:
        return _row(number, json.loads(line, object_pairs_hook=_each_once))
    except _TwiceError as error:
        return Row(number, {}, _once(error))
    except (ValueError, RecursionError):
        return Row(number, {}, ("a JSON object", "no JSON"))


def _row(number: int, member: Any) -> Row:
    if not isinstance(member, dict):
        return Row(number, {}, ("a JSON object", show(member)))
    if _is_broken(member):
        return Row(number, {}, _BROKEN)
    try:
        return Row(number, _once_each(_flat(member)))
    except _TwiceError as error:
        return Row(number, {}, _once(error))


class _TwiceError(ValueError):
    """A name that is there twice: which of its values is meant nobody knows."""


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return _once_each(pairs)


def _once_each(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _TwiceError(name)
        found[name] = value
    return found


def _once(error: _TwiceError) -> tuple[str, str]:
    return "each name once", f"{show(error.args[0])} twice"


def _may_be_requests(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _is_broken(member: object) -> bool:
    """Whether a name or a text anywhere in it has no UTF-8: JSON can spell half of a character, which no log can hold."""
    try:
        json.dumps(member, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return True
    return False


def _from_our_own(source: Source) -> Table:
    rows = []
    for number, line in enumerate(source.data.decode("utf-8-sig", errors="replace").splitlines(), start=1):
        if line.strip():
            own: Any = None
            fault: tuple[str, str] | None = None
            try:
                own = json.loads(line, object_pairs_hook=_each_once)
            except _TwiceError as error:
                fault = _once(error)
            except (ValueError, RecursionError):
                pass
            if not isinstance(own, dict):
                fault = fault or ("a JSON object", "something else")
            if isinstance(own, dict) and _is_broken([*own]):  # of a value the row's own check says in which column
                fault = _BROKEN
            rows.append(Row(number, dict.fromkeys(own, "") if fault is None else {}, fault, own if fault is None else None))
    return _table(rows)


def _flat(table: Mapping[str, Any], before: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Columns of a table in a table are called `outer.inner`; a list of values is a cell, an identity a column of its own."""
    for name, value in table.items():
        match value:
            case None | "" | []:
                continue
            case bool():
                yield before + name, "true" if value else "false"
            case str() | int() | float():
                yield before + name, str(value)
            case dict() if depth < _DEEPEST:
                yield from _flat(value, f"{before}{name}.", depth + 1)
            case list() if all(isinstance(each, str | int) for each in value):
                yield before + name, ";".join(map(str, value))
            case list() if all(isinstance(each, dict) and "identity_type" in each for each in value):
                yield from _identities(value)


def _identities(members: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    kinds = dict.fromkeys(str(each["identity_type"]) for each in members)
    for kind in kinds:
        given = [each.get("identity_value", "") for each in members if str(each["identity_type"]) == kind]
        values = [str(one) for each in given for one in (each if isinstance(each, list) else [each])]
        yield IDENTITY + kind, ";".join(filter(None, values))
        formats = {str(each["identity_format"]) for each in members if str(each["identity_type"]) == kind and _is_coded(each)}
        if formats:
            yield IDENTITY + kind + CODED, ";".join(sorted(formats))


def _is_coded(member: Mapping[str, Any]) -> bool:
    """Whether an identity is given by a digest of it."""
    return str(member.get("identity_format") or "raw").casefold() != "raw"


EXPORTS: Final[Mapping[str, Export]] = {
    each.name: each
    for each in (
        Export("csv", "any CSV with a header", _from_csv),
        Export("jsonl", "a log of the auditor's own, one JSON object a line, to be chained", _from_our_own),
        Export(
            "opendsr",
            "OpenDSR requests with their status, a JSON array or one a line",
            _from_json,
            columns={
                "subject_request_id": "request_id",
                # What the controller sent is no later than what the processor received.
                "submitted_time": "received_at",
                "received_time": "received_at",
                "request_status": "status",
                "regulation": "regime",
                "identity.controller_customer_id": "record_ids",
            },
            person=PersonColumns("identity.email", "identity.controller_customer_id"),
            kind="subject_request_type",
            identities=IDENTITY,
        ),
        Export(
            "drp",
            "Data Rights Protocol requests with their status, a JSON array or one a line",
            _from_json,
            columns={
                "request_id": "request_id",
                "received_at": "received_at",
                "issued-at": "received_at",
                "status": "status",
                "regime": "regime",
            },
            person=PersonColumns("email", "record_ids"),
            kind="exercise",
            reason="reason",
        ),
        Export(
            "transcend",
            "the CSV of Transcend's export of privacy requests",
            _from_csv,
            columns={"Request ID": "request_id", "Created At": "received_at", "Status": "status"},
            person=PersonColumns("Email", "Core Identifier"),
            kind="Request Type",
            test_column="Is Test Request",
        ),
    )
}
"""By the name that `--from` takes."""
