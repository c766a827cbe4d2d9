"""Figures 1 and 2's shape: batches deleted from networks, against both reductions to the attack of Shokri et al. 2017.

Digits of which one label in five is wrong stand for CIFAR: without wrong labels there is next to nothing that a network has to
memorise. In every round a batch goes at once, and all pairs of one that went and one that stayed are guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from auditor.attacks.shadow_classifier import ShadowClassifier
from auditor.attacks.threat_model import Outputs, References, Shadow
from auditor.base.draws import generator
from auditor.base.records import Dataset
from auditor.parts.networks.learning.making import make
from auditor.parts.networks.learning.procedure import Networks
from benchmarks.paper.inference.data import Floats, Positions
from benchmarks.paper.inference.playing import SEED, losses, moves
from benchmarks.paper.learners import digits

SIZES: Final = (300, 600, 900, 1200)
ROUNDS: Final = 20
BATCH: Final = 20
"""Records that go at once, and as many that stay; the paper has 100 of 15,000 to 29,540."""
SHADOW_PAIRS: Final = 2
RECORDS: Final = 1797
MODELS: Final[dict[str, dict[str, Any]]] = {
    "small-cnn": {"model": "small-cnn", "params": {"shape": [1, 8, 8]}},
    "mlp": {"model": "mlp", "params": {"hidden": [128]}},
}
ATTACKS: Final = ("example", "instance", "reduction by label", "reduction by confidence")


@cache
def _networks(model: str) -> Networks:
    import torch  # noqa: PLC0415  (in the process that computes)

    torch.set_num_threads(1)
    made = make(features=64, classes=list(range(10)), epochs=40, batch=32, rate=0.05, momentum=0.9, **MODELS[model])
    if not isinstance(made, Networks):
        raise TypeError(f"{model} is not one network")
    return made


def batches(model: str, size: int) -> Callable[[int], dict[str, float]]:
    """The round with a number: of each attack the share of pairs that it names, a tie counting one half."""

    def game(number: int) -> dict[str, float]:
        data, rng = digits(RECORDS).data, generator(SEED, "large", model, size, number)
        order = rng.permutation(len(data))
        rows, rest = order[:size], order[size:]
        gone, stayed = rows[:BATCH], rows[BATCH : 2 * BATCH]
        seeds = [int(seed) for seed in rng.integers(2**31, size=2)]
        networks = _networks(model)
        before = networks.learn(data.subset(np.sort(rows)), seeds[0])
        after = networks.learn(data.subset(np.sort(rows[BATCH:])), seeds[1])
        shadow, fitted = _fitted(networks, data, rest, rng)
        asked = np.concatenate([gone, stayed])
        features, labels = data.features[asked], data.labels[asked]
        old, new = networks.predict(before, features), networks.predict(after, features)
        says = [_log_odds(fitted, shadow, each, labels) for each in (old, new)]
        scores = {
            "example": losses(new, labels, 10) - losses(old, labels, 10),
            "instance": moves(old, new),
            "reduction by label": -(says[1] > 0).astype(float),
            "reduction by confidence": says[0] - says[1],
        }
        return {
            **{name: _pairs(each[:BATCH], each[BATCH:]) for name, each in scores.items()},
            "membership": float((says[0] > 0).mean() + 1 - _taken(networks, fitted, shadow, before, data, rest)) / 2,
            "accuracy": float(
                (networks.predict(before, data.features[rest]).argmax(axis=1) == digits(RECORDS).clean[rest]).mean()
            ),
        }

    return game


def _fitted(networks: Networks, data: Dataset, rest: Positions, rng: np.random.Generator) -> tuple[Shadow, Any]:
    """The attacker, from pairs of models of complementary halves of what the audited model was not trained on."""
    rest = np.sort(rest)
    sides = []
    for _ in range(SHADOW_PAIRS):
        side = np.zeros(len(rest), dtype=bool)
        side[rng.permutation(len(rest))[: len(rest) // 2]] = True
        sides += [side, ~side]
    trained = np.array(sides)
    models = [networks.learn(data.subset(rest[side]), int(rng.integers(2**31))) for side in trained]
    found = np.array([networks.predict(each, data.features[rest]) for each in models])
    shadow = Shadow(np.asarray(data.labels[rest]), References(found, trained))
    return shadow, ShadowClassifier().fit(shadow, rng=rng)


def _log_odds(fitted: Any, shadow: Shadow, found: Floats, labels: Positions) -> Floats:
    """Membership in log-odds less the attacker's threshold."""
    none = np.zeros(0, dtype=np.int64)
    outputs = Outputs(found, shadow.references, found[:0], none, shadow.references)
    return ShadowClassifier().score(fitted, outputs, labels)


def _taken(networks: Networks, fitted: Any, shadow: Shadow, model: Any, data: Dataset, rest: Positions) -> float:
    """The share of records that the model never saw that the attacker takes for members."""
    some = rest[:200]
    return float((_log_odds(fitted, shadow, networks.predict(model, data.features[some]), data.labels[some]) > 0).mean())


def _pairs(gone: Floats, stayed: Floats) -> float:
    margins = gone[:, None] - stayed[None, :]
    return float(((margins > 0) + 0.5 * (margins == 0)).mean())
