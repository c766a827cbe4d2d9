"""Read the tables of a store's file: rows, their roles by the columns that are known, and how many bytes belong to none."""

from __future__ import annotations

import codecs
import csv
import io
import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base import npy
from auditor.base.records import Floats
from auditor.case.files import BINARY_LIMIT
from auditor.parts.release.observing import file_formats, parquet_pages, parquet_sizes, parquet_styles
from auditor.parts.release.observing.parquet_styles import Habit
from auditor.parts.store.judging.accounting import Spare, SpareName
from auditor.parts.store.observing import spare_bits, spellings
from auditor.parts.store.observing.column_types import bits_of_types, writer_of
from auditor.parts.store.observing.epochs import with_times
from auditor.parts.store.observing.found_rows import own_rows
from auditor.parts.store.observing.json_tables import table_of, with_literals, written, written_again
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.row_indexes import bits_of_name, first_index, without_indexes
from auditor.parts.store.observing.store_descriptions import beyond_columns, numbers_noted, unnamed_indexes

if TYPE_CHECKING:
    import pyarrow as pa

_NUMBER: Final = 32
"""Characters that a cell of numbers may have: float64 needs 24."""
_OF_VECTORS: Final = frozenset({"vector", "vectors", "embedding", "embeddings", "emb", "vec"})
"""What columns of vectors are called: other names could say anything."""
_NPZ: Final = {"features", "labels", "ids", "sensitivity", *_OF_VECTORS}
_END: Final = 22
_FRONT, _ENTRY = 30, 46
"""Sizes of the fixed parts of a zip archive."""


@dataclass(slots=True)
class Rows:
    """The rows of one table, as far as they are known."""

    sizes: npt.NDArray[np.int64]
    """Shape (n,): bytes of each row."""
    ids: list[str] | None = None
    labels: list[str] | None = None
    features: Floats | None = None
    """Shape (n, d), in the order of the training data; None where the table lacks any of them."""
    some: Floats | None = None
    """The same of a table that lacks some of them, which are NaN."""
    bad: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """Shape (n,): rows with a cell that is not one."""
    found: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """Shape (n,): rows of deleted records that hold nothing but these records' own values; empty where nobody asked."""
    own: tuple[str, ...] = ()
    """Of rows without ids, the deleted record that each of those is of."""
    declared: int = 0
    """Bytes in declared columns."""
    unexplained: int = 0
    """Bytes alongside the rows, and in columns that are not known."""
    spare: tuple[Spare, ...] = ()
    """What a database's own numbers could carry, or the spelling of cells of text."""
    group: npt.NDArray[np.int64] | None = None
    """Shape (n,): in which part of the file each row is: see `contents.Rows`."""
    former: int = 0
    """Of what is unexplained, bytes that pages of a database, or a Parquet file, hold beyond rows: written again, it has none."""
    numbers: npt.NDArray[np.int64] | None = None
    """Shape (n,): labels of rows that are no ids and may be positions."""
    names: tuple[str, ...] = ()
    """Known columns, in their order."""
    types: tuple[tuple[str, str], ...] = ()
    """Columns with their types, as the definition of a table has them."""
    indexes: tuple[str, ...] = ()
    """Columns that are indexes of pandas: they are left out, and what their numbers could say is counted."""
    written: tuple[Habit, ...] = ()
    """How the file is written as a whole, and by whom."""
    of_index: str = ""
    """The full-text index that a database keeps in this table, where building it from its texts gives another one."""

    @property
    def whose_own(self) -> tuple[str, ...]:
        """The deleted record that each row of `found` is of, in their order."""
        return self.own or tuple(self.ids[at] for at in np.flatnonzero(self.found).tolist() if self.ids is not None)


class NoTableError(ValueError):
    """A file that no row can be read from."""


def tables(path: Path, content: bytes, people: People) -> list[Rows]:
    """Read the tables of a file, known by its first bytes or its ending; of a database see `sqlite_tables`.

    Raises:
        NoTableError: If it is not one that is known, or cannot be taken apart. Readers of formats raise their own errors as well.
    """
    suffix = path.suffix.lower()
    if content.startswith(b"PAR1"):
        return [_parquet(content, people)]
    if suffix in {".npz", ".npy"}:
        return [_numpy(content, people, zipped=suffix == ".npz")]
    if suffix in {".csv", ".tsv"}:
        return [_separated(content, people, suffix)]
    if suffix in {".jsonl", ".ndjson"}:
        return [_json_lines(content, people)]
    if suffix == ".json":
        return [_json(content, people)]
    raise NoTableError


