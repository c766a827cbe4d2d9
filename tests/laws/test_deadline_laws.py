"""Laws of deadlines over all dates: month ends, leap years, offsets, extensions, pauses."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta, timezone

import pandas as pd
from hypothesis import assume, given
from hypothesis import strategies as st

from auditor.base.deletion_log import deletions, working_days
from auditor.base.deletion_log.deadlines import (
    LATE,
    UK_SINCE_2026,
    ByDue,
    Span,
    Timing,
    dated,
    due,
    erased_by_due,
    in_doubt,
    informed_by_due,
    rule,
    timing,
)
from auditor.base.deletion_log.requests import Awaited, ClockPause, Extension, Regime, Request, RequestOutcome
from dated_requests import DAYS, noon, request, requests

SINCE = st.dates(UK_SINCE_2026, date(2990, 12, 31))
"""Receipts of which a wait moves the deadline in the UK."""
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2990, 12, 31))


def weekday(day: date) -> date:
    """The day, or the Monday after it: pandas' own business days."""
    return (datetime.combine(day, time()) + pd.offsets.BDay(0)).date()


@given(MOMENTS, st.integers(-14 * 60, 14 * 60))
def test_one_calendar_month_is_that_of_pandas_on_the_date_of_receipt(received: datetime, offset: int) -> None:
    there = received.replace(tzinfo=timezone(timedelta(minutes=offset)))
    (found,) = deletions.outcomes([Request(1, "R", ("a",), there)], {"a"}, deadline_days=None, today=date(2999, 1, 1))
    assert found.due_on == weekday((datetime.combine(received.date(), time()) + pd.DateOffset(months=1)).date())


@given(DAYS, st.sampled_from([Regime.EU, Regime.UK]), st.integers(0, 31))
def test_an_extension_told_inside_the_month_ends_three_months_after_the_receipt(day: date, regime: Regime, told: int) -> None:
    found = due(request(day, regime=regime, extension=Extension(noon(day, told), "many")), None)
    month, three = (weekday((datetime.combine(day, time()) + pd.DateOffset(months=months)).date()) for months in (1, 3))
    inside = day + timedelta(days=told) <= month
    assert (found.extended, found.on) == ((True, three) if inside else (False, month))


@given(DAYS, st.integers(0, 60))
def test_the_ccpa_counts_days(day: date, told: int) -> None:
    found = due(request(day, regime=Regime.CCPA, extension=Extension(noon(day, told), "many")), None)
    assert (found.on - day).days == (90 if told <= 45 else 45)


@given(requests(), st.none() | st.integers(0, 400))
def test_no_deadline_ends_later_than_the_longest_period_from_the_receipt_or_from_when_a_wait_ended(
    asked: RequestOutcome, days: int | None
) -> None:
    found, law = due(asked, days), rule(asked.regime, asked.received_on)
    bare = due(replace(asked, extension=None, clock_pauses=(), due_in_log=None), days).on
    # What a wait moves is the day from which the period counts, by the rules of the day of receipt.
    period = law.first if days is None else Span(days=days)
    begins = asked.received_on if found.begins is None else found.begins
    assert found.on <= (period + law.further).after(begins) + timedelta(days=2)
    assert law.stops or (found.paused_days, found.paused, found.begins) == (0, False, None)
    assert found.begins is not None or found.extended or found.on <= bare
    assert found.extended or found.on <= period.after(begins) + timedelta(days=2)
    assert found.latest >= found.on
    assert asked.due_in_log is None or found.extended or found.on <= asked.due_in_log


@given(SINCE, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4), st.randoms())
def test_the_days_of_pauses_are_those_of_their_union_in_any_order(
    day: date, spans: list[tuple[int, int]], random: object
) -> None:
    pauses = [ClockPause(noon(day, begin), noon(day, begin + length), "identity", Awaited.IDENTITY) for begin, length in spans]
    base = due(request(day, regime=Regime.UK, clock_pauses=tuple(pauses)), None)
    random.shuffle(pauses)
    assert due(request(day, regime=Regime.UK, clock_pauses=tuple(pauses)), None) == base
    union = {at for begin, length in spans for at in range(begin, begin + length)}
    assert base.paused_days <= len(union)
    if all(begin <= 28 for begin, _ in spans):
        assert base.paused_days == len(union)


@given(requests(), DAYS, st.booleans())
def test_where_the_log_has_the_answer_it_decides(asked: RequestOutcome, closing: date, informs: bool) -> None:
    found = dated(asked, deadline_days=None, closing=closing, informs=informs)
    if asked.answered_at is not None and asked.status not in {"open", "not-located"}:
        assert found.overdue is (asked.answered_at.date() > found.due_on)
    if asked.answered_at is not None and asked.answered_at.date() > found.due_on:
        assert found.overdue


