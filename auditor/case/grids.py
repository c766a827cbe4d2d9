"""A grid of weights: every parameter rounded to a multiple of one power of two, so that low bits cannot carry anything.

Reruns on two processors differ in the last bits, and anyone who may choose those bits can hide records in them. On a grid far
coarser than that difference the rounded rerun is one model on any machine, but for weights next to the middle of two multiples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Floats


@dataclass(frozen=True, slots=True)
class Placed:
    """Where shipped parameters lie on a grid, alongside the rounded rerun; counts of parameters."""

    not_multiples: int
    """No multiples of the grid, or zeros with a sign."""
    elsewhere: int
    """Multiples, but neither the rounded rerun nor the neighbouring multiple where that is allowed."""
    neighbours: int
    """The neighbouring multiple, where the rerun lies so close to a midpoint that another rerun rounds there."""
    near_midpoints: int
    """Of which the rerun lies that close to a midpoint: each leaves one free bit."""


def rounded(values: npt.NDArray[Any], grid: float) -> Floats:
    """Round to the nearest multiple of `grid`; a midpoint goes to the even multiple, and zero has no sign.

    Args:
        values: Shape (p,), finite.
        grid: A power of two. From 2^-1000 of the largest absolute value on, dividing by it is exact.
    """
    return np.rint(np.asarray(values, dtype=np.float64) / grid) * grid + 0.0


def place(shipped: Floats, rerun: Floats, grid: float, between: float) -> Placed:
    """Hold shipped parameters against the rounded rerun.

    Args:
        shipped: Shape (p,), finite.
        rerun: Shape (p,), finite.
        grid: As `rounded` takes it.
        between: Largest absolute difference of two reruns. At 0 a midpoint has one rounding and no neighbour.
    """
    there, here = shipped / grid, rerun / grid
    nearest = np.rint(here) + 0.0
    size = np.abs(here)
    # Each of these is exact: a remainder below 1 and its distance from 1/2 need no more bits than the number had.
    close = np.abs((size - np.floor(size)) - 0.5) <= between / grid if between > 0 else np.zeros(len(here), dtype=bool)
    other = nearest + np.where(here > nearest, 1.0, -1.0)
    multiple = (there == np.rint(there)) & ~((shipped == 0) & np.signbit(shipped))
    same, neighbour = there == nearest, close & (there == other)
    return Placed(
        not_multiples=int(np.count_nonzero(~multiple)),
        elsewhere=int(np.count_nonzero(multiple & ~same & ~neighbour)),
        neighbours=int(np.count_nonzero(multiple & neighbour)),
        near_midpoints=int(np.count_nonzero(close)),
    )


def free_bits(rerun: Floats, within: float, kind: np.dtype[Any]) -> float:
    """Bits that a parameter can carry on average where it may differ from the rerun.

    Args:
        rerun: Shape (p,), finite, p at least 1.
        within: By how much it may differ, finite, at least 0.
        kind: The type of the file's elements: the mean of log2 of how many of its values lie that close.
    """
    with np.errstate(over="ignore"):
        low, high = ((rerun + sign * within).astype(kind) for sign in (-1, 1))
    # As unsigned numbers, for between the largest and the smallest there are more than int64 can count.
    counts = (_order(high).view(np.uint64) - _order(low).view(np.uint64)).astype(np.float64) + 1
    return float(np.mean(np.log2(counts)))


def _order(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The place of each value among all of its type, so that neighbours differ by 1."""
    width = values.dtype.itemsize
    bits = values.view(f"i{width}").astype(np.int64)
    sign = np.int64(-(2 ** (8 * width - 1)))
    return np.where(bits < 0, sign - bits, bits)
