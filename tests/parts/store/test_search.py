"""Deleted records are found in every form of file that a store may hold, and what cannot be seen is never taken for absent."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import pickle
import sqlite3
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from safetensors.numpy import save_file
from sklearn.ensemble import RandomForestClassifier

from auditor.base.domain import Message
from auditor.base.records import Dataset
from auditor.learning import state_arrays
from auditor.pages.words import sentence
from auditor.parts.store.observing.record_forms import Wanted, text_forms
from auditor.parts.store.observing.search import Search
from auditor.parts.store.observing.unpacking import Unpacking

GONE = np.array([1, 7], dtype=np.int64)
STATE = Message("data.erased.place.state")
NOTHING = Message("data.erased.place.saved")


def place(name: str) -> Message:
    return Message("data.erased.place.store", {"path": name})


def records(ids: list[str] | None = None, *, n: int = 20, d: int = 10, seed: int = 3) -> Dataset:
    rng = np.random.default_rng(seed)
    names = ids or [f"rec-{index}" for index in range(n)]
    return Dataset(rng.normal(size=(n, d)), rng.integers(0, 2, n), np.array(names))


def search(train: Dataset, *, unknown: tuple[str, ...] = (), id_column: str = "id") -> Search:
    return Search(Wanted.of(train, GONE, frozenset(unknown)), id_column)


def looked(train: Dataset, path: Path) -> Search:
    seen = search(train)
    seen.file(path, place(path.name))
    return seen


def kept(train: Dataset) -> Dataset:
    return train.subset(np.setdiff1d(np.arange(len(train)), GONE))


def frame(data: Dataset, *, ids: bool) -> pd.DataFrame:
    table = pd.DataFrame(data.features, columns=[f"x{index}" for index in range(data.features.shape[1])])
    table["label"] = data.labels
    if ids:
        table.insert(0, "id", data.ids)
    return table


def as_sqlite(data: Dataset, path: Path, *, ids: bool) -> None:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    table = frame(data, ids=ids)
    columns = ", ".join(f'"{name}"' for name in table)
    connection.execute(f"CREATE TABLE people ({columns})")
    marks = ", ".join("?" * len(table.columns))
    connection.executemany(f"INSERT INTO people VALUES ({marks})", table.astype(object).to_numpy().tolist())
    connection.commit()
    connection.close()


def as_json_lines(data: Dataset, path: Path, *, ids: bool) -> None:
    rows = [
        ({"id": record} if ids else {}) | {"values": row, "label": int(label)}
        for record, row, label in zip(data.ids.tolist(), data.features.tolist(), data.labels, strict=True)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


def as_pretty_json(data: Dataset, path: Path, *, ids: bool) -> None:
    rows = [
        {"id": record if ids else None, "values": row}
        for record, row in zip(data.ids.tolist(), data.features.tolist(), strict=True)
    ]
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")


def as_safetensors(data: Dataset, path: Path, *, ids: bool) -> None:
    save_file({"values": data.features.astype(np.float16)}, path, metadata={"ids": " ".join(data.ids)} if ids else None)


def as_structured(data: Dataset, path: Path, *, ids: bool) -> None:
    kinds = [("who", "U16"), *((f"x{index}", "f4") for index in range(data.features.shape[1]))]
    rows = [(record if ids else "", *row) for record, row in zip(data.ids.tolist(), data.features.tolist(), strict=True)]
    np.save(path, np.array(rows, dtype=kinds))


def as_nested_parquet(data: Dataset, path: Path, *, ids: bool) -> None:
    pd.DataFrame({"who": data.ids if ids else "", "values": data.features.tolist()}).to_parquet(path)


WRITERS: dict[str, Callable[..., None]] = {
    "a.csv": lambda data, path, ids: frame(data, ids=ids).to_csv(path, index=False),
    "rounded.csv": lambda data, path, ids: frame(data, ids=ids).to_csv(path, index=False, float_format="%.4f"),
    "quoted.csv": lambda data, path, ids: frame(data, ids=ids).to_csv(path, index=False, quoting=1),
    "a.tsv": lambda data, path, ids: frame(data, ids=ids).to_csv(path, index=False, sep="\t"),
    "excel.csv": lambda data, path, ids: frame(data, ids=ids).to_csv(path, index=False, encoding="utf-16"),
    "spaced.txt": lambda data, path, ids: frame(data, ids=ids).to_csv(path, index=False, sep=" "),
    "a.jsonl": as_json_lines,
    "pretty.json": as_pretty_json,
    "a.parquet": lambda data, path, ids: frame(data, ids=ids).to_parquet(path),
    "renamed.dat": lambda data, path, ids: frame(data, ids=ids).to_parquet(path),
    "nested.parquet": as_nested_parquet,
    "a.sqlite": as_sqlite,
    "a.npz": lambda data, path, ids: np.savez(path, ids=data.ids if ids else np.array(["-"]), values=data.features),
    "half.npy": lambda data, path, ids: np.save(path, data.features.astype(np.float16)),
    "turned.npy": lambda data, path, ids: np.save(path, np.ascontiguousarray(data.features.T)),
    "cube.npy": lambda data, path, ids: np.save(path, data.features.reshape(len(data), 2, -1)),
    "structured.npy": as_structured,
    "a.safetensors": as_safetensors,
}


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_values_are_found_without_ids_and_a_clean_file_is_clean(tmp_path: Path, name: str) -> None:
    train = records()
    WRITERS[name](train, tmp_path / name, ids=False)
    found = looked(train, tmp_path / name)
    assert found.found == {"rec-1", "rec-7"}
    assert found.open_places == []
    WRITERS[name](kept(train), tmp_path / name, ids=False)
    clean = looked(train, tmp_path / name)
    assert (clean.found, clean.open_places, clean.not_searched) == (set(), [], [])
    assert clean.recognised, "the search can see what is there"


@pytest.mark.parametrize("name", sorted(set(WRITERS) - {"half.npy", "turned.npy", "cube.npy"}))
def test_ids_are_found_without_values_and_no_id_is_taken_for_another(tmp_path: Path, name: str) -> None:
    train = records()
    scrambled = Dataset(np.random.default_rng(9).normal(size=train.features.shape), train.labels, train.ids)
    WRITERS[name](scrambled, tmp_path / name, ids=True)
    assert looked(train, tmp_path / name).found == {"rec-1", "rec-7"}
    # rec-1 is the beginning of rec-10 to rec-19, which stay.
    WRITERS[name](kept(scrambled), tmp_path / name, ids=True)
    clean = looked(train, tmp_path / name)
    assert clean.found == set()
    assert clean.recognised


def test_a_negative_zero_is_a_zero(tmp_path: Path) -> None:
    train = records()
    train.features[:, 2] = 0.0
    np.save(tmp_path / "a.npy", np.where(train.features == 0.0, -0.0, train.features))
    assert looked(train, tmp_path / "a.npy").found == {"rec-1", "rec-7"}


def test_a_very_wide_row_of_text_is_read_whole(tmp_path: Path) -> None:
    train = records(n=20, d=9000)
    frame(train, ids=False).to_csv(tmp_path / "a.csv", index=False)
    assert looked(train, tmp_path / "a.csv").found == {"rec-1", "rec-7"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv.gz", gzip.compress(b"x" * 99, mtime=0)[:-9]),
        ("disguised.csv", gzip.compress(bytes(range(256)), mtime=0)),
        ("disguised", bz2.compress(b"x")),
        ("a.gz", b"plain"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c rest"),
        ("a.tar", b"none"),
        ("odd.txt", b"Rar!\x1a\x07\0 rest"),
        ("a.npz", b"PK\x03\x04 broken"),
        ("a.npy", b"\x93NUMPY\x01\x00broken"),
        ("a.parquet", b"PAR1 broken PAR1"),
        ("a.db", b"SQLite format 3\0" + bytes(200)),
        ("a.safetensors", b"\xff" * 40),
        ("a.csv", b"a\0b"),
        ("a.csv", b"\xff\xfe\x00\xd8"),
        ("unknown.bin", bytes(range(256))),
        ("archive.jar", b"PK\x03\x04 broken"),
    ],
)
def test_what_cannot_be_read_or_is_of_unknown_form_stays_open(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    seen = looked(records(), tmp_path / name)
    assert seen.found == set()
    assert len(seen.open_places) == 1
    assert sentence(seen.open_places[0]).startswith(f"store {name}: ")


def test_arrays_of_objects_are_not_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{"rec": 1}], dtype=object), allow_pickle=True)
    assert "without unpickling" in sentence(looked(records(), tmp_path / "a.npy").open_places[0])


def test_what_follows_an_array_is_not_taken_for_searched(tmp_path: Path) -> None:
    train = records()
    with (tmp_path / "a.npy").open("wb") as file:
        np.save(file, kept(train).features)
        np.save(file, train.features)
    seen = looked(train, tmp_path / "a.npy")
    assert (seen.found, len(seen.open_places)) == (set(), 1)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "there.csv").write_text("rec-1", encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(tmp_path / "there.csv")
    seen = looked(records(), tmp_path / "link.csv")
    assert (seen.found, len(seen.open_places)) == (set(), 1)


def encoded(train: Dataset) -> dict[str, bytes]:
    row = train.features[1]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model", row.tobytes())
    return {
        "float64": row.tobytes(),
        "float32": row.astype(np.float32).tobytes(),
        "float16": row.astype(np.float16).tobytes(),
        "big-endian": row.astype(">f8").tobytes(),
        "pickled list": pickle.dumps(row.tolist()),
        "pickled array": pickle.dumps(row),
        "JSON": json.dumps({"memory": row.tolist()}).encode(),
        "zip": buffer.getvalue(),
        "UTF-8 id": b"(rec-1)",
        "UTF-16 id": "keep rec-1".encode("utf-16-le"),
        "UTF-16 id, high byte first": "keep rec-1, rec-2".encode("utf-16-be"),
        "UTF-16 id in hexadecimal digits": "\ufeffrec-1".encode("utf-16-be").hex().encode(),
        "UTF-32 id in base64": base64.b64encode("rec-1".encode("utf-32-be")),
        "array of ids, high byte first": np.array(["rec-1", "a"], dtype=">U5").tobytes(),
        "array of ids": np.array(["rec-1", "a"]).tobytes(),
        "pickled id": pickle.dumps({"seen": ["rec-1"]}),
    }


@pytest.mark.parametrize("form", sorted(encoded(records())))
def test_a_state_that_carries_a_deleted_record_is_caught(form: str) -> None:
    train = records()
    seen = search(train)
    seen.content(b"" if form in {"JSON", "zip", "pickled list", "pickled array"} else b"head \x80\0", NOTHING)
    assert seen.found == set()
    seen.content(encoded(train)[form], STATE)
    assert seen.found == {"rec-1"}
    assert [(each.place, each.found) for each in seen.searched] == [(NOTHING, 0), (STATE, 1)]
    assert seen.open_places == []


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_longer_id_in_wide_characters_is_another(coding: str) -> None:
    seen = search(records())
    seen.content(b"head \x80\0\0\0" + "rec-12, rec-1".encode(coding) + "7".encode(coding), STATE)
    assert "rec-1" not in seen.found


def test_bytes_in_which_a_record_would_not_stand_out_stay_open() -> None:
    train = Dataset(np.ones((20, 1)), np.arange(20) % 2, np.array([str(index) for index in range(20)]))
    seen = search(train)
    seen.content(train.features.tobytes(), STATE)
    assert seen.found == set()
    assert "2 record(s)" in sentence(seen.open_places[0])


def test_one_telling_number_is_looked_for_and_a_plain_one_is_not(tmp_path: Path) -> None:
    train = records(d=1)
    train.features[7] = 0.5
    seen = search(train)
    assert seen.wanted.ambiguous == ("rec-7",)
    np.save(tmp_path / "a.npy", train.features)
    seen.file(tmp_path / "a.npy", place("a.npy"))
    assert seen.found == {"rec-1"}


def test_a_record_that_equals_a_kept_one_is_looked_for_by_id_only(tmp_path: Path) -> None:
    train = records()
    train.features[7] = train.features[8]
    np.savez(tmp_path / "a.npz", values=kept(train).features)
    seen = looked(train, tmp_path / "a.npz")
    assert (seen.wanted.ambiguous, seen.found) == (("rec-7",), set())
    np.savez(tmp_path / "a.npz", values=kept(train).features, who=np.array(["rec-7"]))
    assert looked(train, tmp_path / "a.npz").found == {"rec-7"}


def test_a_near_twin_that_stays_is_not_taken_for_the_deleted_record(tmp_path: Path) -> None:
    train = records()
    train.features[8] = train.features[7] + 1e-5
    np.save(tmp_path / "a.npy", kept(train).features)
    assert looked(train, tmp_path / "a.npy").found == set()
    np.save(tmp_path / "a.npy", train.features)
    assert looked(train, tmp_path / "a.npy").found == {"rec-1", "rec-7"}


@pytest.mark.parametrize(("share", "found"), [(0.24, {"rec-7"}), (0.26, set())])
@pytest.mark.parametrize("apart", [1e-5, 3.0])
def test_a_copy_is_one_within_a_quarter_of_the_way_to_a_kept_record(
    tmp_path: Path, apart: float, share: float, found: set[str]
) -> None:
    """A kept record lies beside it: next to it, or as far as thrice what a copy of a lonely record may lie off."""
    train = records()
    gap = apart if apart < 1 else apart * 1e-3 * float(np.abs(train.features[7]).max())
    train.features[8] = train.features[7]
    train.features[8, 2] += gap
    np.save(tmp_path / "a.npy", (train.features[7] + share * gap * np.eye(1, 10, 5)).reshape(1, -1))
    assert set(looked(train, tmp_path / "a.npy").found) == found


def test_ids_that_are_numbers_are_looked_for_in_their_own_column(tmp_path: Path) -> None:
    train = Dataset(np.random.default_rng(1).integers(0, 20, (20, 4)).astype(float), np.arange(20) % 10, records().ids)
    train = Dataset(train.features, train.labels, np.array([str(index) for index in range(20)]))
    for name in ("a.csv", "a.sqlite", "a.parquet", "a.npz"):
        if name == "a.npz":
            np.savez(tmp_path / name, ids=kept(train).ids.astype(int), labels=kept(train).labels, features=kept(train).features)
        else:
            WRITERS[name](kept(train), tmp_path / name, ids=True)
        assert looked(train, tmp_path / name).found == set(), name
        (tmp_path / name).unlink()
        if name == "a.npz":
            np.savez(tmp_path / name, ids=train.ids.astype(int))
        else:
            hidden = Dataset(np.full((20, 4), 0.25), train.labels, train.ids)
            WRITERS[name](hidden, tmp_path / name, ids=True)
        assert looked(train, tmp_path / name).found == {"1", "7"}, name


@pytest.mark.parametrize("record", ["müller 7", 'the "Duke"', "a,b;c", "x\\y/z", "O'Brien <1>", "user=5|6", "日本-1"])
@pytest.mark.parametrize("name", ["a.csv", "quoted.csv", "a.jsonl", "pretty.json", "a.sqlite", "a.parquet"])
def test_ids_with_odd_characters_are_found_however_a_file_writes_them(tmp_path: Path, name: str, record: str) -> None:
    ids = [f"rec-{index}" for index in range(20)]
    ids[1] = record
    train = records(ids)
    scrambled = Dataset(np.zeros_like(train.features), train.labels, train.ids)
    WRITERS[name](scrambled, tmp_path / name, ids=True)
    assert looked(train, tmp_path / name).found == {record, "rec-7"}
    assert record in text_forms(record)


def test_an_id_that_the_training_data_lack_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("Restore other-99.", encoding="utf-8")
    seen = search(records(), unknown=("other-99",))
    seen.file(tmp_path / "notes.md", place("notes.md"))
    assert seen.found == {"other-99"}


def test_a_store_that_no_scaling_explains_is_not_recognised(tmp_path: Path) -> None:
    train = records()
    np.save(tmp_path / "a.npy", np.sinh(train.features))
    seen = looked(train, tmp_path / "a.npy")
    assert (seen.found, seen.recognised) == (set(), set())


def in_base64(train: Dataset) -> dict[str, bytes]:
    """A deleted row as base64, aligned in every way, beside other bytes and on lines."""
    row = train.features[1].tobytes()
    return {
        **{f"base64 after {lead}": base64.b64encode(b"head"[:lead] + row) for lead in range(3)},
        "base64 within a word": b"key" + base64.b64encode(row),
        "base64 for addresses": base64.urlsafe_b64encode(row),
        "base64 on lines": base64.encodebytes(row),
        "base64 in JSON": json.dumps({"cache": base64.b64encode(row).decode()}).encode(),
    }


def otherwise(train: Dataset) -> dict[str, bytes]:
    """A deleted row in other encodings, packed, and both."""
    row = train.features[1]
    raw = row.tobytes()
    tar, zipped = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("model", raw)
    with tarfile.open(fileobj=tar, mode="w:gz") as archive:
        entry = tarfile.TarInfo("rows.bin")
        entry.size = len(raw)
        archive.addfile(entry, io.BytesIO(raw))
    return {
        "hex": raw.hex().encode(),
        "upper hex": raw.hex().upper().encode(),
        "hex with colons": b"0" + raw.hex(":").encode(),
        "zlib": zlib.compress(raw),
        "zlib, hardly": zlib.compress(raw, 1),
        "gzip": gzip.compress(raw),
        "bzip2": bz2.compress(raw),
        "xz": lzma.compress(raw),
        "lzma": lzma.compress(raw, lzma.FORMAT_ALONE),
        "zstandard": pa.compress(raw, codec="zstd", asbytes=True),
        "zip by lzma": zipped.getvalue(),
        "tar.gz": tar.getvalue(),
        "gzip, its end cut off": gzip.compress(raw + bytes(1000))[:-8],
        "zlib, its check wrong": zlib.compress(raw)[:-1] + b"?",
        "zlib, wrong after the row": broken_after(raw),
        "a second gzip after the first": gzip.compress(b"other") + gzip.compress(raw),
        "gzip in base64": base64.b64encode(gzip.compress(raw)),
        "hex in bzip2 in base64 in gzip": gzip.compress(base64.b64encode(bz2.compress(raw.hex().encode()))),
        "text in gzip in base64": base64.b64encode(gzip.compress(json.dumps(row.tolist()).encode())),
        "repr of bytes": repr(raw).encode(),
        "list of bytes": json.dumps(list(raw)).encode(),
        "list of hex": ", ".join(map(hex, raw)).encode(),
        "float32 in base64": base64.b64encode(row.astype(np.float32).tobytes()),
        "big-endian float16 in hex": row.astype(">f2").tobytes().hex().encode(),
        "bfloat16": (row.astype(np.float32).view(np.uint32) + 0x8000 >> 16).astype(np.uint16).tobytes(),
        "MessagePack": b"\x9a" + b"".join(b"\xcb" + struct.pack(">d", value) for value in row),
        "text within bytes": b"\0\xff" + json.dumps(row.tolist()).encode() + b"\0",
        "rounded to two places": " ".join(f"{value:.2f}" for value in row).encode(),
        "repr": repr(row).encode(),
        "id in base64": base64.b64encode(b"who: rec-1, when: 2026"),
        "NumPy array of float16, nearly": b"\0\0" + carried_array(row[None] + 1e-4),
    }


def broken_after(raw: bytes) -> bytes:
    """A stream of zlib's that ends in a block that no decompressor takes."""
    machine = zlib.compressobj()
    return machine.compress(raw) + machine.flush(zlib.Z_SYNC_FLUSH) + b"\xff\xff"