def from_cells(names: Sequence[str], rows: Sequence[Sequence[str | None]], people: People) -> Rows:
    """A table whose cells are text; a missing cell is empty."""
    cells = [["" if cell is None else cell for cell in row] for row in rows]
    roles = [people.columns.get(name) for name in names]
    whole = [len(row) == len(names) for row in cells]
    bytes_of = [[len(cell) if cell.isascii() else len(cell.encode("utf-8", "surrogatepass")) for cell in row] for row in cells]
    found = Rows(sizes=np.array([sum(each) + len(each) for each in bytes_of], dtype=np.int64))
    found.bad = ~np.array(whole, dtype=bool)
    found.names = tuple(name for name, role in zip(names, roles, strict=True) if role is not None)
    columns: dict[str, list[str]] = {}
    for at, (name, role) in enumerate(zip(names, roles, strict=True)):
        inside = [row[at] if fits else "" for row, fits in zip(cells, whole, strict=True)]
        size = sum(row[at] for row, fits in zip(bytes_of, whole, strict=True) if fits)
        match role:
            case None:
                found.unexplained += size + len(name.encode("utf-8", "surrogatepass"))
            case "declared":
                found.declared += size
            case _ if name in columns:
                raise NoTableError
            case _:
                columns[name] = inside
    coded: dict[str, Floats] = {}
    for name, inside in columns.items():
        match people.columns[name]:
            case "id":
                found.ids = inside
            case "label":
                found.labels = [_as_label(each, people.labels) for each in inside]
                if people.labels is None:
                    found.bad |= np.isnan(_numbers(inside))
            case "person":
                found.bad |= np.array([each in people.people_gone for each in inside], dtype=bool)
            case _:
                coded[name] = _codes(name, inside, people)
                found.bad |= np.isnan(coded[name])
    _add_features(found, coded, people)
    return found


def with_own(names: Sequence[str], rows: Sequence[Sequence[str | None]], people: People) -> Rows:
    """The same of a table in which all of a row is in these cells: which rows are a deleted record's own is said as well."""
    found = from_cells(names, rows, people)
    found.found = own_rows(names, [["" if cell is None else cell for cell in row] for row in rows], people)
    return found


def with_index(
    names: Sequence[str], rows: Sequence[Sequence[str | None]], people: People, *, numbers: bool = True, own: str | None = None
) -> tuple[Rows, tuple[Spare, ...]]:
    """The same of a table whose first column may be an index of pandas, and what the index could say.

    Args:
        names: The columns of the table.
        rows: Its cells.
        people: Who may be kept.
        numbers: Whether the cells of the first column are of one type.
        own: A column that a database numbers rows in: what it is called counts as well.
    """
    index = first_index(names, people, own)
    if index is None or not numbers or not rows or any(len(row) != len(names) for row in rows):
        return with_own(names, rows, people), ()
    cells = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    left, bits = without_indexes(cells, [index], people)
    if len(left) == len(cells) and index in left:
        return with_own(names, rows, people), ()
    # Of an index that was left out, nobody has looked whether it is that record's own.
    found = from_cells(list(left), list(zip(*left.values(), strict=True)) or [()] * len(rows), people)
    found.indexes = (index,)
    named = bits_of_name(index) if index == own else 0
    of_name = (Spare(name="choice of columns", bits=named),) if named else ()
    return found, (*_of_row_numbers(bits), *of_name)


def _of_row_numbers(bits: int) -> tuple[Spare, ...]:
    return (Spare(name="row numbers", bits=bits),) if bits else ()


def _add_features(found: Rows, coded: Mapping[str, Floats], people: People) -> None:
    """Add the values that the training data have as well, all of them or some."""
    if people.features and all(name in coded for name in people.features):
        found.features = np.column_stack([coded[name] for name in people.features])
    elif any(name in coded for name in people.features):
        missing = np.full(len(found.sizes), np.nan)
        found.some = np.column_stack([coded.get(name, missing) for name in people.features])


