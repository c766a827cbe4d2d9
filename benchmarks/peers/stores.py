"""Vectors of erased people that are still in files, by Tombstone's byte probe and by `auditor scan`.

Both are told which vectors to look for: Tombstone from what it notes when a record arrives, which is simulated here, and
`auditor scan` from a table. One person has one vector.
"""

from __future__ import annotations

import csv
import gzip
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import numpy as np

from auditor.base.records import Floats
from benchmarks.peers import environments
from benchmarks.peers.sizes import SEED, Sizes

TIMED: Final = "NumPy, float32"
NOTHING: Final = "nothing left: NumPy, the others only"
FREED: Final = "SQLite, rows deleted"
PEOPLE: Final = 200
ERASED: Final = 40
WIDTH: Final = 64


def measure(sizes: Sizes, usable: Collection[str]) -> dict[str, Any]:
    """Search every place for every erased person."""
    vectors = np.random.default_rng([SEED, 6]).normal(size=(PEOPLE, WIDTH)).astype(np.float32)
    places = PLACES if sizes.repeats > 2 else dict(list(PLACES.items())[:2])
    found: dict[str, Any] = {"people": PEOPLE, "erased": ERASED, "width": WIDTH, "places": {}}
    for name, write in places.items():
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "place"
            place.mkdir()
            write(place, vectors)
            # A whole search takes seconds: the first place alone is searched several times over, for the time.
            repeats = sizes.repeats if name == TIMED else 1
            row: dict[str, Any] = {"there": there(place, vectors) if name == FREED else 0 if name == NOTHING else ERASED}
            row["auditor"] = _joined([own(Path(folder), place, vectors) for _ in range(repeats)])
            if "Tombstone" in usable:
                files = [str(each) for each in sorted(place.iterdir())]
                asked = {"vectors": vectors[:ERASED]}
                every = [environments.ask("Tombstone", "tombstone_probe", asked, files=files) for _ in range(repeats)]
                row["Tombstone"] = _joined(every)
        found["places"][name] = row
    return found


def _joined(every: list[dict[str, Any]]) -> dict[str, Any]:
    """One answer with the seconds of all repeats."""
    return every[0] | {"seconds": [each["seconds"] for each in every]}


def there(place: Path, vectors: Floats) -> int:
    """How many erased vectors have a half, or more, left in the bytes of the files."""
    content = b"".join(each.read_bytes() for each in place.rglob("*") if each.is_file())
    half = WIDTH // 2
    return sum(each[:half].tobytes() in content or each[half:].tobytes() in content for each in vectors[:ERASED])


def own(folder: Path, place: Path, vectors: Floats) -> dict[str, Any]:
    """The whole command."""
    table, log = folder / "table.csv", folder / "log.jsonl"
    _csv(table, vectors, first=0)
    times = {"received_at": "2026-01-05T09:00:00Z", "executed_at": "2026-01-09T09:00:00Z"}
    rows = [{"request_id": f"R{each}", "record_ids": [f"person-{each}"], **times} for each in range(ERASED)]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    words = [sys.executable, "-m", "auditor", "scan", str(place), "--log", str(log), "--data", str(table), "--id", "id", "--json"]
    began = time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    if done.returncode not in {0, 1, 3}:
        raise RuntimeError(f"auditor scan ended with exit code {done.returncode}: {done.stderr[-500:]}")
    said = json.loads(done.stdout)
    return {"found": len(said["requests_found"]), "verdict": said["verdict"], "seconds": seconds}


def _csv(path: Path, vectors: Floats, *, first: int) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["id", *(f"x{each}" for each in range(WIDTH))])
        lines.writerows([f"person-{first + row}", *map(repr, map(float, each))] for row, each in enumerate(vectors))


def _array(kind: str) -> Callable[[Path, Floats], None]:
    return lambda place, vectors: np.save(place / "vectors.npy", vectors.astype(kind))


def _packed(place: Path, vectors: Floats) -> None:
    with gzip.open(place / "vectors.npy.gz", "wb") as file:
        np.save(file, vectors)


def _database(place: Path, vectors: Floats, *, delete: bool) -> None:
    """The library's defaults: a row that is deleted stays in its page until another one takes the place."""
    with closing(sqlite3.connect(place / "vectors.db")) as database:
        database.execute("PRAGMA secure_delete = OFF")
        database.execute("CREATE TABLE vectors (number INTEGER PRIMARY KEY, vector BLOB)")
        database.executemany("INSERT INTO vectors VALUES (?, ?)", [(row, each.tobytes()) for row, each in enumerate(vectors)])
        database.commit()
        if delete:
            database.execute("DELETE FROM vectors WHERE number < ?", (ERASED,))
            database.commit()


def _rounded(place: Path, vectors: Floats) -> None:
    np.save(place / "vectors.npy", np.round(vectors, 3))


PLACES: Final[dict[str, Callable[[Path, Floats], None]]] = {
    TIMED: _array("<f4"),
    NOTHING: lambda place, vectors: np.save(place / "vectors.npy", vectors[ERASED:]),
    "NumPy, float64": _array("<f8"),
    "NumPy, float16": _array("<f2"),
    "NumPy, three decimals": _rounded,
    "NumPy, gzip": _packed,
    "SQLite, rows there": lambda place, vectors: _database(place, vectors, delete=False),
    FREED: lambda place, vectors: _database(place, vectors, delete=True),
    "CSV": lambda place, vectors: _csv(place / "vectors.csv", vectors, first=0),
}
"""What writes each place."""
