"""The [requester] table: what it takes, and what is said of every key that is wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from auditor.base.errors import InputError
from auditor.case import Case, read
from auditor.parts.data_deletion.learning.requesters import REQUESTERS as OURS
from auditor.settings.controller import REQUESTERS
from cases import SAMPLES


def case_with(folder: Path, table: str) -> Case:
    target = folder / "case"
    shutil.copytree(SAMPLES / "digits-own-procedure", target, ignore=shutil.ignore_patterns("audit", "__pycache__"))
    text = (target / "audit.toml").read_text(encoding="utf-8")
    (target / "audit.toml").write_text(f"{text}\n{table}", encoding="utf-8")
    (target / "own.py").write_text("class Mine: ...\n", encoding="utf-8")
    return read(target)


def test_those_that_can_be_named_are_those_that_there_are() -> None:
    assert sorted(REQUESTERS) == sorted(OURS)


def test_without_the_table_there_is_none(tmp_path: Path) -> None:
    assert case_with(tmp_path, "").settings.requester is None


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    found = case_with(tmp_path, '[requester]\nuse = "group-by-sign"\n').settings.requester
    assert found is not None
    assert (found.seen, found.rounds, found.games, found.confidence, found.foreign) == (1, 2, 200, 0.95, False)


def test_an_own_one_is_an_input_of_the_case(tmp_path: Path) -> None:
    case = case_with(tmp_path, '[requester]\nentry = "own.py:Mine"\nseen = 3\nrounds = 5\n')
    assert case.settings.requester is not None
    assert case.settings.requester.foreign
    assert "own.py" in {item.path for item in case.inputs}


@pytest.mark.parametrize(
    ("table", "where", "words"),
    [
        ("", "requester", "expected either use"),
        ('use = "group-by-sign"\nentry = "own.py:Mine"', "requester", "found both"),
        ('use = "group-by-sig"', "requester.use", "did you mean group-by-sign?"),
        ('entry = "own.py:no name"', "requester.entry", 'expected "file.py:ClassName"'),
        ('entry = "gone.py:Mine"', "requester.entry", "gone.py"),
        ('entry = "../own.py:Mine"', "requester.entry", "own.py"),
        ('use = "group-by-sign"\nseen = 3', "requester", "seen at most rounds (2)"),
        ('use = "group-by-sign"\ngames = 39', "requester.games", "at least 40"),
        ('use = "group-by-sign"\nround = 3', "requester.round", "did you mean rounds?"),
    ],
)
def test_a_wrong_key_is_named(tmp_path: Path, table: str, where: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        case_with(tmp_path, f"[requester]\n{table}\n")
    (problem,) = caught.value.problems
    assert where in str(problem)
    assert words in str(problem)
