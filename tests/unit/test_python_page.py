"""Every block of code in docs/python.md runs, in order, in a folder with README's case."""

from __future__ import annotations

import linecache
import re
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import front_page
from auditor import api
from auditor.base import extras

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def blocks(kind: str) -> list[str]:
    """The blocks of one language."""
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    front_page.write_case(tmp_path)
    (tmp_path / "my-case").mkdir()
    front_page.write_case(tmp_path / "my-case")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_blocks() -> dict[str, Any]:
    """What the names of the page mean at its end; a function of a block has its source, as in a notebook."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, block in enumerate(blocks("python")):
        cell = f"<cell {number}>"
        linecache.cache[cell] = (len(block), None, block.splitlines(keepends=True), cell)
        exec(compile(block, cell, "exec"), names)
    return names


def test_no_block_is_left_out() -> None:
    assert len(re.findall(r"```\w+\n", PAGE.read_text(encoding="utf-8"))) == len(blocks("python")) + len(blocks("bash"))


def test_the_blocks_run_on_the_log_alone(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    check = api.check
    monkeypatch.setattr(extras, "missing", lambda _extra: ("weasyprint",))  # no PDF, which takes seconds
    monkeypatch.setattr(api, "check", lambda case, **given: check(case, **given, only="log.consistency"))
    names = run_blocks()
    assert names["audit"].check("log.consistency").status.value == "pass"
    assert (here / "loans" / "audit.toml").is_file()
    said = capsys.readouterr().out
    assert "Do: Audit again without --only." in said
    assert "model.py: model.py" in said


@pytest.mark.slow
def test_the_blocks_run(here: Path) -> None:
    """Faster, without any rerun: test_the_blocks_run_on_the_log_alone."""
    names = run_blocks()
    assert names["audit"].check("release.exact").status.value == "pass"
    assert (here / "results" / "report.html").is_file()
    assert names["rechecked"].agrees
    assert names["case"].copied[-1] == "model.py: the function build, copied alone"


@pytest.mark.slow
def test_the_commands_run(here: Path) -> None:
    """Faster, in this process and on the log alone: tests/unit/test_pytest_plugin.py."""
    (here / "test_own.py").write_text("def test_own(): pass\n", encoding="utf-8")
    for line in "".join(blocks("bash")).splitlines():
        program, *words = shlex.split(line)
        done = subprocess.run(
            [sys.executable, "-m", program, *words, *installed_or_not()], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1, done.stdout
        assert "my-case/audit.toml::data.erased" in done.stdout
        assert re.search(r"2 failed, \d+ passed", done.stdout), done.stdout


def installed_or_not() -> list[str]:
    """Load the plugin where the installation is older than its entry point."""
    return [] if "auditor" in entry_points(group="pytest11").names else ["-p", "auditor.pytest_plugin"]
