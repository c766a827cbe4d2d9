"""Vectors in columns, arrays and codes are explained where they are retained people's own, to the last bit, and only there."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.base.domain import Message
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.store.judging.accounting import Kept, with_room
from auditor.parts.store.observing.limited_reading import account_rows, of_file
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.vector_stores import rows
from auditor.parts.store.readers.contents import Contents, Lies
from auditor.parts.store.readers.contents import Rows as Held

COUNT, GONE, WIDTH = 40, 4, 8
VECTORS: Final = np.random.default_rng(3).normal(size=(COUNT, WIDTH)).astype(np.float32)
IDS: Final = [f"rec-{each:05d}" for each in range(COUNT)]
NOTES: Final = [f"What {each} wrote of the dishwasher." for each in IDS]
TABLE: Final = (
    Column("note", Kind.TEXT, -1.0, tuple(sorted(NOTES))),
    *(Column(f"v{each}", Kind.NUMBER, -99.0) for each in range(WIDTH)),
)
STAY: Final = list(range(GONE, COUNT))
HERE: Final = Message("data.erased.place.store", {"path": "store"})


def people(*, mixed: bool = True) -> People:
    notes = np.array([TABLE[0].words.index(each) for each in NOTES], dtype=np.float64)
    features = np.column_stack([notes, VECTORS]) if mixed else VECTORS.astype(np.float64)
    train = Dataset(features, np.zeros(COUNT, np.int64), np.array(IDS), table=TABLE if mixed else None)
    names = ("note", *(f"v{each}" for each in range(WIDTH))) if mixed else ()
    return People(
        train=train,
        retained=np.arange(COUNT) >= GONE,
        gone=frozenset(IDS[:GONE]),
        columns={"id": "id", "": "id", **dict.fromkeys(names, "feature")},
        features=names,
        labels=None,
        places={record: place for place, record in enumerate(IDS)},
        words={"note": {each: float(TABLE[0].words.index(each)) for each in NOTES[GONE:]}},
    )


def clean(kept: Kept) -> bool:
    return not (kept.unexplained or kept.changed or kept.strangers or with_room((kept,)))


def parquet(vectors: Any = None, *, kind: Any = None, name: str = "vector", ids: bool = True) -> bytes:
    values = VECTORS[STAY] if vectors is None else vectors
    column = pa.FixedSizeListArray.from_arrays(pa.array(values.ravel(), kind), WIDTH)
    own = {"id": [IDS[each] for each in STAY], "note": [NOTES[each] for each in STAY]} if ids else {}
    stream = io.BytesIO()
    pq.write_table(pa.table({**own, name: column}), stream)
    return stream.getvalue()


def database(path: Path, vectors: Any = None) -> bytes:
    values = VECTORS[STAY] if vectors is None else vectors
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        opened.execute("CREATE TABLE people (id TEXT, note TEXT, embedding BLOB)")
        given = [(IDS[each], NOTES[each], row.tobytes()) for each, row in zip(STAY, values, strict=True)]
        opened.executemany("INSERT INTO people VALUES (?, ?, ?)", given)
        opened.execute("VACUUM")
    return path.read_bytes()


def of_another(at: int = 0) -> Any:
    """A deleted person's vector in the place of a retained one's."""
    values = VECTORS[STAY].copy()
    values[0] = VECTORS[at]
    return values


def in_the_last_bits() -> Any:
    values = VECTORS[STAY].copy()
    values.view(np.uint32)[:, ::2] ^= 1
    return values


@pytest.mark.parametrize("kind", [pa.float32(), pa.float64()])
def test_vectors_next_to_other_columns_of_parquet_are_explained(kind: Any) -> None:
    assert clean(of_file(Path("a.parquet"), parquet(kind=kind), people(), HERE))


def test_vectors_as_bytes_in_a_database_are_explained(tmp_path: Path) -> None:
    assert clean(of_file(Path("a.db"), database(tmp_path / "a.db"), people(), HERE))


@pytest.mark.parametrize("mixed", [True, False])
def test_vectors_alone_are_known_by_value(mixed: bool) -> None:
    assert clean(of_file(Path("a.parquet"), parquet(ids=False), people(mixed=mixed), HERE))


@pytest.mark.attempt("vectors in columns")
@pytest.mark.parametrize("change", [of_another, in_the_last_bits, lambda: -VECTORS[STAY], lambda: VECTORS[STAY] * np.float32(2)])
@pytest.mark.parametrize("form", ["parquet", "alone", "db"])
def test_vectors_that_are_not_the_records_own_stay_open(change: Callable[[], Any], form: str, tmp_path: Path) -> None:
    content = database(tmp_path / "a.db", change()) if form == "db" else parquet(change(), ids=form == "parquet")
    assert not clean(of_file(Path(f"a.{'db' if form == 'db' else 'parquet'}"), content, people(), HERE))


@pytest.mark.attempt("vectors in columns")
def test_a_column_called_by_a_payload_stays_open() -> None:
    assert not clean(of_file(Path("a.parquet"), parquet(name="rec-00001 wrote of it"), people(), HERE))


@pytest.mark.attempt("vectors in columns")
def test_a_second_column_of_vectors_stays_open() -> None:
    held = pq.read_table(io.BytesIO(parquet()))
    more = pa.FixedSizeListArray.from_arrays(pa.array(of_another().ravel()), WIDTH)
    stream = io.BytesIO()
    pq.write_table(held.append_column("embedding", more), stream)
    assert not clean(of_file(Path("a.parquet"), stream.getvalue(), people(), HERE))


@pytest.mark.attempt("vectors in columns")
def test_a_column_that_is_a_record_s_in_part_is_compared_with_it() -> None:
    """Other columns of the training data are missing: those that are there have to be the record's all the same."""
    given = [f"{IDS[each]},{float(VECTORS[0, 0] if each == GONE else VECTORS[each, 0])!r}" for each in STAY]
    assert not clean(of_file(Path("a.csv"), "\n".join(["id,v0", *given, ""]).encode(), people(), HERE))


