"""What columns of a table must be, whichever file they come from, and the records that they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.case.record_rules import check_ids
from auditor.domain import Dataset, Floats, Problem
from auditor.errors import InputError
from auditor.settings.problems import Cells, show, unknown
from auditor.settings.tables import DataTable


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
