"""What puts the sentence of a reason together where no single message can, and the parameters that it is put together of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias


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

    def finite(self, name: str) -> float | None:
        """Give a number; None where no float holds it, for which a document has null."""
        return None if self._values[name] is None else self.number(name)

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
