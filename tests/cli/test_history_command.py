"""`auditor history` and `auditor diff`, and how an audit comes into the history."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

import rechecks
import report_examples as examples
import small_cases
from auditor.cli import run
from auditor.document.evidence import Evidence, digest
from auditor.pages import render
from auditor.recheck import ledger

STYLE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(params=[False, True], ids=["plain", "coloured"])
def coloured(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether colours are asked for, as the environment may do where there is no terminal."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    if request.param:
        monkeypatch.setenv("FORCE_COLOR", "1")
    return bool(request.param)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "auditor" / "history.sqlite"


def later(evidence: Evidence, days: int) -> Evidence:
    audit = evidence.audit.model_copy(update={"finished_at": evidence.audit.finished_at + timedelta(days=days)})
    return evidence.model_copy(update={"audit": audit})


@pytest.fixture
def recorded(file: Path) -> tuple[Evidence, Evidence]:
    both = examples.passing().evidence, later(examples.failing().evidence, 2)
    for evidence in both:
        ledger.record(file, evidence, Path("/audits/evidence.json"))
    return both


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(render, "pdf", lambda *_, **__: b"%PDF-")  # laid out elsewhere, and slowly
    (tmp_path / "case").mkdir()
    return small_cases.write(tmp_path / "case", *small_cases.problem())


class TestHistoryOfAPlace:
    """`history` of a folder of audits, of one audit, and of a ledger."""

    @pytest.fixture
    def audits(self, tmp_path: Path) -> Path:
        folder = tmp_path / "audits"
        for name, evidence in (("a/audit", examples.passing().evidence), ("b", later(examples.failing().evidence, 2))):
            (folder / name).mkdir(parents=True)
            (folder / name / "evidence.json").write_bytes(evidence.to_bytes())
        (folder / "a" / "audit" / ".runs").mkdir()
        (folder / "a" / "audit" / ".runs" / "evidence.json").write_text("kept")
        return folder

    def test_a_folder_of_audits_is_listed_newest_first(self, audits: Path, capfd: pytest.CaptureFixture[str]) -> None:
        assert run(["history", str(audits), "--json"]) == 0
        found = json.loads(capfd.readouterr().out)
        assert [each["evidence"] for each in found["audits"]] == [
            str(audits / "b" / "evidence.json"),
            str(audits / "a" / "audit" / "evidence.json"),
        ]
        assert [each["verdict"] for each in found["audits"]] == ["fail", "pass"]
        assert run(["history", str(audits), "--limit", "1"]) == 0
        said = capfd.readouterr()
        assert ("fail" in said.out, "pass" in said.out) == (True, False)
        assert f"Audits in {audits}" in said.err

    def test_a_ledger_and_one_evidence_are_read_too(
        self, audits: Path, file: Path, recorded: tuple[Evidence, Evidence], capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["history", str(file), "--json"]) == 0
        assert len(json.loads(capfd.readouterr().out)["audits"]) == len(recorded)
        assert run(["history", str(audits / "b" / "evidence.json"), "--json"]) == 0
        (one,) = json.loads(capfd.readouterr().out)["audits"]
        assert one["exit_code"] == 1

    def test_what_cannot_be_read_is_left_out_with_the_reason_or_refused(
        self, audits: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        (audits / "b" / "evidence.json").write_text("{", encoding="utf-8")
        assert run(["history", str(audits)]) == 0
        assert "left out, as it cannot be read: " in capfd.readouterr().err
        assert run(["history", str(audits / "b")]) == 2
        assert run(["history", str(audits / "none")]) == 2
        (audits / "empty").mkdir()
        capfd.readouterr()
        assert run(["history", str(audits / "empty")]) == 0
        assert "No audit is recorded." in capfd.readouterr().out


class TestHistory:
    def test_an_empty_ledger_says_so(self, file: Path, capfd: pytest.CaptureFixture[str]) -> None:
        assert run(["history"]) == 0
        out, err = capfd.readouterr()
        assert out == "No audit is recorded.\n"
        assert str(file) in err
        assert run(["history", "--json"]) == 0
        assert json.loads(capfd.readouterr().out) == {"file": str(file), "audits": []}
        assert not file.exists()

    def test_one_line_an_audit_the_newest_first(
        self, recorded: tuple[Evidence, Evidence], capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["history"]) == 0
        lines = [line for line in capfd.readouterr().out.splitlines() if line.strip().startswith("2026")]
        assert [[word in line for word in ("2026-11-23 08:30", "fail", " 1  ")] for line in lines] == [[True] * 3, [False] * 3]
        for line, evidence in zip(lines, reversed(recorded), strict=True):
            assert f"{digest(evidence.to_bytes())[:12]}…" in line

    @pytest.mark.parametrize(
        ("columns", "shown"),
        [
            (200, ["case", "release", "verdict", "exit", "evidence"]),
            (80, ["case", "release", "verdict", "exit", "evidence"]),
            (70, ["case", "verdict", "exit", "evidence"]),
            (60, ["case", "verdict", "evidence"]),
            (45, ["case", "verdict"]),
        ],
    )
    def test_a_column_is_shown_whole_or_not_at_all(
        self,
        columns: int,
        shown: list[str],
        *,
        coloured: bool,
        recorded: tuple[Evidence, Evidence],
        monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        assert run(["history"]) == 0
        out = capfd.readouterr().out
        assert ("\x1b[" in out) is coloured
        lines = [line.rstrip() for line in STYLE.sub("", out).splitlines()]
        assert max(map(len, lines)) <= columns
        assert [word for word in ("case", "release", "verdict", "exit", "evidence") if word in lines[1]] == shown
        rows = [line for line in lines if line.strip().startswith("2026")]
        assert [line.split()[:2] for line in rows] == [["2026-11-23", "08:30"], ["2026-11-21", "08:30"]]
        assert [("fail" in line, "pass" in line) for line in rows] == [(True, False), (False, True)]
        for line, evidence in zip(rows, reversed(recorded), strict=True):
            assert (f"{digest(evidence.to_bytes())[:12]}…" in line) is ("evidence" in shown)

    def test_by_case_and_up_to_a_limit(self, recorded: tuple[Evidence, Evidence], capfd: pytest.CaptureFixture[str]) -> None:
        assert run(["history", "--case", recorded[0].case.name, "--json"]) == 0
        (found,) = json.loads(capfd.readouterr().out)["audits"]
        assert (found["verdict"], found["exit_code"], found["finished_at"][:19]) == ("pass", 0, "2026-11-21T08:30:21")
        assert {item["id"] for item in found["checks"]} == {check.id for check in recorded[0].checks}
        assert run(["history", "--limit", "1", "--json"]) == 0
        assert [item["verdict"] for item in json.loads(capfd.readouterr().out)["audits"]] == ["fail"]
        assert run(["history", "--case", "other", "--quiet"]) == 0
        assert capfd.readouterr() == ("No audit of other is recorded.\n", "")
        assert run(["history", "--limit", "0"]) == 2

    def test_names_cannot_colour_or_break_the_table(
        self, file: Path, *, coloured: bool, capfd: pytest.CaptureFixture[str]
    ) -> None:
        base = examples.passing().evidence
        hostile = base.case.model_copy(update={"name": "[red]a[/]\x1b[2J\u202eb"})
        ledger.record(file, base.model_copy(update={"case": hostile}), Path("/e"))
        assert run(["history"]) == 0
        out = capfd.readouterr().out
        assert "[red]a[/][2Jb" in out
        assert ("\x1b" in out) is coloured
        assert "\x1b" not in STYLE.sub("", out)
        assert "\u202e" not in out

    @pytest.mark.parametrize("content", [b"no database at all " * 100, b"SQLite format 3\0" + b"\xff" * 4096])
    def test_a_file_that_is_no_ledger_is_bad_input(self, content: bytes, file: Path, capfd: pytest.CaptureFixture[str]) -> None:
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
        assert run(["history"]) == 2
        assert capfd.readouterr().err.startswith(f"auditor: {file}: expected a ledger of past audits, found ")

    def test_a_newer_ledger_is_refused(
        self, file: Path, recorded: tuple[Evidence, Evidence], capfd: pytest.CaptureFixture[str]
    ) -> None:
        with sqlite3.connect(file) as database:
            database.execute("PRAGMA user_version = 7")
        database.close()
        assert run(["history"]) == 2
        assert "of version 2, found version 7" in capfd.readouterr().err


def test_audits_of_one_day_are_told_apart_by_their_time(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    first = examples.passing().evidence
    for seconds in (0, 1):
        finished = first.audit.finished_at + timedelta(seconds=seconds)
        audit = first.audit.model_copy(update={"finished_at": finished})
        ledger.record(file, first.model_copy(update={"audit": audit}), Path("/audits/evidence.json"))
    assert run(["history", "--case", first.case.name]) == 0
    (line,) = [each for each in capfd.readouterr().out.splitlines() if "no check changed" in each]
    before, after = line.partition(": no check")[0].split(" → ")
    assert before != after


class TestRecording:
    def test_every_audit_that_wrote_its_results_is_in_the_history(
        self, case: Path, file: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        code = run(["check", str(case), "--quiet", "--only", "log.consistency,log.deadlines"])
        assert run(["check", str(case / "none")]) == 2
        capfd.readouterr()
        assert run(["history", "--json"]) == 0
        (found,) = json.loads(capfd.readouterr().out)["audits"]
        written = case / "audit" / "evidence.json"
        assert (found["case"], found["exit_code"], found["evidence"]) == ("small", code, str(written))
        assert found["evidence_digest"] == digest(written.read_bytes())

    def test_a_ledger_that_cannot_be_written_fails_no_audit(
        self, case: Path, file: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        arguments = ["check", str(case), "--quiet", "--only", "log.consistency,log.deadlines"]
        code = run(arguments)
        assert capfd.readouterr().err == ""
        file.write_bytes(b"a diary" * 1000)
        assert run(arguments) == code
        out, err = capfd.readouterr()
        assert out.startswith("Inconclusive: ")
        assert err.startswith(f"auditor: this audit is not in the history: {file}: expected a ledger of past audits")
        assert file.read_bytes() == b"a diary" * 1000

    def test_where_the_user_wants_none_none_is_kept(
        self, case: Path, file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("AUDITOR_HISTORY", "")
        run(["check", str(case), "--quiet", "--only", "log.consistency"])
        assert not file.exists()
        capfd.readouterr()
        assert run(["history"]) == 0
        assert capfd.readouterr() == ("No audit is recorded.\n", "AUDITOR_HISTORY is empty: none is kept.\n")

    def test_no_test_writes_the_history_of_whoever_runs_it(self) -> None:
        found = ledger.ledger_file()
        assert found is not None
        assert not found.is_relative_to(Path.home() / ".local")
        assert "AUDITOR_HISTORY" not in os.environ


class TestDiff:
    @pytest.fixture
    def old(self, tmp_path: Path) -> Path:
        path = tmp_path / "old.json"
        path.write_bytes(examples.passing().evidence.to_bytes())
        return path

    @pytest.fixture
    def new(self, tmp_path: Path) -> Path:
        path = tmp_path / "new.json"
        path.write_bytes(later(examples.failing().evidence, 2).to_bytes())
        return path

    def test_worse_is_1_and_named_in_the_last_line(
        self, old: Path, new: Path, *, coloured: bool, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["diff", str(old), str(new), "--force"]) == 1
        out = capfd.readouterr().out
        assert ("\x1b[" in out) is coloured
        lines = STYLE.sub("", out).splitlines()
        assert lines[0].startswith("Different cases: ")
        assert any(line.split()[:2] == ["removal.budget", "worse"] for line in lines)
        assert lines[-1].startswith("Worse because verdict: ")

    def test_folders_and_cases_are_taken_as_well(self, old: Path, new: Path, tmp_path: Path) -> None:
        for path in (old, new):
            (tmp_path / path.stem / "audit").mkdir(parents=True)
            path.rename(tmp_path / path.stem / "audit" / "evidence.json")
        assert run(["diff", str(tmp_path / "old"), str(tmp_path / "new" / "audit"), "--force"]) == 1

    def test_two_different_cases_are_refused(self, old: Path, new: Path, capfd: pytest.CaptureFixture[str]) -> None:
        assert run(["diff", str(old), str(new)]) == 2
        said = capfd.readouterr()
        assert not said.out
        assert "two different cases" in said.err
        assert "--force" in said.err

    def test_nothing_worse_is_0(self, old: Path, new: Path, capfd: pytest.CaptureFixture[str]) -> None:
        assert run(["diff", str(old), str(old)]) == 0
        assert capfd.readouterr().out.startswith("Nothing got worse. ")
        assert run(["diff", str(new), str(new), "--quiet"]) == 0
        assert len(capfd.readouterr().out.splitlines()) == 1

    def test_for_machines(self, old: Path, new: Path, capfd: pytest.CaptureFixture[str]) -> None:
        assert run(["diff", str(old), str(new), "--json", "--force"]) == 1
        document = json.loads(capfd.readouterr().out)
        assert document["exit_code"] == 1
        assert document["sentence"].startswith("Worse because verdict: ")
        (verdict,) = [change for change in document["changes"] if change["id"] == "verdict"]
        words = "pass (exit code 0)", "fail (exit code 1)"
        assert verdict == {
            "kind": "verdict",
            "id": "verdict",
            "direction": "worse",
            "old": words[0],
            "new": words[1],
            "reason": " → ".join(words),
        }

    @pytest.mark.parametrize("content", [b"", b"[]", b'{"schema": "auditor.evidence/9"}', None])
    def test_what_cannot_be_read_is_2(
        self, content: bytes | None, old: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        other = tmp_path / "other.json"
        if content is not None:
            other.write_bytes(content)
        assert run(["diff", str(old), str(other)]) == 2
        assert str(other) in capfd.readouterr().err
        assert run(["diff", str(other), str(old)]) == 2

    def test_requests_that_moved_alike_share_a_line_and_numbers_are_written_as_on_every_page(
        self, capfd: pytest.CaptureFixture[str]
    ) -> None:
        kept = [str(rechecks.LATEST / f"{name}.json") for name in ("digits-newton", "digits-newton-overrun")]
        assert run(["diff", *kept, "--force"]) == 1
        said = capfd.readouterr().out
        assert said.count("recorded as executed, data not found, model: supported") <= 1
        assert "2.95537 × 10⁻⁸" in " ".join(said.split())
        assert "e-08" not in said