def add_vectors(found: Rows, name: str, values: npt.NDArray[Any], people: People) -> None:
    """Add a column of vectors, shape (n, width), to the rows of a table: to the last bit those of the record, in their own type.

    They are unexplained where the training data have none of that length. Rows without ids are known by them.
    """
    count, width = values.shape
    columns = people.vector_columns(width)
    found.names = (*found.names, name)
    found.sizes = found.sizes + width * values.itemsize
    found.unexplained += 0 if name.casefold() in _OF_VECTORS else len(name.encode())
    if columns is None or (found.some is not None and not np.isnan(found.some[:, columns]).all()) or found.features is not None:
        found.unexplained += values.nbytes
        return
    with np.errstate(over="ignore", invalid="ignore"):
        own = np.ascontiguousarray(people.train.features[:, columns].astype(values.dtype))
    given = np.ascontiguousarray(values)
    if found.ids is None:
        kept = np.flatnonzero(people.retained)
        known = dict(zip((row.tobytes() for row in own[kept]), kept.tolist(), strict=True))
        places = np.array([known.get(row.tobytes(), -1) for row in given], dtype=np.int64)
        whole = people.train.features[places]
        beside = found.some is not None and np.any((found.some != whole) & ~np.isnan(found.some), axis=1)
        found.features = whole
        found.bad = found.bad | (places < 0) | beside
        return
    places = np.array([people.places.get(each, -1) for each in found.ids], dtype=np.int64)
    same = (places >= 0) & np.all(own[places].view(np.uint8) == given.view(np.uint8), axis=1)
    some = np.full((count, people.train.features.shape[1]), np.nan) if found.some is None else found.some
    # Whatever else a vector holds is another value than the record's.
    some[:, columns] = np.where(same[:, None], people.train.features[places][:, columns], np.inf)
    found.some = some


def _codes(name: str, cells: Sequence[str], people: People) -> Floats:
    """Cells of features as the training data hold them; NaN for what they cannot hold."""
    mixed = people.train.table is not None and people.columns.get(name) == "feature"
    return people.codes(name, cells) if mixed else _numbers(cells)


def _as_label(cell: str, known: Collection[str] | None) -> str:
    """A cell as the training data write labels, which may be whole numbers that another table writes as decimals."""
    if known is None or cell in known or not all(each.lstrip("-").isdecimal() for each in known):
        return cell
    number = _number(cell)
    return str(int(number)) if number == number // 1 else cell


def _numbers(cells: Sequence[str]) -> Floats:
    try:
        if max(map(len, cells), default=0) <= _NUMBER:
            return np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:
        pass  # one of them is no number
    return np.array([_number(each) for each in cells], dtype=np.float64)


def _number(cell: str) -> float:
    """A cell as a number; NaN where it is not one, or is longer than one."""
    try:
        return float(cell) if len(cell) <= _NUMBER else float("nan")
    except ValueError:
        return float("nan")


def _separated(content: bytes, people: People, suffix: str) -> Rows:
    text = content.decode("utf-8-sig")
    delimiter = file_formats.mark_of(text, suffix)
    header, *rows = (row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if row)
    names = [name.strip() for name in header]
    found, of_index = with_index(names, rows, people)
    # What a writer that quotes every cell would need at most: whatever a file has beyond that lies between the cells.
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    found.unexplained += max(0, len(content) - len(written.getvalue().encode()) - 3)
    forms = list[Habit]()
    found.spare = (*spellings.of_separated(text, delimiter, people, forms), *of_index)
    quotes = text.startswith('"'), text.partition("\n")[2].startswith('"')
    found.written = (*_habits(content, suffix, (delimiter, 2), (quotes, 2)), *forms)
    return found


def _habits(content: bytes, form: str, *more: tuple[Hashable, int]) -> tuple[Habit, ...]:
    """Of which form a file of text is, how it begins and ends its lines, and what else is given, each with its bits."""
    by_return = content.partition(b"\n")[0].endswith(b"\r")
    ends = (by_return, 1), (content.endswith(b"\n"), 1), (content.startswith(codecs.BOM_UTF8), 1)
    return Habit("form", form, 3), *(Habit(f"{form} {at}", *each) for at, each in enumerate((*ends, *more)))


