"""The wheel, in a clean environment outside the repository, with the packages of a plain installation alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import front_page
from installed import environment, needed, parts

MOST_BYTES = 700_000_000


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("wheel"))


def auditor(programs: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder that is far from the checkout."""
    surroundings = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [programs / "auditor", *words], cwd=folder, env=surroundings, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_wheel_works_outside_the_repository_without_extras(programs: Path, tmp_path: Path) -> None:
    for name in ("torch", "weasyprint", "pytest"):
        assert subprocess.run([programs / "python", "-c", f"import {name}"], capture_output=True, check=False).returncode
    assert auditor(programs, tmp_path, "init", "mine", "--template", "iris-logistic").returncode == 0
    assert auditor(programs, tmp_path, "validate", "mine").returncode == 0
    checked = auditor(programs, tmp_path, "check", "mine", "--quick")
    assert checked.returncode in {0, 3}, checked.stderr
    assert "auditor[report]" in checked.stderr
    assert (tmp_path / "mine" / "audit" / "report.html").is_file()
    verified = auditor(programs, tmp_path, "verify", "mine/audit", "--json")
    assert json.loads(verified.stdout)["agrees"], verified.stderr
    assert auditor(programs, tmp_path, "calc", "gaussian", "--epsilon", "1", "--delta", "1e-4").stdout.count("mu =")
    refused = auditor(programs, tmp_path, "report", "mine/audit/evidence.json")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "auditor[report]" in refused.stderr
    ready = auditor(programs, tmp_path, "doctor")
    assert ready.returncode == 0, ready.stdout
    assert "pip install 'auditor[networks]'" in ready.stdout


@pytest.mark.slow
def test_the_case_that_readme_prints_has_a_report_in_a_clean_environment(programs: Path, tmp_path: Path) -> None:
    front_page.write_case(tmp_path)
    assert auditor(programs, tmp_path, "validate", ".").returncode == 0
    checked = auditor(programs, tmp_path, "check", ".", "--only", "release.exact,log.consistency,data.erased", "--json")
    statuses = {each["id"]: each["status"] for each in json.loads(checked.stdout)["checks"]}
    assert statuses["release.exact"] == "pass", checked.stderr
    assert (tmp_path / "audit" / "report.html").is_file()


def test_a_plain_installation_is_small() -> None:
    found = {package: size_of(parts(package)) for package in needed()}
    assert not {"torch", "weasyprint", "opacus", "hypothesis"} & set(found)
    assert sum(found.values()) < MOST_BYTES, sorted(found.items(), key=lambda each: -each[1])[:8]


def size_of(tops: set[Path]) -> int:
    """Bytes of folders and files."""
    files = (file for top in tops for file in (top.rglob("*") if top.is_dir() else (top,)))
    return sum(file.stat().st_size for file in files if file.is_file())
