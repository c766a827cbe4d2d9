"""Readers of vector stores: all rows, wherever they lie, and every byte that is neither a row nor the structure of the form."""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.parts.store.readers import read_files, read_place
from auditor.parts.store.readers.contents import Contents, Lies, Unread
from stores import make as made

STORES = Path(__file__).parents[2] / "stores"
VECTORS = made.vectors()
STAY = [each for each in range(len(VECTORS)) if each not in made.GONE]
EXACT = {
    "hnswlib.bin": list(range(24)),
    "hnswlib-marked.bin": STAY,
    "flat.faiss": None,
    "idmap.faiss": STAY,
    "hnsw.faiss": None,
    "ivf.faiss": list(range(24)),
    "ivf-hashed.faiss": STAY,
}
"""Stores of whole vectors, and the ids of their live rows; None where the form keeps none."""
CODED = {"sq8.faiss": 0.02, "hnsw-sq8.faiss": 0.02, "fp16.faiss": 1e-3, "ivf-sq8.faiss": 0.02, "pq.faiss": 1.0, "pq3.faiss": 3.0}
"""Stores of codes, and how far decoded values may be off."""
ALL = (*EXACT, *CODED)


def content(name: str) -> bytes:
    return (STORES / name).read_bytes()


def read(name: str, changed: bytes | None = None) -> Contents:
    (found,) = read_files({name: content(name) if changed is None else changed})
    assert isinstance(found, Contents)
    return found


def lying(found: Contents, lies: Lies) -> Any:
    return next((each for each in found.rows if each.lies is lies), None)


def held(found: Contents) -> object:
    """All that a reader gives, to be compared."""
    return [
        (each.lies, each.where, each.ids, None if each.vectors is None else each.vectors.tobytes(), each.count)
        for each in found.rows
    ]


@pytest.mark.parametrize("name", EXACT)
def test_whole_vectors_are_read_with_their_ids_and_nothing_is_unexplained(name: str) -> None:
    found = read(name)
    live = lying(found, Lies.LIVE)
    assert (found.bytes, found.unexplained, found.unread, found.files) == (len(content(name)), 0, (), (name,))
    expected = EXACT[name]
    if expected is None:
        assert live.ids is None
        assert np.array_equal(live.vectors, VECTORS)
    else:
        assert sorted(map(int, live.ids)) == expected
        assert np.array_equal(live.vectors, VECTORS[[int(each) for each in live.ids]])


def test_rows_that_hnswlib_marks_as_deleted_are_read_as_such() -> None:
    marked = lying(read("hnswlib-marked.bin"), Lies.MARKED)
    assert marked.ids == ("3", "7")
    assert np.array_equal(marked.vectors, VECTORS[[3, 7]])


@pytest.mark.parametrize("name", CODED)
def test_a_stores_own_codebook_codes_vectors_as_the_store_has_them(name: str) -> None:
    found = read(name)
    live = lying(found, Lies.LIVE)
    order = list(range(24)) if live.ids is None else [int(each) for each in live.ids]
    assert found.unexplained == 0
    assert found.encode is not None
    assert np.array_equal(found.encode(VECTORS[order]), live.codes)
    assert np.abs(live.vectors - VECTORS[order]).max() < CODED[name]


@pytest.mark.parametrize(("name", "tables"), [("ivf.faiss", set()), ("ivf-sq8.faiss", {"centroids", "ranges"})])
def test_what_was_learned_from_rows_is_given_as_such(name: str, tables: set[str]) -> None:
    learned = {each.where.partition(": ")[2] for each in read(name).rows if each.lies is Lies.LEARNED}
    assert learned == tables


@pytest.mark.attempt("files that hide")
def test_centroids_that_are_not_the_means_of_their_lists_to_the_last_bit_are_learned() -> None:
    whole = content("ivf.faiss")
    at = whole.index(b"IxF") + 45
    for each in range(at, at + 3 * VECTORS.shape[1] * 4, 4):
        changed = whole[:each] + bytes([whole[each] ^ 1]) + whole[each + 1 :]
        assert lying(read("ivf.faiss", changed), Lies.LEARNED) is not None, each


@pytest.mark.parametrize("name", ["sq4.faiss", "lsh.faiss"])
def test_kinds_that_are_not_known_are_left_unread(name: str) -> None:
    (found,) = read_files({name: content(name)})
    assert isinstance(found, Unread)
    assert found.bytes == len(content(name))


