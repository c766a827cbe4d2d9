"""Where two parsed model files differ: how often, by how much, and the first tree and field."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
"""Names of fields that are printed: any other may be a record."""
Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a model file."""

    tree: int | None
    """As the file counts them, from 0; None outside trees."""
    field: str | None
    """None where its name is not one that is printed."""
    of_model: bool
    """Whether it is of the model itself: not what only describes how or on what it was trained."""


Locate: TypeAlias = Callable[[Path], Place]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A model file held against another one."""

    equal: bool
    """Whether nothing is in it that is not in the other one."""
    of_model: int = 0
    """Values of the model that differ."""
    besides: int = 0
    """Values of anything else that do."""
    first: Place | None = None
    """The first of them, of the model where one of these differs."""
    largest: float | None = None
    """The largest relative difference of two numbers; None where anything of the model differs in more than a number."""


def name_of(field: object) -> str | None:
    """A field's name as it may be printed."""
    return field if isinstance(field, str) and _NAME.fullmatch(field) else None


def compared(own: Any, other: Any, locate: Locate) -> Comparison:
    """Count where two parsed files differ.

    Args:
        own: One of them: dictionaries, lists, texts, numbers.
        other: The other.
        locate: Says what a place is.
    """
    counts = {True: 0, False: 0}
    first: dict[bool, Place] = {}
    largest: float | None = 0.0
    for path, apart in _walk(own, other, ()):
        place = locate(path)
        counts[place.of_model] += 1
        first.setdefault(place.of_model, place)
        if place.of_model:
            largest = None if largest is None or apart is None else max(largest, apart)
    return Comparison(
        equal=False,
        of_model=counts[True],
        besides=counts[False],
        first=first.get(True, first.get(False)),
        largest=largest if counts[True] else None,
    )


def _walk(own: Any, other: Any, path: Path) -> Iterator[tuple[Path, float | None]]:
    """Every place where they differ, with how far apart two numbers are there."""
    if isinstance(own, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys([*own, *other]):
            if key in own and key in other:
                yield from _walk(own[key], other[key], (*path, key))
            else:
                yield (*path, key), None
    elif isinstance(own, list) and isinstance(other, list):
        if len(own) != len(other):
            yield path, None
            return
        for place, (one, another) in enumerate(zip(own, other, strict=True)):
            yield from _walk(one, another, (*path, place))
    elif _number(own) and _number(other):
        if own != other and not (own != own and other != other):  # noqa: PLR0124 - both are no number
            yield path, _apart(own, other)
    elif type(own) is not type(other) or own != other:
        yield path, None


def _apart(own: float, other: float) -> float | None:
    """The distance of two numbers that differ, relative to the larger; None where an infinity or a giant is one of them."""
    try:
        apart = abs(own - other) / max(abs(own), abs(other))
    except OverflowError:
        return None
    return apart if math.isfinite(apart) else None


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
