"""Makes the small stores of this folder with the libraries that write them: hnswlib 0.8.0, faiss-cpu 1.15.1, chromadb 1.5.9,
lancedb 0.40.0.

    python tests/stores/make.py [FOLDER]

Rows are `vectors(count, width)`, whose ids are their positions. Where a name ends with `marked`, rows 3 and 7 are deleted as the
library deletes.
"""

from __future__ import annotations

import io
import sqlite3
import sys
import tarfile
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

HERE = Path(__file__).parent
GONE = (3, 7)


def vectors(count: int = 24, width: int = 4) -> npt.NDArray[np.float32]:
    """The rows of every store."""
    return np.random.default_rng(11).normal(size=(count, width)).astype(np.float32)


def of_hnswlib(folder: Path) -> None:
    """An index as it is built, and one with two rows marked as deleted and one replaced."""
    import hnswlib  # noqa: PLC0415  (not in every installation)

    rows = vectors()
    index = hnswlib.Index("l2", rows.shape[1])
    index.init_index(40, M=2, ef_construction=20, random_seed=3)
    index.add_items(rows, np.arange(len(rows)), num_threads=1)
    index.save_index(str(folder / "hnswlib.bin"))
    for each in GONE:
        index.mark_deleted(each)
    index.save_index(str(folder / "hnswlib-marked.bin"))


def of_faiss(folder: Path) -> None:
    """One index of each kind that is read, and two of kinds that are not."""
    import faiss  # noqa: PLC0415

    faiss.omp_set_num_threads(1)
    rows = vectors()
    width = rows.shape[1]
    for name, kind in (
        ("flat", "Flat"),
        ("idmap", "IDMap,Flat"),
        ("hnsw", "HNSW4,Flat"),
        ("hnsw-sq8", "HNSW4,SQ8"),
        ("sq8", "SQ8"),
        ("fp16", "SQfp16"),
        ("ivf", "IVF3,Flat"),
        ("ivf-sq8", "IVF3,SQ8"),
        ("sq4", "SQ4"),
        ("lsh", "LSH"),
    ):
        index = faiss.index_factory(width, kind)
        index.train(rows)
        if kind.startswith("IDMap"):
            index.add_with_ids(rows, np.arange(len(rows)))
            index.remove_ids(np.array(GONE))
        else:
            index.add(rows)
        faiss.write_index(index, str(folder / f"{name}.faiss"))
    more = vectors(256)
    index = faiss.IndexPQ(width, 1, 8)
    index.train(more)
    index.add(rows)
    faiss.write_index(index, str(folder / "pq.faiss"))
    index = faiss.IndexPQ(width, 2, 3)
    index.train(more)
    index.add(rows)
    faiss.write_index(index, str(folder / "pq3.faiss"))
    coarse = faiss.IndexFlatIP(width)
    inner = faiss.IndexIVFFlat(coarse, width, 3, faiss.METRIC_INNER_PRODUCT)
    inner.train(rows)
    inner.add(rows)
    inner.set_direct_map_type(faiss.DirectMap.Hashtable)
    inner.remove_ids(np.array(GONE))
    faiss.write_index(inner, str(folder / "ivf-hashed.faiss"))


NAMES = tuple(f"person-{each:03d}" for each in range(24))


def of_chroma(folder: Path) -> None:
    """A folder that was built again without two rows and vacuumed, and one from which they were deleted; each packed."""
    with TemporaryDirectory() as scratch:
        rebuilt, deleted = Path(scratch) / "rebuilt", Path(scratch) / "deleted"
        stay = [each for each in range(24) if each not in GONE]
        _filled(rebuilt, stay, "cosine")
        # As `chroma vacuum` does, which asks first.
        with closing(sqlite3.connect(rebuilt / "chroma.sqlite3")) as database:
            database.execute("VACUUM")
        # Behind the lengths of its rows the file holds whatever lay in memory, and nothing reads it.
        (lengths,) = rebuilt.glob("*/length.bin")
        content = lengths.read_bytes()
        lengths.write_bytes(content[: 4 * len(stay)] + bytes(len(content) - 4 * len(stay)))
        _filled(deleted, range(24), "l2").delete(ids=[NAMES[each] for each in GONE])
        for store in (rebuilt, deleted):
            _pack(store, folder / f"chroma-{store.name}.tar.xz")


