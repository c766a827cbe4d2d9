"""Write numbers in one way everywhere, and to the side that claims less where a bound is given."""

from __future__ import annotations

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any, Final

from auditor.pages.words.catalogue import word

DIGITS: Final = 4
"""Significant digits."""
_SUPERSCRIPTS: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SPECIFICATION: Final = re.compile(r"(\.(?P<digits>\d+))?(?P<kind>f|g|up|down)")
_LEAST, _MOST = Decimal("1e-4"), Decimal("1e6")
"""Between them a number is written out, beyond them as a product with a power of ten."""


class Printed(float):
    """A number that a format string writes in the one way.

    `:.3g` is in three significant digits, `:.2f` with two places, `:up` as an upper bound, `:down` as a lower one.
    """

    def __format__(self, specification: str) -> str:
        """Write it as the specification says; one that is unknown here means what it means for any number."""
        return _formatted(float(self), specification)


class PrintedCount(int):
    """A whole number that takes the same specifications: a document may hold 0 where a number with a fraction is meant."""

    def __format__(self, specification: str) -> str:
        """Write it as the specification says; in full, unless places are asked for."""
        return _formatted(int(self), specification)


def _formatted(value: float, specification: str) -> str:
    found = _SPECIFICATION.fullmatch(specification)
    if found is None:
        return format(value, specification)
    if found["kind"] == "f":
        return fixed(value, int(found["digits"] or 6))
    rounding = {"up": ROUND_CEILING, "down": ROUND_FLOOR}.get(found["kind"], ROUND_HALF_EVEN)
    return _written(value, rounding, DIGITS if found["kind"] != "g" else int(found["digits"] or 6))


def printed(value: Any) -> Any:
    """Give a value with every number inside it as one that is written in the one way."""
    match value:
        case bool():
            return value
        case float():
            return Printed(value)
        case int():
            return PrintedCount(value)
        case dict():
            return {key: printed(inner) for key, inner in value.items()}
        case list():
            return [printed(inner) for inner in value]
        case _:
            return value


def number(value: float | None) -> str:
    """Write a number in four significant digits; counts in full with thousands separated; a dash where there is none.

    Values outside [1e-4, 1e6) are written as a product with a power of ten. There is no −0.
    """
    return _written(value, ROUND_HALF_EVEN)


def at_most(value: float | None) -> str:
    """Write a number as an upper bound: rounded up, so that what is said to be at most is never less."""
    return _written(value, ROUND_CEILING)


def at_least(value: float | None) -> str:
    """Write a number as a lower bound: rounded down."""
    return _written(value, ROUND_FLOOR)


def fixed(value: float, places: int, *, signed: bool = False) -> str:
    """Write a number with so many places behind the point; what rounds to nothing has no sign."""
    text = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    if not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")
    return text.replace("-", "−")


def power_of_ten(exponent: int) -> str:
    """Write a power of ten as `10⁻⁴`."""
    return "10" + str(exponent).translate(_SUPERSCRIPTS)


def _written(value: float | None, rounding: str, digits: int = DIGITS) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return word("common-yes" if value else "common-no")
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e6):
        return f"{int(value):,}".replace("-", "−")
    if not math.isfinite(value):
        return word("common-not-a-number") if math.isnan(value) else ("∞" if value > 0 else "−∞")
    # As the shortest decimal that is this very number has it: 0.1 is no bit more than 0.1.
    exact = Decimal(repr(value))
    last = exact.adjusted() - digits + 1
    rounded = exact.quantize(Decimal(1).scaleb(min(0, last) if abs(exact) < _MOST else last), rounding=rounding)
    if _LEAST <= abs(rounded) < _MOST:
        return _trimmed(f"{rounded:,f}").replace("-", "−")
    exponent = rounded.adjusted()
    mantissa, power = _trimmed(f"{rounded.scaleb(-exponent):f}").replace("-", "−"), power_of_ten(exponent)
    return power if mantissa == "1" else f"{mantissa} × {power}"


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
