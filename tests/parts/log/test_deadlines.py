"""When a request is due, and where it stands: one test for each rule of each regime."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from auditor.base.deletion_log import deletions, working_days
from auditor.base.deletion_log.deadlines import Span, Timing, confirm_by, dated, declared_days, due, timing
from auditor.base.deletion_log.requests import Awaited, ClockPause, Extension, Regime, Request, RequestOutcome, StorageState
from auditor.base.domain import Status
from auditor.pages.words import basis
from auditor.parts.log.judging import log_deadlines
from auditor.settings.tables import Policy
from auditor.verdict.checks.finding import Nothing
from judging import audit_facts, declared, log_facts

RECEIVED = date(2026, 1, 10)
TODAY = date(2026, 9, 1)
WHY = "many systems hold the data"


def on(month: int, day: int, *, hour: int = 12) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


def logged(number: int = 1, **changes: object) -> Request:
    row = {"request_id": f"R{number}", "record_ids": ("a",), "received_at": on(1, 10), **changes}
    return Request(row=number, **row)


def outcomes(
    *requests: Request,
    today: date = TODAY,
    days: int | None = None,
    zone: ZoneInfo | None = None,
    holidays: tuple[date, ...] = (),
):
    return deletions.outcomes(requests, {"a"}, deadline_days=days, today=today, zone=zone, holidays=holidays)


def outcome(
    *, today: date = TODAY, days: int | None = None, holidays: tuple[date, ...] = (), **changes: object
) -> RequestOutcome:
    return outcomes(logged(**changes), today=today, days=days, holidays=holidays)[0]


def judged(*requests: RequestOutcome, days: int | None = None, holidays: tuple[date, ...] = ()):
    started = datetime(TODAY.year, TODAY.month, TODAY.day, tzinfo=UTC)
    audit = audit_facts().model_copy(update={"started_at": started})
    log = log_facts(requests=len(requests)).model_copy(update={"holidays": holidays})
    context = declared(requests=requests, policy=Policy(deadline_days=days), audit=audit, log=log)
    return log_deadlines.judge(context, Nothing(), {})


def told(month: int, day: int, **changes: object) -> Extension:
    return Extension(**{"notified_at": on(month, day), "reason": WHY, **changes})


class TestFirstPeriod:
    @pytest.mark.parametrize(
        ("received", "days", "last"),
        [
            ("2026-01-31T12:00:00Z", None, "2026-03-02"),
            ("2028-01-31T12:00:00Z", None, "2028-02-29"),
            ("2028-01-29T12:00:00Z", None, "2028-02-29"),
            ("2026-02-27T12:00:00Z", None, "2026-03-27"),
            ("2026-03-31T12:00:00Z", None, "2026-04-30"),
            ("2026-12-15T12:00:00Z", None, "2027-01-15"),
            ("2026-12-31T23:30:00-05:00", None, "2027-02-01"),
            ("2026-03-01T00:10:00+02:00", None, "2026-04-01"),
            ("2028-02-29T12:00:00Z", None, "2028-03-29"),
            ("2100-01-31T12:00:00Z", None, "2100-03-01"),
            ("2000-01-31T12:00:00Z", None, "2000-02-29"),
            # One instant, two calendar dates: that of the offset in which it was received counts.
            ("2026-03-31T23:30:00Z", None, "2026-04-30"),
            ("2026-04-01T01:30:00+02:00", None, "2026-05-01"),
            ("2026-03-31T13:30:00-10:00", None, "2026-04-30"),
            ("2026-04-01T13:30:00+14:00", None, "2026-05-01"),
            # A Friday that is a holiday everywhere and declared nowhere.
            ("2026-11-25T12:00:00Z", None, "2026-12-25"),
            ("2026-01-01T12:00:00Z", 45, "2026-02-15"),
            ("2026-01-01T12:00:00Z", 0, "2026-01-01"),
            ("9999-12-31T12:00:00Z", None, "9999-12-31"),
            ("9999-12-31T12:00:00Z", 10, "9999-12-31"),
        ],
    )
    def test_eu(self, received: str, days: int | None, last: str) -> None:
        assert outcome(received_at=datetime.fromisoformat(received), days=days).due_on.isoformat() == last

    @pytest.mark.parametrize(
        ("regime", "last"), [(Regime.EU, (2026, 2, 10)), (Regime.UK, (2026, 2, 10)), (Regime.CCPA, (2026, 2, 24))]
    )
    def test_each_regime_has_its_own(self, regime: Regime, last: tuple[int, int, int]) -> None:
        assert outcome(regime=regime).due_on == date(*last)

    def test_the_policy_s_days_take_its_place_in_every_regime(self) -> None:
        assert {outcome(regime=regime, days=20).due_on for regime in Regime} == {date(2026, 1, 30)}

    def test_a_zone_of_the_log_counts_instead_of_the_offset_of_receipt(self) -> None:
        asked, told_at = datetime(2026, 3, 31, 22, 30, tzinfo=UTC), datetime(2026, 5, 1, 21, 30, tzinfo=UTC)
        request = logged(received_at=asked, executed_at=on(4, 10), answered_at=told_at)
        (at_home,) = outcomes(request, zone=ZoneInfo("Europe/Berlin"))
        assert (at_home.received_on, at_home.due_on, at_home.overdue) == (date(2026, 4, 1), date(2026, 5, 1), False)
        (in_utc,) = outcomes(request)
        assert (in_utc.received_on, in_utc.due_on, in_utc.overdue) == (date(2026, 3, 31), date(2026, 4, 30), True)

    def test_a_date_of_the_log_s_own_brings_it_forward_and_never_back(self) -> None:
        assert outcome(due_on=date(2026, 1, 20)).due_on == date(2026, 1, 20)
        assert outcome(due_on=date(2026, 3, 20)).due_on == date(2026, 2, 10)


SATURDAY_DUE = datetime(2026, 2, 14, 12, tzinfo=UTC)
"""A receipt whose month ends on Saturday, 14 March 2026."""
WHIT_MONDAY = date(2026, 5, 25)


class TestWorkingDays:
    """Regulation (EEC, Euratom) 1182/71 Article 3(4), in the EU and the UK; a date that somebody set does not move."""

    @pytest.mark.parametrize("regime", [Regime.EU, Regime.UK])
    @pytest.mark.parametrize(("day", "last"), [(13, 13), (14, 16), (15, 16), (16, 16)], ids=["Fri", "Sat", "Sun", "Mon"])
    def test_a_month_that_ends_at_the_weekend_ends_on_monday(self, regime: Regime, day: int, last: int) -> None:
        assert outcome(received_at=on(2, day), regime=regime).due_on == date(2026, 3, last)

    def test_the_days_of_the_ccpa_do_not_move(self) -> None:
        assert outcome(received_at=on(1, 14), regime=Regime.CCPA).due_on == date(2026, 2, 28)

    def test_an_answer_on_the_monday_after_a_saturday_passes_and_on_the_tuesday_fails(self) -> None:
        row = {"received_at": SATURDAY_DUE, "executed_at": on(2, 20)}
        assert judged(outcome(**row, answered_at=on(3, 16, hour=23))).status is Status.PASS
        assert judged(outcome(**row, answered_at=on(3, 17, hour=0))).status is Status.FAIL

    def test_a_declared_holiday_moves_it_and_an_undeclared_one_does_not(self) -> None:
        received = on(4, 25)
        assert outcome(received_at=received).due_on == WHIT_MONDAY
        assert outcome(received_at=received, holidays=(WHIT_MONDAY,)).due_on == date(2026, 5, 26)
        saturday = on(4, 23)
        assert outcome(received_at=saturday, holidays=(WHIT_MONDAY,)).due_on == date(2026, 5, 26)

    def test_the_result_names_the_holidays_that_it_rests_on_and_no_others(self) -> None:
        days = (date(2026, 5, 1), WHIT_MONDAY)
        row = {"received_at": on(4, 25), "executed_at": on(5, 20), "answered_at": on(5, 26)}
        found = judged(outcome(**row, holidays=days), holidays=days)
        assert found.status is Status.PASS
        assert "1 deadline moved over a public holiday that the case declares: 2026-05-25." in basis(found.reasons)
        assert judged(outcome(**row)).status is Status.FAIL

    def test_what_is_late_without_declared_holidays_says_that_weekends_alone_counted(self) -> None:
        row = {"received_at": on(4, 25), "executed_at": on(5, 20), "answered_at": on(5, 27)}
        said = "declares no public holidays, so weekends alone moved a deadline"
        assert said in basis(judged(outcome(**row)).reasons)
        assert said not in basis(judged(outcome(**row, holidays=(WHIT_MONDAY,)), holidays=(WHIT_MONDAY,)).reasons)
        assert said not in basis(judged(outcome(**{**row, "answered_at": on(8, 1)}, regime=Regime.CCPA)).reasons)

    def test_the_end_of_an_extension_moves_and_the_date_of_its_notice_does_not(self) -> None:
        received = on(2, 16)
        assert outcome(received_at=received, extension=told(3, 1)).due_on == date(2026, 5, 18)
        assert outcome(received_at=received, extension=told(3, 1, until=date(2026, 5, 16))).due_on == date(2026, 5, 16)

    def test_neither_a_date_of_the_log_nor_the_policy_s_days_move(self) -> None:
        assert outcome(received_at=SATURDAY_DUE, due_on=date(2026, 3, 14)).due_on == date(2026, 3, 14)
        assert outcome(received_at=SATURDAY_DUE, days=28).due_on == date(2026, 3, 14)

    def test_the_notice_of_an_extension_is_in_time_on_the_monday_too(self) -> None:
        assert outcome(received_at=SATURDAY_DUE, extension=told(3, 16)).due_on == date(2026, 5, 14)
        assert outcome(received_at=SATURDAY_DUE, extension=told(3, 17)).due_on == date(2026, 3, 16)


class TestHolidays:
    """What no calendar of public holidays can be is refused: it would make a deadline of any length."""

    def test_a_year_of_one_member_state_is_one(self) -> None:
        berlin = ("01-01", "03-08", "04-03", "04-06", "05-01", "05-14", "05-25", "10-03", "12-25", "12-26")
        assert working_days.fault([date.fromisoformat(f"2026-{each}") for each in berlin]) is None
        assert working_days.fault([]) is None

    @pytest.mark.parametrize(
        ("holidays", "wrongly"),
        [
            ([date(2026, 3, 2)] * 2, "listed twice"),
            ([date(2026, 1, 1) + timedelta(days=14 * each) for each in range(21)], "21 days in 2026"),
            ([date(2026, 3, day) for day in range(2, 7)], "9 days in a row without a working day, from 2026-02-28"),
            ([date(2026, 3, day) for day in range(3, 7)] + [date(2026, 3, 9)], "7 days in a row"),
        ],
    )
    def test_what_none_can_be(self, holidays: list[date], wrongly: str) -> None:
        assert wrongly in str(working_days.fault(holidays))


class TestExtension:
    def test_it_adds_two_months_where_the_person_was_told_inside_the_first(self) -> None:
        assert outcome(extension=told(1, 23)).due_on == date(2026, 4, 10)
        assert outcome(extension=told(2, 10)).due_on == date(2026, 4, 10)

    def test_it_adds_45_days_under_the_ccpa(self) -> None:
        assert outcome(regime=Regime.CCPA, extension=told(2, 24)).due_on == date(2026, 4, 10)
        assert outcome(regime=Regime.CCPA, extension=told(2, 25)).due_on == date(2026, 2, 24)

    def test_it_is_counted_from_receipt_to_the_end_of_a_shorter_month(self) -> None:
        received = datetime(2027, 11, 30, tzinfo=UTC)
        notice = told(12, 1, notified_at=datetime(2027, 12, 1, tzinfo=UTC))
        assert outcome(received_at=received, extension=notice).due_on == date(2028, 2, 29)

    @pytest.mark.parametrize(
        "extension",
        [
            told(2, 11),
            told(1, 9),
            Extension(notified_at=on(1, 23)),
            Extension(reason=WHY, until=date(2026, 4, 1)),
            Extension(until=date(2026, 4, 1)),
        ],
        ids=["told after the month", "told before the request", "no reason", "never told", "neither"],
    )
    def test_it_moves_nothing(self, extension: Extension) -> None:
        assert outcome(extension=extension).due_on == date(2026, 2, 10)
        found = judged(outcome(extension=extension, executed_at=on(2, 1), answered_at=on(2, 2)))
        assert "not given longer by the extension" in basis(found.reasons)

    @pytest.mark.parametrize(
        ("until", "last"),
        [((3, 1), (3, 1)), ((4, 10), (4, 10)), ((12, 31), (4, 10)), ((1, 20), (2, 10))],
    )
    def test_the_date_that_the_person_was_told_counts_and_the_law_s_at_most(
        self, until: tuple[int, int], last: tuple[int, int]
    ) -> None:
        assert outcome(extension=told(1, 23, until=date(2026, *until))).due_on == date(2026, *last)

    def test_a_due_date_in_the_log_from_before_it_does_not_undo_it(self) -> None:
        assert outcome(extension=told(1, 23), due_on=date(2026, 2, 10)).due_on == date(2026, 4, 10)
        assert outcome(extension=told(1, 23), due_on=date(2026, 3, 1)).due_on == date(2026, 3, 1)


class TestPauses:
    """UK GDPR Article 12A, since 5 February 2026: the month begins with the latest of request, proof and fee."""

    def pause(self, begin: tuple[int, int], end: tuple[int, int] | None, reason: str | None = "proof of identity") -> ClockPause:
        return ClockPause(on(*begin), None if end is None else on(*end), reason, Awaited.IDENTITY)

    def uk(self, *pauses: ClockPause, **changes: object) -> RequestOutcome:
        return outcome(**{"regime": Regime.UK, "received_at": on(3, 10), "clock_pauses": pauses, **changes})

    @pytest.mark.parametrize("awaits", [None, *Awaited], ids=str)
    def test_only_the_wait_for_identity_or_a_fee_moves_anything_and_before_article_12a_none_does_for_certain(
        self, awaits: Awaited | None
    ) -> None:
        last = {}
        for received in (datetime(2026, 2, 4, 12, tzinfo=UTC), datetime(2026, 2, 5, 12, tzinfo=UTC)):
            pauses = (ClockPause(received + timedelta(days=2), received + timedelta(days=10), WHY, awaits),)
            found = due(outcome(regime=Regime.UK, received_at=received, clock_pauses=pauses), None)
            last[received.day] = (found.on.isoformat(), found.latest.isoformat(), found.paused_days)
        counts = awaits in {Awaited.IDENTITY, Awaited.FEE}
        open_until = "2026-03-16" if counts or awaits is None else "2026-03-04"
        assert last[4] == ("2026-03-04", open_until, 0), "a month from the proof, Saturday, 14 March, is open"
        assert last[5] == (("2026-03-16", "2026-03-16", 8) if counts else ("2026-03-05", "2026-03-05", 0))

    def test_the_month_begins_with_the_proof_and_is_not_made_longer_by_the_days_of_the_wait(self) -> None:
        found = self.uk(self.pause((3, 12), (3, 20)))
        assert (found.due_on, found.paused_days, due(found, None).begins) == (date(2026, 4, 20), 8, date(2026, 3, 20))

    def test_a_month_from_the_proof_that_is_shorter_than_the_days_added_counts(self) -> None:
        """20 September and 19 days of waiting would be 9 October."""
        row = {"received_at": on(8, 20), "executed_at": on(9, 20)}
        wait = self.pause((8, 20), (9, 8))
        assert judged(self.uk(wait, **row, answered_at=on(10, 8))).status is Status.PASS
        assert judged(self.uk(wait, **row, answered_at=on(10, 9))).status is Status.FAIL

    def test_the_last_of_several_begins_it_and_days_that_lie_in_two_count_once(self) -> None:
        found = self.uk(self.pause((3, 12), (3, 20)), self.pause((3, 15), (3, 22)))
        assert (found.due_on, found.paused_days) == (date(2026, 4, 22), 10)
        within = self.uk(self.pause((3, 12), (3, 20)), self.pause((3, 13), (3, 15)))
        assert (within.due_on, within.paused_days) == (date(2026, 4, 20), 8)

    def test_an_extension_of_which_the_person_was_told_within_it_is_counted_from_the_proof_too(self) -> None:
        wait = self.pause((3, 12), (3, 20))
        assert self.uk(wait, extension=told(4, 20)).due_on == date(2026, 6, 22), "20 June is a Saturday"
        assert self.uk(wait, extension=told(4, 21)).due_on == date(2026, 4, 20)

    def test_one_that_begins_after_the_deadline_revives_nothing(self) -> None:
        assert self.uk(self.pause((4, 11), (5, 11))).due_on == date(2026, 4, 10)
        assert self.uk(self.pause((4, 10), (5, 11))).due_on == date(2026, 6, 11)

    def test_one_without_a_reason_or_from_before_the_request_counts_nothing(self) -> None:
        assert self.uk(self.pause((3, 12), (3, 20), None)).due_on == date(2026, 4, 10)
        assert self.uk(self.pause((3, 5), (3, 20))).due_on == date(2026, 4, 10)

    def test_they_count_under_a_regime_that_knows_them_alone(self) -> None:
        assert outcome(clock_pauses=(self.pause((1, 12), (1, 20)),)).due_on == date(2026, 2, 10)

    def test_while_one_lasts_nothing_is_late(self) -> None:
        found = self.uk(self.pause((3, 12), None))
        assert (found.overdue, timing(found)) == (False, Timing.PAUSED)
        assert outcome(clock_pauses=(self.pause((1, 12), None),)).overdue

    def test_an_answer_without_what_was_awaited_moves_no_deadline_and_no_law_gives_it_a_last_day(self) -> None:
        found = self.uk(self.pause((3, 12), None), executed_at=on(8, 1), answered_at=on(8, 2))
        assert (found.due_on, found.overdue, due(found, None).latest) == (date(2026, 4, 10), True, date.max)
        assert judged(found).status is Status.INCONCLUSIVE


class TestDoubts:
    """GDPR Article 12(6): whether a doubt was reasonable and raised without undue delay is a thing that no date shows."""

    def asked(self, begin: tuple[int, int], end: tuple[int, int] | None, **changes: object) -> ClockPause:
        known = {"reason": "which of two namesakes", "awaits": Awaited.IDENTITY}
        return ClockPause(on(*begin), end and on(*end), **{**known, **changes})

    def late(self, *pauses: ClockPause, answered: tuple[int, int] = (2, 18), **changes: object) -> RequestOutcome:
        return outcome(clock_pauses=pauses, executed_at=on(1, 20), answered_at=on(*answered), **changes)

    def test_in_the_eu_they_leave_open_what_is_late_without_them(self) -> None:
        found = self.late(self.asked((1, 12), (1, 20)))
        assert (found.due_on, found.overdue) == (date(2026, 2, 10), True)
        finding = judged(found)
        assert (finding.status, finding.value) == (Status.INCONCLUSIVE, 0.0)
        assert "people must assess it" in basis(finding.reasons)

    def test_an_answer_that_is_late_with_them_fails(self) -> None:
        assert judged(self.late(self.asked((1, 12), (1, 20)), answered=(2, 19))).status is Status.FAIL

    @pytest.mark.parametrize(
        "changes", [{"awaits": None}, {"awaits": Awaited.DETAILS}, {"awaits": Awaited.FEE}, {"reason": None}], ids=str
    )
    def test_no_other_wait_leaves_anything_open(self, changes: dict[str, object]) -> None:
        finding = judged(self.late(self.asked((1, 12), (1, 20), **changes)))
        assert finding.status is Status.FAIL
        assert "not given longer by the pauses" in basis(finding.reasons)

    def test_one_raised_after_the_deadline_leaves_nothing_open(self) -> None:
        assert judged(self.late(self.asked((2, 11), (2, 18)))).status is Status.FAIL

    def test_one_that_lasts_never_passes(self) -> None:
        waiting = outcome(clock_pauses=(self.asked((1, 12), None),))
        assert waiting.overdue
        assert judged(waiting).status is Status.INCONCLUSIVE

    def test_an_answer_in_time_passes_whatever_was_asked(self) -> None:
        assert judged(self.late(self.asked((1, 12), (1, 20)), answered=(2, 10))).status is Status.PASS

    def test_another_row_of_the_same_ticket_that_is_late_for_sure_still_fails(self) -> None:
        one, other = (self.late(*pauses, subject=who) for who, pauses in (("p1", (self.asked((1, 12), (1, 20)),)), ("p2", ())))
        finding = judged(one, other)
        assert (finding.status, finding.value) == (Status.FAIL, 1.0)

    def test_under_the_ccpa_verifying_takes_no_time_off_the_clock(self) -> None:
        found = self.late(self.asked((1, 12), (1, 20)), answered=(2, 25), regime=Regime.CCPA)
        assert judged(found).status is Status.FAIL
        assert outcome(regime=Regime.CCPA, clock_pauses=(self.asked((1, 12), None),)).overdue

    @pytest.mark.parametrize(
        ("answered", "status"),
        [((2, 20), Status.PASS), ((2, 23), Status.INCONCLUSIVE), ((3, 10), Status.INCONCLUSIVE), ((3, 11), Status.FAIL)],
    )
    @pytest.mark.parametrize("awaits", [Awaited.IDENTITY, Awaited.FEE, None], ids=str)
    def test_in_the_uk_before_article_12a_a_month_from_the_proof_or_the_fee_is_open(
        self, awaits: Awaited | None, answered: tuple[int, int], status: Status
    ) -> None:
        """Article 12(3) said a month from the request, the ICO's guidance one from the proof; days added are in neither."""
        pause = self.asked((1, 22), (2, 10), awaits=awaits)
        found = outcome(
            regime=Regime.UK, received_at=on(1, 20), clock_pauses=(pause,), executed_at=on(2, 19), answered_at=on(*answered)
        )
        assert (found.due_on, found.paused_days) == (date(2026, 2, 20), 0)
        assert judged(found).status is status

    def test_in_the_uk_before_article_12a_one_that_lasts_never_passes(self) -> None:
        waiting = outcome(regime=Regime.UK, clock_pauses=(self.asked((1, 12), None),))
        assert waiting.overdue
        assert judged(waiting).status is Status.INCONCLUSIVE

    def test_in_the_uk_a_proof_that_never_came_passes_no_late_answer(self) -> None:
        row = {"regime": Regime.UK, "received_at": on(3, 2), "clock_pauses": (self.asked((3, 12), None),)}
        assert judged(outcome(**row, executed_at=on(8, 1), answered_at=on(8, 2))).status is Status.INCONCLUSIVE
        assert not outcome(**row).overdue


