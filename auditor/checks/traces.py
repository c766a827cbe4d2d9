"""Looking for deleted records in what a controller keeps: by identifier and by value, in tables, arrays and plain bytes.

Nothing is unpickled. Values are compared exactly, as float64 and as float32, so a copy under another scaling or encoding is not
seen; the check's report says so.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from auditor.domain import Dataset, Floats, Positions

MAX_BYTES = 4 * 1024**3
COMPRESSED = frozenset({".gz", ".bz2", ".xz", ".zst", ".lz4", ".7z", ".zip", ".tgz", ".rar"})
TEXT = frozenset({".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".md", ".log", ".xml", ".yaml", ".yml", ".toml", ".sql"})
_TOKEN = re.compile(r"[^\s,;\"'\[\]{}()<>=|]+")


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The deleted records, in the forms in which they may lie around."""

    ids: frozenset[str]
    rows: Floats
    """Shape (m, d): the features of those deleted records that can be told apart by value."""
    row_ids: tuple[str, ...]
    """The record behind each row."""
    ambiguous: tuple[str, ...]
    """Records that equal a kept one, or are constant: their values identify nobody."""

    @classmethod
    def of(cls, train: Dataset, deleted: Positions, unknown_ids: frozenset[str]) -> Wanted:
        """The records of `train` at `deleted`, and ids that the log names but the training data lack."""
        kept = np.delete(np.arange(len(train)), deleted)
        kept_values = {row.tobytes() for row in train.features[kept]}
        distinct: list[int] = []
        ambiguous: list[int] = []
        for position in deleted.tolist():
            row = train.features[position]
            usable = row.tobytes() not in kept_values and len(row) > 1 and bool(np.any(row != row[0]))
            (distinct if usable else ambiguous).append(position)
        ids = frozenset(train.ids[deleted].tolist()) | unknown_ids
        named = tuple(train.ids[np.array(distinct, dtype=np.int64)].tolist())
        return cls(ids, train.features[np.array(distinct, dtype=np.int64)], named, tuple(train.ids[ambiguous].tolist()))