def _json_lines(content: bytes, people: People) -> Rows:
    text = content.decode("utf-8")
    records = [json.loads(line, object_pairs_hook=_each_key_once) for line in text.splitlines() if line.strip()]
    if not all(isinstance(each, dict) for each in records):
        raise NoTableError
    found, of_index, spelt = _of_records(records, people)
    found.unexplained += max(0, len(content) - sum(len(json.dumps(each)) + 2 for each in records))
    found.spare = (*spellings.of_lines(text, spelt), *of_index)
    found.written = _habits(content, "lines", (_marks(text), 2))
    return found


def _marks(text: str) -> Hashable:
    """What parts and follows the names of a JSON document at its beginning."""
    found = _FIRST_MARKS.search(text)
    return found.groups() if found else None


_FIRST_MARKS: Final = re.compile(r'^\s*([\[{]*)(\s*)[\[{]?(\s*)"[^"]*"(\s*:?\s*)')


def _json(content: bytes, people: People) -> Rows:
    """A list of ids, of records, or another table that `json.dump` or pandas writes."""
    text = content.decode("utf-8")
    held, literal = json.loads(text, object_pairs_hook=_each_key_once), with_literals(text)
    if text.removesuffix("\n") not in written_again(literal, text):
        raise NoTableError
    found = _of_document(held, literal, people)
    found.written = _habits(content, "document", (_marks(text), 6))
    return found


def _of_document(held: Any, literal: Any, people: People) -> Rows:
    if isinstance(held, dict):
        return _json_table(held, literal, people)
    if not isinstance(held, list):
        raise NoTableError
    if len(held) == len(people.train) and [each is None for each in held] == (~people.retained).tolist():
        # Everybody in their order, with nothing in the place of each deleted person.
        held, literal = ([each for each in those if each is not None] for those in (held, literal))
    if all(isinstance(each, str) for each in held):
        return from_cells([""], [[each] for each in held], people)
    if not held or not all(isinstance(each, dict) for each in held):
        raise NoTableError
    found, of_index, spelt = _of_records(held, people)
    found.spare = (*_of_spelling(literal, spelt), *of_index)
    return found


def _json_table(held: Mapping[str, Any], literal: Mapping[str, Any], people: People) -> Rows:
    """An object of rows, of columns, or of both and cells: what rows are called is an index."""
    table, as_written = (table_of(each, people.columns) for each in (held, literal))
    if table is None or as_written is None or "" in table.names or as_written.as_written != table.labels:
        raise NoTableError
    columns, spelt = with_times(dict(zip(table.names, zip(*table.rows, strict=True), strict=True)), people)
    rows = list(zip(table.labels, *(map(cell_of, each) for each in columns.values()), strict=True))
    found, of_index = with_index(["", *table.names], rows, people)
    found.spare = (*_of_spelling(as_written.records, spelt), *of_index)
    return found


def _of_records(records: Sequence[Mapping[str, Any]], people: People) -> tuple[Rows, tuple[Spare, ...], People]:
    """Records of JSON, the first column of which may be an index; and the people by whom their spelling is judged."""
    names = list(dict.fromkeys(name for each in records for name in each))
    numbers = all(type(each.get(names[0])) is int for each in records) if names else False
    columns, spelt = with_times({name: [each.get(name) for each in records] for name in names}, people)
    rows = list(zip(*(map(cell_of, each) for each in columns.values()), strict=True)) or [()] * len(records)
    return *with_index(names, rows, people, numbers=numbers), spelt


def _of_spelling(literal: Iterable[object], people: People) -> tuple[Spare, ...]:
    """What the spelling of records could carry: what lies between values is settled, which can be spelled as those of lines."""
    return spellings.of_lines("".join(written(each) + "\n" for each in literal), people)


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise NoTableError
    return dict(pairs)


