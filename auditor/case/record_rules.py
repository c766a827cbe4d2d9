"""The rules that records must keep, whatever file they came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base import suggestions
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.mixed_columns import MISSING
from auditor.base.records import Dataset, Floats
from auditor.settings.tables import DataTable, Task
from auditor.settings.values import LARGEST_INTEGER, SHOWN_PER_FILE, Cells, show, text_fault

Place = Callable[[int], str]
"""Names the place of row i, counted from 0, for a reader."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,19}")
_LAST_CODE_POINT = 0x10FFFF


def check_ids(ids: npt.NDArray[np.str_], place: Place, cells: Cells) -> None:
    """Ids are distinct text, not empty and printable. `ids` has shape (n,)."""
    for row in np.flatnonzero(_suspect(ids)).tolist():
        text = _safe(ids, row)
        if fault := "no Unicode text" if text is None else text_fault(text):
            cells.add(place(row), "a record id", fault)
    _, first, inverse, counts = np.unique(_codes(ids), axis=0, return_index=True, return_inverse=True, return_counts=True)
    if first.size == len(ids):
        return
    where = inverse.reshape(-1)
    for row in np.flatnonzero(counts[where] > 1).tolist():
        earliest = int(first[where[row]])
        if row != earliest:
            cells.add(place(row), "a record id that no other row has", f"{show(_safe(ids, row))}, as in {place(earliest)}")


def _codes(ids: npt.NDArray[np.str_]) -> npt.NDArray[np.uint32]:
    # Compared as code points: an array out of a file may hold numbers that are no characters, which NumPy cannot compare.
    return np.ascontiguousarray(ids).view(np.uint32).reshape(len(ids), -1)


def _suspect(ids: npt.NDArray[np.str_]) -> npt.NDArray[np.bool_]:
    codes = _codes(ids)
    plain = (codes > 32) & (codes < 127)
    last = (codes != 0).cumsum(axis=1)
    length = last[:, -1] if codes.shape[1] else np.zeros(len(ids), dtype=np.int64)
    inside = np.arange(codes.shape[1]) < length[:, None]
    suspect: npt.NDArray[np.bool_] = (length == 0) | (inside & ~plain).any(axis=1)
    return suspect


def _safe(ids: npt.NDArray[np.str_], row: int) -> str | None:
    # A code point beyond Unicode would make NumPy fail inside the interpreter.
    if _codes(ids)[row].max(initial=0) > _LAST_CODE_POINT:
        return None
    return str(ids[row])


def check_labels(labels: npt.NDArray[Any], task: Task | None, place: Place, cells: Cells) -> npt.NDArray[Any]:
    """Labels as the task needs them: int64 or text for classification, finite float64 for regression.

    Args:
        labels: Shape (n,): integers, floats or text.
        task: None where it is not known: then nothing depends on it.
        place: Names a row.
        cells: Takes the problems.

    Returns:
        Shape (n,). Where problems were recorded, the values are of no use.
    """
    if labels.dtype.kind == "U":
        if task == "regression":
            cells.add("labels", "numbers for regression", "text")
            return np.zeros(len(labels))
        for row in np.flatnonzero(_suspect(labels)).tolist():
            text = _safe(labels, row)
            if fault := "no Unicode text" if text is None else text_fault(text):
                cells.add(place(row), "a label", fault)
        return labels
    if labels.dtype.kind not in "iuf":
        cells.add("labels", "integers, floats or text", f"elements of type {labels.dtype}")
        return np.zeros(len(labels))
    if labels.dtype.kind == "f":
        bad = ~np.isfinite(labels)
        expected, found = "a finite number", "NaN or an infinity"
        if task == "classification" and not bad.any():
            bad = (labels != np.trunc(labels)) | (np.abs(labels) > LARGEST_INTEGER)
            expected, found = "a label that is an integer or text", "a number with a fraction, or a very large one"
    else:
        bad = (labels > LARGEST_INTEGER) | (labels < -LARGEST_INTEGER)
        expected, found = f"integers of at most {LARGEST_INTEGER} in size", "a larger one"
    rows = np.flatnonzero(bad)
    if rows.size:
        cells.add_many((place(row) for row in rows[:SHOWN_PER_FILE].tolist()), int(rows.size), expected, found)
        return np.zeros(len(labels))
    return labels.astype(np.int64 if task == "classification" else np.float64)


