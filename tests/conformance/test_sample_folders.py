"""A sample is one folder: what it holds, what its pages say, and the table of all of them."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import ValidationError

from auditor.base import samples
from auditor.base.samples import OWN_CODE, Sample
from auditor.verdict.checks import definitions
from cases import SAMPLES
from sample_cases import EVERY, NAMES

README = SAMPLES / "README.md"


@pytest.fixture
def table():
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(SAMPLES.parent))
        yield import_module("sample_models.table")


def test_every_folder_is_a_sample() -> None:
    folders = {path.name for path in SAMPLES.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(NAMES)
    assert "digits-newton" in NAMES


@pytest.mark.parametrize("sample", EVERY, ids=lambda each: each.name)
def test_a_folder_holds_a_case_and_says_what_it_is_for(sample: Sample) -> None:
    folder = SAMPLES / sample.name
    declared = tomllib.loads((folder / "audit.toml").read_text(encoding="utf-8"))
    learning = ("build.py", "deletions.jsonl") if "procedure" in declared else ()
    assert all((folder / name).is_file() for name in ("README.md", "audit.toml", *learning))
    assert declared["case"]["name"] == sample.name
    assert re.fullmatch(r"[A-Z][^\n|`]{20,118}\.", sample.purpose)
    assert sample.fails | sample.inconclusive <= set(definitions())
    assert not sample.fails & sample.inconclusive
    # What a policy does not require may fail without deciding, and so may what informs alone.
    by_default = {check_id for check_id, known in definitions().items() if not known.card.informative}
    deciding = sample.fails & set(declared.get("policy", {}).get("required", by_default))
    assert {1: bool(deciding), 3: bool(sample.inconclusive), 0: not deciding}[sample.exit_code]


@pytest.mark.parametrize("sample", EVERY, ids=lambda each: each.name)
def test_what_retrains_exactly_passes_by_the_release_and_asks_for_no_game(sample: Sample) -> None:
    declared = tomllib.loads((SAMPLES / sample.name / "audit.toml").read_text(encoding="utf-8"))
    required = set(declared.get("policy", {}).get("required", ()))
    if "release.exact" in required or declared.get("procedure", {}).get("unlearn") == "retrain":
        assert not required & {"swap.quality", "swap.strong", "swap.controls"}


@pytest.mark.parametrize("sample", EVERY, ids=lambda each: each.name)
def test_the_page_of_a_sample_says_the_same_exit_code(sample: Sample) -> None:
    page = (SAMPLES / sample.name / "README.md").read_text(encoding="utf-8")
    (said,) = re.findall(rf"auditor check sample_models/{re.escape(sample.name)} +# exit (.*)", page)
    assert said.partition(";")[0].partition(",")[0] == str(sample.exit_code)
    assert ("exit 4" in said) == (sample.procedure == OWN_CODE)


def test_the_page_of_samples_holds_the_table_of_all_of_them(table) -> None:
    text = README.read_text(encoding="utf-8")
    assert table.placed(text) == text, "run: make samples-table"
    rows = text.partition(table.BEGIN)[2].partition(table.END)[0].strip().splitlines()
    assert all(row.startswith("| ") and row.endswith(" |") for row in rows)
    assert len(rows) == len(NAMES) + 2
    assert {row.count("|") for row in rows} == {7}


def test_a_table_is_put_between_its_markers_alone(table) -> None:
    found = table.placed(f"before\n{table.BEGIN}\nold\n{table.END}\nafter")
    assert found.startswith(f"before\n{table.BEGIN}\n| sample |")
    assert found.endswith(f" |\n{table.END}\nafter")
    with pytest.raises(ValueError, match="unpack"):
        table.placed("no marker")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("exit_code = 0", "purpose"),
        ('purpose = "It passes."\nexit_code = 2', "exit_code"),
        ('purpose = "It passes."\nexit_code = 0\nfailing = []', "failing"),
        ('purpose = "It passes."\nexit_code = 0\n[guarantees]\ndata-deletion = "not-shown"', "guarantees"),
    ],
)
def test_a_wrong_key_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, word: str) -> None:
    monkeypatch.setattr("auditor.base.samples.sample_models", lambda: tmp_path)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "audit.toml").write_text('[procedure]\nuse = "torch"\n', encoding="utf-8")
    (tmp_path / "one" / samples.FILE).write_text(text, encoding="utf-8")
    assert samples.names() == ("one",)
    with pytest.raises(ValidationError, match=word):
        samples.every()
