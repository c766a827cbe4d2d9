"""Mini-batch descent of many models at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from auditor.base import draws
from auditor.parts.networks.learning.network import Evaluated, Network, Parameters, copied

# Stochastic gradient descent and Adam on stacks, step for step what `torch.optim` does to one model.
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


_MILESTONES, _DROP = (0.5, 0.75), 0.1
"""He et al. (2016), §4.2: the rate falls to a tenth after half and after three quarters of the iterations."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a network is trained; the names and meanings of `[procedure]`."""

    epochs: int
    batch: int
    """Rows a step; the last step of an epoch takes what is left."""
    optimizer: Literal["sgd", "adam"]
    rate: float
    momentum: float = 0.0
    """Of SGD; Adam has none."""
    weight_decay: float = 0.0
    schedule: Literal["constant", "cosine", "step"] = "constant"
    """How the rate falls from epoch to epoch: not; as ½(1 + cos(π·epoch/epochs)); to a tenth at half and at three quarters."""

    def optimiser(self) -> Optimiser:
        """A fresh one."""
        if self.optimizer == "adam":
            return Adam(self.weight_decay)
        return Sgd(self.momentum, self.weight_decay)

    def rate_in(self, epoch: int) -> float:
        """The rate during an epoch, counted from 0."""
        if self.schedule == "cosine":
            return self.rate * (1 + math.cos(math.pi * epoch / self.epochs)) / 2
        if self.schedule == "step":
            return self.rate * _DROP ** sum(epoch >= share * self.epochs for share in _MILESTONES)
        return self.rate


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The rows of one step, each model's own."""

    positions: Tensor
    """Shape (models, b), int64: where they are among the rows that `descend` was given."""
    inputs: Tensor
    """Shape (models, b, d)."""
    labels: Tensor
    """Shape (models, b), int64."""


Objective: TypeAlias = Callable[[Evaluated, Mapping[str, Tensor], Batch], Tensor]
"""The loss of every model, shape (models,); that of a model may depend on its own parameters and rows only."""


def mean_cross_entropy(network: Evaluated, parameters: Mapping[str, Tensor], batch: Batch) -> Tensor:
    """The mean over each model's rows of −ln softmax at the label, shape (models,)."""
    return row_losses(network.logits(parameters, batch.inputs), batch.labels).mean(dim=1)


def row_losses(logits: Tensor, labels: Tensor) -> Tensor:
    """−ln softmax at the label of every row: from (models, rows, classes) and (models, rows) to (models, rows)."""
    return cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none").view(labels.shape)


def descend(
    network: Network,
    parameters: Mapping[str, Tensor],
    inputs: Tensor,
    labels: Tensor,
    recipe: Recipe,
    seeds: Sequence[int],
    *,
    objective: Objective = mean_cross_entropy,
    trainable: Sequence[str] | None = None,
    masks: Mapping[str, Tensor] | None = None,
    purpose: str = "order",
) -> Parameters:
    """Train every model of a stack on its own rows, from where it stands.

    The gradient of the sum of the models' losses is, model by model, each one's own gradient, so one backward pass serves all.

    Args:
        network: The function.
        parameters: Where to start; left as it is.
        inputs: Shape (models, n, d), n at least 1.
        labels: Shape (models, n), int64.
        recipe: Epochs, batches, optimiser, rates.
        seeds: One a model: the order of its rows follows from it alone.
        objective: What is made small.
        trainable: Names of the parameters that change; None for all that the network does not freeze.
        masks: By name, what each update is multiplied by, of a shape that broadcasts to the parameter's: where it is 0 nothing
            changes, weight decay included. Parameters that it does not name are not masked.
        purpose: Names the stream of the orders, so that two descents of one seed need not take the rows in the same order.

    Returns:
        A stack in tensors of its own.

    Raises:
        ValueError: If there are no rows, or training changed what models share.
        ArithmeticError: If a parameter is not finite at the end, with the position of the model.
    """
    if not labels.shape[1]:
        raise ValueError("expected at least one record to learn from, found none")
    found = copied(parameters)
    names = network.trainable if trainable is None else tuple(trainable)
    values = [found[name] for name in names]
    optimiser = recipe.optimiser()
    evaluated = network.in_training(seeds, purpose, trainable)
    for rate, batch in _batches(inputs, labels, recipe, seeds, purpose, together=network.mixes is not None):
        gradients = _gradients(evaluated, found, names, objective, batch)
        for name, value, step in zip(names, values, optimiser.directions(values, gradients), strict=True):
            value.sub_(step if masks is None or name not in masks else step * masks[name], alpha=rate)
    require_finite(found)
    network.require_constants()
    return found


def require_finite(parameters: Mapping[str, Tensor]) -> None:
    """See that training went nowhere that numbers do not reach.

    Raises:
        ArithmeticError: If a parameter is NaN or infinite, naming it and the position of its model in the stack.
    """
    for name, tensor in parameters.items():
        faulty = ~torch.isfinite(tensor).reshape(len(tensor), -1).all(dim=1)
        if bool(faulty.any()):
            model = int(faulty.nonzero()[0])
            raise ArithmeticError(f"{name} of model {model} is not finite after training; a smaller rate may help")


def orders(seeds: Sequence[int], epochs: int, rows: int, purpose: str = "order") -> Iterator[Tensor]:
    """For every epoch, the order in which each model takes its rows, shape (models, rows), int64."""
    streams = [draws.generator(seed, "networks", purpose) for seed in seeds]
    for _ in range(epochs):
        yield torch.from_numpy(np.stack([stream.permutation(rows) for stream in streams]))


def taken(inputs: Tensor, positions: Tensor) -> Tensor:
    """Each model's own rows at the positions of its own: from (models, n, d) and (models, b) to (models, b, d)."""
    models, n, width = inputs.shape
    starts = torch.arange(0, models * n, n, device=positions.device)
    # A selection from one long table takes half the time of indexing by model and row.
    found = inputs.reshape(models * n, width).index_select(0, (positions + starts[:, None]).flatten())
    return found.view(*positions.shape, width)


def _batches(
    inputs: Tensor, labels: Tensor, recipe: Recipe, seeds: Sequence[int], purpose: str, *, together: bool
) -> Iterator[tuple[float, Batch]]:
    for epoch, order in enumerate(orders(seeds, recipe.epochs, labels.shape[1], purpose)):
        rate = recipe.rate_in(epoch)
        for positions in torch.split(order.to(labels.device), _sizes(order.shape[1], recipe.batch, together=together), dim=1):
            yield rate, Batch(positions, taken(inputs, positions), labels.gather(1, positions))


def _sizes(rows: int, batch: int, *, together: bool) -> list[int]:
    """Rows of each step of an epoch; a last step of one row, which alone has no statistics, joins the one before."""
    sizes = [min(batch, rows - at) for at in range(0, rows, batch)]
    return [*sizes[:-2], sizes[-2] + 1] if together and len(sizes) > 1 and sizes[-1] == 1 else sizes


def _gradients(
    network: Evaluated, parameters: Mapping[str, Tensor], names: Sequence[str], objective: Objective, batch: Batch
) -> tuple[Tensor, ...]:
    leaves = {name: parameters[name].detach().requires_grad_() for name in names}
    with torch.enable_grad():
        total = objective(network, {**parameters, **leaves}, batch).sum()
    return torch.autograd.grad(total, list(leaves.values()))
