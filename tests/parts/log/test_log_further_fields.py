"""Further fields of a deletion log: read out of JSON lines, CSV and Parquet, refused by place, and held against one another."""

from __future__ import annotations

import json
import time
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.base.deletion_log import deletions
from auditor.base.deletion_log.requests import (
    Awaited,
    ClockPause,
    ErasureGround,
    Extension,
    KeepingException,
    KeptData,
    Recipient,
    Regime,
    Request,
    StorageState,
    Undertaking,
)
from auditor.base.domain import Status
from auditor.base.errors import InputError
from auditor.case.logs import read_log
from auditor.pages.words import basis
from auditor.parts.log.judging import log_consistency
from auditor.verdict.checks.finding import Nothing
from case_examples import jsonl, row
from judging import declared, log_facts

AT = "2026-01-20T09:00:00+01:00"
MOMENT = datetime(2026, 1, 20, 9, tzinfo=timezone(timedelta(hours=1)))
FIELDS = {
    "regime": "uk",
    "status": "executed",
    "data_erased_at": AT,
    "model_erased_at": AT,
    "executed_at": AT,
    "answered_at": AT,
    "confirmed_at": AT,
    "extension": {"notified_at": AT, "reason": "  many\n systems ", "until": "2026-04-01"},
    "clock_pauses": [{"paused_at": AT, "resumed_at": AT, "reason": "who", "awaits": "identity"}, {"paused_at": AT}],
    "reason": "a claim",
    "exception": "Art. 17(3)(e)",
    "ground": "Art. 17(1)(b)",
    "recipients_notified": ["Example Ads", {"name": "Example Hosting", "notified_at": AT}, {"notified": False}],
    "storage_state": "physical",
    "erasure_ground": "b",
    "kept": [{"what": "invoices", "why": "tax law", "exception": "b", "until": "2036-12-31"}],
    "identity_check": "a code to the known address",
    "identity_checked_at": AT,
    "undertaking": {"what": "erase the copy too", "by": "2026-03-01"},
    "signatory": "Kim Example, privacy officer",
    "late_reason": "the data lay at two processors",
    "also_asked": "access",
}
READ = {
    "regime": Regime.UK,
    "data_erased_at": MOMENT,
    "model_erased_at": MOMENT,
    "answered_at": MOMENT,
    "confirmed_at": MOMENT,
    "extension": Extension(MOMENT, "many systems", date(2026, 4, 1)),
    "clock_pauses": (ClockPause(MOMENT, MOMENT, "who", Awaited.IDENTITY), ClockPause(MOMENT)),
    "reason": "a claim",
    "exception": "Art. 17(3)(e)",
    "ground": "Art. 17(1)(b)",
    "recipients_notified": (
        Recipient("Example Ads"),
        Recipient("Example Hosting", notified_at=MOMENT),
        Recipient(notified=False),
    ),
    "storage_state": StorageState.PHYSICAL,
    "erasure_ground": ErasureGround.CONSENT_WITHDRAWN,
    "kept": (KeptData("invoices", "tax law", KeepingException.LEGAL_OBLIGATION, date(2036, 12, 31)),),
    "identity_check": "a code to the known address",
    "identity_checked_at": MOMENT,
    "undertaking": Undertaking("erase the copy too", date(2026, 3, 1)),
    "signatory": "Kim Example, privacy officer",
    "late_reason": "the data lay at two processors",
    "also_asked": "access",
}


def read(tmp_path: Path, data: bytes, suffix: str = ".jsonl") -> tuple[Request, ...]:
    path = tmp_path / f"log{suffix}"
    path.write_bytes(data)
    return read_log(path)[0]


