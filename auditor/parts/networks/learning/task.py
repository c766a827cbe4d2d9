"""What an unlearning method is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch import Tensor

from auditor.parts.networks.learning.network import Network, Parameters
from auditor.parts.networks.learning.training import Recipe


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """Records to unlearn from every model of a stack; each model has its own data and its own seed."""

    network: Network
    recipe: Recipe
    """How the models were trained."""
    parameters: Parameters
    """The models before; not to be changed."""
    inputs: Tensor
    """Shape (models, n, d): the rows before this batch, those to forget included."""
    labels: Tensor
    """Shape (models, n), int64: positions among the classes."""
    forget: Tensor
    """Shape (models, m), int64: positions of the rows to forget, increasing."""
    seeds: Sequence[int]
    """One a model."""
    params: Mapping[str, Any]
    """The method's own settings."""

    @property
    def retain(self) -> Tensor:
        """Shape (models, n − m), int64: positions of the other rows, increasing."""
        models, n = self.labels.shape
        kept = torch.ones(models, n, dtype=torch.bool, device=self.forget.device).scatter_(1, self.forget, value=False)
        return kept.nonzero()[:, 1].reshape(models, n - self.forget.shape[1])

    def rows(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Inputs (models, k, d) and labels (models, k) of each model's own rows at `positions`, shape (models, k)."""
        models = torch.arange(len(positions), device=positions.device)[:, None]
        return self.inputs[models, positions], self.labels[models, positions]


Method: TypeAlias = Callable[[Task], Parameters]
"""From the models before to the models after, a stack in tensors of its own, each model by its own data and seed alone.

It raises ValueError where the settings are wrong or there is nothing to work on, ArithmeticError where a parameter ends up not
finite."""
