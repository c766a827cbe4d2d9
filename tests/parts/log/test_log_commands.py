"""`auditor log`: an export in, a chained log out, and rows added to it one after the other."""

from __future__ import annotations

import inspect
import json
import stat
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from auditor.base.deletion_log.deletions import chain_head
from auditor.case.logs import read_log
from auditor.cli import run
from auditor.cli.scaffold import init
from auditor.parts.log.commands import import_
from auditor.terminal.options import Told

TICKETS = """ticket,email,customer_id,opened,closed,state
T-1,ann@example.com,C-7,2026-03-01 09:30,2026-03-05 10:00,closed
T-2,bo@example.com,C-8,2026-03-02 09:30,,parked
"""
ARGUMENTS = [
    "--map",
    "ticket=request_id,opened=received_at",
    "--map",
    "closed=executed_at,state=status",
    "--person",
    "email=customer_id",
    "--timezone",
    "Europe/Berlin",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "tickets.csv").write_text(TICKETS)
    return tmp_path


def test_a_row_that_cannot_be_read_keeps_the_log_from_being_written(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = folder / "log.jsonl"
    assert run(["log", "import", str(folder / "tickets.csv"), *ARGUMENTS, "-o", str(log)]) == 2
    said = capfd.readouterr()
    assert "row 3, column state: expected a state that is known" in said.err
    assert "ticket → request_id" in said.err
    assert not log.exists()


def test_an_import_is_a_log_that_the_auditor_reads(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = folder / "log.jsonl"
    arguments = ["log", "import", str(folder / "tickets.csv"), *ARGUMENTS, "--state", "parked=open", "-o", str(log)]
    assert run([*arguments, "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    requests, _ = read_log(log)
    assert told["head"] == chain_head(requests)
    assert told["person"] == {"identity": "email", "records": "customer_id"}
    assert "example.com" not in log.read_text()
    key = folder / "state" / "auditor" / "pseudonym.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert run(arguments) == 2  # nothing is written over a log
    assert "is there already" in capfd.readouterr().err
    again = [*arguments[:-1], str(folder / "again.jsonl")]
    assert run(again) == 0
    assert (folder / "again.jsonl").read_bytes() == log.read_bytes()


def test_people_of_opendsr_requests_are_named_by_the_kind_of_their_identity(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    request = {
        "subject_request_id": "D-1",
        "subject_request_type": "erasure",
        "submitted_time": "2026-03-01T10:00:00Z",
        "request_status": "completed",
        "subject_identities": [{"identity_type": "email", "identity_value": "ann@example.com", "identity_format": "raw"}],
    }
    (folder / "requests.json").write_text(json.dumps([request]))
    (folder / "people.csv").write_text("email,customer_id\nann@example.com,C-7\nbo@example.com,C-8\n")
    log = folder / "log.jsonl"
    line = ["log", "import", str(folder / "requests.json"), "--from", "opendsr", "--people", str(folder / "people.csv")]
    assert run([*line, "--person", "phone=customer_id", "-o", str(log)]) == 2
    said = capfd.readouterr().err
    assert "people.csv: --person: expected one of email, customer_id, found an unknown column" in said
    assert "rename" not in said
    assert run([*line, "--person", "email=customer_id", "-o", str(log)]) == 0
    (row,) = read_log(log)[0]
    assert (row.request_id, row.record_ids) == ("D-1", ("C-7",))


@pytest.mark.parametrize(("shape", "option"), [("2026-03-{:02} 09:30", "--timezone"), ("{:02}/03/2026", "--dates")])
def test_an_option_that_every_row_lacks_is_asked_for_once(
    folder: Path, capfd: pytest.CaptureFixture[str], shape: str, option: str
) -> None:
    rows = [f"T-{at},C-{at},{shape.format(1 + at % 28)},{shape.format(1 + at % 28)}" for at in range(1200)]
    (folder / "many.csv").write_text("\n".join(["ticket,customer_id,opened,closed", *rows]) + "\n")
    columns = "ticket=request_id,customer_id=record_ids,opened=received_at,closed=executed_at"
    line = ["log", "import", str(folder / "many.csv"), "--map", columns, "-o", str(folder / "log.jsonl")]
    assert run(line) == 2
    (said,) = [each for each in capfd.readouterr().err.splitlines() if each.startswith("auditor: ")]
    assert f"{option}, first in row 2, column opened: expected" in said
    assert said.endswith(f'found "{shape.format(1)}", and 2399 more times like it')


def test_the_options_of_both_imports_are_read_alike() -> None:
    """What is told about an export has one name in both commands, and each is an option of both."""
    names = {each.name for each in fields(Told)}
    for command in (import_, init):
        parameters = inspect.signature(command).parameters
        assert names <= set(parameters)
    given = Told.of(dict.fromkeys(names, "x") | {"further": "y"})
    assert set(given.given) == {f"--{name}" for name in names - {"columns", "zone"}} | {"--map", "--timezone"}


def test_partial_writes_the_rest_and_names_what_it_left(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = folder / "log.jsonl"
    assert run(["log", "import", str(folder / "tickets.csv"), *ARGUMENTS, "--partial", "-o", str(log)]) == 0
    assert "row 3" in capfd.readouterr().err
    assert [each.request_id for each in read_log(log)[0]] == ["T-1"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--map", "ticket"],
        ["--map", "a=b,a=c"],
        ["--person", "email"],
        ["--people", "people.csv"],
        ["--state", "parked=sleeping"],
        ["--timezone", "Berlin/Europe"],
    ],
)
def test_a_wrong_option_is_bad_usage(folder: Path, arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["log", "import", str(folder / "tickets.csv"), *arguments, "-o", str(folder / "log.jsonl")]) == 2
    assert arguments[0] in capfd.readouterr().err
    assert not (folder / "log.jsonl").exists()


def entry(number: int, **changes: object) -> str:
    return json.dumps(
        {"request_id": f"R-{number}", "record_ids": [f"C-{number}"], "received_at": "2026-03-01T09:30:00Z", **changes}
    )


def append(log: Path, entries: Path, text: str) -> int:
    entries.write_text(text)
    return run(["log", "append", str(log), str(entries)])


def test_rows_are_appended_with_the_head_on_stdout(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, entries = tmp_path / "log.jsonl", tmp_path / "entries.jsonl"
    assert append(log, entries, f"{entry(1)}\n{entry(2)}\n") == 0
    assert append(log, entries, entry(3)) == 0
    requests, _ = read_log(log)
    assert [each.request_id for each in requests] == ["R-1", "R-2", "R-3"]
    assert capfd.readouterr().out.split()[-1] == chain_head(requests)
    assert run(["log", "check", str(log)]) == 0


@pytest.mark.parametrize(
    "text",
    [
        entry(1),  # a second time
        entry(2, record_ids=[]),
        entry(2, executed_at="2026-02-01T09:30:00Z"),
        entry(2, seen_releases=2**60),
        entry(2, extra=2**60),
        "no json",
        "",
    ],
)
def test_what_cannot_be_added_changes_no_byte(tmp_path: Path, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    log, entries = tmp_path / "log.jsonl", tmp_path / "entries.jsonl"
    assert append(log, entries, entry(1)) == 0
    before = log.read_bytes()
    assert append(log, entries, text) == 2
    assert log.read_bytes() == before
    assert append(tmp_path / "new.jsonl", entries, "no json") == 2
    assert not (tmp_path / "new.jsonl").exists()
    assert "Traceback" not in capfd.readouterr().err


def test_a_log_that_is_not_chained_or_broken_is_left_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, entries = tmp_path / "log.jsonl", tmp_path / "entries.jsonl"
    log.write_text(entry(1) + "\n")
    assert append(log, entries, entry(2)) == 2
    assert "--from jsonl" in capfd.readouterr().err
    assert run(["log", "import", str(log), "--from", "jsonl", "-o", str(tmp_path / "chained.jsonl")]) == 0
    assert append(tmp_path / "chained.jsonl", entries, entry(2)) == 0
    broken = (tmp_path / "chained.jsonl").read_text().replace("C-1", "C-9")
    (tmp_path / "chained.jsonl").write_text(broken)
    capfd.readouterr()
    assert append(tmp_path / "chained.jsonl", entries, entry(3)) == 2
    assert run(["log", "check", str(tmp_path / "chained.jsonl")]) == 1
    assert "CHAIN_CHANGED" in capfd.readouterr().out


def test_many_who_append_at_once_lose_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    appending = (
        "import sys; from pathlib import Path; from auditor.parts.log.importing.appending import append_to; "
        "append_to(Path(sys.argv[1]), ('new.jsonl', sys.argv[2].encode()))"
    )
    started = [subprocess.Popen([sys.executable, "-c", appending, str(log), entry(number)]) for number in range(6)]
    assert [each.wait(60) for each in started] == [0] * 6
    requests, _ = read_log(log)
    assert len(requests) == 6
    assert chain_head(requests) is not None


def test_an_import_names_the_rows_that_contradict_themselves(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A recipient notified before the request: `log check` finds it, and so does who imports the log."""
    told = {"name": "Mailer GmbH", "notified": True, "notified_at": "2026-03-01T09:00:00+01:00"}
    sound = {"request_id": "T-1", "record_ids": ["C-7"], "received_at": "2026-03-02T09:00:00+01:00"}
    rows = [sound, {**sound, "request_id": "T-2", "record_ids": ["C-8"], "recipients_notified": [told]}]
    export, log = folder / "export.jsonl", folder / "log.jsonl"
    export.write_text("".join(json.dumps(each) + "\n" for each in rows))
    assert run(["log", "import", str(export), "--from", "jsonl", "-o", str(log), "--quiet"]) == 0
    said = capfd.readouterr().err
    assert "row 2: TIME_BEFORE_RECEIVED: request T-2 (row 2): recipients_notified.0 is 2026-03-01T09:00:00+01:00" in said
    assert "row 1" not in said
    again = folder / "again.jsonl"
    assert run(["log", "import", str(export), "--from", "jsonl", "-o", str(again), "--json"]) == 0
    (found,) = json.loads(capfd.readouterr().out)["contradictions"]
    assert (found["row"], found["code"]) == (2, "TIME_BEFORE_RECEIVED")


def test_an_import_with_many_contradictions_names_some_and_counts_the_others(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    times = {"received_at": "2026-03-02T09:00:00+01:00", "executed_at": "2026-03-01T09:00:00+01:00"}
    rows = [{"request_id": f"T-{at}", "record_ids": [f"C-{at}"], **times} for at in range(23)]
    export, log = folder / "export.jsonl", folder / "log.jsonl"
    export.write_text("".join(json.dumps(each) + "\n" for each in rows))
    assert run(["log", "import", str(export), "--from", "jsonl", "-o", str(log)]) == 0
    said = capfd.readouterr().err
    assert said.count("EXECUTED_BEFORE_RECEIVED") == 20
    assert f"And 3 more: auditor log check {log}" in said
    assert "auditor validate also compares it with the training data and with processors' receipts" in " ".join(said.split())