class TestConfirmations:
    """11 CCR 7021(a): ten business days, which is reported and decides nothing."""

    @pytest.mark.parametrize(
        ("day", "says"),
        [(23, None), (24, "1 request was confirmed later than 10 business days"), (None, "is not known for 1 request")],
    )
    def test_what_is_said_of_them(self, day: int | None, says: str | None) -> None:
        at = None if day is None else on(1, day)
        found = judged(outcome(regime=Regime.CCPA, confirmed_at=at, executed_at=on(1, 20), answered_at=on(2, 1)))
        assert found.status is Status.PASS
        text = basis(found.reasons)
        assert (says in text) if says else ("business days" not in text)

    @pytest.mark.parametrize(
        ("day", "holiday", "last"),
        [
            # Ten days from Tuesday, 18 August: the bank holiday of the UK is a business day in California.
            ((8, 18), (8, 31), (9, 1)),
            ((8, 26), (9, 7), (9, 10)),
            ((1, 10), (1, 19), (1, 26)),
            ((11, 20), (11, 26), (12, 7)),
            ((11, 20), (11, 27), (12, 4)),
        ],
        ids=["of the UK", "Labor Day", "Martin Luther King", "Thanksgiving", "the day after it"],
    )
    def test_only_holidays_of_the_united_states_are_no_business_days(
        self, day: tuple[int, int], holiday: tuple[int, int], last: tuple[int, int]
    ) -> None:
        found = outcome(regime=Regime.CCPA, received_at=on(*day))
        assert confirm_by(found, {date(2026, *holiday)}) == date(2026, *last)

    def test_a_holiday_that_nobody_declares_is_a_business_day(self) -> None:
        assert confirm_by(outcome(regime=Regime.CCPA)) == date(2026, 1, 23)

    def test_other_regimes_ask_for_none(self) -> None:
        assert "business days" not in basis(judged(outcome(executed_at=on(1, 20), answered_at=on(2, 1))).reasons)


