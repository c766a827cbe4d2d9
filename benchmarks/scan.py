"""`auditor scan` of one vector store, with everybody's vectors as the table: an index of faiss, flat, and a graph of hnswlib.

The stores are written here as these libraries write them, so that none has to be installed. Reading the file and its digest is
what any search has to do at least; the scan is compared with that. A million vectors only with `--long`.
"""

from __future__ import annotations

import hashlib
import math
import struct
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.measuring import Figure, bytes_of, times, watched

_LINKS = 16


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of each store, by the name that begins the rows of the page."""

    stores: dict[str, tuple[str, int, int]]
    """The form, rows and columns."""
    deleted: int = 100


_SMALL = {"few": ("flat", 2_000, 32), "flat": ("flat", 100_000, 128), "graph": ("graph", 100_000, 128)}
USUAL = Sizes(_SMALL)
LONG = Sizes({**_SMALL, "million": ("flat", 1_000_000, 128), "million-graph": ("graph", 1_000_000, 128)})
TINY = Sizes({name: (kind, 300, 8) for name, (kind, _, _) in _SMALL.items()}, deleted=3)


def flat(rows: npt.NDArray[np.float32]) -> bytes:
    """Write a flat index of faiss."""
    count, width = rows.shape
    return b"IxF2" + struct.pack("<iqqqBi", width, count, 1 << 20, 1 << 20, 1, 1) + struct.pack("<Q", rows.size) + rows.tobytes()


def graph(rows: npt.NDArray[np.float32]) -> bytes:
    """Write a graph of hnswlib, on one level, in which each row links to those after it."""
    count, width = rows.shape
    below = 2 * _LINKS
    label = 4 * (1 + below) + 4 * width
    row = np.dtype([("list", "<u4"), ("links", "<u4", (below,)), ("vector", "<f4", (width,)), ("label", "<u8")])
    held: npt.NDArray[Any] = np.zeros(count, dtype=row)
    held["list"], held["vector"], held["label"] = _LINKS, rows, np.arange(count)
    held["links"][:, :_LINKS] = (np.arange(count)[:, None] + np.arange(1, _LINKS + 1)) % count
    sizes = (0, count, count, label + 8, label, 4 * (1 + below), 0, 0, _LINKS, below, _LINKS, 1 / math.log(_LINKS), 200)
    return struct.pack("<6QiI3QdQ", *sizes) + held.tobytes() + bytes(4 * count)


_FORMS: dict[str, Callable[[npt.NDArray[np.float32]], bytes]] = {"flat": flat, "graph": graph}


def write_case(folder: Path, sizes: Sizes, kind: str, count: int, width: int) -> Path:
    """Write the table, the log and the store, and give the store."""
    rows = np.random.default_rng(7).normal(size=(count, width)).astype(np.float32)
    np.savez(folder / "people.npz", ids=np.array([f"person-{at:08d}" for at in range(count)]), features=rows)
    with (folder / "log.csv").open("w", encoding="utf-8") as log:
        log.write("request_id,record_ids,received_at,executed_at\n")
        for at in range(sizes.deleted):
            log.write(f"R-{at},person-{count - 1 - at:08d},2026-05-01T09:00:00Z,2026-05-02T09:00:00Z\n")
    store = folder / f"store.{kind}"
    store.write_bytes(_FORMS[kind](rows[: count - sizes.deleted]))
    return store


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Scan each store."""
    for name, (kind, count, width) in sizes.stores.items():
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            store = write_case(folder, sizes, kind, count, width)
            read = times(lambda store=store: hashlib.sha256(store.read_bytes()).digest(), repeats=3)  # type: ignore[misc]
            where = [str(store), "--log", str(folder / "log.csv"), "--data", str(folder / "people.npz")]
            # Labels of a graph say nothing of the table's ids, so that whose they are stays open.
            cost = watched("scan", *where, codes=(0, 3))
            size = store.stat().st_size
        yield Figure(f"{name}-seconds", (cost.seconds,), "s", (cost.processor,))
        yield bytes_of(f"{name}-memory", [cost.peak])
        yield Figure(f"{name}-speed", (size / 1e6 / cost.seconds,), "MB/s")
        yield Figure(f"{name}-reading", (size / 1e6 / read.middle,), "MB/s")
