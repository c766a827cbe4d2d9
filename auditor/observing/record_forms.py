"""What a search looks for: records in the forms in which they may lie around, by identifier and by value.

A search is only as good as its eyes. So some kept records are wanted as well: a store in which not even those are recognised
holds its records in a form that the search cannot see, and finding no deleted one there says nothing.
"""

from __future__ import annotations

import html
import json
import pickle
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from auditor.domain import Dataset, Floats, Positions

CONTROLS = 32
"""How many kept records are looked for."""
_PLAIN = re.compile(r"[!-~]+")
_WORDS = re.compile(r"[^\s,;\"'\[\]{}()<>=|]+")
_RUNS = re.compile(r"[\w-]+")
_TELLING_DIGITS = 7
_FLOAT16_FROM = 8
"""A row of fewer values may meet another by chance once its numbers are rounded coarsely."""


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Some records: their ids, and the values of those that can be told apart by value."""

    ids: tuple[str, ...]
    rows: Floats
    """Shape (m, d)."""
    row_ids: tuple[str, ...]
    """The record behind each row, m of them."""
    tolerances: Floats
    """Shape (m,): how far each value of a copy may lie off and still be a copy of this row and of no kept one."""

    def in_words(self, words: Iterable[str]) -> set[str]:
        """The ids among some words that stand by themselves, such as the cells of a column."""
        return set(self.ids).intersection(words)

    def in_text(self, text: str, *, short_ids: bool = True) -> set[str]:
        """The ids in a text; those that could stand there by chance as whole words only, and only if `short_ids`."""
        runs = set(_RUNS.findall(text))
        found = {record for record in self.ids if tells(record) for form in text_forms(record) if _stands_alone(form, text, runs)}
        if short_ids and any(not tells(record) for record in self.ids):
            found |= self.in_words(word.strip(".:!?") for word in _WORDS.findall(text))
        return found

    def in_bytes(self, content: bytes) -> set[str]:
        """The records in plain bytes: values in the usual binary encodings, ids in the usual text encodings."""
        found = {
            record
            for record, row in zip(self.row_ids, self.rows, strict=True)
            if any(form in content for form in byte_forms(row))
        }
        for record in filter(tells, self.ids):
            narrow, *wide = (record.encode(coding) for coding in ("utf-8", "utf-16-le", "utf-32-le"))
            if narrow in content and re.search(rb"(?<![\w-])" + re.escape(narrow) + rb"(?![\w-])", content):
                found.add(record)
            # In an array of fixed width the next text follows at once: only what continues a word or a number is another id.
            following = rb"(?![0-9])" if record[-1].isdigit() else rb"(?![A-Za-z])"
            if any(form in content and re.search(re.escape(form) + following, content) for form in wide):
                found.add(record)
        return found

    def in_table(self, table: npt.NDArray[np.generic]) -> set[str]:
        """The records whose values stand in neighbouring columns of a numeric table, shape (n, w)."""
        values = np.ascontiguousarray(table, dtype=np.float64)
        width = self.rows.shape[1]
        if not len(self.rows) or values.size < width:
            return set()
        if values.shape[1] < width:
            values = values.reshape(1, -1)
        columns = _Sorted(values)
        return {
            record
            for record, row, tolerance in zip(self.row_ids, self.rows, self.tolerances, strict=True)
            if len(columns.near(row, float(tolerance)))
        }


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The deleted records, and some kept ones to see whether the search can see."""

    deleted: Records
    kept: Records
    ambiguous: tuple[str, ...]
    """Deleted records whose values equal those of a kept one, or are too plain to identify anybody."""

    @classmethod
    def of(cls, train: Dataset, deleted: Positions, unknown_ids: frozenset[str]) -> Wanted:
        """The records of `train` at `deleted`, and ids that the log names but the training data lack."""
        kept = np.delete(np.arange(len(train)), deleted)
        gone = _records(train, deleted, against=train.features[kept])
        others = kept[np.unique(np.linspace(0, len(kept) - 1, min(CONTROLS, len(kept))).astype(int))] if len(kept) else kept
        controls = _records(train, others, against=train.features[deleted])
        told_apart = set(gone.row_ids)
        ambiguous = tuple(record for record in gone.ids if record not in told_apart)
        named = Records((*gone.ids, *sorted(unknown_ids - set(gone.ids))), gone.rows, gone.row_ids, gone.tolerances)
        return cls(named, controls, ambiguous)

    @property
    def hidden_in_bytes(self) -> tuple[str, ...]:
        """Deleted records that plain bytes could hold unseen: neither values nor id would stand out there."""
        return tuple(record for record in self.ambiguous if not tells(record))