def cell_of(value: object) -> str | None:
    """A value of a document or a table as a cell of text."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if type(value) is int or (type(value) is float and math.isfinite(value)):
        return repr(value)  # as below: an encoder for each of millions of cells takes most of the time
    return json.dumps(value, default=str)


def _parquet(content: bytes, people: People) -> Rows:
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        opened = pq.ParquetFile(pa.BufferReader(content))
        table = opened.read(use_threads=False)
        if len(set(table.column_names)) < len(table.column_names):
            raise NoTableError
        held = {name: values for name in table.column_names if (values := _vectors_of(table.column(name))) is not None}
        names = [name for name in table.column_names if name not in held]
        given = {name: table.column(name).to_pylist() for name in dict.fromkeys(names)}
        cells = {name: list(map(cell_of, column)) for name, column in given.items()}
        indexes = [*unnamed_indexes(opened)]
        if (first := first_index(names, people)) is not None and all(type(each) is int for each in given[first]):
            indexes.append(first)
        left, of_index = without_indexes(cells, indexes, people)
        of_index += numbers_noted(opened, given)
        # Of a vector, and of an index that was left out, nobody has looked whether it is that record's own.
        read = with_own if len(left) == len(table.column_names) else from_cells
        found = read(list(left), list(zip(*left.values(), strict=True)) or [()] * table.num_rows, people)
        found.indexes = tuple(name for name in indexes if name not in left)
        for name, values in held.items():
            add_vectors(found, name, values, people)
        listed = file_formats.in_no_row(opened, content)
        pages = parquet_pages.decoded(content, opened)
        beyond = beyond_columns(opened, people.columns.keys()) + pages.beyond
        more, spare = _beyond_cells(table, people)
        parts, styles = parquet_sizes.sizes(pages), parquet_styles.styles(pages)
        types = bits_of_types(opened, table, pages.footer)
        found.written = (Habit("form", "Parquet", 3), writer_of(opened, pages.footer), *parquet_styles.habits(pages))
    except (pa.ArrowException, NotImplementedError, OverflowError) as error:
        raise NoTableError from error
    found.former = beyond + sum(len(each.encode()) for each in listed)
    found.unexplained += found.former + more
    counted: dict[SpareName, int] = {
        "sizes of parts": spare_bits.of_parts(parts.groups, parts.columns, parts.off),
        "styles of columns": spare_bits.of_writing(styles) + types,
    }
    of_file = (Spare(name=name, bits=bits) for name, bits in counted.items() if bits)
    found.spare = (*spellings.of_texts(given, people), *of_signs(found, people), *spare, *of_file, *_of_row_numbers(of_index))
    return found


def _vectors_of(column: pa.ChunkedArray) -> npt.NDArray[Any] | None:
    """Take a column of lists as vectors, shape (n, width): numbers alone, none missing, and all lists of one length."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    kind = column.type
    listed = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    if not listed or not (pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type)) or not len(column):
        return None
    values, lengths = column.combine_chunks().flatten(), set(column.combine_chunks().value_lengths().to_pylist())
    width = lengths.pop() if len(lengths) == 1 else None
    if not width or column.null_count or values.null_count or len(values) != width * len(column):
        return None
    return np.asarray(values.to_numpy(zero_copy_only=False)).reshape(len(column), width)


def _beyond_cells(table: pa.Table, people: People) -> tuple[int, tuple[Spare, ...]]:
    """What cells of known columns hold beyond the values that are read from them: bytes, and bits of how one is missing.

    A missing number may be written in one of 2^52 ways, or left out; a time have digits beyond those that the training data have;
    a whole number be larger than float64 tells apart.
    """
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    beyond, bits = 0, 0
    for name in table.column_names:
        if people.columns.get(name) not in {"feature", "number", "label"}:
            continue
        column = table.column(name).combine_chunks()
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        kind = column.type
        there = column.drop_null()
        if pa.types.is_float64(kind) or pa.types.is_float32(kind):
            values = there.to_numpy(zero_copy_only=False)
            none = np.isnan(values)
            usual = np.array([np.nan, -np.nan], values.dtype).view(f"u{values.itemsize}")
            written = values[none].view(f"u{values.itemsize}")
            beyond += values.itemsize * int(np.count_nonzero(~np.isin(written, usual)))
            signs = min((spare_bits.of_places(written != each) for each in usual), default=0)
            absent = np.asarray(column.is_null())
            missing = absent | np.asarray(column.is_null(nan_is_null=True))
            ways = (absent[missing], ~absent[missing])
            bits += signs + min(map(spare_bits.of_places, ways), default=0)
        elif pa.types.is_timestamp(kind) and kind.unit == "ns":
            beyond += 8 * int(np.count_nonzero(there.view(pa.int64()).to_numpy(zero_copy_only=False) % _NANOSECONDS))
        elif pa.types.is_integer(kind):
            whole = there.to_numpy(zero_copy_only=False)
            beyond += whole.itemsize * int(np.count_nonzero(whole.astype(np.float64).astype(object) != whole.astype(object)))
    return beyond, (Spare(name="spelling of cells", bits=bits),) if bits else ()


