"""Columns out of Parquet files: records and deletion logs.

Importing this module imports pyarrow, so only the readers of such files do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.mixed_columns import Kind
from auditor.base.parquet_files import require_modest
from auditor.base.records import Dataset
from auditor.case.comma_separated import Cellar, Sheet, of_microseconds
from auditor.case.files import BINARY_LIMIT, Source
from auditor.case.record_rules import (
    check_features,
    check_ids_of_text,
    check_labels,
    check_weights,
    column_problems,
    feature_names,
    finish,
    labels_from_text,
    names_beside,
)
from auditor.settings.tables import DataTable, Task
from auditor.settings.values import LARGEST_INTEGER, SHOWN_PER_FILE, Cells, show

_ERRORS = (pa.ArrowException, OSError, ValueError, TypeError, KeyError, NotImplementedError, OverflowError, MemoryError)


def read_table(source: Source, *, as_rows: bool = False) -> Any:
    """Every column of a Parquet file, with distinct names, as a pyarrow Table.

    Args:
        source: The file.
        as_rows: Whether rows are made of it afterwards.

    Raises:
        InputError: If it is no Parquet file, unpacks to more than the limit, takes more than others of its size, or names a
            column twice.
    """
    file = source.name
    try:
        opened = pq.ParquetFile(pa.BufferReader(source.data), pre_buffer=False)
        metadata = opened.metadata
        groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
        unpacked = max(sum(group.total_byte_size for group in groups), 8 * metadata.num_rows * metadata.num_columns)
        if unpacked > BINARY_LIMIT:
            raise InputError([Problem(file, "", f"at most {BINARY_LIMIT} bytes unpacked", f"{unpacked} bytes")])
        # What a file says of its size need not be so.
        require_modest(file, source.data, as_rows=as_rows)
        table = opened.read(use_threads=False)
        table.validate(full=True)
    except _ERRORS as error:
        raise InputError([Problem(file, "", "a Parquet file", show(str(error).splitlines()[0] if str(error) else ""))]) from error
    names = table.column_names
    if repeated := [name for name, count in Counter(names).items() if count > 1]:
        raise InputError([Problem(file, "columns", "distinct names", f"{show(name)} more than once") for name in repeated])
    if not table.num_rows:
        raise InputError([Problem(file, "", "at least one row", "none")])
    return table


def dataset_from_parquet(source: Source, columns: DataTable, task: Task | None) -> Dataset:
    """Records from a Parquet file: ids as text, labels, and every other column a feature, rows counted from 1.

    Raises:
        InputError: With every problem of the file.
    """
    table = read_table(source)
    file = source.name
    names = table.column_names
    if problems := column_problems(file, names, columns):
        raise InputError(problems)
    cells = Cells(file)

    def place_in(name: str) -> Any:
        return lambda row: f"row {row + 1}, column {name}"

    ids = _text(table, columns.id, cells)
    if ids is None:
        cells.add(f"column {columns.id}", "text: ids are strings", f"values of type {table.column(columns.id).type}")
    else:
        check_ids_of_text(ids, place_in(columns.id), cells)
    texts = _text(table, columns.label, cells)
    label_cells = Cells(file)
    if texts is not None:
        labels = labels_from_text(texts, task, place_in(columns.label), label_cells)
    else:
        labels = check_labels(_numeric(table, columns.label, label_cells), task, place_in(columns.label), label_cells)
    weights = None
    if columns.sensitivity is not None:
        weights = check_weights(_numeric(table, columns.sensitivity, cells), lambda row: f"row {row + 1}", cells)
    taken = {columns.id, columns.label, columns.sensitivity}
    rest = [name for name in names if name not in taken]
    features = np.column_stack([check_features(_numeric(table, name, cells)[:, None], _cell_of(name), cells) for name in rest])
    if label_cells.count:
        raise InputError([*cells.problems(), *label_cells.problems()])
    return finish(features, labels, np.array(ids or [], dtype=np.str_), weights, cells)


def sheet_from_parquet(source: Source, columns: DataTable, task: Task | None) -> Sheet:
    """Records from a Parquet file whose columns may hold anything; see `auditor.case.mixed`.

    Raises:
        InputError: With every problem of the file.
    """
    table, file = read_table(source), source.name
    names = table.column_names
    if problems := column_problems(file, names, columns):
        raise InputError(problems)
    cells = Cells(file)

    def place(row: int) -> str:
        return f"row {row + 1}"

    def place_in(name: str) -> Any:
        return lambda row: f"{place(row)}, column {name}"

    ids = _text(table, columns.id, cells)
    if ids is None:
        cells.add(f"column {columns.id}", "text: ids are strings", f"values of type {table.column(columns.id).type}")
    else:
        check_ids_of_text(ids, place_in(columns.id), cells)
    texts, label_cells = _text(table, columns.label, cells), Cells(file)
    if texts is not None:
        labels = labels_from_text(texts, task, place_in(columns.label), label_cells)
    else:
        labels = check_labels(_numeric(table, columns.label, label_cells), task, place_in(columns.label), label_cells)
    weighed = [
        None if name is None else check_weights(_numeric(table, name, cells), place, cells)
        for name in (columns.sensitivity, columns.weight)
    ]
    people, parents = (
        None if name is None else tuple("" if each is None else str(each) for each in table.column(name).to_pylist())
        for name in (columns.person, columns.derived_from)
    )
    features = {}
    for name in feature_names(names, columns):
        found = _cellar(table.column(name))
        if found is None:
            cells.add(f"column {name}", "numbers, text, booleans, dates or times", f"values of type {table.column(name).type}")
        else:
            features[name] = found
    beside = {name: _cellar(table.column(name)) or _as_text(table.column(name)) for name in names_beside(names, columns)}
    if problems := [*cells.problems(), *label_cells.problems()]:
        raise InputError(problems)
    sensitivity, weights = weighed
    return Sheet(file, place, np.array(ids or [], dtype=np.str_), labels, sensitivity, weights, people, parents, features, beside)


def texts_of(source: Source) -> dict[str, list[str | None]]:
    """The cells of its columns of text, None where one is missing."""
    table = read_table(source)
    kinds = {each.name: each.type.value_type if pa.types.is_dictionary(each.type) else each.type for each in table.schema}
    return {
        name: table.column(name).to_pylist()
        for name, kind in kinds.items()
        if pa.types.is_string(kind) or pa.types.is_large_string(kind)
    }


def _as_text(column: Any) -> Cellar:
    """The cells of a column of any type as text."""
    texts = ["" if each is None else str(each) for each in column.to_pylist()]
    return Cellar(Kind.TEXT, np.zeros(len(texts)), column.is_null().to_numpy(), texts)


def _cellar(column: Any) -> Cellar | None:  # noqa: PLR0911 - one line a kind
    """The cells of a column; None where it holds what no procedure is handed."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind, gone = column.type, column.is_null().to_numpy()
    empty = np.zeros(len(column))
    if pa.types.is_null(kind):
        return Cellar(Kind.NUMBER, empty, gone)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return Cellar(Kind.TEXT, empty, gone, ["" if each is None else each for each in column.to_pylist()])
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        counts = pc.fill_null(column.cast(pa.timestamp("us"), safe=True).cast(pa.int64()), 0).to_numpy()
        values, unit = of_microseconds(counts)
        return Cellar(Kind.TIME, values, gone, unit=unit)
    if pa.types.is_decimal(kind):
        column, kind = column.cast(pa.float64()), pa.float64()
    if pa.types.is_boolean(kind):
        return Cellar(Kind.BOOLEAN, pc.fill_null(column, False).to_numpy().astype(np.float64), gone)
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return None
    filled = pc.fill_null(column, pa.scalar(0).cast(kind)).to_numpy()
    if pa.types.is_integer(kind):
        # By way of float an integer above 2^53 would turn into its neighbour before anyone could see it.
        wide = filled.astype(object) if filled.dtype == np.uint64 else filled
        clipped = np.clip(wide, -LARGEST_INTEGER - 1, LARGEST_INTEGER + 1)
        return Cellar(Kind.INTEGER, clipped.astype(np.float64), gone)
    values = filled.astype(np.float64)
    return Cellar(Kind.NUMBER, values, gone | np.isnan(values))


