"""Baselines of places: what a comparison says after a deletion, what leaves it open, and who can use, change or keep one."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from auditor.api import check
from auditor.base.domain import Status, Verdict
from auditor.base.errors import AuditorError
from auditor.case import baseline as baselines
from auditor.cli import run
from auditor.document.evidence_files import read
from auditor.parts.places.judging.before_and_after import FormCounts, FormsOfPerson, WithBaseline, status
from auditor.parts.places.observing.forms import identifies
from judging import declared

COLUMNS = ("id", "email", "city", "income")
PEOPLE = [(f"C-{at:04d}", f"p{at}@mail.example", f"Town {at}", f"{1000.5 + at * 7.13:.2f}") for at in range(1, 41)]
GONE = ("C-0003", "C-0017", "C-0022")
"""Deleted people."""
NEVER, PLANTED = "C-9001", ("C-0030", "C-0031")
DONE = "2026-10-05T09:00:00+00:00"


@pytest.fixture(autouse=True)
def unprinted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No PDF: it takes seconds, and test_places writes one."""
    monkeypatch.setattr("auditor.api.results.folder.extras.missing", lambda extra: ("weasyprint",) if extra == "report" else ())


def row(name: str, record: str, **more: Any) -> dict[str, Any]:
    return {"request_id": name, "record_ids": [record], "received_at": "2026-10-01T09:00:00+00:00", **more}


def log(folder: Path, *, done: bool, without: tuple[str, ...] = (), more: tuple[dict[str, Any], ...] = ()) -> None:
    rows = [
        *(row(f"R-{record}", record) for record in (*GONE, NEVER) if record not in without),
        *(row(f"K-{record}", record, canary=True) for record in PLANTED),
        *more,
    ]
    times = {"executed_at": DONE} if done else {}
    (folder / "log.jsonl").write_text("".join(json.dumps({**each, **times}) + "\n" for each in rows), encoding="utf-8")


def write(path: Path, rows: Any, names: tuple[str, ...] = COLUMNS) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])