def test_a_folder_is_read_each_file_once() -> None:
    found = read_place(STORES)
    files = [path for each in found for path in each.files]
    assert sorted(files) == sorted(each.relative_to(STORES).as_posix() for each in STORES.rglob("*") if each.is_file())
    assert sum(each.bytes for each in found) == sum(each.stat().st_size for each in STORES.rglob("*") if each.is_file())


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("name", ALL)
def test_what_follows_an_index_is_unexplained(name: str) -> None:
    assert read(name, content(name) + bytes(VECTORS[3].tobytes())).unexplained == 16


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("name", ALL)
def test_a_file_that_was_cut_is_never_read_as_a_whole_one(name: str) -> None:
    whole = content(name)
    for part in range(50):
        (found,) = read_files({name: whole[: part * len(whole) // 50]})
        assert isinstance(found, Unread)


@pytest.mark.attempt("files that exhaust")
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("count", [1 << 63, (1 << 64) - 1, 1 << 32, 1 << 40])
def test_numbers_beyond_the_file_are_not_believed(name: str, count: int) -> None:
    whole = content(name)
    for at in range(min(len(whole) - 8, 400)):
        changed = whole[:at] + struct.pack("<Q", count) + whole[at + 8 :]
        for found in read_files({name: changed}):
            assert found.bytes == len(whole)
            assert not isinstance(found, Contents) or 0 <= found.unexplained <= found.bytes


FREE = {
    # How many rows there may be, what `ef_construction` is, and links, which have to be links.
    "hnswlib.bin": 0.4,
    "hnswlib-marked.bin": 0.4,
    # Yes or no to whether it is trained; settings of a search, links.
    "flat.faiss": 1,
    "idmap.faiss": 2,
    "hnsw.faiss": 0.4,
    "ivf.faiss": 14,
    "ivf-hashed.faiss": 14,
}
"""Bytes, or the share of them, that may change without a row or a count that changes."""


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("name", EXACT)
def test_hardly_a_byte_can_change_without_being_seen(name: str) -> None:
    """Each byte takes four other values: a row changes, or bytes are unexplained, or the file is not read."""
    whole, before = content(name), held(read(name))
    free = 0
    for at, byte in enumerate(whole):
        unseen = 0
        for mask in (0x01, 0x10, 0x80, 0xFF):
            (found,) = read_files({name: whole[:at] + bytes([byte ^ mask]) + whole[at + 1 :]})
            unseen += isinstance(found, Contents) and not found.unexplained and held(found) == before
        free += unseen == 4
    most = FREE[name]
    assert free <= (most if most >= 1 else most * len(whole))


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("name", EXACT)
@given(data=st.data())
def test_a_payload_anywhere_is_a_row_or_unexplained(name: str, data: Any) -> None:
    """A deleted row of 16 bytes written over anything is seen: there is no room for it that nothing reads."""
    whole, before = content(name), held(read(name))
    payload = VECTORS[3].tobytes() if "marked" in name or "idmap" in name or "hashed" in name else b"\x12\xfe\x91\x7f" * 4
    at = data.draw(st.integers(0, len(whole) - len(payload)))
    (found,) = read_files({name: whole[:at] + payload + whole[at + len(payload) :]})
    if isinstance(found, Contents) and whole[at : at + len(payload)] != payload:
        assert found.unexplained or held(found) != before


@pytest.mark.attempt("files that hide")
def test_no_numbers_are_no_vectors() -> None:
    whole = content("flat.faiss")
    hidden = whole[:-8] + struct.pack("<II", 0x7FC01234, 0x7F812345)
    assert read("flat.faiss", hidden).unexplained == 8


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_accounted_for_or_unread(payload: bytes) -> None:
    for front in (b"", content("hnswlib.bin")[:96], content("ivf.faiss")[:120], content("hnsw.faiss")[:60]):
        for found in read_files({"file": front + payload}):
            assert found.bytes == len(front) + len(payload)
            assert not isinstance(found, Contents) or 0 <= found.unexplained <= found.bytes


@pytest.mark.stores
def test_the_libraries_still_write_what_the_readers_read(tmp_path: Path) -> None:
    pytest.importorskip("hnswlib")
    pytest.importorskip("faiss")
    made.of_hnswlib(tmp_path)
    made.of_faiss(tmp_path)
    for name in ALL:
        (found,) = read_files({name: (tmp_path / name).read_bytes()})
        assert isinstance(found, Contents)
        assert found.unexplained == 0
    assert sys.modules["hnswlib"]
