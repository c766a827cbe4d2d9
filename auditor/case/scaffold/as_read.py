"""How a script reads its table: the arguments of `pd.read_csv`, and the table as it is then, column by column.

What the case's own reading does otherwise is made up for: separators, decimal commas and words for missing values by writing the
table again, types of columns by statements of prepare.py.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.mixed_columns import MISSING, Kind
from auditor.case.comma_separated import csv_header, csv_rows
from auditor.case.files import Source
from auditor.case.mixed import kind_of_texts
from auditor.case.scaffold import encodings
from auditor.case.scaffold.dataflow import UNREAD, Col, Read
from auditor.case.scaffold.steps import Line
from auditor.case.scaffold.syntax import words
from auditor.case.scaffold.tables import Table
from auditor.case.separators import in_utf8, mark_of

_MISSING: Final = frozenset(
    [
        "#N/A",
        "#N/A N/A",
        "#NA",
        "-1.#IND",
        "-1.#QNAN",
        "-NaN",
        "-nan",
        "1.#IND",
        "1.#QNAN",
        "<NA>",
        "N/A",
        "NA",
        "NULL",
        "NaN",
        "None",
        "n/a",
        "nan",
        "null",
    ]
) | {""}
"""What pandas takes for a missing value."""
_NUMBER: Final = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*|\s*[+-]?inf\s*", re.ASCII)
_WHOLE: Final = re.compile(r"\s*[+-]?\d{1,18}\s*", re.ASCII)
_BOOLEANS: Final = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}
_IGNORED: Final = words(
    "filepath_or_buffer engine low_memory memory_map on_bad_lines verbose compression storage_options encoding_errors "
    "cache_dates infer_datetime_format columns filesystem path io float_precision index_col usecols sheet_name"
)
_DO: Final = "write the table to a file as the script has it then, and name that as --data"
_ENCODINGS: Final = {
    "latin-1",
    "latin1",
    "iso-8859-1",
    "iso-8859-15",
    "cp1252",
    "windows-1252",
    "utf-16",
    "utf8",
    "utf-8",
    "utf-8-sig",
}


@dataclass(frozen=True)
class Reading:
    """What the call says."""

    line: int = 0
    mark: str = ","
    decimal: str = "."
    thousands: str = ""
    encoding: str = "utf-8"
    missing: frozenset[str] = _MISSING
    missing_in: Mapping[str, frozenset[str]] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    """By column; under the empty name that of all."""
    dates: frozenset[str] = frozenset()
    day_first: bool = False
    index: str | int | None = None
    columns: tuple[str, ...] | None = None
    strip: bool = False
    """Whether blanks after separators are left out."""
    defaults: bool = True
    """Whether the usual words for missing values are ones."""
    problems: tuple[tuple[str, str], ...] = ()
    """Arguments that cannot be carried over, and what to do."""


def of_call(read: Read) -> Reading:
    """What a call of `read_csv` or its like says."""
    found = Reading(read.line)
    problems: list[tuple[str, str]] = []
    for name, given in read.given.items():
        changed = _argument(found, name, given)
        if changed is None:
            problems.append((name, _DO))
        else:
            found = changed
    return replace(found, problems=tuple(problems))


def _argument(found: Reading, name: str, given: Any) -> Reading | None:  # noqa: C901, PLR0911, PLR0912 - a case for each argument
    """The reading with one argument more; None where it cannot be carried over."""
    if given is UNREAD:
        return found if name in _IGNORED - {"index_col", "usecols"} else None
    match name:
        case "sep" | "delimiter" if given in {",", ";", "\t", "|"}:
            return replace(found, mark=given)
        case "decimal" if given in {".", ","}:
            return replace(found, decimal=given)
        case "thousands" if given in {".", ",", " ", "'", None}:
            return replace(found, thousands=given or "")
        case "encoding" if given is None or (isinstance(given, str) and given.lower() in _ENCODINGS):
            return replace(found, encoding=given or "utf-8")
        case "na_values":
            return _missing(found, given)
        case "keep_default_na" | "na_filter" if isinstance(given, bool):
            return (
                found
                if given
                else replace(found, defaults=False, missing=frozenset({""}) if name == "keep_default_na" else frozenset())
            )
        case "dtype" if isinstance(given, str):
            return replace(found, types={"": given.rpartition(".")[2]})
        case "dtype" if isinstance(given, dict):
            types = {key: each if isinstance(each, str) else getattr(each, "path", None) for key, each in given.items()}
            if all(isinstance(each, str) for each in types.values()):
                return replace(found, types={str(key): str(each).rpartition(".")[2] for key, each in types.items()})
        case "parse_dates" if given in (False, None):
            return found
        case "parse_dates" if isinstance(given, list | tuple) and all(isinstance(each, str) for each in given):
            return replace(found, dates=frozenset(given))
        case "dayfirst" if isinstance(given, bool):
            return replace(found, day_first=given)
        case "index_col" if given is None or given is False or isinstance(given, str | int):
            return replace(found, index=None if given is False else given)
        case "usecols" if isinstance(given, list | tuple) and all(isinstance(each, str) for each in given):
            return replace(found, columns=tuple(given))
        case "usecols" if given is None:
            return found
        case "skipinitialspace" if isinstance(given, bool):
            return replace(found, strip=given)
        case "header" if given in {0, "infer"}:
            return found
        case "quotechar" if given == '"':
            return found
        case _ if name in _IGNORED - {"index_col", "usecols"} or (given is None and name != "header"):
            return found
    return None


def _missing(found: Reading, given: Any) -> Reading | None:
    base = found.missing
    if isinstance(given, dict):
        by_column = {str(key): base | _words(each) for key, each in given.items()}
        return replace(found, missing_in=by_column)
    if given is None:
        return found
    return replace(found, missing=base | _words(given))


def _words(given: Any) -> frozenset[str]:
    each = given if isinstance(given, list | tuple | set | frozenset) else [given]
    # A number that stands for a missing value may be written as a whole one or not.
    return frozenset(
        text for one in each for text in ({str(one), str(float(one))} if isinstance(one, int | float) else {str(one)})
    )


def rewritten(source: Source, reading: Reading) -> tuple[Source, tuple[str, ...]]:
    """The table as a CSV file of commas, points and empty cells, with what was changed; Parquet stays as it is.

    Raises:
        InputError: If it cannot be read.
    """
    if Path(source.name).suffix.lower() != ".csv":
        return source, ()
    said: list[str] = []
    data = source.data
    if reading.encoding.lower() not in {"utf-8", "utf8", "utf-8-sig"}:
        try:
            data = data.decode(reading.encoding).encode()
            said.append(f"its {reading.encoding} is written as UTF-8")
        except UnicodeDecodeError as error:
            raise InputError([Problem(source.name, "", f"text in {reading.encoding}", "other bytes")]) from error
    decoded = replace(source, data=data)
    head = data.partition(b"\n")[0].decode("utf-8-sig", "replace")
    mark = reading.mark if reading.mark in head else ","
    usual = mark == "," and reading.decimal == "." and not reading.thousands
    if usual and reading.missing == _MISSING and not reading.missing_in and not reading.strip and not said:
        cells = [(name, row[at]) for _, row in csv_rows(decoded, mark) for at, name in enumerate(row[:0])]
        if not cells and not _other_words(decoded):
            return source, ()
    table, changed = _cells(decoded, mark, reading)
    if mark != ",":
        said.append("its separators are written as commas")
    said += changed
    if not said:
        return source, ()
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(table)
    return replace(source, data=text.getvalue().encode()), tuple(said)


def guessed(source: Source) -> tuple[Source, tuple[str, ...]]:
    """Write a table that no script reads as `rewritten` does: separators and decimal commas are read off it.

    Raises:
        InputError: If it cannot be read.
    """
    if Path(source.name).suffix.lower() != ".csv":
        return source, ()
    decoded, told = in_utf8(source)
    mark = told or mark_of(decoded)
    return rewritten(decoded, Reading(mark=mark, decimal="." if mark == "," else ","))


def _other_words(source: Source) -> bool:
    """Whether a cell is missing for pandas and a word for the case."""
    others = {each for each in _MISSING if each.lower() not in MISSING}
    return any(cell in others for _, row in csv_rows(source) for cell in row)


def _cells(source: Source, mark: str, reading: Reading) -> tuple[list[list[str]], list[str]]:
    lines = csv_rows(source, mark)
    names = csv_header(source, lines)
    body = [row for _, row in lines]
    gone_words, numbers = set[str](), list[str]()
    for at, name in enumerate(names):
        gone = reading.missing_in.get(name, reading.missing)
        for row in body:
            if at < len(row):
                cell = row[at].strip() if reading.strip else row[at]
                if cell and cell in gone and cell.strip().lower() not in MISSING:
                    gone_words.add(cell)
                row[at] = "" if cell in gone else cell
        if (reading.decimal != "." or reading.thousands) and _in_numbers(body, at, reading, name):
            numbers.append(name)
    said = (
        [f"{', '.join(sorted(gone_words)[:5])} in it are written as empty cells, which the script reads them as"]
        if gone_words
        else []
    )
    if numbers:
        said.append(f"numbers of {', '.join(numbers[:5])} are written with a decimal point")
    return [names, *body], said


def _in_numbers(body: Sequence[list[str]], at: int, reading: Reading, name: str) -> bool:
    """Write a column with decimal points, if it is one of numbers and changes by that."""
    if reading.types.get(name, reading.types.get("")) in {"str", "object", "string"}:
        return False

    def point(cell: str) -> str:
        return (cell.replace(reading.thousands, "") if reading.thousands else cell).replace(reading.decimal, ".")

    cells = [row[at] for row in body if at < len(row)]
    after = [point(each) for each in cells]
    if after == cells or not all(not each or _NUMBER.fullmatch(each) for each in after):
        return False
    for row, cell in zip((row for row in body if at < len(row)), after, strict=True):
        row[at] = cell
    return True


def columns(table: Table, reading: Reading) -> dict[str, Col]:
    """The table's columns as the script has them once they are read."""
    found: dict[str, Col] = {}
    for name, cells in table.columns.items():
        if reading.columns is not None and name not in reading.columns:
            continue
        known = [each for each in cells if each not in _MISSING]
        gone = len(known) < len(cells)
        kind = table.kinds.get(name) or _kind(known, reading.types.get(name, reading.types.get("")), missing=gone)
        if name in reading.dates:
            kind = "time"
        found[name] = Col(kind=kind, sources=frozenset({name}), missing=gone, encoding=_values(known, kind))
    return found


