"""A request is unchanged only where its row is: what evidence repeats is compared, and the rest by marks with the user's key."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import small_cases
from auditor.audit.row_marks import row_marks
from auditor.base import user_key
from auditor.base.deletion_log.requests import Request, RequestOutcome, StorageState
from auditor.cli import run
from auditor.cli.history import said_since
from auditor.document.context import RowMarks
from auditor.document.evidence import Evidence
from auditor.document.evidence_files import read as read_evidence
from auditor.pages import render
from auditor.recheck.comparison import Direction, compare
from auditor.recheck.comparison.rows import How, Lateness, amended
from auditor.recheck.comparison.since import since
from sample_cases import GOLDEN

RECEIVED = date(2026, 8, 31)


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def old() -> Evidence:
    """The first request was answered after a month and more, with a reason."""
    found = read_evidence(GOLDEN / "digits-newton.json")
    first, *rest = found.requests
    answered = datetime(2026, 10, 8, 10, tzinfo=UTC)
    late = replace(
        first,
        received_on=RECEIVED,
        due_on=date(2026, 9, 30),
        deleted_at=answered - timedelta(days=3),
        data_erased_at=answered - timedelta(days=3),
        answered_at=answered,
        overdue=True,
        late_reason="A mailbox that nobody read",
        storage_state=StorageState.LOGICAL,
    )
    return found.model_copy(update={"requests": (late, *rest)})


def with_first(evidence: Evidence, **changes: Any) -> Evidence:
    first, *rest = evidence.requests
    case = evidence.case.model_copy(update={"digest": "0" * 64})
    return evidence.model_copy(update={"requests": (replace(first, **changes), *rest), "case": case})


def moved(evidence: Evidence) -> Evidence:
    days = {"received_on": date(2026, 9, 10), "due_on": date(2026, 10, 12), "overdue": False}
    return with_first(evidence, **days, late_reason=None)


def marked(evidence: Evidence, rows: tuple[dict[str, str], ...], key: str = "k") -> Evidence:
    rest = ({},) * (len(evidence.requests) - len(rows))
    facts = evidence.deletion_log.model_copy(update={"marks": RowMarks(key=key, rows=(*rows, *rest))})
    return evidence.model_copy(update={"deletion_log": facts})


def test_a_moved_receipt_that_makes_a_late_answer_timely_is_said_first_and_is_worse(old: Evidence) -> None:
    new = moved(old)
    (row,) = amended(old, new)
    assert (row.was, row.now, row.is_worse) == (Lateness.LATE, Lateness.NOT_LATE, True)
    said = "received_at moved from 31 August 2026 to 10 September 2026; late_reason removed; it was late and now is not"
    assert row.said == said
    found = since(old, new)
    first = old.requests[0].request_id
    assert first in found.changed
    assert first not in found.stand
    assert list(said_since(found, None, Path("evidence.json")))[1] == f"{first}: {said}."
    compared = compare(old, new)
    (change,) = [each for each in compared.changes if each.kind == "request"]
    assert (change.id, change.direction, change.reason) == (first, Direction.WORSE, said)
    assert compared.exit_code == 1
    assert compared.sentence.endswith("The log says something else of one request.")
    # An earlier receipt is no better look.
    (back,) = amended(new, old)
    assert not back.is_worse


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reason": "Something else", "exception": "Art. 17(3)(b)"}, "reason and exception added"),
        ({"late_reason": None}, "late_reason removed"),
        ({"late_reason": "Another"}, "late_reason changed"),
        ({"storage_state": StorageState.PHYSICAL}, "storage_state changed"),
        ({"data_erased_at": datetime(2026, 10, 6, tzinfo=UTC)}, "data_erased_at changed"),
        ({"kept": ()}, "kept added"),
        ({"due_in_log": date(2026, 9, 20)}, "due_on added"),
        ({"signatory": "Sam"}, "signatory added"),
    ],
)
def test_columns_are_named_and_nothing_that_they_say(old: Evidence, changes: dict[str, Any], said: str) -> None:
    new = with_first(old, **changes)
    (row,) = amended(old, new)
    assert row.said == said
    found = since(old, new)
    (name,) = found.changed
    assert name not in found.otherwise or "storage_state" in changes or "data_erased_at" in changes
    assert any(f"{name} ({said})" in line for line in said_since(found, None, Path("evidence.json")))
    assert compare(old, new).exit_code == 0
    assert [each.said for each in compare(old, new).rows] == [said]


def test_every_field_of_a_request_that_the_log_fills_is_compared(old: Evidence) -> None:
    follows = {"request_id", "subject", "due_on", "days", "overdue", "paused_days", "records", "guarantees"}
    first = old.requests[0]
    for name in RequestOutcome.__dataclass_fields__.keys() - follows - {"regime", "status", "storage_state"}:
        value = getattr(first, name)
        other: Any = RECEIVED + timedelta(days=9) if name in {"received_on", "due_in_log"} else None
        if other is None and (value is None or value == ()):
            other = datetime(2026, 9, 9, tzinfo=UTC) if name.endswith("_at") else "x"
        if name in {"extension", "clock_pauses", "recipients_notified", "kept", "undertaking"}:
            continue  # tables, which are compared whole as the others are
        assert amended(old, with_first(old, **{name: other})), name


def test_what_follows_from_the_table_alone_is_no_change_of_a_row(old: Evidence) -> None:
    before = marked(old, ({"record_ids": "a", "status": "b", "executed_at": "c", "received_at": "d"},))
    gone = with_first(before, status="not-located", deleted_at=None, records=0)
    assert amended(before, gone) == ()
    assert old.requests[0].request_id in since(before, gone).otherwise


def test_marks_name_columns_that_evidence_does_not_repeat(old: Evidence) -> None:
    before = marked(old, ({"record_ids": "a", "terms": "b", "note": "c"},))
    (row,) = amended(before, marked(old, ({"record_ids": "x", "terms": "b", "batch": "d"},)))
    assert {each.column: each.how for each in row.fields} == {
        "record_ids": How.CHANGED,
        "note": How.REMOVED,
        "batch": How.ADDED,
    }
    assert row.is_worse, "it may be about somebody else now"
    assert amended(before, before) == ()


def test_marks_of_another_key_are_not_compared_and_that_is_said(old: Evidence) -> None:
    before, other = marked(old, ({"record_ids": "a"},)), marked(with_first(old), ({"record_ids": "b"},), "another")
    assert amended(before, other) == ()
    for new in (other, with_first(old)):
        assert not since(before, new).whole
        assert "were not compared" in " ".join(compare(before, new).notes)
        assert any(line.startswith("Not compared:") for line in said_since(since(before, new), None, Path("evidence.json")))
    same = marked(with_first(old), ({"record_ids": "a"},))
    assert since(before, same).whole
    assert "were not compared" not in " ".join(compare(before, same).notes)
    # Without them it is known how many records were found.
    (row,) = amended(old, with_first(old, records=old.requests[0].records + 1))
    assert row.said == "record_ids changed"


def test_marks_written_by_hand_harm_nothing(old: Evidence) -> None:
    facts = old.deletion_log.model_copy(update={"marks": RowMarks(key="k", rows=({"terms": "a"},) * (len(old.requests) + 3))})
    assert amended(old.model_copy(update={"deletion_log": facts}), marked(old, ({"terms": "a"},)))


def row(number: int = 1, **changes: Any) -> Request:
    usual = Request(number, f"R-{number}", ("a", "b"), datetime(2026, 8, 31, 10, tzinfo=UTC), terms=("Ann", "ann@mail.example"))
    return replace(usual, **changes)


def test_marks_are_keyed_bound_to_their_row_and_say_nothing() -> None:
    made = row_marks([row(1), row(2, request_id="R-2")])
    assert made is not None
    first, second = made.rows
    assert set(first) == {"record_ids", "received_at", "terms"}
    assert not set(first.values()) & set(second.values()), "equal values in two rows are not seen to be equal"
    assert "Ann" not in made.model_dump_json()
    assert row_marks([row(1)]) == RowMarks(key=made.key, rows=(first,))
    user_key.key_file().unlink()
    other = row_marks([row(1)])
    assert other is not None
    assert other.key != made.key
    assert not set(other.rows[0].values()) & set(first.values())


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({"record_ids": ("a",)}, "record_ids"),
        ({"terms": ("Ann",)}, "terms"),
        ({"note": "x"}, "note"),
        ({"basis": "x"}, "basis"),
        ({"batch": "x"}, "batch"),
        ({"seen_releases": 0}, "seen_releases"),
        ({"near_match": "x"}, "near_match"),
        ({"status": "executed"}, "status"),
        ({"received_at": datetime(2026, 8, 31, 11, tzinfo=UTC)}, "received_at"),
        ({"executed_at": datetime(2026, 9, 1, tzinfo=UTC)}, "executed_at"),
    ],
)
def test_a_mark_tells_a_changed_value(changes: dict[str, Any], column: str) -> None:
    before, after = row_marks([row()]), row_marks([row(**changes)])
    assert before is not None
    assert after is not None
    names = {*before.rows[0], *after.rows[0]}
    assert {each for each in names if before.rows[0].get(each) != after.rows[0].get(each)} == {column}
    assert row_marks([row(record_ids=("b", "a"))]) == before, "the order of ids says nothing"


def test_without_a_key_nothing_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> bytes:
        raise OSError

    monkeypatch.setattr(user_key, "key_of_user", missing)
    assert row_marks([row()]) is None
    assert row_marks([]) is None


def test_check_diff_and_history_say_what_a_log_without_a_chain_says_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(render, "pdf", lambda *_, **__: b"%PDF-")
    (tmp_path / "case").mkdir()
    case = small_cases.write(tmp_path / "case", *small_cases.problem())
    small_cases.write_log(case, [["rec-0000"], ["rec-0001"]])
    words = ["check", str(case), "--quiet", "--only", "log.consistency,log.deadlines", "--out"]
    run([*words, str(case / "one")])
    small_cases.write_log(case, [["rec-0000"], ["rec-0002"]])
    capfd.readouterr()
    run([*words[:2], *words[3:], str(case / "two")])
    assert "1 unchanged, 1 changed" in capfd.readouterr().err.replace("\n", " ")
    run([*words[:2], "--json", *words[3:], str(case / "three")])
    assert json.loads(capfd.readouterr().out)["since"]["rows"] == []
    assert run(["diff", str(case / "one"), str(case / "two"), "--json"]) == 1
    found = json.loads(capfd.readouterr().out)
    assert [each["columns"] for each in found["rows"]] == [[{"column": "record_ids", "change": "changed"}]]
    assert run(["history", "--case", "small"]) == 0
    assert "R-1: record_ids changed." in capfd.readouterr().out
    (case / "one" / "evidence.json").unlink()
    assert run(["history", "--case", "small"]) == 0
    assert "was not compared" in capfd.readouterr().out
