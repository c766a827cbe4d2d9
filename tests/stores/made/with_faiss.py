"""faiss: indexes of many kinds, one file each; most hold no ids but positions."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corpus import People, library, store

_REMOVED = "remove_ids for each of them, then write_index"
_REBUILT = "a new index, trained and filled with the remaining people only"
_NOTHING = "nothing: the ids were removed from the application's database only"
_OPEN = "not examined is acceptable"


def _write(index: Any, path: Path) -> None:
    faiss = library("faiss")

    faiss.write_index(index, str(path))


def _filled(description: str, people: People, positions: Sequence[int], taught: Sequence[int] | None = None) -> Any:
    faiss = library("faiss")

    faiss.omp_set_num_threads(1)
    index = faiss.index_factory(people.vectors.shape[1], description)
    index.train(people.vectors[list(taught if taught is not None else positions)])
    if description.startswith(("IDMap", "IVF")):
        index.add_with_ids(people.vectors[list(positions)], people.numbers(positions))
    else:
        index.add(people.vectors[list(positions)])
    return index


def _all(people: People) -> range:
    return range(len(people.everybody))


@store("faiss-cpu", _REMOVED, honest=True, table="vectors.npz")
def faiss_flat_removed(place: Path, people: People) -> None:
    """IndexFlatL2: vectors in order, without ids."""
    index = _filled("Flat", people, _all(people))
    index.remove_ids(np.array(people.gone, dtype=np.int64))
    _write(index, place / "index.faiss")


@store("faiss-cpu", _NOTHING, honest=False, table="vectors.npz")
def faiss_flat_kept(place: Path, people: People) -> None:
    """IndexFlatIP of everybody."""
    faiss = library("faiss")

    index = faiss.IndexFlatIP(people.vectors.shape[1])
    index.add(people.vectors)
    _write(index, place / "index.faiss")


@store("faiss-cpu", _NOTHING, honest=False, expect=_OPEN)
def faiss_flat_kept_unseen(place: Path, people: People) -> None:
    """IndexFlatL2 of everybody; it holds no ids, and nobody gives the vectors to look for."""
    _write(_filled("Flat", people, _all(people)), place / "index.faiss")


@store("faiss-cpu", _REMOVED, honest=True, expect=_OPEN)
def faiss_flat_removed_unseen(place: Path, people: People) -> None:
    """IndexFlatL2; it holds no ids, and nobody gives the vectors to look for."""
    faiss_flat_removed(place, people)


@store("faiss-cpu", "remove_ids for all but one of them, whose ticket was overlooked", honest=False, table="vectors.npz")
def faiss_flat_one_left(place: Path, people: People) -> None:
    """IndexFlatL2 with one of the erased people in it."""
    index = _filled("Flat", people, _all(people))
    index.remove_ids(np.array(people.gone[1:], dtype=np.int64))
    _write(index, place / "index.faiss")


@store("faiss-cpu", _REMOVED, honest=True, table="vectors.npz", key="number")
def faiss_idmap_removed(place: Path, people: People) -> None:
    """IndexIDMap over IndexFlatL2, add_with_ids with the people's numbers."""
    index = _filled("IDMap,Flat", people, _all(people))
    index.remove_ids(people.numbers(people.gone))
    _write(index, place / "people.index")


@store("faiss-cpu", _REMOVED, honest=True, table="vectors.npz", key="number")
def faiss_idmap2_removed(place: Path, people: People) -> None:
    """IndexIDMap2 over IndexFlatL2; the log's ids are the index's."""
    index = _filled("IDMap2,Flat", people, _all(people))
    index.remove_ids(people.numbers(people.gone))
    _write(index, place / "people.index")


@store("faiss-cpu", "remove_ids for half of them", honest=False, key="number")
def faiss_idmap_half_left(place: Path, people: People) -> None:
    """IndexIDMap over IndexFlatL2; the job died in the middle."""
    index = _filled("IDMap,Flat", people, _all(people))
    index.remove_ids(people.numbers(people.gone[::2]))
    _write(index, place / "people.index")


