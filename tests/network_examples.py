"""Networks, their records, and procedures of them for the tests of training."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from auditor import learning as procedures
from auditor.base.records import Dataset
from auditor.parts.networks.learning.architectures import BUILT_IN
from auditor.parts.networks.learning.network import Build, Network, Row
from auditor.parts.networks.learning.training import Recipe, orders

CPU = torch.device("cpu")
CLASSES = 3
SHAPES: dict[str, dict[str, Any]] = {
    "mlp": {"hidden": [5, 4]},
    "small-cnn": {"shape": [1, 4, 4], "channels": [2, 3]},
    "resnet20": {"shape": [1, 4, 4], "width": 2, "groups": 1},
}
FEATURES = 16


def network(kind: str = "mlp", *, dtype: torch.dtype = torch.float64) -> Network:
    return of(partial(BUILT_IN[kind], FEATURES, CLASSES, **SHAPES[kind]), dtype=dtype)


def of(build: Build, *, features: int = FEATURES, classes: int = CLASSES, dtype: torch.dtype = torch.float64) -> Network:
    return Network(build, row=Row(features), classes=classes, dtype=dtype, device=CPU)


def records(models: int, rows: int, seed: int = 0, *, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
    """Inputs (models, rows, d), and labels that follow from them but for some noise."""
    rng = np.random.default_rng(seed)
    inputs = rng.normal(size=(models, rows, FEATURES))
    labels = (inputs[..., 0] > 0).astype(np.int64) + (inputs[..., 1] > 0)
    return torch.from_numpy(inputs).to(dtype), torch.from_numpy(np.where(rng.random(labels.shape) < 0.2, 0, labels))


def one_by_one(module: nn.Module, inputs: Tensor, labels: Tensor, recipe: Recipe, seed: int) -> nn.Module:
    """The loop that anyone would write, with `torch.optim` and its schedulers, over the same order of the rows."""
    options = {"lr": recipe.rate, "weight_decay": recipe.weight_decay}
    optimiser: torch.optim.Optimizer = (
        torch.optim.Adam(module.parameters(), **options)
        if recipe.optimizer == "adam"
        else torch.optim.SGD(module.parameters(), momentum=recipe.momentum, **options)
    )
    half, three_quarters = -(-recipe.epochs // 2), -(-3 * recipe.epochs // 4)
    scheduler: torch.optim.lr_scheduler.LRScheduler = {
        "constant": lambda: torch.optim.lr_scheduler.LambdaLR(optimiser, lambda _: 1.0),
        "cosine": lambda: torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, recipe.epochs),
        "step": lambda: torch.optim.lr_scheduler.MultiStepLR(optimiser, [half, three_quarters]),
    }[recipe.schedule]()
    for order in orders([seed], recipe.epochs, len(labels)):
        for taken in order[0].split(recipe.batch):
            optimiser.zero_grad()
            nn.functional.cross_entropy(module(inputs[taken]), labels[taken]).backward()
            optimiser.step()
        scheduler.step()
    return module


def dataset(rows: int = 40, seed: int = 0) -> Dataset:
    inputs, labels = records(1, rows, seed)
    return Dataset(inputs[0].numpy(), np.array(["a", "b", "c"])[labels[0].numpy()], np.array([f"id{k}" for k in range(rows)]))


def procedure(kind: str = "mlp", **settings: Any) -> Any:
    defaults = {"features": FEATURES, "classes": ["a", "b", "c"], "epochs": 2, "batch": 8, "rate": 0.1, "momentum": 0.9}
    return procedures.build("torch", {**defaults, "model": kind, "params": SHAPES[kind], **settings})
