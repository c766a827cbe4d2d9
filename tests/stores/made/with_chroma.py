"""Chroma's persistent client: SQLite, and a folder of HNSW files for each collection once enough has been written."""

from __future__ import annotations

import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from corpus import People, library, store, traces

_SYNCED = {"hnsw": {"space": "l2", "sync_threshold": 50, "batch_size": 25}}
_OPEN = "not examined is acceptable"
_DELETED = "collection.delete(ids=…)"
_REBUILT = "the remaining people added to a new client in a new folder, and the old folder removed"


@contextmanager
def _client(place: Path) -> Iterator[Any]:
    settings = library("chromadb.config").Settings(anonymized_telemetry=False)
    client = library("chromadb").PersistentClient(path=str(place), settings=settings)
    try:
        yield client
    finally:
        client._system.stop()
        client.clear_system_cache()


def _collection(client: Any, people: People, positions: Iterable[int], name: str = "people", **given: Any) -> Any:
    positions = list(positions)
    told = people.of(positions)
    collection = client.create_collection(name, embedding_function=None, **given)
    for start in range(0, len(told), 100):
        part = slice(start, start + 100)
        collection.add(
            ids=[person.id for person in told[part]],
            embeddings=people.vectors[positions[part]].tolist(),
            metadatas=[{"email": person.email, "number": person.number} for person in told[part]],
            documents=[person.text for person in told[part]],
        )
    return collection


def _everybody(people: People) -> range:
    return range(len(people.everybody))


def _erase(collection: Any, people: People) -> None:
    collection.delete(ids=[person.id for person in people.deleted])


@store("chromadb", "collection.delete(ids=…)", honest=False)
def chroma_deleted(place: Path, people: People) -> None:
    """One collection with vectors, metadata and documents; too few for its index to be written."""
    with _client(place) as client:
        _erase(_collection(client, people, _everybody(people)), people)


@store("chromadb", "collection.delete(ids=…)", honest=False, table="vectors.csv")
def chroma_deleted_synced(place: Path, people: People) -> None:
    """One collection with a sync_threshold of 50, so that its HNSW files are written."""
    with _client(place) as client:
        _erase(_collection(client, people, _everybody(people), configuration=_SYNCED), people)


@store("chromadb", _REBUILT, honest=True, apart=True, expect=_OPEN)
def chroma_rebuilt(place: Path, people: People) -> None:
    """One collection, too few for its index to be written.

    Never vacuumed, and no table of what it may hold.
    """
    with _client(place) as client:
        _collection(client, people, people.kept)


@store("chromadb", _REBUILT, honest=True, apart=True, expect=_OPEN, table="vectors.csv")
def chroma_rebuilt_synced(place: Path, people: People) -> None:
    """One collection with its HNSW files written.

    Never vacuumed, with memory in length.bin that was never filled, and no table of its texts.
    """
    with _client(place) as client:
        _collection(client, people, people.kept, configuration=_SYNCED)


@store("chromadb", _REBUILT, honest=True, apart=True, expect=_OPEN, table="vectors.npz", size=2000)
def chroma_rebuilt_large(place: Path, people: People) -> None:
    """Two thousand people with the default settings: the index is written, the queue pruned.

    Never vacuumed, with memory in length.bin that was never filled, and no table of its texts.
    """
    with _client(place) as client:
        _collection(client, people, people.kept)


@store("chromadb", "collection.delete(ids=…), with 1,500 people added afterwards", honest=False, size=2000)
def chroma_deleted_and_grown(place: Path, people: People) -> None:
    """Default settings; later writes prune the queue, and reuse some free pages."""
    late = set(people.kept[-1500:])
    with _client(place) as client:
        collection = _collection(client, people, [i for i in _everybody(people) if i not in late])
        _erase(collection, people)
        told = sorted(late)
        for start in range(0, len(told), 100):
            some = told[start : start + 100]
            ids, texts = [p.id for p in people.of(some)], [p.text for p in people.of(some)]
            collection.add(ids=ids, embeddings=people.vectors[some].tolist(), documents=texts)