@store("faiss-cpu", _REMOVED, honest=True, expect=_OPEN, table="vectors.npz", key="number")
def faiss_ivf_removed(place: Path, people: People) -> None:
    """IVF8,Flat; its eight centroids are still means over everybody."""
    index = _filled("IVF8,Flat", people, _all(people))
    index.remove_ids(people.numbers(people.gone))
    _write(index, place / "ivf.index")


@store("faiss-cpu", _REBUILT, honest=True, table="vectors.npz", key="number")
def faiss_ivf_rebuilt(place: Path, people: People) -> None:
    """IVF8,Flat."""
    _write(_filled("IVF8,Flat", people, people.kept), place / "ivf.index")


@store("faiss-cpu", "remove_ids for all but three", honest=False, key="number")
def faiss_ivf_left(place: Path, people: People) -> None:
    """IVF16,Flat; three were overlooked."""
    index = _filled("IVF16,Flat", people, _all(people))
    index.remove_ids(people.numbers(people.gone[3:]))
    _write(index, place / "ivf.index")


@store("faiss-cpu", _REMOVED, honest=False, table="vectors.npz", key="number")
def faiss_ivf_centroids(place: Path, people: People) -> None:
    """IVF over a quantizer whose centroids are people: the erased people's vectors stay as centroids."""
    faiss = library("faiss")

    width = people.vectors.shape[1]
    quantizer = faiss.IndexFlatL2(width)
    quantizer.add(people.vectors[people.gone + people.kept[:20]])
    index = faiss.IndexIVFFlat(quantizer, width, len(people.gone) + 20)
    index.add_with_ids(people.vectors, people.numbers(_all(people)))
    index.remove_ids(people.numbers(people.gone))
    _write(index, place / "ivf.index")


@store("faiss-cpu", _REBUILT, honest=True, table="vectors.npz")
def faiss_hnsw_rebuilt(place: Path, people: People) -> None:
    """HNSW16: this kind has no remove_ids."""
    _write(_filled("HNSW16", people, people.kept), place / "hnsw.index")


@store("faiss-cpu", "deleted.json lists positions that queries leave out", honest=False, table="vectors.npz")
def faiss_hnsw_filtered(place: Path, people: People) -> None:
    """HNSW16 of everybody, filtered by the application."""
    _write(_filled("HNSW16", people, _all(people)), place / "hnsw.index")
    (place / "deleted.json").write_text(json.dumps(people.gone), encoding="utf-8")


@store("faiss-cpu", _REBUILT, honest=True, table="vectors.npz")
def faiss_sq8_rebuilt(place: Path, people: People) -> None:
    """SQ8: eight bits a value."""
    _write(_filled("SQ8", people, people.kept), place / "sq8.index")


@store("faiss-cpu", _REMOVED, honest=True, expect=_OPEN, table="vectors.npz")
def faiss_sq8_removed(place: Path, people: People) -> None:
    """SQ8; the ranges of its values were trained on everybody."""
    index = _filled("SQ8", people, _all(people))
    index.remove_ids(np.array(people.gone, dtype=np.int64))
    _write(index, place / "sq8.index")


@store("faiss-cpu", _NOTHING, honest=False, table="vectors.npz")
def faiss_sq8_kept(place: Path, people: People) -> None:
    """SQ8 of everybody."""
    _write(_filled("SQ8", people, _all(people)), place / "sq8.index")


@store("faiss-cpu", _NOTHING, honest=False, table="vectors.npz")
def faiss_sqfp16_kept(place: Path, people: People) -> None:
    """SQfp16 of everybody: half precision."""
    _write(_filled("SQfp16", people, _all(people)), place / "fp16.index")


@store("faiss-cpu", _REBUILT, honest=True, expect=_OPEN, table="vectors.npz")
def faiss_pq_rebuilt(place: Path, people: People) -> None:
    """PQ8x4: eight codes of four bits a vector."""
    _write(_filled("PQ8x4", people, people.kept), place / "pq.index")


@store("faiss-cpu", _NOTHING, honest=False, expect=_OPEN, table="vectors.npz")
def faiss_pq_kept(place: Path, people: People) -> None:
    """PQ16x4 of everybody."""
    _write(_filled("PQ16x4", people, _all(people)), place / "pq.index")