class TestAnswers:
    def test_a_lawful_extension_that_was_answered_in_time_passes(self) -> None:
        """Told on day 13, erased and answered in the third month."""
        lawful = outcome(extension=told(1, 23), executed_at=on(4, 1), answered_at=on(4, 2))
        assert (lawful.overdue, timing(lawful)) == (False, Timing.INFORMED)
        found = judged(lawful)
        assert (found.status, found.value) == (Status.PASS, 0.0)
        assert "1 request was given longer by an extension" in basis(found.reasons)

    def test_an_answer_three_months_late_fails_though_the_data_were_erased_in_time(self) -> None:
        late = outcome(executed_at=on(1, 20), answered_at=on(5, 10))
        assert (late.overdue, timing(late)) == (True, Timing.ANSWERED_LATE)
        found = judged(late)
        assert (found.status, found.value) == (Status.FAIL, 1.0)
        assert "1 request was answered after the deadline" in basis(found.reasons)

    def test_the_last_day_is_in_time_and_the_next_is_not(self) -> None:
        assert not outcome(executed_at=on(1, 20), answered_at=on(2, 10, hour=23)).overdue
        assert outcome(executed_at=on(1, 20), answered_at=on(2, 11, hour=0)).overdue

    def test_without_any_answer_in_the_log_erasure_in_time_passes_and_the_words_say_so(self) -> None:
        found = outcome(executed_at=on(2, 10))
        assert timing(found) is Timing.NOT_RECORDED
        finding = judged(found)
        assert finding.status is Status.PASS
        assert "does not say when the person was informed" in basis(finding.reasons)

    def test_the_day_on_which_the_data_were_erased_counts_before_that_of_the_model(self) -> None:
        assert not outcome(executed_at=on(6, 1), data_erased_at=on(2, 10)).overdue
        assert outcome(executed_at=on(2, 10), data_erased_at=on(2, 11)).overdue
        assert timing(outcome(executed_at=on(2, 11))) is Timing.ERASED_LATE

    def test_beside_answered_ones_a_missing_answer_past_due_fails(self) -> None:
        answered, missing = outcomes(
            logged(executed_at=on(1, 20), answered_at=on(1, 21)), logged(2, executed_at=on(1, 20)), today=date(2026, 2, 11)
        )
        assert (answered.overdue, missing.overdue, timing(missing)) == (False, True, Timing.NOT_INFORMED)
        assert judged(answered, missing).status is Status.FAIL
        _, waiting = outcomes(
            logged(executed_at=on(1, 20), answered_at=on(1, 21)), logged(2, executed_at=on(1, 20)), today=date(2026, 2, 10)
        )
        assert (waiting.overdue, timing(waiting)) == (False, Timing.NOT_RECORDED)

    @pytest.mark.parametrize(("status", "late"), [("denied", True), ("no_match", True), ("revoked", False)])
    def test_who_is_refused_or_not_found_is_informed_too(self, status: str, late: bool) -> None:
        record_ids = ("x",) if status == "no_match" else ("a",)
        first = logged(executed_at=on(1, 20), answered_at=on(1, 21), record_ids=("a",))
        _, second = outcomes(first, logged(2, received_at=on(1, 21), status=status, record_ids=record_ids))
        assert second.overdue is late
        _, answered = outcomes(
            first, logged(2, received_at=on(1, 21), status=status, record_ids=record_ids, answered_at=on(5, 21))
        )
        assert answered.overdue

    def test_an_answer_to_an_open_request_is_not_the_end_of_it(self) -> None:
        assert outcome(status="in_progress", answered_at=on(1, 20)).overdue
        assert timing(outcome(status="in_progress", answered_at=on(1, 20), today=date(2026, 2, 1))) is Timing.NOT_DUE

    def test_answered_in_time_and_erased_after_it_is_open(self) -> None:
        """Nobody knows what the answer said: the data were still there."""
        found = judged(outcome(executed_at=on(3, 1), answered_at=on(2, 1)))
        assert found.status is Status.INCONCLUSIVE
        assert "the erasure only after the deadline" in basis(found.reasons)


