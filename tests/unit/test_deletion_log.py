from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from auditor.base.deletion_log import deletions
from auditor.base.deletion_log.requests import Request

DAY = timedelta(days=1)
START = datetime.fromisoformat("2026-01-10T09:00:00+01:00")
KNOWN = {"a", "b", "c", "d"}


def request(row: int, *records: str, executed: datetime | None = None, received: datetime = START, **other) -> Request:
    return Request(row, other.pop("request_id", f"R{row}"), records, received, executed, **other)


def codes(*requests: Request, today: date | None = None) -> list[tuple[int, str]]:
    return [(finding.row, finding.code) for finding in deletions.findings(requests, KNOWN, today=today)]


class TestReplay:
    def test_batches_come_in_the_order_of_execution_and_not_of_the_log(self):
        found = deletions.replayable([request(1, "a", executed=START + 2 * DAY), request(2, "b", executed=START + DAY)], KNOWN)
        assert [batch.name for batch in found] == ["R2", "R1"]

    def test_order_compares_instants_and_not_clock_faces(self):
        early = datetime(2026, 1, 11, 12, tzinfo=timezone(timedelta(hours=5)))
        late = datetime(2026, 1, 11, 8, tzinfo=timezone(timedelta(0)))
        found = deletions.replayable([request(1, "a", executed=late), request(2, "b", executed=early)], KNOWN)
        assert [batch.name for batch in found] == ["R2", "R1"]

    def test_ties_go_by_row(self):
        found = deletions.replayable([request(at, name, executed=START) for at, name in enumerate("cab", start=1)], KNOWN)
        assert [batch.record_ids for batch in found] == [("c",), ("a",), ("b",)]

    def test_one_batch_value_is_one_batch_at_its_latest_time(self):
        found = deletions.replayable(
            [
                request(1, "a", executed=START + DAY, batch="night"),
                request(2, "b", executed=START + 2 * DAY),
                request(3, "d", "c", executed=START + 3 * DAY, batch="night"),
            ],
            KNOWN,
        )
        assert [(batch.name, batch.request_ids, batch.record_ids) for batch in found] == [
            ("R2", ("R2",), ("b",)),
            ("night", ("R1", "R3"), ("a", "d", "c")),
        ]
        assert found[1].executed_at == START + 3 * DAY

    def test_open_unknown_and_already_deleted_are_left_out(self):
        found = deletions.replayable(
            [
                request(1, "a"),
                request(2, "x", executed=START),
                request(3, "b", "b", "x", executed=START + DAY),
                request(4, "b", executed=START + 2 * DAY),
                request(5, "b", "c", executed=START + 3 * DAY),
                request(6, "x", executed=START + 3 * DAY, batch="late"),
                request(7, "d", executed=START + 4 * DAY, batch="late"),
            ],
            KNOWN,
        )
        assert [(batch.request_ids, batch.record_ids) for batch in found] == [
            (("R3",), ("b",)),
            (("R5",), ("c",)),
            (("R7",), ("d",)),
        ]

    def test_a_batch_named_like_a_request_stays_apart_from_it(self):
        found = deletions.replayable([request(1, "a", executed=START), request(2, "b", executed=START, batch="R1")], KNOWN)
        assert len(found) == 2

    def test_a_contradicted_status_does_not_hide_a_deletion(self):
        assert len(deletions.replayable([request(1, "a", executed=START, status="denied")], KNOWN)) == 1


