"""Requests with whatever a log may say of their dates."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from hypothesis import strategies as st

from auditor.base.deletion_log.requests import Awaited, ClockPause, Extension, Regime, RequestOutcome

DAYS = st.dates(date(1970, 1, 1), date(2990, 12, 31))
LATER = st.none() | st.integers(0, 400)


def request(received: date, **changes: object) -> RequestOutcome:
    fields = {"status": "open", "deleted_at": None, "days": None, "overdue": False, "records": 1, "guarantees": ()}
    return RequestOutcome(request_id="R", received_on=received, due_on=received, **{**fields, **changes})


def noon(received: date, days: int | None) -> datetime | None:
    return None if days is None else datetime.combine(received, time(12), UTC) + timedelta(days=days)


@st.composite
def requests(draw: st.DrawFn, days: st.SearchStrategy[date] = DAYS) -> RequestOutcome:
    """A request, received on one of some days, with whatever a log may say of it."""
    received = draw(days)

    def moment() -> datetime | None:
        return noon(received, draw(LATER))

    executed = moment()
    pauses = tuple(
        ClockPause(noon(received, begin) or datetime.min, noon(received, end), reason, awaits)
        for begin, end, reason, awaits in draw(
            st.lists(
                st.tuples(st.integers(-20, 200), LATER, st.none() | st.just("identity"), st.none() | st.sampled_from(Awaited)),
                max_size=3,
            )
        )
    )
    until = draw(LATER)
    extension = Extension(moment(), draw(st.sampled_from([None, "many"])), None if until is None else received + timedelta(until))
    return request(
        received,
        status=draw(st.sampled_from(["open", "denied", "revoked", "no-match", "not-located"]))
        if executed is None
        else "executed",
        deleted_at=executed,
        regime=draw(st.sampled_from(list(Regime))),
        answered_at=moment(),
        data_erased_at=None if executed is None else moment(),
        extension=draw(st.sampled_from([None, extension])),
        clock_pauses=pauses,
        due_in_log=draw(st.none() | st.integers(0, 200).map(lambda days: received + timedelta(days=days))),
        overdue=draw(st.booleans()),
    )
