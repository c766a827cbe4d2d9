"""What a model from a stream costs in accuracy, on bundled digits: python -m benchmarks.paper.continual [--quick].

DP-FTRL (deletion-as-control.md, Proposition 5.13) alongside DP-SGD at the same ε and δ, and alongside training from scratch
without noise. Steps and rates are chosen on splits of their own. `--out DIR` is where the page goes, docs if left out;
`--results FILE` writes it again from what an earlier run found; `--quick` shows nothing but that all of it runs.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
from scipy.stats import t as student
from sklearn.datasets import load_digits

from auditor.base.draws import generator
from auditor.base.records import Dataset
from auditor.maths.certificates import dp_sgd, ftrl, gaussian
from auditor.maths.certificates.prefix_sums import Factorisation
from auditor.parts.networks.learning.making import make, make_continual
from auditor.parts.networks.learning.procedure import Networks
from benchmarks.paper import continual_page, publishing

DELTA: Final = 1e-5
BATCH: Final = 128
CONFIDENCE: Final = 0.95
NETWORKS: Final[Mapping[str, tuple[int, ...]]] = {"logistic": (), "mlp": (32,)}
"""Hidden layers by what the page calls the network."""

Settings = Mapping[str, Any]
Build = Callable[[Settings], Networks]


@dataclass(frozen=True, slots=True)
class Scope:
    """How much is measured."""

    epsilons: tuple[float, ...] = (1.0, 3.0, 8.0)
    steps: tuple[int, ...] = (4, 16, 64, 256)
    """Releases of a stream."""
    epochs: tuple[int, ...] = (20, 80)
    """Of DP-SGD."""
    rates: tuple[float, ...] = (1.0, 0.3, 0.1, 0.03, 0.01)
    """By which a sum of gradients moves the weights in a stream."""
    private_rates: tuple[float, ...] = (3.0, 1.0, 0.3, 0.1)
    """Of DP-SGD."""
    plain_epochs: int = 40
    held_out: int = 450
    deleted: int = 20
    """Records without which is trained from scratch."""
    tuned: int = 2
    """Splits on which steps and rates are chosen."""
    measured: int = 8
    """Further ones, on which accuracy is measured."""


FULL = Scope()
QUICK = Scope(epsilons=(8.0,), steps=(4,), epochs=(1,), rates=(0.1,), private_rates=(3.0,), plain_epochs=1, tuned=1, measured=2)


def measure(quick: bool) -> Mapping[str, Any]:
    """Everything that the page says."""
    started, scope = time.perf_counter(), QUICK if quick else FULL
    rows = [
        {"network": network, "epsilon": epsilon, "methods": _row(scope, hidden, epsilon)}
        for network, hidden in NETWORKS.items()
        for epsilon in scope.epsilons
    ]
    plain = {
        network: accuracy(scope, partial(_plain, hidden), {"epochs": scope.plain_epochs}) for network, hidden in NETWORKS.items()
    }
    shown = {
        **asdict(scope),
        "full": scope == FULL,
        "delta": DELTA,
        "batch": BATCH,
        "confidence": 100 * CONFIDENCE,
        "records": len(split(scope, 0)[0]),
    }
    found: dict[str, Any] = json.loads(
        json.dumps({"scope": shown, "rows": rows, "retraining": plain, "seconds": time.perf_counter() - started})
    )
    return found


def _row(scope: Scope, hidden: Sequence[int], epsilon: float) -> dict[str, Any]:
    """Every private method at one ε: what was chosen for it, its noise, and its accuracy."""
    streams: list[Settings] = [{"steps": steps, "rate": rate} for steps in scope.steps for rate in scope.rates]
    sampled: list[Settings] = [{"epochs": epochs, "rate": rate} for epochs in scope.epochs for rate in scope.private_rates]
    return {
        "ftrl-square-root": _best(scope, partial(_stream, hidden, epsilon, "square-root"), streams),
        "ftrl-tree": _best(scope, partial(_stream, hidden, epsilon, "tree"), streams),
        "dp-sgd": _best(scope, partial(_sampled, hidden, epsilon, len(split(scope, 0)[0])), sampled),
    }


def _best(scope: Scope, build: Build, settings: Sequence[Settings]) -> dict[str, Any]:
    tuned = [float(np.mean(scores(scope, build, each, range(scope.tuned)))) for each in settings]
    return accuracy(scope, build, settings[int(np.argmax(tuned))])


def accuracy(scope: Scope, build: Build, settings: Settings) -> dict[str, Any]:
    """The mean accuracy on the splits that chose nothing, with Student's interval for it; and what was trained."""
    found = scores(
        scope, build, settings, range(scope.tuned, scope.tuned + scope.measured), deleted=settings.keys() == {"epochs"}
    )
    half = float(student.ppf((1 + CONFIDENCE) / 2, len(found) - 1) * np.std(found, ddof=1) / math.sqrt(len(found)))
    mean = float(np.mean(found))
    return {**settings, "value": mean, "low": mean - half, "high": min(1.0, mean + half), "scores": found}