def problems(tmp_path: Path, **fields: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(tmp_path, jsonl(row(**fields)))
    return [problem.where for problem in caught.value.problems]


def as_csv(fields: dict[str, object]) -> bytes:
    def cell(value: object) -> str:
        text = value if isinstance(value, str) else json.dumps(value)
        return '"' + text.replace('"', '""') + '"'

    names = ["request_id", "record_ids", "received_at", *fields]
    cells = ["R1", "r1", "2026-01-10T09:00:00+01:00", *map(cell, fields.values())]
    return f"{','.join(names)}\n{','.join(cells)}\n".encode()


def as_parquet(tmp_path: Path, fields: dict[str, object], *, nested: bool) -> bytes:
    received = {"request_id": "R1", "record_ids": ["r1"], "received_at": "2026-01-10T09:00:00+01:00"}
    flat = {name: value if isinstance(value, str) or nested else json.dumps(value) for name, value in fields.items()}
    pq.write_table(pa.Table.from_pylist([{**received, **flat}]), tmp_path / "made.parquet")
    return (tmp_path / "made.parquet").read_bytes()


@pytest.mark.parametrize("form", [".jsonl", ".csv", ".parquet"])
def test_every_further_field_is_read(tmp_path: Path, form: str) -> None:
    match form:
        case ".jsonl":
            data = jsonl(row(**FIELDS))
        case ".csv":
            data = as_csv(FIELDS)
        case _:
            data = as_parquet(tmp_path, FIELDS, nested=False)
    (found,) = read(tmp_path, data, form)
    assert {name: getattr(found, name) for name in READ} == READ


def test_what_a_reply_prints_reaches_the_evidence_as_it_was_logged(tmp_path: Path) -> None:
    (found,) = deletions.outcomes(read(tmp_path, jsonl(row(**FIELDS))), ["r1"], deadline_days=None, today=date(2026, 6, 1))
    late = ("late_reason", "also_asked")
    for name in ("erasure_ground", "kept", "identity_check", "identity_checked_at", "undertaking", "signatory", *late):
        assert getattr(found, name) == READ[name]
    (bare,) = deletions.outcomes(read(tmp_path, jsonl(row())), ["r1"], deadline_days=None, today=date(2026, 6, 1))
    assert (bare.erasure_ground, bare.kept, bare.identity_check, bare.undertaking, bare.signatory) == (None,) * 5
    assert (bare.late_reason, bare.also_asked) == (None, None)


def test_tables_of_parquet_are_read_too(tmp_path: Path) -> None:
    # A list of a Parquet file holds values of one type.
    told = {**FIELDS, "recipients_notified": FIELDS["recipients_notified"][1:]}
    (found,) = read(tmp_path, as_parquet(tmp_path, told, nested=True), ".parquet")
    assert {name: getattr(found, name) for name in READ} == {**READ, "recipients_notified": READ["recipients_notified"][1:]}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (True, (Recipient(),)),
        (False, (Recipient(notified=False),)),
        ([], ()),
        (AT, (Recipient(notified_at=MOMENT),)),
        (["A", "B"], (Recipient("A"), Recipient("B"))),
    ],
)
def test_recipients_are_told_of_in_several_ways(tmp_path: Path, value: object, found: tuple[Recipient, ...]) -> None:
    for data, form in ((jsonl(row(recipients_notified=value)), ".jsonl"), (as_csv({"recipients_notified": value}), ".csv")):
        assert read(tmp_path, data, form)[0].recipients_notified == found


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"regime": "gdpr"}, "regime"),
        ({"regime": 1}, "regime"),
        ({"storage_state": "gone"}, "storage_state"),
        ({"erasure_ground": "g"}, "erasure_ground"),
        ({"erasure_ground": "b", "regime": "ccpa"}, "erasure_ground"),
        ({"kept": [{"what": "x", "why": "y", "exception": "b"}], "regime": "ccpa"}, "kept.0.exception"),
        ({"kept": [{"what": "invoices"}]}, "kept.0.why"),
        ({"kept": [{"what": "x", "why": "y", "exception": "f"}]}, "kept.0.exception"),
        ({"kept": "invoices"}, "kept"),
        ({"undertaking": "soon"}, "undertaking"),
        ({"undertaking": {"by": "2026-03-01"}}, "undertaking.what"),
        ({"signatory": "A\u001b[31m"}, "signatory"),
        ({"answered_at": "2026-01-20"}, "answered_at"),
        ({"data_erased_at": "soon"}, "data_erased_at"),
        ({"model_erased_at": "2026-01-20T09:00:00"}, "model_erased_at"),
        ({"extension": "two months"}, "extension"),
        ({"extension": {"notified_at": "2026-01-20"}}, "extension.notified_at"),
        ({"extension": {"until": "2026-02-30"}}, "extension.until"),
        ({"extension": {"reason": " - "}}, "extension.reason"),
        ({"extension": {"reason": "x" * 1001}}, "extension.reason"),
        ({"extension": {"reason": "\u202ebackwards"}}, "extension.reason"),
        ({"extension": {"why": "many"}}, "extension.why"),
        ({"clock_pauses": {"paused_at": AT}}, "clock_pauses"),
        ({"clock_pauses": [{"resumed_at": AT}]}, "clock_pauses.0.paused_at"),
        ({"clock_pauses": [{"paused_at": AT}, 7]}, "clock_pauses.1"),
        ({"clock_pauses": [{"paused_at": AT, "awaits": "passport"}]}, "clock_pauses.0.awaits"),
        ({"confirmed_at": "soon"}, "confirmed_at"),
        ({"clock_pauses": [{"paused_at": AT}] * 1001}, "clock_pauses"),
        ({"recipients_notified": 1}, "recipients_notified"),
        ({"recipients_notified": "Example Ads"}, "recipients_notified"),
        ({"recipients_notified": [{"name": "A", "notified": "yes"}]}, "recipients_notified.0.notified"),
        ({"recipients_notified": ["A\u001b[31m"]}, "recipients_notified.0.name"),
        ({"reason": ""}, "reason"),
        ({"exception": 17}, "exception"),
        ({"ground": ["a"]}, "ground"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place(tmp_path: Path, fields: dict[str, object], where: str) -> None:
    assert problems(tmp_path, **fields) == [f"row 1, {where}"]


def test_every_problem_of_a_row_at_once(tmp_path: Path) -> None:
    found = problems(tmp_path, regime="gdpr", extension={"notified_at": "x", "until": "y"}, clock_pauses=[{}], reason=5)
    assert found == [
        "row 1, regime",
        "row 1, reason",
        "row 1, extension.notified_at",
        "row 1, extension.until",
        "row 1, clock_pauses.0.paused_at",
    ]


@pytest.mark.parametrize(
    ("dates", "executed"),
    [
        ({"data_erased_at": AT}, MOMENT),
        ({"data_erased_at": AT, "model_erased_at": "2026-02-01T09:00:00Z"}, datetime(2026, 2, 1, 9, tzinfo=UTC)),
        ({"data_erased_at": AT, "executed_at": "2026-01-25T09:00:00Z"}, datetime(2026, 1, 25, 9, tzinfo=UTC)),
        ({}, None),
    ],
)
def test_what_was_executed_without_its_time_has_that_of_its_parts(tmp_path: Path, dates, executed) -> None:
    assert read(tmp_path, jsonl(row(status="executed", **dates)))[0].executed_at == executed
    if "executed_at" not in dates:
        assert read(tmp_path, jsonl(row(status="in_progress", **dates)))[0].executed_at is None


def codes(**fields: object) -> list[str]:
    request = Request(1, "R1", ("a",), MOMENT, **fields)
    return [each.code for each in deletions.findings([request], {"a"}, today=date(2026, 6, 1))]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"answered_at": MOMENT - timedelta(days=1)}, "TIME_BEFORE_RECEIVED"),
        ({"executed_at": MOMENT, "data_erased_at": MOMENT - timedelta(seconds=1)}, "TIME_BEFORE_RECEIVED"),
        ({"extension": Extension(MOMENT - timedelta(days=1), "many")}, "TIME_BEFORE_RECEIVED"),
        ({"clock_pauses": (ClockPause(MOMENT - timedelta(days=1)),)}, "TIME_BEFORE_RECEIVED"),
        ({"answered_at": MOMENT + timedelta(days=400)}, "TIME_IN_FUTURE"),
        ({"extension": Extension(MOMENT + timedelta(days=400), "many")}, "TIME_IN_FUTURE"),
        ({"recipients_notified": (Recipient(notified_at=MOMENT + timedelta(days=400)),)}, "TIME_IN_FUTURE"),
        ({"identity_checked_at": MOMENT + timedelta(days=400)}, "TIME_IN_FUTURE"),
        ({"clock_pauses": (ClockPause(MOMENT + timedelta(days=2), MOMENT + timedelta(days=1)),)}, "RESUMED_BEFORE_PAUSED"),
        ({"extension": Extension(MOMENT + timedelta(days=2), "many", MOMENT.date())}, "UNTIL_BEFORE_NOTIFIED"),
        ({"status": "denied", "data_erased_at": MOMENT}, "STATUS_CONTRADICTED"),
        ({"status": "revoked", "data_erased_at": MOMENT}, "STATUS_CONTRADICTED"),
        ({"status": "open", "executed_at": MOMENT, "data_erased_at": MOMENT}, "STATUS_CONTRADICTED"),
        ({"status": "open", "model_erased_at": MOMENT}, "STATUS_CONTRADICTED"),
        ({"model_erased_at": MOMENT}, "STATUS_CONTRADICTED"),
    ],
)
def test_dates_that_contradict_each_other_are_findings(fields: dict[str, object], code: str) -> None:
    assert codes(**fields) == [code]


