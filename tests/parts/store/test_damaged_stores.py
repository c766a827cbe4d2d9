"""Stores that were cut, or that say that they are larger than they are, never pass, crash nothing and take little."""

from __future__ import annotations

import io
import resource
import sqlite3
import struct
import time
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_vector_columns import GONE, HERE, IDS, NOTES, STAY, VECTORS, WIDTH, clean, packed, people, saved

from auditor.parts.store.observing.limited_reading import of_file
from auditor.parts.store.readers import read_files
from auditor.parts.store.readers.contents import Contents
from stores import make as made

HUGE: Final = ((1 << 31) - 1, (1 << 32) - 1, 1 << 30)
_SECONDS: Final = 20.0
_ROOM: Final = 256 << 20
"""Bytes that one damaged file may take more than the ones before."""


def with_texts() -> bytes:
    """A database with vectors as bytes, a full-text index and an index."""
    with TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "a.db", isolation_level=None)) as opened:
        opened.execute("PRAGMA page_size = 512")
        opened.execute("CREATE TABLE people (id TEXT PRIMARY KEY, embedding BLOB)")
        opened.executemany("INSERT INTO people VALUES (?, ?)", [(IDS[each], VECTORS[each].tobytes()) for each in STAY])
        opened.execute("CREATE VIRTUAL TABLE notes USING fts5(id, note)")
        opened.executemany("INSERT INTO notes VALUES (?, ?)", [(IDS[each], NOTES[each]) for each in STAY])
        for each in ("rebuild", "optimize"):
            opened.execute("INSERT INTO notes(notes) VALUES (?)", (each,))
        opened.execute("VACUUM")
        return (Path(folder) / "a.db").read_bytes()


def of_parquet() -> bytes:
    column = pa.FixedSizeListArray.from_arrays(pa.array(VECTORS[STAY].ravel()), WIDTH)
    stream = io.BytesIO()
    given = {"id": IDS[GONE:], "note": NOTES[GONE:], "vector": column}
    pq.write_table(pa.table(given), stream, compression="zstd", row_group_size=10)
    return stream.getvalue()


@cache
def stores() -> dict[str, bytes]:
    return {
        "a.db": with_texts(),
        "a.parquet": of_parquet(),
        "a.npz": packed(ids=np.array(IDS)[STAY], vectors=VECTORS[STAY]),
        "a.npy": saved(VECTORS[STAY]),
    }


NAMES: Final = ("a.db", "a.parquet", "a.npz", "a.npy")


def boundaries(name: str, content: bytes) -> Iterator[int]:
    """Where structures begin and end: pages, row groups and the footer; and places in between."""
    yield from range(0, len(content), max(1, len(content) // 60))
    yield from (*range(min(len(content), 110)), *range(max(0, len(content) - 24), len(content)))
    if name.endswith(".db"):
        yield from range(512, len(content), 512)
    if name.endswith(".parquet"):
        length = int.from_bytes(content[-8:-4], "little")
        yield from (len(content) - 8 - length, len(content) - 8, len(content) - 4)


@pytest.mark.parametrize("name", NAMES)
def test_the_whole_store_is_explained(name: str) -> None:
    assert clean(of_file(Path(name), stores()[name], people(mixed=not name.startswith("a.n")), HERE))


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("name", NAMES)
def test_a_store_that_was_cut_never_passes(name: str) -> None:
    content, who = stores()[name], people(mixed=not name.startswith("a.n"))
    for at in sorted(set(boundaries(name, content))):
        kept = of_file(Path(name), content[:at], who, HERE)
        assert kept.bytes == at
        assert not at or not clean(kept), at


@pytest.mark.attempt("files that exhaust")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("order", ["<I", ">I"])
def test_a_store_with_a_huge_number_anywhere_takes_little(name: str, order: str) -> None:
    content, who = stores()[name], people(mixed=not name.startswith("a.n"))
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10, time.process_time()
    places = sorted({*range(0, min(len(content), 120), 4), *range(max(0, len(content) - 120), len(content) - 4, 4)})
    for turn, at in enumerate(places):
        changed = content[:at] + struct.pack(order, HUGE[turn % len(HUGE)]) + content[at + 4 :]
        kept = of_file(Path(name), changed, who, HERE)
        assert (kept.bytes, 0 <= kept.unexplained <= kept.bytes) == (len(content), True)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10) - before < _ROOM
    assert time.process_time() - begun < _SECONDS


@pytest.mark.attempt("files that exhaust")
@pytest.mark.parametrize("part", ["header.bin", "data_level0.bin", "link_lists.bin", "length.bin"])
def test_a_graph_of_chroma_with_a_huge_number_takes_little(part: str, tmp_path: Path) -> None:
    place = made.unpacked("chroma-rebuilt", tmp_path)
    files = {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    (name,) = (each for each in files if each.endswith(part))
    whole, begun = files[name], time.process_time()
    for at in range(0, min(len(whole), 104) - 8, 4):
        changed = whole[:at] + struct.pack("<Q", (1 << 63) - 1 - at) + whole[at + 8 :]
        for found in read_files({**files, name: changed}):
            assert found.bytes == sum(map(len, files.values()))
            assert not isinstance(found, Contents) or 0 <= found.unexplained <= found.bytes
    assert time.process_time() - begun < _SECONDS
