"""`data.erased` on a large data store: an audit of nothing else, whose store is a folder of files of one format.

Their rows are those of retained records and of people whom the training data do not know. 64 MB of each format; with `--long`
1 GB of Parquet files too.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.large_table import CASE
from benchmarks.measuring import Figure, bytes_of, watched

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the training data, the log and the stores, each of which is audited."""

    stores: dict[str, tuple[str, int]]
    """Format and bytes of each by the name that begins the rows of the page."""
    records: int = 20_000
    columns: int = 64
    requests: int = 20
    rows_a_file: int = 30_000


_EACH = {"parquet": ("parquet", 64 << 20), "csv": ("csv", 64 << 20), "sqlite": ("sqlite", 64 << 20)}
USUAL = Sizes(_EACH)
LONG = Sizes({**_EACH, "gigabyte": ("parquet", 1 << 30)})
TINY = Sizes({name: (kind, 20_000) for name, (kind, _) in _EACH.items()}, records=60, columns=4, requests=4, rows_a_file=100)


def _table(rng: np.random.Generator, sizes: Sizes, rows: int, name: str) -> pa.Table:
    import pyarrow as pa  # noqa: PLC0415  (slow to import)

    drawn = rng.normal(size=(rows, sizes.columns))
    drawn /= 1.0001 * np.linalg.norm(drawn, axis=1, keepdims=True)
    features = {f"x{at}": drawn[:, at] for at in range(sizes.columns)}
    return pa.table({"id": [f"{name}-{at:07d}" for at in range(rows)], **features, "label": np.arange(rows) % 2})


def _write(table: pa.Table, path: Path) -> None:
    import pyarrow.csv  # noqa: PLC0415  (slow to import)
    import pyarrow.parquet as pq  # noqa: PLC0415

    match path.suffix:
        case ".parquet":
            pq.write_table(table, path)
        case ".csv":
            pyarrow.csv.write_csv(table, path)
        case _:
            names = ", ".join(f"{name} {'TEXT' if name == 'id' else 'REAL'}" for name in table.column_names)
            names = names.replace("label REAL", "label INTEGER")
            with closing(sqlite3.connect(path)) as opened, opened:
                opened.execute(f"CREATE TABLE people ({names})")
                cells = zip(*(column.to_pylist() for column in table.columns), strict=True)
                opened.executemany(f"INSERT INTO people VALUES ({', '.join('?' * table.num_columns)})", cells)


def write_case(folder: Path, sizes: Sizes, kind: str, size: int) -> None:
    """Write a case whose store has at least so many bytes."""
    rng = np.random.default_rng(7)
    train = _table(rng, sizes, sizes.records, "train")
    _write(train, folder / "train.parquet")
    _write(_table(rng, sizes, sizes.records // 10, "holdout"), folder / "holdout.parquet")
    with (folder / "deletions.jsonl").open("w", encoding="utf-8") as log:
        for number in range(sizes.requests):
            row = {"request_id": f"REQ-{number:03d}", "record_ids": [f"train-{number:07d}"], "batch": "batch-0"}
            log.write(json.dumps({**row, "received_at": "2026-05-01T09:00:00Z", "executed_at": "2026-05-02T09:00:00Z"}) + "\n")
    (folder / "store").mkdir()
    _write(train.slice(sizes.requests), folder / "store" / f"retained.{kind}")
    written = 0
    while written < size:
        path = folder / "store" / f"others-{written}.{kind}"
        _write(_table(rng, sizes, sizes.rows_a_file, f"other-{written}"), path)
        written += path.stat().st_size
    case = CASE.replace(".npz", ".parquet").replace("[data]", '[data]\nid = "id"\nlabel = "label"\nstore = "store"')
    (folder / "audit.toml").write_text(case.replace("large-table", "large-store"), encoding="utf-8")


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Audit each store."""
    for name, (kind, size) in sizes.stores.items():
        with tempfile.TemporaryDirectory() as folder:
            write_case(Path(folder), sizes, kind, size)
            # The policy asks for more than one check can show: any verdict will do.
            cost = watched("check", folder, "--jobs", "1", "--only", "data.erased", codes=(0, 1, 3))
        yield Figure(f"{name}-seconds", (cost.seconds,), "s", (cost.processor,))
        yield bytes_of(f"{name}-memory", [cost.peak])
