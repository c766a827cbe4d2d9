"""`auditor keygen` and `check --sign`: what they ask, write, print and refuse."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import numpy as np
import pytest

import small_cases
from auditor.audit import auditing as audit
from auditor.base.errors import ReportError
from auditor.cli import run
from auditor.pages import render
from auditor.recheck import signing

SECRET = "correct horse battery staple"
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _no_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUDITOR_PASSPHRASE", raising=False)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDITOR_PASSPHRASE", SECRET)


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(render, "pdf", lambda _, signed_by=None: f"%PDF- {signed_by}".encode())  # laid out elsewhere, and slowly
    (tmp_path / "case").mkdir()
    return small_cases.write(tmp_path / "case", *small_cases.problem(), model=np.zeros(5))


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return signing.write_pair(tmp_path / "key", signing.generate(SECRET))[0]


def at_a_terminal(arguments: list[str], answers: list[tuple[str, str]]) -> tuple[int, str]:
    """Run a command whose stdin and stderr are a terminal, and answer each question; its exit code and all that was shown."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "auditor", *arguments]
    # A session of its own has no /dev/tty, so that the question is asked on this terminal.
    with subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        os.close(theirs)
        shown, deadline = "", time.monotonic() + 60
        try:
            for question, answer in answers:
                shown += read_until(ours, deadline, question)
                os.write(ours, answer.encode() + b"\n")
            shown += read_until(ours, deadline, None)
        except BaseException:
            process.kill()
            raise
    os.close(ours)
    return process.returncode, shown


def read_until(terminal: int, deadline: float, question: str | None) -> str:
    """What a terminal shows until it waits unseen for the answer to a question; without one, until the other side leaves."""
    shown = ""
    while time.monotonic() < deadline:
        # What is typed before the echo is off would be thrown away.
        if question is not None and question in shown and not termios.tcgetattr(terminal)[3] & termios.ECHO:
            return shown
        if select.select([terminal], [], [], 0.02)[0]:
            try:
                shown += os.read(terminal, 1000).decode()
            except OSError:  # nobody has the other end any more
                return shown
    raise AssertionError(f"waited in vain for {question}: {shown}")


def test_help_has_an_example(capfd: Captured) -> None:
    assert run(["keygen", "--help"]) == 0
    assert "Example: auditor keygen release-key" in capfd.readouterr().out


def test_the_passphrase_is_asked_for_twice_and_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "key"
    code, shown = at_a_terminal(["keygen", str(path)], [("New passphrase", SECRET), ("The same again", SECRET)])
    assert code == 0, shown
    assert SECRET not in shown
    assert signing.load_private(path, lambda: SECRET)


def test_two_passphrases_that_differ_are_asked_for_again(tmp_path: Path) -> None:
    answers = [("New passphrase", SECRET), ("The same again", "a slip"), ("New passphrase", SECRET), ("The same again", SECRET)]
    code, shown = at_a_terminal(["keygen", str(tmp_path / "key")], answers)
    assert code == 0, shown
    assert "do not match" in shown
    assert "a slip" not in shown


def test_the_passphrase_comes_from_the_environment(tmp_path: Path, known: None, capfd: Captured) -> None:
    path = tmp_path / "key"
    assert run(["keygen", str(path), "--json"]) == 0
    out, err = capfd.readouterr()
    document = json.loads(out)
    assert document == {
        "key_id": signing.key_id((tmp_path / "key.pub").read_bytes()),
        "private_key": str(path),
        "public_key": f"{path}.pub",
        "encrypted": True,
    }
    assert err == ""
    assert SECRET not in out
    assert signing.load_private(path, lambda: SECRET).public_key.keyid == document["key_id"]


def test_quiet_prints_the_key_id_alone(tmp_path: Path, known: None, capfd: Captured) -> None:
    assert run(["keygen", str(tmp_path / "key"), "--quiet"]) == 0
    out, err = capfd.readouterr()
    assert (out, err) == (signing.key_id((tmp_path / "key.pub").read_bytes()) + "\n", "")


def test_no_passphrase_is_a_choice_with_a_warning(tmp_path: Path, capfd: Captured) -> None:
    assert run(["keygen", str(tmp_path / "key"), "--no-passphrase", "--quiet"]) == 0
    assert "is not encrypted" in capfd.readouterr().err
    assert b"ENCRYPTED" not in (tmp_path / "key").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "passphrase", "why"),
    [
        ([], None, "no terminal to ask on: set AUDITOR_PASSPHRASE"),
        ([], "", "AUDITOR_PASSPHRASE is set, but empty"),
        ([], "x" * 1024, "1 to 1023 bytes"),
        (["--no-passphrase"], SECRET, "contradicts AUDITOR_PASSPHRASE"),
        (["--passphrase", SECRET], None, "--passphrase"),
    ],
)
def test_what_keygen_refuses_leaves_no_file(
    arguments: list[str],
    passphrase: str | None,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: Captured,
) -> None:
    if passphrase is not None:
        monkeypatch.setenv("AUDITOR_PASSPHRASE", passphrase)
    assert run(["keygen", str(tmp_path / "key"), *arguments]) == 2
    err = capfd.readouterr().err
    assert why in err
    assert SECRET not in err
    assert list(tmp_path.iterdir()) == []


def test_keygen_never_overwrites(key: Path, known: None, capfd: Captured) -> None:
    before = key.read_bytes()
    assert run(["keygen", str(key)]) == 2
    assert "there already" in capfd.readouterr().err
    assert key.read_bytes() == before