class TestFindings:
    def test_a_clean_log_has_none(self):
        assert not codes(
            request(1, "a", executed=START + DAY, status="executed"),
            request(2, "b", status="open"),
            request(3, "x", "y", status="no_match"),
            request(4, "z", status="no_match", executed=START + DAY),
            request(5, "c", status="denied"),
        )

    @pytest.mark.parametrize(
        ("bad", "code"),
        [
            (request(1, "x"), "NOT_LOCATED"),
            (request(1, "a", "x", executed=START + DAY), "NOT_LOCATED"),
            (request(1, "x", status="denied"), "NOT_LOCATED"),
            (request(1, "e"), "NOT_LOCATED"),
            (request(1, "a", status="no_match"), "NO_MATCH_BUT_KNOWN"),
            (request(1, "x", "a", status="no_match", executed=START + DAY), "NO_MATCH_BUT_KNOWN"),
            (request(1, "a", "a"), "DUPLICATE_RECORD"),
            (request(1, "a", executed=START - timedelta(seconds=1)), "EXECUTED_BEFORE_RECEIVED"),
            (request(1, "a", status="executed"), "EXECUTED_WITHOUT_TIME"),
            (request(1, "a", status="open", executed=START + DAY), "STATUS_CONTRADICTED"),
            (request(1, "a", status="in_progress", executed=START + DAY), "STATUS_CONTRADICTED"),
            (request(1, "a", status="denied", executed=START + DAY), "STATUS_CONTRADICTED"),
            (request(1, "a", status="revoked", executed=START + DAY), "STATUS_CONTRADICTED"),
            (request(1, "a", due_on=date(2026, 1, 9)), "DUE_BEFORE_RECEIVED"),
        ],
    )
    def test_one_fault_one_finding(self, bad, code):
        (finding,) = deletions.findings([bad], KNOWN)
        assert (finding.row, finding.code) == (1, code)
        assert "R1" in finding.message
        assert "row 1" in finding.message

    def test_deleted_twice_names_both_rows(self):
        (finding,) = deletions.findings([request(2, "a", "b", executed=START), request(5, "b", "c", executed=START + DAY)], KNOWN)
        assert (finding.row, finding.code) == (5, "DELETED_TWICE")
        assert "R2" in finding.message
        assert "record b " in finding.message

    def test_deleted_twice_within_a_batch_is_found_too(self):
        assert codes(request(1, "a", executed=START, batch="b"), request(2, "a", executed=START, batch="b")) == [
            (2, "DELETED_TWICE")
        ]

    def test_one_request_id_on_two_rows(self):
        assert codes(request(1, "a", request_id="R"), request(2, "b", request_id="R")) == [(2, "DUPLICATE_REQUEST")]

    def test_no_match_is_true_where_the_record_was_deleted_before(self):
        first = request(1, "a", executed=START + DAY)
        assert not codes(first, request(2, "a", received=START + 2 * DAY, status="no_match"))
        assert codes(first, request(2, "a", received=START, status="no_match")) == [(2, "NO_MATCH_BUT_KNOWN")]

    @pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=-11))])
    def test_no_match_is_true_from_the_moment_of_the_deletion_on(self, zone):
        gone = START + DAY
        first = request(1, "a", executed=gone)
        at, before = gone.astimezone(zone), (gone - timedelta(microseconds=1)).astimezone(zone)
        assert not codes(first, request(2, "a", received=at, status="no_match"))
        assert codes(first, request(2, "a", received=before, status="no_match")) == [(2, "NO_MATCH_BUT_KNOWN")]

    def test_a_deletion_in_the_future_has_not_happened(self):
        planned = request(1, "a", executed=START + 5 * DAY)
        assert codes(planned, today=(START + 4 * DAY).date()) == [(1, "EXECUTED_IN_FUTURE")]
        assert not codes(planned, today=(START + 5 * DAY).date())

    def test_batches_that_interleave_have_no_order(self):
        rows = [
            request(1, "a", executed=START, batch="night"),
            request(2, "b", executed=START + DAY),
            request(3, "c", executed=START + 2 * DAY, batch="night"),
        ]
        assert codes(*rows) == [(1, "BATCHES_OVERLAP")]

    def test_different_times_within_one_batch_are_no_fault(self):
        assert not codes(
            request(1, "a", executed=START, batch="night"),
            request(2, "b", executed=START + timedelta(minutes=5), batch="night"),
            request(3, "c", executed=START + DAY),
        )

    def test_every_fault_of_every_row_in_the_order_of_rows(self):
        found = codes(
            request(1, "x", "x", executed=START - DAY, status="open"),
            request(2, "x", request_id="R1"),
        )
        assert [row for row, _ in found] == [1, 1, 1, 1, 2, 2]


