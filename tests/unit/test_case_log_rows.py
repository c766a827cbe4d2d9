from __future__ import annotations

import hashlib
import hmac
import json
import uuid
from datetime import UTC, date, datetime, timedelta, timezone

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.base.deletion_log import deletions
from auditor.base.errors import InputError
from auditor.case.logs import read_log
from case_examples import jsonl, places, row


def problems(tmp_path, data: bytes, suffix: str = ".jsonl"):
    path = tmp_path / f"log{suffix}"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_log(path)
    assert {problem.file for problem in caught.value.problems} == {str(path)}
    return caught.value.problems


def requests(tmp_path, data: bytes, suffix: str = ".jsonl"):
    path = tmp_path / f"log{suffix}"
    path.write_bytes(data)
    return read_log(path)


def test_every_field_is_read(tmp_path):
    full = row(
        "REQ-7",
        ("007", "r 2"),
        executed_at="2026-02-01T10:00:00.123456789Z",
        subject="hmac-sha256:0123abcd",
        batch="night",
        seen_releases=2,
        status="executed",
        due_on="2026-02-09",
        basis="Art. 17(1)(b)",
        note="by letter,\nsecond line",
        regime="uk",
        prev_hash=None,
    )
    (found,), not_read = requests(tmp_path, jsonl(full))
    assert found.row == 1
    assert found.record_ids == ("007", "r 2")
    assert found.received_at == datetime(2026, 1, 10, 9, tzinfo=timezone(timedelta(hours=1)))
    assert found.received_at.utcoffset() == timedelta(hours=1)
    assert found.executed_at == datetime(2026, 2, 1, 10, 0, 0, 123456, tzinfo=UTC)
    assert (found.batch, found.seen_releases, found.status, found.due_on) == ("night", 2, "executed", date(2026, 2, 9))
    assert (found.basis, found.note) == ("Art. 17(1)(b)", "by letter,\nsecond line")
    assert not_read == ("prev_hash",)  # no row has a hash


def test_byte_order_mark_blank_lines_and_carriage_returns_are_fine(tmp_path):
    data = b"\xef\xbb\xbf\r\n" + jsonl(row("R1"), row("R2", ("r2",))).replace(b"\n", b"\r\n\r\n")
    found, _ = requests(tmp_path, data)
    assert [(request.row, request.request_id) for request in found] == [(2, "R1"), (4, "R2")]


def test_a_line_separator_inside_json_text_is_no_new_line(tmp_path):
    data = json.dumps(row(note="one\u2028two"), ensure_ascii=False).encode()
    (found,), _ = requests(tmp_path, data)
    assert found.note == "one\u2028two"


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"request_id": None}, "request_id"),
        ({"request_id": ""}, "request_id"),
        ({"request_id": 7}, "request_id"),
        ({"request_id": "R\u001b[31m"}, "request_id"),
        ({"request_id": "R\ud800"}, "request_id"),
        ({"record_ids": None}, "record_ids"),
        ({"record_ids": []}, "record_ids"),
        ({"record_ids": "r1;r2"}, "record_ids"),
        ({"record_ids": [7]}, "record_ids"),
        ({"record_ids": ["r1", ""]}, "record_ids"),
        ({"record_ids": {"r1": 1}}, "record_ids"),
        ({"received_at": None}, "received_at"),
        ({"received_at": "2026-01-10"}, "received_at"),
        ({"received_at": "2026-01-10T09:00:00"}, "received_at"),
        ({"received_at": "2026-02-30T09:00:00Z"}, "received_at"),
        ({"received_at": "2026-01-10T25:00:00Z"}, "received_at"),
        ({"received_at": "2026-01-10T09:00:00+25:00"}, "received_at"),
        ({"received_at": "20260110T090000Z"}, "received_at"),
        ({"received_at": "2026-01-1\u0660T09:00:00Z"}, "received_at"),
        ({"received_at": "0001-01-01T00:00:00+14:00"}, "received_at"),
        ({"received_at": 1768032000}, "received_at"),
        ({"executed_at": "soon"}, "executed_at"),
        ({"executed_at": True}, "executed_at"),
        ({"seen_releases": -1}, "seen_releases"),
        ({"seen_releases": 1.0}, "seen_releases"),
        ({"seen_releases": "1"}, "seen_releases"),
        ({"seen_releases": True}, "seen_releases"),
        ({"status": "done"}, "status"),
        ({"status": 1}, "status"),
        ({"due_on": "2026-2-9"}, "due_on"),
        ({"due_on": "2026-02-29"}, "due_on"),
        ({"batch": 1}, "batch"),
        ({"note": 1}, "note"),
        ({"note": "\udc00"}, "note"),
        ({"basis": []}, "basis"),
        ({"subject": "ann@example.org"}, "subject"),
        ({"subject": "Ann Example <ann@example.org>"}, "subject"),
        ({"subject": hashlib.md5(b"ann@example.org").hexdigest()}, "subject"),
        ({"subject": hashlib.sha1(b"ann@example.org").hexdigest().upper()}, "subject"),
        ({"subject": "sha256:" + hashlib.sha256(b"ann@example.org").hexdigest()}, "subject"),
        (
            {"subject": hashlib.sha256(b"ann@example.org").hexdigest(), "note": "sent from Ann@example.org"},
            "subject",
        ),
        ({"subject": 5}, "subject"),
        ({"exception": "Cal. Civ. Code 1798.105(d)"}, "exception"),
        ({"exception": "CCPA 1798.145", "regime": "uk"}, "exception"),
        ({"exception": "Article 17(3)(e)", "regime": "ccpa"}, "exception"),
        ({"exception": "GDPR", "regime": "ccpa"}, "exception"),
    ],
)
def test_an_unreadable_field_is_named_with_its_row(tmp_path, change, key):
    found = problems(tmp_path, jsonl(row("R1"), {**row("R2"), **change}))
    assert places(found) == {(found[0].file, f"row 2, {key}")}
    assert "ann@example.org" not in str(found[0]).lower()