def test_a_signed_audit_covers_all_that_it_wrote_and_the_model(case: Path, key: Path, known: None, capfd: Captured) -> None:
    code = run(["check", str(case), "--sign", str(key), "--json"])
    out, err = capfd.readouterr()
    document = json.loads(out)
    folder = case / "audit"
    names = ["evidence.json", "report.html", "report.pdf"]
    assert {path.name for path in folder.iterdir()} == {".runs", "first", *names, *signing.OF_AUDIT}
    public = signing.read_public(key.with_name("key.pub"))
    assert document["key_id"] == signing.key_id(public)
    files = {name: (folder / name).read_bytes() for name in names} | {"model.npz": (case / "model.npz").read_bytes()}
    results = {"statement": None, "test_result": "PASSED" if code == 0 else "FAILED", "verification_result": None}
    for name, result in results.items():
        statement = signing.verify(Path(document[name]).read_bytes(), public)
        assert signing.mismatches(statement, files) == ()
        assert {subject.name for subject in statement.subjects} == set(files)
        assert statement.predicate.get("result") == result
    assert f"%PDF- {document['key_id']}" == (folder / "report.pdf").read_text()
    assert f"signed: key {document['key_id'][:16]}, statement.dsse.json" in (folder / "report.html").read_text()
    assert document["key_id"] not in (folder / "evidence.json").read_text(), "the evidence does not know who signs it"
    everything = b"".join(path.read_bytes() for path in case.rglob("*") if path.is_file()) + out.encode() + err.encode()
    assert SECRET.encode() not in everything
    assert b"PRIVATE KEY" not in everything


def test_the_sentence_about_the_signature_goes_to_stderr(case: Path, key: Path, known: None, capfd: Captured) -> None:
    run(["check", str(case), "--sign", str(key)])
    out, err = capfd.readouterr()
    key_id = signing.key_id(key.with_name("key.pub").read_bytes())
    assert f"Signed: {case / 'audit' / 'statement.dsse.json'}, key {key_id}" in err
    assert key_id not in out


def test_an_unsigned_audit_takes_old_statements_away_and_says_so_even_when_quiet(
    case: Path, key: Path, known: None, capfd: Captured
) -> None:
    code = run(["check", str(case), "--sign", str(key), "--quiet"])
    assert capfd.readouterr().err == ""
    assert run(["check", str(case), "--quiet"]) == code
    err = capfd.readouterr().err
    assert {path.name for path in (case / "audit").iterdir()} == {".runs", "evidence.json", "first", "report.html", "report.pdf"}
    for name in signing.OF_AUDIT:
        assert f"removed {case / 'audit' / name}: it signed earlier results" in err
    run(["check", str(case), "--quiet"])
    assert capfd.readouterr().err == ""


def test_evidence_without_a_report_is_left_unsigned_and_no_old_statement_stays(
    case: Path, key: Path, known: None, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    run(["check", str(case), "--sign", str(key), "--quiet"])

    def broken(*_: object, **__: object) -> str:
        raise ReportError("out of ink")

    monkeypatch.setattr(render, "html", broken)
    before = (case / "audit" / "evidence.json").stat().st_mtime_ns
    assert run(["check", str(case), "--sign", str(key), "--quiet"]) == 4
    assert "could not be rendered, and nothing was signed" in capfd.readouterr().err
    assert not list((case / "audit").glob("*.dsse.json"))
    assert (case / "audit" / "evidence.json").stat().st_mtime_ns > before


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("missing", "No such file"),
        ("public", "Ed25519 private key"),
        ("readable", "chmod 600"),
        ("link", "a link"),
        ("passphrase", "another passphrase"),
        ("no passphrase", "no terminal to ask on: set AUDITOR_PASSPHRASE"),
        ("empty passphrase", "is set, but empty"),
    ],
)
def test_a_key_that_cannot_sign_ends_the_command_before_anything_runs(
    fault: str, why: str, case: Path, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    given = {"missing": tmp_path / "none", "public": tmp_path / "key.pub", "link": tmp_path / "link"}.get(fault, key)
    (tmp_path / "link").symlink_to(key)
    (tmp_path / "key.pub").chmod(0o600)
    if fault == "readable":
        key.chmod(0o644)
    if fault != "no passphrase":
        words = {"passphrase": "Tr0ub4dor&3", "empty passphrase": ""}
        monkeypatch.setenv("AUDITOR_PASSPHRASE", words.get(fault, SECRET))

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the audit ran")

    monkeypatch.setattr(audit, "audit", never)
    assert run(["check", str(case), "--sign", str(given)]) == 2
    err = capfd.readouterr().err
    assert why in err
    assert SECRET not in err
    assert "Tr0ub4dor" not in err
    assert "Auditing" not in err
    assert not (case / "audit").exists()


def test_check_asks_for_the_passphrase_on_the_terminal_before_it_reads_the_case(tmp_path: Path, key: Path) -> None:
    code, shown = at_a_terminal(["check", str(tmp_path / "none"), "--sign", str(key)], [("Passphrase of", SECRET)])
    assert code == 2
    assert SECRET not in shown
    assert "none" in shown.split("Passphrase of")[1]
    code, shown = at_a_terminal(["check", str(tmp_path / "none"), "--sign", str(key)], [("Passphrase of", "a slip")])
    assert code == 2
    assert "another passphrase" in shown
    assert "a slip" not in shown


def test_a_crash_while_signing_writes_no_secret_into_its_log(
    case: Path, key: Path, known: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr(signing, "sign", broken)
    assert run(["check", str(case), "--sign", str(key)]) == 4
    (log,) = (tmp_path / "tmp").glob("auditor-crash-*.log")
    content = log.read_text()
    assert "ZeroDivisionError" in content
    assert SECRET not in content
    assert "PRIVATE KEY" not in content
    assert SECRET not in "".join(capfd.readouterr())
