"""The deletion log: JSON lines, CSV or Parquet in, requests out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from auditor.base.deletion_log import log_chain
from auditor.base.deletion_log.requests import Request
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.validation import broken_json
from auditor.case.amended import Amended
from auditor.case.comma_separated import csv_header, csv_rows
from auditor.case.files import Source, read_source
from auditor.case.log_values import READ, TABLES, UNREAD, Report, from_text
from auditor.case.tables import limit_of
from auditor.settings.values import misspelt, show, text_fault, unknown

_IMPORTED: Final = "auditor log import makes one of another system's export"
_FROM_EXPORT: Final = "; auditor log import, or auditor init --log, turns an export of another system into such a log"
_MOST: Final = 1000
"""Problems of one log that are named one by one; the others are counted."""
_MOST_COLUMNS: Final = 1000


def read_log(path: Path) -> tuple[tuple[Request, ...], tuple[str, ...]]:
    """Read a deletion log.

    Args:
        path: JSONL (one object a line; `record_ids` is a list of strings), CSV (`record_ids` separated by `;`; an empty
            cell is a missing value) or Parquet (a list of strings, or text separated by `;`).

    Returns:
        The requests in the order of the file, and the columns that were there but that no check examines.

    Raises:
        InputError: With every problem of every row, by line number (by row number in Parquet); also for an empty log, and one
            of planted records alone.
    """
    return deletion_log(read_source(path, limit=limit_of(path)))


def apart(requests: Sequence[Request]) -> tuple[tuple[Request, ...], tuple[Request, ...]]:
    """Part the requests of people from the rows of planted records, which count nowhere."""
    return tuple(each for each in requests if not each.canary), tuple(each for each in requests if each.canary)


def deletion_log(source: Source, *, whole: bool = True) -> tuple[tuple[Request, ...], tuple[str, ...]]:
    """The requests of a log that was read already; see `read_log`.

    Args:
        source: The log.
        whole: Whether that is all of it: rows that are added to a log may be of planted records alone.
    """
    problems = _Problems(source.name)
    match Path(source.name).suffix.lower():
        case ".jsonl":
            rows = _json_rows(source, problems)
        case ".csv":
            rows = _csv_rows(source, problems)
        case ".parquet":
            rows = _parquet_rows(source)
        case suffix:
            raise InputError([Problem(source.name, "", f"a log ending in .jsonl, .csv or .parquet; {_IMPORTED}", show(suffix))])
    columns: dict[str, None] = {}
    chain: list[Mapping[str, Any]] = []
    history = Amended(source.name, problems.add)
    for row, fields, raw in rows:
        chain.append(raw)
        for column in fields:
            if column not in columns:
                columns[column] = None
                _require_few(source.name, len(columns))
                _look_at_name(column, partial(problems.add, row))
        history.take(row, fields, raw)
    if not chain and not problems.count:
        raise InputError([Problem(source.name, "", "at least one request", "an empty log")])
    read = history.requests(log_chain.follow(chain).links)
    _refuse_canaries(read, problems, whole=whole)
    problems.refuse_any()
    known = {*READ, log_chain.AMENDS, log_chain.AMENDED_AT, *(log_chain.COLUMNS if any(each.link for each in read) else ())}
    return read, tuple(column for column in columns if column not in known)


def json_objects(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """Objects as JSON, one a line or each over several lines, with the lines that they begin on.

    Raises:
        InputError: With every line that holds no object; also where no line does.
    """
    problems = _Problems(source.name)
    rows = [(row, fields) for row, fields, _ in _json_rows(source, problems)]
    if problems.count:
        found = _over_lines(source.data)
        if isinstance(found, _List):
            raise InputError([Problem(source.name, "", "JSON objects, each on a line of its own", "a list of objects")])
        if isinstance(found, list):
            yield from found
            return
        if not rows and found is not None:
            # No line is an object by itself: what is broken is one that goes over several.
            raise InputError([Problem(source.name, "", "JSON objects", broken_json(found))])
    problems.refuse_any()
    if not rows:
        raise InputError([Problem(source.name, "", "at least one JSON object", "nothing")])
    yield from rows


class _List:
    """A list of objects, as other programs write them."""


def _over_lines(data: bytes) -> list[tuple[int, dict[str, Any]]] | json.JSONDecodeError | _List | None:
    """Objects that may go over several lines, or where the text stops being JSON; None where it is something else."""
    decoder = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_refuse_constant)
    found: list[tuple[int, dict[str, Any]]] = []
    try:
        text = data.decode("utf-8-sig")
        at = _past_blanks(text, 0)
        while at < len(text):
            fields, end = decoder.raw_decode(text, at)
            if not isinstance(fields, dict):
                return _List() if isinstance(fields, list) and not found else None
            found.append((text.count("\n", 0, at) + 1, fields))
            at = _past_blanks(text, end)
    except json.JSONDecodeError as error:
        return error
    except (ValueError, RecursionError):
        return None
    return found


def _past_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _refuse_canaries(requests: Sequence[Request], problems: _Problems, *, whole: bool) -> None:
    """Refuse planted records that are somebody's by another row, and a log of nothing else."""
    people, planted = apart(requests)
    named = {record for each in people for record in each.record_ids}
    for each in planted:
        if not named.isdisjoint(each.record_ids):
            problems.add(each.row, "canary", "a planted record that no other row names", "one that a request names")
    if whole and planted and not people and not problems.count:
        expected = "at least one request that is no canary"
        problems.add(planted[0].row, "canary", expected, "planted records alone, whose erasure nobody asked for")