def _stands_alone(form: str, text: str, runs: set[str]) -> bool:
    """Whether `form` stands in `text` with nothing on either side that would make it part of a longer id.

    Args:
        form: What is looked for.
        text: Where.
        runs: Every run of letters, digits, underscores and hyphens in `text`: a form made of those alone is one of them, or is
            not there, which spares reading the whole text for each of many ids.
    """
    if _RUNS.fullmatch(form):
        return form in runs
    return form in text and re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", text) is not None


def tells(record: str) -> bool:
    """Whether an id would hardly stand in arbitrary text or bytes by chance."""
    return len(record) >= (8 if record.isdigit() else 4)


def text_forms(record: str) -> set[str]:
    """An id as text files may write it: as it is, and escaped as in JSON, CSV and XML."""
    if _PLAIN.fullmatch(record) and not set(record) & set("\"\\&<>'/"):
        return {record}
    ascii_json, json_text = json.dumps(record)[1:-1], json.dumps(record, ensure_ascii=False)[1:-1]
    escaped = {html.escape(record), html.escape(record, quote=False)}
    return {record, ascii_json, json_text, json_text.replace("/", "\\/"), record.replace('"', '""'), *escaped}


def byte_forms(row: Floats) -> list[bytes]:
    """A row of values as binary files may hold it, one value after another; shape (d,)."""
    kinds = ["<f8", "<f4", ">f8", ">f4"] + (["<f2"] if len(row) >= _FLOAT16_FROM else [])
    with np.errstate(over="ignore"):
        forms = [row.astype(kind).tobytes() for kind in kinds]
    # A pickled list of Python numbers, without its frame: an opcode before each value.
    listed = b"".join(pickle.dumps(value, protocol=1)[:-1] for value in row.tolist())
    return [form for form in [*forms, listed] if any(form)]


def _records(train: Dataset, positions: Positions, *, against: Floats) -> Records:
    """The records at `positions`; by value those that differ from every row of `against`, shape (n, d)."""
    others = _Sorted(against) if len(against) else None
    usable: list[int] = []
    tolerances: list[float] = []
    for position in positions.tolist():
        row = train.features[position]
        tolerance = _tolerance(row)
        if tolerance is not None and others is not None:
            near = others.near(row, 4 * tolerance)
            gap = float(np.abs(against[near] - row).max(axis=1).min()) if len(near) else np.inf
            tolerance = None if gap == 0.0 else min(tolerance, gap / 4)
        if tolerance is not None:
            usable.append(position)
            tolerances.append(tolerance)
    chosen = np.array(usable, dtype=np.int64)
    ids = tuple(train.ids[positions].tolist())
    return Records(ids, train.features[chosen], tuple(train.ids[chosen].tolist()), np.array(tolerances))


def _tolerance(row: Floats) -> float | None:
    """How far off a copy may be: rounded as in float16 or a short decimal where many values have to agree, else float32.

    None for rows that say too little: a single value, however often it is repeated, unless it has many digits.
    """
    size = float(np.abs(row).max())
    if bool(np.all(row == row[0])):
        digits = f"{size:.14e}".partition("e")[0].replace(".", "").rstrip("0")
        return 1e-9 * size if len(digits) >= _TELLING_DIGITS else None
    return (1e-3 if len(row) >= _FLOAT16_FROM else 1e-6) * size


class _Sorted:
    """A table of numbers, sorted once, in which rows are looked up."""

    def __init__(self, table: Floats) -> None:
        """Sort every value of `table`, shape (n, w)."""
        self.table = table
        flat = table.ravel()
        self._order = np.argsort(flat, kind="stable")
        self._values = flat[self._order]

    def near(self, row: Floats, tolerance: float) -> Positions:
        """The table's rows in which neighbouring columns lie within `tolerance` of `row`, shape (d,), value by value."""
        starts = np.searchsorted(self._values, row - tolerance, side="left")
        stops = np.searchsorted(self._values, row + tolerance, side="right")
        rarest = int(np.argmin(stops - starts))
        places = self._order[starts[rarest] : stops[rarest]]
        width = self.table.shape[1]
        rows, first = places // width, places % width - rarest
        inside = (first >= 0) & (first + len(row) <= width)
        rows, first = rows[inside], first[inside]
        for column, value in enumerate(row.tolist()):
            if not len(rows):
                break
            close = np.abs(self.table[rows, first + column] - value) <= tolerance
            rows, first = rows[close], first[close]
        return np.unique(rows)
