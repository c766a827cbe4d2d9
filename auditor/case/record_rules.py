"""The rules that records must keep, whatever file they came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Floats
from auditor.settings.problems import SHOWN_PER_FILE, Cells, show, text_fault
from auditor.settings.tables import Task
from auditor.settings.values import LARGEST_INTEGER

Place = Callable[[int], str]
"""Names the place of row i, counted from 0, for a reader."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,19}")
_LAST_CODE_POINT = 0x10FFFF
MISSING = {"", "nan", "na", "n/a", "null"}


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