class TestOutcomes:
    def outcome(self, *requests: Request, today: str = "2026-02-10", deadline_days: int | None = None):
        return deletions.outcomes(requests, KNOWN, deadline_days=deadline_days, today=date.fromisoformat(today))[-1]

    def test_executed_in_time(self):
        found = self.outcome(request(1, "a", "b", executed=START + 31 * DAY), today="2026-06-01")
        assert (found.status, found.days, found.overdue, found.records) == ("executed", 31, False, 2)
        assert (found.received_on.isoformat(), found.due_on.isoformat()) == ("2026-01-10", "2026-02-10")
        assert found.guarantees == ()

    def test_executed_late(self):
        assert self.outcome(request(1, "a", executed=START + 32 * DAY)).overdue

    def test_dates_are_read_in_the_offset_of_receipt(self):
        # 23:30 on the due date in UTC is the day after at +01:00, where the request came in.
        assert self.outcome(request(1, "a", executed=datetime.fromisoformat("2026-02-10T23:30:00+00:00"))).overdue
        assert not self.outcome(request(1, "a", executed=datetime.fromisoformat("2026-02-11T00:30:00+03:00"))).overdue

    def test_a_clock_that_was_put_forward_meanwhile_moves_no_deadline(self):
        received = datetime.fromisoformat("2026-03-15T23:30:00+01:00")
        in_time = datetime.fromisoformat("2026-04-16T00:30:00+02:00")
        assert not self.outcome(request(1, "a", received=received, executed=in_time)).overdue
        assert self.outcome(request(1, "a", received=received, executed=in_time + timedelta(minutes=30))).overdue

    @pytest.mark.parametrize(("today", "late"), [("2026-02-10", False), ("2026-02-11", True)])
    @pytest.mark.parametrize("status", [None, "open", "in_progress", "executed"])
    def test_open_requests_run_late_the_day_after(self, today, late, status):
        found = self.outcome(request(1, "a", status=status), today=today)
        assert (found.status, found.overdue, found.deleted_at, found.days) == ("open", late, None, None)

    @pytest.mark.parametrize(("status", "said"), [("denied", "denied"), ("revoked", "revoked")])
    def test_refused_requests_do_not_run_late(self, status, said):
        found = self.outcome(request(1, "a", status=status), today="2027-01-01")
        assert (found.status, found.overdue) == (said, False)

    def test_no_match_excuses_only_where_it_is_true(self):
        true = self.outcome(request(1, "x", status="no_match"), today="2027-01-01")
        false = self.outcome(request(1, "a", status="no_match"), today="2027-01-01")
        assert (true.status, true.overdue) == ("no-match", False)
        assert (false.status, false.overdue) == ("open", True)

    def test_no_match_excuses_from_the_moment_of_the_deletion_on(self):
        first = request(1, "a", executed=START + DAY)
        at, before = START + DAY, START + DAY - timedelta(microseconds=1)
        assert self.outcome(first, request(2, "a", received=at, status="no_match")).status == "no-match"
        assert self.outcome(first, request(2, "a", received=before, status="no_match")).status == "open"

    def test_a_record_that_was_never_found_was_never_deleted(self):
        found = self.outcome(request(1, "x", executed=START + DAY))
        assert (found.status, found.deleted_at, found.records, found.overdue) == ("not-located", None, 0, False)
        assert self.outcome(request(1, "x"), today="2026-02-11").overdue

    def test_denied_but_executed_counts_as_executed(self):
        found = self.outcome(request(1, "a", executed=START + 40 * DAY, status="denied"))
        assert (found.status, found.overdue) == ("executed", True)

    def test_the_earlier_due_date_counts(self):
        late = request(1, "a", executed=START + 20 * DAY, due_on=date(2026, 1, 20))
        assert (self.outcome(late).due_on, self.outcome(late).overdue) == (date(2026, 1, 20), True)
        extended = request(1, "a", executed=START + 40 * DAY, due_on=date(2026, 4, 10))
        assert (self.outcome(extended).due_on, self.outcome(extended).overdue) == (date(2026, 2, 10), True)

    def test_a_policy_may_set_days(self):
        assert self.outcome(request(1, "a", executed=START + 11 * DAY), deadline_days=10).overdue
        assert not self.outcome(request(1, "a", executed=START + 45 * DAY), deadline_days=45).overdue


def test_a_request_that_does_not_say_counts_for_every_model_that_was_published_before_it():
    first = request(1, "a", executed=START, seen_releases=0)
    second = request(2, "b", executed=START + DAY, seen_releases=0)
    assert deletions.most_seen([first, second], KNOWN) == 0
    assert deletions.most_seen([first, request(2, "b", executed=START + DAY)], KNOWN) == 2
    assert deletions.most_seen([request(1, "a", executed=START), second], KNOWN) == 1
    assert deletions.most_seen([first, request(2, "b", executed=START + DAY, seen_releases=7)], KNOWN) == 7
    # What was not carried out, or names nobody, deleted nothing that anybody could have asked for.
    assert deletions.most_seen([first, request(2, "b"), request(3, "z", executed=START)], KNOWN) == 0
    assert deletions.most_seen([], KNOWN) is None
