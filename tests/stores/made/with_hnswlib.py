"""hnswlib: labels are numbers, and an index is one file."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from corpus import People, library, store

_OPEN = "not examined is acceptable"
_MARKED = "mark_deleted for each of them, then save_index"
_REBUILT = "a new index of the remaining people, saved over the old file"


def _index(people: People, positions: Iterable[int], space: str = "l2", capacity: int = 0, **init: Any) -> Any:
    hnswlib = library("hnswlib")

    positions = list(positions)
    index = hnswlib.Index(space=space, dim=people.vectors.shape[1])
    index.init_index(max_elements=capacity or len(positions), ef_construction=100, M=12, random_seed=7, **init)
    index.add_items(people.vectors[positions], people.numbers(positions), num_threads=1)
    return index


def _everybody(people: People) -> range:
    return range(len(people.everybody))


def _mark(index: Any, people: People, positions: Iterable[int]) -> None:
    for label in people.numbers(positions):
        index.mark_deleted(int(label))


@store("hnswlib", _MARKED, honest=False, table="vectors.npz", key="number")
def hnsw_marked(place: Path, people: People) -> None:
    """L2 index of everybody, add_items with the people's numbers as labels."""
    index = _index(people, _everybody(people))
    _mark(index, people, people.gone)
    index.save_index(str(place / "people.bin"))


@store("hnswlib", _REBUILT, honest=True, table="vectors.npz", key="number")
def hnsw_rebuilt(place: Path, people: People) -> None:
    """L2 index of everybody, then one of the remaining people."""
    _index(people, _everybody(people)).save_index(str(place / "people.bin"))
    _index(people, people.kept).save_index(str(place / "people.bin"))


@store(
    "hnswlib",
    "mark_deleted, then as many new people with replace_deleted=True: each slot is taken",
    honest=True,
    expect=_OPEN,
    table="vectors.npz",
    key="number",
)
def hnsw_replaced(place: Path, people: People) -> None:
    """L2 index with allow_replace_deleted=True; new customers came after the erasures. The table lacks those."""
    index = _index(people, _everybody(people), allow_replace_deleted=True)
    _mark(index, people, people.gone)
    new = people.draw.normal(size=(len(people.gone), people.vectors.shape[1])).astype(np.float32)
    index.add_items(new, np.arange(len(new)) + 2_000_000, num_threads=1, replace_deleted=True)
    index.save_index(str(place / "people.bin"))