@store(
    "chromadb", "delete_collection, and a new one of the remaining people in the same folder", honest=False, table="vectors.csv"
)
def chroma_collection_replaced(place: Path, people: People) -> None:
    """One collection with its HNSW files written; deleted as a whole."""
    with _client(place) as client:
        _collection(client, people, _everybody(people), configuration=_SYNCED)
        client.delete_collection("people")
        _collection(client, people, people.kept, configuration=_SYNCED)


@store("chromadb", "collection.update with a vector of zeros and the document '[erased]' for each of them", honest=False)
def chroma_overwritten(place: Path, people: People) -> None:
    """One collection; the ids stay."""
    with _client(place) as client:
        collection = _collection(client, people, _everybody(people))
        ids = [person.id for person in people.deleted]
        nothing = [[0.0] * people.vectors.shape[1]] * len(ids)
        collection.update(ids=ids, embeddings=nothing, documents=["[erased]"] * len(ids), metadatas=[{"email": ""}] * len(ids))


@store("chromadb", "a new folder for the collection 'people'; 'newsletter' was carried over as it was", honest=False)
def chroma_second_collection(place: Path, people: People) -> None:
    """Two collections that hold the same people."""
    with _client(place) as client:
        _collection(client, people, people.kept)
        _collection(client, people, _everybody(people), "newsletter")


@store("chromadb", _REBUILT, honest=True, apart=True, expect=_OPEN, table="vectors.npz")
def chroma_two_rebuilt(place: Path, people: People) -> None:
    """Two collections: cosine with written HNSW files, and one in the default space.

    Never vacuumed, with memory in length.bin that was never filled, and no table of its texts.
    """
    cosine = {"hnsw": {"space": "cosine", "sync_threshold": 50, "batch_size": 25}}
    with _client(place) as client:
        _collection(client, people, people.kept, configuration=cosine)
        _collection(client, people, people.kept[:150], "newsletter")


@store("chromadb", "a new folder of the remaining people, whose metadata name who referred them", honest=False)
def chroma_referred(place: Path, people: People) -> None:
    """One collection; ten remaining people were referred by people who are erased since."""
    with _client(place) as client:
        collection = _collection(client, people, people.kept)
        pairs = list(zip(people.others, people.deleted, strict=False))
        collection.update(ids=[kept.id for kept, _ in pairs], metadatas=[{"referred_by": gone.id} for _, gone in pairs])


def _vacuum(place: Path) -> None:
    command = Path(sys.executable).with_name("chroma")
    subprocess.run([command, "vacuum", "--path", place, "--force"], check=True, capture_output=True, timeout=120)


def _cleared(place: Path, *, cosine: bool = False) -> None:
    """Follow docs/places.md: vacuum, again with Python's SQLite, and write zeros where Chroma keeps memory that nothing reads."""
    _vacuum(place)
    with closing(sqlite3.connect(place / "chroma.sqlite3")) as database:
        database.execute("VACUUM")
    _overwritten(place, cosine=cosine)


def _overwritten(place: Path, *, cosine: bool) -> None:
    """Write zeros over room for rows that have not come, and over lengths of vectors, which are known in cosine space alone."""
    for path in place.glob("*/header.bin"):
        _, count, row = struct.unpack_from("<3Q", path.read_bytes(), 12)
        for name, filled in (("data_level0.bin", count * row), ("length.bin", 4 * count * cosine)):
            content = path.with_name(name).read_bytes()
            path.with_name(name).write_bytes(content[:filled].ljust(len(content), b"\0"))


@store("chromadb", "collection.delete(ids=…), then `chroma vacuum --path`", honest=False, expect="not examined is acceptable")
def chroma_vacuumed(place: Path, people: People) -> None:
    """One collection with its HNSW files written."""
    with _client(place) as client:
        _erase(_collection(client, people, _everybody(people), configuration=_SYNCED), people)
    _vacuum(place)


@store("chromadb", "a new folder of the remaining people; the old one was kept as a backup", honest=False, table="vectors.csv")
def chroma_backup_beside(place: Path, people: People) -> None:
    """place/chroma is clean, place/chroma-2026-08 is not."""
    with _client(place / "chroma") as client:
        _collection(client, people, people.kept)
    with _client(place / "chroma-2026-08") as client:
        _collection(client, people, _everybody(people), configuration=_SYNCED)


