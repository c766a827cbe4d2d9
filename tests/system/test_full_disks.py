"""A disk that is full at any call and at any byte of every writer: results whole or as they were, one message, exit code 4."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import first_report
import kept_runs
import report_examples as examples
import small_cases
from auditor.api import Case
from auditor.api.checking import once
from auditor.api.results import folder as results
from auditor.audit import planning
from auditor.base.errors import AuditorError, ReportError
from auditor.case.containers import canonical
from auditor.cli import run
from auditor.document.evidence import Evidence
from auditor.pages import letter, planned, render
from auditor.recheck import ledger, signing
from auditor.sandbox.runs import Runs
from auditor.terminal.output import crashed, explain
from failing_system import calls, no_file_longer_than, tree
from signed import signer

TICKETS = "ticket,customer_id,opened,closed\nT-1,C-7,2026-03-01T09:30:00Z,2026-03-05T10:00:00Z\n"
MAP = ["--map", "ticket=request_id,customer_id=record_ids,opened=received_at,closed=executed_at"]
ENTRY = '{"request_id": "R-%d", "record_ids": ["C-%d"], "received_at": "2026-03-01T09:30:00Z"}\n'
PEOPLE = ["--from", "train.py:build", "--data", "people.csv"]


class Writer(NamedTuple):
    """Something that writes files."""

    prepare: Callable[[Path], object]
    """Makes what it needs, in a folder that is the working directory; what it writes comes to `out` there."""
    write: Callable[[], int]
    """Writes; its exit code."""
    calls: int
    """How many calls of the system change something."""
    code: int = 4
    """Its exit code where one of them fails."""


def command(*words: str) -> Callable[[], int]:
    return lambda: run([*words])


def function(write: Callable[[], object]) -> Callable[[], int]:
    """What is called from Python, with the exit code that the command line gives its errors."""

    def called() -> int:
        try:
            write()
        except AuditorError as error:
            explain(error)
            return error.exit_code
        except Exception as error:  # noqa: BLE001 - as the command line does
            return crashed(error)
        return 0

    return called


def later(evidence: Evidence) -> Evidence:
    """The same evidence of an audit that ended a second later."""
    audit = evidence.audit.model_copy(update={"finished_at": evidence.audit.finished_at + timedelta(seconds=1)})
    return evidence.model_copy(update={"audit": audit})


def evidence_in(folder: Path) -> None:
    (folder / "out").mkdir(exist_ok=True)
    (folder / "evidence.json").write_bytes(examples.passing().evidence.to_bytes())


def with_key(folder: Path) -> None:
    evidence_in(folder)
    (folder / "keys").mkdir()
    signing.write_pair(folder / "keys" / "key", signing.generate(None))


def audited_before(folder: Path, *, signed: bool = True) -> None:
    """Results of an earlier audit, signed, and a counterexample of it."""
    results.write(examples.failing().evidence, folder / "out", signer=signer() if signed else None, notice=lambda _: None)
    (folder / "out" / "counterexample-7.json").write_bytes(b"{}")


def audited(*, signed: bool) -> None:
    evidence = later(examples.failing().evidence)
    results.write(evidence, Path("out").absolute(), signer=signer() if signed else None, notice=lambda _: None)


def log_in(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "first.jsonl").write_text(ENTRY % (1, 1), encoding="utf-8")
    (folder / "second.jsonl").write_text(ENTRY % (2, 2), encoding="utf-8")
    assert run(["log", "append", str(folder / "out" / "log.jsonl"), str(folder / "first.jsonl")]) == 0


def people_in(folder: Path) -> None:
    first_report.write(folder)


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame({"id": [f"r{at}" for at in range(40)], "x": rng.normal(size=40), "label": [0, 1] * 20})


def case_of_frames() -> object:
    log = pd.DataFrame(
        {
            "request_id": ["R-1"],
            "record_ids": [["r1"]],
            "received_at": ["2026-03-01T09:30:00Z"],
            "executed_at": ["2026-03-02T09:30:00Z"],
        }
    )
    return Case.from_dataframe(
        frame(), id="id", label="label", log=log, build="build.py:build", name="small", folder=Path("out").absolute()
    )


def build_in(folder: Path) -> None:
    (folder / "build.py").write_text(
        "from sklearn.linear_model import LogisticRegression\n\n\ndef build(seed):\n    return LogisticRegression()\n",
        encoding="utf-8",
    )


def model_in(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "model.npz").write_bytes(canonical(np.arange(50.0), ".npz"))


def recorded_before(folder: Path) -> None:
    (folder / "out").mkdir()
    ledger.record(folder / "out" / "history.sqlite", examples.passing().evidence, Path("/a/evidence.json"))


def shared_by_processes(folder: Path) -> None:
    """The folder of a run of pytest, and in it the lock that the first of its processes has made."""
    (folder / "out").mkdir()
    once(folder / "out", Path("case"), lambda: b"")
    for path in (folder / "out").iterdir():
        if path.suffix != ".lock":
            path.unlink()


LETTER = ("certificate", "evidence.json", "--request", examples.passing().evidence.requests[0].request_id, "-o", "out/letter.pdf")
PLAN = (
    "plan",
    "case",
    "--quiet",
    "--deletions",
    "2",
    "--epsilon",
    "1",
    "--delta",
    "1e-4",
    "--quick",
    "--sigma",
    "1",
    "--l2",
    "0.1",
)
WRITERS = {
    **{
        f"report {form}": Writer(evidence_in, command("report", "evidence.json", "--format", form, "-o", "out/report"), 3)
        for form in ("pdf", "html", "json", "junit", "sarif", "md", "cyclonedx", "oscal")
    },
    "tables": Writer(evidence_in, command("report", "evidence.json", "--tables", "out"), 9),
    "letter": Writer(evidence_in, command(*LETTER), 3),
    "letter signed": Writer(with_key, command(*LETTER, "--sign", "keys/key"), 6),
    "results": Writer(lambda folder: None, function(lambda: audited(signed=False)), 10),
    "results signed": Writer(audited_before, function(lambda: audited(signed=True)), 25),
    "results over signed ones": Writer(audited_before, function(lambda: audited(signed=False)), 16),
    "key": Writer(lambda folder: (folder / "out").mkdir(), command("keygen", "out/key", "--no-passphrase"), 4),
    "log import": Writer(
        lambda folder: ((folder / "out").mkdir(), (folder / "tickets.csv").write_text(TICKETS)),
        command("log", "import", "tickets.csv", *MAP, "-o", "out/log.jsonl"),
        6,
    ),
    "log append": Writer(log_in, command("log", "append", "out/log.jsonl", "second.jsonl"), 3),
    "log made": Writer(
        lambda folder: (log_in(folder), (folder / "out" / "log.jsonl").unlink()),
        command("log", "append", "out/log.jsonl", "second.jsonl"),
        4,
    ),
    "init blank": Writer(lambda folder: None, command("init", "out"), 4),
    "init in a folder": Writer(lambda folder: (folder / "out").mkdir(), command("init", "out"), 5),
    "init sample": Writer(lambda folder: None, command("init", "out", "--template", "digits-newton"), 9),
    "init from files": Writer(people_in, command("init", "out", "--from", "train.py:pipeline", "--data", "people.csv"), 5),
    "case of data frames": Writer(build_in, function(case_of_frames), 8),
    "plan": Writer(
        lambda folder: small_cases.write(made(folder / "case"), *small_cases.problem()), command(*PLAN, "--out", "out"), 10
    ),
    "canonical file": Writer(model_in, command("canonical", "model.npz", "-o", "out/model.npz"), 3),
    "ledger": Writer(
        recorded_before,
        function(lambda: ledger.record(Path("out/history.sqlite"), later(examples.passing().evidence), Path("/b/evidence.json"))),
        2,
        2,
    ),
    "pytest's audit": Writer(
        shared_by_processes, function(lambda: once(Path("out"), Path("case"), lambda: b"evidence" * 1000)), 4
    ),
}


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, outside of which nothing is written; pages are laid out elsewhere, and slowly."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(planning, "plan", lambda *_, **__: {"sentence": "planned"})
    monkeypatch.setattr(planned, "svg", lambda *_, **__: "<svg>")
    for module in (render, letter, planned):
        monkeypatch.setattr(module, "pdf", lambda *_, **__: b"%PDF-" + b"x" * 5000)
    monkeypatch.setattr(render, "html", lambda *_, **__: "<!doctype html>" + "x" * 5000)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return tmp_path


def written(folder: Path) -> dict[str, bytes]:
    """What lies in the folder that the writer writes to."""
    return tree(folder / "out") if (folder / "out").is_dir() else {}


def nothing_stays(folder: Path, before: dict[str, bytes], code: int, expected: int, said: str) -> None:
    """What a failure has to leave: everything as it was, no file that was half written, and one message."""
    assert code == expected, said
    assert written(folder) == before
    assert list((folder / "tmp").iterdir()) == []
    assert [name for name in tree(folder) if name.endswith(".partial")] == []
    problems = [line for line in said.splitlines() if line.startswith("auditor: ")]
    assert len(problems) == 1, said
    assert "an error of the auditor itself" not in said
    assert ".partial" not in said


@pytest.mark.attempt("full disks and denied folders")
@pytest.mark.parametrize(
    ("name", "failing"), [(name, number) for name, writer in WRITERS.items() for number in range(writer.calls)]
)
def test_a_disk_that_is_full_at_any_call_leaves_everything_as_it_was(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, failing: int
) -> None:
    writer = WRITERS[name]
    writer.prepare(here)
    before = written(here)
    capsys.readouterr()
    with calls(here, failing=failing):
        code = writer.write()
    nothing_stays(here, before, code, writer.code, capsys.readouterr().err)


@pytest.mark.attempt("full disks and denied folders")
@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES], ids=["read-only", "denied"])
@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_cannot_be_written_to_is_bad_usage_unless_something_ran(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, number: int
) -> None:
    writer = WRITERS[name]
    writer.prepare(here)
    before = written(here)
    capsys.readouterr()
    with calls(here, failing=0, number=number):
        code = writer.write()
    nothing_stays(here, before, code, 4 if name.startswith("results") else 2, capsys.readouterr().err)


@pytest.mark.parametrize("name", WRITERS)
def test_no_call_is_left_out(here: Path, name: str) -> None:
    writer = WRITERS[name]
    writer.prepare(here)
    before = written(here)
    with calls(here) as made:
        assert writer.write() == 0
    # A note for a later purge is best effort: the case is whole without it.
    noted = [each for each in made if "/state/" in each or each.endswith("/state'")]
    assert len(made) - len(noted) == writer.calls, made
    assert written(here) != before
    assert [each for each in tree(here) if each.endswith(".partial")] == []


@pytest.mark.attempt("full disks and denied folders")
@pytest.mark.parametrize("size", [0, 1, 100, -1])
@pytest.mark.parametrize("name", WRITERS)
def test_a_disk_that_is_full_at_any_byte_leaves_everything_as_it_was(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, size: int
) -> None:
    """-1 stands for the last byte of the largest file."""
    writer = WRITERS[name]
    writer.prepare(here)
    before = written(here)
    if size < 0:
        assert writer.write() == 0
        size += max(len(content) for each, content in written(here).items() if before.get(each) != content)
        shutil.rmtree(here / "out")
        for each in here.iterdir():
            if each.name not in {"tmp", "state"}:
                shutil.rmtree(each) if each.is_dir() else each.unlink()
        writer.prepare(here)
        before = written(here)
    capsys.readouterr()
    with no_file_longer_than(size):
        code = writer.write()
    nothing_stays(here, before, code, writer.code, capsys.readouterr().err)


def kept_anywhere(where: str) -> list[str]:
    """Keep a run and a checkpoint of it; what is said of what could not be kept."""
    said: list[str] = []
    runs, run = Runs(where, notice=said.append), kept_runs.job()
    address = runs.address(run, 0)
    if (checkpoints := runs.checkpoints(run, 0, address)) is not None:
        checkpoints.keep(0, b"half of a training" * 20, 1.0)
    runs.keep(run, 0, address, kept_runs.answers(run.steps))
    return said


@pytest.mark.attempt("full disks and denied folders")
@pytest.mark.parametrize("failing", range(9))
@pytest.mark.parametrize("place", ["{}/runs", "file://{}/runs"])
def test_a_run_that_cannot_be_kept_is_said_and_never_half_kept(here: Path, place: str, failing: int) -> None:
    where = place.format(here)
    with calls(here, failing=failing) as made:
        said = kept_anywhere(where)
    assert (len(said) > 0) is (len(made) > failing)
    assert all("No space left on device" in each for each in said)
    left = {name: content for name, content in tree(here).items() if not name.startswith("state/auditor/key")}
    assert [name for name in left if name.endswith(".partial")] == []
    assert kept_anywhere(where) == []
    whole = tree(here)
    assert {name: len(content) for name, content in left.items()}.items() <= {n: len(c) for n, c in whole.items()}.items()


@pytest.mark.attempt("full disks and denied folders")
@pytest.mark.parametrize("size", [0, 1, 40, 300])
@pytest.mark.parametrize("place", ["{}/runs", "file://{}/runs"])
def test_a_run_that_does_not_fit_is_said_and_never_half_kept(here: Path, place: str, size: int) -> None:
    where = place.format(here)
    with no_file_longer_than(size):
        said = kept_anywhere(where)
    assert said
    assert all("File too large" in each for each in said)
    assert set(tree(here)) <= {"state/auditor/key", "runs/salt"}


@pytest.mark.attempt("full disks and denied folders")
def test_where_no_report_finds_room_none_of_an_earlier_audit_stays(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audited_before(here)

    def no_room(*_: object, **__: object) -> bytes:
        raise ReportError("the report could not be laid out: No space left on device")

    monkeypatch.setattr(render, "pdf", no_room)
    said: list[str] = []
    evidence = later(examples.failing().evidence)
    with pytest.raises(ReportError):
        results.write(evidence, here / "out", signer=signer(), notice=said.append)
    assert written(here) == {"evidence.json": render.json_bytes(evidence)}
    assert len(said) == 7


@pytest.mark.attempt("full disks and denied folders")
@pytest.mark.parametrize("which", [1, 2])
@pytest.mark.parametrize("name", ["results signed", "results over signed ones", "plan"])
def test_whoever_is_interrupted_leaves_everything_as_it_was(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str, which: int
) -> None:
    """Between two renames, old and new results would lie next to each other."""
    writer, real, renamed = WRITERS[name], os.replace, []
    writer.prepare(here)
    if name == "plan":
        (here / "out").mkdir()
        (here / "out" / "plan.svg").write_bytes(b"of an earlier plan")
    before = written(here)

    def interrupted(source: Path, target: Path) -> None:
        renamed.append(target)
        if len(renamed) == which:
            raise KeyboardInterrupt
        real(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", interrupted)
        with suppress(KeyboardInterrupt):
            assert writer.write() == 130
    assert written(here) == before


@pytest.mark.attempt("full disks and denied folders")
def test_a_file_system_without_second_names_is_written_all_the_same(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audited_before(here)

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(os, "link", refused)
    audited(signed=True)
    assert {"evidence.json", "report.pdf", "statement.dsse.json"} <= set(written(here))
    assert "counterexample-7.json" not in written(here)
