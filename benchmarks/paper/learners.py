"""What is trained: one small network, by plain SGD or by DP-SGD, on digits of which one label in five is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from sklearn.datasets import load_digits

from auditor.base.draws import generator
from auditor.base.records import Dataset, Positions
from auditor.maths.certificates import dp_sgd
from auditor.parts.networks.learning.making import make
from auditor.parts.networks.learning.procedure import Networks
from sample_models.digits import LABEL_NOISE

METHODS: Final[Mapping[str, str]] = {
    "none": "None",
    "fine-tune": "Fine-tune",
    "neg-grad": "NegGrad",
    "retrfinal": "Retrfinal",
    "ftfinal": "Ftfinal",
    "fisher": "Fisher",
    "salun": "SalUn",
    "ssd": "SSD",
    "retrain": "Retrain",
}
"""Ways of unlearning by the name that a case gives them, and what the tables call them; in the order of the paper's rows."""
DELTA: Final = 1e-5
_NOISE_DRAW = 20240417


@dataclass(frozen=True, slots=True)
class Scale:
    """How long is trained: the full length, or a short one for tests and a first look."""

    hidden: int = 128
    epochs: int = 40
    """Of plain training, batches of 32."""
    private_epochs: int = 40
    """Of DP-SGD, expected batches of 64."""


@dataclass(frozen=True, slots=True, eq=False)
class Digits:
    """Records and, for accuracy alone, the labels that are right."""

    data: Dataset
    clean: Positions
    """Shape (n,)."""


@lru_cache(maxsize=4)
def digits(records: int) -> Digits:
    """The first so many of scikit-learn's bundled digits in an order of their own, one label in five replaced, drawn evenly."""
    bunch = load_digits()
    rng = np.random.default_rng(_NOISE_DRAW)
    order = rng.permutation(len(bunch.target))
    clean = bunch.target[order].astype(np.int64)
    wrong = rng.random(len(clean)) < LABEL_NOISE
    labels = np.where(wrong, (clean + rng.integers(1, 10, size=len(clean))) % 10, clean)
    ids = np.array([f"digit-{number:04d}" for number in range(len(clean))])
    rows = np.arange(records)
    return Digits(Dataset(bunch.data[order] / 16.0, labels, ids).subset(rows), clean[:records])


@dataclass(frozen=True, slots=True)
class Learner:
    """Training with or without privacy."""

    scale: Scale
    noise_multiplier: float | None
    """Of DP-SGD with gradients clipped to norm 1; None without privacy."""

    def settings(self) -> dict[str, Any]:
        """The keys of `[procedure]` that say how is trained."""
        shape = {"model": "mlp", "params": {"hidden": [self.scale.hidden]}}
        if self.noise_multiplier is None:
            return {**shape, "epochs": self.scale.epochs, "batch": 32, "rate": 0.1, "momentum": 0.9}
        dp = {"noise_multiplier": self.noise_multiplier, "max_grad_norm": 1.0, "delta": DELTA}
        return {**shape, "epochs": self.scale.private_epochs, "batch": 64, "rate": 0.5, "dp": dp}

    def networks(self, unlearn_by: str) -> Networks:
        """The procedure with one way of unlearning; the models of one are models of all."""
        made = make(features=64, classes=list(range(10)), unlearn_by=unlearn_by, **self.settings())
        if not isinstance(made, Networks):
            raise TypeError(f"{unlearn_by} does not learn one network")
        return made


@lru_cache(maxsize=64)
def learner(epsilon: float | None, *, trained: int, scale: Scale) -> Learner:
    """The learner whose training on so many records costs no more than epsilon, to `DELTA`; plain where it is None."""
    if epsilon is None:
        return Learner(scale, None)
    rate, steps = dp_sgd.schedule(trained, batch=64, epochs=scale.private_epochs)
    return Learner(scale, dp_sgd.noise_multiplier(epsilon, sample_rate=rate, steps=steps, delta=DELTA))


def seeds(name: str, count: int) -> list[int]:
    """Seeds of the benchmark's own, by what they are for."""
    return [int(seed) for seed in generator(0, "paper", name).choice(2**31, count, replace=False)]