@store(
    "chromadb",
    "the folder copied without its queue: only the HNSW files of the old collection stayed",
    honest=False,
    table="vectors.csv",
)
def chroma_orphaned_segment(place: Path, people: People) -> None:
    """A clean database with the segment folder of a collection that it no longer knows."""
    old = place.parent / "old"
    with _client(old) as client:
        _collection(client, people, _everybody(people), configuration=_SYNCED)
    with _client(place) as client:
        _collection(client, people, people.kept, configuration=_SYNCED)
    for segment in (each for each in old.iterdir() if each.is_dir()):
        shutil.copytree(segment, place / segment.name)
    shutil.rmtree(old)


@store("chromadb", "the old collection read, and the remaining people added to a new folder by the same process", honest=False)
def chroma_rebuilt_in_one_process(place: Path, people: People) -> None:
    """A collection whose HNSW files hold memory that was never filled, and in it texts of erased people."""
    old = place.parent / "old"
    for _ in range(30):
        shutil.rmtree(place)
        with _client(old) as client:
            everything = _collection(client, people, _everybody(people)).get(include=["documents", "metadatas", "embeddings"])
            copies = [str(everything["documents"][i]) + str(everything["metadatas"][i]) for i in _everybody(people)] * 5
        shutil.rmtree(old)
        del everything, copies
        with _client(place) as client:
            _collection(client, people, people.kept)
            _collection(client, people, people.kept, "newsletter", configuration=_SYNCED)
        if any(traces(place, people)):
            return
    raise RuntimeError("nothing of the process's memory was written in thirty tries")


@store("chromadb", _REBUILT, honest=True, apart=True, expect=_OPEN, table="vectors.npz", width=8, size=120)
def chroma_vectors_alone(place: Path, people: People) -> None:
    """One collection of ids and vectors, without metadata or documents.

    Never vacuumed: pages hold what SQLite gave back.
    """
    with _client(place) as client:
        collection = client.create_collection("vectors", embedding_function=None)
        collection.add(ids=[person.id for person in people.others], embeddings=people.vectors[people.kept].tolist())


@store("chromadb", _REBUILT, honest=True, apart=True, expect=_OPEN, width=384, size=250)
def chroma_wide_rebuilt(place: Path, people: People) -> None:
    """One collection in inner-product space, with vectors as wide as a sentence model's.

    Never vacuumed, with memory in length.bin that was never filled, and no table of what it may hold.
    """
    inner = {"hnsw": {"space": "ip", "sync_threshold": 60, "batch_size": 30, "max_neighbors": 24}}
    with _client(place) as client:
        _collection(client, people, people.kept, configuration=inner)


@store(
    "chromadb",
    "a new folder, to which other people's records were added and from which some were deleted since",
    honest=True,
    expect=_OPEN,
    apart=True,
)
def chroma_in_use(place: Path, people: People) -> None:
    """One collection in use: people who asked for nothing came, changed and went.

    What they were is still there.
    """
    with _client(place) as client:
        collection = _collection(client, people, people.kept, configuration=_SYNCED)
        some = people.of(people.kept[:40])
        texts = [person.text.upper() for person in some]
        collection.update(ids=[p.id for p in some], embeddings=people.vectors[people.kept[:40]].tolist(), documents=texts)
        collection.delete(ids=[person.id for person in some[:15]])


@store("chromadb", f"{_REBUILT}, then `chroma vacuum --path`", honest=True, apart=True, table="vectors.npz")
def chroma_vectors_vacuumed(place: Path, people: People) -> None:
    """One collection of ids and vectors in cosine space, its HNSW files written."""
    cosine = {"hnsw": {"space": "cosine", "sync_threshold": 50, "batch_size": 25}}
    with _client(place) as client:
        collection = client.create_collection("vectors", embedding_function=None, configuration=cosine)
        ids = [person.id for person in people.others]
        for start in range(0, len(ids), 50):
            part = slice(start, start + 50)
            collection.add(ids=ids[part], embeddings=people.vectors[people.kept][part].tolist())
    _vacuum(place)


