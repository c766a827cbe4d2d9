"""The attacks on the models of one game, and what comes of them, in numbers that a JSON file holds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.stats import mannwhitneyu, t

from auditor.attacks import attacks
from auditor.attacks.threat_model import Outputs
from auditor.base.draws import generator
from auditor.base.records import Floats
from auditor.maths.statistics import advantages, plug_in_quality, quality
from auditor.parts.swap.judging.game import decisions
from auditor.parts.swap.observing.drawing import Game
from auditor.parts.swap.observing.model_outputs import Sight
from auditor.parts.swap.observing.scoring import Adversaries, Scored
from benchmarks.paper.playing import Models

CONFIDENCE: Final = 0.95
ATTACK_SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "paper": ("correctness", "confidence", "modified-entropy", "shadow-classifier"),
    "all": tuple(attacks()),
}
"""The paper's adversaries (Section 4.1), and all of this project's: those and the ones that judge record by record."""


@dataclass(frozen=True, slots=True, eq=False)
class Splits:
    """Each split by itself, as if it had not been swapped."""

    advantages: Floats
    """Shape (attacks, K, 2): accepted among forgotten less accepted among unseen records, in s and in s'."""
    areas: Floats
    """The same shape: area under the ROC curve."""


def summarise(models: Models, *, seed: int) -> dict[str, Any]:
    """Quality of every method by both sets of attacks, its MIA score and accuracy; the control; each split's advantages."""
    adversaries = Adversaries(attacks(), models.game, models.sight, seed=seed)
    lone = _Lone(models.game, models.sight, seed)
    methods: dict[str, Any] = {}
    for name, probabilities in models.unlearned.items():
        scored, splits = adversaries.score(probabilities), lone.score(probabilities)
        methods[name] = {
            **{chosen: _quality(scored, models.game, names) for chosen, names in ATTACK_SETS.items()},
            "attacks": dict(zip(attacks(), scored.advantages.mean(axis=1).tolist(), strict=True)),
            "mia": mia_score(splits.areas),
            "accuracy": models.accuracy[name],
            "splits": splits.advantages.tolist(),
        }
    control = adversaries.score(models.retrained)
    return {
        "forgotten": models.game.forgotten,
        "trained": len(models.game.pairs[0].trained(0)),
        "noise_multiplier": models.learner.noise_multiplier,
        "methods": methods,
        "control": {"identical": control.identical, "quality": _quality(control, models.game, ATTACK_SETS["all"])["value"]},
    }


def mia_score(areas: Floats) -> dict[str, float]:
    """1 - AUC of the attack of the paper with the largest, over single splits, with an interval over pairs.

    Args:
        areas: Shape (attacks, K, 2).
    """
    rows = _rows(ATTACK_SETS["paper"])
    pairs = areas[rows].mean(axis=2)
    worst = int(np.argmax(pairs.mean(axis=1)))
    return estimate(1.0 - pairs[worst], comparisons=len(rows))


def estimate(shares: Sequence[float] | Floats, *, comparisons: int = 1) -> dict[str, float]:
    """The mean of independent shares and Student's interval within [0, 1], corrected for so many comparisons by Bonferroni."""
    found = np.asarray(shares)
    mean, error = float(found.mean()), float(found.std(ddof=1)) / math.sqrt(len(found))
    half = float(t.isf((1 - CONFIDENCE) / (2 * comparisons), len(found) - 1)) * error
    return {"value": mean, "low": max(0.0, mean - half), "high": min(1.0, mean + half)}


def _rows(names: Sequence[str]) -> list[int]:
    known = list(attacks())
    return [known.index(name) for name in names]


def _quality(scored: Scored, game: Game, names: Sequence[str]) -> dict[str, float]:
    rows = scored.advantages[_rows(names)]
    decided = decisions(pair.forgotten for pair in game.pairs)
    found = quality(advantages(rows, confidence=CONFIDENCE, decisions=decided, identical=scored.identical))
    return {
        "value": found.value,
        "low": found.interval.low,
        "high": found.interval.high,
        "plug_in": plug_in_quality(rows),
    }


class _Lone:
    """Every attack on one split at a time."""

    def __init__(self, game: Game, sight: Sight, seed: int) -> None:
        shadow = sight.shadow()
        self._sight, self._forgotten = sight, game.forgotten
        self._states = [
            (attack, attack.fit(shadow, rng=generator(seed, "swap", "attack", name))) for name, attack in attacks().items()
        ]

    def score(self, probabilities: Floats) -> Splits:
        pairs = len(probabilities)
        found, areas = np.empty((2, len(self._states), pairs, 2))
        for number, side in np.ndindex(pairs, 2):
            labels = self._sight.labels[self._sight.records(number)]
            scores = self._scores(self._sight.outputs(number, probabilities[number, side, 0]), labels)
            halves = np.split(scores, [self._forgotten], axis=1)
            forgotten, unseen = halves if side == 0 else halves[::-1]
            found[:, number, side] = (forgotten > 0).mean(axis=1) - (unseen > 0).mean(axis=1)
            statistic = mannwhitneyu(forgotten, unseen, axis=1, method="asymptotic").statistic
            areas[:, number, side] = statistic / self._forgotten**2
        return Splits(found, areas)

    def _scores(self, outputs: Outputs, labels: Any) -> Floats:
        return np.stack([attack.score(state, outputs, labels) for attack, state in self._states])
