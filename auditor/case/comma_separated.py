"""Rows and records from CSV files."""

from __future__ import annotations

import csv
import io
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.mixed_columns import Kind
from auditor.base.records import Dataset, Floats
from auditor.case.files import Source
from auditor.case.record_rules import check_ids_of_text, column_problems, finish, labels_from_text, number
from auditor.settings.tables import DataTable, Task
from auditor.settings.values import Cells, show


# Hold one file of records as it was read: the cells of each column, before it is known what other files hold there.
@dataclass(slots=True)
class Cellar:
    """The cells of one column of one file, before it is known what other files hold there."""

    kind: Kind | None
    """None where it is still to be read off the texts."""
    values: Floats
    """Shape (n,): numbers, or times in `unit`; of text of no use."""
    gone: npt.NDArray[np.bool_]
    """Shape (n,): where a value is missing."""
    texts: list[str] = field(default_factory=list)
    unit: Literal["s", "us"] = "s"


@dataclass(slots=True)
class Sheet:
    """One file of records as it was read: roles apart, features by name."""

    file: str
    place: Callable[[int], str]
    """Names a row for a reader."""
    ids: npt.NDArray[np.str_]
    labels: npt.NDArray[Any]
    sensitivity: Floats | None
    weights: Floats | None
    people: tuple[str, ...] | None
    parents: tuple[str, ...] | None
    """The ids of the records that rows were made from, empty for others; None where no column says it."""
    features: dict[str, Cellar]
    beside: dict[str, Cellar]
    """Columns that no procedure gets, whose a record is among them: searches look for what they hold as well."""


def of_microseconds(counts: npt.NDArray[np.int64]) -> tuple[Floats, Literal["s", "us"]]:
    """Times as float64 without loss: in seconds where none is finer."""
    if not np.any(counts % 1_000_000):
        return (counts // 1_000_000).astype(np.float64), "s"
    return counts.astype(np.float64), "us"


def csv_rows(source: Source, mark: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file with the line on which each ends, counted from 1; blank lines are left out.

    Args:
        source: The file.
        mark: What separates cells.

    Raises:
        InputError: If it is no UTF-8 or no CSV.
    """
    try:
        text = source.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.data.count(b"\n", 0, error.start) + 1
        raise InputError(
            [
                Problem(
                    source.name,
                    f"row {line}",
                    "text in UTF-8: save it from a spreadsheet as “CSV UTF-8”",
                    "bytes that are not UTF-8",
                )
            ]
        ) from error
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError([Problem(source.name, f"row {reader.line_num}", "comma-separated values", str(error))]) from error
        if row:
            yield reader.line_num, row


def csv_header(source: Source, rows: Iterator[tuple[int, list[str]]], way: str = "") -> list[str]:
    """The names of the columns, each once.

    Args:
        source: The file.
        rows: Its rows.
        way: What to do about a file whose columns are separated otherwise.

    Raises:
        InputError: If there is no header, or a name is empty or occurs twice.
    """
    _, header = next(rows, (0, []))
    if not header:
        raise InputError([Problem(source.name, "", "a header and rows", "an empty file")])
    names = [name.strip() for name in header]
    problems = [
        Problem(source.name, "row 1", "distinct column names", f"{show(name)} more than once")
        for name, count in Counter(names).items()
        if count > 1
    ]
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        problems.append(Problem(source.name, "row 1", f"columns separated by commas{way}", show(names[0])))
    if problems:
        raise InputError(problems)
    return names


def dataset_from_csv(source: Source, table: DataTable, task: Task | None) -> Dataset:
    """Records from a CSV file that was read already; see `tables.read_dataset`."""
    rows = csv_rows(source)
    names = csv_header(source, rows)
    file = source.name
    if problems := column_problems(file, names, table):
        raise InputError(problems)
    cells, label_cells, id_cells = Cells(file), Cells(file), Cells(file)
    found = _collected(rows, names, table, cells)
    if not found.lines and not cells.count:
        raise InputError([Problem(file, "", "at least one row below the header", "none")])
    shape = len(found.ids), found.width
    features = np.zeros(shape) if cells.count else np.array(found.values).reshape(shape)
    targets = labels_from_text(found.labels, task, lambda row: f"row {found.lines[row]}, column {table.label}", label_cells)
    checked_ids = np.array(found.ids, dtype=np.str_)
    if found.ids:
        check_ids_of_text(found.ids, lambda row: f"row {found.lines[row]}, column {table.id}", id_cells)
    weights = None if table.sensitivity is None else _weights(found.weights, found.lines, table.sensitivity, cells)
    problems = [*cells.problems(), *label_cells.problems(), *id_cells.problems()]
    if problems:
        raise InputError(problems)
    return finish(features, targets, checked_ids, weights, cells)


@dataclass(slots=True)
class _Columns:
    """The cells of the rows that are complete, column by column."""

    width: int
    """Features in a row."""
    lines: list[int] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    values: array[float] = field(default_factory=lambda: array("d"))
    """The features, row after row; of rows whose features are all numbers."""
    weights: list[str] = field(default_factory=list)


def _collected(rows: Iterator[tuple[int, list[str]]], names: list[str], table: DataTable, cells: Cells) -> _Columns:
    """Take the rows apart; those of another length, and features that are no numbers, are noted in cells."""
    id_at, label_at = names.index(table.id), names.index(table.label)
    weight_at = None if table.sensitivity is None else names.index(table.sensitivity)
    feature_at = [at for at in range(len(names)) if at not in {id_at, label_at, weight_at}]
    found = _Columns(len(feature_at))
    for line, row in rows:
        if len(row) != len(names):
            cells.add(f"row {line}", f"{len(names)} columns", f"{len(row)}")
            continue
        found.lines.append(line)
        found.ids.append(row[id_at])
        found.labels.append(row[label_at])
        numbers = _numbers([row[at] for at in feature_at])
        if numbers is None:
            _report(row, feature_at, names, line, cells)
        else:
            found.values.extend(numbers)
        found.weights += [] if weight_at is None else [row[weight_at]]
    return found


def _weights(texts: list[str], lines: list[int], name: str, cells: Cells) -> Floats:
    """Sensitivity weights from text: finite, at least 0, and not all 0."""
    found = [_numbers([text]) or [-1.0] for text in texts]
    for line, text, (weight,) in zip(lines, texts, found, strict=True):
        if weight < 0:
            cells.add(f"row {line}, column {name}", "a finite number of at least 0", show(text))
    if found and not any(weight for (weight,) in found):
        cells.add(f"column {name}", "a weight above 0", "only zeros")
    return np.array(found).reshape(len(found))


def _numbers(cells: list[str]) -> list[float] | None:
    try:
        numbers = list(map(number, cells))
    except ValueError:
        return None
    return numbers if all(map(isfinite, numbers)) else None


def _report(row: list[str], feature_at: list[int], names: list[str], line: int, cells: Cells) -> None:
    for at in feature_at:
        if _numbers([row[at]]) is None:
            found = show(row[at]) if row[at].strip() else "a missing value"
            cells.add(f"row {line}, column {names[at]}", "a finite number", found)
