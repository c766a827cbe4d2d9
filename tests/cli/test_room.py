"""Full disks, full pipes and little memory: what the command line says of them, and with which exit code it leaves."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import small_cases
from auditor.base.errors import ReportError, SandboxError, UsageError
from auditor.cli import run
from auditor.pages import pages, render
from auditor.sandbox import available, examination
from auditor.sandbox.scratch import Scratch

FULL = Path("/dev/full")
MODULE = [sys.executable, "-m", "auditor"]


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "case").mkdir()
    return small_cases.write(tmp_path / "case", *small_cases.problem())


def no_room(*_: Any, **__: Any) -> Any:
    raise OSError(28, "No space left on device")


def run_elsewhere(arguments: Sequence[str], **streams: Any) -> tuple[int, str]:
    """The exit code of a process of its own, and what it said on stderr."""
    ended = subprocess.run([*MODULE, *arguments], check=False, text=True, timeout=60, **streams)
    return ended.returncode, ended.stderr or ""


@pytest.mark.parametrize("arguments", [["--version"], ["schema"], ["calc", "gaussian", "--epsilon", "1", "--mu", "1", "--json"]])
def test_a_stdout_that_is_full_is_a_failure_and_said(arguments: list[str]) -> None:
    with FULL.open("w") as full:
        code, err = run_elsewhere(arguments, stdout=full, stderr=subprocess.PIPE)
    assert code == 4
    assert err == "auditor: stdout cannot be written: No space left on device; what was written to files is whole\n"


def test_where_nothing_can_be_said_the_exit_code_says_it() -> None:
    with FULL.open("w") as full:
        assert run_elsewhere(["schema"], stdout=full, stderr=full)[0] == 4
        assert run_elsewhere(["--nonsense"], stderr=full)[0] == 2


def test_too_little_memory_for_the_libraries_is_no_failed_check() -> None:
    """OpenBLAS ends the process with status 1, which stands for a check that fails."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (300 * 2**20, 300 * 2**20))

    code, err = run_elsewhere(["--version"], stderr=subprocess.PIPE, preexec_fn=limit)
    assert code == 4
    assert err.startswith("auditor: memory is limited to 300 MiB (ulimit -v): expected at least 1024 MiB")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "memory ran out; free some memory, raise the limit on it (ulimit -v) or run fewer jobs"),
        (OSError(28, "No space left on device", "/somewhere"), "/somewhere: No space left on device; free some space there"),
        (OSError(24, "Too many open files"), "Too many open files; raise the limit on open files (ulimit -n)"),
    ],
)
def test_a_lack_of_room_is_no_error_of_the_auditor(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def lack(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("auditor.cli.results.print_json", lack)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run(["schema"]) == 4
    err = capfd.readouterr().err
    assert words in err
    assert "an error of the auditor" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_crash_log_that_cannot_be_written_is_said(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("auditor.cli.results.print_json", broken)
    monkeypatch.setattr("tempfile.NamedTemporaryFile", no_room)
    assert run(["schema"]) == 4
    assert "(ZeroDivisionError); what happened could not be written down (No space left on device)" in capfd.readouterr().err


def test_a_full_folder_of_temporary_files_gives_evidence_and_what_to_do(
    case: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    available()  # found out before the disk is full
    monkeypatch.setattr(render, "pdf", lambda *_, **__: b"%PDF-")
    monkeypatch.setattr(Scratch, "_fill", no_room)
    assert run(["check", str(case), "--quiet"]) == 4
    err = capfd.readouterr().err
    assert "the sandbox could not be had: " in err
    assert "No space left on device; free some space there and start again" in err
    assert '"exit_code":4' in (case / "audit" / "evidence.json").read_text(encoding="utf-8")
    assert list((case.parent / "tmp").iterdir()) == []


def test_where_no_sandbox_can_be_tried_it_is_no_missing_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scratch, "_fill", no_room)
    with pytest.raises(SandboxError, match=r"^the sandbox could not be had: .*free some space there and start again$"):
        examination._examine()


def test_a_report_that_finds_no_room_is_a_failure_of_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_laid_out", no_room)
    with pytest.raises(ReportError, match=r"could not be laid out: .*No space left on device; free some space there"):
        pages.lay_out("<p>", [pages.Embedded("a", b"", "a")], datetime.now(tz=UTC))


def test_results_that_cannot_be_written_after_the_run_are_no_bad_usage(
    case: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 stands for "nothing was run"."""

    def written(*_: object, **__: object) -> None:
        raise UsageError("audit: cannot be written: Permission denied")

    monkeypatch.setattr("auditor.api.results.folder.write_all", written)
    assert run(["check", str(case), "--quiet", "--only", "log.consistency"]) == 4
    assert "Permission denied" in capfd.readouterr().err


def test_a_log_that_is_wrong_in_every_row_is_not_printed_whole(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    times = {"received_at": "2026-01-05T08:00:00Z", "executed_at": "2026-01-05T09:00:00Z", "seen_releases": 0}
    rows = [{"request_id": f"R{number}", "record_ids": [f"{'x' * 2000}-{number}"]} | times for number in range(1200)]
    (case / "deletions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert run(["validate", str(case), "--no-run"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[1001] == "… and 200 more; --json lists them all."
    assert max(map(len, lines)) < 600
    assert lines[-1].endswith("would fail: 1,200 findings in the log fail log.consistency. Nothing was run.")
    assert run(["validate", str(case), "--no-run", "--json"]) == 0
    assert len(json.loads(capfd.readouterr().out)["findings"]) == 1200


def test_where_nothing_can_be_written_nothing_is_run(
    case: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def ran(*_: object) -> None:
        pytest.fail("it was run")

    monkeypatch.setattr("auditor.audit.auditing.audit", ran)
    assert run(["check", str(case), "--quiet", "--out", str(case / "audit.toml")]) == 2
    assert "audit.toml: cannot be written" in capfd.readouterr().err