KEPT = [each for each in PEOPLE if each[0] not in {*GONE, *PLANTED}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    write(tmp_path / "here" / "people.csv", PEOPLE)
    log(tmp_path, done=False)
    return tmp_path


def before(folder: Path, *more: str) -> int:
    return run(["scan", str(folder / "here"), "--log", str(folder / "log.jsonl"), "--before", str(folder / "base"), *more])


def after(folder: Path, *more: str) -> int:
    return run(["scan", str(folder / "here"), "--log", str(folder / "log.jsonl"), "--after", str(folder / "base"), *more])


def deleted(folder: Path) -> None:
    """Delete honestly."""
    write(folder / "here" / "people.csv", KEPT)
    log(folder, done=True)


def found(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return dict(json.loads(capsys.readouterr().out))


def test_a_baseline_says_what_is_in_it_and_nothing_in_it_can_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert before(folder, "--json", "--quiet") == 0
    said = found(capsys)
    assert (said["requests"], said["requests_there"], said["planted"], said["planted_there"]) == (4, 3, 2, 2)
    # An id, a row with values that tell, an address; the town and the income may be another's.
    assert said["forms"] == {"ids": 3, "terms": 0, "rows": 3, "values": 3, "shared": 6}
    assert datetime.fromisoformat(said["expires_at"]) - datetime.fromisoformat(said["made_at"]) == timedelta(days=90)
    for name in ("base", "base.key"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert len((folder / "base.key").read_bytes()) == 32
    text = (folder / "base").read_text()
    assert not any(each in text for record in PEOPLE for each in record)
    assert before(folder) == 2
    assert "is there already" in capsys.readouterr().err


def test_both_files_are_said_to_be_personal_data(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert before(folder, "--days", "10") == 0
    said = capsys.readouterr().err
    assert re.search(r"Searching one place for the \d records that the log names\.\n", said)
    assert "base and" in said
    assert "are personal data until the key is destroyed" in said
    assert str((datetime.now(tz=UTC) + timedelta(days=10)).date()) in said


def test_an_honest_deletion_is_gone_person_by_person(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    capsys.readouterr()
    # Without a table, bytes stay unexplained, so that the scan itself is open; the comparison is not.
    assert after(folder, "--json") == 3
    output = capsys.readouterr()
    since = json.loads(output.out)["compared"]
    assert [(each["request_id"], each["place"], each["state"]) for each in since["people"]] == [
        (f"R-{record}", "here", "gone") for record in GONE
    ]
    assert since["absent"] == [f"R-{NEVER}"]
    assert (since["planted"], since["planted_before"], since["planted_after"]) == (2, 2, 0)
    assert "may survive" in output.err
    assert not (folder / "base.key").exists()
    evidence = read(folder / "base.after" / "audit" / "evidence.json")
    assert evidence.deletion_log.canaries == 2
    assert evidence.deletion_log.requests == 4
    assert len(evidence.requests) == 4
    assert run(["verify", str(folder / "base.after" / "audit"), "--quiet"]) == 0


def test_an_honest_deletion_passes_where_a_table_explains_the_rest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "table.csv", PEOPLE)
    told = ("--data", str(folder / "table.csv"))
    assert before(folder, *told) == 0
    deleted(folder)
    assert after(folder, *told) == 0
    said = capsys.readouterr().out
    assert "2 of 2 planted records were found before, 0 after" in said
    assert f"R-{GONE[0]}, here: 5 found before, none of these forms now" in said
    assert f"R-{NEVER}: was not there before" in said


LEFT: dict[str, list[tuple[str, ...]]] = {
    "a row": [PEOPLE[2]],
    "a row under another id": [("X-77", *PEOPLE[2][1:])],
    "an address in another row": [("C-0001", PEOPLE[2][1], *PEOPLE[0][2:])],
    "two values in another row": [("C-0001", PEOPLE[0][1], *PEOPLE[2][2:])],
    "an id alone": [("C-0001", PEOPLE[0][1], PEOPLE[0][2], "C-0003")],
}


@pytest.mark.attempt("what was there before")
@pytest.mark.parametrize("rows", LEFT.values(), ids=LEFT)
def test_what_was_there_and_still_is_fails(folder: Path, rows: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str]) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    write(folder / "here" / "people.csv", [*KEPT[1:], *rows])
    capsys.readouterr()
    assert after(folder, "--json", "--quiet") == 1
    said = found(capsys)
    assert said["requests_found"] == ["R-C-0003"]
    assert {each["request_id"]: each["state"] for each in said["compared"]["people"]}["R-C-0003"] == "still"
    assert run(["verify", str(folder / "base.after" / "audit"), "--quiet"]) == 0


@pytest.mark.attempt("what was there before")
def test_what_moved_to_another_place_is_still_there(folder: Path) -> None:
    (folder / "there").mkdir()
    write(folder / "there" / "other.csv", KEPT[:3])
    places = [str(folder / "here"), str(folder / "there"), "--log", str(folder / "log.jsonl")]
    assert run(["scan", *places, "--before", str(folder / "base"), "--quiet"]) == 0
    deleted(folder)
    write(folder / "there" / "other.csv", [*KEPT[:3], ("X-77", *PEOPLE[2][1:])])
    assert run(["scan", *places, "--after", str(folder / "base"), "--quiet"]) == 1


@pytest.mark.attempt("what was there before")
def test_a_planted_record_that_is_still_there_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "table.csv", PEOPLE)
    told = ("--data", str(folder / "table.csv"))
    assert before(folder, "--quiet", *told) == 0
    deleted(folder)
    write(folder / "here" / "people.csv", [*KEPT, PEOPLE[29]])
    capsys.readouterr()
    assert after(folder, "--json", "--quiet", "--keep-key", *told) == 1
    said = found(capsys)
    assert said["requests_found"] == []
    assert said["compared"]["planted_after"] == 1
    # A record that is called planted hides nobody from a scan without a baseline either.
    assert run(["scan", str(folder / "here"), "--log", str(folder / "log.jsonl"), "--quiet", *told]) == 1


def test_one_value_that_another_may_have_leaves_it_open(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    write(folder / "here" / "people.csv", [*KEPT, ("C-0041", "p41@mail.example", PEOPLE[2][2], "2000.00")])
    capsys.readouterr()
    assert after(folder, "--json", "--quiet") == 3
    assert [each["state"] for each in found(capsys)["compared"]["people"]] == ["open", "gone", "gone"]


def test_rows_that_others_had_too_accuse_nobody(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("id", "remark")
    write(folder / "here" / "people.csv", [(each[0], "a long remark that many people have") for each in PEOPLE], names)
    assert before(folder, "--quiet") == 0
    log(folder, done=True)
    write(folder / "here" / "people.csv", [(each[0], "a long remark that many people have") for each in KEPT], names)
    capsys.readouterr()
    assert after(folder, "--json", "--quiet") == 3
    assert {each["state"] for each in found(capsys)["compared"]["people"]} == {"gone"}


def test_two_erased_people_with_the_same_row_do_not_accuse_each_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One of them is not erased yet."""
    same = [(record, "the same long remark", "of two people alone") for record in GONE[:2]]
    write(folder / "here" / "people.csv", [*same, *((each[0], each[1], each[2]) for each in KEPT)], ("id", "remark", "more"))
    assert before(folder, "--quiet") == 0
    write(folder / "here" / "people.csv", [same[1], *((each[0], each[1], each[2]) for each in KEPT)], ("id", "remark", "more"))
    rows = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    rows[0]["executed_at"] = DONE
    (folder / "log.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    capsys.readouterr()
    assert after(folder, "--json", "--quiet") == 3
    assert [(each["request_id"], each["state"]) for each in found(capsys)["compared"]["people"]] == [("R-C-0003", "gone")]


def test_a_baseline_in_which_nobody_was_shows_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was made after the deletion."""
    write(folder / "table.csv", PEOPLE)
    deleted(folder)
    assert before(folder, "--quiet") == 0
    told = ("--data", str(folder / "table.csv"))
    assert after(folder, "--keep-key", *told) == 3
    assert "0 of 2 planted records were found before" in capsys.readouterr().out


def test_requests_that_came_later_are_said_to_be_unknown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert before(folder, "--quiet") == 0
    write(folder / "here" / "people.csv", KEPT[1:])
    log(folder, done=True, more=(row("R-new", KEPT[0][0]),))
    capsys.readouterr()
    assert after(folder, "--json", "--quiet") == 3
    assert found(capsys)["compared"]["added"] == ["R-new"]


def test_databases_and_texts_are_compared_row_by_row_and_line_by_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "here" / "people.csv").unlink()
    connection = sqlite3.connect(folder / "here" / "crm.sqlite")
    connection.execute("CREATE TABLE people (id TEXT, email TEXT, city TEXT, income REAL)")
    connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", PEOPLE)
    connection.commit()
    (folder / "here" / "notes.txt").write_text("C-0003 called about the delivery of a piano\nC-0001 called\n")
    assert before(folder, "--quiet") == 0
    connection.execute(f"UPDATE people SET id = 'X-1' WHERE id = '{GONE[0]}'")
    connection.execute(f"DELETE FROM people WHERE id IN {(*GONE, *PLANTED)}")
    connection.commit()
    connection.execute("VACUUM")
    connection.close()
    (folder / "here" / "notes.txt").write_text("C-0001 called\n")
    log(folder, done=True)
    capsys.readouterr()
    assert after(folder, "--json", "--quiet") == 1
    states = {each["request_id"]: (each["state"], each["after"]["rows"]) for each in found(capsys)["compared"]["people"]}
    assert states == {"R-C-0003": ("still", 1), "R-C-0017": ("gone", 0), "R-C-0022": ("gone", 0)}


@pytest.mark.attempt("baselines")
def test_without_its_key_a_baseline_is_of_no_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    after(folder, "--quiet")
    assert not (folder / "base.key").exists()
    assert after(folder, "--out", str(folder / "again")) == 2
    said = capsys.readouterr().err
    assert "its key" in said
    assert "auditor scan without --after" in said
    assert not (folder / "again").exists()


def _last_digit(folder: Path) -> None:
    text = (folder / "base").read_text()
    (folder / "base").write_text(text[:-2] + ("0" if text[-2] != "0" else "1") + "\n")


def _later(folder: Path) -> None:
    text = (folder / "base").read_text()
    (folder / "base").write_text(text.replace('"expires_at": "20', '"expires_at": "21', 1))


def _fewer(folder: Path) -> None:
    first, second, mac = (folder / "base").read_text().splitlines()
    body = json.loads(second)
    body["forms"] = []
    (folder / "base").write_text(f"{first}\n{json.dumps(body)}\n{mac}\n")


def _behind(folder: Path) -> None:
    with (folder / "base").open("a") as file:
        file.write("\n")


def _of_another_machine(folder: Path) -> None:
    (folder / "base.key").write_bytes(bytes(32))


@pytest.mark.attempt("baselines")
@pytest.mark.parametrize("change", [_last_digit, _later, _fewer, _behind, _of_another_machine])
def test_a_baseline_that_was_changed_or_has_another_key_is_refused(
    folder: Path, change: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    change(folder)
    assert after(folder) == 2
    assert "the seal does not hold" in capsys.readouterr().err
    assert (folder / "base.key").exists()


@pytest.mark.attempt("baselines")
def test_a_baseline_of_another_log_or_other_places_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    log(folder, done=True, without=GONE[:1])
    assert after(folder) == 2
    assert "1 of them missing" in capsys.readouterr().err
    assert not (folder / "base.after").exists()
    log(folder, done=True)
    (folder / "here").rename(folder / "moved")
    assert run(["scan", str(folder / "moved"), "--log", str(folder / "log.jsonl"), "--after", str(folder / "base")]) == 2
    assert "where they lay" in capsys.readouterr().err
    assert (folder / "base.key").exists()


@pytest.mark.attempt("baselines")
def test_what_is_no_baseline_or_lies_in_a_place_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "base").write_text("[1]\n")
    assert after(folder) == 2
    assert "expected a baseline" in capsys.readouterr().err
    (folder / "base").unlink()
    assert after(folder) == 2
    assert "cannot be read" in capsys.readouterr().err
    place = str(folder / "here")
    assert run(["scan", place, "--log", str(folder / "log.jsonl"), "--before", str(folder / "here" / "base")]) == 2
    assert "outside" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ("--before", "a", "--after", "b"),
        ("--before", "a", "--out", "b"),
        ("--days", "3"),
        ("--keep-key",),
    ],
)
def test_options_that_do_not_go_together_are_refused(folder: Path, options: tuple[str, ...]) -> None:
    assert run(["scan", str(folder / "here"), "--log", str(folder / "log.jsonl"), *options]) == 2


@pytest.mark.attempt("baselines")
def test_an_expired_baseline_and_a_clock_that_was_set_back_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    moment = datetime.now(tz=UTC)
    for far, said in ((timedelta(days=91), "it expired on"), (timedelta(days=-1), "set the clock right")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int((moment + far).timestamp())))
        assert after(folder) == 2
        assert said in capsys.readouterr().err
    # A clock that an environment variable sets back revives nothing: the machine's own counts too.
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    opened = baselines.read(folder / "base", moment + timedelta(days=1))
    old = baselines.Baseline(
        moment - timedelta(days=9), moment - timedelta(days=1), *(getattr(opened.baseline, name) for name in
        ("requests", "planted", "places", "forms"))
    )  # fmt: skip
    baselines.write(folder / "base", old, opened.seal)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int((moment - timedelta(days=5)).timestamp())))
    assert after(folder) == 2
    assert "it expired on" in capsys.readouterr().err


