"""Networks that are retrained, and removals with a theorem, as companies with care have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from honest.practice import EXACT, SHAPES, practice
from logs import drawn
from submission import NARROW, Submission
from tables import Table, digits, iris, made, real_valued, wine

TORCH: dict[str, Any] = {"use": "torch", "epochs": 4, "rate": 0.1, "batch": 32, "unlearn": "retrain"}
NORMED = '''
"""Two convolutions with BatchNorm, and dropout before the head."""

from torch import nn


class Net(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Dropout(0.2), nn.Linear(16 * channels, 3),
        )

    def forward(self, pictures):
        return self.layers(pictures)
'''
LOOP = '''
"""A loop of our own: Adam, a schedule, a little noise on the inputs."""

import torch
from torch import nn

from auditor.api import TrainingLoop


class Mine(TrainingLoop):
    epochs = 4

    def build(self):
        return nn.Sequential(nn.Linear(64, 12), nn.ReLU(), nn.Linear(12, self.classes))

    def train(self, module, data):
        descent = torch.optim.Adam(module.parameters(), lr=0.01)
        for epoch in self.epochs_of(module, descent, data):
            for group in descent.param_groups:
                group["lr"] = 0.01 / (1 + epoch)
            for inputs, labels in self.batches(data):
                descent.zero_grad()
                nn.functional.cross_entropy(module(inputs + 0.01 * torch.randn_like(inputs)), labels).backward()
                descent.step()
'''


def _network(seed: int, **keys: Any) -> Submission:
    table = (wine, digits, iris)[seed % 3](seed)
    procedure = {**TORCH, "model": "mlp", "params": {"hidden": [12]}, **keys}
    return Submission(table=table, deleted=drawn(len(table), SHAPES[seed % 3], seed), procedure=procedure, required=EXACT)


def _adam(seed: int) -> Submission:
    return _network(seed, optimizer="adam", rate=0.01, schedule="cosine")


def _shards(seed: int) -> Submission:
    return _network(seed, unlearn="sisa", unlearn_params={"shards": 3, "key": "ours"})


def _convolutions(seed: int) -> Submission:
    table = digits(seed, n=110)
    return Submission(
        table=table,
        deleted=drawn(len(table), SHAPES[seed % 3], seed),
        procedure={**TORCH, "entry": "net.py:Net", "params": {"channels": 4}},
        files={"net.py": NORMED.lstrip().encode()},
        tables={"data": {"shape": [1, 8, 8]}},
        required=EXACT,
    )


def _loop(seed: int) -> Submission:
    table = digits(seed, n=110)
    return Submission(
        table=table,
        deleted=drawn(len(table), SHAPES[seed % 3], seed),
        procedure={"entry": "train.py:Mine", "classes": 3},
        files={"train.py": LOOP.lstrip().encode()},
        required=EXACT,
    )


def _units(table: Table, labels: int = 2) -> Table:
    """Keep two labels, and divide every row by one number, so that none is longer than 1."""
    kept = table.subset(np.flatnonzero(table.labels < labels))
    return Table(kept.features / 8.0, kept.labels, kept.ids)


def _least_squares(seed: int) -> Submission:
    table = real_valued(seed, n=300)
    table = Table(table.features / np.sqrt(6), table.labels, table.ids)
    return Submission(
        table=table,
        deleted=drawn(300, SHAPES[seed % 3], seed),
        procedure={
            "use": "certified-removal",
            "loss": "least-squares",
            "l2": 0.05,
            "sigma": 0.5,
            "epsilon": 1.0,
            "delta": 1e-4,
            "tolerance": 1e-9,
            "unlearn": "newton",
        },
        claims={"certified_removal": {"epsilon": 1.0, "delta": 1e-4}},
        required=(*NARROW, "removal.residual", "removal.budget"),
    )


def _at_budget(seed: int) -> Submission:
    """Newton steps on digits, and training from scratch where the budget would be exceeded."""
    table = _units(digits(seed, n=350, classes=2))
    return Submission(
        table=table,
        deleted=drawn(len(table), SHAPES[seed % 3], seed),
        procedure={
            "use": "certified-removal",
            "loss": "logistic",
            "l2": 0.05,
            "sigma": 2.0,
            "epsilon": 1.0,
            "delta": 1e-4,
            "tolerance": 1e-9,
            "unlearn": "newton",
            "retrain_at_budget": True,
        },
        claims={"certified_removal": {"epsilon": 1.0, "delta": 1e-4}},
        required=(*NARROW, "removal.residual", "removal.budget"),
    )


def _softmax_descent(seed: int) -> Submission:
    table = made(seed, n=400, d=6, classes=3)
    return Submission(
        table=table,
        deleted=drawn(400, SHAPES[seed % 3], seed),
        procedure={
            "use": "noisy-gd",
            "loss": "softmax",
            "l2": 0.05,
            "sigma2": 0.01,
            "order": 2.0,
            "learn_steps": 400,
            "unlearn_steps": 150,
            "rate": "theorem",
        },
        # Of one of the logs a person has two records, whose ε together is twice that of one.
        claims={"data_deletion": {"q": 2.0, "epsilon": 0.07}},
        required=(*NARROW, "deletion.renyi", "deletion.adaptive", "state.stateless"),
    )


DESIGNS = practice(
    ("network-by-adam", "A network is retrained by Adam, on a cosine.", _adam),
    ("networks-on-shards", "Networks on three shards by a key of one's own.", _shards),
    ("network-with-batchnorm", "Convolutions with BatchNorm and dropout are retrained.", _convolutions),
    ("loop-of-ones-own", "A training loop of one's own, with checkpoints.", _loop),
) + practice(
    ("least-squares-removal", "Newton removal in a ridge regression.", _least_squares),
    ("removal-to-the-budget", "Newton removal that retrains at its budget.", _at_budget),
    ("softmax-descent", "Noisy descent of three labels.", _softmax_descent),
    by_chance=True,
)
