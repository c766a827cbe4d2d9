"""Makes the small stores of this folder with the libraries that write them: hnswlib 0.8.0, faiss-cpu 1.15.1, chromadb 1.5.9.

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


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    where.mkdir(exist_ok=True)
    of_hnswlib(where)
    of_faiss(where)
    of_chroma(where)
