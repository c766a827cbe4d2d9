"""How much each weight matters to the loss of some rows: Fisher information, entry by entry, and plain gradients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor

from auditor.parts.networks.learning.network import Network
from auditor.parts.networks.learning.stacks import Parameters, size
from auditor.parts.networks.learning.training import row_losses

_BLOCK_NUMBERS = 1 << 20
"""Numbers in one block of copies of the parameters, each with its gradient and what its row makes of it."""


def expected_fisher(network: Network, parameters: Mapping[str, Tensor], inputs: Tensor) -> Parameters:
    """The diagonal of F = E_x E_{y ~ p(y|x)} [∇ln p(y|x) ∇ln p(y|x)ᵀ], with the labels that the model itself expects.

    Args:
        network: p(y|x) is the softmax of its logits.
        parameters: A stack of k models.
        inputs: Shape (k, n, d), n at least 1; E_x is the mean over each model's own rows.

    Returns:
        By name, for every parameter that the network does not freeze, shaped as it is.
    """
    found = {name: torch.zeros_like(parameters[name]) for name in network.trainable}
    for rows, copies in _blocks(network, parameters, inputs):
        logarithms = network.logits(copies, inputs[:, rows].flatten(0, 1)[:, None]).log_softmax(dim=2)[:, 0]
        roots = logarithms.detach().div(2).exp()
        for label in range(network.classes):
            # √p(y|x) is a constant here: the square of what follows is p(y|x)·(∂ln p(y|x))².
            _add_squares(found, copies, (roots[:, label] * logarithms[:, label]).sum(), keep=label + 1 < network.classes)
    return {name: total / inputs.shape[1] for name, total in found.items()}


def empirical_fisher(network: Network, parameters: Mapping[str, Tensor], inputs: Tensor, labels: Tensor) -> Parameters:
    """The mean over the rows of (∂ln p(y|x))², entry by entry, with the labels that the rows have.

    Args:
        network: p(y|x) is the softmax of its logits.
        parameters: A stack of k models.
        inputs: Shape (k, n, d), n at least 1.
        labels: Shape (k, n), int64.

    Returns:
        By name, for every parameter that the network does not freeze, shaped as it is.
    """
    found = {name: torch.zeros_like(parameters[name]) for name in network.trainable}
    for rows, copies in _blocks(network, parameters, inputs):
        logits = network.logits(copies, inputs[:, rows].flatten(0, 1)[:, None])
        _add_squares(found, copies, row_losses(logits, labels[:, rows].flatten()[:, None]).sum(), keep=False)
    return {name: total / inputs.shape[1] for name, total in found.items()}


def gradient(network: Network, parameters: Mapping[str, Tensor], inputs: Tensor, labels: Tensor) -> Parameters:
    """The gradient of the mean cross-entropy over each model's rows, for every parameter that the network does not freeze.

    Args:
        network: The function.
        parameters: A stack of k models.
        inputs: Shape (k, n, d), n at least 1.
        labels: Shape (k, n), int64.
    """
    found = {name: torch.zeros_like(parameters[name]) for name in network.trainable}
    models, count = labels.shape
    step = max(1, _BLOCK_NUMBERS // (models * (network.features + network.activations)))
    leaves = {name: parameters[name].detach().requires_grad_() for name in network.trainable}
    for rows in _slices(count, step):
        losses = row_losses(network.logits({**parameters, **leaves}, inputs[:, rows]), labels[:, rows])
        for name, each in zip(leaves, torch.autograd.grad(losses.sum(), list(leaves.values())), strict=True):
            found[name] += each
    return {name: total / count for name, total in found.items()}


def _blocks(network: Network, parameters: Mapping[str, Tensor], inputs: Tensor) -> Iterator[tuple[slice, Parameters]]:
    """Rows, and a stack with a copy of each model for each of them: a gradient of one copy is the gradient of one row's loss."""
    models, count = size(parameters), inputs.shape[1]
    step = max(1, _BLOCK_NUMBERS // (models * (network.size + network.activations)))
    for rows in _slices(count, step):
        copies = {
            name: each.detach().repeat_interleave(len(range(*rows.indices(count))), dim=0) for name, each in parameters.items()
        }
        for name in network.trainable:
            copies[name].requires_grad_()
        yield rows, copies


def _slices(count: int, step: int) -> Iterator[slice]:
    return (slice(at, min(at + step, count)) for at in range(0, count, step))


def _add_squares(found: Parameters, copies: Mapping[str, Tensor], total: Tensor, *, keep: bool) -> None:
    names = list(found)
    for name, each in zip(names, torch.autograd.grad(total, [copies[name] for name in names], retain_graph=keep), strict=True):
        models = len(found[name])
        found[name] += each.square_().view(models, -1, *each.shape[1:]).sum(dim=1)
