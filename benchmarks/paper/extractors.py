"""Stand-ins for Figures 4 and 5 of certified-removal.md (Guo et al. 2020): python -m benchmarks.paper.extractors [--quick].

Scikit-learn's digits in the place of LSUN, SST and SVHN. Figure 4: a small network learns from the digits 5 to 9, which are
public, and a linear model above it from 0 to 4. Figure 5: a small network learns privately from all ten, and the linear model
above it can remove. `--out DIR` is where page and figures go, docs if left out; `--results FILE` writes them again from what an
earlier run found; `--quick` shows nothing but that all of it runs.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import json
import math
import operator
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from typing import Any, Final

import numpy as np
import torch
from sklearn.datasets import load_digits

from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats
from auditor.maths.certificates import gaussian
from auditor.parts.networks.learning.architectures import SmallCnn
from auditor.parts.networks.learning.making import make
from auditor.parts.networks.learning.procedure import Networks
from auditor.parts.removal.planning import noise_at_release, walking
from auditor.parts.removal.planning.accuracy import accuracy, fit
from auditor.parts.removal.planning.document import Target
from auditor.parts.removal.planning.walking import Task
from benchmarks.paper import extractors_page, publishing

EPSILON: Final = 1.0
"""Of Figure 4, as in the paper; it has δ = 10⁻⁴ in both."""
DELTA: Final = 1e-4
EXTRACTOR_DELTA: Final = DELTA / 10
"""Of Figure 5; the rest is for the removal."""
PEOPLE: Final = 10
"""Who can be removed in Figure 5."""
TOLERANCE: Final = 1e-6
SHAPE: Final = (1, 8, 8)
Extract = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Scope:
    """How much is measured."""

    settings: tuple[tuple[float, float], ...] = ((1e-3, 0.1), (1e-3, 1.0), (1e-2, 0.3), (1e-2, 1.0), (1e-2, 3.0), (1e-1, 3.0))
    """λ and σ of Figure 4."""
    removals: int = 50
    """Where counting stops."""
    public_epochs: int = 20
    epsilons: tuple[float, ...] = (1.0, 10.0, 100.0)
    """For ten people together, by the network's private training."""
    l2: float = 1e-2
    """λ of Figure 5."""
    private_steps: int = 30
    draws: int = 3
    held_out: int = 300
    trained: int = 900
    """Digits that are learned from in Figure 5."""


FULL: Final = Scope()
QUICK: Final = Scope(
    settings=((1e-2, 10.0),), removals=2, public_epochs=1, epsilons=(100.0,), private_steps=1, draws=2, trained=200
)


def measure(quick: bool) -> Mapping[str, Any]:
    """Everything that the page says, as JSON holds it."""
    started, scope = time.perf_counter(), QUICK if quick else FULL
    found = {"public": public(scope), "private": private(scope)}
    given = {**asdict(scope), "full": scope == FULL, "epsilon": EPSILON, "delta": DELTA, "people": PEOPLE}
    written = {"scope": given, **found, "seconds": time.perf_counter() - started}
    listed: dict[str, Any] = json.loads(json.dumps(written))
    return listed


def digits(classes: Sequence[int], number: int) -> Dataset:
    """The digits of some classes in an order of one's own, pixels from 0 to 1."""
    bunch = load_digits()
    rows = np.flatnonzero(np.isin(bunch.target, classes))
    rows = rows[generator(number, "paper", "extractors", "order").permutation(len(rows))]
    ids = np.array([f"digit-{row:04d}" for row in rows])
    return Dataset(bunch.data[rows] / 16, bunch.target[rows].astype(np.int64), ids)


def public(scope: Scope) -> dict[str, Any]:
    """Figure 4: accuracy and removals by setting, with and without what allows removals."""
    network = cnn(range(5, 10), epochs=scope.public_epochs, batch=32, rate=0.05, momentum=0.9)
    model = network.learn(digits(range(5, 10), 0), seed(0, "public"))
    data = extracted(extractor(network, model, 5), digits(range(5), 0))
    task = task_of(data, scope.held_out)
    target = Target(1, EPSILON, DELTA)
    drawn = [
        generator(0, "paper", "extractors", "removed", at).permutation(len(task.train))[: scope.removals]
        for at in range(scope.draws)
    ]
    norms = [walking.spectral_norms(task.train, each) for each in drawn]
    rows = []
    for l2, sigma in ((scope.settings[0][0], 0.0), *scope.settings):
        procedure = task.procedure(l2=l2, sigma=sigma)
        seeds = [seed(at, "head") for at in range(scope.draws)]
        models = [procedure.learn(task.train, each) for each in seeds]
        allowed = noise_at_release.budget(task, target.epsilon, target.delta, sigma) if sigma else 0.0
        walks = (walking.spent(task, procedure, *each) for each in zip(models, drawn, norms, strict=True))
        served = [walking.count_within(walk, most=scope.removals, within=partial(operator.ge, allowed)) for walk in walks]
        reached = accuracy(task, procedure, fit(task, procedure, seeds, models, seed=0), seed=0)
        rows.append({"l2": l2, "sigma": sigma, "served": served, "accuracy": asdict(reached)})
    return {"train": len(task.train), "held_out": scope.held_out, "features": data.features.shape[1], "rows": rows}