def labels_from_text(texts: Sequence[str], task: Task | None, place: Place, cells: Cells) -> npt.NDArray[Any]:
    """Labels from the cells of a text file: numbers where every cell is one, else text. Shape (n,)."""
    for row, text in enumerate(texts):
        if text.strip().lower() in MISSING:
            cells.add(place(row), "a label", "a missing value" if not text.strip() else show(text))
    if cells.count:
        return np.zeros(len(texts))
    if task != "regression" and all(_INTEGER.fullmatch(text) for text in texts):
        # By way of float an integer above 2^53 would turn into its neighbour before anyone could see it.
        return check_labels(np.array([_clipped(int(text)) for text in texts], dtype=np.int64), task, place, cells)
    faulty: list[int] = []
    numbers = np.zeros(len(texts))
    for row, text in enumerate(texts):
        try:
            numbers[row] = number(text)
        except ValueError:
            faulty.append(row)
    if not faulty:
        return check_labels(numbers, task, place, cells)
    if task == "regression":
        places = (place(row) for row in faulty[:SHOWN_PER_FILE])
        cells.add_many(places, len(faulty), "a number", "text")
        return numbers
    return check_labels(np.array(texts, dtype=np.str_), task, place, cells)


def _clipped(value: int) -> int:
    return max(-LARGEST_INTEGER - 1, min(LARGEST_INTEGER + 1, value))


def number(text: str) -> float:
    """A decimal number; ValueError for anything else, including the underscores that Python would allow."""
    if "_" in text:
        raise ValueError(text)
    return float(text)


def check_features(features: npt.NDArray[Any], place: Callable[[int, int], str], cells: Cells) -> Floats:
    """Features as finite float64, shape (n, d), without loss of precision."""
    kind = features.dtype.kind
    if kind not in "biuf" or (kind == "f" and features.dtype.itemsize > 8):
        cells.add("features", "numbers of at most 64 bits", f"elements of type {features.dtype}")
        return np.zeros(features.shape)
    if kind in "iu":
        bad = (features > LARGEST_INTEGER) | (features < -LARGEST_INTEGER)
        found = "an integer too large for a float64"
    else:
        bad = ~np.isfinite(features)
        found = "NaN or an infinity"
    total = int(np.count_nonzero(bad))
    if total:
        where = np.argwhere(bad)[:SHOWN_PER_FILE].tolist()
        cells.add_many((place(row, column) for row, column in where), total, "a finite number", found)
        return np.zeros(features.shape)
    return np.ascontiguousarray(features, dtype=np.float64)


def check_weights(weights: npt.NDArray[Any], place: Place, cells: Cells) -> Floats:
    """Sensitivity weights as float64, shape (n,): finite, at least 0, and not all 0."""
    if weights.dtype.kind not in "biuf":
        cells.add("sensitivity", "numbers", f"elements of type {weights.dtype}")
        return np.ones(len(weights))
    numbers = weights.astype(np.float64)
    rows = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0)))
    places = (f"{place(row)}, sensitivity" for row in rows[:SHOWN_PER_FILE].tolist())
    cells.add_many(places, int(rows.size), "a finite number of at least 0", "something else")
    if numbers.size and not rows.size and not numbers.any():
        cells.add("sensitivity", "a weight above 0", "only zeros")
    return numbers


# What columns of a table must be, whichever file they come from, and the records that they make.
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
            near = suggestions.hint(name, names)
            what = "ids that rows were derived from" if role == "derived_from" else f"{role}s"
            found = f"no such column among {columns_listed(names)}"
            problems.append(Problem(file, "columns", f"a column {show(name)} of the {what}{near}", found))
    if len(set(named.values())) < len(named):
        *those, last = [role for role in _ROLES if role in named]
        expected = f"different columns for {', '.join(those)} and {last}"
        problems.append(Problem(file, "columns", expected, "one column in two roles"))
    if named.get("label") in (table.columns or ()):
        expected = "different columns for label and inputs: correct label, or take its column out of inputs"
        problems.append(Problem(file, "columns", expected, f"{show(named['label'])} in both"))
    if not feature_names(names, table):
        problems.append(Problem(file, "columns", "at least one column of features", "none"))
    return problems


def columns_listed(names: Sequence[str], most: int = 12) -> str:
    """The first columns of a table by name, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(name if name.isprintable() and len(name) <= _LONGEST_NAME else show(name) for name in names[:most]) + more


_LONGEST_NAME: Final = 60


_ROLES: Final = ("id", "label", "sensitivity", "person", "weight", "derived_from")


def feature_names(names: Sequence[str], table: DataTable) -> list[str]:
    """The columns that a procedure gets: those of `inputs`, or all that have no role, in the order of the file."""
    if table.columns is not None:
        return list(table.columns)
    special = {getattr(table, role) for role in _ROLES}
    return [name for name in names if name not in special]


def parents_in(cell: str, known: Container[str]) -> tuple[str, ...]:
    """The ids in a cell of `derived_from`: one that is a record's as it stands, or several with semicolons between them."""
    if cell in known:
        return (cell,)
    return tuple(each.strip() for each in cell.split(";") if each.strip())


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