def scores(scope: Scope, build: Build, settings: Settings, splits: Sequence[int], *, deleted: bool = False) -> list[float]:
    """The share of held-out digits that are told right, split by split; each has a start and noise of its own.

    Args:
        scope: For the sizes.
        build: Makes the procedure.
        settings: What it gets.
        splits: Their numbers.
        deleted: Whether to leave out the records that are asked to be deleted.
    """
    made, found = build(settings), []
    for number in splits:
        train, held_out = split(scope, number)
        rows = train.subset(np.arange(scope.deleted if deleted else 0, len(train)))
        model = made.learn(rows, int(generator(number, "paper", "continual", "seed").integers(2**62)))
        found.append(float(np.mean(np.argmax(made.predict(model, held_out.features), axis=1) == held_out.labels)))
    return found


@lru_cache(maxsize=64)
def split(scope: Scope, number: int) -> tuple[Dataset, Dataset]:
    """Scikit-learn's 1,797 digits, each scaled to length 1, in an order drawn for the split: those trained on, and the others."""
    bunch = load_digits()
    order = generator(number, "paper", "continual", "split").permutation(len(bunch.target))
    features = bunch.data / np.linalg.norm(bunch.data, axis=1, keepdims=True)
    data = Dataset(features, bunch.target.astype(np.int64), np.array([f"digit-{at:04d}" for at in range(len(features))]))
    return data.subset(order[scope.held_out :]), data.subset(order[: scope.held_out])


def _stream(hidden: Sequence[int], epsilon: float, factorisation: Factorisation, settings: Settings) -> Networks:
    noise = ftrl.noise_for(factorisation, gaussian.mu(epsilon, DELTA), settings["steps"])
    return make_continual(
        **_shape(hidden), **settings, noise_multiplier=noise, max_grad_norm=1.0, delta=DELTA, factorisation=factorisation
    )


def _sampled(hidden: Sequence[int], epsilon: float, records: int, settings: Settings) -> Networks:
    dp = {"noise_multiplier": _noise(epsilon, records, settings["epochs"]), "max_grad_norm": 1.0, "delta": DELTA}
    return _networks(make(**_shape(hidden), **settings, batch=BATCH, unlearn_by="none", dp=dp))


@lru_cache(maxsize=64)
def _noise(epsilon: float, records: int, epochs: int) -> float:
    rate, steps = dp_sgd.schedule(records, batch=BATCH, epochs=epochs)
    return dp_sgd.noise_multiplier(epsilon, sample_rate=rate, steps=steps, delta=DELTA)


def _plain(hidden: Sequence[int], settings: Settings) -> Networks:
    return _networks(make(**_shape(hidden), **settings, batch=32, rate=0.1, momentum=0.9, unlearn_by="retrain"))


def _shape(hidden: Sequence[int]) -> dict[str, Any]:
    return {"features": 64, "classes": list(range(10)), "model": "mlp", "params": {"hidden": list(hidden)}}


def _networks(made: object) -> Networks:
    if not isinstance(made, Networks):
        raise TypeError(f"expected one network, found {type(made).__name__}")
    return made


if __name__ == "__main__":
    publishing.run(__doc__, measure, continual_page)
