"""A store that is made to take gigabytes takes them from nobody: its place is left open, and the audit goes on."""

from __future__ import annotations

import gzip
import io
import json
import os
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.base.domain import InputFile, Message
from auditor.base.limited import NotReadError, Reader, Room
from auditor.parts.store.observing.limited_reading import LimitedSearch
from auditor.parts.store.observing.search import Search
from small_cases import problem, write

FEATURES, LABELS = problem()
IDS = np.array([f"rec-{index:04d}" for index in range(len(FEATURES))])
MEBIBYTE: Final = 1 << 20
ROOM: Final = 160
"""MiB that reading one of these files may take here, and twice its own size; seconds are few as well."""
OWN: Final = 64
"""MiB that the auditor's own process may grow by."""

AUDIT: Final = f"""
import json, resource, sys
from pathlib import Path
import replays
from auditor import case as cases
from auditor.base.limited import Room
from auditor.parts.store.observing import erasure, limited_reading
from peaks import own_peak

limited_reading._ROOM = Room({ROOM} << 20, 2, 8, 8)

case = cases.read(Path(sys.argv[1]))
replay = replays.plain(case)
before = own_peak()
seen = erasure.observe(case, replay)
kept = {{each.place.parameters["path"]: [each.bytes, each.unexplained] for each in seen.kept}}
why = {{each.place.parameters.get("path"): [each.why.code, dict(each.why.parameters)] for each in seen.not_searched}}
print(json.dumps({{
    "grown": own_peak() - before, "children": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, "kept": kept,
    "why": why, "open": [each.parameters["place"].parameters["path"] for each in seen.open_in_store],
    "found": seen.found, "recognised": seen.recognised_in_store,
    "loaded": sorted({{"torch", "sklearn", "pandas"}} & sys.modules.keys()),
}}))
"""


def _numbers_gz(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(64):
            file.write(b"1 2 3 4 5 6 7\n" * (MEBIBYTE // 14))


def _cells_in_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("table.csv", b"1,2,3,4\n" * (8 * MEBIBYTE))


def _zeros_npz(path: Path) -> None:
    array = io.BytesIO()
    np.save(array, np.zeros(32 * MEBIBYTE))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rows.npy", array.getvalue())


def _small_numbers_npy(path: Path) -> None:
    np.save(path, np.full(6 * MEBIBYTE, -100, dtype=np.int8))


def _repeated_parquet(path: Path) -> None:
    words = pa.DictionaryArray.from_arrays(pa.array(np.zeros(4 * MEBIBYTE, dtype=np.int32)), pa.array(["a word that repeats"]))
    pq.write_table(pa.table({"word": words}), path)


def _nested_json(path: Path) -> None:
    path.write_text("[" + "[1]," * (2 * MEBIBYTE) + "1]")


def _cells_csv(path: Path) -> None:
    path.write_text("a,b\n" + "1," * (4 * MEBIBYTE))


def _defaults_db(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (id INTEGER)")
        database.execute(
            "INSERT INTO t WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9000) SELECT n FROM c"
        )
        database.execute(f"ALTER TABLE t ADD COLUMN more TEXT DEFAULT '{'x' * 60_000}'")
        database.commit()


def _packed_in_packed(path: Path) -> None:
    path.write_bytes(gzip.compress(gzip.compress(b"0.5 1.5\n" * (24 * MEBIBYTE))))


BOMBS: Final[dict[str, Callable[[Path], None]]] = {
    "numbers.txt.gz": _numbers_gz,
    "cells.zip": _cells_in_zip,
    "zeros.npz": _zeros_npz,
    "small.npy": _small_numbers_npy,
    "repeated.parquet": _repeated_parquet,
    "nested.json": _nested_json,
    "cells.csv": _cells_csv,
    "defaults.db": _defaults_db,
    "packed.bin.gz": _packed_in_packed,
}


QUICK: Final = ("numbers.txt.gz", "small.npy", "repeated.parquet")


def bombed(folder: Path, names: Iterable[str]) -> dict[str, Any]:
    """What an audit in a process of its own saw of a store with these bombs and one honest file."""
    write(folder, FEATURES, LABELS, data='store = "store"')
    (folder / "store").mkdir()
    np.savez(folder / "store" / "kept.npz", features=FEATURES[3:], ids=IDS[3:])
    for name in names:
        BOMBS[name](folder / "store" / name)
    paths = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, sys.path)])
    ran = subprocess.run(
        [sys.executable, "-c", AUDIT, str(folder)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def require_open(seen: dict[str, Any], names: Iterable[str]) -> None:
    """See that each bomb leaves its place open with the reason, takes little, and hides nothing else."""
    for name in names:
        path = f"store/{name}"
        assert path in seen["open"]
        size, unexplained = seen["kept"][path]
        assert unexplained >= 0.9 * size > 0
        code, parameters = seen["why"][path]
        assert code.startswith("data.erased.unreadable.")
        if code.endswith(("memory", "time")):
            assert set(parameters) == {"bytes" if code.endswith("memory") else "seconds"}
    assert seen["grown"] < OWN
    # What it has before, its room, and the largest of the files twice.
    assert seen["children"] < 160 + ROOM + 2 * 9
    assert seen["loaded"] == []
    assert "store/kept.npz" not in seen["open"]
    assert seen["kept"]["store/kept.npz"][1] == 0
    assert (seen["found"], seen["recognised"]) == (0, True)


@pytest.mark.attempt("files that take more than others")
def test_bombs_leave_their_places_open_and_take_little(tmp_path: Path) -> None:
    require_open(bombed(tmp_path, QUICK), QUICK)


@pytest.mark.attempt("files that take more than others")
@pytest.mark.slow  # test_bombs_leave_their_places_open_and_take_little
def test_every_bomb_leaves_its_place_open_and_takes_little(tmp_path: Path) -> None:
    require_open(bombed(tmp_path, BOMBS), BOMBS)


def test_a_file_that_cannot_be_read_and_names_a_deleted_record_is_counted_among_those_that_show_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is found anywhere is found in a place: a document in which no place counts it would contradict itself."""

    def ask(*_: object, **__: object) -> object:
        raise NotReadError("memory", 1)

    monkeypatch.setattr(Reader, "ask", ask)
    wanted = SimpleNamespace(deleted=SimpleNamespace(in_text=lambda text, **_: {"user-0042"} if "user-0042" in text else set()))
    search = Search(wanted)
    limited = LimitedSearch(search, Reader("nowhere:serve", None, Room(1, 1, 1, 1)))
    place = Message("data.erased.place.store", {"path": "store/user-0042.parquet"})
    listed = InputFile("store/user-0042.parquet", "0" * 64, 10)
    limited.file(tmp_path / "user-0042.parquet", listed, place)
    limited.held(b"", place, name="user-0042.json")
    limited.held(b"", place, name="other.json")
    assert search.found == {"user-0042"}
    assert [each.found for each in search.searched] == [1, 1]
    assert len(search.not_searched) == 3