@given(requests(), DAYS, st.booleans(), st.none() | st.integers(0, 400))
def test_what_is_derived_is_derived_again_and_agrees_with_the_words(
    asked: RequestOutcome, closing: date, informs: bool, days: int | None
) -> None:
    """Overdue and the state that the pages name are one thing, and a second derivation changes nothing."""
    found = dated(asked, deadline_days=days, closing=closing, informs=informs)
    assert found.overdue is (timing(found) in LATE)
    assert dated(found, deadline_days=days, closing=closing, informs=informs) == found


@given(requests(), DAYS, st.booleans(), st.none() | st.integers(0, 400))
def test_what_is_late_was_missed_in_one_of_two_ways(
    asked: RequestOutcome, closing: date, informs: bool, days: int | None
) -> None:
    """What is overdue was erased late or informed late, and nothing was done in time without its date."""
    found = dated(asked, deadline_days=days, closing=closing, informs=informs)
    erased, informed = erased_by_due(found), informed_by_due(found)
    assert not found.overdue or ByDue.MISSED in {erased, informed}
    assert informed is not ByDue.MET or (asked.answered_at is not None and asked.answered_at.date() <= found.due_on)
    assert erased is not ByDue.MET or (
        asked.deleted_at is not None and (asked.data_erased_at or asked.deleted_at).date() <= found.due_on
    )


@given(requests(), DAYS, st.integers(1, 400), st.booleans())
def test_a_later_audit_finds_no_fewer_late(asked: RequestOutcome, closing: date, more: int, informs: bool) -> None:
    fresh = replace(asked, overdue=False)
    early = dated(fresh, deadline_days=None, closing=closing, informs=informs)
    late = dated(fresh, deadline_days=None, closing=closing + timedelta(days=more), informs=informs)
    assert late.overdue or not early.overdue


@given(requests(), DAYS)
def test_a_pause_or_extension_without_its_reason_helps_nobody(asked: RequestOutcome, closing: date) -> None:
    silent = replace(
        asked,
        extension=asked.extension and replace(asked.extension, reason=None),
        clock_pauses=tuple(replace(each, reason=None) for each in asked.clock_pauses),
        overdue=False,
    )
    bare = replace(silent, extension=None, clock_pauses=())
    one, other = (dated(each, deadline_days=None, closing=closing, informs=True) for each in (silent, bare))
    assert (one.due_on, one.overdue, timing(one)) == (other.due_on, other.overdue, timing(other))
    assert timing(one) is not Timing.PAUSED


HOLIDAYS = st.lists(st.integers(-10, 110), max_size=6, unique=True)


@given(requests(), st.none() | st.integers(0, 400), HOLIDAYS)
def test_a_deadline_that_the_law_sets_is_a_working_day_and_moves_by_a_week_at_most(
    asked: RequestOutcome, days: int | None, offsets: list[int]
) -> None:
    holidays = frozenset(asked.received_on + timedelta(days=each) for each in offsets)
    assume(working_days.fault(sorted(holidays)) is None)
    bare = replace(asked, extension=None, clock_pauses=(), due_in_log=None)
    found, law = due(bare, days, holidays), rule(asked.regime, asked.received_on)
    calendar = (law.first if days is None else Span(days=days)).after(asked.received_on)
    if days is not None or not law.working:
        assert found.on == calendar
    else:
        assert calendar <= found.on <= calendar + timedelta(days=6)
        assert found.on.weekday() < 5
        assert found.on not in holidays
        skipped = [calendar + timedelta(days=each) for each in range((found.on - calendar).days)]
        assert all(day.weekday() > 4 or day in holidays for day in skipped)


@given(requests(), DAYS, st.booleans())
def test_no_doubt_excuses_what_is_in_time_or_what_a_regime_knows_no_doubt_for(
    asked: RequestOutcome, closing: date, informs: bool
) -> None:
    found = dated(asked, deadline_days=None, closing=closing, informs=informs)
    doubt = in_doubt(found, due(found, None), closing=closing, informs=informs)
    assert found.overdue or not doubt
    law = rule(asked.regime, asked.received_on)
    counting = [each for each in asked.clock_pauses if each.awaits in law.stops | law.may_stop]
    assert not doubt or counting
    # Of what counts for certain only an answer without what was awaited leaves anything open.
    assert not doubt or law.may_stop or (asked.answered_at and any(each.resumed_at is None for each in counting))
