"""Caches, pickles, arrays, and folders in which somebody forgot a backup."""

from __future__ import annotations

import csv
import dbm.dumb
import gzip
import io
import json
import pickle
import shelve
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
from sklearn.neighbors import NearestNeighbors

from corpus import People, Person, library, store

_OPEN = "not examined is acceptable"


def _row(person: Person) -> dict[str, Any]:
    return {"id": person.id, "name": person.name, "email": person.email, "phone": person.phone, "note": person.text}


def _csv(people: Iterable[Person]) -> str:
    out = io.StringIO()
    rows = csv.DictWriter(out, ["id", "name", "email", "phone", "note"])
    rows.writeheader()
    rows.writerows(map(_row, people))
    return out.getvalue()


@store("python", "the dictionary pickled again without them", honest=True, table="texts.csv", expect=_OPEN)
def pickle_rewritten(place: Path, people: People) -> None:
    """A dictionary of dictionaries, pickled with protocol 4."""
    (place / "people.pkl").write_bytes(pickle.dumps({person.id: _row(person) for person in people.others}, protocol=4))


@store("pandas+python", "rows filtered, then to_pickle; the frame is a view of a larger one in a second file", honest=False)
def pickle_frame(place: Path, people: People) -> None:
    """A pickled pandas frame, and last month's."""
    frame = pd.DataFrame([_row(person) for person in people.everybody])
    frame[frame["id"].isin([person.id for person in people.others])].to_pickle(place / "people.pkl")
    frame.to_pickle(place / "people-08.pkl.xz")


@store(
    "scikit-learn",
    "rows removed from the table; the neighbour search keeps what it was fitted on",
    honest=False,
    table="vectors.npz",
)
def pickle_neighbours(place: Path, people: People) -> None:
    """A fitted NearestNeighbors, dumped with joblib and compressed."""
    joblib.dump(NearestNeighbors().fit(people.vectors), place / "neighbours.joblib", compress=3)


@store("diskcache", "cache.delete(key) for each of them", honest=False)
def diskcache_deleted(place: Path, people: People) -> None:
    """diskcache.Cache with small values, which lie in its SQLite file."""
    diskcache = library("diskcache")

    with diskcache.Cache(str(place), sqlite_secure_delete=0) as cache:
        cache._sql("PRAGMA secure_delete=OFF").fetchall()
        for person in people.everybody:
            cache[person.id] = _row(person)
        for person in people.deleted:
            cache.delete(person.id)


@store("diskcache", "a new cache filled with the remaining people", honest=True, table="texts.csv", expect=_OPEN)
def diskcache_rebuilt(place: Path, people: People) -> None:
    """diskcache.Cache of JSON texts."""
    diskcache = library("diskcache")

    with diskcache.Cache(str(place)) as cache:
        for person in people.others:
            cache[person.id] = json.dumps(_row(person))


@store("diskcache", "keys that were known deleted; answers about them are cached under hashes", honest=False)
def diskcache_answers(place: Path, people: People) -> None:
    """diskcache.Cache of large answers, each in a file of its own."""
    diskcache = library("diskcache")

    with diskcache.Cache(str(place), disk_min_file_size=64) as cache:
        for i, person in enumerate(people.everybody):
            cache[f"{i:040x}"] = json.dumps(_row(person))


@store("python", "del shelf[id] for each of them", honest=False)
def shelve_deleted(place: Path, people: People) -> None:
    """A shelf over dbm.dumb, whose values stay in the .dat file."""
    with shelve.Shelf(dbm.dumb.open(str(place / "people"), "c")) as shelf:
        for person in people.everybody:
            shelf[person.id] = _row(person)
        for person in people.deleted:
            del shelf[person.id]


@store("python", "a new shelf written with the remaining people", honest=True, table="texts.csv", expect=_OPEN)
def shelve_rewritten(place: Path, people: People) -> None:
    """A shelf over dbm.dumb."""
    with shelve.Shelf(dbm.dumb.open(str(place / "people"), "c")) as shelf:
        for person in people.others:
            shelf[person.id] = _row(person)


@store("numpy", "the array saved again without their rows", honest=True, table="vectors.npz")
def npy_rewritten(place: Path, people: People) -> None:
    """embeddings.npy and ids.json in its order."""
    np.save(place / "embeddings.npy", people.vectors[people.kept])
    (place / "ids.json").write_text(json.dumps([person.id for person in people.others]), encoding="utf-8")


@store("numpy", "ids removed from ids.json; the array was left as it was", honest=False, table="vectors.npz")
def npy_kept(place: Path, people: People) -> None:
    """embeddings.npy of everybody."""
    np.save(place / "embeddings.npy", people.vectors)
    (place / "ids.json").write_text(json.dumps([person.id for person in people.others]), encoding="utf-8")


@store("numpy", "their rows of the memory map set to zero, and their ids to null", honest=True, table="vectors.npz")
def memmap_zeroed(place: Path, people: People) -> None:
    """vectors.npy as a memory map, and ids.json."""
    mapped = np.lib.format.open_memmap(place / "vectors.npy", mode="w+", dtype=np.float32, shape=people.vectors.shape)
    mapped[:] = people.vectors
    mapped[people.gone] = 0
    mapped.flush()
    gone = set(people.gone)
    ids = [None if i in gone else person.id for i, person in enumerate(people.everybody)]
    (place / "ids.json").write_text(json.dumps(ids), encoding="utf-8")


