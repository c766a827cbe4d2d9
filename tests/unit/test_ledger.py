"""The ledger keeps every audit whole or not at all, whoever writes beside it, and says what is wrong with a file that is none."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import signal
import sqlite3
import stat
import time
from datetime import timedelta
from pathlib import Path

import pytest

import report_examples as examples
from auditor.base.domain import Status, Verdict
from auditor.base.errors import InputError
from auditor.base.user_key import key_file
from auditor.document.evidence import Evidence, digest
from auditor.pages.words.verdict import sentence_of
from auditor.recheck import ledger

PATH = Path("/audits/evidence.json")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "auditor" / "history.sqlite"


def numbered(number: int, name: str = "digits") -> Evidence:
    base = examples.passing().evidence
    audit = base.audit.model_copy(update={"finished_at": base.audit.finished_at + timedelta(seconds=number)})
    return base.model_copy(update={"audit": audit, "case": base.case.model_copy(update={"name": name, "release": str(number)})})


def write_many(file: Path, name: str, count: int) -> None:
    for number in range(count):
        ledger.record(file, numbered(number, name), PATH)


def write_for_ever(file: Path) -> None:
    evidence = numbered(0)
    while True:
        ledger.record(file, evidence, PATH)


def test_an_audit_comes_back_as_it_was_recorded(file: Path):
    evidence = examples.failing().evidence
    ledger.record(file, evidence, PATH)
    (entry,) = ledger.read(file)
    assert (entry.audit_id, entry.finished_at) == (evidence.audit.id, evidence.audit.finished_at)
    assert (entry.case_name, entry.release, entry.case_digest) == (
        evidence.case.name,
        evidence.case.release,
        evidence.case.digest,
    )
    assert (entry.verdict, entry.exit_code, entry.sentence) == (Verdict.FAIL, 1, sentence_of(evidence))
    assert (entry.required, entry.auditor_version) == (evidence.policy.required, "0.2.0")
    assert (entry.evidence_path, entry.evidence_digest) == (str(PATH), digest(evidence.to_bytes()))
    assert [(item.check_id, item.status, item.value) for item in entry.checks] == [
        (check.id, check.status, check.value) for check in evidence.checks
    ]
    assert {item.status for item in entry.checks} == {Status.PASS, Status.FAIL, Status.SKIPPED}


def test_the_newest_come_first_by_case_and_up_to_a_limit(file: Path):
    for number, name in ((2, "a"), (1, "a"), (3, "b"), (1, "b")):
        ledger.record(file, numbered(number, name), PATH)
    order = [(entry.case_name, entry.release) for entry in ledger.read(file)]
    assert order == [("b", "3"), ("a", "2"), ("b", "1"), ("a", "1")]
    assert [entry.release for entry in ledger.read(file, case="a")] == ["2", "1"]
    assert [entry.release for entry in ledger.read(file, limit=1)] == ["3"]
    assert ledger.read(file, case="c") == ()


def test_no_ledger_and_an_empty_one_hold_no_audit(file: Path):
    assert ledger.read(file) == ()
    file.parent.mkdir()
    file.touch()
    assert ledger.read(file) == ()
    ledger.record(file, examples.passing().evidence, PATH)
    assert len(ledger.read(file)) == 1


def test_only_the_user_can_read_it(file: Path):
    before = os.umask(0)
    try:
        ledger.record(file, examples.passing().evidence, PATH)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    ledger.record(file, examples.passing().evidence, PATH)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_no_request_no_contact_and_no_salted_seed_are_kept(file: Path):
    evidence = examples.failing().evidence
    ledger.record(file, evidence, PATH)
    content = file.read_bytes()
    assert evidence.case.name.encode() in content
    held = [evidence.case.contact, evidence.case.controller, evidence.procedure.seed_digest, evidence.procedure.seed_salt]
    for word in [*held, *(request.request_id for request in evidence.requests)]:
        assert word is not None
        assert word.encode() not in content


def test_it_lies_beside_the_key_unless_the_user_says_otherwise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv(ledger.VARIABLE, raising=False)
    assert ledger.ledger_file() == key_file().with_name("history.sqlite")
    monkeypatch.setenv(ledger.VARIABLE, str(tmp_path / "mine"))
    assert ledger.ledger_file() == tmp_path / "mine"
    monkeypatch.setenv(ledger.VARIABLE, "")
    assert ledger.ledger_file() is None


def test_two_processes_that_write_at_once_both_get_everything_in(file: Path):
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=write_many, args=(file, name, 50)) for name in ("first", "second")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0]
    entries = ledger.read(file)
    assert sorted((entry.case_name, int(entry.release or -1)) for entry in entries) == [
        (name, number) for name in ("first", "second") for number in range(50)
    ]
    assert {len(entry.checks) for entry in entries} == {len(examples.passing().checks)}


def test_a_writer_that_is_killed_leaves_whole_audits_only(file: Path):
    context = multiprocessing.get_context("fork")
    checks = len(examples.passing().checks)
    found = 0
    for delay in (0.01, 0.02, 0.035, 0.05, 0.08):
        writer = context.Process(target=write_for_ever, args=(file,))
        writer.start()
        deadline = time.monotonic() + 30
        while len(ledger.read(file)) <= found and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(delay)
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        entries = ledger.read(file)
        assert len(entries) > found
        assert {len(entry.checks) for entry in entries} == {checks}
        found = len(entries)
    ledger.record(file, examples.passing().evidence, PATH)
    with sqlite3.connect(file) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM checks").fetchone() == ((found + 1) * checks,)
    database.close()


def test_everything_is_read_in_one_transaction(file: Path, monkeypatch: pytest.MonkeyPatch):
    """Or tables that another process makes meanwhile look like those of another program."""
    ledger.record(file, examples.passing().evidence, PATH)
    real, statements = ledger._connected, []

    def traced(path: Path) -> sqlite3.Connection:
        here = real(path)
        here.set_trace_callback(statements.append)
        return here

    monkeypatch.setattr(ledger, "_connected", traced)
    assert len(ledger.read(file)) == 1
    assert statements[0] == "BEGIN"
    assert any("application_id" in each for each in statements)
    assert not any(each.startswith(("COMMIT", "ROLLBACK", "END")) for each in statements[:-1])


def test_an_audit_that_breaks_off_at_its_last_check_leaves_nothing(file: Path):
    ledger.record(file, examples.passing().evidence, PATH)
    evidence = examples.passing().evidence
    nameless = dataclasses.replace(evidence.checks[-1], id=None)
    with pytest.raises(InputError, match="NOT NULL"):
        ledger.record(file, evidence.model_copy(update={"checks": (*evidence.checks[:-1], nameless)}), PATH)
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT count(*) FROM checks").fetchone() == (len(evidence.checks),)
    database.close()
    assert len(ledger.read(file)) == 1


def foreign_database(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE audits (name TEXT)")
    database.close()


def newer_ledger(file: Path) -> None:
    ledger.record(file, examples.passing().evidence, PATH)
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA user_version = 3")
    database.close()


def no_database(file: Path) -> None:
    file.write_text("a diary, not a database " * 100, encoding="utf-8")


def damaged_ledger(file: Path) -> None:
    ledger.record(file, examples.passing().evidence, PATH)
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    file.write_bytes(content)


def unknown_word(file: Path) -> None:
    ledger.record(file, examples.passing().evidence, PATH)
    with sqlite3.connect(file) as database:
        database.execute("UPDATE audits SET verdict = 'splendid'")
    database.close()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (foreign_database, "a database of another program"),
        (newer_ledger, "of version 2, found version 3"),
        (no_database, "not a database"),
        (damaged_ledger, "malformed"),
        (unknown_word, "splendid"),
        (Path.mkdir, "."),
    ],
)
def test_a_file_that_is_no_ledger_of_ours_is_named_and_left_as_it_is(spoil, words, file: Path):
    file.parent.mkdir()
    spoil(file)
    content = None if file.is_dir() else file.read_bytes()
    with pytest.raises(InputError, match=words) as refused:
        ledger.read(file)
    assert refused.value.problems[0].file == str(file)
    if spoil in {foreign_database, newer_ledger, no_database, Path.mkdir}:
        if content is not None:
            file.chmod(0o644)
        with pytest.raises(InputError, match=words):
            ledger.record(file, examples.passing().evidence, PATH)
    if content is not None:
        assert file.read_bytes() == content
        assert spoil not in {foreign_database, no_database} or stat.S_IMODE(file.stat().st_mode) == 0o644


def test_a_link_is_not_followed_to_write(file: Path, tmp_path: Path):
    file.parent.mkdir()
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError):
        ledger.record(file, examples.passing().evidence, PATH)
    assert not (tmp_path / "elsewhere").exists()