def text_columns(source: Source) -> tuple[list[str], dict[str, list[str]]]:
    """The names of a file's columns, and what they hold: text alone.

    Raises:
        InputError: If a column holds something else, or lacks a value.
    """
    table = read_table(source)
    cells, columns = Cells(source.name), dict[str, list[str]]()
    for name in table.column_names:
        texts = _text(table, name, cells)
        if texts is None:
            cells.add(f"column {name}", "text", f"values of type {table.column(name).type}")
        columns[name] = texts or []
    if cells.count:
        raise InputError(cells.problems())
    return list(table.column_names), columns


def _cell_of(name: str) -> Callable[[int, int], str]:
    return lambda row, _: f"row {row + 1}, column {name}"


def _text(table: Any, name: str, cells: Cells) -> list[str] | None:
    column = table.column(name)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return None
    missing = np.flatnonzero(column.is_null().to_numpy())
    places = (f"row {row + 1}, column {name}" for row in missing[:SHOWN_PER_FILE].tolist())
    cells.add_many(places, int(missing.size), "text", "a missing value")
    return [f"missing {row}" if text is None else text for row, text in enumerate(column.to_pylist())]


def _numeric(table: Any, name: str, cells: Cells) -> npt.NDArray[Any]:
    column = table.column(name)
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        cells.add(f"column {name}", "numbers", f"values of type {kind}")
        return np.zeros(table.num_rows)
    if column.null_count:
        missing = np.flatnonzero(column.is_null().to_numpy())
        places = (f"row {row + 1}, column {name}" for row in missing[:SHOWN_PER_FILE].tolist())
        cells.add_many(places, int(missing.size), "a finite number", "a missing value")
        column = pc.fill_null(column, pa.scalar(0).cast(kind))
    values: npt.NDArray[Any] = column.to_numpy()
    return values


def log_rows(source: Source) -> list[dict[str, Any]]:
    """The rows of a deletion log in Parquet; values as Python has them, times with their column's zone.

    Raises:
        InputError: If it cannot be read.
    """
    table = read_table(source, as_rows=True)
    try:
        for at, name in enumerate(table.column_names):
            kind = table.column(name).type
            if pa.types.is_timestamp(kind):
                # Python's datetime has microseconds; finer ones would need pandas.
                table = table.set_column(at, name, table.column(name).cast(pa.timestamp("us", tz=kind.tz), safe=False))
        rows: list[dict[str, Any]] = table.to_pylist()
    except _ERRORS as error:
        raise InputError([Problem(source.name, "", "a readable deletion log in Parquet", show(str(error)))]) from error
    return rows
