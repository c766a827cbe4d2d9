"""Copies of tables that `init` and `Case.from_dataframe` put into a case: noted when they are written, known again, cut.

A copy that was changed since is its user's: no file is touched whose name and content are not those that were noted.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any, Final

import numpy as np

from auditor.base.errors import InputError
from auditor.base.noted import Noted, note
from auditor.case.files import Source
from auditor.case.npz import read_arrays

TABLES: Final = frozenset({"train", "store", "holdout"})
"""What copies of tables are called, whatever their ending."""


class UncutError(Exception):
    """A table cannot be written again without some rows."""


def remember(folder: Path, files: Iterable[Path]) -> None:
    """Note the tables among the files that were just written into a case; without a home for notes they count as its user's."""
    tables = [each for each in files if each.stem in TABLES and each.is_file()]
    with suppress(OSError):
        note(thing(PurePosixPath(each.relative_to(folder).as_posix()), _digest(each)) for each in tables)


def thing(inside: PurePosixPath, sha256: str) -> bytes:
    """How a copy is noted: what it is called in its case, and what it holds."""
    return b"copy\0" + str(inside).encode() + b"\0" + sha256.encode()


def is_one(inside: PurePosixPath, sha256: str, noted: Noted) -> bool:
    """Whether a file is such a copy, as it was written."""
    return thing(inside, sha256) in noted


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


Theirs = Callable[[str, str | None], bool]
"""Whether a row is one person's, by its id and by whose it says to be."""


def rows_of(name: str, content: bytes, id_column: str | None, person_column: str | None) -> list[tuple[str, str | None]]:
    """Ids of the rows of a table, each with whose it says to be.

    Raises:
        UncutError: If it cannot be read.
    """
    return [(key, person) for key, person, _ in _rows(name, content, id_column, person_column)]


def without(name: str, content: bytes, theirs: Theirs, id_column: str | None, person_column: str | None) -> tuple[bytes, int]:
    """Write a table without the rows of one person; how many went.

    Raises:
        UncutError: If it cannot be read.
    """
    rows = list(_rows(name, content, id_column, person_column))
    keep = [not theirs(key, person) for key, person, _ in rows]
    gone = len(keep) - sum(keep)
    if not gone:
        return content, 0
    match Path(name).suffix.lower():
        case ".csv":
            text, first = _text(content), rows[0][2][0]
            kept = "".join(text[start:end] for (_, _, (start, end)), stays in zip(rows, keep, strict=True) if stays)
            mark = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
            return mark + (text[:first] + kept).encode(), gone
        case ".npz":
            arrays = {key: np.asarray(each) for key, each in _arrays(name, content).items()}
            file = io.BytesIO()
            cut = {key: each[np.array(keep)] if each.ndim and len(each) == len(keep) else each for key, each in arrays.items()}
            np.savez(file, **cut)  # type: ignore[arg-type]
            return file.getvalue(), gone
        case _:
            import pyarrow as pa  # noqa: PLC0415 - half a second, for Parquet alone
            import pyarrow.parquet as pq  # noqa: PLC0415

            written = io.BytesIO()
            pq.write_table(pq.read_table(io.BytesIO(content)).filter(pa.array(keep)), written)
            return written.getvalue(), gone


_Row = tuple[str, str | None, tuple[int, int]]
"""Id, person, and from where to where the row goes in the text."""


def _rows(name: str, content: bytes, id_column: str | None, person_column: str | None) -> Iterator[_Row]:
    match Path(name).suffix.lower():
        case ".csv":
            yield from _of_csv(_text(content), id_column, person_column)
        case ".npz":
            yield from ((str(each), None, (0, 0)) for each in _arrays(name, content)["ids"].tolist())
        case ".parquet":
            yield from _of_parquet(content, id_column, person_column)
        case _:
            raise UncutError("it is no CSV, Parquet or npz file")


def _of_csv(text: str, id_column: str | None, person_column: str | None) -> Iterator[_Row]:
    lines = list(io.StringIO(text, newline=""))
    ends = [0]
    for line in lines:
        ends.append(ends[-1] + len(line))
    reader = csv.reader(iter(lines), delimiter=",", strict=True)
    try:
        header = next(reader, None)
        names = [each.strip() for each in header or ()]
        if id_column not in names:
            raise UncutError("it has no column of ids")
        at, of = names.index(str(id_column)), names.index(person_column) if person_column in names else None
        begin = reader.line_num
        for row in reader:
            span = (ends[begin], ends[reader.line_num])
            begin = reader.line_num
            if row:
                yield row[at], None if of is None else row[of], span
    except (csv.Error, IndexError) as error:
        raise UncutError("it cannot be read as CSV") from error


def _of_parquet(content: bytes, id_column: str | None, person_column: str | None) -> Iterator[_Row]:
    import pyarrow as pa  # noqa: PLC0415 - half a second, for Parquet alone
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        table = pq.read_table(io.BytesIO(content))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UncutError("it cannot be read as Parquet") from error
    if id_column not in table.column_names:
        raise UncutError("it has no column of ids")
    people: list[Any] = table[person_column].to_pylist() if person_column in table.column_names else [None] * table.num_rows
    for key, person in zip(table[id_column].to_pylist(), people, strict=True):
        yield str(key), None if person is None else str(person), (0, 0)


def _arrays(name: str, content: bytes) -> dict[str, Any]:
    try:
        return read_arrays(Source(name, content), ("ids",), ("features", "labels", "sensitivity"))
    except InputError as error:
        raise UncutError("it cannot be read as npz") from error


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UncutError("it is no UTF-8") from error
