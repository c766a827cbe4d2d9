"""A model file written again with nothing in it but its parameters, rounded to a grid where that is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.base import model_formats
from auditor.base.domain import Message, Problem
from auditor.base.errors import InputError, UsageError
from auditor.base.records import Floats
from auditor.base.tensors import canonical as written
from auditor.base.tensors import width as width_of
from auditor.case.artifacts import array_of, require_parameters, state_dict, suffix_of, tensors_in
from auditor.case.containers import NAME, Suffix, beyond, canonical, states_format
from auditor.case.files import Source
from auditor.case.npz import read_one
from auditor.settings.tables import GRID_OVER_LARGEST
from auditor.settings.values import show


# A grid of weights: every parameter rounded to a multiple of one power of two, so that low bits cannot carry anything.
# Reruns on two processors differ in the last bits, and anyone who may choose those bits can hide records in them. On a grid
# far coarser than that difference the rounded rerun is one model on any machine, but for weights next to the middle of two
# multiples.
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


@dataclass(frozen=True, slots=True, eq=False)
class Rewritten:
    """A canonical model file, and what became of the one that it was made from."""

    content: bytes = field(repr=False)
    parameters: int
    """How many there are."""
    kind: str
    """The type of the file's elements, such as float64."""
    dropped: tuple[Message, ...]
    """What the old file held alongside its array."""
    rounded: int
    """How many parameters differ in a bit from those of the old file."""
    largest_change: float
    """The largest absolute difference of a parameter."""


def rewrite(source: Source, target: str, *, grid: float | None) -> Rewritten:
    """Make the canonical file of a model's parameters.

    Args:
        source: A .safetensors or .npz file with the array `parameters`, whatever else it holds.
        target: The name of the file to be written, whose ending names its format.
        grid: The power of two to round to; None to leave every parameter as it is.

    Raises:
        InputError: If either ending names another format, or the file has no parameters that a model can have.
        UsageError: If the grid is too fine or too coarse for them.
    """
    suffix, into = suffix_of(source.name), suffix_of(target)
    if suffix == ".npz":
        values = read_one(source, NAME)
    else:
        tensors = tensors_in(source)
        if NAME not in tensors:
            return _rewrite_tensors(source, into, grid)
        values = array_of(source.name, tensors[NAME])
    require_parameters(source.name, values)
    after = values
    if grid is not None:
        _require_fitting(grid, float(np.max(np.abs(values))))
        # In the type of the file: a multiple of the grid needs no more bits there than the number that was rounded.
        after = rounded(values, grid).astype(values.dtype)
    states = suffix == into == ".safetensors" and states_format(source.data)
    change = np.abs(after.astype(np.float64) - values.astype(np.float64))
    width = f"u{values.dtype.itemsize}"
    return Rewritten(
        content=canonical(after, into, metadata=states),
        parameters=len(values),
        kind=values.dtype.name,
        dropped=beyond(source.data, values, suffix),
        rounded=int(np.count_nonzero(after.view(width) != values.view(width))),
        largest_change=float(change.max()),
    )


def _rewrite_tensors(source: Source, into: Suffix, grid: float | None) -> Rewritten:
    """Make the canonical file of a `state_dict`: every tensor of floats is rounded, frozen ones among them."""
    if into != ".safetensors":
        raise InputError(
            [Problem(source.name, NAME, f"a tensor `{NAME}`, for an .npz file holds one array", "none of that name")]
        )
    file = state_dict(source)
    found, rounded_ones, change = dict(file.tensors or {}), 0, 0.0
    floats = {name: array for name, each in found.items() if (array := each.array) is not None and array.dtype.kind == "f"}
    if not file.values.size:
        raise InputError([Problem(source.name, "", "a tensor of floats", "none")])
    if grid is not None:
        _require_fitting(grid, float(np.max(np.abs(file.values))))
        for name, before in floats.items():
            after = rounded(before, grid).astype(before.dtype)
            width = f"u{before.dtype.itemsize}"
            rounded_ones += int(np.count_nonzero(after.view(width) != before.view(width)))
            change = max(change, float(np.max(np.abs(after.astype(np.float64) - before.astype(np.float64)), initial=0.0)))
            found[name] = replace(found[name], data=after.tobytes())
    return Rewritten(
        content=written(found, metadata=states_format(source.data)),
        parameters=sum(len(each.data) // width_of(each.kind) for each in found.values()),
        kind=", ".join(sorted({each.dtype.name for each in floats.values()})),
        dropped=file.beyond,
        rounded=rounded_ones,
        largest_change=change,
    )


def rewrite_skops(source: Source, target: str) -> bytes:
    """Make the canonical file of what a .skops file holds.

    Raises:
        InputError: If the target has another ending, or the file is of another kind.
    """
    if not target.lower().endswith(".skops"):
        raise InputError([Problem(target, "", "a file ending in .skops", show(target))])
    try:
        return model_formats.canonical(source.data)
    except model_formats.NotThisFormatError as error:
        raise InputError([Problem(source.name, "", error.expected, error.found)]) from error


def _require_fitting(grid: float, largest: float) -> None:
    if not GRID_OVER_LARGEST * largest <= grid <= largest:
        expected = f"at least 2^-40 of the largest parameter, {largest:.3g}, and at most that parameter"
        raise UsageError(f"--grid: expected {expected}, found {grid:.3g}")
