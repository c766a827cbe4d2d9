"""The search for deleted records: 300 of them in 24 MB of opaque state, of every kind that such bytes may be."""

from __future__ import annotations

import base64
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from auditor.base.domain import Message
from auditor.base.records import Dataset
from auditor.parts.store.observing.record_forms import Wanted
from auditor.parts.store.observing.search import Search
from benchmarks.measuring import Figure, times

FEATURES = 64
PLACE = Message("data.erased.place.state")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the table, the log and the state."""

    records: int
    deleted: int
    size: int
    """Bytes of the state."""
    repeats: int
    packed: int = 1_000
    """How many times its size a stream unpacks to."""


USUAL = Sizes(records=6_000, deleted=300, size=24_000_000, repeats=2)
TINY = Sizes(records=40, deleted=3, size=24_000, repeats=1, packed=10)


def wanted(sizes: Sizes) -> tuple[Dataset, Wanted]:
    """Training data of which some records are searched for."""
    rng = np.random.default_rng(0)
    ids = np.array([f"rec-{at:05d}" for at in range(sizes.records)])
    train = Dataset(rng.normal(size=(sizes.records, FEATURES)), np.arange(sizes.records) % 2, ids)
    return train, Wanted.of(train, np.arange(sizes.deleted, dtype=np.int64) * 7, frozenset())


def states(sizes: Sizes) -> dict[str, bytes]:
    """Bytes that hold no record, by row."""
    rng = np.random.default_rng(1)
    table = io.BytesIO()
    np.save(table, rng.normal(size=(sizes.size // 8 // FEATURES, FEATURES)))
    random = rng.bytes(sizes.size)
    return {
        "random": random,
        "array": table.getvalue(),
        "base64": base64.b64encode(random)[: sizes.size],
        "beginnings": b"x\x9c" * (sizes.size // 2),
        "packed": zlib.compress(zlib.compress(bytes(sizes.size)) * sizes.packed),
    }


def searched(looked_for: Wanted, content: bytes) -> set[str]:
    """Search once."""
    search = Search(looked_for, controls=False)
    search.content(content, PLACE)
    return search.found


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time one search of each.

    Raises:
        AssertionError: If a record that is there is not found.
    """
    train, looked_for = wanted(sizes)
    every = states(sizes)
    row = train.features[7].tobytes()
    if searched(looked_for, every["random"] + row) != {"rec-00007"}:
        raise AssertionError("the search does not find the record that is there")
    for name, content in every.items():
        yield times(lambda content=content: searched(looked_for, content), repeats=sizes.repeats, warm_up=0).figure(name)
