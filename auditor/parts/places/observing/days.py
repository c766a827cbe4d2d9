"""Read the days that a text names, in any usual notation: 2011-08-22, 22.8.11, 8/22/2011, 22 Aug 2011, 2011-234, 2011-W34-1.

A notation that several days may be meant by, as 5/6/2011, gives each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import pairwise, permutations
from typing import Final, TypeAlias

from auditor.parts.places.observing.normal_forms import normal

_PARTS: Final = re.compile(r"[^\W\d_]+|\d+")
_DIGITS: Final = re.compile(r"\d+")
_AS_ONE: Final = frozenset({len("110822"), len("2011234"), len("20110822")})
"""Digits of a day in one number."""
_MOST_BETWEEN: Final = 12
"""Characters between two numbers of a date, as in 2011 year 08 month 22."""
_MOST_OF_SHORT: Final = 2
"""The same where the year has two digits, or the month is a word."""
_NEAR: Final = 3
"""Parts between a month and the other parts of its date, at most: `22nd of August`."""
_YEARS: Final = range(1900, 2100)
_LAST_CENTURY: Final = 50
"""Years of two digits from here on are of the last century."""
_NAMES: Final = (
    "jan january januar janvier enero gennaio jaenner", "feb february februar fevrier febrero febbraio",
    "mar march mrz maerz marz mars marzo", "apr april avril abril aprile", "may mai mayo maggio mei maj",
    "jun june juni juin junio giugno", "jul july juli juillet julio luglio", "aug august aout agosto",
    "sep sept september septembre septiembre settembre", "oct october okt oktober octobre octubre ottobre",
    "nov november novembre noviembre", "dec december dez dezember decembre diciembre dicembre",
)  # fmt: skip
_MONTHS: Final = {word: number for number, words in enumerate(_NAMES, start=1) for word in words.split()}
_WEEK: Final = re.compile(r"(?<!\d)(\d{4})-?w(\d\d)-?(\d)(?!\d)")


def days_in(text: str) -> set[date]:
    """Give the days that a text may name."""
    if not re.search(r"\d", text):
        return set()
    return set(_all(normal(text)))


_Part: TypeAlias = tuple[str, int, int]


def _all(text: str) -> Iterator[date]:
    # Most texts have one number of another length, and are taken apart no further.
    digits = _DIGITS.findall(text)
    if len(digits) == 1 and len(digits[0]) not in _AS_ONE:
        return
    parts = [(each[0], each.start(), each.end()) for each in _PARTS.finditer(text)]
    yield from _in_numbers([each for each in parts if each[0].isdecimal() and each[0].isascii()])
    for at, (word, _, _) in enumerate(parts):
        if word in _MONTHS:
            near = [each for each, _, _ in parts[max(0, at - _NEAR) : at + _NEAR + 1] if each.isdecimal() and each.isascii()]
            for day, year in permutations(near, 2):
                if len(day) <= len("22"):
                    yield from _day(_year(year), _MONTHS[word], int(day))
    for year, week, day in _WEEK.findall(text):
        with suppress(ValueError):
            yield date.fromisocalendar(int(year), int(week), int(day))


def _in_numbers(numbers: Sequence[_Part]) -> Iterator[date]:
    for number, _, _ in numbers:
        yield from _in_one(number)
    for (one, _, end), (two, start, stop), (three, begin, _) in zip(numbers, numbers[1:], numbers[2:], strict=False):
        most = max(start - end, begin - stop)
        if most <= (_MOST_BETWEEN if max(map(len, (one, three))) == len("2011") else _MOST_OF_SHORT):
            yield from _of_three(one, two, three)
    for (one, _, end), (two, start, _) in pairwise(numbers):
        if len(one) == len("2011") and len(two) == len("234") and start - end <= 1:
            yield from _of_year(int(one), int(two))


def _in_one(number: str) -> Iterator[date]:
    """The days that one number may be: 20110822, 22082011, 110822, 2011234."""
    if len(number) == len("20110822"):
        yield from _of_three(number[:4], number[4:6], number[6:])
        yield from _of_three(number[:2], number[2:4], number[4:])
    elif len(number) == len("110822"):
        yield from _of_three(number[:2], number[2:4], number[4:])
    elif len(number) == len("2011234"):
        yield from _of_year(int(number[:4]), int(number[4:]))


def _of_three(one: str, two: str, three: str) -> Iterator[date]:
    for year, month, day in ((one, two, three), (three, two, one), (three, one, two), (one, three, two)):
        if len(month) <= len("08") >= len(day):
            yield from _day(_year(year), int(month), int(day))


def _year(written: str) -> int:
    """The year that is written in two or four digits; 0 for none."""
    if len(written) == len("11"):
        return int(written) + (1900 if int(written) >= _LAST_CENTURY else 2000)
    return int(written) if len(written) == len("2011") else 0


def _day(year: int, month: int, day: int) -> Iterator[date]:
    if year in _YEARS:
        with suppress(ValueError):
            yield date(year, month, day)


def _of_year(year: int, day: int) -> Iterator[date]:
    """The day of a year that is counted from one."""
    if year in _YEARS and 1 <= day <= _MOST_DAYS:
        yield date(year, 1, 1) + timedelta(days=day - 1)


_MOST_DAYS: Final = 366
