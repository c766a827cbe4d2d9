"""Training with differential privacy: DP-SGD (Abadi et al. 2016, Algorithm 1) by Opacus, one model at a time."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from auditor import draws
from auditor.procedures.networks.network import Network
from auditor.procedures.networks.stacks import Parameters
from auditor.procedures.networks.training import Recipe, require_finite

_ERROR, _TABULATED = 0.01, 1000.0
"""Of privacy random variables: the error allowed, of epsilon where that is more than 1; and the largest epsilon asked of them."""


@dataclass(frozen=True, slots=True)
class Noise:
    """What `[procedure] dp` says."""

    noise_multiplier: float
    """Standard deviation of the noise on a sum of clipped gradients, in units of the clipping norm."""
    max_grad_norm: float
    """C: to what 2-norm the gradient of each record is clipped."""
    delta: float
    """At which δ ε is stated."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What the run guarantees, records being added or removed, and what that follows from."""

    epsilon: float
    """An upper bound; see `spent`."""
    delta: float
    noise_multiplier: float
    sample_rate: float
    """The chance with which a step takes a record: batch / n."""
    steps: int


def descend_privately(
    network: Network, parameters: Parameters, inputs: Tensor, labels: Tensor, recipe: Recipe, noise: Noise, seed: int
) -> tuple[Parameters, Spent]:
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
        A stack of one, and what was spent.

    Raises:
        ValueError: If there are no rows.
        ArithmeticError: If a parameter is not finite at the end.
    """
    from opacus import GradSampleModule  # noqa: PLC0415  (takes seconds to load, and only private training needs it)
    from opacus.optimizers import DPOptimizer  # noqa: PLC0415

    n = len(labels)
    if not n:
        raise ValueError("expected at least one record to learn from, found none")
    sample_rate, steps = min(1.0, recipe.batch / n), math.ceil(n / recipe.batch)
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
    with warnings.catch_warnings():
        # Nobody asks for the gradient with respect to the data, and PyTorch says so at every layer that the data enters.
        warnings.filterwarnings("ignore", message="Full backward hook is firing")
        for epoch in range(recipe.epochs):
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate_in(epoch)
            for _ in range(steps):
                taken = torch.from_numpy(sampling.random(n) < sample_rate).to(labels.device)
                optimiser.zero_grad(set_to_none=True)
                torch.autograd.backward(cross_entropy(module(inputs[taken]), labels[taken], reduction="sum"))
                optimiser.step()
    trained: nn.Module = module.to_standard_module()
    found = {name: each.detach().clone().unsqueeze(0) for name, each in trained.named_parameters()}
    require_finite(found)
    return found, spent(noise, sample_rate=sample_rate, steps=recipe.epochs * steps)


@lru_cache(maxsize=256)
def spent(noise: Noise, *, sample_rate: float, steps: int) -> Spent:
    """What so many steps of the subsampled Gaussian mechanism cost, by Opacus's accountants.

    Both give upper bounds: that of Rényi divergences (Mironov et al. 2019) always, and that of privacy random variables (Gopi et
    al. 2021, Algorithm 1), within a hundredth, where its tables are of a size to be computed with.
    """
    from opacus.accountants import PRVAccountant, RDPAccountant  # noqa: PLC0415

    renyi, variables = RDPAccountant(), PRVAccountant()
    renyi.history = variables.history = [(noise.noise_multiplier, sample_rate, steps)]
    with warnings.catch_warnings():
        # That the best order is the largest one tried, and that numbers overflow: neither makes the bound any less one.
        warnings.simplefilter("ignore")
        epsilon = float(renyi.get_epsilon(noise.delta))
        if epsilon <= _TABULATED:
            found = float(variables.get_epsilon(noise.delta, eps_error=_ERROR * max(1.0, epsilon)))
            epsilon = min(epsilon, found) if math.isfinite(found) else epsilon
    return Spent(epsilon, noise.delta, noise.noise_multiplier, sample_rate, steps)


def _plain(recipe: Recipe, module: nn.Module) -> torch.optim.Optimizer:
    trainable = [each for each in module.parameters() if each.requires_grad]
    if recipe.optimizer == "adam":
        return torch.optim.Adam(trainable, lr=recipe.rate, weight_decay=recipe.weight_decay)
    return torch.optim.SGD(trainable, lr=recipe.rate, momentum=recipe.momentum, weight_decay=recipe.weight_decay)
