"""Count the bits of a description of how lines differ from other lines: which do, in which cells, and what is there instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from auditor.parts.store.observing.spare_bits import bits_of

_FREQUENT: Final = frozenset('0123456789+-.eE_ ,:"\\\r\n')
_OF_NUMBERS: Final = 1 + 5
"""Bits of one of these, which are no more than 32, and of that it is one."""


def bits_apart(raw: Sequence[str], expected: Sequence[str], mark: str) -> int:
    """Bits that say how lines differ from expected ones: which, and in which cells of each."""
    bits = last = rows = 0
    for at, (line, other) in enumerate(zip(raw, expected, strict=True)):
        if line == other:
            continue
        pieces, others = line.split(mark), other.split(mark)
        if len(pieces) != len(others):
            pieces, others = [line], [other]
        odd = [place for place, (piece, meant) in enumerate(zip(pieces, others, strict=True)) if piece != meant]
        bits += _size(at - last) + _size(len(odd) - 1)
        for before, place in zip([0, *odd], odd, strict=False):
            bits += _size(place - before) + _edit(pieces[place], others[place])
        last, rows = at, rows + 1
    return bits + _size(rows) if rows else 0


def _edit(piece: str, meant: str) -> int:
    """Bits of where one text differs from another, from its beginning or its end, how much is replaced, and what by."""
    start = _alike(piece, meant)
    end = _alike(piece[:start:-1], meant[:start:-1]) if start < min(len(piece), len(meant)) else 0
    inserted = piece[start : len(piece) - end]
    gone = len(meant) - start - end
    return 1 + _size(min(start, end)) + _size(gone) + _size(len(inserted)) + sum(map(_character, inserted))


def _size(number: int) -> int:
    """Bits of a whole number that is not below 0."""
    return bits_of(number) - (number > 0)


def _character(each: str) -> int:
    """Bits of a character: one of those that numbers have, or any."""
    return _OF_NUMBERS if each in _FREQUENT else 1 + 8 * len(each.encode("utf-8", "surrogatepass"))


def _alike(first: str, second: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (one, other) in enumerate(zip(first, second, strict=False)) if one != other),
                min(len(first), len(second)))  # fmt: skip