@store("hnswlib", "mark_deleted, then half as many new people with replace_deleted=True", honest=False, key="number")
def hnsw_replaced_half(place: Path, people: People) -> None:
    """Inner-product index with allow_replace_deleted=True; too few new customers came."""
    index = _index(people, _everybody(people), "ip", allow_replace_deleted=True)
    _mark(index, people, people.gone)
    new = people.draw.normal(size=(len(people.gone) // 2, people.vectors.shape[1])).astype(np.float32)
    index.add_items(new, np.arange(len(new)) + 2_000_000, num_threads=1, replace_deleted=True)
    index.save_index(str(place / "people.bin"))


@store("hnswlib", "mark_deleted, then resize_index to twice the size, then save_index", honest=False, key="number")
def hnsw_marked_and_resized(place: Path, people: People) -> None:
    """L2 index that has grown: resized, and more people added."""
    index = _index(people, _everybody(people))
    _mark(index, people, people.gone)
    index.resize_index(2 * len(people.everybody))
    index.save_index(str(place / "vectors.hnsw"))


@store("hnswlib", _REBUILT, honest=True, table="vectors.npz", key="number")
def hnsw_cosine_rebuilt(place: Path, people: People) -> None:
    """Cosine index, which keeps vectors normalised; the table has them as they were embedded."""
    _index(people, people.kept, "cosine").save_index(str(place / "people.bin"))


@store("hnswlib", _MARKED, honest=False, table="vectors.npz", key="number")
def hnsw_cosine_marked(place: Path, people: People) -> None:
    """Cosine index whose labels are positions: only the vectors tell who is there."""
    hnswlib = library("hnswlib")

    index = hnswlib.Index(space="cosine", dim=people.vectors.shape[1])
    index.init_index(max_elements=len(people.everybody), ef_construction=100, M=8, random_seed=7)
    index.add_items(people.vectors, num_threads=1)
    for i in people.gone:
        index.mark_deleted(i)
    index.save_index(str(place / "people.bin"))


@store("hnswlib", "each vector overwritten with zeros by add_items under the same label", honest=False, key="number")
def hnsw_zeroed(place: Path, people: People) -> None:
    """L2 index; the operator thinks that a vector of zeros is nobody's, and the label stays."""
    index = _index(people, _everybody(people))
    index.add_items(np.zeros((len(people.gone), people.vectors.shape[1]), np.float32), people.numbers(people.gone), num_threads=1)
    index.save_index(str(place / "people.bin"))


@store("hnswlib", "a new index with new labels, and a new ids.json", honest=True, table="vectors.csv")
def hnsw_with_ids_rebuilt(place: Path, people: People) -> None:
    """Index with labels 0 to n, and ids.json with the customer ids in their order."""
    hnswlib = library("hnswlib")

    index = hnswlib.Index(space="l2", dim=people.vectors.shape[1])
    index.init_index(max_elements=len(people.kept), random_seed=7)
    index.add_items(people.vectors[people.kept], num_threads=1)
    index.save_index(str(place / "index.bin"))
    (place / "ids.json").write_text(json.dumps([person.id for person in people.others]), encoding="utf-8")


@store("hnswlib", "a new index of the remaining people; ids.json was forgotten", honest=False)
def hnsw_with_stale_ids(place: Path, people: People) -> None:
    """Index with labels 0 to n, and ids.json with everybody's customer id."""
    hnsw_with_ids_rebuilt(place, people)
    (place / "ids.json").write_text(json.dumps([person.id for person in people.everybody]), encoding="utf-8")


@store(
    "hnswlib", "a new index of the remaining people; the old one was moved aside", honest=False, table="vectors.npz", key="number"
)
def hnsw_old_beside(place: Path, people: People) -> None:
    """people.bin is clean, and people.bin.bak is yesterday's."""
    _index(people, _everybody(people)).save_index(str(place / "people.bin.bak"))
    _index(people, people.kept).save_index(str(place / "people.bin"))


@store("hnswlib", _REBUILT, honest=True, table="vectors.npz", key="number")
def hnsw_spare_capacity(place: Path, people: People) -> None:
    """Inner-product index with room for ten thousand, of which few are taken."""
    _index(people, people.kept, "ip", capacity=10_000).save_index(str(place / "people.bin"))


@store("hnswlib", "mark_deleted, undone by a job that calls unmark_deleted for all labels", honest=False, key="number")
def hnsw_unmarked(place: Path, people: People) -> None:
    """L2 index; the erased people are live again."""
    index = _index(people, _everybody(people))
    _mark(index, people, people.gone)
    for label in people.numbers(people.gone):
        index.unmark_deleted(int(label))
    index.save_index(str(place / "people.bin"))


@store("hnswlib", "mark_deleted, then pickle.dump of the index", honest=False, table="vectors.npz", key="number")
def hnsw_pickled(place: Path, people: People) -> None:
    """The index is kept as a pickle, which hnswlib supports."""
    index = _index(people, _everybody(people))
    _mark(index, people, people.gone)
    (place / "index.pkl").write_bytes(pickle.dumps(index))


@store("hnswlib", _REBUILT, honest=True, table="vectors.npz", key="number", size=2000)
def hnsw_large_rebuilt(place: Path, people: People) -> None:
    """Two thousand people, so that there are several levels of links."""
    _index(people, people.kept).save_index(str(place / "people.bin"))


@store("hnswlib", _REBUILT, honest=True, table="vectors.csv", key="number", size=60, width=8)
def hnsw_small_rebuilt(place: Path, people: People) -> None:
    """Sixty people in inner-product space."""
    _index(people, people.kept, "ip").save_index(str(place / "people.bin"))


@store("hnswlib", _REBUILT, honest=True, table="vectors.npz", key="number", width=384)
def hnsw_wide_rebuilt(place: Path, people: People) -> None:
    """Cosine index of vectors as wide as a sentence model's, with M=48."""
    hnswlib = library("hnswlib")

    index = hnswlib.Index(space="cosine", dim=people.vectors.shape[1])
    index.init_index(max_elements=len(people.kept), ef_construction=200, M=48, random_seed=7)
    index.add_items(people.vectors[people.kept], people.numbers(people.kept), num_threads=1)
    index.save_index(str(place / "people.bin"))


@store(
    "hnswlib",
    "a new index, loaded again and grown by other people since",
    honest=True,
    expect=_OPEN,
    table="vectors.npz",
    key="number",
)
def hnsw_grown_rebuilt(place: Path, people: People) -> None:
    """L2 index: loaded with a larger max_elements, half of the people added then; one updated, which the table lacks."""
    hnswlib = library("hnswlib")

    half = len(people.kept) // 2
    _index(people, people.kept[:half]).save_index(str(place / "people.bin"))
    index = hnswlib.Index(space="l2", dim=people.vectors.shape[1])
    index.load_index(str(place / "people.bin"), max_elements=3 * len(people.kept))
    rest = people.kept[half:]
    index.add_items(people.vectors[rest], people.numbers(rest), num_threads=1)
    index.add_items(people.vectors[rest[:1]] * 1.5, people.numbers(rest[:1]), num_threads=1)
    index.save_index(str(place / "people.bin"))


@store(
    "hnswlib",
    "a new index; others, who asked for nothing, are marked in it since",
    honest=True,
    table="vectors.npz",
    key="number",
)
def hnsw_others_marked(place: Path, people: People) -> None:
    """L2 index with marked rows of people whom no request is about."""
    index = _index(people, people.kept)
    _mark(index, people, people.kept[:9])
    index.save_index(str(place / "people.bin"))
