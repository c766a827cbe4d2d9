"""Later facts on requests of a chained log: rows of their own, the newest counts, and the earlier word stays visible."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.base.deletion_log import deletions
from auditor.base.errors import InputError, UsageError
from auditor.case.files import Source
from auditor.case.logs import deletion_log, read_log
from auditor.cli import run
from auditor.parts.log.importing.amending import amend_in
from auditor.parts.log.importing.appending import append_to

ONE = {
    "request_id": "R-1",
    "record_ids": ["rec-1"],
    "received_at": "2026-01-05T09:00:00+01:00",
    "executed_at": "2026-01-20T09:00:00+01:00",
    "status": "executed",
}
TWO = {"request_id": "R-2", "record_ids": ["rec-2"], "received_at": "2026-01-06T09:00:00+01:00", "status": "open"}
LATER = {"request_id": "R-1", "answered_at": "2026-01-21T09:00:00+01:00", "undertaking": {"what": "Train again."}}


def text(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def entries(*rows: dict[str, Any]) -> tuple[str, bytes]:
    return "later.json", text(*rows)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "deletions.jsonl"
    append_to(path, ("new.json", text(ONE, TWO)))
    return path


def codes(path: Path) -> list[tuple[int, str]]:
    requests, _ = read_log(path)
    return [(each.row, each.code) for each in deletions.findings(requests, {"rec-1", "rec-2"})]


def test_a_later_fact_is_read_and_no_earlier_row_is_touched(log: Path) -> None:
    before = log.read_bytes()
    added = amend_in(log, entries(LATER))
    assert log.read_bytes().startswith(before)
    (first, second), unread = read_log(log)
    assert first.answered_at is not None
    assert first.undertaking is not None
    assert (first.row, second.row, unread) == (1, 2, ())
    assert deletions.chain_head((first, second)) == added.head
    assert codes(log) == []  # what was blank is filled in: nothing is replaced


def test_the_newest_of_several_facts_counts_and_every_replaced_date_is_listed(log: Path) -> None:
    amend_in(log, entries(LATER, {"request_id": "R-1", "answered_at": "2026-01-22T09:00:00+01:00"}))
    amend_in(log, entries({"request_id": "R-2", "received_at": "2026-01-16T09:00:00+01:00", "due_on": "2026-02-01"}))
    (first, second), _ = read_log(log)
    assert (first.answered_at.day, second.received_at.day) == (22, 16)  # type: ignore[union-attr]
    found = deletions.findings((first, second), {"rec-1", "rec-2"})
    assert [(each.row, each.code) for each in found] == [(1, "AMENDED"), (2, "AMENDED")]
    assert "received_at (2026-01-06T09:00:00+01:00, now 2026-01-16T09:00:00+01:00), due_on (nothing, now 2026-02-01)" in (
        found[1].message
    )


def test_a_replaced_text_is_named_and_not_repeated(log: Path) -> None:
    amend_in(log, entries({"request_id": "R-1", "note": "Ann Example called"}))
    amend_in(log, entries({"request_id": "R-1", "note": "Ann Example wrote"}))
    requests, _ = read_log(log)
    (found,) = deletions.findings(requests, {"rec-1", "rec-2"})
    assert found.message.endswith("replaces note")


def test_an_open_request_that_was_carried_out_is_listed_with_both_states(log: Path) -> None:
    amend_in(log, entries({"request_id": "R-2", "status": "executed", "executed_at": "2026-01-25T09:00:00+01:00"}))
    (_, second), _ = read_log(log)
    assert second.status == "executed"
    assert codes(log) == [(2, "AMENDED")]
    (found,) = deletions.findings(read_log(log)[0], {"rec-1", "rec-2"})
    assert found.message.endswith("replaces status (open, now executed)")


def test_an_undertaking_that_is_done_can_be_taken_out_and_the_log_says_so(log: Path) -> None:
    amend_in(log, entries(LATER))
    before = log.read_bytes()
    amend_in(log, entries({"request_id": "R-1", "undertaking": None}))
    assert log.read_bytes().startswith(before)
    requests, _ = read_log(log)
    assert requests[0].undertaking is None
    (found,) = deletions.findings(requests, {"rec-1", "rec-2"})
    assert found.message.endswith("replaces undertaking")


def test_objects_may_go_over_several_lines(log: Path) -> None:
    two = {"request_id": "R-2", "note": "called"}
    amend_in(log, ("later.json", (json.dumps(LATER, indent=2) + "\n" + json.dumps(two, indent=2)).encode()))
    requests, _ = read_log(log)
    assert [len(each.amendments) for each in requests] == [1, 1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{\n  "request_id": "R-1",\n  "note": \n}', r"later.json: expected JSON objects, .* \(line 4, column 1\)"),
        ('{\n  "request_id": "R-1",\n  "request_id": "R-2"\n}', "row 1: expected a JSON object"),
        ('{"request_id": "R-1", "note": "x"}\n{"request_id": ', "row 2: expected a JSON object, found broken JSON"),
    ],
)
def test_what_is_broken_is_named_where_it_breaks(content: str, said: str, log: Path) -> None:
    before = log.read_bytes()
    with pytest.raises(InputError, match=said):
        amend_in(log, ("later.json", content.encode()))
    assert log.read_bytes() == before


@pytest.mark.parametrize("indent", [None, 2])
def test_a_list_is_to_be_written_as_a_line_for_each_object(indent: int | None, log: Path) -> None:
    before = log.read_bytes()
    with pytest.raises(InputError, match="each on a line of its own, found a list of objects"):
        amend_in(log, ("later.json", json.dumps([LATER], indent=indent).encode()))
    assert log.read_bytes() == before


def test_every_problem_is_told_at_once_at_the_row_of_the_entry(log: Path) -> None:
    naive = {"request_id": "R-1", "answered_at": "2026-01-21T09:00:00"}
    with pytest.raises(InputError) as found:
        amend_in(log, entries(naive, {"request_id": "R-9", "note": "x"}, {"request_id": "R-2", "kept": "invoices"}))
    said = [str(each) for each in found.value.problems]
    assert [each.partition(":")[0] for each in said] == ["later.json"] * 3
    assert "row 1, answered_at" in said[0]
    assert "which has no offset" in said[0]
    assert "row 2" in said[1]
    assert "row 3, kept" in said[2]


def test_what_only_the_whole_row_shows_is_told_at_the_row_of_the_entry(log: Path) -> None:
    wrong = {"request_id": "R-2", "regime": "ccpa", "erasure_ground": "b"}
    with pytest.raises(InputError, match=r"^later.json: row 2, erasure_ground"):
        amend_in(log, entries(LATER, wrong))


@pytest.mark.parametrize("column", ["model_erased_at", "answered_at", "executed_at"])
def test_a_time_ahead_is_refused(column: str, log: Path) -> None:
    before = log.read_bytes()
    with pytest.raises(InputError, match="which lies after"):
        amend_in(log, entries({"request_id": "R-1", column: "2099-03-01T09:00:00+01:00"}))
    assert log.read_bytes() == before


def test_an_erasure_is_not_undone_by_a_word(log: Path) -> None:
    before = log.read_bytes()
    with pytest.raises(InputError, match="no contradiction"):
        amend_in(log, entries({"request_id": "R-1", "status": "denied"}))
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"request_id": "R-9", "note": "x"}, "the id of one request of the log, found none"),
        ({"request_id": "R-1"}, "a column to fill in or to replace"),
        ({"request_id": "R-1", "record_ids": ["rec-2"]}, "who asked, and for which records"),
        ({"request_id": "R-1", "answered_at": None}, "cannot be taken out"),
        ({"request_id": "R-1", "answerd_at": "2026-01-21T09:00:00+01:00"}, "unknown column"),
        ({"request_id": "R-1", "entry_hash": "0" * 64}, "unknown column"),
        ({"request_id": "R-1", "answered_at": "soon"}, "a time as RFC 3339"),
        ({"request_id": "R-1", "kept": "invoices"}, "such as"),
    ],
)
def test_what_cannot_be_amended_is_refused_and_the_log_stays(row: dict[str, Any], said: str, log: Path) -> None:
    before = log.read_bytes()
    with pytest.raises(InputError, match=said):
        amend_in(log, entries(LATER, row))
    assert log.read_bytes() == before


def test_a_request_of_two_people_is_amended_for_the_one_who_is_named(tmp_path: Path) -> None:
    path = tmp_path / "deletions.jsonl"
    append_to(path, ("new.json", text(ONE | {"subject": "p-1"}, TWO | {"request_id": "R-1", "subject": "p-2"})))
    with pytest.raises(InputError, match="name the subject as well"):
        amend_in(path, entries(LATER))
    amend_in(path, entries(LATER | {"subject": "p-1"}))
    (first, second), _ = read_log(path)
    assert (first.answered_at is None, second.answered_at is None) == (False, True)


def test_nothing_is_carried_out_while_the_person_has_yet_to_confirm_who_they_are(log: Path) -> None:
    pause = {"paused_at": "2026-01-08T09:00:00+01:00", "reason": "another address", "awaits": "identity"}
    amend_in(log, entries({"request_id": "R-2", "clock_pauses": [pause]}))
    done = {"request_id": "R-2", "status": "executed", "executed_at": "2026-01-20T09:00:00+01:00"}
    before = log.read_bytes()
    with pytest.raises(InputError, match=r"later.json: row 1, status: .*resumed_at.* R-2 \(row 2\) waits since 2026-01-08"):
        amend_in(log, entries(done))
    assert log.read_bytes() == before
    amend_in(log, entries(done | {"clock_pauses": [pause | {"resumed_at": "2026-01-18T09:00:00+01:00"}]}))
    assert read_log(log)[0][1].status == "executed"


def test_a_log_without_a_chain_is_not_amended(tmp_path: Path) -> None:
    path = tmp_path / "deletions.jsonl"
    path.write_bytes(text(ONE))
    with pytest.raises(UsageError, match="not chained"):
        amend_in(path, entries(LATER))


def changed(log: Path, place: int, **changes: Any) -> bytes:
    rows = [json.loads(line) for line in log.read_bytes().splitlines()]
    rows[place] |= changes
    return text(*rows)


def test_a_changed_amendment_breaks_the_chain_and_one_that_lost_its_row_is_refused(log: Path) -> None:
    amend_in(log, entries(LATER))
    edited = changed(log, 2, answered_at="2026-01-08T09:00:00+01:00")
    requests, _ = deletion_log(Source("log.jsonl", edited))
    assert deletions.chain_head(requests) is None
    assert [each.code for each in deletions.findings(requests, {"rec-1", "rec-2"})] == ["CHAIN_CHANGED"]
    orphan = b"\n".join(log.read_bytes().splitlines()[1:])
    with pytest.raises(InputError, match="the entry_hash of an earlier row"):
        deletion_log(Source("log.jsonl", orphan))
    moved = changed(log, 2, request_id="R-2")
    with pytest.raises(InputError, match="that of the row which it amends"):
        deletion_log(Source("log.jsonl", moved))
    stolen = changed(log, 2, record_ids=["rec-2"])
    with pytest.raises(InputError, match="changes neither who asked"):
        deletion_log(Source("log.jsonl", stolen))


def test_rows_are_appended_behind_an_amendment(log: Path) -> None:
    amend_in(log, entries(LATER))
    added = append_to(log, ("new.json", text(TWO | {"request_id": "R-3", "record_ids": ["rec-3"]})))
    requests, _ = read_log(log)
    assert [each.row for each in requests] == [1, 2, 4]
    assert (added.total, deletions.chain_head(requests)) == (3, added.head)


def test_the_command_prints_the_new_head(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    later = tmp_path / "later.json"
    later.write_bytes(text(LATER))
    assert run(["log", "amend", str(log), str(later), "--json"]) == 0
    requests, _ = read_log(log)
    assert json.loads(capsys.readouterr().out)["head"] == deletions.chain_head(requests)
    assert run(["log", "check", str(log)]) == 0
