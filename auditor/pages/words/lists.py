"""Join what several things are called, as a language does it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TypeAlias

from auditor.pages.words.texts import say, text


# What puts the sentence of a reason together where no single message can, and the parameters that it is put together of.
class Given(Mapping[str, object]):
    """The parameters of a reason by name, each read as what it has to be: a document may hold anything.

    Every method raises KeyError where a parameter is missing, and TypeError where it is something else.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, object]) -> None:
        """Take parameters as JSON has them, reasons inside them as sentences."""
        self._values = values

    def __getitem__(self, name: str) -> object:
        """Give a parameter, whatever it is."""
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        """Name every parameter."""
        return iter(self._values)

    def __len__(self) -> int:
        """Count them."""
        return len(self._values)

    def number(self, name: str) -> float:
        """Give a number."""
        return _number(self._values[name])

    def count(self, name: str) -> int:
        """Give a whole number."""
        value = self._values[name]
        if not isinstance(value, int):
            raise TypeError(f"{name}: expected a whole number")
        return value

    def word(self, name: str) -> str:
        """Give a text."""
        return _word(self._values[name])

    def many(self, name: str) -> tuple[object, ...]:
        """Give a list of anything."""
        value = self._values[name]
        if not isinstance(value, list | tuple):
            raise TypeError(f"{name}: expected a list")
        return tuple(value)

    def words(self, name: str) -> tuple[str, ...]:
        """Give a list of texts."""
        return tuple(map(_word, self.many(name)))

    def numbers(self, name: str) -> tuple[float, ...]:
        """Give a list of numbers."""
        return tuple(map(_number, self.many(name)))

    def rows(self, name: str) -> tuple[Given, ...]:
        """Give a list of objects."""
        return tuple(map(_row, self.many(name)))


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError("expected a number")
    return value


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a text")
    return value


def _row(value: object) -> Given:
    if not isinstance(value, Mapping):
        raise TypeError("expected an object")
    return Given(value)


Sentence: TypeAlias = Callable[[Given], str]
"""A function of a reason's parameters, which joins messages of the catalogue."""
Sentences: TypeAlias = Mapping[str, Sentence]
"""By the codes of reasons."""


def span(seconds: float) -> str:
    """Say a time: seconds below two minutes, minutes below two hours."""
    if seconds < 119.5:
        return say("cli-span-seconds", count=max(1, round(seconds)))
    if seconds < 7170:
        return say("cli-span-minutes", count=round(seconds / 60))
    return say("cli-span-hours", hours=int(seconds / 3600 + 1 / 120), minutes=round(seconds / 60) % 60)


def size(amount: int) -> str:
    """Say a number of bytes, rounded up."""
    unit, scaled = "kb", amount / 1000
    for larger in ("mb", "gb"):
        if math.ceil(scaled) >= 1000:
            unit, scaled = larger, scaled / 1000
    shown = math.ceil(10 * scaled) / 10 if scaled < 10 else math.ceil(scaled)
    return say(f"cli-size-{unit}", amount=f"{shown:g}")


def both(parts: Sequence[str]) -> str:
    """Join few of them: a and b and c; nothing where there are none."""
    return reduce(lambda first, last: text("common-and", first=first, last=last), parts) if parts else ""


def listed(parts: Iterable[str], message: str = "common-and") -> str:
    """Join them: a, b and c; nothing where there are none.

    Args:
        parts: What is joined.
        message: How the last one is joined: `common-and` or `common-or`.
    """
    *first, last = list(parts) or [""]
    return text(message, first=", ".join(first), last=last) if first else last


def and_more(parts: Iterable[str], more: int) -> str:
    """Join them by commas: a, b and 3 more; the end only where there are more."""
    named = ", ".join(parts)
    return text("common-and-more", named=named, more=str(more)) if more else named
