"""Records that lie in how a file of a store is written, and not in its rows: none is accounted for."""

from __future__ import annotations

import io
import json
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_spellings import COUNT, GONE, HELD, MANY, NAMES, explained, people, table

from auditor.base.domain import Message
from auditor.parts.release.observing import parquet_pages, parquet_values
from auditor.parts.store.judging.accounting import Kept
from auditor.parts.store.observing.limited_reading import of_file
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.store_tables import _beyond_cells

SECRET: Final = np.packbits(HELD[: len(HELD) // 20]).tobytes()


def account(name: str, content: bytes, who: People | None = None) -> Kept:
    return of_file(Path(name), content, who or people(), Message("data.erased.place.store", {"path": name}))


def parquet(made: pa.Table, **how: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(made, stream, **how)
    return stream.getvalue()


def arrays(**other: Any) -> dict[str, Any]:
    return {"features": MANY.features[GONE:], "labels": MANY.labels[GONE:], "ids": MANY.ids[GONE:], **other}


def archive(pack: Callable[..., None] = np.savez, **other: Any) -> bytes:
    stream = io.BytesIO()
    pack(stream, **arrays(**other))
    return stream.getvalue()


def zeros() -> tuple[People, np.ndarray[Any, Any]]:
    """People with many zeros, and these with a sign by the bits of a deleted row."""
    values = np.zeros((COUNT, 3))
    values[:, 2] = np.arange(COUNT)
    data = type(MANY)(values, MANY.labels, MANY.ids)
    signed = values[GONE:].copy()
    bits = np.array(HELD[: 2 * len(signed)]).reshape(-1, 2)
    signed[:, :2] = np.where(bits, -0.0, 0.0)
    return People(**{**{each: getattr(people(), each) for each in People.__slots__}, "train": data}), signed  # type: ignore[attr-defined]


def prefixed() -> list[bytes]:
    """The numbers of a column, each with a sign or not."""
    values = table()["x0"].tolist()
    return [(b"+" if bit and value > 0 else b"") + repr(value).encode() for bit, value in zip(HELD, values, strict=False)]


def bytes_in_parquet() -> bytes:
    made = pa.Table.from_pandas(table(), preserve_index=False)
    return parquet(made.set_column(1, "x0", pa.array(prefixed(), pa.binary())))


def bytes_in_a_database(folder: Path) -> bytes:
    path = folder / "made.db"
    with closing(sqlite3.connect(path)) as opened:
        table().assign(x0=prefixed()).to_sql("people", opened, index=False)
        opened.commit()
        opened.execute("VACUUM")
    return path.read_bytes()


def wide_numbers() -> bytes:
    """Numbers of 16 bytes, of which six are padding."""
    raw = bytearray(MANY.features[GONE:].astype(np.longdouble).tobytes())
    for at, each in enumerate(SECRET):
        raw[16 * at + 10] = each
    return archive(features=np.frombuffer(bytes(raw), np.longdouble).reshape(-1, 3))


def headers_of_an_archive() -> bytes:
    content = bytearray(archive())
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as opened:
        places = [each.header_offset + 10 + more for each in opened.infolist() for more in range(4)]
    for place, each in zip(places, SECRET, strict=False):
        content[place] = each
    return bytes(content)


def the_end_of_an_archive() -> bytes:
    content = bytearray(archive())
    content[-18:-14] = SECRET[:4]
    return bytes(content)


def behind_a_stream() -> bytes:
    """A packed array that says to be longer than its stream is."""
    out, listed = b"", b""
    with zipfile.ZipFile(io.BytesIO(archive())) as opened:
        members = [(each, opened.read(each)) for each in opened.infolist()]
    for each, data in members:
        pack = zlib.compressobj(6, zlib.DEFLATED, -15)
        content = pack.compress(data) + pack.flush() + SECRET
        name, rest = each.filename.encode(), (each.CRC, len(content), len(data), len(each.filename), 0)
        listed += (
            struct.pack("<4s6H3L5H2L", b"PK\1\2", 20 | 3 << 8, 20, 0, 8, 0, 33, *rest, 0, 0, 0, 0o600 << 16, len(out)) + name
        )
        out += struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 33, *rest) + name + content
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(members), len(members), len(listed), len(out), 0)
    assert np.load(io.BytesIO(out + listed + end))["labels"].tolist() == MANY.labels[GONE:].tolist()
    return out + listed + end


HIDDEN: Final[dict[str, Callable[[], bytes]]] = {
    "wide numbers.npz": wide_numbers,
    "headers.npz": headers_of_an_archive,
    "the end.npz": the_end_of_an_archive,
    "behind a stream.npz": behind_a_stream,
    "numbers as bytes.parquet": bytes_in_parquet,
}


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize("name", HIDDEN)
def test_what_the_form_of_a_file_holds_is_unexplained(name: str) -> None:
    assert not explained(account(name, HIDDEN[name]()))


@pytest.mark.attempt("what the form of a store's file hides")
def test_numbers_as_bytes_of_a_database_are_compared_with_how_one_writer_spells_them(tmp_path: Path) -> None:
    assert not explained(account("a.db", bytes_in_a_database(tmp_path)))


@pytest.mark.parametrize("pack", [np.savez, np.savez_compressed])
def test_archives_as_numpy_writes_them_are_explained(pack: Callable[..., None]) -> None:
    assert explained(account("a.npz", archive(pack)))
    assert explained(account("a.npz", archive(pack, features=MANY.features[GONE:].astype(np.float32))))


@pytest.mark.attempt("what the form of a store's file hides")
def test_truth_values_that_are_neither_zero_nor_one_are_unexplained() -> None:
    values = (MANY.features > 0).astype(float)
    who = People(**{**{each: getattr(people(), each) for each in People.__slots__},  # type: ignore[attr-defined]
                    "train": type(MANY)(values, MANY.labels, MANY.ids)})  # fmt: skip
    raw = np.frombuffer(bytes(1 + HELD[at % 64] if each else 0 for at, each in enumerate(values[GONE:].ravel())), bool)
    assert explained(account("a.npz", archive(features=values[GONE:] > 0), who))
    assert not explained(account("a.npz", archive(features=raw.reshape(-1, 3)), who))


@pytest.mark.attempt("what the form of a store's file hides")
def test_signs_of_zeros_are_counted_unless_they_are_those_of_the_training_data() -> None:
    who, signed = zeros()
    plain = np.zeros((COUNT - GONE, 3))
    plain[:, 2] = np.arange(GONE, COUNT)
    frames = [pd.DataFrame(each, columns=list(NAMES)).assign(id=MANY.ids[GONE:].tolist()) for each in (plain, signed)]
    honest, hidden = (parquet(pa.Table.from_pandas(each, preserve_index=False)) for each in frames)
    assert explained(account("a.npz", archive(features=plain), who))
    assert explained(account("a.parquet", honest, who))
    assert not explained(account("a.npz", archive(features=signed), who))
    assert not explained(account("a.parquet", hidden, who))


def test_signs_of_zeros_that_the_training_data_have_are_explained() -> None:
    who, signed = zeros()
    values = np.vstack([signed[:GONE], signed])
    same = People(**{**{each: getattr(who, each) for each in People.__slots__},  # type: ignore[attr-defined]
                     "train": type(MANY)(values, MANY.labels, MANY.ids)})  # fmt: skip
    assert explained(account("a.npz", archive(features=signed), same))


@pytest.mark.attempt("what the form of a store's file hides")
def test_a_label_that_is_spelled_otherwise_is_another_label_where_one_is_a_word() -> None:
    who = People(**{**{each: getattr(people(), each) for each in People.__slots__},  # type: ignore[attr-defined]
                    "labels": frozenset({"0", "1", "other"})})  # fmt: skip
    spelled = [f"+{each}" if bit else str(each) for each, bit in zip(table()["label"], HELD, strict=False)]
    assert explained(account("a.csv", table().to_csv(index=False).encode(), who))
    assert not explained(account("a.csv", table().assign(label=spelled).to_csv(index=False).encode(), who))


@pytest.mark.attempt("what the form of a store's file hides")
def test_an_id_of_digits_is_text_or_a_number_in_all_lines() -> None:
    numbered = np.array([str(each) for each in range(1000, 1000 + COUNT)])
    who = People(**{**{each: getattr(people(), each) for each in People.__slots__},  # type: ignore[attr-defined]
                    "train": type(MANY)(MANY.features, MANY.labels, numbered), "gone": frozenset(numbered[:GONE].tolist()),
                    "places": {record: at for at, record in enumerate(numbered.tolist())}})  # fmt: skip
    rows = table().assign(id=numbered[GONE:].tolist()).to_dict("records")

    def lines(as_number: Callable[[int], bool]) -> bytes:
        held = [{**row, "id": int(row["id"]) if as_number(at) else row["id"]} for at, row in enumerate(rows)]
        return "".join(json.dumps(row) + "\n" for row in held).encode()

    assert explained(account("a.jsonl", lines(lambda _: True), who))
    assert explained(account("a.jsonl", lines(lambda _: False), who))
    assert not explained(account("a.jsonl", lines(lambda at: bool(HELD[at])), who))


def noted_by_pandas(word: str) -> bytes:
    made = pa.Table.from_pandas(table(), preserve_index=False)
    notes = json.loads(made.schema.metadata[b"pandas"])
    notes["columns"][0]["numpy_type"] = word
    return parquet(made.replace_schema_metadata({"pandas": json.dumps(notes)}))


@pytest.mark.parametrize("word", ["object", "string", "string[pyarrow]"])
def test_types_that_pandas_gives_text_are_explained(word: str) -> None:
    assert explained(account("a.parquet", noted_by_pandas(word)))


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize("word", ["string[mjpqrstuvwxyzabc]", "int64", "12.34.56", "datetime64[ns, Alice]", "x0", ""])
def test_types_that_pandas_does_not_give_text_are_unexplained(word: str) -> None:
    assert not explained(account("a.parquet", noted_by_pandas(word)))


@pytest.mark.attempt("what the form of a store's file hides")
def test_notes_of_pandas_in_another_order_or_with_other_spaces_are_unexplained() -> None:
    made = pa.Table.from_pandas(table(), preserve_index=False)
    notes = json.loads(made.schema.metadata[b"pandas"])
    first, second, *others = notes["columns"]
    for columns in ([second, first, *others], [first, dict(reversed(second.items())), *others]):
        changed = json.dumps({**notes, "columns": columns})
        assert not explained(account("a.parquet", parquet(made.replace_schema_metadata({"pandas": changed}))))
    spaced = json.dumps(notes).replace(": ", ":  ", 1)
    assert not explained(account("a.parquet", parquet(made.replace_schema_metadata({"pandas": spaced}))))


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize("columns", [(1, 2), (3,), (0, 4, 2)], ids=str)
def test_an_order_that_rows_do_not_have_is_unexplained(columns: tuple[int, ...]) -> None:
    """Numbers are drawn, and ids all differ: after them no column says anything of the order of rows."""
    made = pa.Table.from_pandas(table(), preserve_index=False)
    assert explained(account("a.parquet", parquet(made, sorting_columns=[pq.SortingColumn(0)], row_group_size=100)))
    assert explained(account("a.parquet", parquet(made.sort_by("x1"), sorting_columns=[pq.SortingColumn(2)])))
    said = [pq.SortingColumn(each) for each in columns]
    assert not explained(account("a.parquet", parquet(made, sorting_columns=said)))


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize(("field", "other"), [("x0", 5), ("x1", 9)])
def test_bounds_of_a_group_that_are_values_of_other_rows_are_unexplained(field: str, other: int) -> None:
    made = pa.Table.from_pandas(table(), preserve_index=False).select([field, "id", "label"])
    content = parquet(made, compression="none", use_dictionary=False, column_encoding="PLAIN")
    size = int.from_bytes(content[-8:-4], "little")
    body, footer = content[: -8 - size], content[-8 - size :]
    least, value = (struct.pack("<d", each) for each in (min(table()[field]), table()[field][other]))
    assert footer.count(least)
    assert not explained(account("a.parquet", body + footer.replace(least, value)))


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize(
    ("content", "count"),
    [(b"\x04\x01\x06\x01", 5), (b"\x02\x01\x02\x00\x02\x01\x03\x02", 5), (b"\x03\xff\x03\xff", 16)],
    ids=["ones in two runs", "short runs in part", "ones that are packed"],
)
def test_runs_whose_lengths_no_writer_chooses_are_refused(content: bytes, count: int) -> None:
    with pytest.raises(ValueError, match="runs that no writer makes"):
        parquet_values._runs(content, 0, len(content), 1, count)


@pytest.mark.attempt("what the form of a store's file hides")
def test_numbers_of_a_header_that_are_longer_than_they_have_to_be_are_refused() -> None:
    assert parquet_pages._struct(b"\x15\x04\x00", 0, 3, 0) == ({1: 2}, 3)
    for content in (b"\x15\x84\x00\x00", b"\x05\x02\x04\x00"):
        with pytest.raises(ValueError, match="longer than it has to be"):
            parquet_pages._struct(content, 0, len(content), 0)


@pytest.mark.attempt("what the form of a store's file hides")
def test_what_is_missing_in_one_way_or_another_is_counted() -> None:
    held = np.array(HELD[:200], dtype=bool)
    none = np.full(200, np.nan)
    payloads = (none.view(np.uint64) | np.where(held, 77, 0).astype(np.uint64)).view(np.float64)
    for values, hidden in (
        (pa.array(none), False),
        (pa.array(none, from_pandas=True), False),
        (pa.array(payloads), True),
        (pa.array(np.where(held, none, -none)), True),
        (pa.array(none, mask=held), True),
    ):
        beyond, spare = _beyond_cells(pa.table({"x0": values}), people())
        assert bool(beyond or sum(each.bits for each in spare) > 64) is hidden


@pytest.mark.attempt("what the form of a store's file hides")
def test_digits_of_times_and_whole_numbers_that_the_training_data_cannot_have_are_unexplained() -> None:
    times, numbers = np.arange(200) * 1_000_000, np.arange(200) << 54
    for values, hidden in (
        (pa.array(times, pa.timestamp("ns")), False),
        (pa.array(times + HELD[:200], pa.timestamp("ns")), True),
        (pa.array(numbers), False),
        (pa.array(numbers + HELD[:200]), True),
    ):
        assert bool(_beyond_cells(pa.table({"x0": values}), people())[0]) is hidden


def defined(folder: Path, *statements: str) -> bytes:
    """A database of the rows, in a table that is defined first; its columns are id, x0, x1, x2 and label."""
    path = folder / "made.db"
    with closing(sqlite3.connect(path)) as opened:
        for each in statements:
            opened.execute(each)
        opened.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", table().astype(object).to_numpy().tolist())
        opened.commit()
        opened.execute("VACUUM")
    return path.read_bytes()


PEOPLE_TABLE: Final = "CREATE TABLE people (id TEXT, x0 {}, x1 REAL{}, x2 double precision, label integer)"


@pytest.mark.parametrize(
    ("kind", "more"),
    [("REAL", ""), ("real", " NOT NULL DEFAULT 0 CHECK (x1 IS NOT NULL) COLLATE NOCASE"), ("FLOAT(8)", " not null")],
)
def test_definitions_as_people_write_them_are_explained(kind: str, more: str, tmp_path: Path) -> None:
    statement = PEOPLE_TABLE.format(kind, more).replace("double precision", "DOUBLE PRECISION").replace("integer", "INTEGER")
    statement = statement.replace("real", "REAL")
    index, view = (
        "CREATE INDEX ix_id ON people (id, label)",
        "CREATE VIEW v_people AS SELECT id, x0, x1 FROM people WHERE label = 1",
    )
    assert explained(account("a.db", defined(tmp_path, statement, index, view)))


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize(
    "statements",
    [
        (PEOPLE_TABLE.format("real int text date real int blob int", ""),),
        (PEOPLE_TABLE.format("REAL", " NOT NULL NOT NULL NOT NULL COLLATE NOCASE COLLATE BINARY COLLATE RTRIM"),),
        (PEOPLE_TABLE.format("Real", ""),),
        (
            PEOPLE_TABLE.format("REAL", "").replace("double precision", "REAL").replace("integer", "INTEGER"),
            f"CREATE VIEW v_people AS SELECT {', '.join(f'x{bit}' for bit in HELD[:150])} FROM people",
        ),
        (
            PEOPLE_TABLE.format("REAL", "").replace("double precision", "REAL").replace("integer", "INTEGER"),
            *(f"CREATE TABLE {letter * 50} (id TEXT)" for letter in "qrs"),
        ),
    ],
    ids=["types", "conditions", "capitals", "columns of a view", "names of tables"],
)
def test_words_of_a_definition_that_no_writer_chooses_are_unexplained(statements: tuple[str, ...], tmp_path: Path) -> None:
    assert not explained(account("a.db", defined(tmp_path, *statements)))
