"""Tables of answers: what models gave for records of the training data and of the holdout, a row for each.

CSV and Parquet have the column of ids that [data] names, and a column for each label, called as it is, with the probability that
the model gave; .npz has `ids`, shape (n,), and `answers`, shape (n, classes), in the order of the sorted labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base import npy
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.records import Dataset, Floats, Positions
from auditor.case.comma_separated import csv_header, csv_rows
from auditor.case.files import Source
from auditor.case.npz import read_arrays
from auditor.settings.values import show

_SUM: Final = 1e-3
"""By which probabilities may miss a sum of 1: they are often written with four digits."""
_NAMED: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What one model answered."""

    train: Positions
    """Shape (m,), ascending: training records that it was asked about."""
    of_train: Floats
    """Shape (m, classes): their probabilities, classes in sorted order."""
    holdout: Floats
    """Shape (h, classes), for every record of the holdout."""


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Every table that a case has."""

    after: Answers
    before: Answers | None = None
    retrained: Answers | None = None

    def of_holdout(self, places: Positions) -> Given:
        """Leave out what was answered about other records of the holdout than those at some positions."""
        every = (self.after, self.before, self.retrained)
        after, before, retrained = (None if each is None else replace(each, holdout=each.holdout[places]) for each in every)
        assert after is not None  # noqa: S101 - it is there from the beginning
        return Given(after, before, retrained)


def read(source: Source, id_column: str, train: Dataset, holdout: Dataset, deleted: Positions) -> Answers:
    """Read one table, and see that it is about the records that an audit needs.

    Args:
        source: The file.
        id_column: The name of the column of ids.
        train: The training data.
        holdout: The holdout.
        deleted: Positions of the deleted training records.

    Raises:
        InputError: With everything that is wrong.
    """
    labels = np.unique(train.labels)
    ids, answers = _table(source, id_column, [str(each) for each in labels.tolist()])
    problems = [*_faults(source.name, ids, answers)]
    places = {record: place for place, record in enumerate(ids)}
    of_train = {record: place for place, record in enumerate(train.ids.tolist())}
    of_holdout = {record: place for place, record in enumerate(holdout.ids.tolist())}
    unknown = [record for record in ids if record not in of_train and record not in of_holdout]
    problems += _named(source.name, "ids of records of [data] train or holdout", unknown)
    gone = [record for record in train.ids[deleted].tolist() if record not in places]
    problems += _named(source.name, "an answer about every deleted record", gone, "none about")
    unanswered = [record for record in of_holdout if record not in places]
    problems += _named(source.name, "an answer about every record of the holdout", unanswered, "none about")
    asked = np.array(sorted(of_train[record] for record in ids if record in of_train), dtype=np.int64)
    if not problems and len(asked) == len(np.intersect1d(asked, deleted)):
        problems.append(Problem(source.name, "", "answers about retained records as well", "none"))
    if problems:
        raise InputError(problems)
    rows = [places[record] for record in train.ids[asked].tolist()]
    return Answers(asked, answers[rows], answers[[places[record] for record in holdout.ids.tolist()]])


def same_records(name: str, one: Answers, other: Answers) -> Iterator[Problem]:
    """Refuse a table that is about other training records than `after`.

    Args:
        name: The file.
        one: `after`.
        other: The table in it.
    """
    if not np.array_equal(one.train, other.train):
        expected = f"answers about the same {len(one.train)} training records as [answers] after"
        yield Problem(name, "", expected, f"{len(other.train)}, {len(np.intersect1d(one.train, other.train))} of them the same")


def _table(source: Source, id_column: str, labels: Sequence[str]) -> tuple[list[str], Floats]:
    match Path(source.name).suffix.lower():
        case ".npz":
            arrays = read_arrays(source, ("ids", "answers"), ())
            return _arrays(source.name, arrays["ids"], arrays["answers"], len(labels))
        case ".csv":
            rows = csv_rows(source)
            names = csv_header(source, rows)
            cells = list(rows)
        case ".parquet":
            # pyarrow costs a quarter of a second to import, and most cases do without it.
            from auditor.case.parquet import read_table  # noqa: PLC0415

            table = read_table(source)
            names = list(table.column_names)
            columns = [table.column(name).to_pylist() for name in names]
            cells = [
                (number, ["" if value is None else str(value) for value in row])
                for number, row in enumerate(zip(*columns, strict=True), start=1)
            ]
        case suffix:
            raise InputError([Problem(source.name, "", "a table of answers ending in .csv, .parquet or .npz", show(suffix))])
    problems = [
        Problem(
            source.name, f"column {name}", "a column of ids" if name == id_column else "the probability of that label", "none"
        )
        for name in (id_column, *labels)
        if name not in names
    ]
    problems += [
        Problem(source.name, f"row {number}", f"{len(names)} cells", f"{len(row)}")
        for number, row in cells
        if len(row) != len(names)
    ]
    if problems:
        raise InputError(problems[:_NAMED])
    places = [names.index(name) for name in labels]
    answers = np.empty((len(cells), len(labels)))
    for at, (number, row) in enumerate(cells):
        for column, place in enumerate(places):
            try:
                answers[at, column] = float(row[place])
            except ValueError:
                problems.append(Problem(source.name, f"row {number}, column {labels[column]}", "a probability", show(row[place])))
    if problems:
        raise InputError(problems[:_NAMED])
    return [row[names.index(id_column)] for _, row in cells], answers


def _arrays(name: str, ids: npt.NDArray[Any], answers: npt.NDArray[Any], classes: int) -> tuple[list[str], Floats]:
    if ids.ndim != 1 or ids.dtype.kind != "U":
        raise InputError([Problem(name, "ids", "text, shape (n,)", f"{ids.dtype}, shape {ids.shape}")])
    try:
        npy.require_text(ids)
    except npy.NotNpyError as error:
        raise InputError([Problem(name, "ids", "text, shape (n,)", str(error))]) from error
    if answers.shape != (len(ids), classes) or answers.dtype.kind != "f":
        expected = f"floats, shape ({len(ids)}, {classes}): a column for each label, in sorted order"
        raise InputError([Problem(name, "answers", expected, f"{answers.dtype}, shape {answers.shape}")])
    return [str(each) for each in ids.tolist()], answers.astype(np.float64)


def _faults(name: str, ids: list[str], answers: Floats) -> Iterator[Problem]:
    """Rows that are no probabilities, and ids that are there twice."""
    twice = [
        record for record, count in zip(*np.unique(np.array(ids, dtype=object), return_counts=True), strict=True) if count > 1
    ]
    yield from _named(name, "each record once", twice, "twice")
    wrong = ~np.isfinite(answers).all(axis=1) | (answers < 0).any(axis=1) | (answers > 1).any(axis=1)
    with np.errstate(invalid="ignore"):
        wrong |= np.abs(answers.sum(axis=1) - 1) > _SUM
    yield from _named(
        name, "probabilities from 0 to 1 that sum to 1", [ids[at] for at in np.flatnonzero(wrong).tolist()], "others for"
    )


def _named(name: str, expected: str, records: Sequence[str], found: str = "") -> list[Problem]:
    """One problem for all records that have it."""
    if not records:
        return []
    some = ", ".join(show(each) for each in records[:_NAMED]) + (
        f" and {len(records) - _NAMED} more" if len(records) > _NAMED else ""
    )
    return [Problem(name, "", expected, f"{found} {some}".strip())]