@pytest.mark.parametrize(
    "subject",
    [
        "subject-0001",
        hmac.new(b"key", b"ann@example.org", "sha256").hexdigest(),
        "hmac-sha1:" + hmac.new(b"key", b"ann@example.org", "sha1").hexdigest(),
        str(uuid.UUID(int=2**100, version=4)),
        uuid.UUID(int=2**100, version=4).hex,
    ],
)
def test_pseudonyms_are_accepted(tmp_path, subject):
    (found,), _ = requests(tmp_path, jsonl(row(subject=subject)))
    assert found.subject == subject


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b"\xff\xfe",
        b'{"request_id": NaN}',
        b'{"note": "a", "note": "b"}',
        b"[" * 100_000,
        b"1" * 10_000,
    ],
)
def test_a_line_that_is_no_object_is_named(tmp_path, line):
    found = problems(tmp_path, jsonl(row()) + line + b"\n" + jsonl(row("R3")))
    assert places(found) == {(found[0].file, "row 2")}


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_a_log_of_columns_without_end_is_refused(tmp_path, suffix):
    if suffix == ".csv":
        data = ",".join(["request_id", "record_ids", "received_at", *(f"c{number}" for number in range(998))]).encode()
    else:
        data = jsonl(*(row(f"R{number}", **{f"c{number}": 1}) for number in range(998)))
    (found,) = problems(tmp_path, data, suffix)
    assert (found.expected, found.found) == ("at most 1000 columns", "more")


def test_an_unknown_column_is_named_once_with_the_nearest_known_one(tmp_path):
    (found,) = problems(tmp_path, jsonl(row("R1", exected_at="x"), row("R2", exected_at="x")))
    assert found.where == "row 1"
    assert "did you mean executed_at?" in found.expected
    assert '"exected_at"' in found.found


def test_every_problem_of_every_row_at_once(tmp_path):
    found = problems(tmp_path, b"{\n" + jsonl(row(7, [7], received_at="x"), row("R", (), status="don")))
    assert [problem.where for problem in found] == [
        "row 1",
        "row 2, request_id",
        "row 2, record_ids",
        "row 2, received_at",
        "row 3, record_ids",
        "row 3, status",
    ]


def test_ten_thousand_problems_are_counted_and_not_all_printed(tmp_path):
    found = problems(tmp_path, b"{\n" * 10_000)
    assert len(found) == 1001
    assert found[-1].found == "and 9000 more problems"


@pytest.mark.parametrize("data", [b"", b"\n \r\n", b"\xef\xbb\xbf"])
def test_an_empty_log_is_refused(tmp_path, data):
    (found,) = problems(tmp_path, data)
    assert found.found == "an empty log"