def packed(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def saved(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def coded(which: Any, largest: Any) -> Any:
    return np.round(VECTORS[which] * np.float32(127) / np.abs(VECTORS[largest]).max()).astype(np.int8)


def zeroed(*places: int) -> Any:
    values = VECTORS.copy()
    values[list(places)] = 0
    return values


HONEST: Final[dict[str, tuple[str, bytes]]] = {
    "an archive of ids and vectors": ("a.npz", packed(ids=np.array(IDS)[STAY], vectors=VECTORS[STAY])),
    "copies in eight bits": ("a.npy", saved(coded(STAY, STAY))),
    "zeros in the place of the deleted": ("a.npy", saved(zeroed(*range(GONE)))),
    "ids with nothing in their place": ("a.json", json.dumps([None] * GONE + IDS[GONE:]).encode()),
}
HIDDEN: Final[dict[str, tuple[str, bytes]]] = {
    "a second array": ("a.npz", packed(ids=np.array(IDS)[STAY], vectors=of_another(), features=VECTORS[STAY])),
    "a second array behind": ("a.npz", packed(ids=np.array(IDS)[STAY], features=of_another(), vectors=VECTORS[STAY])),
    "copies in eight bits of everybody": ("a.npy", saved(coded(list(range(COUNT)), STAY))),
    "copies in eight bits of a deleted person": ("a.npy", saved(coded([0, *STAY], STAY))),
    "a copy in eight bits under another's id": (
        "a.npz", packed(ids=np.array(IDS)[STAY], vectors=np.concatenate([coded([0], STAY), coded(STAY[1:], STAY)]))
    ),
    "signs of zeros": ("a.npy", saved(np.where(np.arange(COUNT)[:, None] < GONE, np.float32(-0.0), VECTORS))),
    "zeros in others' places": ("a.npy", saved(zeroed(0, 1, 2, 3, 9, 17, 30))),
    "ids in another's place": ("a.json", json.dumps([IDS[0], *[None] * GONE, *IDS[GONE + 1 :]]).encode()),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_arrays_of_retained_people_are_explained(name: str) -> None:
    path, content = HONEST[name]
    assert clean(of_file(Path(path), content, people(mixed=False), HERE))


@pytest.mark.attempt("vectors in columns")
@pytest.mark.parametrize("name", HIDDEN)
def test_arrays_that_hold_anything_else_stay_open(name: str) -> None:
    path, content = HIDDEN[name]
    assert not clean(of_file(Path(path), content, people(mixed=False), HERE))


def held(vectors: Any, documents: list[str] | None = None, **more: Any) -> Kept:
    """A store of vectors under the ids of those who stay, accounted for."""
    fields = None if documents is None else tuple({"document": each} for each in documents)
    own = Held(where="store", lies=Lies.LIVE, count=len(STAY), ids=tuple(IDS[GONE:]), vectors=vectors, fields=fields)
    found = Contents(form="store", rows=(own,), bytes=10_000, **more)
    return account_rows(rows(found, people()), 10_000, people(), HERE)


@pytest.mark.attempt("vectors in columns")
def test_a_value_that_is_called_as_documents_are_hides_behind_none() -> None:
    fields = tuple({"note": NOTES[0], "document": each} for each in NOTES[GONE:])
    own = Held(where="store", lies=Lies.LIVE, count=len(STAY), ids=tuple(IDS[GONE:]), vectors=VECTORS[STAY], fields=fields)
    found = Contents(form="store", rows=(own,), bytes=10_000)
    assert not clean(account_rows(rows(found, people()), 10_000, people(), HERE))


def test_documents_are_known_by_the_column_that_they_are_from() -> None:
    assert clean(held(VECTORS[STAY], NOTES[GONE:]))


@pytest.mark.attempt("vectors in columns")
@pytest.mark.parametrize("at", [0, GONE + 1])
def test_documents_of_somebody_else_stay_open(at: int) -> None:
    assert not clean(held(VECTORS[STAY], [NOTES[at], *NOTES[GONE + 1 :]]))


@pytest.mark.attempt("vectors in columns")
def test_the_last_bits_of_a_vector_hold_nothing() -> None:
    """Divided by its length and multiplied again, a vector differs in its last bits: not in any bits that somebody likes."""
    length = np.sqrt((VECTORS[STAY].astype(np.float64) ** 2).sum(axis=1)).astype(np.float32)[:, None]
    assert clean(held((VECTORS[STAY] / length) * length))
    assert not clean(held(in_the_last_bits()))
