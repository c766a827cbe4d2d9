"""Model files that are made to take gigabytes are one problem with the case, and take little of the auditor."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from auditor.base.model_formats import Comparison, asking, held_against
from auditor.base.model_formats.skops_files import canonical

MEBIBYTE: Final = 1 << 20
ROOM: Final = 48
"""MiB that reading one of these files may take here, and twice its own size."""
OWN: Final = 32
"""MiB that the auditor's own process may grow by, and three times the file."""

READ: Final = f"""
import json, resource, sys
from pathlib import Path
from auditor.base.errors import InputError
from auditor.base.limited import Room
from auditor.base.model_formats import asking
from auditor.case import artifacts
from auditor.case.files import read_source
from peaks import own_peak

asking.ROOM = Room({ROOM} << 20, 2, 20, 0)

told = {{}}
for path in map(Path, sys.argv[1:]):
    before = own_peak()
    try:
        artifacts.released(read_source(path))
        found = "read"
    except InputError as error:
        found = error.problems[0].found
    told[path.name] = [found, own_peak() - before]
print(json.dumps([told, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, "torch" in sys.modules]))
"""


def _packed(count: int) -> bytes:
    """An object whose one value is a packed array of small negative numbers, a byte each."""
    return b"{U\1a[$i#l" + count.to_bytes(4, "big") + b"\x80" * count + b"}"


def _of_lists(count: int) -> bytes:
    return b"{U\1a[" + b"[]" * count + b"]}"


def _json(count: int) -> bytes:
    return b'{"learner": {}, "a": [' + b"{}," * count + b"1]}"


def _text(count: int) -> bytes:
    return b"tree\nTree=0\na=" + b"1 " * count + b"1\nend of trees\n"


def _skops(schema: bytes, member: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("schema.json", schema)
        archive.writestr("a.npy", member)
    return written.getvalue()


def _array(count: int) -> bytes:
    written = io.BytesIO()
    np.save(written, np.zeros(count))
    return written.getvalue()


def _repeating(times: int) -> bytes:
    """A schema that names one array again and again."""
    return json.dumps({"content": [{"__loader__": "NdArrayNode", "file": "a.npy"}] * times}).encode()


BOMBS: Final[dict[str, Callable[[], bytes]]] = {
    "packed.ubj": lambda: _packed(3 * MEBIBYTE),
    "lists.ubj": lambda: _of_lists(3 * MEBIBYTE // 2),
    "objects.json": lambda: _json(MEBIBYTE),
    "numbers.txt": lambda: _text(2 * MEBIBYTE),
    "zeros.skops": lambda: _skops(_repeating(1), _array(12 * MEBIBYTE)),
    "schema.skops": lambda: _skops(b'{"a": [' + b"{}," * (3 * MEBIBYTE // 2) + b"1]}", _array(1)),
}


@pytest.mark.attempt("files that take more than others")
def test_a_bomb_is_one_problem_and_takes_little(tmp_path: Path) -> None:
    for name, make in BOMBS.items():
        (tmp_path / name).write_bytes(make())
    paths = [str(tmp_path / name) for name in BOMBS]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run([sys.executable, "-c", READ, *paths], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told: tuple[dict[str, tuple[str, int]], int, bool] = json.loads(ran.stdout)
    results, children, torch = told
    for name, (found, grown) in results.items():
        size = (tmp_path / name).stat().st_size
        assert found == f"one that takes more than {(ROOM << 20) + 2 * size} bytes of memory to read"
        assert grown < OWN + 3 * (size >> 20)
    largest = max((tmp_path / name).stat().st_size for name in BOMBS) >> 20
    assert children < 96 + ROOM + 2 * largest
    assert not torch


def test_honest_files_are_read_and_compared_as_in_this_process() -> None:
    model = b'{"learner": {"a": [1, 2.5, null]}}'
    other = b'{"learner": {"a": [1, 2.75, null]}}'
    assert asking.described("m.json", model) == ("xgboost-json", ())
    for saved in (model, other, b"{}", b"no model"):
        assert asking.held_against(model, saved, "xgboost-json") == held_against(model, saved, "xgboost-json")


def test_two_files_that_cannot_be_compared_within_their_limits_are_not_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "ROOM", asking.Room(ROOM << 20, 2, 20, 0))
    assert asking.held_against(b"{U\1a[$i#U\1\x80}", _packed(8 * MEBIBYTE), "xgboost-ubj") is None


@pytest.mark.attempt("files that take more than others")
def test_an_array_that_a_schema_names_often_is_held_once() -> None:
    content = _skops(_repeating(20_000), _array(MEBIBYTE // 8))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    code = (
        "import sys; from auditor.base.model_formats.skops_files import parse; from peaks import own_peak;"
        "parse(sys.stdin.buffer.read()); print(own_peak())"
    )
    ran = subprocess.run([sys.executable, "-c", code], env=environment, input=content, capture_output=True, check=False)
    assert int(ran.stdout) < 256, ran.stderr
    assert len(canonical(content)) < 3 * MEBIBYTE


@pytest.mark.attempt("files that take more than others")
def test_a_form_with_indents_is_compared_without_being_written_out() -> None:
    deep: Any = [1] * 2_000
    for _ in range(150):
        deep = [deep]
    document = {"tree_info": deep}
    saved = json.dumps(document).encode()
    spellings: list[dict[str, Any]] = [{}, {"indent": 4}, {"separators": (",", ":")}, {"indent": 2, "sort_keys": True}]
    written = [json.dumps(document, **each).encode() for each in spellings]
    assert len(written[1]) > 100 * len(saved)
    for content in (each + end for each in written for end in (b"", b"\n")):
        assert held_against(content, saved, "lightgbm-dump") == Comparison(equal=True)
    tracemalloc.start()
    for content in (saved + b"\n\n", saved + b" ", saved[:-1] + b" }", b'{"tree_info": []}'):
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        found = held_against(content, saved, "lightgbm-dump")
        assert found is None or not found.equal
        assert tracemalloc.get_traced_memory()[1] - before < MEBIBYTE
    tracemalloc.stop()