def test_csv(tmp_path):
    data = (
        "\ufeffrequest_id,record_ids,received_at,executed_at,seen_releases,note\r\n"
        "R1,007; 8,2026-01-10T09:00:00+01:00,,3,\r\n"
        "\r\n"
        'R2,r2,2026-01-10T09:00:00Z,2026-01-11T09:00:00Z,,"two\r\nlines"\r\n'
    )
    found, not_read = requests(tmp_path, data.encode(), ".csv")
    assert [request.record_ids for request in found] == [("007", "8"), ("r2",)]
    assert [request.seen_releases for request in found] == [3, None]
    assert found[0].executed_at is None
    assert found[0].row == 2
    assert not_read == ()


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ("request_id,record_ids\nR1,r1\n", "row 1, received_at"),
        ("request_id,record_ids,received_at,excuted_at\nR1,r1,2026-01-10T09:00:00Z,x\n", "row 1"),
        ("request_id,record_ids,received_at\nR1,r1\n", "row 2"),
        ("request_id,record_ids,received_at\nR1,r1;,2026-01-10T09:00:00Z\n", "row 2, record_ids"),
        ("request_id,record_ids,received_at\nR1, ,2026-01-10T09:00:00Z\n", "row 2, record_ids"),
        ("request_id,record_ids,received_at,seen_releases\nR1,r1,2026-01-10T09:00:00Z,-1\n", "row 2, seen_releases"),
        ('request_id,record_ids,received_at\n"R1,r1,2026-01-10T09:00:00Z\n', "row 2"),
        ("request_id,record_ids,received_at,received_at\n", "row 1"),
        ("request_id,record_ids,received_at\n", ""),
    ],
)
def test_csv_problems(tmp_path, data, where):
    found = problems(tmp_path, data.encode(), ".csv")
    assert places(found) == {(found[0].file, where)}


def parquet(tmp_path, table: dict) -> bytes:
    path = tmp_path / "made.parquet"
    pq.write_table(pa.table(table), path)
    return path.read_bytes()


def test_parquet(tmp_path):
    moment = datetime(2026, 1, 10, 9, tzinfo=UTC)
    table = {
        "request_id": ["R1", "R2"],
        "record_ids": [["r1", "r2"], ["r3"]],
        "received_at": pa.array([moment, moment], pa.timestamp("ns", tz="+02:00")),
        "executed_at": ["2026-01-11T09:00:00Z", None],
        "due_on": pa.array([date(2026, 2, 1), None]),
        "seen_releases": pa.array([1, None], pa.int32()),
    }
    found, _ = requests(tmp_path, parquet(tmp_path, table), ".parquet")
    assert [request.record_ids for request in found] == [("r1", "r2"), ("r3",)]
    assert found[0].received_at.isoformat() == "2026-01-10T11:00:00+02:00"
    assert (found[0].seen_releases, found[0].due_on, found[1].due_on) == (1, date(2026, 2, 1), None)


def test_parquet_times_need_a_zone_and_ids_are_text(tmp_path):
    table = {
        "request_id": [1],
        "record_ids": ["r1;r2"],
        "received_at": pa.array([datetime(2026, 1, 10, 9)], pa.timestamp("us")),
    }
    found = problems(tmp_path, parquet(tmp_path, table), ".parquet")
    assert {problem.where for problem in found} == {"row 1, request_id", "row 1, received_at"}


def test_other_formats_are_refused(tmp_path):
    (found,) = problems(tmp_path, b"", ".xlsx")
    assert ".jsonl" in found.expected


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_read_whole(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(
        jsonl(*(row(f"R{at}", (f"r{at}",), executed_at="2026-01-20T09:00:00+01:00", subject=f"s{at}") for at in range(100_000)))
    )
    known = {f"r{at}" for at in range(100_000)}
    found, _ = read_log(path)
    assert len(deletions.replayable(found, known)) == 100_000
    assert not deletions.findings(found, known)
    assert not any(item.overdue for item in deletions.outcomes(found, known, deadline_days=None, today=date(2026, 3, 1)))


def test_a_column_of_somebody_else_s_is_listed_as_not_read(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("request_id,record_ids,received_at,executed_by,region\nR1,r1,2026-01-10T09:00:00Z,kim,EU\n", encoding="utf-8")
    requests, not_read = read_log(path)
    assert [request.request_id for request in requests] == ["R1"]
    assert not_read == ("executed_by", "region")
