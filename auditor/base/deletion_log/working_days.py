"""Working days: every day but Saturdays, Sundays and the public holidays that a case declares.

Regulation (EEC, Euratom) 1182/71 Article 2 takes the public holidays of the Member State in which the action is to be taken.
Which these are is the case's word; the evidence holds the days, and a list that no Member State can have is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date, timedelta
from typing import Final

MOST_IN_A_YEAR: Final = 20
"""Declared holidays of one year."""
MOST_IN_A_ROW: Final = 6
"""Days without a working day among them. Declared holidays are for days off, and not for a deadline that was missed by weeks."""
_SATURDAY: Final = 5
_A_DAY: Final = timedelta(days=1)
_ON_A_DATE: Final = frozenset({(1, 1), (6, 19), (7, 4), (11, 11), (12, 25)})
_ON_A_MONDAY: Final = frozenset({(1, 3), (2, 3), (9, 1), (10, 2)})
"""Month, and which Monday of it."""


def is_working(day: date, holidays: Collection[date]) -> bool:
    """Say whether a day is neither at the weekend nor a declared holiday."""
    return day.weekday() < _SATURDAY and day not in holidays


def next_working(day: date, holidays: Collection[date]) -> date:
    """Give the day itself where it is a working day, or else the first one after it (Regulation 1182/71 Article 3(4))."""
    while not is_working(day, holidays) and day < date.max:
        day += _A_DAY
    return day


def after_working(day: date, count: int, holidays: Collection[date]) -> date:
    """Give the last of the first `count` working days after a day."""
    while count and day < date.max:
        day += _A_DAY
        count -= is_working(day, holidays)
    return day


def is_in_california(day: date) -> bool:
    """Say whether a day is a holiday of the United States, all of which California has (Government Code 6700 and 6701).

    California's own further ones count as working days, which is stricter with the business: 11 CCR 7021 names none.
    """
    eve, week, monday = day - _A_DAY if day > date.min else day, (day.day + 6) // 7, day.weekday() == 0
    if (day.month, day.day) in _ON_A_DATE or (monday and (eve.month, eve.day) in _ON_A_DATE):
        return True
    if (day.month, day.weekday()) == (11, 3):
        return week == 4
    return monday and ((day.month, week) in _ON_A_MONDAY or (day.month == 5 and day.day > 24))


def fault(holidays: Sequence[date]) -> str | None:
    """Say what no list of public holidays can be; None where nothing is wrong."""
    if len(set(holidays)) < len(holidays):
        return "a day that is listed twice"
    year, most = next(iter(Counter(each.year for each in holidays).most_common(1)), (0, 0))
    if most > MOST_IN_A_YEAR:
        return f"{most} days in {year}"
    for each in sorted(holidays):
        begins = each
        while begins > date.min and not is_working(begins - _A_DAY, holidays):
            begins -= _A_DAY
        if (off := (next_working(begins, holidays) - begins).days) > MOST_IN_A_ROW:
            return f"{off} days in a row without a working day, from {begins.isoformat()}"
    return None
