"""Files of counterexamples: written once, read again, and refused with what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.base.errors import InputError
from auditor.parts.controllers.counterexamples import Counterexample, Played, read

FOUND = Counterexample(
    controller=Played(use="sqlite", params={"secure_delete": False}, digest="0" * 64),
    case="1" * 64,
    seed=7,
    commuting=("get", "set"),
    left=(("a", "set", "z"), ("a", "delete", None)),
    right=(),
)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "counterexample-1.json"
    path.write_bytes(FOUND.to_bytes())
    assert read(path) == FOUND
    assert json.loads(path.read_bytes())["schema"] == "auditor.counterexample/1"
    assert read(path).sides[0][1].operation == "delete"


def _drop(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda document: document.pop(key)


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (_drop("seed"), "seed"),
        (lambda document: document.update(schema="auditor.counterexample/9"), "schema"),
        (lambda document: document.update(more=1), "more"),
        (lambda document: document.update(right=[["b", "set", "z"]]), "means the same"),
        (lambda document: document.update(left=[["a", 3, None]]), "left.0.1"),
        (lambda document: document.update(left=[["a", "set", "x" * 10_001]]), "left.0.2"),
        (lambda document: document["controller"].update(entry="controller.py:Own"), "use or entry"),
        (lambda document: document["controller"].update(use=None), "use or entry"),
        (lambda document: document["controller"].update(digest="zz"), "controller.digest"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: Callable[[dict[str, Any]], object], wanted: str) -> None:
    document = json.loads(FOUND.to_bytes())
    change(document)
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read(path)
    assert wanted in str(caught.value)
    assert "wrong.json" in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"[", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read(path)
    with pytest.raises(InputError):
        read(tmp_path)
    with pytest.raises(InputError):
        read(tmp_path / "none.json")
