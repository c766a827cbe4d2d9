"""What several methods do alike: pick their rows, go on learning for a while, weigh records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor

from auditor.parts.networks.learning.network import Evaluated
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import Batch, Objective, Recipe, row_losses


def retained(task: Task) -> tuple[Tensor, Tensor]:
    """Inputs (models, n − m, d) and labels (models, n − m) of the rows that remain; those to forget are not read.

    Raises:
        ValueError: If none remains.
    """
    positions = task.retain
    if not positions.shape[1]:
        raise ValueError(f"expected at least one record to remain, found all {task.labels.shape[1]} to be forgotten")
    return task.rows(positions)


def forgotten(task: Task) -> tuple[Tensor, Tensor]:
    """Inputs (models, m, d) and labels (models, m) of the rows to forget; the others are not read.

    Raises:
        ValueError: If there is none.
    """
    if not task.forget.shape[1]:
        raise ValueError("expected at least one record to forget, found none")
    return task.rows(task.forget)


def continued(recipe: Recipe, *, epochs: int | None, rate: float | None, share: float = 1.0) -> Recipe:
    """The recipe of learning for another number of epochs, with its schedule drawn out over them.

    Args:
        recipe: How the models were trained.
        epochs: None for as many as then.
        rate: None for `share` of the rate of then.
        share: See `rate`.
    """
    return replace(
        recipe,
        epochs=recipe.epochs if epochs is None else epochs,
        rate=share * recipe.rate if rate is None else rate,
    )


def balanced(task: Task, *, forget: float, retain: float) -> Tensor:
    """Weights, shape (models, n), under which the mean over all rows is forget·(mean over F) + retain·(mean over the rest)."""
    rows, gone = task.labels.shape[1], task.forget.shape[1]
    weights = full_like(task, task.labels, retain * rows / (rows - gone))
    return weights.scatter_(1, task.forget, forget * rows / gone)


def full_like(task: Task, labels: Tensor, value: float) -> Tensor:
    """A weight for each row, shape of `labels`, of the network's dtype."""
    return torch.full(labels.shape, value, dtype=task.network.dtype, device=labels.device)


def even(task: Task) -> float:
    """The weight of what remains for each unit of weight of F under which every row weighs the same, (n − m)/m."""
    rows, gone = task.labels.shape[1], task.forget.shape[1]
    return (rows - gone) / gone


def weighted(weights: Tensor) -> Objective:
    """The mean over a batch of weight times cross-entropy: on average over batches, the weighted mean over all rows.

    Args:
        weights: Of every row that `descend` is given, shape (models, n).
    """

    def objective(network: Evaluated, parameters: Mapping[str, Tensor], batch: Batch) -> Tensor:
        losses = row_losses(network.logits(parameters, batch.inputs), batch.labels)
        return (weights.gather(1, batch.positions) * losses).mean(dim=1)

    return objective