@store("faiss-cpu", _NOTHING, honest=False, key="number", table="vectors.npz")
def faiss_ivfpq_kept(place: Path, people: People) -> None:
    """IVF8,PQ8x4 of everybody, under their numbers."""
    _write(_filled("IVF8,PQ8x4", people, _all(people)), place / "ivfpq.index")


@store("faiss-cpu", _NOTHING, honest=False, expect=_OPEN, table="vectors.npz")
def faiss_pca_kept(place: Path, people: People) -> None:
    """PCA16,Flat of everybody: vectors under a trained map."""
    _write(_filled("PCA16,Flat", people, _all(people)), place / "pca.index")


@store("faiss-cpu", "a new index; the nightly job keeps the last three", honest=False, table="vectors.npz")
def faiss_flat_old_file(place: Path, people: People) -> None:
    """index.faiss is clean, and index.faiss.2026-08-31 lies alongside it."""
    _write(_filled("Flat", people, _all(people)), place / "index.faiss.2026-08-31")
    _write(_filled("Flat", people, people.kept), place / "index.faiss")


@store("faiss-cpu", "remove_ids on the index; the docstore was forgotten", honest=False, table="vectors.npz")
def faiss_docstore_left(place: Path, people: People) -> None:
    """index.faiss with index.pkl, ids and texts by position, as frameworks keep them."""
    faiss_flat_removed(place, people)
    told = {i: {"id": person.id, "text": person.text} for i, person in enumerate(people.everybody)}
    (place / "index.pkl").write_bytes(pickle.dumps(told))


@store("faiss-cpu", "remove_ids on the index, and the docstore written anew", honest=True, expect=_OPEN, table="vectors.npz")
def faiss_docstore_rewritten(place: Path, people: People) -> None:
    """index.faiss with index.pkl, ids and texts by position, as frameworks keep them."""
    faiss_flat_removed(place, people)
    told = {i: {"id": person.id, "text": person.text} for i, person in enumerate(people.others)}
    (place / "index.pkl").write_bytes(pickle.dumps(told))


@store("faiss-cpu", _REBUILT, honest=True, table="vectors.csv", width=8, size=80)
def faiss_flat_ip_rebuilt(place: Path, people: People) -> None:
    """IndexFlatIP of eighty people."""
    faiss = library("faiss")

    index = faiss.IndexFlatIP(people.vectors.shape[1])
    index.add(people.vectors[people.kept])
    _write(index, place / "index.faiss")


@store("faiss-cpu", _REBUILT, honest=True, table="vectors.npz", key="number")
def faiss_idmap_hnsw_rebuilt(place: Path, people: People) -> None:
    """IndexIDMap over HNSW."""
    _write(_filled("IDMap,HNSW16", people, people.kept), place / "hnsw.index")


@store("faiss-cpu", _REBUILT, honest=True, table="vectors.npz")
def faiss_sqfp16_rebuilt(place: Path, people: People) -> None:
    """SQfp16: half precision."""
    _write(_filled("SQfp16", people, people.kept), place / "fp16.index")


@store("faiss-cpu", _REBUILT, honest=True, expect=_OPEN, table="vectors.npz", key="number")
def faiss_ivfsq8_rebuilt(place: Path, people: People) -> None:
    """IVF8,SQ8."""
    _write(_filled("IVF8,SQ8", people, people.kept), place / "ivfsq.index")


@store("faiss-cpu", _REBUILT, honest=True, table="vectors.npz", width=384, key="number")
def faiss_wide_rebuilt(place: Path, people: People) -> None:
    """IndexIDMap2 over IndexFlatIP, of vectors as wide as a sentence model's and of length one."""
    faiss = library("faiss")

    index = faiss.IndexIDMap2(faiss.IndexFlatIP(people.vectors.shape[1]))
    unit = people.vectors[people.kept] / np.linalg.norm(people.vectors[people.kept], axis=1, keepdims=True)
    index.add_with_ids(unit, people.numbers(people.kept))
    _write(index, place / "people.index")
