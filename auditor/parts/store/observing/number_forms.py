"""The ways in which one writer or another gives a number, a truth value or a time in a table of text."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, TypeAlias

import numpy as np

Form: TypeAlias = Callable[[float], str]


def _short(value: float) -> str:
    return repr(value).removesuffix(".0")


def _positional(value: float, trim: str) -> str:
    said = repr(value)
    if "e" not in said:  # the same digits, many times as fast
        return said if trim == "0" else said.removesuffix(".0")
    return str(np.format_float_positional(value, trim=trim))  # type: ignore[arg-type]


def _digits(value: float) -> tuple[str, int]:
    """The fewest digits that give a number again, as one before the point and others, and its power of ten."""
    digits, _, power = np.format_float_scientific(value, trim="-").partition("e")
    return digits.removesuffix("."), int(power)


def _of_r(value: float) -> str:
    """15 digits at most, with a power of ten where that is shorter."""
    said = f"{value:.14e}"
    most = next(each for each in range(15) if float(f"{value:.{each}e}") == float(said))
    scientific = f"{value:.{most}e}"
    power = int(scientific.partition("e")[2])
    fixed = f"{value:.{max(0, most - power)}f}"
    return fixed if len(fixed) <= len(scientific) else scientific


def _of_javascript(value: float) -> str:
    digits, power = _digits(value)
    return _positional(value, "-") if -7 < power < 21 else f"{digits}e{power:+d}"


def _of_java(value: float) -> str:
    digits, power = _digits(value)
    if value == 0 or -3 <= power < 7:
        return _positional(value, "0")
    return f"{digits if '.' in digits else digits + '.0'}E{power}"


def of_pandas(value: float, most: int) -> str:
    """Lines of JSON by pandas: so many digits behind the point at most, and one at least; powers of ten from 10^16 on."""
    if abs(value) > _LARGE:
        return repr(value)
    size = abs(value)
    whole = int(size)
    # As it computes them: the last digit is not always the nearest one.
    scaled = (size - whole) * 10.0**most
    behind = int(scaled)
    beyond = scaled - behind
    behind += beyond > _HALF or (beyond == _HALF and (behind == 0 or behind % 2 == 1))
    whole, behind = whole + behind // 10**most, behind % 10**most
    return f"{'-' * (value < 0)}{whole}.{str(behind).rjust(most, '0').rstrip('0') or '0'}"


def _formatted(value: float, form: str) -> str:
    return format(value, form)


_LARGE: Final = 1e16
_HALF: Final = 0.5
_MOST: Final = 21
NUMBERS: Final[tuple[Form, ...]] = (
    repr, _short, partial(_positional, trim="0"), partial(_positional, trim="-"), _of_r, _of_javascript, _of_java,
    *(partial(_formatted, form=f".{each}{kind}") for kind in "fegEG" for each in range(_MOST)),
    *(partial(of_pandas, most=each) for each in range(1, _MOST)),
)  # fmt: skip


def _truth(value: float, words: tuple[str, str]) -> str:
    return words[int(value)]


TRUTHS: Final[tuple[Form, ...]] = tuple(
    partial(_truth, words=each) for each in (("false", "true"), ("False", "True"), ("FALSE", "TRUE"), ("0", "1"))
)
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _time(value: float, gap: str, digits: str, zone: str) -> str:
    """A time from microseconds since 1970, with a gap before the hour, or none where only the day is given."""
    moment = (_FIRST + timedelta(microseconds=value)).replace(tzinfo=None)
    return moment.isoformat(gap, digits) + zone if gap else moment.date().isoformat()


TIMES: Final[tuple[Form, ...]] = (
    partial(_time, gap="", digits="", zone=""),
    *(
        partial(_time, gap=gap, digits=digits, zone=zone)
        for digits in ("auto", "seconds", "milliseconds", "microseconds", "minutes")
        for gap in " T"
        for zone in ("", "Z", "+00:00")
    ),
)
