"""Rows and records from CSV files."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator
from math import isfinite

import numpy as np

from auditor.case.columns import check_ids_of_text, column_problems, finish
from auditor.case.files import Source
from auditor.case.record_rules import labels_from_text, number
from auditor.domain import Dataset, Floats, Problem
from auditor.errors import InputError
from auditor.settings.problems import Cells, show
from auditor.settings.tables import DataTable, Task


def csv_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file with the line on which each ends, counted from 1; blank lines are left out.

    Raises:
        InputError: If it is no UTF-8 or no CSV.
    """
    try:
        text = source.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.data.count(b"\n", 0, error.start) + 1
        raise InputError([Problem(source.name, f"row {line}", "text in UTF-8", "bytes that are not UTF-8")]) from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError([Problem(source.name, f"row {reader.line_num}", "comma-separated values", str(error))]) from error
        if row:
            yield reader.line_num, row


def csv_header(source: Source, rows: Iterator[tuple[int, list[str]]]) -> list[str]:
    """The names of the columns, each once.

    Raises:
        InputError: If there is no header, or a name is empty or occurs twice.
    """
    _, header = next(rows, (0, []))
    if not header:
        raise InputError([Problem(source.name, "", "a header and rows", "an empty file")])
    names = [name.strip() for name in header]
    problems = [
        Problem(source.name, "row 1", "distinct column names", f"{show(name)} more than once")
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        problems.append(Problem(source.name, "row 1", "columns separated by commas", show(names[0])))
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
    id_at, label_at = names.index(table.id), names.index(table.label)
    weight_at = None if table.sensitivity is None else names.index(table.sensitivity)
    feature_at = [at for at in range(len(names)) if at not in {id_at, label_at, weight_at}]
    cells = Cells(file)
    values, lines = array("d"), []
    ids: list[str] = []
    labels: list[str] = []
    weights: list[str] = []
    for line, row in rows:
        if len(row) != len(names):
            cells.add(f"row {line}", f"{len(names)} columns", f"{len(row)}")
            continue
        lines.append(line)
        ids.append(row[id_at])
        labels.append(row[label_at])
        numbers = _numbers([row[at] for at in feature_at])
        if numbers is None:
            _report(row, feature_at, names, line, cells)
        else:
            values.extend(numbers)
        weights += [] if weight_at is None else [row[weight_at]]
    if not lines and not cells.count:
        raise InputError([Problem(file, "", "at least one row below the header", "none")])
    features = np.zeros((len(ids), len(feature_at))) if cells.count else np.array(values).reshape(len(ids), len(feature_at))
    label_cells = Cells(file)
    targets = labels_from_text(labels, task, lambda row: f"row {lines[row]}, column {table.label}", label_cells)
    checked_ids = np.array(ids, dtype=np.str_)
    id_cells = Cells(file)
    if ids:
        check_ids_of_text(ids, lambda row: f"row {lines[row]}, column {table.id}", id_cells)
    checked_weights = None if weight_at is None else _weights(weights, lines, names[weight_at], cells)
    problems = [*cells.problems(), *label_cells.problems(), *id_cells.problems()]
    if problems:
        raise InputError(problems)
    return finish(features, targets, checked_ids, checked_weights, cells)


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