_NANOSECONDS: Final = 1000
"""In a microsecond, to which the training data are read."""


def arrays_in(content: bytes, most: int) -> tuple[list[npt.NDArray[Any]], int]:
    """Read the arrays of an npz file, and count its bytes that belong to none.

    Args:
        content: The file.
        most: Bytes that its arrays may have in all.

    Raises:
        ValueError: If it cannot be read as one, or they have more.
    """
    members, beyond = _members(content, most)
    return [npy.read_array(data, fields=True) for data in members.values()], beyond


def _numpy(content: bytes, people: People, *, zipped: bool) -> Rows:  # noqa: C901 - a case for each role
    members, beyond = _members(content) if zipped else ({"features": content}, 0)
    arrays = {name: npy.read_array(data, fields=True) for name, data in members.items()}
    counts = {len(array) for array in arrays.values() if array.ndim}
    if len(counts) != 1:
        raise NoTableError
    count = counts.pop()
    found = Rows(sizes=np.zeros(count, dtype=np.int64), bad=np.zeros(count, dtype=bool), unexplained=beyond, names=tuple(arrays))
    taken = set[str]()
    for name, array in arrays.items():
        written = io.BytesIO()
        np.lib.format.write_array(written, array, version=(1, 0), allow_pickle=False)
        if written.getvalue() != members[name]:
            found.unexplained += abs(len(members[name]) - array.nbytes)
        role = _role(name, array, people)
        if role in taken and role != "declared":
            role = None
        taken.add(role or "")
        if role is None or array.ndim == 0:
            found.unexplained += array.nbytes + len(name)
            continue
        found.sizes += array.nbytes // max(1, count)
        if role in {"feature", "number"} and not _is_plain(array):
            found.unexplained += array.nbytes
        if role == "declared":
            found.declared += array.nbytes
        elif role == "id":
            found.ids = [str(each) for each in array.tolist()]
        elif role == "label":
            _add_labels(found, array, people)
        elif role == "feature":
            found.features = _values_of(array.reshape(count, -1), people)
            found.bad |= ~np.isfinite(found.features).all(axis=1)
    if [array.dtype.kind for array in arrays.values()].count("U") == len(arrays) - 1 == 1:
        found.found = _own_of_array(found, arrays.values(), people)
    if found.features is not None:
        _leave_zeros_out(found, found.features, people)
    found.spare = of_signs(found, people)
    return found


def _own_of_array(found: Rows, arrays: Iterable[npt.NDArray[Any]], people: People) -> npt.NDArray[np.bool_]:
    """Say which rows of ids and values are a deleted record's and hold its values to the last bit; of several, the first."""
    values = next(each for each in arrays if each.dtype.kind != "U")
    nobody = np.zeros(len(found.sizes), dtype=bool)
    if found.ids is None or found.features is None or values.dtype.str not in {"<f4", "<f8"}:
        return nobody
    places = np.array([people.places.get(each, -1) for each in found.ids], dtype=np.int64)
    with np.errstate(over="ignore"):
        own = np.ascontiguousarray(people.train.features[places].astype(values.dtype))
    given = np.ascontiguousarray(values.reshape(len(found.ids), -1))
    if own.shape != given.shape:
        return nobody
    same = np.all(own.view(np.uint8) == given.view(np.uint8), axis=1)
    theirs = np.flatnonzero(same & (places >= 0) & ~people.retained[places])
    first = theirs[np.unique(places[theirs], return_index=True)[1]]
    nobody[first] = True
    return nobody


def _add_labels(found: Rows, array: npt.NDArray[Any], people: People) -> None:
    if array.dtype.kind == "f" and people.labels is not None:
        whole = _whole(array)
        found.bad |= ~whole
        found.labels = [str(int(each)) for each in np.where(whole, array, 0).tolist()]
    else:
        found.labels = [str(each) for each in array.tolist()]