class TestRefusals:
    @pytest.mark.parametrize(
        ("said", "status"),
        [
            ({"reason": "claims are open", "exception": "Article 17(3)(e)"}, Status.PASS),
            ({"reason": "claims are open"}, Status.FAIL),
            ({"exception": "Article 17(3)(e)"}, Status.FAIL),
            ({}, Status.FAIL),
        ],
    )
    def test_a_refusal_needs_its_reason_and_its_exception(self, said: dict[str, str], status: Status) -> None:
        found = judged(outcome(status="denied", **said))
        assert found.status is status
        assert found.value == float(status is Status.FAIL)
        assert ("denied without a reason" in basis(found.reasons)) is (status is Status.FAIL)

    def test_who_withdrew_needs_none(self) -> None:
        assert judged(outcome(status="revoked")).status is Status.PASS


class TestPolicy:
    def test_longer_days_of_the_policy_leave_open_whether_the_law_allows_them(self) -> None:
        found = judged(outcome(executed_at=on(3, 20), answered_at=on(3, 25), days=90), days=90)
        assert (found.status, found.value) == (Status.INCONCLUSIVE, 0.0)

    def test_a_lawful_extension_is_no_such_case(self) -> None:
        lawful = outcome(executed_at=on(3, 20), answered_at=on(3, 25), extension=told(1, 23), days=90)
        assert judged(lawful, days=90).status is Status.PASS

    def test_a_person_who_waits_past_the_policy_fails_whatever_else_took_long(self) -> None:
        long, late = outcomes(
            logged(executed_at=on(3, 20), answered_at=on(3, 25)), logged(2, executed_at=on(8, 1), answered_at=on(8, 2)), days=90
        )
        found = judged(long, late, days=90)
        assert (found.status, found.value) == (Status.FAIL, 1.0)
        assert found.derived.later_than_law == ("R1",)

    @pytest.mark.parametrize(
        ("changes", "days", "status"),
        [
            # Who is still waiting may wait longer than the law gives, also where somebody wrote to them.
            ({"status": "in_progress", "today": date(2026, 2, 1)}, 90, Status.INCONCLUSIVE),
            ({"status": "in_progress", "answered_at": on(1, 20), "today": date(2026, 2, 1)}, 90, Status.INCONCLUSIVE),
            # Within days that the law gives as well there is nothing to wait for.
            ({"status": "in_progress", "today": date(2026, 1, 20)}, 20, Status.PASS),
            ({"status": "in_progress", "today": date(2026, 1, 20)}, 31, Status.PASS),
            # Who withdrew waits for nothing.
            ({"status": "revoked"}, 90, Status.PASS),
            # The answer decides, not the erasure.
            ({"executed_at": on(3, 20), "answered_at": on(2, 10)}, 90, Status.PASS),
            ({"executed_at": on(2, 10), "answered_at": on(2, 11)}, 90, Status.INCONCLUSIVE),
            ({"executed_at": on(2, 10)}, 90, Status.PASS),
            ({"executed_at": on(2, 11)}, 90, Status.INCONCLUSIVE),
        ],
    )
    def test_what_the_law_s_own_month_says_is_asked_of_every_request(self, changes: dict, days: int, status: Status) -> None:
        asked = outcome(days=days, **changes)
        assert not asked.overdue
        assert judged(asked, days=days).status is status

    @pytest.mark.parametrize(
        ("changes", "told_so"),
        [
            ({"executed_at": on(3, 1), "answered_at": on(2, 1)}, True),
            ({"executed_at": on(2, 10), "answered_at": on(2, 1)}, False),
            ({"executed_at": on(3, 1), "answered_at": on(3, 2)}, False),
            ({"executed_at": on(3, 1)}, False),
            ({"status": "denied", "reason": "x", "exception": "y", "answered_at": on(2, 1)}, False),
        ],
    )
    def test_only_who_was_answered_in_time_and_erased_after_it_is_listed(self, changes: dict, told_so: bool) -> None:
        assert judged(outcome(**changes)).derived.erased_after_due == (("R1",) if told_so else ())

    @pytest.mark.parametrize(
        ("state", "status"),
        [(StorageState.LOGICAL, Status.INCONCLUSIVE), (StorageState.PHYSICAL, Status.PASS), (None, Status.PASS)],
    )
    def test_what_the_log_itself_calls_marked_is_no_erasure_in_time(self, state: StorageState | None, status: Status) -> None:
        done = {"executed_at": on(2, 1), "answered_at": on(2, 1)}
        found = judged(outcome(**done), outcome(number=2, storage_state=state, **done))
        assert found.status is status
        assert found.derived.marked == (("R2",) if status is Status.INCONCLUSIVE else ())
        assert ("only marked as erased" in basis(found.reasons)) is (status is Status.INCONCLUSIVE)

    def test_what_is_open_and_marked_is_asked_for_when_it_is_carried_out(self) -> None:
        assert (
            judged(outcome(status="denied", reason="x", exception="y", storage_state=StorageState.LOGICAL)).derived.marked == ()
        )

    def test_the_rule_that_counted_is_named_for_each_regime(self) -> None:
        said = basis(judged(outcome(), outcome(regime=Regime.UK), outcome(regime=Regime.CCPA)).reasons)
        assert "EU deadline" in said
        assert "UK deadline" in said
        assert "CCPA deadline: 45 days" in said


