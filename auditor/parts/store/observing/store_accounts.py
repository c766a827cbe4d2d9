"""How much of a data store is accounted for: rows of people who may be kept, in columns that are known.

Known are the columns of the training data, and those that the controller declares as `[data] store_columns`. A row counts where
it names a person who may be kept: one whose record is retained, or one whom the training data do not know. Without a column of
ids it counts where its values are those of a retained record. Everything else in a file is unexplained: other columns, rows of
deleted records, labels that the training data do not have, cells longer than a number is, whatever lies between and behind the
rows, and every file that is no table.
"""

from __future__ import annotations

import csv
import sqlite3
import struct
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Reason
from auditor.case.files import BINARY_LIMIT
from auditor.parts.store.judging.accounting import Kept
from auditor.parts.store.observing.store_people import People
from auditor.parts.store.observing.store_tables import Rows, tables


def of_file(path: Path, people: People, place: Reason) -> Kept:
    """Account for one file of a store.

    Args:
        path: The file, a special one among them.
        people: Who may be kept.
        place: How it is named.
    """
    if path.is_symlink() or not path.is_file():
        return Kept(kind="store", place=place, bytes=0, unexplained=0)
    size = path.stat().st_size
    if size > BINARY_LIMIT:
        return Kept(kind="store", place=place, bytes=size, unexplained=size)
    content = path.read_bytes()
    try:
        found = tables(path, content, people)
    except (OSError, ValueError, KeyError, TypeError, struct.error, zipfile.BadZipFile, sqlite3.Error, csv.Error):
        # Not a crash of the audit: what cannot be read is not accounted for.
        return Kept(kind="store", place=place, bytes=size, unexplained=size)
    strangers = changed = 0
    unexplained = sum(each.unexplained for each in found)
    for rows in found:
        wrong, new, other = _of_people(rows, people)
        unexplained += int(rows.sizes[wrong].sum())
        strangers, changed = strangers + int(np.count_nonzero(new & ~wrong)), changed + int(np.count_nonzero(other & ~wrong))
    declared = min(size, sum(each.declared for each in found))
    return Kept(
        kind="store",
        place=place,
        bytes=size,
        unexplained=min(size, unexplained),
        declared=declared,
        strangers=strangers,
        changed=changed,
    )


def _of_people(rows: Rows, people: People) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which rows are nobody's who may be kept, which are strangers', and which are retained people's with other values."""
    count = len(rows.sizes)
    wrong = rows.bad.copy() if len(rows.bad) else np.zeros(count, dtype=bool)
    new, other = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    if rows.labels is not None and people.labels is not None:
        wrong |= np.array([each not in people.labels for each in rows.labels], dtype=bool)
    if rows.ids is None:
        return wrong | ~_are_retained(rows, people), new, other
    wrong |= np.array([not each.strip() or each in people.gone or len(each) > people.longest for each in rows.ids], dtype=bool)
    places = np.array([people.places.get(each, -1) for each in rows.ids], dtype=np.int64)
    new = places < 0
    if rows.features is not None:
        own = people.train.features[places]
        with np.errstate(over="ignore"):
            narrow = own.astype(np.float32)
        other = ~new & np.any(rows.features != own, axis=1) & np.any(rows.features != narrow, axis=1)
    return wrong, new, other


def _are_retained(rows: Rows, people: People) -> npt.NDArray[np.bool_]:
    """Which rows have the values of a retained record, in float64 or rounded to float32."""
    count = len(rows.sizes)
    if rows.features is None:
        return np.zeros(count, dtype=bool)
    kept = people.train.features[people.retained]
    with np.errstate(over="ignore"):
        known = {row.tobytes() for row in kept + 0.0} | {
            row.tobytes() for row in kept.astype(np.float32).astype(np.float64) + 0.0
        }
    return np.array([row.tobytes() in known for row in rows.features + 0.0], dtype=bool)