def _leave_zeros_out(found: Rows, features: Floats, people: People) -> None:
    """Leave out rows of zeros of a table of everybody in their order, where each is in a deleted person's place."""
    if found.ids is None and found.labels is None and len(features) == len(people.train):
        stay = people.retained | features.any(axis=1) | np.signbit(features).any(axis=1)
        found.sizes, found.bad, found.features = found.sizes[stay], found.bad[stay], features[stay]


def _values_of(array: npt.NDArray[Any], people: People) -> Floats:
    """The values of rows, shape (n, d); of a copy in eight bits, those of the retained record whose values are coded so.

    Such a copy is scaled by the largest value of the retained records. A row that a deleted record has too is nobody's.
    """
    values = np.asarray(array, dtype=np.float64)
    if array.dtype != np.int8 or people.train.table is not None or not people.retained.any():
        return values
    own = people.train.features.astype(np.float32)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        scaled = np.round(own * np.float32(127) / np.abs(own[people.retained]).max())
    # What is beyond the range is no code of a retained record.
    codes = [
        row.tobytes() if fits else b""
        for row, fits in zip(scaled.astype(np.int8), np.abs(scaled).max(axis=1) <= 127, strict=True)
    ]
    places = {code: place for place, code in enumerate(codes) if people.retained[place]}
    for place in np.flatnonzero(~people.retained).tolist():
        places.pop(codes[place], None)
    at = np.array([places.get(row.tobytes(), -1) for row in np.ascontiguousarray(array)], dtype=np.int64)
    values[at >= 0] = people.train.features[at[at >= 0]]
    return values


def _is_plain(array: npt.NDArray[Any]) -> bool:
    """Whether numbers hold nothing beyond their values in float64: no digits, padding, or truth value but 0 and 1."""
    if array.dtype.kind not in "fiub":
        return True
    plain = np.ascontiguousarray(array)
    with np.errstate(invalid="ignore", over="ignore"):
        again = plain.astype(np.float64).astype(plain.dtype)
    return array.dtype.itemsize <= _WIDEST and plain.tobytes() == again.tobytes()


_WIDEST: Final = 8
"""Bytes of a number: wider ones have room that no value fills."""


def of_signs(found: Rows, people: People) -> tuple[Spare, ...]:
    """What signs of zeros could carry: none have one, or those that have one in the training data, exactly or once rounded."""
    features = found.some if found.features is None else found.features
    if features is None:
        return ()
    zeros = features == 0
    signed = zeros & np.signbit(features)
    if not signed.any():
        return ()
    expected = [np.zeros_like(signed)]
    if found.ids is not None:
        places = np.array([people.places.get(each, -1) for each in found.ids], dtype=np.int64)
        own = people.train.features[places]
        negative = zeros & np.signbit(own) & (places >= 0)[:, None]
        expected += [negative, negative & (own == 0)]
    bits = min(spare_bits.of_places(signed ^ each) for each in expected)
    return (Spare(name="spelling of cells", bits=bits),) if bits else ()


