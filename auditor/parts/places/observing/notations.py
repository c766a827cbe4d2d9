"""The usual ways of writing a number or a time, from the one in which tables are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from email.utils import format_datetime
from typing import Final

from auditor.base.mixed_columns import Kind

_NUMBERS: Final[Mapping[str, Callable[[Decimal], str]]] = {
    "with a fraction": lambda number: repr(float(number)),
    "two places": lambda number: f"{number:.2f}",
    "two places, comma": lambda number: f"{number:.2f}".replace(".", ","),
    "comma": lambda number: str(number).replace(".", ","),
    "with a fraction, comma": lambda number: repr(float(number)).replace(".", ","),
}
WITH_COMMA: Final = frozenset({"comma", "with a fraction, comma"})
"""Those of whole files from where a comma is what a point is elsewhere."""
_TIMES: Final[Mapping[str, Callable[[datetime], str]]] = {
    "moment": lambda time: time.isoformat(),
    "moment, blank": lambda time: time.isoformat(" "),
    "moment, Z": lambda time: f"{time.isoformat()}Z",
    "moment, offset": lambda time: f"{time.isoformat()}+00:00",
    "moment, thousandths": lambda time: f"{time.isoformat(timespec='milliseconds')}Z",
    "thousandths": lambda time: time.isoformat(timespec="milliseconds"),
    "mail": format_datetime,
    "mail, offset": lambda time: format_datetime(time.replace(tzinfo=UTC)),
    "mail, GMT": lambda time: format_datetime(time.replace(tzinfo=UTC), usegmt=True),
    "seconds": lambda time: str(int(time.replace(tzinfo=UTC).timestamp())),
    "milliseconds": lambda time: str(int(time.replace(tzinfo=UTC).timestamp() * 1000)),
}
_DAYS: Final[Mapping[str, str]] = {"day.month": "%d.%m.%Y", "month/day": "%m/%d/%Y", "day/month": "%d/%m/%Y", "compact": "%Y%m%d"}
_LONGEST: Final = 32


def notations(kind: Kind, text: str) -> Iterator[tuple[str, str]]:
    """Give other ways of writing a value, each by its name.

    Args:
        kind: What its column holds.
        text: The value as tables are compared.
    """
    if kind in {Kind.NUMBER, Kind.INTEGER} and len(text) <= _LONGEST:
        try:
            number = Decimal(text)
        except InvalidOperation:
            return
        # Two places of a number that has more are another number.
        whole = number.is_finite() and number == round(number, 2)
        yield from ((name, write(number)) for name, write in _NUMBERS.items() if whole or not name.startswith("two"))
    elif kind is Kind.TIME:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return
        yield from ((name, write(moment)) for name, write in _TIMES.items())
        if (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0):
            yield from ((name, moment.strftime(form)) for name, form in _DAYS.items())
