"""How much each weight matters to the loss of some rows: Fisher information, entry by entry, and plain gradients."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from auditor.base import draws
from auditor.parts.networks.learning.network import Network, Parameters, copied, size
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import descend, require_finite, row_losses
from auditor.parts.networks.learning.unlearning.parts import balanced, continued, even, forgotten, retained, weighted
from auditor.parts.networks.settings import FisherForgetting, SaliencyUnlearning, SelectiveDampening, read

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


def fisher(task: Task) -> Parameters:
    """Scrub the weights: w + (λσ_h²)^(1/4)·F^(−1/4)·n with n ~ N(0, I) ("Fisher forgetting" of Golatkar et al. 2020).

    F is the Fisher information on what remains, so that the noise has the covariance (λσ_h²)^(1/2)·F^(−1/2); the rows to forget
    are not read. Two approximations are the paper's: F is its diagonal alone, and the Newton step towards the minimum of what
    remains, which stands alongside the noise where the loss is quadratic, is left out. One is ours: entries below `floor` count
    as `floor`, as a weight that no row depends on would get noise without bound. F is exact otherwise: the mean over all rows,
    and over the labels that the model expects.
    """
    settings = read(FisherForgetting, task.params)
    inputs, _ = retained(task)
    information = expected_fisher(task.network, task.parameters, inputs)
    noise = _noise(task.network, task.seeds)
    scrubbed = copied(task.parameters)
    for name, each in information.items():
        scrubbed[name] += settings.noise * each.clamp(min=settings.floor).pow(-0.25) * noise[name]
    require_finite(scrubbed)
    return scrubbed


def _noise(network: Network, seeds: Sequence[int]) -> dict[str, Tensor]:
    """Standard normal numbers for every parameter, each model's from its own seed."""
    streams = (draws.generator(seed, "networks", "fisher") for seed in seeds)
    return network.unflatten(network.tensor(np.stack([stream.standard_normal(network.size) for stream in streams])))


# Selective synaptic dampening: shrink the weights that serve what is to be forgotten more than all else.
_SELECTION, _SHARE = 10.0, 0.4
"""The paper's choice, for few rows among many; and the share of n/m that takes its place where m is a larger part of n, so that
10 would select little or nothing."""


def ssd(task: Task) -> Parameters:
    """Dampen selected weights: θ_i ← min(λ·I_D,i / I_F,i, 1)·θ_i where I_F,i > α·I_D,i (Foster, Schoepf & Brintrup 2024).

    I_F and I_D are the diagonals of the empirical Fisher information over the m rows to forget and over all n, each a mean over
    its rows. So I_D ≥ (m/n)·I_F, and an α = `selection` of n/m or more selects nothing.
    """
    settings = read(SelectiveDampening, task.params)
    wanted = empirical_fisher(task.network, task.parameters, *forgotten(task))
    selection = _default(task) if settings.selection is None else settings.selection
    whole = empirical_fisher(task.network, task.parameters, task.inputs, task.labels)
    dampened = copied(task.parameters)
    for name, all_rows in whole.items():
        selected = wanted[name] > selection * all_rows
        factors = (settings.dampening * all_rows / wanted[name]).clamp(max=1.0)
        dampened[name] *= torch.where(selected, factors, 1.0)
    return dampened


def _default(task: Task) -> float:
    return min(_SELECTION, max(1.0, _SHARE * task.labels.shape[1] / task.forget.shape[1]))


# Saliency unlearning: wrong labels, learnt with the weights that matter to what is to be forgotten.
def salun(task: Task) -> Parameters:
    """Minimise E_F[ℓ(x, y')] + α·E_R[ℓ(x, y)] over the salient weights alone (SalUn for classification, Fan et al. 2024).

    y' ≠ y is drawn at random once for each row of F. A weight is salient where the gradient of F's mean loss is at least its
    `sparsity`-quantile in size, the paper's median at 0.5, and not 0. Each step takes a batch of all rows, weighted so that its
    loss is on average the objective over 1 + α: that leaves the minimisers where they are, and the rate in the units of learning.
    """
    settings = read(SaliencyUnlearning, task.params)
    recipe = continued(task.recipe, epochs=settings.epochs, rate=settings.rate)
    retained(task)
    masks = saliency(task.network, gradient(task.network, task.parameters, *forgotten(task)), settings.sparsity)
    alpha = even(task) if settings.retain_weight is None else settings.retain_weight
    weights = balanced(task, forget=1 / (1 + alpha), retain=alpha / (1 + alpha))
    labels = task.labels.scatter(1, task.forget, _wrong_labels(task))
    return descend(
        task.network,
        task.parameters,
        task.inputs,
        labels,
        recipe,
        task.seeds,
        objective=weighted(weights),
        masks=masks,
        purpose="salun",
    )


def saliency(network: Network, gradients: Mapping[str, Tensor], sparsity: float) -> Parameters:
    """1 where a weight is salient and 0 where it stays, by name; the quantile is over all weights of a model together.

    Args:
        network: Knows the order of the names.
        gradients: Of every parameter that the network does not freeze.
        sparsity: The share of weights that stay, from 0 to 1.
    """
    sizes = torch.cat([gradients[name].reshape(len(gradients[name]), -1) for name in network.trainable], dim=1).abs()
    staying = math.floor(sparsity * sizes.shape[1])
    if staying == sizes.shape[1]:
        return {name: torch.zeros_like(each) for name, each in gradients.items()}
    least = sizes.sort(dim=1).values[:, staying]
    # Of two classes the weights come in pairs with equal gradients but for rounding, which must not choose between them.
    least *= 1 - math.sqrt(torch.finfo(sizes.dtype).eps)
    masks = {}
    for name, each in gradients.items():
        bar = least.view(-1, *[1] * (each.dim() - 1))
        masks[name] = ((each.abs() >= bar) & (each != 0)).to(each.dtype)
    return masks


def _wrong_labels(task: Task) -> Tensor:
    """For each row to forget a label drawn evenly from the others, shape (models, m), each model's from its own seed.

    Raises:
        ValueError: If there is no other label.
    """
    right, classes = task.labels.gather(1, task.forget), task.network.classes
    if classes < 2:
        raise ValueError(f"expected at least 2 classes to draw a wrong label from, found {classes}")
    streams = (draws.generator(seed, "networks", "salun", "labels") for seed in task.seeds)
    shifts = np.stack([stream.integers(1, classes, size=right.shape[1]) for stream in streams])
    return (right + torch.from_numpy(shifts).to(right.device)) % classes
