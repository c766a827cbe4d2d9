"""Records from .npz, .csv and .parquet files."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.case.checked import check_features, check_ids, check_labels, check_weights, labels_from_text, number
from auditor.case.files import TEXT_LIMIT, Source, read_source
from auditor.case.npz import read_arrays
from auditor.case.problems import Cells, show, unknown
from auditor.case.settings import DataTable, Task
from auditor.domain import Dataset, Problem
from auditor.errors import InputError

SUFFIXES = (".npz", ".csv", ".parquet")


def read_dataset(path: Path, table: DataTable, *, task: Task | None) -> Dataset:
    """Read records.

    Args:
        path: An .npz file (`features` (n, d), `labels` (n,), `ids` (n,), optional `sensitivity` (n,)), or a CSV or Parquet
            file with one row per record.
        table: Names the columns of ids, labels and sensitivity in CSV and Parquet files; the others are features, in the
            order of the file. Ids are read as text: "007" stays.
        task: Decides what labels must be; None where it is not known.

    Raises:
        InputError: With every problem of the file; of faulty cells the first twenty by row and column.
    """
    return dataset(read_source(path, limit=limit_of(path)), table, task=task)


def limit_of(path: Path) -> int:
    """The largest size in bytes that a data file or log may have."""
    return TEXT_LIMIT if path.suffix.lower() in {".csv", ".jsonl"} else 4 * TEXT_LIMIT


def dataset(source: Source, table: DataTable, *, task: Task | None) -> Dataset:
    """Records from a file that was read already; see `read_dataset`."""
    match Path(source.name).suffix.lower():
        case ".npz":
            return _from_npz(source, task)
        case ".csv":
            return _from_csv(source, table, task)
        case ".parquet":
            # pyarrow costs a quarter of a second to import, and most cases do without it.
            from auditor.case.parquet import dataset_from_parquet  # noqa: PLC0415

            return dataset_from_parquet(source, table, task)
        case suffix:
            raise InputError([Problem(source.name, "", "a file ending in .npz, .csv or .parquet", show(suffix))])


def _from_npz(source: Source, task: Task | None) -> Dataset:
    arrays = read_arrays(source, ("features", "labels", "ids"), ("sensitivity",))
    features, labels, ids, weights = (arrays.get(name) for name in ("features", "labels", "ids", "sensitivity"))
    assert features is not None and labels is not None and ids is not None  # noqa: S101, PT018 - read_arrays requires them
    file = source.name
    problems = []
    if features.ndim != 2 or 0 in features.shape:
        problems.append(Problem(file, "features", "shape (n, d) with n and d at least 1", f"shape {features.shape}"))
    rows = len(features) if features.ndim else 0
    for name, values in (("labels", labels), ("ids", ids), ("sensitivity", weights)):
        if values is not None and values.shape != (rows,):
            problems.append(Problem(file, name, f"shape ({rows},), one for each row of features", f"shape {values.shape}"))
    if ids.dtype.kind != "U":
        problems.append(Problem(file, "ids", "an array of strings", f"elements of type {ids.dtype}"))
    if problems:
        raise InputError(problems)
    cells = Cells(file)
    checked = check_features(features, lambda row, column: f"features, row {row + 1}, column {column + 1}", cells)
    targets = check_labels(labels, task, lambda row: f"labels, row {row + 1}", cells)
    check_ids(ids, lambda row: f"ids, row {row + 1}", cells)
    if weights is not None:
        check_weights(weights, lambda row: f"row {row + 1}", cells)
    return finish(checked, targets, ids, cells)


def finish(features: npt.NDArray[np.float64], labels: npt.NDArray[Any], ids: npt.NDArray[np.str_], cells: Cells) -> Dataset:
    """The records, frozen, or every problem that was recorded with them.

    Raises:
        InputError: If there is any.
    """
    if cells.count:
        raise InputError(cells.problems())
    for values in (features, labels, ids):
        values.setflags(write=False)
    return Dataset(features, labels, ids)


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


def column_problems(file: str, names: list[str], table: DataTable) -> list[Problem]:
    """Problems with the columns as such: one that is named but not there, or no features left."""
    wanted = [("id", table.id), ("label", table.label)]
    if table.sensitivity is not None:
        wanted.append(("sensitivity", table.sensitivity))
    problems = []
    for role, name in wanted:
        if name not in names:
            near, _ = unknown("column", name, names)
            hint = near[near.index(" (did") :] if " (did" in near else ""
            problems.append(Problem(file, "columns", f"a column {show(name)} of the {role}s{hint}", "no such column"))
    if len({name for _, name in wanted}) < len(wanted):
        problems.append(Problem(file, "columns", "different columns for id, label and sensitivity", "one column in two roles"))
    if not set(names) - {name for _, name in wanted}:
        problems.append(Problem(file, "columns", "at least one column of features", "none"))
    return problems


def _from_csv(source: Source, table: DataTable, task: Task | None) -> Dataset:
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
        if weight_at is not None and ((weight := _numbers([row[weight_at]])) is None or weight[0] < 0):
            cells.add(f"row {line}, column {names[weight_at]}", "a finite number of at least 0", show(row[weight_at]))
    if not lines and not cells.count:
        raise InputError([Problem(file, "", "at least one row below the header", "none")])
    features = np.zeros((len(ids), len(feature_at))) if cells.count else np.array(values).reshape(len(ids), len(feature_at))
    label_cells = Cells(file)
    targets = labels_from_text(labels, task, lambda row: f"row {lines[row]}, column {table.label}", label_cells)
    checked_ids = np.array(ids, dtype=np.str_)
    id_cells = Cells(file)
    if ids:
        check_ids_of_text(ids, lambda row: f"row {lines[row]}, column {table.id}", id_cells)
    problems = [*cells.problems(), *label_cells.problems(), *id_cells.problems()]
    if problems:
        raise InputError(problems)
    return finish(features, targets, checked_ids, cells)


def check_ids_of_text(ids: list[str], place: Any, cells: Cells) -> None:
    """Ids from a text file are distinct text, not empty and printable."""
    # A NumPy array of text drops trailing NUL characters, so they are looked for before one is made.
    for row, text in enumerate(ids):
        if "\0" in text:
            cells.add(place(row), "a record id", "the character U+0000")
    check_ids(np.array([text.replace("\0", "?") for text in ids], dtype=np.str_), place, cells)


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
