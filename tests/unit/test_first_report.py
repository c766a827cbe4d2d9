"""The way of docs/first-report.md, command by command, in this process."""

from __future__ import annotations

import json
import shlex
import stat
from pathlib import Path

import pytest

import first_report
from auditor.base import extras
from auditor.cli import run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(extras, "missing", lambda _extra: ("weasyprint",))  # no PDF, which takes seconds
    return first_report.write(tmp_path)


def command(number: int) -> list[str]:
    """The words after `auditor` of a block of the page."""
    (line,) = first_report.blocks("bash")[number].splitlines()
    name, *words = shlex.split(line)
    assert name == "auditor"
    return words


def test_a_case_is_made_of_what_the_page_shows(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(first_report.blocks("bash")) == 4
    assert run(command(0)) == 0
    said = capsys.readouterr()
    for line in first_report.blocks("text")[2].splitlines():
        assert line in said.err, line
    assert "Next: auditor validate churn" in said.err
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in (here / "churn").iterdir())
    assert "person0@mail.example" not in (here / "churn" / "deletions.jsonl").read_text(encoding="utf-8")
    assert run([*command(1), "--no-run"]) == 0
    assert "Valid: every input of churn can be read" in capsys.readouterr().out


@pytest.mark.slow
def test_the_way_ends_with_an_honest_report(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [run(command(number)) for number in range(2)] == [0, 0]
    assert run([*command(2), "--only", "log.consistency,log.deadlines,data.erased,release.exact"]) == 3
    found = {each["id"]: each["status"] for each in json.loads((here / "churn/audit/evidence.json").read_text())["checks"]}
    assert found["release.exact"] == found["log.deadlines"] == found["log.consistency"] == "pass"
    assert found["data.erased"] == "inconclusive"


def test_the_page_shows_every_command_that_it_names() -> None:
    assert command(2) == ["check", "churn"]
    assert command(3)[:2] == ["certificate", "churn/audit/evidence.json"]
