"""README and what it leads to: short, with a picture, links that lead somewhere, and a case that is valid as it is printed."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

import front_page
from auditor.cli import run
from cases import SAMPLES

ROOT = SAMPLES.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", SAMPLES / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
HOSTS = re.compile(r"(?:pypi|pythonhosted|docker|npmjs|ghcr|quay|download\.pytorch)\.(?:org|io|com)")
FAKE = """#!/usr/bin/env bash
echo "$@" >>"$CALLS"
if [ "$1" = check ]; then mkdir -p "$4"; [ "$CODE" = 2 ] || echo '{}' >"$4/evidence.json"; exit "$CODE"; fi
[ "$3" != --for ] || echo "## Unlearning audit"
"""


def test_readme_is_a_screen_and_a_half() -> None:
    assert len(README.splitlines()) <= 100
    assert max(map(len, README.splitlines())) <= 170


def test_the_picture_is_small() -> None:
    (named,) = re.findall(r'<img src="([^"]+)"', README)
    assert (ROOT / named).read_bytes().startswith(b"\x89PNG")
    assert (ROOT / named).stat().st_size < 150_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [link for link in links if link and not (page.parent / link).exists()] == []


def test_every_page_is_in_the_list_of_all_pages() -> None:
    listed = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    docs = ROOT / "docs"
    others = {str(page.relative_to(docs)) for page in docs.rglob("*.md") if page.parent.name != "decisions"} - {"README.md"}
    assert "(decisions)" in listed
    assert [name for name in sorted(others) if f"({name})" not in listed] == []


def test_the_case_in_ten_lines_is_valid_as_it_is_printed(tmp_path: Path) -> None:
    assert front_page.write_case(tmp_path) <= 10
    assert run(["validate", str(tmp_path)]) == 0


@pytest.mark.parametrize(("code", "calls"), [(0, 4), (1, 4), (3, 4), (2, 1)])
def test_the_action_ends_with_the_exit_code_of_the_audit(code: int, calls: int, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "auditor").write_text(FAKE, encoding="utf-8")
    (programs / "auditor").chmod(stat.S_IRWXU)
    (tmp_path / "case" / "audit").mkdir(parents=True)
    (tmp_path / "case" / "audit" / "evidence.json").write_text("of an earlier audit", encoding="utf-8")
    written = {"GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary", "CALLS": "calls"}
    given = {"CASE": str(tmp_path / "case"), "CODE": str(code), "PATH": f"{programs}:{os.environ['PATH']}"}
    surroundings = given | {name: str(tmp_path / file) for name, file in written.items()}
    assert subprocess.run([ROOT / ".ci" / "action" / "check"], env=surroundings, check=False).returncode == code
    assert f"exit-code={code}\n" in (tmp_path / "output").read_text()
    assert len((tmp_path / "calls").read_text().splitlines()) == calls
    assert (tmp_path / "summary").exists() == (code != 2)


def test_no_host_of_a_registry_is_named() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    texts = [ROOT / name for name in listed if name.startswith((".ci/", "docs/")) or "/" not in name]
    found = [path.name for path in texts if path.is_file() and HOSTS.search(path.read_text(encoding="utf-8", errors="replace"))]
    assert found == []


@pytest.mark.parametrize(("shell", "code"), [("bash", 0), ("zsh", 0), ("fish", 0), ("sh", 2), (None, 2)])
def test_completion_is_there_and_an_unknown_shell_is_bad_usage(
    shell: str | None, code: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: shell)
    assert run(["--show-completion"]) == code
    assert ("_AUDITOR_COMPLETE" in capfd.readouterr().out) == (code == 0)