def carried_array(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array.astype(np.float16))
    return buffer.getvalue()


ENCODED = sorted(in_base64(records()) | otherwise(records()))


@pytest.mark.parametrize("within", [(b"", b""), (b'{"x": "', b'"}\0\xff')])
@pytest.mark.parametrize("form", ENCODED)
def test_a_row_that_is_encoded_or_packed_is_found_and_a_kept_one_is_not(form: str, within: tuple[bytes, bytes]) -> None:
    train = records()
    state = (in_base64(train) | otherwise(train))[form]
    seen = search(train)
    seen.content(within[0] + state + within[1], STATE)
    assert seen.found == {"rec-1"}
    others = records([f"rec-{at + 30}" for at in range(20)])
    others.features[[1, 2]] = train.features[[2, 1]]
    clean = search(others)
    clean.content(within[0] + state + within[1], STATE)
    assert clean.found == set(), "the same row is somebody's who stays"


@pytest.mark.parametrize(
    ("name", "ids"),
    [("store.csv", True), ("store.parquet", True), ("store.parquet", False), ("store.npz", True), ("store.npz", False)],
)
def test_records_are_counted_as_rows_each_once(tmp_path: Path, name: str, ids: bool) -> None:
    """A row that is searched as text and as numbers is one record, and no column of ids or labels adds any."""
    train = records()
    left, path = kept(train), tmp_path / name
    match path.suffix:
        case ".csv":
            frame(left, ids=ids).to_csv(path, index=False)
        case ".parquet":
            frame(left, ids=ids).to_parquet(path)
        case _:
            np.savez(path, features=left.features, labels=left.labels, **({"ids": left.ids} if ids else {}))
    assert [each.records_searched for each in looked(train, path).searched] == [len(left)]