@pytest.mark.parametrize("status", ["open", "in_progress", None])
def test_stored_data_may_be_erased_of_a_request_that_is_open(status: str | None) -> None:
    assert not codes(status=status, data_erased_at=MOMENT)
    assert not codes(status=status, data_erased_at=MOMENT, model_erased_at=MOMENT)


def test_dates_in_order_are_none() -> None:
    assert not codes(answered_at=MOMENT, extension=Extension(MOMENT, "many", MOMENT.date()), clock_pauses=(ClockPause(MOMENT),))


class TestOneTicketOfTwoPeople:
    def found(self, *subjects: str | None) -> list[tuple[int, str]]:
        rows = [Request(at, "T-1", (record,), MOMENT, subject=who) for at, (record, who) in enumerate(zip("abc", subjects), 1)]  # noqa: B905
        return [(each.row, each.code) for each in deletions.findings(rows, {"a", "b", "c"})]

    def test_two_people_are_no_duplicate(self) -> None:
        assert not self.found("lea", "mo")

    @pytest.mark.parametrize("subjects", [("lea", "lea"), ("lea", None), (None, "mo"), (None, None)])
    def test_one_person_twice_or_nobody_named_is_one(self, subjects: tuple[str | None, ...]) -> None:
        assert self.found(*subjects) == [(2, "DUPLICATE_REQUEST")]

    def test_a_third_row_is_held_against_both(self) -> None:
        assert self.found("lea", "mo", "lea") == [(3, "DUPLICATE_REQUEST")]

    def test_the_first_row_that_may_be_of_the_same_person_is_named(self) -> None:
        rows = [Request(at, "T-1", (), MOMENT, subject=who) for at, who in enumerate(("lea", None, "lea", "mo", None), 1)]
        assert list(deletions.repeated(rows)) == [None, 0, 0, 1, 0]

    def test_a_ticket_of_many_people_is_read_in_a_time_that_grows_with_its_rows(self) -> None:
        rows = [Request(at, "T-1", (), MOMENT, subject=f"person {at}") for at in range(100_000)]
        started = time.process_time()
        assert not any(each is not None for each in deletions.repeated(rows))
        assert time.process_time() - started < 5, "each row against every other would take minutes"

    def test_each_row_has_its_own_batch_and_what_it_had_seen(self) -> None:
        rows = [
            Request(1, "T-1", ("a",), MOMENT, MOMENT, subject="lea", seen_releases=0),
            Request(2, "T-1", ("b",), MOMENT, MOMENT + timedelta(days=1), subject="mo", seen_releases=5),
        ]
        assert [batch.rows for batch in deletions.replayable(rows, {"a", "b"})] == [(1,), (2,)]
        assert deletions.most_seen(rows, {"a", "b"}) == 5
        assert deletions.most_seen([rows[0], Request(2, "T-1", ("b",), MOMENT, MOMENT, subject="mo")], {"a", "b"}) == 2


@pytest.mark.parametrize("column", ["prev_hash", "entry_hash"])
def test_a_column_that_is_known_and_unread_leaves_the_log_open(column: str) -> None:
    finding = log_consistency.judge(declared(log=log_facts(columns_not_read=("region", column))), Nothing(), {})
    assert finding.status is Status.INCONCLUSIVE
    assert f"does not check: {column}." in basis(finding.reasons)


def test_a_column_of_somebody_else_s_leaves_nothing_open() -> None:
    assert log_consistency.judge(declared(log=log_facts(columns_not_read=("region",))), Nothing(), {}).status is Status.PASS
