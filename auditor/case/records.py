"""The training data and the holdout of a case, in the form that its procedure takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from auditor.base.domain import Dataset, Problem
from auditor.base.errors import InputError
from auditor.case.files import Source
from auditor.case.tables import column_names, dataset
from auditor.settings.builtin import Procedure
from auditor.settings.tables import DataTable

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
    return Records(names=names, people=found.people, problems=tuple(refused)) if refused else found


def _mixed(sources: Sequence[Source | None], columns: DataTable, names: tuple[str, ...], *, keep: bool) -> Records:
    from auditor.case import mixed  # noqa: PLC0415 - most cases are of numbers alone

    read, problems = _tried(sources, lambda each: mixed.sheet(each, columns, columns.task))
    try:
        train, holdout = mixed.encoded(read, keep=keep)
        searched = mixed.searched(read[0], train)
    except InputError as error:
        return Records(names=names, problems=(*problems, *error.problems))
    people = None if read[0] is None else read[0].people
    return Records(train, holdout, names, people, searched, tuple(problems))


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