@dataclass(slots=True)
class Search:
    """What was searched, what was found, and what could not be looked into."""

    wanted: Wanted
    found: dict[str, set[str]] = field(default_factory=dict)
    """Record id to the places where it was found."""
    searched: list[dict[str, object]] = field(default_factory=list)
    not_searched: list[dict[str, str]] = field(default_factory=list)

    def file(self, path: Path, name: str) -> None:
        """Search one file of a store, by what its ending says it is."""
        suffix = path.suffix.lower()
        if path.is_symlink() or not path.is_file():
            self._leave_out(name, "no regular file")
        elif path.stat().st_size > MAX_BYTES:
            self._leave_out(name, f"larger than {MAX_BYTES} bytes")
        elif suffix in COMPRESSED:
            self._leave_out(name, "compressed: its content cannot be compared as it stands")
        elif suffix == ".npz":
            self._archive(path, name)
        elif suffix == ".npy":
            self._npy(path, name)
        elif suffix == ".parquet":
            self._parquet(path, name)
        elif suffix in TEXT:
            self._text(path.read_bytes().decode("utf-8", errors="replace"), name)
        else:
            self.content(path.read_bytes(), name)

    def content(self, content: bytes, name: str) -> None:
        """Search plain bytes: a model file, a state, anything of unknown form."""
        if content[:4] == b"PK\x03\x04":
            try:
                with zipfile.ZipFile(io.BytesIO(content)) as archive:
                    sizes = sum(item.file_size for item in archive.infolist())
                    if sizes <= MAX_BYTES:
                        content += b"".join(archive.read(item) for item in archive.infolist())
            except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError):
                self._leave_out(name, "looks like a zip archive and cannot be read as one")
                return
        before = self._count(name)
        for record, row in zip(self.wanted.row_ids, self.wanted.rows, strict=True):
            if row.tobytes() in content or row.astype(np.float32).tobytes() in content:
                self._note(record, name)
        for record in self._telling_ids():
            if re.search(rb"(?<![\w-])" + re.escape(record.encode()) + rb"(?![\w-])", content):
                self._note(record, name)
        self._done(name, None, self._count(name) - before, "exact bytes of values (float64, float32) and identifiers")

    def _archive(self, path: Path, name: str) -> None:
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(item.file_size for item in archive.infolist()) > MAX_BYTES:
                    self._leave_out(name, f"unpacks to more than {MAX_BYTES} bytes")
                    return
            with np.load(path, allow_pickle=False) as arrays:
                members = {key: arrays[key] for key in arrays.files}
        except (ValueError, OSError, zipfile.BadZipFile, EOFError, NotImplementedError) as error:
            self._leave_out(name, f"not readable as npz without unpickling: {type(error).__name__}")
            return
        self._arrays(members, name)

    def _npy(self, path: Path, name: str) -> None:
        try:
            array = np.load(path, allow_pickle=False)
        except (ValueError, OSError, EOFError) as error:
            self._leave_out(name, f"not readable as npy without unpickling: {type(error).__name__}")
            return
        self._arrays({"": array}, name)

    def _arrays(self, arrays: dict[str, npt.NDArray[np.generic]], name: str) -> None:
        before, rows = self._count(name), 0
        for array in arrays.values():
            if array.dtype.kind in "US":
                self._ids_in([_word(value) for value in array.ravel().tolist()], name)
                rows = max(rows, array.size)
            elif array.dtype.kind in "fiub":
                rows = max(rows, len(array) if array.ndim else 1)
                self._values_in(np.atleast_2d(np.asarray(array)), name)
        self._done(name, rows, self._count(name) - before, "identifiers, and values row by row")

    def _parquet(self, path: Path, name: str) -> None:
        import pandas as pd  # noqa: PLC0415  (slow to import, and needed for this format only)

        try:
            frame = pd.read_parquet(path)
        except (ValueError, OSError) as error:
            self._leave_out(name, f"not readable as Parquet: {type(error).__name__}")
            return
        before = self._count(name)
        for column in frame.columns:
            if not pd.api.types.is_numeric_dtype(frame[column]):
                self._ids_in([str(value) for value in frame[column].tolist()], name)
        self._values_in(frame.select_dtypes("number").to_numpy(dtype=np.float64), name)
        self._done(name, len(frame), self._count(name) - before, "identifiers, and values row by row")

    def _text(self, text: str, name: str) -> None:
        before = self._count(name)
        lines = text.splitlines()
        self._ids_in(_TOKEN.findall(text), name)
        delimiter = "\t" if name.lower().endswith(".tsv") else ","
        numbers: dict[int, list[list[float]]] = {}
        for row in csv.reader(_readable(lines), delimiter=delimiter):
            values = [value for cell in row if (value := _number(cell)) is not None]
            if len(values) >= self.wanted.rows.shape[1]:
                numbers.setdefault(len(values), []).append(values)
        for block in numbers.values():
            self._values_in(np.array(block), name)
        self._done(name, len(lines), self._count(name) - before, "identifiers, and numbers line by line")

    def _values_in(self, table: npt.NDArray[np.generic], name: str) -> None:
        """Look for each deleted row among all runs of d neighbouring columns of a numeric table."""
        width = self.wanted.rows.shape[1]
        flat = table.reshape(len(table), -1)
        if flat.shape[1] < width or not len(self.wanted.rows):
            if flat.size >= width and len(self.wanted.rows):
                self.content_of_array(flat, name)
            return
        for kind in (np.float64, np.float32):
            index = {
                row.astype(kind).tobytes(): record for record, row in zip(self.wanted.row_ids, self.wanted.rows, strict=True)
            }
            values = np.ascontiguousarray(flat, dtype=kind)
            for start in range(flat.shape[1] - width + 1):
                for row in np.ascontiguousarray(values[:, start : start + width]):
                    if (record := index.get(row.tobytes())) is not None:
                        self._note(record, name)

    def content_of_array(self, flat: npt.NDArray[np.generic], name: str) -> None:
        """Look for the rows in an array whose shape is not that of a table: one long run of numbers."""
        for kind in (np.float64, np.float32):
            content = np.ascontiguousarray(flat, dtype=kind).tobytes()
            for record, row in zip(self.wanted.row_ids, self.wanted.rows, strict=True):
                if row.astype(kind).tobytes() in content:
                    self._note(record, name)

    def _ids_in(self, values: list[str], name: str) -> None:
        for record in self.wanted.ids.intersection(values):
            self._note(record, name)

    def _telling_ids(self) -> list[str]:
        """Ids that would hardly stand in arbitrary bytes by chance."""
        return sorted(record for record in self.wanted.ids if len(record) >= 4 and not record.isdigit())

    def _note(self, record: str, name: str) -> None:
        self.found.setdefault(record, set()).add(name)

    def _count(self, name: str) -> int:
        return sum(name in places for places in self.found.values())

    def _done(self, name: str, records: int | None, found: int, how: str) -> None:
        self.searched.append({"place": name, "records_searched": records, "found": found, "how": how})

    def _leave_out(self, name: str, why: str) -> None:
        self.not_searched.append({"place": name, "why": why})


def _readable(lines: list[str]) -> list[str]:
    return [line.replace("\0", "") for line in lines if len(line) < csv.field_size_limit()]


def _word(value: str | bytes) -> str:
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else value


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
