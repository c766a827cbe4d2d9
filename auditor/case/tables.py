"""Records from .npz, .csv and .parquet files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Final, TypeVar

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.records import Dataset
from auditor.case.comma_separated import csv_header, csv_rows, dataset_from_csv
from auditor.case.files import TEXT_LIMIT, Source, read_source
from auditor.case.npz import read_arrays
from auditor.case.record_rules import check_features, check_ids, check_labels, check_weights, finish
from auditor.settings.builtin import Procedure
from auditor.settings.tables import DataTable, Task
from auditor.settings.values import Cells, show


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
            return _from_npz(source, task, table.shape)
        case ".csv":
            return dataset_from_csv(source, table, task)
        case ".parquet":
            # pyarrow costs a quarter of a second to import, and most cases do without it.
            from auditor.case.parquet import dataset_from_parquet  # noqa: PLC0415

            return dataset_from_parquet(source, table, task)
        case suffix:
            raise InputError(
                [
                    Problem(
                        source.name, "", "a file ending in .npz, .csv or .parquet, as pandas writes with to_parquet", show(suffix)
                    )
                ]
            )


def _from_npz(source: Source, task: Task | None, shape: tuple[int, ...] | None) -> Dataset:
    arrays = read_arrays(source, ("features", "labels", "ids"), ("sensitivity",))
    features, labels, ids, weights = (arrays.get(name) for name in ("features", "labels", "ids", "sensitivity"))
    assert features is not None and labels is not None and ids is not None  # noqa: S101, PT018 - read_arrays requires them
    file = source.name
    problems = []
    if shape is not None and features.ndim and _without_ones(features.shape[1:]) == _without_ones(shape):
        features = features.reshape(len(features), prod(shape))
    if features.ndim > 2:
        expected = (
            f"rows of shape {list(features.shape[1:])}, as [data] shape says" if shape is None else f"rows of shape {list(shape)}"
        )
        found = "no [data] shape" if shape is None else f"rows of shape {list(features.shape[1:])}"
        problems.append(Problem(file, "features", expected, found))
    elif features.ndim != 2 or 0 in features.shape:
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
    checked_weights = None if weights is None else check_weights(weights, lambda row: f"row {row + 1}", cells)
    return finish(checked, targets, ids, checked_weights, cells)


def _without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape without axes of one element, which change no number's place."""
    return tuple(size for size in shape if size != 1)


def column_names(source: Source) -> tuple[str, ...]:
    """Name the columns of a file of records that was read already: ids, labels and features; none of an .npz file."""
    match Path(source.name).suffix.lower():
        case ".csv":
            return tuple(csv_header(source, csv_rows(source)))
        case ".parquet":
            from auditor.case.parquet import read_table  # noqa: PLC0415

            return tuple(read_table(source).column_names)
        case _:
            return ()


# The training data and the holdout of a case, in the form that its procedure takes.
_Read = TypeVar("_Read")
_FEW: Final = 3
"""Problems that are left as they are; where cells make more of them, each column is named once."""


@dataclass(frozen=True, slots=True)
class Records:
    """What could be read, and what was wrong."""

    train: Dataset | None = None
    """None where it could not be read, or there is none; so is the holdout."""
    holdout: Dataset | None = None
    names: tuple[str, ...] = ()
    """Columns of the training data, of ids and labels too; none of an npz file."""
    people: tuple[str, ...] | None = None
    """Whose the training records are; None where no column says it."""
    parents: tuple[str, ...] | None = None
    """The ids of the records that training records were made from; None where no column says it."""
    searched: Dataset | None = None
    """The training data with the columns that no procedure gets; None where there are none."""
    problems: tuple[Problem, ...] = ()


def records(sources: Sequence[Source | None], columns: DataTable, procedure: Procedure | None) -> Records:
    """Read training data and holdout; each is None where there is none.

    Args:
        sources: The two files.
        columns: The table [data].
        procedure: The table [procedure], where it is sound.
    """
    named, problems = _tried([sources[0]], column_names)
    names = named[0] or ()
    by_name = procedure is not None and procedure.by_name
    takes_tables = procedure is not None and procedure.takes_tables
    tables = all(each is None or Path(each.name).suffix.lower() in {".csv", ".parquet"} for each in sources)
    if not tables or not (by_name or columns.says_more):
        (train, holdout), problems = _tried(sources, lambda each: dataset(each, columns, task=columns.task))
        if not tables or not problems or not (takes_tables or len(problems) > _FEW):
            return Records(train, holdout, names, problems=tuple(problems))
    found = _mixed(sources, columns, names, keep=by_name)
    if found.problems or takes_tables:
        # What is wrong with the rows as such says more than that they are no numbers.
        return found
    refused = _refused(sources, found)
    return Records(names=names, people=found.people, parents=found.parents, problems=tuple(refused)) if refused else found


def _mixed(sources: Sequence[Source | None], columns: DataTable, names: tuple[str, ...], *, keep: bool) -> Records:
    from auditor.case import mixed  # noqa: PLC0415 - most cases are of numbers alone

    read, problems = _tried(sources, lambda each: mixed.sheet(each, columns, columns.task))
    try:
        train, holdout = mixed.encoded(read, keep=keep)
        searched = mixed.searched(read[0], train)
    except InputError as error:
        return Records(names=names, problems=(*problems, *error.problems))
    people, parents = (None, None) if read[0] is None else (read[0].people, read[0].parents)
    return Records(train, holdout, names, people, parents, searched, tuple(problems))


def _refused(sources: Sequence[Source | None], found: Records) -> list[Problem]:
    """One line for each column that no procedure of numbers takes; a column of both files once."""
    from auditor.case import mixed  # noqa: PLC0415 - as above

    problems: dict[str, Problem] = {}
    for source, data in zip(sources, (found.train, found.holdout), strict=True):
        if source is not None and data is not None and data.table is not None:
            for each in mixed.refused(source.name, data.table, data.features):
                problems.setdefault(each.where, each)
    return list(problems.values())


def _tried(sources: Sequence[Source | None], parse: Callable[[Source], _Read]) -> tuple[list[_Read | None], list[Problem]]:
    """Each file as it was read, None where it could not be, and every problem."""
    found: list[_Read | None] = []
    problems: list[Problem] = []
    for each in sources:
        try:
            found.append(None if each is None else parse(each))
        except InputError as error:
            problems.extend(error.problems)
            found.append(None)
    return found, problems
