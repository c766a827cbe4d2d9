"""The smallest count that suffices: whole numbers searched by the statement itself, so that no rounding is off by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

MOST: Final = 2**53
"""The largest count that JSON keeps exactly."""


def smallest_count(enough: Callable[[int], bool]) -> int | None:
    """The smallest count from 0 to `MOST` for which a statement holds; None where it holds for none.

    Args:
        enough: The statement; once it is true it stays true for larger counts.
    """
    if enough(0):
        return 0
    low, high = 0, 1
    while not enough(high):
        if high >= MOST:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
