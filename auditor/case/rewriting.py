"""A model file written again with nothing in it but its parameters, rounded to a grid where that is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from auditor.case.artifacts import array_of, require_parameters, suffix_of, tensors_in
from auditor.case.containers import NAME, beyond, canonical, states_format
from auditor.case.files import Source
from auditor.case.grids import rounded
from auditor.case.npz import read_one
from auditor.checks.model_reproduced import GRID_OVER_LARGEST
from auditor.domain import Problem, Reason
from auditor.errors import InputError, UsageError


@dataclass(frozen=True, slots=True, eq=False)
class Rewritten:
    """A canonical model file, and what became of the one that it was made from."""

    content: bytes = field(repr=False)
    parameters: int
    """How many there are."""
    kind: str
    """The type of the file's elements, such as float64."""
    dropped: tuple[Reason, ...]
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
            raise InputError([Problem(source.name, NAME, f"a tensor `{NAME}`", "none of that name")])
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


def _require_fitting(grid: float, largest: float) -> None:
    if not GRID_OVER_LARGEST * largest <= grid <= largest:
        expected = f"at least 2^-40 of the largest parameter, {largest:.3g}, and at most that parameter"
        raise UsageError(f"--grid: expected {expected}, found {grid:.3g}")