def test_the_key_is_kept_on_request_and_where_writing_fails(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    after(folder, "--keep-key")
    assert "base.key is kept" in capsys.readouterr().err
    assert (folder / "base.key").exists()

    def full(*_given: Any, **_more: Any) -> Any:
        raise AuditorError("no room")

    monkeypatch.setattr("auditor.api.results.folder.write", full)
    assert after(folder, "--out", str(folder / "again")) == 4
    assert (folder / "base.key").exists()


_KILLED = """
import os, signal, sys
from auditor.base import extras
from auditor.case import baseline
from auditor.cli import run
extras.missing = lambda extra: ("weasyprint",) if extra == "report" else ()
baseline.destroy = lambda path: os.kill(os.getpid(), signal.SIGKILL)
run(sys.argv[1:])
"""


@pytest.mark.attempt("baselines")
def test_a_scan_that_is_killed_after_it_wrote_leaves_results_and_key(folder: Path) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    told = ["scan", str(folder / "here"), "--log", str(folder / "log.jsonl"), "--after", str(folder / "base"), "--quiet"]
    killed = subprocess.run([sys.executable, "-c", _KILLED, *told], check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL
    assert (folder / "base.after" / "audit" / "evidence.json").exists()
    assert (folder / "base.key").exists()
    assert after(folder, "--quiet", "--out", str(folder / "again")) == 3
    assert not (folder / "base.key").exists()


def test_a_key_is_overwritten_before_it_is_removed(folder: Path) -> None:
    key = folder / "some.key"
    key.write_bytes(b"k" * 32)
    os.link(key, folder / "kept")  # the same bytes on the disk
    baselines.destroy(key)
    assert not key.exists()
    assert (folder / "kept").read_bytes() != b"k" * 32
    key.symlink_to(folder / "kept")
    content = (folder / "kept").read_bytes()
    with pytest.raises(AuditorError):
        baselines.destroy(key)
    assert (folder / "kept").read_bytes() == content


@pytest.mark.attempt("baselines")
def test_clean_lists_baselines_and_removes_expired_ones_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert before(folder, "--quiet") == 0
    opened = baselines.read(folder / "base", datetime.now(tz=UTC) + timedelta(days=1))
    past = datetime.now(tz=UTC) - timedelta(days=100)
    old = baselines.Baseline(past, past + timedelta(days=90), (), frozenset(), {}, {})
    baselines.write(folder / "old", old, opened.seal)
    baselines.write(folder / "server", old, opened.seal)
    (folder / "server.key").write_bytes(b"the key of something else")
    capsys.readouterr()
    assert run(["clean", str(folder), "--json"]) == 0
    said = found(capsys)
    assert said["baselines_removed"] == [str(folder / "old")]
    assert [(Path(each["path"]).name, each["expired"]) for each in said["baselines"]] == [("base", False), ("server", True)]
    assert {path.name for path in folder.iterdir()} == {"base", "base.key", "here", "log.jsonl", "server", "server.key"}
    assert (folder / "server.key").read_bytes() == b"the key of something else"
    assert run(["clean", str(folder)]) == 0
    assert "personal data until its key is destroyed" in capsys.readouterr().err


def test_values_that_hardly_another_person_has() -> None:
    assert all(map(identifies, ("p3@mail.example", "+49 170 1234567", "DE89 3704 0044 0532 0130 00", "0.12345678")))
    assert not any(map(identifies, ("Berlin", "1984-02-11", "1984-02-11T09:30:00", "11.02.1984", "1021.89", "Anna Schmidt")))


def compared(**more: Any) -> WithBaseline:
    there = FormsOfPerson(request_id="R-1", place="here", before=FormCounts(ids=1), after=FormCounts())
    given: dict[str, Any] = {"made_at": "2026-10-01T00:00:00+00:00", "expires_at": "2026-12-01T00:00:00+00:00", "requests": 1}
    return WithBaseline.model_validate({**given, "people": (there,), **more})


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, Status.PASS),
        ({"planted": 2, "planted_before": 2}, Status.PASS),
        ({"planted": 2, "planted_before": 1}, Status.INCONCLUSIVE),
        ({"planted": 2, "planted_before": 2, "planted_after": 1}, Status.FAIL),
        ({"people": (), "absent": ("R-1",)}, Status.INCONCLUSIVE),
        ({"unread": 1}, Status.INCONCLUSIVE),
        ({"unread_before": 1}, Status.INCONCLUSIVE),
        *(
            (
                {
                    "people": (
                        FormsOfPerson(request_id="R-1", place="here", before=FormCounts(ids=1), after=FormCounts(**{kind: 1})),
                    )
                },
                Status.INCONCLUSIVE if kind == "shared" else Status.FAIL,
            )
            for kind in ("ids", "terms", "rows", "values", "shared")
        ),
    ],
)
def test_a_comparison_can_only_take_from_a_result(more: dict[str, Any], expected: Status) -> None:
    assert status(declared(), compared(**more)) is expected


def test_a_comparison_that_no_scan_can_have_made_is_named(folder: Path) -> None:
    assert before(folder, "--quiet") == 0
    deleted(folder)
    after(folder, "--quiet")
    path = folder / "base.after" / "audit" / "evidence.json"
    evidence = json.loads(path.read_text())
    seen = next(each for each in evidence["checks"] if each["id"] == "places.erased")["observed"]["compared"]
    seen["absent"] = ["R-elsewhere"]
    path.write_text(json.dumps(evidence))
    assert run(["verify", str(path), "--quiet"]) == 1


def test_a_case_without_a_baseline_says_nothing_of_one(folder: Path) -> None:
    deleted(folder)
    (folder / "audit.toml").write_text(
        '[case]\nname = "c"\n[places]\nhere = "here"\n[deletions]\nlog = "log.jsonl"\n[policy]\nrequired = ["places.erased"]\n'
    )
    found = check(folder)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "compared" not in (found.evidence.check("places.erased").observed or {})
