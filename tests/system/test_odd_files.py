"""Links, pipes, devices and sockets in the place of every file of a case and of every file that a command is given: one problem,
no waiting, nothing read from elsewhere and nothing written there."""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import report_examples as examples
import small_cases
from auditor import case as cases
from auditor.base.errors import InputError
from auditor.case.containers import canonical
from auditor.case.files import read_source
from auditor.cli import run
from auditor.recheck import signing

SECRET = b"of another case, and nobody's business here"
SECONDS = 20
MOST_BYTES = 1 << 29
DATA = 'holdout = "holdout.npz"\nstore = "store"\ninputs = ["inputs/"]'
KINDS = ("link out", "link to a device", "link to itself", "dangling link", "pipe", "socket", "folder")


@contextmanager
def in_time() -> Iterator[None]:
    """Fail where somebody waits: for the other end of a pipe, say."""

    def waited(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError("it waits")

    before, held = signal.signal(signal.SIGALRM, waited), resource.getrlimit(resource.RLIMIT_DATA)
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (used + MOST_BYTES, held[1]))  # what reads without end ends here
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, held)
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def put(path: Path, kind: str, elsewhere: Path) -> None:
    """Put something else in the place of a file; `elsewhere` is one out of the case."""
    content = path.read_bytes() if path.is_file() else SECRET
    path.unlink(missing_ok=True)
    match kind:
        case "link out":
            elsewhere.write_bytes(content)
            path.symlink_to(elsewhere)
        case "link to a device":
            path.symlink_to("/dev/zero")
        case "link to itself":
            path.symlink_to(path)
        case "dangling link":
            path.symlink_to(elsewhere)
        case "pipe":
            os.mkfifo(path)
        case "socket":
            here = Path.cwd()
            os.chdir(path.parent)  # the name of a socket is short
            try:
                with socket.socket(socket.AF_UNIX) as bound:
                    bound.bind(path.name)
            finally:
                os.chdir(here)
        case "folder":
            path.mkdir()


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A case with a file of every kind."""
    features, labels = small_cases.problem()
    (tmp_path / "case").mkdir()
    folder = small_cases.write(
        tmp_path / "case",
        features,
        labels,
        model=np.zeros(5),
        data=DATA,
    )
    small_cases.foreign(folder, "def learn(self, data, seed):\n    return 1")
    np.savez(folder / "holdout.npz", features=features[:9], labels=labels[:9], ids=np.array([f"h{at}" for at in range(9)]))
    for name, file in (("store", "rows.csv"), ("inputs", "weights.bin")):
        (folder / name).mkdir()
        (folder / name / file).write_bytes(f"{name},b\n1,2\n".encode())
    (folder / "helper.py").write_text("X = 1\n", encoding="utf-8")
    source = (folder / "procedure.py").read_text(encoding="utf-8")
    (folder / "procedure.py").write_text(f"import helper\n{source}", encoding="utf-8")
    cases.read(folder)
    return folder


FILES = (
    *("audit.toml", "train.npz", "holdout.npz", "deletions.jsonl", "model.npz", "procedure.py", "helper.py"),
    *("store/rows.csv", "inputs/weights.bin"),
)


@pytest.mark.attempt("links, pipes and devices in the place of files")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("file", FILES)
def test_no_file_of_a_case_leads_elsewhere_or_keeps_anybody_waiting(case: Path, tmp_path: Path, file: str, kind: str) -> None:
    put(case / file, kind, tmp_path / "elsewhere")
    before = sorted(tmp_path.iterdir())
    with in_time():
        if file == "audit.toml" and kind == "link out":
            cases.read(case)  # it is the one file that the user names
        elif (file, kind) in {("helper.py", "folder"), ("store/rows.csv", "folder"), ("inputs/weights.bin", "folder")}:
            # A folder may be where a file may be; an empty one holds nothing.
            with suppress(InputError):
                assert not any("elsewhere" in each.path for each in cases.read(case).inputs)
        else:
            with pytest.raises(InputError) as caught:
                cases.read(case)
            assert SECRET.decode() not in str(caught.value)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.attempt("links, pipes and devices in the place of files")
@pytest.mark.parametrize("file", FILES)
def test_a_file_of_a_case_with_a_second_name_elsewhere_is_read_as_it_is_and_never_written(
    case: Path, tmp_path: Path, file: str
) -> None:
    os.link(case / file, tmp_path / "elsewhere")
    content = (tmp_path / "elsewhere").read_bytes()
    before = {each.path: each.sha256 for each in cases.read(case).inputs}
    run(["clean", str(case), "--quiet"])
    assert (tmp_path / "elsewhere").read_bytes() == content
    assert {each.path: each.sha256 for each in cases.read(case).inputs} == before


TICKETS = "ticket,customer_id,opened,closed\nT-1,C-7,2026-03-01T09:30:00Z,2026-03-05T10:00:00Z\n"
ENTRY = '{"request_id": "R-1", "record_ids": ["C-1"], "received_at": "2026-03-01T09:30:00Z"}\n'
MAP = "ticket=request_id,customer_id=record_ids,opened=received_at,closed=executed_at"
REQUEST = examples.passing().evidence.requests[0].request_id
COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check", "@/audit.toml"),
    "validate": ("validate", "@/audit.toml", "--no-run"),
    "report": ("report", "@/evidence.json", "--format", "md"),
    "certificate": ("certificate", "@/evidence.json", "--request", REQUEST, "-o", "letter.pdf"),
    "verify": ("verify", "@/evidence.json"),
    "verify with a key": ("verify", "evidence.json", "--key", "@/key.pub"),
    "diff": ("diff", "@/evidence.json", "evidence.json"),
    "explain": ("explain", "data.erased", "--evidence", "@/evidence.json"),
    "history": ("history",),
    "log import": ("log", "import", "@/tickets.csv", "--map", MAP, "-o", "log.jsonl"),
    "log import with people": (
        *("log", "import", "tickets.csv", "--map", "ticket=request_id,opened=received_at,closed=executed_at"),
        *("--people", "@/people.csv", "--person", "customer_id=customer_id", "-o", "log.jsonl"),
    ),
    "log check": ("log", "check", "@/log.jsonl"),
    "log append": ("log", "append", "made.jsonl", "@/entry.jsonl"),
    "log append to": ("log", "append", "@/log.jsonl", "entry.jsonl"),
    "canonical": ("canonical", "@/model.npz", "-o", "out.npz"),
    "canonical skops": ("canonical", "@/model.skops", "-o", "out.skops"),
    "canonical pt": ("canonical", "@/model.pt", "-o", "out.safetensors"),
    "init code": ("init", "made", "--from", "@/build.py:build", "--data", "people.csv"),
    "init data": ("init", "made", "--from", "build.py:build", "--data", "@/people.csv"),
    "init log": ("init", "made", "--from", "build.py:build", "--data", "people.csv", "--log", "@/tickets.csv"),
    "replay": ("replay", "case", "@/counterexample-1.json"),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "odd").mkdir()
    (tmp_path / "evidence.json").write_bytes(examples.passing().evidence.to_bytes())
    (tmp_path / "tickets.csv").write_text(TICKETS, encoding="utf-8")
    (tmp_path / "entry.jsonl").write_text(ENTRY, encoding="utf-8")
    (tmp_path / "people.csv").write_text("id,x,label\n" + "".join(f"r{at},{at},{at % 2}\n" for at in range(30)), encoding="utf-8")
    build = "from sklearn.linear_model import LogisticRegression\n\n\ndef build(seed):\n    return LogisticRegression()\n"
    (tmp_path / "build.py").write_text(build, encoding="utf-8")
    (tmp_path / "model.npz").write_bytes(canonical(np.arange(5.0), ".npz"))
    signing.write_pair(tmp_path / "key", signing.generate(None))
    return tmp_path


@pytest.mark.attempt("links, pipes and devices in the place of files")
@pytest.mark.parametrize("kind", ["link to a device", "link to itself", "dangling link", "pipe", "socket", "folder"])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_neither_waits_nor_reads_without_end(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, kind: str
) -> None:
    monkeypatch.setenv("AUDITOR_HISTORY", str(here / "odd" / "history.sqlite") if name == "history" else "")
    odd = next((word[2:].partition(":")[0] for word in COMMANDS[name] if word.startswith("@/")), "history.sqlite")
    put(here / "odd" / odd, kind, here / "elsewhere")
    with in_time():
        code = run([word.replace("@", str(here / "odd")) for word in COMMANDS[name]])
    said = capsys.readouterr()
    # What holds nothing is a ledger without audits.
    empty = name == "history" and kind in {"dangling link", "link to itself", "link to a device"}
    assert code == (0 if empty else 2), said.err
    assert "an error of the auditor itself" not in said.err
    assert not (here / "elsewhere").exists()


WRITTEN: dict[str, tuple[str, ...]] = {
    "report": ("report", "evidence.json", "--format", "md", "-o", "odd/out"),
    "tables": ("report", "evidence.json", "--tables", "odd"),
    "log import": ("log", "import", "tickets.csv", "--map", MAP, "-o", "odd/out"),
    "canonical": ("canonical", "model.npz", "-o", "odd/out.npz"),
    "keygen": ("keygen", "odd/out", "--no-passphrase"),
}


@pytest.mark.attempt("links, pipes and devices in the place of files")
@pytest.mark.parametrize(
    "kind", ["link out", "link to a device", "link to itself", "dangling link", "pipe", "socket", "second name"]
)
@pytest.mark.parametrize("name", WRITTEN)
def test_nothing_is_written_through_what_lies_at_the_end(here: Path, name: str, kind: str) -> None:
    odd = {"tables": "requests.csv", "canonical": "out.npz"}.get(name, "out")
    if kind == "second name":
        (here / "elsewhere").write_bytes(SECRET)
        os.link(here / "elsewhere", here / "odd" / odd)
    else:
        put(here / "odd" / odd, kind, here / "elsewhere")
    with in_time():
        assert run([*WRITTEN[name]]) in {0, 2}
    assert not (here / "elsewhere").exists() or (here / "elsewhere").read_bytes() == SECRET
    assert [path.name for path in here.rglob("*.partial")] == []


@pytest.mark.attempt("links, pipes and devices in the place of files")
def test_a_log_that_is_a_link_is_added_to_where_it_lies_or_not_at_all(here: Path) -> None:
    assert run(["log", "append", "real.jsonl", "entry.jsonl"]) == 0
    (here / "log.jsonl").symlink_to("real.jsonl")
    before = (here / "real.jsonl").read_bytes()
    (here / "second.jsonl").write_text(ENTRY.replace("1", "2", 1).replace("C-1", "C-2"), encoding="utf-8")
    assert run(["log", "append", "log.jsonl", "second.jsonl"]) == 2
    assert (here / "log.jsonl").is_symlink()
    assert (here / "real.jsonl").read_bytes() == before


@pytest.mark.attempt("links, pipes and devices in the place of files")
def test_a_file_that_becomes_a_pipe_between_two_looks_keeps_nobody_waiting(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may write in the folder of a case exchanges a file after it was looked at."""
    real: Callable[..., os.stat_result] = Path.stat
    source, exchanged = here / "tickets.csv", list[Path]()

    def then_exchanged(path: Path, **how: bool) -> os.stat_result:
        found = real(path, **how)
        if path == source and not exchanged:
            exchanged.append(path)
            source.unlink()
            os.mkfifo(source)
        return found

    monkeypatch.setattr(Path, "stat", then_exchanged)
    with in_time(), pytest.raises(InputError):
        read_source(source)
