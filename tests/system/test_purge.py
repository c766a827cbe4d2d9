"""`auditor purge`: what goes, what stays, that nothing else is touched, and that nobody can be found in what is left."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import lzma
import os
import shutil
import stat
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import fsspec
import numpy as np
import pandas as pd
import pytest

from auditor.api import Case
from auditor.api.results.purging import copies, files, people
from auditor.api.results.purging.purge import purge as purged
from auditor.api.results.purging.written import audit_to
from auditor.base import outputs, papers, process_marks
from auditor.base.errors import UsageError
from auditor.base.noted import Noted
from auditor.base.outputs import Wrote
from auditor.cli import run
from auditor.document.retention import kept_until
from auditor.recheck import signing
from auditor.recheck.pdf import asking
from auditor.recheck.pdf.contents import Contents
from auditor.sandbox.runs import Runs, cleanup
from cases import LEFT_OUT, SAMPLES, laid_out_once
from kept_runs import answers, job, kept_in
from sample_cases import GOLDEN

SUBJECT, REQUEST, RECORD = "s-9dc1fcb100fc", "REQ-2026-0001", "digit-0145"
OTHER = "REQ-2026-0002"
PAST, AHEAD = "2026-08-01", "2099-01-01"


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A key, notes and temporary files for each test. Equal letters are laid out once."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    with laid_out_once():
        yield


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """The sample as `init` might have copied it, audited: kept runs, a letter and a draft."""
    made = tmp_path / "case"
    shutil.copytree(SAMPLES / "digits-newton", made, ignore=LEFT_OUT)
    copies.remember(made, [made / "train.npz", made / "store.npz", made / "holdout.npz"])
    audit = made / "audit"
    audit.mkdir()
    shutil.copyfile(GOLDEN / "digits-newton.json", audit / "evidence.json")
    kept_in(audit / ".runs")
    checkpoint = _checkpoints(audit / ".runs")
    checkpoint.keep(0, b"weights", 1.0)
    assert run(["certificate", str(audit), "--request", REQUEST, "--quiet"]) == 0
    assert run(["certificate", str(audit), "--request", OTHER, "--draft", "--quiet"]) == 0
    return made


def _checkpoints(folder: Path) -> Any:
    runs = Runs(folder, notice=pytest.fail)
    found = runs.checkpoints(job(), 1, runs.address(job(), 1))
    assert found is not None
    return found


def keep_until(case: Path, day: str) -> None:
    text = (case / "audit.toml").read_text(encoding="utf-8")
    (case / "audit.toml").write_text(text.replace("[case]\n", f"[case]\nkeep_until = {day}\n", 1), encoding="utf-8")


def purge(case: Path, *options: str, capfd: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert run(["purge", str(case), "--json", *options]) == code
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    return found


def kinds(receipt: dict[str, Any]) -> list[str]:
    return sorted(each["kind"] for each in receipt["removed"])


def everything(folder: Path) -> dict[str, bytes | str]:
    """Every name below a folder with what it holds; links by what they lead to."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        found[name] = f"-> {path.readlink()}" if path.is_symlink() else "" if path.is_dir() else path.read_bytes()
    return found


def verifies(case: Path) -> bool:
    return run(["verify", str(case / "audit"), "--quiet"]) == 0


