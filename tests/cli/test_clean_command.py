"""`auditor clean`, audits that follow one another, and two at once in one folder."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

import small_cases
from auditor.cli import run
from auditor.pages import render


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "case").mkdir()
    return small_cases.write(tmp_path / "case", *small_cases.problem())


def test_check_again_then_fresh_then_clean(
    case: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(render, "pdf", lambda *_, **__: b"%PDF-")  # laid out elsewhere, and slowly
    code = run(["check", str(case)])
    assert "not run again" not in capfd.readouterr().err
    assert run(["check", str(case)]) == code
    taken = "Finished in an earlier audit, not run again: clean room for batch 2 of 2, replay; --fresh runs everything again."
    assert taken in capfd.readouterr().err
    assert run(["check", str(case), "--fresh"]) == code
    assert "not run again" not in capfd.readouterr().err
    results = {path: path.read_bytes() for path in (case / "audit").iterdir() if path.is_file()}
    assert len(results) == 3
    assert run(["clean", str(case)]) == 0
    out = capfd.readouterr().out.splitlines()
    assert out[-1].startswith("Removed: 2 kept run(s), 0 half-written file(s), 0 scratch folder(s); ")
    assert len(out) == 4
    assert {path: path.read_bytes() for path in (case / "audit").iterdir() if path.is_file()} == results
    assert run(["clean", str(case / "audit.toml"), "--quiet"]) == 0
    assert capfd.readouterr().out == "Removed: 0 kept run(s), 0 half-written file(s), 0 scratch folder(s); 0 bytes.\n"


def test_clean_for_machines_and_by_the_folder_of_the_audit(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out" / ".runs").mkdir(parents=True)
    (tmp_path / "out" / ".runs" / f"{'0' * 64}.run").write_bytes(b"123")
    (tmp_path / "out" / ".report.pdf.1-1.partial").write_bytes(b"4567")
    assert run(["clean", str(tmp_path / "out"), "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert [document[key] for key in ("runs", "partial", "scratch", "bytes")] == [1, 1, 0, 7]
    assert [item["kind"] for item in document["removed"]] == ["run", "partial"]
    assert list((tmp_path / "out").iterdir()) == []


def test_clean_of_nothing_is_bad_usage(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["clean", str(tmp_path / "none")]) == 2
    assert "found no folder" in capfd.readouterr().err


# Folders that are exchanged while somebody works in them: tests/unit/test_folders.py.
@pytest.mark.slow
def test_two_audits_at_once_in_one_folder_leave_the_results_of_one(case: Path, tmp_path: Path) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path / "tmp"), "XDG_STATE_HOME": str(tmp_path / "state")}
    command = [sys.executable, "-m", "auditor", "check", str(case), "--quiet", "--seed"]
    both = [
        subprocess.Popen([*command, seed], env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for seed in ("1", "2")
    ]
    ends = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [3, 3], "release.remembers stays open, and nothing else"
    assert all("1 of 5 required checks is open: release.remembers" in out for out, _ in ends)
    assert [err for _, err in ends] == ["", ""]
    folder = case / "audit"
    assert sorted(path.name for path in folder.iterdir()) == [".runs", "evidence.json", "first", "report.html", "report.pdf"]
    # The first answer stays, and is that of one audit too: `verify` says whether of this one.
    assert sorted(path.name for path in (folder / "first").iterdir()) == ["evidence.json", "report.html"]
    first = (folder / "first" / "evidence.json").read_bytes()
    assert json.loads(first)["audit"]["stage"] == "first"
    assert hashlib.sha256(first).hexdigest() in (folder / "first" / "report.html").read_text(encoding="utf-8")
    evidence = (folder / "evidence.json").read_bytes()
    assert json.loads(evidence)["audit"]["seed"] in {"1", "2"}
    assert PdfReader(folder / "report.pdf").attachments["evidence.json"] == [evidence]
    assert hashlib.sha256(evidence).hexdigest() in (folder / "report.html").read_text(encoding="utf-8")
    assert sorted(path.suffix for path in (folder / ".runs").iterdir()) == ["", ".run", ".run"]
    assert list((tmp_path / "tmp").iterdir()) == []