def private(scope: Scope) -> dict[str, Any]:
    """Figure 5: accuracy against the ε of ten people, of the private network itself and of what is above it."""
    splits = [digits(range(10), 1 + at) for at in range(scope.draws)]
    trains = [each.subset(np.arange(scope.held_out, scope.held_out + scope.trained)) for each in splits]
    tests = [each.subset(np.arange(scope.held_out)) for each in splits]
    seeds = [seed(at, "network") for at in range(scope.draws)]
    plain = cnn(range(10), epochs=scope.public_epochs, batch=32, rate=0.05, momentum=0.9)
    fresh = cnn(range(10), epochs=0, batch=32, rate=0.05)
    untrained = fresh.learn_many(trains, seeds)
    rows = []
    for epsilon in scope.epsilons:
        noise = noise_for(epsilon, scope.private_steps)
        dp = {"noise_multiplier": noise, "max_grad_norm": 1.0, "delta": EXTRACTOR_DELTA}
        network = cnn(range(10), epochs=scope.private_steps, batch=scope.trained, rate=1.0, dp=dp)
        models = network.learn_many(trains, seeds)
        above = [head(scope, extractor(network, model, 10), each, epsilon) for model, each in zip(models, splits, strict=True)]
        beside = [head(scope, extractor(fresh, model, 10), each, epsilon) for model, each in zip(untrained, splits, strict=True)]
        methods = {
            "private": [right(network, model, test) for model, test in zip(models, tests, strict=True)],
            "above": [each["accuracy"] for each in above],
            "untrained": [each["accuracy"] for each in beside],
        }
        rows.append({"epsilon": epsilon, "noise_multiplier": noise, "methods": methods, "heads": above, "untrained": beside})
    models = plain.learn_many(trains, seeds)
    return {"rows": rows, "plain": [right(plain, model, test) for model, test in zip(models, tests, strict=True)]}


def noise_for(epsilon: float, steps: int) -> float:
    """The noise multiplier with which full-batch steps are (ε, δ)-private for ten people together.

    A step is a Gaussian mechanism of shift 1/z for one record and 10/z for ten; T of them have √T times the shift.
    """
    return PEOPLE * math.sqrt(steps) / gaussian.mu(epsilon, EXTRACTOR_DELTA)


def head(scope: Scope, extract: Extract, data: Dataset, epsilon: float) -> dict[str, float]:
    """A linear model above an extractor with the least noise by which ten removals stay within ε/10, and its accuracy.

    σ is worked out from a training at σ = 1 with a quarter to spare, and the ten removals are walked again with it.

    Raises:
        AssertionError: If they leave the budget.
    """
    task = task_of(extracted(extract, data), scope.held_out, scope.trained)
    order = generator(0, "paper", "extractors", "ten").permutation(len(task.train))[:PEOPLE]
    share, delta = epsilon / PEOPLE, DELTA - EXTRACTOR_DELTA
    norms = walking.spectral_norms(task.train, order)

    def spent(sigma: float) -> tuple[Any, Any, float]:
        procedure = task.procedure(l2=scope.l2, sigma=sigma)
        model = procedure.learn(task.train, seed(0, "head"))
        return procedure, model, list(islice(walking.spent(task, procedure, model, order, norms), PEOPLE))[-1]

    _, _, first = spent(1.0)
    sigma = 1.25 * first / noise_at_release.budget(task, share, delta, 1.0)
    procedure, model, leaves = spent(sigma)
    if leaves > noise_at_release.budget(task, share, delta, sigma):
        raise AssertionError("ten removals leave the budget")
    reached = accuracy(task, procedure, fit(task, procedure, [seed(0, "head")], [model], seed=0), seed=0)
    return {"sigma": sigma, "spent": leaves, "accuracy": reached.value}


def task_of(data: Dataset, held_out: int, trained: int | None = None) -> Task:
    """The first rows are held out, the next are learned from."""
    last = len(data) if trained is None else held_out + trained
    train, holdout = data.subset(np.arange(held_out, last)), data.subset(np.arange(held_out))
    return Task(train, holdout, np.unique(train.labels), "logistic", False, "gaussian", TOLERANCE, 1.0, None, None, ())


def cnn(classes: Sequence[int], **recipe: Any) -> Networks:
    """Two convolutions and a linear layer on digits."""
    made = make(features=64, classes=list(classes), model="small-cnn", params={"shape": SHAPE}, unlearn_by="none", **recipe)
    if not isinstance(made, Networks):
        raise TypeError(f"expected one network, found {type(made).__name__}")
    return made


def extractor(network: Networks, model: Any, classes: int) -> Extract:
    """What the last convolution gives."""
    module = SmallCnn(64, classes, shape=SHAPE)
    weights = torch.as_tensor(network.parameters(model), dtype=torch.float32)
    torch.nn.utils.vector_to_parameters(weights, module.parameters())

    def extract(rows: Floats) -> Floats:
        with torch.inference_mode():
            images = torch.as_tensor(rows, dtype=torch.float32).reshape(-1, *SHAPE)
            for convolution in module.convolutions:
                images = torch.relu(convolution(images))
        found: Floats = images.flatten(1).double().numpy()
        return found

    return extract


def extracted(extract: Extract, data: Dataset) -> Dataset:
    """Features of each row, scaled to norm 1 by itself; a row of zeros stays."""
    features = extract(data.features)
    norms = np.linalg.norm(features, axis=1, keepdims=True)
    return Dataset(features / np.where(norms > 0, norms * (1 + 1e-12), 1.0), data.labels, data.ids)


def right(network: Networks, model: Any, data: Dataset) -> float:
    """The share of rows that a network tells right."""
    return float(np.mean(np.argmax(network.predict(model, data.features), axis=1) == data.labels))


def seed(number: int, name: str) -> int:
    """For one training."""
    return int(generator(number, "paper", "extractors", name).integers(2**62))


if __name__ == "__main__":
    publishing.run(__doc__, measure, extractors_page)
