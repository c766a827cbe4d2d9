"""How many models are stacked at a time.

The number follows from shapes and from the size of the machine's memory, never from what happens to be free: two runs that are to
agree to the last bit must stack alike. Results do not depend on it beyond 1e-5 relative in float64.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

import torch

from auditor.base import processors
from auditor.parts.networks.learning.network import Network

ROWS_AT_ONCE = 256
"""Rows that a model judges at a time where no step of training says otherwise."""

_COPIES = 8
"""Tensors of the size of the parameters that training or unlearning holds at a time: values, gradients, updates, two moments of
Adam, a mask or a Fisher information, and temporary ones."""
_ACTIVATIONS = 4
"""Times that what a layer gives is held: as given, as its activation function makes it, and a gradient of each."""
_CPU_MOST, _CPU_SHARE, _CUDA_SHARE = 1 << 30, 0.25, 0.4
"""On a CPU, a quarter of a core's share of the memory and 1 GiB at most, since larger stacks are no faster; on CUDA two fifths,
so that two processes fit."""


def chunks(network: Network, models: int, *, records: int, rows: int) -> Iterator[slice]:
    """Split so many models into stacks that the device holds.

    Args:
        network: Says how large a model is, and where.
        models: How many there are.
        records: Rows of data that each model brings along.
        rows: Rows that each judges at a time.

    Yields:
        Slices in order, all of one length but for the last.
    """
    each = (
        1
        if network.alone is not None
        else max(1, int(budget(network.device) // model_bytes(network, records=records, rows=rows)))
    )
    for start in range(0, models, each):
        yield slice(start, min(start + each, models))


def model_bytes(network: Network, *, records: int, rows: int) -> int:
    """An upper estimate of what one model takes while it is trained or unlearned from."""
    # Twice the records: once as they are, once as the part that remains.
    numbers = (
        _COPIES * network.size + _ACTIVATIONS * rows * (network.activations + network.features) + 2 * records * network.features
    )
    return numbers * network.dtype.itemsize


def budget(device: torch.device) -> float:
    """Bytes for one stack: a share of what the device has, not of what is free."""
    if device.type == "cuda":
        return _CUDA_SHARE * torch.cuda.get_device_properties(device).total_memory
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min(_CPU_MOST, _CPU_SHARE * memory / processors.count())


Size: TypeAlias = tuple[int, ...]
"""How many rows a model has, then what else must be equal for two models to be stacked."""
_Made = TypeVar("_Made")


def in_stacks(
    network: Network, sizes: Sequence[Size], rows: int, make: Callable[[Sequence[int]], Sequence[_Made]]
) -> list[_Made]:
    """What `make` makes of everything asked for, in the order asked.

    Args:
        network: Says how much a model takes.
        sizes: One for each thing asked for.
        rows: How many rows each model judges at a time.
        make: From positions among the things asked for, all of one size, to one result each.
    """
    made = {k: each for at in _stacks(network, sizes, rows) for k, each in zip(at, make(at), strict=True)}
    return [made[k] for k in range(len(sizes))]


def _stacks(network: Network, sizes: Sequence[Size], rows: int) -> Iterator[Sequence[int]]:
    alike: defaultdict[Size, list[int]] = defaultdict(list)
    for k, size in enumerate(sizes):
        alike[size].append(k)
    for size, group in alike.items():
        for chunk in chunks(network, len(group), records=size[0], rows=rows):
            yield group[chunk]