def _require_few(file: str, columns: int) -> None:
    """Refuse a log of columns without end, each of which would be compared with the known ones."""
    if columns > _MOST_COLUMNS:
        raise InputError([Problem(file, "", f"at most {_MOST_COLUMNS} columns", "more")])


def _look_at_name(column: str, report: Report) -> None:
    """Refuse a column that is probably a misspelt one; other unknown ones are listed as not read."""
    if column in READ or column in UNREAD:
        return
    if misspelt(column, READ) or text_fault(column):
        report("", *unknown("column", column, (*READ, *UNREAD)))


class _Problems:
    def __init__(self, file: str) -> None:
        self._file = file
        self._found: list[Problem] = []
        self.count = 0

    def add(self, row: int, key: str, expected: str, found: str) -> None:
        self.count += 1
        if len(self._found) < _MOST:
            self._found.append(Problem(self._file, f"row {row}, {key}" if key else f"row {row}", expected, found))

    def refuse_any(self) -> None:
        more = self.count - len(self._found)
        if more:
            self._found.append(Problem(self._file, "", "no more rows like these", f"and {more} more problems"))
        if self._found:
            raise InputError(self._found)


class _NotThisJsonError(ValueError):
    """Something that Python's reader would let pass."""


def _refuse_constant(word: str) -> NoReturn:
    raise _NotThisJsonError(word)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise _NotThisJsonError(f"the key {show(next(key for key in keys if keys.count(key) > 1))} twice")
    return found


_Rows: TypeAlias = Iterator[tuple[int, dict[str, Any], Mapping[str, Any]]]
"""Row number, values by column, and the same as the file holds them, over which a hash chain runs; empty where none can."""


def _json_rows(source: Source, problems: _Problems) -> _Rows:
    decoder = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_refuse_constant)
    data = source.data.removeprefix(b"\xef\xbb\xbf")
    for row, line in enumerate(data.split(b"\n"), start=1):
        try:
            text = line.decode().strip(" \t\r")
            if not text:
                continue
            fields = decoder.decode(text)
        except UnicodeDecodeError:
            problems.add(row, "", "text in UTF-8", "bytes that are not UTF-8")
            continue
        except _NotThisJsonError as error:
            problems.add(row, "", "a JSON object with each key once and finite numbers", str(error))
            continue
        except (ValueError, RecursionError) as error:
            words = broken_json(error, within_line=True) if isinstance(error, json.JSONDecodeError) else "no JSON"
            problems.add(row, "", "a JSON object", words)
            continue
        if isinstance(fields, dict):
            yield row, fields, fields
        else:
            problems.add(row, "", "a JSON object", show(fields))


def _csv_rows(source: Source, problems: _Problems) -> _Rows:
    rows = csv_rows(source)
    names = csv_header(source, rows, _FROM_EXPORT)
    _require_few(source.name, len(names))
    for name in ("request_id", "record_ids", "received_at"):
        if name not in names:
            problems.add(1, name, "a column of that name", "none")
    for name in names:
        _look_at_name(name, partial(problems.add, 1))
    # Without its columns a log has no readable row: one problem for each column, not one for each row.
    problems.refuse_any()
    for row, cells in rows:
        if len(cells) != len(names):
            problems.add(row, "", f"{len(names)} columns", f"{len(cells)}")
            continue
        fields: dict[str, Any] = {name: cell if cell.strip() else None for name, cell in zip(names, cells, strict=True)}
        raw = dict(fields)
        fields |= {name: _separated(fields[name]) for name in ("record_ids", "terms") if name in fields}
        seen = fields.get("seen_releases")
        if seen is not None and seen.strip().isascii() and seen.strip().isdigit() and len(seen) <= 20:
            fields["seen_releases"] = int(seen)
        if fields.get(log_chain.AMENDS) is not None:
            # A blank cell takes nothing out, as null does in JSON: a table has every column in every row.
            fields = {name: value for name, value in fields.items() if value is not None}
        yield row, _with_tables(fields), raw


def _parquet_rows(source: Source) -> _Rows:
    # pyarrow costs a quarter of a second to import, and most cases do without it.
    from auditor.case.parquet import log_rows  # noqa: PLC0415

    for row, fields in enumerate(log_rows(source), start=1):
        fields |= {name: _separated(cell) for name in ("record_ids", "terms") if isinstance(cell := fields.get(name), str)}
        yield row, _with_tables(fields), {}


def _with_tables(fields: dict[str, Any]) -> dict[str, Any]:
    """The same with the cells that hold tables as text read."""
    return fields | {name: from_text(cell) for name in TABLES if isinstance(cell := fields.get(name), str)}


def _separated(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(";")]
