"""Embeddings of people's notes by a function that is handed in: in NumPy files, as many pipelines keep them, and in faiss."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from embedding import of_text

from corpus import People, library, store

_REBUILT = "the notes of the remaining people embedded again"
_FILTERED = "the application leaves out their positions"


def _embedded(people: People, positions: Iterable[int]) -> np.ndarray:
    return np.array([of_text(person.text) for person in people.of(positions)])


def _all(people: People) -> range:
    return range(len(people.everybody))


@store("numpy", _REBUILT, honest=True, table="texts.csv", embeds=True)
def embeddings_rebuilt(place: Path, people: People) -> None:
    """embeddings.npy in the order of ids.json."""
    np.save(place / "embeddings.npy", _embedded(people, people.kept))
    (place / "ids.json").write_text(json.dumps([person.id for person in people.others]), encoding="utf-8")


@store("numpy", _FILTERED, honest=False, table="texts.csv", embeds=True)
def embeddings_filtered(place: Path, people: People) -> None:
    """embeddings.npy of everybody, and the positions of the erased people in removed.npy."""
    np.save(place / "embeddings.npy", _embedded(people, _all(people)))
    np.save(place / "removed.npy", np.array(people.gone))


@store("numpy", "embeddings.npy written anew; its copy in eight bits was forgotten", honest=False, table="texts.csv", embeds=True)
def embeddings_eight_bits(place: Path, people: People) -> None:
    """embeddings.npy of the remaining people, and int8.npy of everybody with a range for each dimension."""
    np.save(place / "embeddings.npy", _embedded(people, people.kept))
    every = _embedded(people, _all(people))
    low, high = every.min(axis=0), every.max(axis=0)
    np.save(place / "int8.npy", ((every - low) / ((high - low) / 255) - 128).astype(np.int8))


@store("faiss-cpu", _REBUILT, honest=True, table="texts.csv", embeds=True)
def faiss_embeddings_rebuilt(place: Path, people: People) -> None:
    """IndexFlatIP of embeddings, without ids."""
    faiss = library("faiss")

    index = faiss.IndexFlatIP(64)
    index.add(_embedded(people, people.kept))
    faiss.write_index(index, str(place / "notes.faiss"))
