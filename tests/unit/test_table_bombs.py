"""Tables of a case that unpack to gigabytes are one problem, and take little of the auditor."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.base import parquet_files
from auditor.base.errors import InputError
from auditor.base.limited import Room
from auditor.case import parquet
from auditor.case.files import Source
from auditor.case.npz import read_arrays

MEBIBYTE: Final = 1 << 20
ROOM: Final = 96
"""MiB that reading one of these files may take here."""
OWN: Final = 24
"""MiB that the auditor's own process may grow by."""

READ: Final = f"""
import json, resource, sys
from pathlib import Path
from auditor.base import parquet_files
from auditor.base.errors import InputError
from auditor.base.limited import Room
from auditor.case import parquet
from auditor.case.files import read_source
from peaks import own_peak

parquet_files.ROOM = Room({ROOM} << 20, 64, 20, 0)

told = {{}}
for path in map(Path, sys.argv[1:]):
    before = own_peak()
    for read in (parquet.log_rows, parquet.text_columns):
        try:
            read(read_source(path))
            found = "read"
        except InputError as error:
            found = error.problems[0].found
        told[path.name + " " + read.__name__] = found
    told[path.name] = own_peak() - before
print(json.dumps([told, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10]))
"""


def repeated(path: Path, rows: int, word: str) -> int:
    words = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int32)), pa.array([word]))
    pq.write_table(pa.table({"word": words}), path, store_schema=len(word) > 10)
    return path.stat().st_size


@pytest.mark.attempt("files that take more than others")
def test_a_word_that_repeats_is_one_problem_and_takes_little(tmp_path: Path) -> None:
    sizes = [repeated(tmp_path / "short.parquet", 16 * MEBIBYTE, "a"), repeated(tmp_path / "long.parquet", 20_000, "x" * 10_000)]
    assert max(sizes) < 100_000
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    paths = [str(tmp_path / name) for name in ("short.parquet", "long.parquet")]
    ran = subprocess.run([sys.executable, "-c", READ, *paths], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told, children = json.loads(ran.stdout)
    for name, size in zip(("short.parquet", "long.parquet"), sizes, strict=True):
        for read, room in (("log_rows", ROOM // 4), ("text_columns", ROOM)):
            assert told[f"{name} {read}"] == f"one that takes more than {(room << 20) + 64 * size} bytes of memory to read"
        assert told[name] < OWN
    assert children < 128 + ROOM + 64


def test_an_honest_file_is_read_whatever_the_process_that_tries_it(tmp_path: Path) -> None:
    path = tmp_path / "honest.parquet"
    pq.write_table(pa.table({"id": ["a", "b"], "value": [1.5, None], "when": pa.array([0, 1], pa.timestamp("ns"))}), path)
    found = parquet.log_rows(Source("honest.parquet", path.read_bytes()))
    assert [(each["id"], each["value"]) for each in found] == [("a", 1.5), ("b", None)]


def test_a_file_that_is_none_is_said_to_be_none() -> None:
    with pytest.raises(InputError) as raised:
        parquet.read_table(Source("broken.parquet", b"PAR1 and nothing PAR1"))
    assert raised.value.problems[0].expected == "a Parquet file"


@pytest.mark.attempt("files that take more than others")
def test_a_file_that_takes_too_long_is_one_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    size = repeated(tmp_path / "long.parquet", 8 * MEBIBYTE, "a")
    monkeypatch.setattr(parquet_files, "ROOM", Room(16 << 30, 64, 1, 0))
    with pytest.raises(InputError) as raised:
        parquet.log_rows(Source("long.parquet", (tmp_path / "long.parquet").read_bytes()))
    assert size < 100_000
    assert raised.value.problems[0].found == "one that takes more than 1 s to read"


def _npz(member: bytes, announced: int) -> bytes:
    """An archive whose directory announces so many bytes of its member."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("features.npy", member)
    content = bytearray(written.getvalue())
    at = content.index(b"PK\1\2") + 24
    content[at : at + 4] = announced.to_bytes(4, "little")
    return bytes(content)


@pytest.mark.attempt("files that take more than others")
@pytest.mark.parametrize(("announced", "held"), [(1 << 30, True), ((1 << 30) + 1, False), ((4 << 30) - 1, False)])
def test_a_small_archive_of_arrays_unpacks_to_a_gibibyte_at_most(announced: int, held: bool) -> None:
    with pytest.raises(InputError) as raised:
        read_arrays(Source("train.npz", _npz(b"no array", announced)), ("features",))
    said: Any = raised.value.problems[0]
    assert (said.expected == f"arrays of at most {1 << 30} bytes in total") is not held
