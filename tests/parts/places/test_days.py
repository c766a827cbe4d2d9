"""A day is read in any usual notation, and numbers by chance are hardly ever one that a few people have."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from auditor.parts.places.observing.days import days_in

DAY = date(2011, 8, 22)


@pytest.mark.attempt("dates in other notations")
@pytest.mark.parametrize(
    "written",
    [
        "since 2011-08-22",
        "22.08.2011",
        "22.8.11",
        "8/22/2011",
        "08/22/2011",
        "20110822",
        "t_22082011",
        "110822",
        "22 Aug 2011",
        "August 22, 2011",
        "22nd of August 2011",
        "Aug 22nd '11",
        "22. August 2011",
        "the 22 août 2011",
        "people-22-aug-2011",
        "22aug2011",
        "2011-234",
        "2011234",
        "2011-W34-1",
        "2011W341",
        "2011 year 08 month 22",
        "2011-08-22T10:30:00Z",
    ],
)
def test_a_day_is_read_however_it_is_written(written: str) -> None:
    assert DAY in days_in(written)


def test_months_have_names_in_several_languages() -> None:
    for written in ("5. März 2019", "5 mars 2019", "5 marzo 2019", "March 5, 2019", "5. Mrz. 2019"):
        assert days_in(written) == {date(2019, 3, 5)}


def test_what_may_be_two_days_is_both() -> None:
    assert days_in("5/6/2011") == {date(2011, 6, 5), date(2011, 5, 6)}


@pytest.mark.parametrize(
    "written", ["", "no day", "34 files of 71", "31.02.2011", "22 files, August", "version 0.0.0", "2011-999"]
)
def test_what_is_no_day_is_none(written: str) -> None:
    assert days_in(written) == set()


def test_versions_and_counts_are_hardly_ever_a_day_of_ten_people() -> None:
    draw = random.Random(5)
    own = {date(2010, 1, 1) + timedelta(days=draw.randrange(5000)) for _ in range(10)}
    texts = [
        f"version {draw.randrange(9)}.{draw.randrange(30)}.{draw.randrange(30)}, {draw.randrange(10**6)} rows"
        for _ in range(2000)
    ]
    assert sum(not days_in(each).isdisjoint(own) for each in texts) <= 20
