"""What columns of a table must be, whichever file they come from, and the records that they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Dataset, Floats, Problem
from auditor.base.errors import InputError
from auditor.case.record_rules import check_ids
from auditor.settings.problems import Cells, show, text_fault, unknown
from auditor.settings.tables import DataTable


def column_problems(file: str, names: list[str], table: DataTable) -> list[Problem]:
    """Problems with the columns as such: one that is named but not there, a name that cannot be printed, or no features left."""
    named = {role: name for role in _ROLES if (name := getattr(table, role)) is not None}
    wanted = [*named.items(), *(("input", name) for name in table.columns or ())]
    problems = [
        Problem(file, "columns", "names that can be printed", f"{show(name)}, which holds {fault}")
        for name in names
        if name and (fault := text_fault(name))
    ]
    for role, name in wanted:
        if name not in names:
            near, _ = unknown("column", name, names)
            hint = near[near.index(" (did") :] if " (did" in near else ""
            problems.append(Problem(file, "columns", f"a column {show(name)} of the {role}s{hint}", "no such column"))
    if len(set(named.values())) < len(named):
        *those, last = [role for role in _ROLES if role in named]
        expected = f"different columns for {', '.join(those)} and {last}"
        problems.append(Problem(file, "columns", expected, "one column in two roles"))
    if named.get("label") in (table.columns or ()):
        problems.append(Problem(file, "columns", "inputs without the column of labels", show(named["label"])))
    if not feature_names(names, table):
        problems.append(Problem(file, "columns", "at least one column of features", "none"))
    return problems


_ROLES: Final = ("id", "label", "sensitivity", "person", "weight")


def feature_names(names: Sequence[str], table: DataTable) -> list[str]:
    """The columns that a procedure gets: those of `inputs`, or all that have no role, in the order of the file."""
    if table.columns is not None:
        return list(table.columns)
    special = {getattr(table, role) for role in _ROLES}
    return [name for name in names if name not in special]


def names_beside(names: Sequence[str], table: DataTable) -> list[str]:
    """The columns that no procedure gets, but for ids, labels and weights."""
    known = {table.id, table.label, table.sensitivity, table.weight, *feature_names(names, table)}
    return [name for name in names if name not in known]


def check_ids_of_text(ids: list[str], place: Callable[[int], str], cells: Cells) -> None:
    """Ids from a text file are distinct text, not empty and printable."""
    # A NumPy array of text drops trailing NUL characters, so they are looked for before one is made.
    for row, text in enumerate(ids):
        if "\0" in text:
            cells.add(place(row), "a record id", "the character U+0000")
    check_ids(np.array([text.replace("\0", "?") for text in ids], dtype=np.str_), place, cells)


def finish(
    features: Floats, labels: npt.NDArray[Any], ids: npt.NDArray[np.str_], weights: Floats | None, cells: Cells
) -> Dataset:
    """The records, frozen, or every problem that was recorded with them.

    Raises:
        InputError: If there is any.
    """
    if cells.count:
        raise InputError(cells.problems())
    for values in (features, labels, ids, weights):
        if values is not None:
            values.setflags(write=False)
    return Dataset(features, labels, ids, weights)
