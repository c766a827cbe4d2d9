"""What is asked for together, done in stacks of sets of one size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from auditor.parts.networks.learning.memory import chunks
from auditor.parts.networks.learning.network import Network

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
