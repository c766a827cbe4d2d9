"""The search for deleted records: 300 of them in 24 MB of opaque state, of every kind that such bytes may be."""

from __future__ import annotations

import base64
import io
import zlib

import numpy as np

from auditor.domain import Dataset, Reason
from auditor.observing.record_forms import Wanted
from auditor.observing.search import Search
from benchmarks.measuring import line, seconds

RECORDS, FEATURES, DELETED, BYTES = 6_000, 64, 300, 24_000_000
PLACE = Reason("data.erased.place.state")


def wanted() -> tuple[Dataset, Wanted]:
    """Training data of which 300 records are looked for."""
    rng = np.random.default_rng(0)
    ids = np.array([f"rec-{at:05d}" for at in range(RECORDS)])
    train = Dataset(rng.normal(size=(RECORDS, FEATURES)), np.arange(RECORDS) % 2, ids)
    return train, Wanted.of(train, np.arange(DELETED, dtype=np.int64) * 7, frozenset())


def states() -> dict[str, bytes]:
    """Bytes that hold no record."""
    rng = np.random.default_rng(1)
    table = io.BytesIO()
    np.save(table, rng.normal(size=(BYTES // 8 // FEATURES, FEATURES)))
    random = rng.bytes(BYTES)
    return {
        "random bytes": random,
        "an array in NumPy's format": table.getvalue(),
        "base64 of random bytes": base64.b64encode(random)[:BYTES],
        "beginnings of packed streams": b"x\x9c" * (BYTES // 2),
        "a stream that unpacks to 24 GB": zlib.compress(zlib.compress(bytes(BYTES)) * 1_000),
    }


def searched(looked_for: Wanted, content: bytes) -> set[str]:
    """Search once."""
    search = Search(looked_for, controls=False)
    search.content(content, PLACE)
    return search.found


def main() -> None:
    """Time one search of each."""
    train, looked_for = wanted()
    for name, content in states().items():
        taken = seconds(lambda content=content: searched(looked_for, content), repeats=3)
        line(f"300 records in 24 MB of state: {name}", f"{taken:.1f} s", "under 3 s" if name == "random bytes" else "")
    row = train.features[7].tobytes()
    assert searched(looked_for, states()["random bytes"] + row) == {"rec-00007"}


if __name__ == "__main__":
    main()