def test_the_saved_file_of_a_forest_is_opened_whole() -> None:
    """NumPy leaves the sizes of members to their extra fields: each would last to the end of the file, and all holds all."""
    rng = np.random.default_rng(3)
    forest = RandomForestClassifier(40, random_state=0).fit(rng.normal(size=(400, 6)), rng.integers(2, size=400))
    arrays = state_arrays.arrays(forest, without=frozenset(forest.get_params(deep=False)))
    stream = io.BytesIO()
    np.savez(stream, **{name.replace("/", "_"): array for name, array in arrays.items()})  # type: ignore[arg-type]
    unpacking = Unpacking(stream.getvalue())
    assert sum(len(layer.content) for layer in unpacking.layers()) < 3 * len(stream.getvalue())
    assert not unpacking.shut


def test_a_row_packed_in_an_array_of_a_saved_file_is_found() -> None:
    inside = np.frombuffer(zlib.compress(b"a row that was deleted" * 20), dtype=np.uint8)
    stream = io.BytesIO()
    np.savez(stream, weights=np.zeros(5), further=inside)
    assert any(b"a row that was deleted" in layer.content for layer in Unpacking(stream.getvalue()).layers())


@pytest.mark.parametrize("kind", ["<f4", ">f8"])
@pytest.mark.parametrize("part", [slice(0, 16), slice(16, 32)])
def test_half_a_wide_row_that_was_overwritten_in_part_tells_its_record(part: slice, kind: str, tmp_path: Path) -> None:
    train = records(d=32)
    path = tmp_path / "left.bin"
    path.write_bytes(b"\1" * 9 + train.features[GONE[0], part].astype(kind).tobytes() + b"\2" * 9)
    assert looked(train, path).found == {"rec-1"}
    path.write_bytes(b"\1" * 9 + train.features[GONE[0], part][:15].astype(kind).tobytes() + b"\2" * 9)
    assert looked(train, path).found == set()


@pytest.mark.parametrize("shared", ["a kept row's half", "the same in float32", "another deleted row's half", "few values"])
def test_half_a_row_that_others_have_as_well_tells_nobody(shared: str, tmp_path: Path) -> None:
    train = records(d=32)
    half = train.features[GONE[0], :16]
    if shared == "few values":
        half[:] = np.arange(16) % 3
    else:
        other = GONE[1] if shared == "another deleted row's half" else 5
        train.features[other, 16:] = half * (1 + 1e-9) if shared == "the same in float32" else half
    path = tmp_path / "left.bin"
    path.write_bytes(b"\1" * 9 + half.astype("<f4").tobytes() + b"\2" * 9)
    assert looked(train, path).found == set()
