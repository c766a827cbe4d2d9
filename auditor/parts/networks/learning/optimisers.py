"""Stochastic gradient descent and Adam on stacks, step for step what `torch.optim` does to one model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from torch import Tensor

_BETAS, _EPSILON = (0.9, 0.999), 1e-8
"""Kingma & Ba (2015), Algorithm 1, and PyTorch's defaults."""


class Optimiser(Protocol):
    """Turns gradients into steps, keeping what it must between them."""

    def directions(self, values: Sequence[Tensor], gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """What to subtract from each tensor, times the rate; not to be changed."""
        ...


@dataclass(slots=True, eq=False)
class Sgd:
    """v ← momentum·v + g + weight_decay·w, and w ← w − rate·v, as `torch.optim.SGD` has it (no dampening, no Nesterov)."""

    momentum: float
    weight_decay: float
    _velocities: list[Tensor] = field(default_factory=list)

    def directions(self, values: Sequence[Tensor], gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """v."""
        steps = _decayed(values, gradients, self.weight_decay)
        if not self.momentum:
            return steps
        if not self._velocities:
            self._velocities = [step.clone() for step in steps]
            return self._velocities
        for velocity, step in zip(self._velocities, steps, strict=True):
            velocity.mul_(self.momentum).add_(step)
        return self._velocities


@dataclass(slots=True, eq=False)
class Adam:
    """Kingma & Ba (2015), Algorithm 1; the weight decay is added to the gradient, as in `torch.optim.Adam`."""

    weight_decay: float
    _steps: int = 0
    _means: list[Tensor] = field(default_factory=list)
    _squares: list[Tensor] = field(default_factory=list)

    def directions(self, values: Sequence[Tensor], gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """m̂/(√v̂ + ε)."""
        gradients = _decayed(values, gradients, self.weight_decay)
        if not self._steps:
            self._means = [gradient.new_zeros(gradient.shape) for gradient in gradients]
            self._squares = [gradient.new_zeros(gradient.shape) for gradient in gradients]
        self._steps += 1
        first, second = (1 - beta**self._steps for beta in _BETAS)
        found = []
        for gradient, mean, square in zip(gradients, self._means, self._squares, strict=True):
            mean.lerp_(gradient, 1 - _BETAS[0])
            square.mul_(_BETAS[1]).addcmul_(gradient, gradient, value=1 - _BETAS[1])
            denominator = square.sqrt().div_(math.sqrt(second)).add_(_EPSILON)
            found.append(mean.div(denominator.mul_(first)))
        return found


def _decayed(values: Sequence[Tensor], gradients: Sequence[Tensor], weight_decay: float) -> Sequence[Tensor]:
    if not weight_decay:
        return gradients
    return [gradient.add(value, alpha=weight_decay) for value, gradient in zip(values, gradients, strict=True)]