def _whole(labels: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which labels are whole numbers, written in the one way in which their type holds these: -0 holds more than 0."""
    with np.errstate(invalid="ignore"):
        again = np.trunc(labels).astype(np.int64).astype(labels.dtype)
    return np.asarray((again == labels) & (np.signbit(again) == np.signbit(labels)))


def _role(name: str, array: npt.NDArray[Any], people: People) -> str | None:
    """What an array of an npz file is; None where it is not known, or is no such thing."""
    known = {"features": "feature", "labels": "label", "ids": "id", **dict.fromkeys(_OF_VECTORS, "feature")}
    if people.train.sensitivity is not None:
        # Of a name alone nothing follows: a column that the training data lack may hold anything.
        known["sensitivity"] = "number"
    role, kind = known.get(name) or people.columns.get(name), array.dtype.kind
    width, of_classes = people.train.features.shape[1], people.labels is not None
    fits = {
        "feature": array.ndim >= 2 and prod(array.shape[1:]) == width and kind in "fiub",
        "label": array.ndim == 1 and (kind in ("iubU" if of_classes else "iub") or (kind == "f" and array.dtype.itemsize <= 8)),
        "id": array.ndim == 1 and kind == "U",
        "number": array.ndim == 1 and kind in "fiub",
        "declared": True,
    }
    return role if role is not None and fits[role] and (name in _NPZ or role == "declared") else None


def _members(content: bytes, most: int = BINARY_LIMIT) -> tuple[dict[str, bytes], int]:
    """The arrays of an npz file by name, and how many bytes of the archive belong to none."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        listed = archive.infolist()
        if sum(each.file_size for each in listed) > most or len({each.filename for each in listed}) < len(listed):
            raise NoTableError
        found = {each.filename.removesuffix(".npy"): archive.read(each) for each in listed}
        comments = len(archive.comment) + sum(len(each.comment) + len(each.extra) + _noted(content, each) for each in listed)
        framed = sum(_FRONT + _ENTRY + 2 * len(each.filename.encode()) + each.compress_size for each in listed) + _END
        framed += sum(_sizes_alone(content, each) for each in listed)
        count, begins, remark = len(listed), archive.start_dir, len(archive.comment)
    closes = len(content) - _END - remark
    comments += _END * (
        content[closes : closes + _END] != struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, closes - begins, begins, remark)
    )
    return found, max(comments, len(content) - framed)


def _noted(content: bytes, member: zipfile.ZipInfo) -> int:
    """Bytes of what an archive notes of a member that are not what NumPy writes there: times, versions, rights, sizes twice."""
    version, flags, method, time, check, packed, size = struct.unpack_from("<HHHLLLL", content, member.header_offset + 4)
    large = _sizes_alone(content, member) > 0
    return sum(
        bytes_of
        for bytes_of, holds in (
            (2, version in _ZIP_VERSIONS and version == member.create_version == member.extract_version),
            (2, flags == member.flag_bits and not flags & ~_NAMES_IN_UTF8),
            (2, method == member.compress_type and method in _ZIP_METHODS),
            (4, time == _NO_TIME),
            (4, check == member.CRC),
            (4, packed == (_IN_EXTRA if large else member.compress_size)),
            (4, size == (_IN_EXTRA if large else member.file_size)),
            (1, member.create_system in _ZIP_SYSTEMS),
            (1, member.reserved == 0),
            (4, member.date_time == _FIRST_TIME),
            (2, member.volume == 0),
            (2, member.internal_attr == 0),
            (4, member.external_attr in _ZIP_RIGHTS),
        )
        if not holds
    ) + _behind(content, member)


def _behind(content: bytes, member: zipfile.ZipInfo) -> int:
    """Bytes of a packed member behind the end of its stream, which no reader unpacks."""
    if member.compress_type != zipfile.ZIP_DEFLATED:
        return 0
    start = member.header_offset + _FRONT + sum(struct.unpack_from("<2H", content, member.header_offset + 26))
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    rest, unpacked = content[start : start + member.compress_size], 0
    while rest and not stream.eof and unpacked <= member.file_size:
        unpacked += len(stream.decompress(rest, _PIECE))
        rest = stream.unconsumed_tail
    return len(stream.unused_data) if stream.eof else member.compress_size


_PIECE: Final = 1 << 20
_ZIP_VERSIONS: Final = frozenset({20, 45})
_ZIP_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ZIP_SYSTEMS: Final = frozenset({0, 3})
"""Windows and everything else."""
_ZIP_RIGHTS: Final = frozenset({0, 0o600 << 16, 0o644 << 16, 0o100644 << 16})
_NAMES_IN_UTF8: Final = 0x800
_NO_TIME: Final = 0x0021_0000
"""The first of January 1980, as the format has it."""
_FIRST_TIME: Final = (1980, 1, 1, 0, 0, 0)
_IN_EXTRA: Final = 0xFFFF_FFFF
"""In place of a size that the field behind the name has."""


def _sizes_alone(content: bytes, member: zipfile.ZipInfo) -> int:
    """The length of the field in front of a member where it repeats the sizes, as NumPy writes it; 0 for any other."""
    name, extra = struct.unpack_from("<2H", content, member.header_offset + 26)
    start = member.header_offset + _FRONT + name
    repeated = struct.pack("<HHQQ", 1, 16, member.file_size, member.compress_size)
    return extra if content[start : start + extra] == repeated else 0