def _filled(folder: Path, which: Iterable[int], space: str) -> Any:
    import chromadb  # noqa: PLC0415

    rows = vectors()
    client = chromadb.PersistentClient(path=str(folder))
    people = client.create_collection("people", metadata={"hnsw:space": space, "hnsw:sync_threshold": 10, "hnsw:batch_size": 5})
    people.add(
        ids=[NAMES[each] for each in which],
        embeddings=[rows[each].tolist() for each in which],
        documents=[f"What {NAMES[each]} wrote." for each in which],
        metadatas=[{"age": 20 + each} for each in which],
    )
    return people


def of_lance(folder: Path) -> None:
    """Tables that were overwritten and cleaned up, one with rows deleted, and one with its former version; each packed."""
    from datetime import timedelta  # noqa: PLC0415

    import lancedb  # noqa: PLC0415

    stay = [each for each in range(24) if each not in GONE]
    with TemporaryDirectory() as scratch:
        tables = {}
        kinds = {"rebuilt": _columns, "few": _few_columns, "deleted": _few_columns, "versions": _few_columns}
        for name, columns in kinds.items():
            database = lancedb.connect(Path(scratch) / name)
            tables[name] = database.create_table("people", columns(range(24)), on_bad_vectors="null")
            if name != "deleted":
                tables[name] = database.create_table("people", columns(stay), mode="overwrite", on_bad_vectors="null")
            if name in {"rebuilt", "few"}:
                tables[name].optimize(cleanup_older_than=timedelta(0), delete_unverified=True)
        tables["deleted"].delete(" OR ".join(f"id = '{NAMES[each]}'" for each in GONE))
        for name in tables:
            _pack(Path(scratch) / name, folder / f"lance-{name}.tar.xz")


def _columns(which: Iterable[int]) -> Any:
    """Columns of every kind that is read, packed in every way that lancedb packs them."""
    import pyarrow as pa  # noqa: PLC0415

    rows, which = vectors(1024, 4), list(which)
    numbers = np.random.default_rng(5).integers(0, 1 << 20, 1024)
    # Many rows make lancedb pack numbers and texts: those after the first 24 are people who always stay.
    which += range(24, 1024)
    names = [*NAMES, *(f"person-{each:03d}" for each in range(24, 1024))]
    wide = np.random.default_rng(6).integers(0, 3, size=(1024, 72)).astype(np.float32)
    letters = [f"Dear {name}, we have had {number} of yours. " * 8 for name, number in zip(names, numbers, strict=True)]
    columns: dict[str, Any] = {
        "id": [names[each] for each in which],
        "number": numbers[which],
        "age": [None if each % 7 == 1 else 18 + each % 60 for each in which],
        "score": [None if each % 5 == 1 else float(rows[each, 0]) / 3 for each in which],
        "member": [None if each % 6 == 1 else each % 3 == 0 for each in which],
        "town": [None if each % 9 == 1 else ("Graz", "Gent", "Brno")[each * each % 7 % 3] for each in which],
        "half": [each * 2 // 1024 for each in range(len(which))],
        "since": [2026] * len(which),
        "left": pa.nulls(len(which), pa.string()),
        "note": [f"What {names[each]} wrote on day {numbers[each] % 28}." for each in which],
        "letter": [None if each % 4 == 1 else letters[each] for each in which],
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(rows[which].ravel()), 4),
        "embedding": pa.array([None if each % 8 == 1 else wide[each].tolist() for each in which], pa.list_(pa.float32(), 72)),
    }
    return pa.table(columns)


def _few_columns(which: Iterable[int]) -> Any:
    return _columns(which).slice(0, len(list(which))).select(["id", "age", "vector"])


def _pack(folder: Path, packed: Path) -> None:
    with tarfile.open(packed, "w:xz") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                content = path.read_bytes()
                entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))


def unpacked(name: str, folder: Path, *, made: Path = HERE) -> Path:
    """Unpack one of the packed stores, those of this folder where no other is named."""
    with tarfile.open(made / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


@cache
def files_of(name: str) -> dict[str, bytes]:
    """Give the content of a packed store of this folder, file by file."""
    with TemporaryDirectory() as scratch:
        place = unpacked(name, Path(scratch))
        return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    where.mkdir(exist_ok=True)
    of_hnswlib(where)
    of_faiss(where)
    of_chroma(where)
    of_lance(where)