def _kind(known: Sequence[str], told: str | None, *, missing: bool) -> str:
    if told is not None:
        by_name = {
            "str": "text",
            "object": "text",
            "string": "text",
            "category": "category",
            "bool": "boolean",
            "boolean": "boolean",
        }
        return by_name.get(told, "integer" if "int" in told.lower() else "number" if "float" in told.lower() else "")
    if known and all(each in _BOOLEANS for each in known):
        return "text" if missing else "boolean"
    if all(_WHOLE.fullmatch(each) for each in known) and known and not missing:
        return "integer"
    return "number" if all(_NUMBER.fullmatch(each) for each in known) else "text"


def _values(known: Sequence[str], kind: str) -> encodings.Encoding | None:
    """Each text of a column, and the value that pandas reads it as."""
    distinct = sorted(set(known))
    if len(distinct) > encodings.MOST:
        return None
    try:
        match kind:
            case "integer":
                return {each: int(each) for each in distinct}
            case "number":
                return {each: float(each) for each in distinct}
            case "boolean":
                return {each: _BOOLEANS[each] for each in distinct}
            case _:
                return {each: each for each in distinct}
    except (ValueError, KeyError):
        return None


def adjustments(
    table: Table, reading: Reading, held: Mapping[str, Col], inputs: Sequence[str]
) -> Iterator[tuple[str, Line | None]]:
    """Statements that give columns the types that the script reads them in; with a line where that cannot be done.

    Args:
        table: As the case has it.
        reading: The call.
        held: Columns as the script has them.
        inputs: Columns that the procedure gets.
    """
    for name in inputs:
        if name not in held:
            continue
        known = [each for each in table.columns[name] if each.strip().lower() not in MISSING]
        case, kind = _case_kind(table, name, known), held[name].kind
        column = f"table[{name!r}]"
        if kind == "category":
            yield f'{column} = {column}.astype("category")', None
        elif kind == "time" and case is Kind.TEXT:
            yield f"{column} = pd.to_datetime({column}{', dayfirst=True' if reading.day_first else ''})", None
        elif kind in {"integer", "number"} and case is Kind.TEXT:
            yield f"{column} = pd.to_numeric({column})", None
        elif kind == "text" and case is Kind.TIME and name not in table.kinds:
            if all(len(each) == 10 for each in known):
                yield f'{column} = {column}.dt.strftime("%Y-%m-%d")', None
        elif kind == "text" and case is Kind.INTEGER:
            yield f"{column} = {column}.astype(str)", None
        elif kind == "text" and case is Kind.NUMBER:
            why = f"reads {name} as text, and the audit hands it on as a number, as values are missing or not whole"
            yield "", Line(reading.line, f"dtype of {name}", why, "take dtype=str away, or make the cells text, such as 'no 12'")


def _case_kind(table: Table, name: str, known: Sequence[str]) -> Kind:
    if name in table.kinds:
        return {"integer": Kind.INTEGER, "number": Kind.NUMBER, "boolean": Kind.BOOLEAN, "time": Kind.TIME}.get(
            table.kinds[name], Kind.TEXT
        )
    kind = kind_of_texts(known)
    gone = len(known) < len(table.columns[name])
    return Kind.NUMBER if kind is Kind.INTEGER and gone else kind