def test_before_the_day_runs_and_drafts_go_and_all_else_stays(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keep_until(case, AHEAD)
    before = everything(case)
    receipt = purge(case, capfd=capfd)
    assert kinds(receipt) == ["checkpoint", "draft", "run", "salt"]
    assert receipt["keep_until"] == AHEAD
    assert receipt["keep_until_declared"]
    after = everything(case)
    gone = {each for each in before if each not in after}
    assert (
        len([each for each in gone if each.endswith((".run", ".checkpoint", "salt", ".pdf"))]) == len(gone) - 1 == 4
    )  # and the folder
    assert {name: content for name, content in before.items() if name not in gone} == {
        name: content for name, content in after.items() if "purge-" not in name
    }
    assert verifies(case)


def test_after_the_day_copies_and_letters_go_and_the_evidence_verifies(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keep_until(case, PAST)
    (case / "complaint of Ann Example.txt").write_bytes(b"x")
    with (case / "holdout.npz").open("ab") as file:
        file.write(b"changed since")
    receipt = purge(case, capfd=capfd)
    assert kinds(receipt) == ["checkpoint", "copy", "copy", "draft", "letter", "run", "salt"]
    assert not (case / "train.npz").exists()
    assert (case / "holdout.npz").exists(), "a copy that was changed is its user's"
    assert (case / "deletions.jsonl").exists()
    assert verifies(case)
    listed = {each["what"]: each["why"] for each in receipt["stays"]}
    assert listed["holdout.npz"] == listed["deletions.jsonl"] == listed["audit.toml"] == "yours"
    assert listed["audit/evidence.json"] == "result"
    assert "Ann" not in json.dumps(receipt)
    assert listed["other files"] == "yours"
    again = purge(case, capfd=capfd)
    assert kinds(again) == []
    assert len(list(case.glob("purge-*.json"))) == 2


def test_a_receipt_says_when_it_ended_is_its_users_alone_and_names_nobody(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    receipt = purge(case, "--person", SUBJECT, capfd=capfd)
    path = Path(receipt["receipt"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    written = path.read_text(encoding="utf-8")
    assert json.loads(written)["finished_at"] is not None
    for name in (SUBJECT, REQUEST, RECORD, REQUEST.lower(), "0145"):
        assert name not in written
    assert stat.S_IMODE((case / "train.npz").stat().st_mode) == 0o600


@pytest.mark.parametrize("asked", [SUBJECT, REQUEST, RECORD])
def test_after_a_purge_of_a_person_nothing_holds_them_but_what_the_receipt_names(
    case: Path, capfd: pytest.CaptureFixture[str], asked: str
) -> None:
    with np.load(case / "train.npz") as table:
        row = table["features"][table["ids"].tolist().index(RECORD)]
        others = table["features"][table["ids"] != RECORD].copy()
    (case / "notes").mkdir()
    (case / "notes" / "mail.txt").write_text(f"from {RECORD}, thanks", encoding="utf-8")
    (case / "notes" / "numbers.bin").write_bytes(b"nobody")
    (case / "notes" / f"{SUBJECT}.txt").write_text("nothing", encoding="utf-8")
    (case / "notes" / "scan.pdf").write_bytes(b"%PDF-1.7 who knows")
    log = (case / "deletions.jsonl").read_bytes()
    receipt = purge(case, "--person", asked, capfd=capfd)
    assert kinds(receipt) == ["checkpoint", "letter", "run", "salt"], "the draft is another person's"
    assert {(each["path"], each["rows"]) for each in receipt["cut"]} == {("train.npz", 1)}
    assert (case / "deletions.jsonl").read_bytes() == log
    with np.load(case / "train.npz") as table:
        assert np.array_equal(table["features"], others)
    named = {each["what"] for each in receipt["stays"] if each["holds_person"]}
    assert named == {"audit/evidence.json", "deletions.jsonl", "notes/mail.txt"}
    unsearched = {each["what"] for each in receipt["stays"] if each["why"] == "not-searched"}
    assert unsearched == {"notes/scan.pdf"}
    assert ("other files", "yours") in {(each["what"], each["why"]) for each in receipt["stays"]}, "its name is theirs"
    encodings = ("utf-8", "utf-16-le", "utf-32-le")
    traces = [name.encode(code) for name in (SUBJECT, REQUEST, RECORD) for code in encodings]
    traces += [row.tobytes(), ",".join(map(str, row)).encode()]
    left = {
        name for name, content in everything(case).items() if isinstance(content, bytes) and any(t in content for t in traces)
    }
    assert left == named
    with np.load(case / "train.npz") as table:
        assert RECORD not in table["ids"].tolist()
        assert not (table["features"] == row).all(axis=1).any()
    assert not (case / "audit" / ".runs").exists()
    assert verifies(case)


def test_a_dry_run_says_the_same_and_changes_nothing(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = everything(tmp_path)
    tried = purge(case, "--person", SUBJECT, "--dry-run", capfd=capfd)
    assert everything(tmp_path) == before
    assert tried["receipt"] is None
    done = purge(case, "--person", SUBJECT, capfd=capfd)
    assert {**tried, **{key: done[key] for key in ("receipt", "dry_run", "begun_at", "finished_at")}} == done


def test_whom_nobody_knows_and_a_request_of_several_people(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = everything(tmp_path)
    assert run(["purge", str(case), "--person", "nobody"]) == 2
    err = capfd.readouterr().err
    assert "found nobody" in err
    rows = (case / "deletions.jsonl").read_text(encoding="utf-8").splitlines()
    rows[1] = rows[1].replace(OTHER, REQUEST)
    (case / "deletions.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert run(["purge", str(case), "--person", REQUEST]) == 2
    assert "several people's" in capfd.readouterr().err
    del before["case/deletions.jsonl"]
    assert {name: each for name, each in everything(tmp_path).items() if name in before} == before


def test_a_day_that_cannot_be_read_is_not_taken_for_one_that_was_left_out(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keep_until(case, '"soon"')
    before = everything(case)
    assert run(["purge", str(case)]) == 2
    assert "case.keep_until: expected a date" in capfd.readouterr().err
    assert everything(case) == before


def test_without_a_declared_day_it_is_a_year_after_the_audit() -> None:
    assert kept_until(None, datetime.fromisoformat("2026-03-05T10:00:00Z")) == date(2027, 3, 5)
    assert kept_until(None, datetime.fromisoformat("2028-02-29T10:00:00Z")) == date(2029, 2, 28)
    assert kept_until(date(2030, 1, 1), datetime.fromisoformat("2028-02-29T10:00:00Z")) == date(2030, 1, 1)


def test_a_case_that_was_never_audited_keeps_its_copies(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(case / "audit")
    receipt = purge(case, capfd=capfd)
    assert receipt["removed"] == []
    assert receipt["keep_until"] is None
    assert Path(receipt["receipt"]).parent == case
    assert run(["purge", str(case)]) == 0
    assert "no audit has ended here" in capfd.readouterr().err.lower()


# What is not ours. Everything outside and everything foreign has to be as it was.
@pytest.mark.attempt("purge")
def test_a_folder_of_runs_that_is_not_ours_stays(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    runs = case / "audit" / ".runs"
    shutil.rmtree(runs)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "somebody else"))
    kept_in(runs)  # sealed with another key
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (runs / f"{'0' * 64}.run").write_bytes(b"precious")
    (runs / f"{'0' * 64}-0.checkpoint").write_bytes(b"precious")
    (runs / f".{'0' * 64}.1-1.abc.partial").write_bytes(b"precious, and no run")
    (runs / "thesis.docx").write_bytes(b"precious")
    before = everything(runs)
    receipt = purge(case, capfd=capfd)
    assert kinds(receipt) == ["draft"]
    assert everything(runs) == before
    assert [each["files"] for each in receipt["stays"] if each["why"] == "not-shown-ours"] == [3]


@pytest.mark.attempt("purge")
def test_a_run_moved_to_another_address_or_changed_is_not_shown_ours(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    runs = case / "audit" / ".runs"
    (kept,) = runs.glob("*.run")
    (runs / f"{'1' * 64}.run").write_bytes(kept.read_bytes())
    kept.write_bytes(kept.read_bytes()[:-1] + b"?")
    receipt = purge(case, capfd=capfd)
    assert kinds(receipt) == ["checkpoint", "draft"], "the salt stays with what it might have sealed"
    assert len(list(runs.glob("*.run"))) == 2


@pytest.mark.attempt("purge")
@pytest.mark.parametrize("what", ["runs", "audit", "file", "copy", "folder of copy"])
def test_no_link_is_followed(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], what: str) -> None:
    keep_until(case, PAST)
    outside = tmp_path / "outside"
    outside.mkdir()
    audit = case / "audit"
    match what:
        case "runs":
            (audit / ".runs").rename(outside / "runs")
            (audit / ".runs").symlink_to(outside / "runs")
        case "audit":
            audit.rename(outside / "audit")
            audit.symlink_to(outside / "audit")
        case "file":
            (kept,) = (audit / ".runs").glob("*.run")
            kept.rename(outside / kept.name)
            kept.symlink_to(outside / kept.name)
        case "copy":
            (case / "train.npz").rename(outside / "train.npz")
            (case / "train.npz").symlink_to(outside / "train.npz")
        case _:
            (outside / "train.npz").write_bytes((case / "train.npz").read_bytes())
            (case / "tables").symlink_to(outside)
            text = (case / "audit.toml").read_text(encoding="utf-8")
            (case / "audit.toml").write_text(text.replace('"train.npz"', '"tables/train.npz"'), encoding="utf-8")
            copies.remember(case, [case / "tables" / "train.npz"])
    before = everything(outside)
    for options in ((), ("--person", OTHER)):
        receipt = purge(case, *options, capfd=capfd)
        assert everything(outside) == before
        assert receipt["cut"] == [] or what not in {"copy", "folder of copy"}
        if what != "file":
            assert "link" in {each["why"] for each in receipt["stays"]}


@pytest.mark.attempt("purge")
@pytest.mark.parametrize("name", ["../people.csv", "/etc/hostname", "tables/../../people.csv"])
def test_a_table_outside_the_case_is_no_copy(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    keep_until(case, PAST)
    table = tmp_path / "people.csv"
    table.write_bytes(b"id,label\n1,2\n")
    text = (case / "audit.toml").read_text(encoding="utf-8")
    (case / "audit.toml").write_text(text.replace('"train.npz"', json.dumps(name)), encoding="utf-8")
    purge(case, capfd=capfd)
    assert table.exists()
    assert Path("/etc/hostname").exists()


@pytest.mark.attempt("purge")
def test_a_table_that_was_not_noted_is_the_users_whatever_it_is_called(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    keep_until(case, PAST)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another user"))
    before = (case / "train.npz").read_bytes()
    receipt = purge(case, capfd=capfd)
    assert "copy" not in kinds(receipt)
    receipt = purge(case, "--person", SUBJECT, capfd=capfd)
    assert receipt["cut"] == []
    assert {each["what"] for each in receipt["stays"] if each["holds_person"]} >= {"train.npz", "deletions.jsonl"}
    assert (case / "train.npz").read_bytes() == before


@pytest.mark.attempt("purge")
def test_letters_of_other_evidence_and_what_is_called_a_letter_stay(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keep_until(case, PAST)
    audit = case / "audit"
    (letter,) = audit.glob("letter-*0001*.pdf")
    (audit / "letter-to-my-aunt.pdf").write_bytes(b"%PDF-1.7 dear aunt")
    (audit / "letter-annotated.pdf").write_bytes(letter.read_bytes() + b"\n% a note of mine\n")
    evidence = json.loads((audit / "evidence.json").read_bytes())
    evidence["case"]["contact"] = "another@example.org"
    foreign = case.parent / "foreign"
    foreign.mkdir()
    (foreign / "evidence.json").write_text(json.dumps(evidence), encoding="utf-8")
    assert run(["certificate", str(foreign), "--request", REQUEST, "-o", str(audit / "letter-foreign.pdf"), "--quiet"]) == 0
    receipt = purge(case, capfd=capfd)
    assert kinds(receipt).count("letter") == 1
    assert sorted(each.name for each in audit.glob("letter*")) == [
        "letter-annotated.pdf",
        "letter-foreign.pdf",
        "letter-to-my-aunt.pdf",
    ]


def test_what_signed_a_letter_goes_with_it_and_what_signed_another_stays(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    keep_until(case, PAST)
    audit = case / "audit"
    (letter,) = audit.glob("letter-*0001*.pdf")
    (draft,) = audit.glob("letter-*0002*.pdf")
    assert run(["keygen", str(tmp_path / "key"), "--no-passphrase", "--quiet"]) == 0
    letter.unlink()  # a letter that is there may have been sent
    assert run(["certificate", str(audit), "--request", REQUEST, "--sign", str(tmp_path / "key"), "--quiet"]) == 0
    statement = letter.with_name(signing.letter_envelope(letter.name))
    other = draft.with_name(signing.letter_envelope(draft.name))
    other.write_bytes(statement.read_bytes())
    assert kinds(purge(case, capfd=capfd)).count("statement") == 1
    assert not statement.exists()
    assert other.exists()


def _replies(case: Path) -> None:
    """Two of one person, one of another; under names and in a folder of the officer's own choice."""
    (case / "answers").mkdir()
    for request, name in ((REQUEST, "answers/first.docx"), (REQUEST, "answers/first.pdf"), (OTHER, "audit/second.docx")):
        assert run(["reply", str(case / "audit"), "--request", request, "-o", str(case / name), "--quiet"]) == 0


def test_replies_as_they_were_drafted_stay_until_the_day_and_go_after_it(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _replies(case)
    keep_until(case, AHEAD)
    receipt = purge(case, capfd=capfd)
    assert "reply" not in kinds(receipt)
    assert ("replies", "kept-until", 3) in {(each["what"], each["why"], each["files"]) for each in receipt["stays"]}
    toml = (case / "audit.toml").read_text(encoding="utf-8").replace(AHEAD, PAST)
    (case / "audit.toml").write_text(toml, encoding="utf-8")
    receipt = purge(case, capfd=capfd)
    assert kinds(receipt).count("reply") == 3
    assert {each["path"] for each in receipt["removed"] if each["kind"] == "reply"} == {None}, "a name may name somebody"
    assert not [*case.rglob("*.docx"), *case.glob("answers/*")]
    assert verifies(case)


def test_replies_to_a_person_go_and_those_to_others_and_edited_ones_stay(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _replies(case)
    edited = case / "answers" / "edited.docx"
    with zipfile.ZipFile(case / "answers" / "first.docx") as made, zipfile.ZipFile(edited, "w", zipfile.ZIP_DEFLATED) as saved:
        for name in made.namelist():
            # As a word processor saves it, which cuts a text in pieces where it was worked on.
            saved.writestr(name, made.read(name).replace(b"REQ-2026-0001", b"REQ-20</w:t></w:r><w:r><w:t>26-0001"))
    longer = case / "answers" / "longer.pdf"
    longer.write_bytes((case / "answers" / "first.pdf").read_bytes() + b"\n% a note of mine\n")
    (case / "answers" / "aunt.docx").write_bytes(b"PK\x03\x04 dear aunt")
    receipt = purge(case, "--person", SUBJECT, capfd=capfd)
    assert kinds(receipt).count("reply") == 2
    assert sorted(each.name for each in case.rglob("answers/*")) == ["aunt.docx", "edited.docx", "longer.pdf"]
    assert (case / "audit" / "second.docx").exists()
    stays = {each["what"]: (each["why"], each["holds_person"]) for each in receipt["stays"]}
    assert stays["replies"] == ("of-others", None)
    assert stays["answers/edited.docx"] == ("yours", True)
    assert stays["answers/longer.pdf"] == stays["answers/aunt.docx"] == ("not-searched", None)


def test_a_reply_of_another_audit_and_one_behind_a_link_stay(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _replies(case)
    keep_until(case, PAST)
    outside = tmp_path / "outside.docx"
    (case / "answers" / "first.docx").rename(outside)
    (case / "answers" / "first.docx").symlink_to(outside)
    evidence = json.loads((case / "audit" / "evidence.json").read_bytes())
    evidence["case"]["contact"] = "another@example.org"
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "evidence.json").write_text(json.dumps(evidence), encoding="utf-8")
    other = case / "answers" / "other.docx"
    assert run(["reply", str(foreign), "--request", REQUEST, "-o", str(other), "--quiet"]) == 0
    assert kinds(purge(case, capfd=capfd)).count("reply") == 2
    assert outside.exists()
    assert other.exists()


def test_half_a_reply_of_a_killed_process_goes(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keep_until(case, AHEAD)
    ended = "fffffff-1"
    for name in (f".reply.docx.{process_marks.mark()}.partial", f".reply.docx.{ended}.partial", f".notes.txt.{ended}.partial"):
        (case / name).write_bytes(b"half")
    partials = [each for each in purge(case, capfd=capfd)["removed"] if each["kind"] == "partial"]
    assert sorted(each.name for each in case.glob(".*.partial")) == sorted(
        [f".reply.docx.{process_marks.mark()}.partial", f".notes.txt.{ended}.partial"]
    )
    assert [each["path"] for each in partials] == [None]


# A purge that is killed has lost nothing that it had not to remove, and the next one ends it.
@pytest.mark.parametrize("at", ["rename", "unlink"])
def test_a_purge_that_is_killed_is_ended_by_the_next(
    case: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], at: str
) -> None:
    keep_until(case, PAST)
    table = (case / "train.npz").read_bytes()
    real, calls = getattr(os, at), list[str]()

    def killed(*given: Any, **named: Any) -> None:
        calls.extend({"src_dir_fd", "dir_fd"} & named.keys())
        if len(calls) == 2:
            raise KeyboardInterrupt
        real(*given, **named)

    with monkeypatch.context() as patched:
        patched.setattr(f"auditor.api.results.purging.files.os.{at}", killed)
        patched.setattr("auditor.api.results.purging.files.os.rmdir", lambda *_, **__: None)
        assert run(["purge", str(case)]) == 130
    (begun,) = case.glob("purge-*.json")
    assert json.loads(begun.read_bytes())["finished_at"] is None
    assert list(case.rglob(".purge.*.partial"))
    assert not (case / "train.npz").exists() or (case / "train.npz").read_bytes() == table
    capfd.readouterr()
    monkeypatch.setattr(process_marks, "has_ended", lambda _: True)
    receipt = purge(case, capfd=capfd)
    assert "waiting" in kinds(receipt)
    assert not list(case.rglob(".purge.*.partial"))
    assert not (case / "train.npz").exists()
    assert verifies(case)


@pytest.mark.attempt("purge")
def test_a_folder_that_looks_like_a_killed_purge_and_was_not_noted_stays(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for folder in (case, case / "audit"):
        (folder / ".purge.1-1.partial").mkdir()
        (folder / ".purge.1-1.partial" / "0").write_bytes(b"precious")
    receipt = purge(case, capfd=capfd)
    assert "waiting" not in kinds(receipt)
    assert len(list(case.rglob(".purge.*.partial/0"))) == 2


@pytest.mark.attempt("purge")
def test_a_file_that_is_exchanged_meanwhile_is_put_back(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"ours")
    found = files.examine(tmp_path, PurePosixPath("a"), "copy")
    assert found is not None
    (tmp_path / "a").unlink()
    (tmp_path / "a").write_bytes(b"precious")
    done, failed = files.remove([found])
    assert (done, [why for _, why in failed]) == ([], ["it was changed meanwhile"])
    assert (tmp_path / "a").read_bytes() == b"precious"
    assert not list(tmp_path.glob(".purge.*"))


def test_other_names_of_a_removed_file_are_counted(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (kept,) = (case / "audit" / ".runs").glob("*.run")
    (tmp_path / "elsewhere.run").hardlink_to(kept)
    receipt = purge(case, capfd=capfd)
    assert {each["kind"]: each["other_names"] for each in receipt["removed"]}["run"] == 1
    assert (tmp_path / "elsewhere.run").exists()


@pytest.mark.attempt("purge")
def test_runs_kept_elsewhere_go_if_they_bear_our_seal(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    where = "memory://bucket/purged"
    store = fsspec.filesystem("memory")
    store.store.clear()
    runs = Runs(where, notice=pytest.fail)
    runs.keep(job(), 0, runs.address(job(), 0), answers(job().steps))
    store.pipe_file(f"/bucket/purged/{'0' * 64}.run", b"precious")
    tried = purge(case, "--runs", where, "--dry-run", capfd=capfd)
    assert len(store.find("/bucket/purged")) == 2
    assert kinds(tried).count("run") == 1
    assert kinds(purge(case, "--runs", where, capfd=capfd)).count("run") == 1
    assert store.find("/bucket/purged") == [f"/bucket/purged/{'0' * 64}.run"]
    store.store.clear()


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_all_rows_of_a_person_go_from_a_copy_and_the_others_stay_as_they_are(kind: str) -> None:
    frame = pd.DataFrame(
        {
            "customer": ["C-1", "C-2", "C-1", "C-3"],
            "id": ["a", "b", "c", "d"],
            "note": ["x", 'with "quotes",\nand lines', "y", "z"],
        }
    )
    content = frame.to_csv(index=False).encode() if kind == "csv" else frame.to_parquet(index=False)
    rows = copies.rows_of(f"train.{kind}", content, "id", "customer")
    person = people.find("a", [], rows)
    assert person.records >= {"a", "c"}
    cut, gone = copies.without(f"train.{kind}", content, person.has_row, "id", "customer")
    assert gone == 2
    if kind == "csv":
        assert cut == frame[frame.customer != "C-1"].to_csv(index=False).encode()
    assert [key for key, _ in copies.rows_of(f"train.{kind}", cut, "id", "customer")] == ["b", "d"]
    assert copies.without(f"train.{kind}", cut, person.has_row, "id", "customer") == (cut, 0)


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", b"\xff\xfe"), ("a.csv", b"x\n1\n"), ("a.npz", b"PK"), ("a.parquet", b"PAR1"), ("a.xlsx", b"")]
)
def test_a_table_that_cannot_be_read_is_not_cut(name: str, content: bytes) -> None:
    with pytest.raises(copies.UncutError):
        copies.without(name, content, lambda *_: True, "id", None)


def test_files_of_a_case_made_from_tables_are_noted_and_its_users_alone(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        "from sklearn.linear_model import LogisticRegression\n\n\n"
        "def build(seed):\n    return LogisticRegression(random_state=seed)\n",
        encoding="utf-8",
    )
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"id": [f"p{n}" for n in range(40)], "x": rng.normal(size=40), "label": [0, 1] * 20})
    log = pd.DataFrame({"request_id": ["R"], "record_ids": ["p1"], "received_at": ["2026-01-02T08:00:00Z"]})
    folder = tmp_path / "made"
    Case.from_dataframe(
        train=table,
        id="id",
        label="label",
        build=f"{tmp_path}/model.py:build",
        log=log,
        name="n",
        task="classification",
        folder=folder,
    )
    table.to_csv(tmp_path / "people.csv", index=False)
    log.to_csv(tmp_path / "log.csv", index=False)
    begun = tmp_path / "begun"
    given = ["--from", f"{tmp_path}/model.py:build", "--data", str(tmp_path / "people.csv"), "--id", "id", "--label", "label"]
    assert run(["init", str(begun), *given, "--task", "classification", "--quiet"]) == 0
    noted = Noted()
    for made in (folder, begun):
        (train,) = made.glob("train.*")
        found = files.examine(made, PurePosixPath(train.name), "copy")
        assert found is not None
        assert copies.is_one(found.inside, found.sha256, noted)
        assert _modes(made) == {0o600, 0o700}
        assert not copies.is_one(PurePosixPath("audit.toml"), digest_of(made / "audit.toml"), noted)


def digest_of(path: Path) -> str:
    found = files.examine(path.parent, PurePosixPath(path.name), "copy")
    assert found is not None
    return found.sha256


def _modes(folder: Path) -> set[int]:
    paths: Iterable[Path] = (folder, *folder.rglob("*"))
    return {stat.S_IMODE(path.stat().st_mode) for path in paths}


def test_who_is_meant() -> None:
    rows = [("a", "C-1"), ("b", None), ("7", None)]
    with pytest.raises(UsageError, match="found nobody"):
        people.find("z", [], rows)
    seven = people.find("7", [], rows)
    assert seven.in_bytes(b"x,7,y")
    assert not seven.in_bytes(b"x,17,y")
    assert not seven.in_bytes(b"x70y")


@pytest.mark.parametrize("form", ["gz", "bz2", "xz", "zip", "parquet", "plain", "utf-16", "empty", "pipe"])
def test_a_person_is_found_in_what_is_packed(tmp_path: Path, form: str) -> None:
    person = people.find("CUST-77", [], [("CUST-77", None)])
    path, said = tmp_path / "file", b"about CUST-77 and others"
    match form:
        case "gz":
            path.write_bytes(gzip.compress(said))
        case "bz2":
            path.write_bytes(bz2.compress(said))
        case "xz":
            path.write_bytes(lzma.compress(said))
        case "zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("word/document.xml", said)
        case "parquet":
            pd.DataFrame({"who": ["x", "CUST-77"]}).to_parquet(path, compression="zstd")
        case "utf-16":
            path.write_bytes(said.decode().encode("utf-16"))
        case "plain":
            path.write_bytes(said)
        case "empty":
            path.write_bytes(b"")
        case _:
            os.mkfifo(path)
    assert people.holds(path, person) is {"empty": False, "pipe": None}.get(form, True)


def test_a_case_that_is_none_is_bad_input(tmp_path: Path) -> None:
    assert run(["purge", str(tmp_path)]) == 2


def test_letters_and_replies_elsewhere_go_where_their_folder_is_named(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    elsewhere = tmp_path / "letters"
    evidence = str(case / "audit" / "evidence.json")
    elsewhere.mkdir()
    for request in (REQUEST, OTHER):
        assert (
            run(["certificate", evidence, "--request", request, "--draft", "-o", str(elsewhere / f"letter-{request}.pdf")]) == 0
        )
        assert run(["reply", evidence, "--request", request, "-o", str(elsewhere / f"{request}.docx")]) == 0
    (elsewhere / "notes.txt").write_text(f"call {SUBJECT}")
    capfd.readouterr()
    for each in (outputs.FILE, papers.FILE):
        (case / each).unlink()  # as where letters were written by an earlier version
    assert purge(case, "--person", SUBJECT, capfd=capfd)["one_person"]
    assert len(list(elsewhere.iterdir())) == 5  # nobody named the folder
    receipt = purge(case, "--person", SUBJECT, "--also", str(elsewhere), capfd=capfd)
    assert sorted(each.name for each in elsewhere.iterdir()) == [f"{OTHER}.docx", f"letter-{OTHER}.pdf", "notes.txt"]
    assert {"draft", "reply"} <= set(kinds(receipt))
    assert [each["what"] for each in receipt["stays"] if each.get("holds_person") and each["why"] == "yours"][-1] == "notes.txt"


def test_a_folder_that_is_not_there_is_bad_usage(case: Path, tmp_path: Path) -> None:
    assert run(["purge", str(case), "--also", str(tmp_path / "nowhere")]) == 2


def test_a_dry_run_says_what_would_be(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["purge", str(case), "--person", SUBJECT, "--dry-run"]) == 0
    said = capfd.readouterr()
    assert "would lack the person's rows" in said.out + said.err
    assert "lacks the person's rows now" not in said.out + said.err


def test_a_report_in_pdf_holds_the_person_as_the_evidence_that_it_carries(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(case / "audit" / "evidence.json"), "-o", str(case / "audit" / "report.pdf")]) == 0
    capfd.readouterr()
    receipt = purge(case, "--person", SUBJECT, "--dry-run", capfd=capfd)
    held = {each["what"]: each.get("holds_person") for each in receipt["stays"]}
    assert held["audit/report.pdf"] is held["audit/evidence.json"] is True


def second_audit(case: Path, folder: Path, *, listed: bool = True) -> None:
    """Another audit of the same case, as `check --out` leaves it."""
    folder.mkdir(parents=True)
    shutil.copyfile(GOLDEN / "digits-newton.json", folder / "evidence.json")
    kept_in(folder / ".runs")
    if listed:
        audit_to(case, folder)


def letter_in(case: Path, folder: Path, request: str = REQUEST) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    assert run(["certificate", str(case / "audit"), "--request", request, "--quiet", "-o", str(folder / "letter-x.pdf")]) == 0
    return folder / "letter-x.pdf"


def outcome(receipt: dict[str, Any]) -> dict[str, str]:
    return {each["what"]: each["why"] for each in receipt["stays"]}


@pytest.mark.parametrize("inside", [True, False])
def test_a_second_audit_and_letters_elsewhere_are_found_by_themselves(
    inside: bool, case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    audit = case / "audit2" if inside else tmp_path / "audit2"
    second_audit(case, audit)
    letters = letter_in(case, tmp_path / "sent" / "letters"), letter_in(case, case / "letters")
    assert run(["reply", str(audit), "--request", REQUEST, "-q", "-o", str(letters[0].with_name("reply.docx"))]) == 0
    receipt = purge(case, "--person", SUBJECT, capfd=capfd)
    assert kinds(receipt).count("letter") == 3
    assert kinds(receipt).count("reply") == 1
    assert kinds(receipt).count("salt") == 2
    assert not (audit / ".runs").exists()
    assert not any(each.exists() for each in letters)
    assert (audit / "evidence.json").exists()
    if inside:
        assert outcome(receipt)["audit2/evidence.json"] == "result"


def test_the_list_of_folders_names_no_file_and_is_its_users_alone(case: Path, tmp_path: Path) -> None:
    letter_in(case, tmp_path / "sent")
    letter_in(case, case / "letters")
    assert run(["certificate", str(case / "audit"), "--all", str(tmp_path / "sent2"), "--draft", "-q"]) == 0
    path = case / outputs.FILE
    assert [json.loads(line)["folder"] for line in path.read_text(encoding="utf-8").splitlines()] == [
        str(tmp_path / "sent"),
        "letters",
        str(tmp_path / "sent2"),
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_listed_folder_that_is_gone_is_told(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(letter_in(case, tmp_path / "for Ann").parent)
    assert run(["purge", str(case), "--dry-run"]) == 0
    assert f"Not there any more: {tmp_path / 'for Ann'}." in "".join(capfd.readouterr())
    receipt = purge(case, capfd=capfd)
    assert outcome(receipt)["folders that were written to"] == "folder-gone"
    assert "Ann" not in json.dumps(receipt)


def test_a_list_that_somebody_wrote_opens_no_audit_elsewhere(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A case comes from the audited party: it may list the audit of another case, whose runs bear our seal too."""
    foreign = tmp_path / "foreign"
    second_audit(case, foreign, listed=False)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "letter-a.pdf").write_bytes(b"%PDF-1.7 own")
    (tmp_path / "papers" / f"{REQUEST}.txt").write_bytes(b"own")
    lines = [{"wrote": "audit", "folder": str(foreign)}, {"wrote": "letters", "folder": str(tmp_path / "papers")}]
    text = "".join(json.dumps(each) + "\n" for each in (*lines, [1], {"wrote": "audit"}, {"wrote": "x", "folder": 3}))
    (case / outputs.FILE).write_text(text + "{" + "\n" + "[" * 100_000, encoding="utf-8")
    before = everything(foreign), everything(tmp_path / "papers")
    keep_until(case, PAST)
    receipt = purge(case, "--person", SUBJECT, capfd=capfd)
    assert (everything(foreign), everything(tmp_path / "papers")) == before
    assert f"{REQUEST}.txt" not in json.dumps(receipt), "of what is merely listed nothing else is told"


def test_a_folder_that_another_case_wrote_over_is_left_alone(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shared = tmp_path / "shared"
    second_audit(case, shared)
    shutil.copyfile(GOLDEN / "sqlite-plain.json", shared / "evidence.json")
    before = everything(shared)
    purge(case, "--person", SUBJECT, capfd=capfd)
    assert everything(shared) == before


def test_no_list_is_written_where_it_would_be_read_or_refused(case: Path, tmp_path: Path) -> None:
    (case / outputs.FILE).symlink_to(tmp_path / "elsewhere")
    assert not outputs.remember(case, tmp_path, Wrote.LETTERS)
    assert not (tmp_path / "elsewhere").exists()
    (case / outputs.FILE).unlink()
    (case / "statement.dsse.json").write_bytes(b"{}")
    assert not outputs.remember(case, tmp_path, Wrote.LETTERS)
    assert not outputs.of_evidence(tmp_path / "evidence.json", tmp_path), "no case lies above"


def test_letters_below_a_folder_that_is_named_go_too(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    letter = letter_in(case, tmp_path / "sent" / "june" / "letters")
    (case / outputs.FILE).unlink()
    assert kinds(purge(case, "--person", SUBJECT, "--also", str(tmp_path / "sent"), capfd=capfd)).count("letter") == 2
    assert not letter.exists()


def test_a_purge_says_what_its_receipt_is_and_until_when_things_were_kept(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keep_until(case, PAST)
    assert run(["purge", str(case)]) == 0
    said = "".join(capfd.readouterr())
    assert "were kept until 1 August 2026" in said
    assert "removes them" not in said
    again = purge(case, capfd=capfd)
    (name,) = (each.name for each in case.glob("purge-*.json") if each.name in outcome(again))
    assert outcome(again)[name] == "receipt"


def test_verify_names_the_receipts_and_they_break_no_signature(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    purge(case, capfd=capfd)
    (receipt,) = case.glob("purge-*.json")
    assert run(["verify", str(case / "audit")]) == 0
    assert f"which nothing signs, say what was removed since: ../{receipt.name}" in capfd.readouterr().out
    signer = signing.generate(None)
    signing.write_pair(case / "key", signer)
    audit = case / "audit"
    for each in audit.glob("letter*"):
        each.unlink()
    for name, statement in signing.about({"evidence.json": (audit / "evidence.json").read_bytes()}).items():
        (audit / name).write_bytes(signing.sign(statement, signing.load_private(case / "key", lambda: "")))
    shutil.copy(receipt, audit / receipt.name)
    assert run(["verify", str(audit), "--key", str(case / "key.pub")]) == 0
    assert receipt.name in capfd.readouterr().out
    # A name alone makes no receipt: anything could be told in a signed folder.
    forged = json.loads(receipt.read_bytes()) | {"note": "The model passed."}
    (audit / receipt.name).write_text(json.dumps(forged), encoding="utf-8")
    assert run(["verify", str(audit), "--key", str(case / "key.pub")]) == 1
    assert f"signature of {receipt.name}: no statement covers it" in capfd.readouterr().out


def test_a_signed_case_folder_names_the_table_that_a_purge_cut_and_no_file_that_a_forged_receipt_names(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.move(case / "audit" / "evidence.json", case / "evidence.json")
    shutil.rmtree(case / "audit")
    (case / "README.md").unlink()
    key = tmp_path / "key"
    signing.write_pair(key, signing.generate(None))
    for name, statement in signing.about({"evidence.json": (case / "evidence.json").read_bytes()}).items():
        (case / name).write_bytes(signing.sign(statement, signing.load_private(key, lambda: "")))
    assert run(["verify", str(case), "--key", f"{key}.pub"]) == 0
    assert run(["purge", str(case), "--out", str(case), "--person", RECORD, "-q"]) == 0
    (receipt,) = case.glob("purge-*.json")
    capfd.readouterr()
    assert run(["verify", str(case), "--key", f"{key}.pub"]) == 0
    said = capfd.readouterr().out
    assert f"since a purge cut rows from it, by a receipt that nothing signs: train.npz ({receipt.name})" in said
    # A receipt that leads to another file, is of another audit, or tells of code, explains nothing.
    genuine, written = (case / "train.npz").read_bytes(), json.loads(receipt.read_bytes())
    (case / "train.npz").write_bytes(genuine + b"x")
    assert run(["verify", str(case), "--key", f"{key}.pub"]) == 1
    (case / "train.npz").write_bytes(genuine)
    receipt.write_text(json.dumps(written | {"evidence_sha256": "0" * 64}), encoding="utf-8")
    assert run(["verify", str(case), "--key", f"{key}.pub"]) == 1
    before = files.examine(case, PurePosixPath("audit.toml"), "x")
    (case / "audit.toml").write_bytes(b"[case]\n")
    after = files.examine(case, PurePosixPath("audit.toml"), "x")
    assert before is not None
    assert after is not None
    told = {"path": "audit.toml", "rows": 1, "sha256_before": before.sha256, "sha256_after": after.sha256}
    receipt.write_text(json.dumps(written | {"cut": [*written["cut"], told]}), encoding="utf-8")
    capfd.readouterr()
    assert run(["verify", str(case), "--key", f"{key}.pub"]) == 1
    assert "signature of audit.toml: no statement covers it" in capfd.readouterr().out


def test_a_purge_says_how_far_it_is_and_reads_each_pdf_once(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Those that the audit wrote are known by their digests.
    for digit in "12":
        (case / "audit" / f"letter-of-another-{digit}123456789ab.pdf").write_bytes(b"%PDF-1.7 of nobody " + digit.encode())
    asked: list[bytes] = []
    genuine = asking.read

    def read(content: bytes, name: str) -> Contents:
        asked.append(content)
        return genuine(content, name)

    monkeypatch.setattr(asking, "read", read)
    steps: list[tuple[str, int, int]] = []

    def on_step(name: str, done: int, total: int) -> None:
        steps.append((name, done, total))

    purged(case, person=RECORD, dry=True, on_step=on_step)
    assert {name for name, _, _ in steps} == {"audits", "letters", "replies", "files"}
    ended = {name: (done, total) for name, done, total in steps}
    assert all(done == total for name, (done, total) in ended.items() if name != "audits")
    assert len(asked) == len(set(asked)) > 1


def test_validate_knows_that_a_purge_took_the_records(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["purge", str(case), "--person", RECORD, "-q"]) == 0
    (receipt,) = case.glob("purge-*.json")
    capfd.readouterr()
    run(["validate", str(case), "--no-run"])
    said = "".join(capfd.readouterr())
    assert 'set status = "no_match"' not in said
    assert f"auditor purge took rows of a person out of train.npz ({receipt.name})" in said
    assert "leave the log as it is" in said
    # A receipt of another table explains nothing here.
    changed = json.loads(receipt.read_bytes())
    for each in changed["cut"]:
        each["sha256_after"] = "0" * 64
    receipt.write_text(json.dumps(changed), encoding="utf-8")
    run(["validate", str(case), "--no-run"])
    assert 'set status = "no_match"' in "".join(capfd.readouterr())


# Letters and replies that were written to where their user chose


def own_named(case: Path, folder: Path, request: str = REQUEST) -> tuple[Path, Path]:
    """A letter and a reply under names that the program does not give."""
    folder.mkdir(parents=True, exist_ok=True)
    letter, reply = folder / "to Ann.pdf", folder / "answer to Ann.docx"
    assert run(["certificate", str(case / "audit"), "--request", request, "-q", "-o", str(letter)]) == 0
    assert run(["reply", str(case / "audit"), "--request", request, "-q", "-o", str(reply)]) == 0
    return letter, reply


def test_what_was_written_under_a_name_of_its_own_goes_with_its_person_and_so_does_its_line(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    letter, reply = own_named(case, tmp_path / "sent")
    others, _ = own_named(case, tmp_path / "to others", OTHER)
    assert stat.S_IMODE((case / papers.FILE).stat().st_mode) == 0o600
    receipt = purge(case, "--person", SUBJECT, capfd=capfd)
    assert (letter.exists(), reply.exists(), others.exists()) == (False, False, True)
    assert kinds(receipt).count("letter") == 2, "and the one in the audit's folder"
    assert kinds(receipt).count("reply") == 1
    assert "Ann" not in json.dumps(receipt)
    assert receipt["delete_yourself"] == []
    assert {each.path.parent.name for each in papers.listed(case)} == {"to others"}
    keep_until(case, PAST)
    purge(case, capfd=capfd)
    assert not others.exists()
    assert not (case / papers.FILE).exists()


def test_letters_under_their_own_names_go_after_another_audit_too(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    letters = tmp_path / "letters"
    assert run(["certificate", str(case / "audit"), "--all", str(letters), "-q"]) == 0
    (theirs,) = letters.glob(f"letter-{REQUEST.lower()}-*.pdf")
    evidence = json.loads((case / "audit" / "evidence.json").read_bytes())
    evidence["case"]["contact"] = "another@example.org"
    (case / "audit" / "evidence.json").write_text(json.dumps(evidence), encoding="utf-8")
    others = len(list(letters.iterdir()))
    asked: list[str] = []
    monkeypatch.setattr(
        asking, "read", lambda *_: asked.append("") or pytest.fail("a page of a letter that is known is not read")
    )
    receipt = purge(case, "--person", SUBJECT, "--dry-run", capfd=capfd)
    assert kinds(receipt).count("letter") == 2
    purge(case, "--person", SUBJECT, capfd=capfd)
    assert not theirs.exists()
    assert not list((case / "audit").glob(f"letter-{REQUEST.lower()}-*"))
    assert len(list(letters.iterdir())) == others - 1
    assert list((case / "audit").glob("letter-*.pdf")), "the draft of another"


@pytest.mark.attempt("purge")
def test_a_letter_under_the_name_of_another_request_is_not_known(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    letters = tmp_path / "letters"
    assert run(["certificate", str(case / "audit"), "--all", str(letters), "-q"]) == 0
    mine, other = (next(letters.glob(f"letter-{each.lower()}-*.pdf")) for each in (REQUEST, OTHER))
    evidence = json.loads((case / "audit" / "evidence.json").read_bytes())
    evidence["case"]["contact"] = "another@example.org"
    (case / "audit" / "evidence.json").write_text(json.dumps(evidence), encoding="utf-8")
    mine.write_bytes(other.read_bytes())
    purge(case, "--person", SUBJECT, capfd=capfd)
    assert mine.exists(), "somebody put another letter there"


def test_scratch_of_killed_runs_is_told_apart_and_before(
    case: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    temporary = tmp_path / "tmp"
    monkeypatch.setattr(cleanup.tempfile, "gettempdir", lambda: str(temporary))
    left = temporary / f"{process_marks.NAME}-fffffff-1-x"
    left.mkdir(parents=True)
    (left / "data").write_bytes(b"12345")
    would = purge(case, "--dry-run", capfd=capfd)
    assert [each["bytes"] for each in would["removed"] if each["kind"] == "scratch"] == [5]
    assert [each["searched"] for each in would["removed"] if each["kind"] == "scratch"] == [False]
    assert {each["searched"] for each in would["removed"] if each["kind"] != "scratch"} <= {None}
    assert left.exists()
    assert run(["purge", str(case), "--dry-run"]) == 0
    assert "It would go unsearched, may be of other cases" in capfd.readouterr().err
    assert run(["purge", str(case)]) == 0
    said = capfd.readouterr()
    files = len(would["removed"]) - 1
    assert f"Removed: {files} file{'' if files == 1 else 's'}, " in said.out
    assert "Also removed: 1 working folder that auditor made among the temporary files" in said.err
    assert "It went unsearched, may be of other cases, and may hold records that a run was given." in said.err
    assert not left.exists()


def test_scratch_that_goes_with_a_person_may_hold_theirs(
    case: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cleanup.tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    (tmp_path / "tmp" / f"{process_marks.NAME}-fffffff-1-x").mkdir(parents=True)
    assert run(["purge", str(case), "--person", SUBJECT]) == 0
    assert "may hold records that a run was given, the person's too." in capfd.readouterr().err


def test_what_was_moved_or_changed_is_named_with_its_day_and_nobody_is_in_the_receipt(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    letter, reply = own_named(case, tmp_path / "sent")
    letter.rename(tmp_path / "elsewhere.pdf")
    reply.write_bytes(b"edited")
    (today,) = {each.on for each in papers.listed(case)}
    for dry in (("--dry-run",), ()):
        receipt = purge(case, "--person", SUBJECT, *dry, capfd=capfd)
        assert receipt["delete_yourself"] == [
            {"path": str(letter), "written_on": today.isoformat(), "why": "file-gone"},
            {"path": str(reply), "written_on": today.isoformat(), "why": "file-changed"},
        ]
    assert reply.read_bytes() == b"edited"
    (written,) = case.glob("purge-*.json")
    held = written.read_text(encoding="utf-8")
    assert "Ann" not in held
    assert f"a letter written on {today.isoformat()}" in held
    # What is gone is told once; what is still there, each time.
    assert run(["purge", str(case), "--person", SUBJECT]) == 0
    said = "".join(capfd.readouterr())
    assert f"Written to {reply} on " in said
    assert "and changed since: delete it yourself." in said
    assert str(letter) not in said


def test_what_an_earlier_evidence_gave_goes_by_its_digest(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    letter, reply = own_named(case, tmp_path / "sent")
    with (case / "audit" / "evidence.json").open("ab") as file:
        file.write(b"\n")
    purge(case, "--person", SUBJECT, capfd=capfd)
    assert not letter.exists()
    assert not reply.exists()


def test_a_line_that_somebody_else_wrote_removes_and_names_nothing(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    letter, _ = own_named(case, tmp_path / "sent")
    own = tmp_path / "own.docx"
    own.write_bytes(b"own")
    real = papers.listed(case)[0]
    forged = [
        replace(real, path=own, sha256=hashlib.sha256(b"own").hexdigest()),
        replace(real, path=tmp_path / "gone.docx"),
    ]
    with (case / papers.FILE).open("a", encoding="utf-8") as file:
        file.write("".join(each.line(case) for each in forged) + '{"kind": 3}\n{\n')
    receipt = purge(case, "--person", SUBJECT, capfd=capfd)
    assert own.read_bytes() == b"own"
    assert receipt["delete_yourself"] == []
    assert outcome(receipt)["lines about letters and replies"] == "not-shown-ours"
    assert not letter.exists()


def test_a_link_in_place_of_a_letter_is_not_followed(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    letter, _ = own_named(case, tmp_path / "sent")
    letter.rename(tmp_path / "kept.pdf")
    letter.symlink_to(tmp_path / "kept.pdf")
    receipt = purge(case, "--person", SUBJECT, capfd=capfd)
    assert (tmp_path / "kept.pdf").exists()
    assert letter.is_symlink()
    assert [each["why"] for each in receipt["delete_yourself"]] == ["file-changed"]


def test_before_the_day_they_stay_and_are_counted_and_a_draft_goes(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    keep_until(case, AHEAD)
    letter, reply = own_named(case, tmp_path / "sent")
    draft = tmp_path / "sent" / "try.pdf"
    assert run(["certificate", str(case / "audit"), "--request", OTHER, "--draft", "-q", "-o", str(draft)]) == 0
    receipt = purge(case, capfd=capfd)
    assert letter.exists()
    assert reply.exists()
    assert not draft.exists()
    assert len(papers.listed(case)) == 2
    assert "kept-until" in set(outcome(receipt).values())


@pytest.mark.parametrize("options", [(), ("--person", SUBJECT)], ids=["all", "one person"])
def test_a_copy_of_a_case_removes_nothing_elsewhere_that_the_case_wrote(
    options: tuple[str, ...], case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The next release begins with a copy of the folder: its lists name the letters of the case, whose day has not passed."""
    letter = letter_in(case, tmp_path / "sent")
    assert run(["certificate", str(case / "audit"), "--all", str(tmp_path / "all"), "-q"]) == 0
    assert run(["reply", str(case / "audit"), "--request", REQUEST, "-q", "-o", str(letter.with_name("reply.docx"))]) == 0
    sent = {folder: everything(tmp_path / folder) for folder in ("sent", "all")}
    copied = tmp_path / "next-release"
    shutil.copytree(case, copied)
    keep_until(copied, PAST)
    assert run(["purge", str(copied), "--dry-run", *options]) == 0
    said = " ".join("".join(capfd.readouterr()).split())
    assert all(f"Left alone: {tmp_path / folder}." in said for folder in sent)
    receipt = purge(copied, *options, capfd=capfd)
    assert {folder: everything(tmp_path / folder) for folder in sent} == sent
    assert outcome(receipt)["letters and replies elsewhere"] == "shared"
    # Whose they are still finds them, and so does who names them.
    purge(copied, *options, "--also", str(tmp_path / "sent"), capfd=capfd)
    assert everything(tmp_path / "sent") == {}
    assert everything(tmp_path / "all") == sent["all"]
    keep_until(case, PAST)
    purge(case, *options, capfd=capfd)
    assert (everything(tmp_path / "all") == {}) == (not options)
    assert len(everything(tmp_path / "all")) < len(sent["all"])


def test_the_list_of_papers_is_not_said_to_hold_a_person_whose_lines_go(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for request in (REQUEST, OTHER):
        reply = tmp_path / f"{SUBJECT if request == REQUEST else 'other'}.docx"
        assert run(["reply", str(case / "audit"), "--request", request, "-q", "-o", str(reply)]) == 0
    receipt = purge(case, "--person", SUBJECT, capfd=capfd)
    assert papers.FILE not in outcome(receipt)
    assert SUBJECT not in (case / papers.FILE).read_text(encoding="utf-8")
    assert "other.docx" in (case / papers.FILE).read_text(encoding="utf-8")