@store("numpy", "the array saved again; copies of eight bits stayed", honest=False, table="vectors.npz")
def npy_int8_beside(place: Path, people: People) -> None:
    """embeddings.npy is clean; embeddings-int8.npy holds everybody, scaled to ±127 over the whole table."""
    npy_rewritten(place, people)
    scaled = np.round(people.vectors * 127 / np.abs(people.vectors).max()).astype(np.int8)
    np.save(place / "embeddings-int8.npy", scaled)


@store("numpy", "the array saved again; the normalised copy stayed", honest=False, table="vectors.csv")
def npy_normalised_beside(place: Path, people: People) -> None:
    """embeddings.npy is clean; unit.npz holds everybody's vectors at length one."""
    npy_rewritten(place, people)
    np.savez_compressed(place / "unit.npz", unit=people.vectors / np.linalg.norm(people.vectors, axis=1, keepdims=True))


@store("python", "rows removed from people.csv", honest=True, table="texts.csv")
def folder_clean(place: Path, people: People) -> None:
    """A folder with people.csv, a README and a configuration."""
    (place / "people.csv").write_text(_csv(people.others), encoding="utf-8")
    (place / "README.md").write_text("# Customers\n\nOne row a customer.\n", encoding="utf-8")
    (place / "config.json").write_text('{"source": "people.csv", "limit": 1000}\n', encoding="utf-8")


@store("python", "rows removed from people.csv; backups/2026-08.tar.gz was forgotten", honest=False)
def folder_tar(place: Path, people: People) -> None:
    """A folder with people.csv and a backup deep below."""
    folder_clean(place, people)
    content = _csv(people.everybody).encode()
    (place / "backups" / "old").mkdir(parents=True)
    with tarfile.open(place / "backups" / "old" / "2026-08.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("people.csv")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))


@store("python", "rows removed from people.csv; the editor's copy people.csv~ was forgotten", honest=False)
def folder_editor_copy(place: Path, people: People) -> None:
    """A folder with people.csv and a copy in UTF-16."""
    folder_clean(place, people)
    (place / "people.csv~").write_text(_csv(people.everybody), encoding="utf-16")


@store("python", "rows removed from people.csv; a hidden folder holds a zip in a zip", honest=False)
def folder_zip(place: Path, people: People) -> None:
    """A folder with people.csv and .cache/export.zip, which holds another archive."""
    folder_clean(place, people)
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("people.csv", _csv(people.everybody))
    (place / ".cache").mkdir()
    with zipfile.ZipFile(place / ".cache" / "export.zip", "w") as archive:
        archive.writestr("inner.zip", inner.getvalue())


@store("python", "rows removed from people.csv.gz, which was written anew", honest=True, table="texts.csv")
def folder_gzip(place: Path, people: People) -> None:
    """A folder with a compressed table."""
    (place / "people.csv.gz").write_bytes(gzip.compress(_csv(people.others).encode(), mtime=0))


@store("python", "rows removed from people.csv; a picture of each of them is called by their id", honest=False)
def folder_names(place: Path, people: People) -> None:
    """A folder with people.csv and avatars/ID.png, which are one grey pixel."""
    folder_clean(place, people)
    pixel = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c6368000000820081"
        "77cd72b60000000049454e44ae426082"
    )
    (place / "avatars").mkdir()
    for person in people.everybody:
        (place / "avatars" / f"{person.id}.png").write_bytes(pixel)


@store("python", "rows removed, and the table exported again", honest=True, table="texts.csv")
def folder_latin(place: Path, people: People) -> None:
    """A CSV in Windows' code page with semicolons, as spreadsheets export it, without the names that it cannot hold."""
    lines = ["id;email;phone", *(f"{person.id};{person.email};'{person.phone}" for person in people.others)]
    (place / "export.csv").write_text("\r\n".join(lines) + "\r\n", encoding="cp1252")


@store("numpy", "the archive saved again without their rows", honest=True, table="vectors.csv", width=8)
def npz_rewritten(place: Path, people: People) -> None:
    """One compressed archive of ids and vectors."""
    np.savez_compressed(place / "people.npz", ids=np.array([p.id for p in people.others]), vectors=people.vectors[people.kept])


@store("numpy", "the copy of eight bits made again from the remaining people", honest=True, table="vectors.npz")
def npy_int8_rewritten(place: Path, people: People) -> None:
    """embeddings-int8.npy, scaled to ±127 over the whole table, and ids.json."""
    npy_rewritten(place, people)
    kept = people.vectors[people.kept]
    np.save(place / "embeddings-int8.npy", np.round(kept * 127 / np.abs(kept).max()).astype(np.int8))


@store("python", "backups older than the last erasure deleted, and a new one made", honest=True, table="texts.csv")
def folder_tar_renewed(place: Path, people: People) -> None:
    """A folder with people.csv and a backup that was made after the erasures."""
    folder_clean(place, people)
    content = _csv(people.others).encode()
    (place / "backups").mkdir()
    with tarfile.open(place / "backups" / "2026-10.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("people.csv")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))


@store("python", "rows removed from people.csv, and their pictures", honest=True, table="texts.csv")
def folder_pictures(place: Path, people: People) -> None:
    """A folder with people.csv and avatars/ID.png, which are one grey pixel."""
    folder_names(place, people)
    for person in people.deleted:
        (place / "avatars" / f"{person.id}.png").unlink()