@pytest.mark.parametrize(("days", "read"), [(0, 0), (30, 30), (-1, None), (True, None), (1.0, None), ("30", None), (None, None)])
def test_the_days_of_a_document_are_a_count_and_none_is_one(days: object, read: int | None) -> None:
    """No days at all are stricter than the law's month: they are not left out for it."""
    assert declared_days({"deadline_days": days}) == read
    assert declared_days({}) is None


def test_a_policy_of_no_days_makes_due_on_the_day_of_receipt() -> None:
    assert due(outcome(), 0).on == RECEIVED


def test_what_a_document_declares_late_stays_late_unless_its_own_dates_say_otherwise() -> None:
    """The clock of a run may have been ahead of the time that it states."""
    waiting = replace(outcome(today=date(2026, 2, 1)), overdue=True)
    assert dated(waiting, deadline_days=None, closing=date(2026, 2, 1), informs=False).overdue
    done = replace(outcome(executed_at=on(1, 20), answered_at=on(1, 21)), overdue=True)
    assert not dated(done, deadline_days=None, closing=TODAY, informs=True).overdue


def test_times_read_in_the_calendar_of_the_receipt() -> None:
    found = outcome(
        received_at=datetime(2026, 1, 10, 9, tzinfo=timezone(timedelta(hours=9))),
        executed_at=datetime(2026, 2, 10, 16, tzinfo=UTC),
    )
    assert (found.deleted_at.date(), found.days, found.overdue) == (date(2026, 2, 11), 32, True)


def test_a_period_ends_at_the_end_of_the_calendar_at_the_latest() -> None:
    assert Span(days=10).after(date(9999, 12, 30)) == date.max
    assert Span(months=3).after(date(9999, 11, 1)) == date.max
    assert Span(months=1).after(date(9999, 11, 15)) == date(9999, 12, 15), "the last year has its months"
    assert due(outcome(received_at=datetime(9999, 12, 31, tzinfo=UTC)), None).on == date.max