@store(
    "chromadb", f"{_REBUILT}, then `chroma vacuum --path`", honest=True, expect=_OPEN, apart=True, table="vectors.npz", size=60
)
def chroma_small_vacuumed(place: Path, people: People) -> None:
    """One collection of ids and vectors, with memory in length.bin that was never filled."""
    with _client(place) as client:
        collection = client.create_collection("vectors", embedding_function=None)
        collection.add(ids=[person.id for person in people.others], embeddings=people.vectors[people.kept].tolist())
    _vacuum(place)


_CLEARED = f"{_REBUILT}, then vacuumed, and memory that was never filled overwritten"


@store("chromadb", _CLEARED, honest=True, apart=True, table="all.csv")
def chroma_documents_vacuumed(place: Path, people: People) -> None:
    """One collection with vectors, metadata and documents, its HNSW files written."""
    with _client(place) as client:
        _collection(client, people, people.kept, configuration=_SYNCED)
    _cleared(place)


@store("chromadb", _CLEARED, honest=True, apart=True, table="all.csv")
def chroma_rebuilt_vacuumed(place: Path, people: People) -> None:
    """One collection, too few for its index to be written."""
    with _client(place) as client:
        _collection(client, people, people.kept)
    _cleared(place)


@store("chromadb", _CLEARED, honest=True, apart=True, table="all.csv", size=2000)
def chroma_large_vacuumed(place: Path, people: People) -> None:
    """Two thousand people with the default settings."""
    with _client(place) as client:
        _collection(client, people, people.kept)
    _cleared(place)


@store("chromadb", f"{_REBUILT}, then vacuumed", honest=True, apart=True, table="all.csv")
def chroma_two_vacuumed(place: Path, people: People) -> None:
    """Two collections in cosine space, one with its HNSW files written."""
    cosine = {"hnsw": {"space": "cosine", "sync_threshold": 50, "batch_size": 25}}
    with _client(place) as client:
        _collection(client, people, people.kept, configuration=cosine)
        _collection(client, people, people.kept[:150], "newsletter", configuration={"hnsw": {"space": "cosine"}})
    _cleared(place, cosine=True)


@store("chromadb", _CLEARED, honest=True, apart=True, table="all.csv", width=384, size=250)
def chroma_wide_vacuumed(place: Path, people: People) -> None:
    """One collection in inner-product space, with vectors as wide as a sentence model's."""
    inner = {"hnsw": {"space": "ip", "sync_threshold": 60, "batch_size": 30, "max_neighbors": 24}}
    with _client(place) as client:
        _collection(client, people, people.kept, configuration=inner)
    _cleared(place)


@store("chromadb", _CLEARED, honest=True, apart=True, table="vectors.npz", width=8, size=120)
def chroma_vectors_alone_vacuumed(place: Path, people: People) -> None:
    """One collection of ids and vectors, without metadata or documents."""
    chroma_vectors_alone(place, people)
    _cleared(place)


@store("chromadb", f"{_DELETED}, then vacuumed, and memory that was never filled overwritten", honest=False, table="all.csv")
def chroma_deleted_cleared(place: Path, people: People) -> None:
    """One collection with its HNSW files written: the deleted rows are marked in its graph, which no vacuum clears."""
    with _client(place) as client:
        _erase(_collection(client, people, _everybody(people), configuration=_SYNCED), people)
    _cleared(place)


@store("chromadb", f"{_DELETED}, their vectors added again under ids of other people", honest=False, apart=False, table="all.csv")
def chroma_under_other_ids(place: Path, people: People) -> None:
    """A new folder of the remaining people, five of whom have the vector and document of somebody deleted."""
    with _client(place) as client:
        collection = _collection(client, people, people.kept, configuration=_SYNCED)
        pairs = list(zip(people.others, people.gone, strict=False))[:5]
        texts = [people.everybody[at].text for _, at in pairs]
        collection.update(
            ids=[kept.id for kept, _ in pairs], embeddings=people.vectors[[at for _, at in pairs]].tolist(), documents=texts
        )
    _cleared(place)


@store("chromadb", _CLEARED, honest=True, apart=True, table="vectors.npz", size=60)
def chroma_small_cleared(place: Path, people: People) -> None:
    """One collection of ids and vectors, too few for its index to be written."""
    chroma_small_vacuumed(place, people)
    _cleared(place)
