"""Small networks, their records, and tasks of unlearning for the tests of the methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from auditor.base.records import Dataset
from auditor.parts.networks.learning.architectures import BUILT_IN
from auditor.parts.networks.learning.network import Network, Parameters, Row, part
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import Recipe, descend
from auditor.parts.networks.learning.unlearning import METHODS

RECIPE = Recipe(epochs=4, batch=8, optimizer="sgd", rate=0.1, momentum=0.9, weight_decay=1e-3, schedule="cosine")
NETWORKS = ("linear", "mlp", "small-cnn")
FEATURES, CLASSES = 16, 3


def network(kind: str = "mlp", *, dtype: torch.dtype = torch.float64, classes: int = CLASSES) -> Network:
    builds = {
        "linear": partial(nn.Linear, FEATURES, classes),
        "mlp": partial(BUILT_IN["mlp"], FEATURES, classes, hidden=[7]),
        "small-cnn": partial(BUILT_IN["small-cnn"], FEATURES, classes, shape=[1, 4, 4], channels=[4, 4]),
    }
    return Network(builds[kind], row=Row(FEATURES), classes=classes, dtype=dtype, device=torch.device("cpu"))


def records(of: Network, models: int = 3, rows: int = 30, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Inputs (models, rows, d), and labels that the inputs tell in part."""
    rng = np.random.default_rng(seed)
    inputs = rng.normal(size=(models, rows, of.features))
    labels = (inputs[..., 0] > 0).astype(np.int64) + (inputs[..., 1] > 0) * (of.classes > 2)
    return of.tensor(inputs), torch.from_numpy(np.where(rng.random(labels.shape) < 0.2, 0, labels))


def task(of: Network, *, models: int = 3, rows: int = 30, gone: int = 6, seed: int = 0, **params: Any) -> Task:
    """Models trained on records of their own, and some of these to forget."""
    inputs, labels = records(of, models, rows, seed)
    rng = np.random.default_rng(seed + 1)
    forget = np.stack([np.sort(rng.choice(rows, size=gone, replace=False)) for _ in range(models)])
    seeds = [1000 * seed + k for k in range(models)]
    learnt = descend(of, of.initial(seeds), inputs, labels, RECIPE, seeds)
    return Task(of, RECIPE, learnt, inputs, labels, torch.from_numpy(forget), [each + 7 for each in seeds], params)


def told(given: Task, **params: Any) -> Task:
    return replace(given, params=params)


def alone(given: Task, k: int) -> Task:
    """The task of one model."""
    only = slice(k, k + 1)
    return replace(
        given,
        parameters=part(given.parameters, only),
        inputs=given.inputs[only],
        labels=given.labels[only],
        forget=given.forget[only],
        seeds=given.seeds[only],
    )


def poisoned(given: Task, positions: Tensor) -> Task:
    """The task with NaN in the rows at `positions`, shape (models, k), and a label there that they did not have."""
    models = torch.arange(len(positions))[:, None]
    inputs, labels = given.inputs.clone(), given.labels.clone()
    inputs[models, positions] = torch.nan
    labels[models, positions] = (labels[models, positions] + 1) % given.network.classes
    return replace(given, inputs=inputs, labels=labels)


def run(name: str, given: Task, **params: Any) -> Parameters:
    return METHODS[name](told(given, **params) if params else given)


def same(one: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> bool:
    """Whether two stacks agree to the bit."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def loss(given: Task, parameters: Mapping[str, Tensor], positions: Tensor) -> Tensor:
    """The mean cross-entropy of each model on its rows at `positions`, shape (models,)."""
    inputs, labels = given.rows(positions)
    logs = given.network.logits(parameters, inputs).log_softmax(dim=2)
    return -logs.gather(2, labels[..., None])[..., 0].mean(dim=1)


def dataset(rows: int = 60, seed: int = 0, columns: int = 5, classes: Sequence[int] = (0, 1, 2)) -> Dataset:
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(rows, columns))
    labels = np.array(classes)[(features[:, 0] > 0).astype(int) + (features[:, 1] > 0)]
    return Dataset(features, labels, np.array([f"person-{k}" for k in range(rows)]))
