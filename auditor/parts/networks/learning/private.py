"""Training with differential privacy: DP-SGD (Abadi et al. 2016, Algorithm 1) by Opacus, one model at a time."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from auditor.base import draws
from auditor.learning.facts import Facts
from auditor.maths.certificates.dp_sgd import schedule
from auditor.parts.networks.learning.network import Network, Parameters, own_stream
from auditor.parts.networks.learning.training import Recipe, require_finite


@dataclass(frozen=True, slots=True)
class Noise:
    """What `[procedure] dp` says."""

    noise_multiplier: float
    """Standard deviation of the noise on a sum of clipped gradients, in units of the clipping norm."""
    max_grad_norm: float
    """C: to what 2-norm the gradient of each record is clipped."""
    delta: float
    """The δ at which ε is stated."""


@dataclass(frozen=True, slots=True)
class PrivateRun:
    """What an accountant asks about a training that ran; `certificates.dp_sgd` makes an ε of it."""

    noise_multiplier: float
    sample_rate: float
    """The chance with which a step takes a record: batch / n."""
    steps: int
    delta: float


@dataclass(frozen=True, slots=True, eq=False)
class PrivateFacts(Facts):
    """What a network reports: of a private training as `PrivateRun` has it; None where there was none."""

    dp_noise_multiplier: float | None = None
    dp_sample_rate: float | None = None
    dp_steps: int | None = None
    dp_delta: float | None = None


def descend_privately(
    network: Network, parameters: Parameters, inputs: Tensor, labels: Tensor, recipe: Recipe, noise: Noise, seed: int
) -> tuple[Parameters, PrivateRun]:
    """Train one model from where it stands.

    Every step takes each record with probability batch/n (Poisson sampling), as the accountant assumes; an epoch is ⌈n/batch⌉
    steps. A step that takes no record adds its noise all the same.

    Args:
        network: The function.
        parameters: A stack of one; left as it is.
        inputs: Shape (n, d), n at least 1.
        labels: Shape (n,), int64.
        recipe: As without privacy; its batch is the expected number of records.
        noise: How much, on what.
        seed: The records of each step and the noise follow from it.

    Returns:
        A stack of one, and how it ran.

    Raises:
        ValueError: If there are no rows.
        ArithmeticError: If a parameter is not finite at the end.
    """
    from opacus import GradSampleModule  # noqa: PLC0415  (takes seconds to load, and only private training needs it)
    from opacus.optimizers import DPOptimizer  # noqa: PLC0415

    n = len(labels)
    if not n:
        raise ValueError("expected at least one record to learn from, found none")
    sample_rate, steps = schedule(n, batch=recipe.batch, epochs=1)
    # Per-record gradients of a sum are what is clipped; the optimiser divides their noisy sum by the expected batch.
    own = network.module(parameters)
    for name, each in own.named_parameters():
        each.requires_grad_(name in network.trainable)
    module = GradSampleModule(own, loss_reduction="sum")
    drawn = draws.generator(seed, "networks", "noise")

    class Optimiser(DPOptimizer):  # type: ignore[misc]  # Opacus has no types
        def add_noise(self) -> None:
            # Not from PyTorch's generator: it keeps 32 bits of a seed on a CPU, so that all of its noise can be tried.
            for each in self.params:
                shape = each.summed_grad.shape
                added = torch.from_numpy(drawn.standard_normal(tuple(shape))) * (self.noise_multiplier * self.max_grad_norm)
                each.grad = (each.summed_grad + added.to(each.summed_grad)).view_as(each)

    optimiser = Optimiser(
        _plain(recipe, module),
        noise_multiplier=noise.noise_multiplier,
        max_grad_norm=noise.max_grad_norm,
        expected_batch_size=sample_rate * n,
    )
    sampling = draws.generator(seed, "networks", "sampling")
    # Dropout draws from PyTorch's own generator.
    with warnings.catch_warnings(), own_stream(seed, "private draws"):
        # Nobody asks for the gradient with respect to the data, and PyTorch says so at every layer that the data enters.
        warnings.filterwarnings("ignore", message="Full backward hook is firing")
        for epoch in range(recipe.epochs):
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate_in(epoch)
            for _ in range(steps):
                taken = torch.from_numpy(sampling.random(n) < sample_rate).to(labels.device)
                optimiser.zero_grad(set_to_none=True)
                torch.autograd.backward(cross_entropy(module(network.shaped(inputs[taken])), labels[taken], reduction="sum"))
                optimiser.step()
    trained: nn.Module = module.to_standard_module()
    own_parameters = {name: each for name, each in trained.named_parameters() if name in network.shapes}
    found = {name: each.detach().clone().unsqueeze(0) for name, each in own_parameters.items()}
    require_finite(found)
    return found, PrivateRun(noise.noise_multiplier, sample_rate, recipe.epochs * steps, noise.delta)


def _plain(recipe: Recipe, module: nn.Module) -> torch.optim.Optimizer:
    trainable = [each for each in module.parameters() if each.requires_grad]
    if recipe.optimizer == "adam":
        return torch.optim.Adam(trainable, lr=recipe.rate, weight_decay=recipe.weight_decay)
    return torch.optim.SGD(trainable, lr=recipe.rate, momentum=recipe.momentum, weight_decay=recipe.weight_decay)
