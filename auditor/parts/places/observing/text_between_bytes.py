"""Give the pieces of text that lie between other bytes, as in an index of vectors, of which some millions may be by chance.

A search for something of a certain length needs no shorter piece: a piece is left out where no reading of it could be so
long. Characters may grow as they are brought to normal form, and what is encoded may grow more than its signs; where a piece may
end in a sign that joins lines, the next one goes with it. What is left out is decided for all pieces at once, by numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

SHORTEST: Final = 4
"""Characters of a piece."""
NO_TEXT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]+")
_BLOCK: Final = 1 << 18
_END_OF_BLOCK: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
GROWS: Final = (1, 3, 18)
"""Characters that one of one, two, or more bytes may be at most in normal form."""
_DECODED: Final = 3
"""How much longer than its signs that write it a character may be: six write U+FDFA, which is eighteen letters."""
_CODED: Final = re.compile(r"\\u[0-9A-Fa-f]{4}|&(?:#|\w{2,31};|amp|AMP)|[%=][0-9A-Fa-f]{2}")
"""What may stand for another character than one of ASCII."""
_JOINS: Final = re.compile(r"(?:\u00ad|[=%&\\][0-9A-Za-z;#=%\\]*)[ \t]*$")
"""The end of a piece that may be read as a sign that joins two lines: an equals sign or a soft hyphen, encoded or not."""
BETWEEN: Final = "\n\n"
"""The end of a paragraph, as which what is between two pieces counts."""

_Bytes = npt.NDArray[np.uint8]
_ASCII, _FOLLOWS, _TWO, _THREE, _FOUR = 1, 2, 4, 8, 16
_KINDS: Final = bytes(
    _ASCII
    if byte in {9, 10, 13} or 0x20 <= byte < 0x7F
    else _FOLLOWS
    if 0x80 <= byte < 0xC0
    else _TWO
    if 0xC2 <= byte < 0xE0
    else _THREE
    if 0xE0 <= byte < 0xF0
    else _FOUR
    if 0xF0 <= byte < 0xF5
    else 0
    for byte in range(256)
)
_MARKS: Final = bytes(byte in b"=%&\\\xad" for byte in range(256))


def pieces(content: bytes, *, shortest: int = SHORTEST) -> Iterator[str]:
    """Give the pieces, in their order, or those together that may be read as one.

    Args:
        content: Bytes of any kind.
        shortest: Characters in normal form that a search looks for at least; shorter pieces may be left out.
    """
    start, joined = 0, False
    while start < len(content):
        end = _END_OF_BLOCK.search(content, min(len(content), start + _BLOCK))
        stop = len(content) if end is None else end.end()
        block = content[start:stop]
        if shortest <= SHORTEST:
            yield from _split(block)
        else:
            found, joined = _chosen(block, shortest, joined=joined)
            yield from found
        start = stop


def _split(block: bytes) -> list[str]:
    return [each for each in NO_TEXT.split(block.decode("utf-8", "replace")) if len(each) >= SHORTEST]


def _chosen(block: bytes, shortest: int, *, joined: bool) -> tuple[list[str], bool]:
    """Choose those that may be long enough, or that one before may be joined to.

    Args:
        block: Bytes that end where a piece does.
        shortest: As of `pieces`.
        joined: Whether the last piece before them may be joined to the first one.

    Returns:
        Pieces, and whether the last one of all may be joined to one that follows.
    """
    starts, stops, weights, marked = _measured(block)
    if not len(starts):
        return [], joined
    # Once for all pieces, and generously: any that has a mark may grow, and be joined to the next.
    weights = np.where(marked, _DECODED * weights, weights)
    first = np.concatenate([[True], ~marked[:-1]])
    groups = np.cumsum(first) - 1
    heavy = (np.bincount(groups, weights + len(BETWEEN)) >= shortest)[groups]
    if joined:
        heavy[groups == 0] = True
    heavy[groups == groups[-1]] |= bool(marked[-1])
    found: list[str] = []
    chain: list[str] = []
    weight, carried = 0, joined
    for start, stop in zip(starts[heavy].tolist(), stops[heavy].tolist(), strict=True):
        for each in _split(block[start:stop]):
            chain.append(each)
            weight += _weight(each) + len(BETWEEN)
            if _JOINS.search(each) is None:
                found += [BETWEEN.join(chain)] if carried or weight >= shortest else []
                chain, weight, carried = [], 0, False
    return [*found, BETWEEN.join(chain)] if chain else found, bool(chain) or carried


def _weight(piece: str) -> int:
    """Characters that a piece may be at most, as it may be read."""
    one, two, more = GROWS
    size = len(piece)
    if not piece.isascii():
        ascii_, wide = sum(each < "\x80" for each in piece), sum(each >= "\u0800" for each in piece)
        size = one * ascii_ + two * (size - ascii_ - wide) + more * wide
    return _DECODED * size if _CODED.search(piece) else size


def _measured(block: bytes) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Find every run of bytes that are text: start, stop, characters that it may be, and whether it has a mark of an encoding.

    A run may hold a few sequences that UTF-8 does not allow, and none that it allows is left out.
    """
    kinds = np.frombuffer(block.translate(_KINDS) + bytes(3), dtype=np.uint8)
    follows = (kinds & _FOLLOWS) != 0
    # A first byte, and as many that follow it as it says.
    second, third = follows[1:-2], follows[2:-1] & follows[1:-2]
    fourth = third & follows[3:]
    own = kinds[:-3]
    leads = [(own == _TWO) & second, (own == _THREE) & third, (own == _FOUR) & fourth]
    inside = np.zeros(len(own) + 2, dtype=np.uint8)
    text = inside[1:-1]
    text |= own == _ASCII
    weights = text.copy()
    for length, lead in enumerate(leads, start=2):
        if lead.any():
            weights[lead] = GROWS[min(length, 3) - 1]
            for behind in range(length):
                text[behind:] |= lead[: len(lead) - behind]
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, stops = edges[0::2], edges[1::2]
    long = stops - starts >= SHORTEST
    starts, stops = starts[long], stops[long]
    if not len(starts):
        return starts, stops, starts, np.zeros(0, dtype=bool)
    sums = np.concatenate([[0], np.cumsum(weights, dtype=np.int64)])
    marks = np.frombuffer(block.translate(_MARKS), dtype=np.uint8)
    of_marks = np.concatenate([[0], np.cumsum(marks, dtype=np.int32)])
    return starts, stops, sums[stops] - sums[starts], of_marks[stops] > of_marks[starts]
