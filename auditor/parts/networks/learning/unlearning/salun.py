"""Saliency unlearning: wrong labels, learnt with the weights that matter to what is to be forgotten."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from auditor.base import draws
from auditor.parts.networks.learning.network import Network
from auditor.parts.networks.learning.stacks import Parameters
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import descend
from auditor.parts.networks.learning.unlearning.importance import gradient
from auditor.parts.networks.learning.unlearning.parts import balanced, continued, even, forgotten, retained, weighted
from auditor.parts.networks.settings import SaliencyUnlearning, read


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
