"""A table as text, column by column: enough to see what its columns are for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.comma_separated import csv_header, csv_rows
from auditor.case.files import Source, read_source
from auditor.case.npz import read_arrays
from auditor.case.tables import limit_of
from auditor.settings.values import show

ARRAYS: Final = ("ids", "labels")
"""What an npz file holds alongside its features."""


@dataclass(frozen=True)
class Table:
    """The cells of a file, missing ones as empty text."""

    source: Source
    columns: dict[str, tuple[str, ...]]
    """By name, in the file's order."""
    kinds: dict[str, str] = field(default_factory=dict)
    """Of a Parquet file, what each column holds: integer, number, boolean, time or text."""
    shape: tuple[int, ...] | None = None
    """Of a row of an npz file, whose columns are `ids` and `labels` alone; None of a table."""
    kind: str = ""
    """The type of its features."""

    @cached_property
    def rows(self) -> int:
        """How many records there are."""
        return max(map(len, self.columns.values()), default=0)

    def distinct(self, name: str) -> frozenset[str]:
        """The values of a column, without missing ones."""
        return frozenset(self.columns[name]) - {""}

    def tells_apart(self, name: str) -> bool:
        """Whether a column has a different value in each row."""
        return 0 < self.rows == len(self.distinct(name))


def read(path: Path) -> Table:
    """Read a CSV or Parquet file.

    Raises:
        InputError: If it is neither, or cannot be read.
    """
    return of(read_source(path, path.name, limit=limit_of(path)))


def of(source: Source) -> Table:
    """Read the table of a file that was read already.

    Raises:
        InputError: If it is neither CSV nor Parquet, or cannot be understood.
    """
    match Path(source.name).suffix.lower():
        case ".csv":
            rows = csv_rows(source)
            names = csv_header(source, rows)
            cells: list[list[str]] = [[] for _ in names]
            for number, row in rows:
                if len(row) != len(names):
                    raise InputError([Problem(source.name, f"row {number}", f"{len(names)} columns", f"{len(row)}")])
                for column, cell in zip(cells, row, strict=True):
                    column.append(cell)
            return Table(source, {name: tuple(column) for name, column in zip(names, cells, strict=True)})
        case ".parquet":
            # pyarrow costs a quarter of a second to import.
            from auditor.case.parquet import read_table  # noqa: PLC0415

            found = read_table(source)
            columns = {
                name: tuple("" if value is None else str(value) for value in found.column(name).to_pylist())
                for name in found.column_names
            }
            return Table(source, columns, {name: _kind(found.schema.field(name).type) for name in found.column_names})
        case ".npz":
            arrays = read_arrays(source, ("features", *ARRAYS), ("sensitivity",))
            columns = {name: tuple(str(value) for value in arrays[name].ravel().tolist()) for name in ARRAYS}
            features = arrays["features"]
            return Table(source, columns, shape=features.shape[1:], kind=features.dtype.name)
        case suffix:
            raise InputError([Problem(source.name, "", "a table ending in .csv, .parquet or .npz", show(suffix or source.name))])


def _kind(held: Any) -> str:
    """What a column of a Parquet file holds, by its type."""
    import pyarrow as pa  # noqa: PLC0415 - a quarter of a second

    named = {
        "integer": pa.types.is_integer,
        "number": pa.types.is_floating,
        "boolean": pa.types.is_boolean,
        "time": pa.types.is_temporal,
    }
    return next((name for name, test in named.items() if test(held)), "number" if pa.types.is_decimal(held) else "text")


def with_text(source: Source, names: Collection[str]) -> tuple[bytes, tuple[str, ...]]:
    """Write whole numbers of some columns of a Parquet file as text, as ids are in a log.

    Args:
        source: The file; one of another kind stays as it is.
        names: Of the columns.

    Returns:
        The file, and the columns that were changed.

    Raises:
        InputError: If it cannot be read.
    """
    if Path(source.name).suffix.lower() != ".parquet":
        return source.data, ()
    import pyarrow as pa  # noqa: PLC0415 - a quarter of a second
    import pyarrow.parquet as pq  # noqa: PLC0415

    from auditor.case.parquet import read_table  # noqa: PLC0415

    table = read_table(source)
    whole = tuple(name for name in table.column_names if name in names and pa.types.is_integer(table.schema.field(name).type))
    if not whole:
        return source.data, ()
    for name in whole:
        table = table.set_column(table.column_names.index(name), name, table.column(name).cast(pa.string()))
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return sink.getvalue().to_pybytes(), whole
