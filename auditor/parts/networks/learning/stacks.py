"""Stacks of parameters: the same tensors of many models side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import torch
from torch import Tensor

Parameters: TypeAlias = dict[str, Tensor]
"""Tensors by name, each with a leading axis `models`."""


def join(stacks: Sequence[Mapping[str, Tensor]]) -> Parameters:
    """One stack of what several hold, in their order."""
    return {name: torch.cat([stack[name] for stack in stacks]) for name in stacks[0]}


def part(stack: Mapping[str, Tensor], models: slice | Tensor) -> Parameters:
    """Some of the models of a stack, copied: a model that is kept must not keep its neighbours in memory."""
    return {name: tensor[models].clone() for name, tensor in stack.items()}


def copied(stack: Mapping[str, Tensor]) -> Parameters:
    """The same values in tensors of their own, outside any graph of gradients."""
    return {name: tensor.detach().clone() for name, tensor in stack.items()}


def size(stack: Mapping[str, Tensor]) -> int:
    """How many models there are."""
    return len(next(iter(stack.values())))
