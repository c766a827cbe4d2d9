"""Where a statement about one number begins to hold, to the last digit and on the side where it holds.

A solver of equations ends near the root, on either side of it; a bound must end on the safe one. Halving the numbers that the
machine has between two ends takes at most 64 steps whatever their sizes, and needs nothing but the statement.
"""

from __future__ import annotations

import struct
from collections.abc import Callable


def boundary(holds: Callable[[float], bool], *, outside: float, inside: float) -> float:
    """The number next to the boundary of a statement that holds on one side of it, on that side.

    Args:
        holds: The statement, once true from `outside` towards `inside`, true from there on.
        outside: Where it does not hold; finite and at least 0. It is not asked about.
        inside: Where it holds; finite and at least 0. It is not asked about either, and comes back where nothing nearer holds.

    Returns:
        A number for which `holds` said true (or `inside`); its neighbour towards `outside` was found false (or is `outside`).

    Raises:
        ValueError: If an end is negative, infinite or not a number.
    """
    false, true = _rank(outside), _rank(inside)
    while abs(true - false) > 1:
        middle = (true + false) // 2
        if holds(_number(middle)):
            true = middle
        else:
            false = middle
    return _number(true)


def _rank(number: float) -> int:
    """The place of a number among all floating-point numbers from 0 on: their bits, read as an integer, are in their order."""
    if not 0.0 <= number < float("inf"):
        raise ValueError(f"an end of the search must be finite and at least 0, found {number}")
    (rank,) = struct.unpack("<q", struct.pack("<d", abs(number)))
    return int(rank)


def _number(rank: int) -> float:
    (number,) = struct.unpack("<d", struct.pack("<q", rank))
    return float(number)
