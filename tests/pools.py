"""Honest and dishonest releases among retrained models: logistic regressions on synthetic records, cheap enough for hundreds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from auditor.audit.replacing import draw_decoys
from auditor.audit.shifted_copies import moved
from auditor.base.records import Floats, Positions
from auditor.learning.batched_logistic import minimise_many
from auditor.parts.release.judging.release_remembers import SECOND_MODELS
from auditor.parts.release.judging.release_remembers.observed import Observed, Scored
from auditor.parts.release.observing.release_remembers import in_stages, scored
from auditor.parts.release.observing.release_remembers.models import Answers, answers, replaced
from auditor.parts.release.observing.release_remembers.questions import MOVES, Questions

MODELS, HOLDING = 39, 10
Release = Literal["retrained", "as it was", "one request kept", "another library", "best of five", "spread x 1.3"]
"""What is released: retrained as the models that it is held against, kept in whole or in part, or honest and yet not drawn alike:
computed by another library, the most accurate of five seeds, or with a spread that is larger by a third."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A case of logistic regression without a case's files."""

    records: int = 80
    dimensions: int = 6
    forgotten: int = 10
    requests: int = 5
    noise: float = 0.3
    """Standard deviation of the objective's linear term: 0 for a learner without chance."""
    l2: float = 1e-3
    flipped: float = 0.0
    """The share of deleted records with the other label: what a model learns by heart."""


def draw(setting: Setting, *, seed: int) -> tuple[Questions, Floats, Floats]:
    """Draw what is asked, with features of shape (n, d) and labels of 1 and -1."""
    rng = np.random.default_rng(seed)
    count = setting.records + 60
    features = rng.normal(size=(count, setting.dimensions))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    labels = np.where(features @ rng.normal(size=setting.dimensions) + 0.3 * rng.normal(size=count) > 0, 1, -1)
    train, unseen = np.arange(setting.records), np.arange(setting.records, count)
    asked = np.sort(rng.permutation(train)[: setting.forgotten]).astype(np.int64)
    labels[asked] = np.where(rng.random(len(asked)) < setting.flipped, -labels[asked], labels[asked])
    retained = np.setdiff1d(train, asked)
    codes = (labels > 0).astype(np.int64)
    near = (features[retained], codes[retained])
    copies = {name: moved(features[asked], codes[asked], *near, share=share, rng=rng) for name, share in MOVES.items()}
    questions = Questions(
        base=train,
        forgotten=(asked,),
        retained=retained,
        asked=asked,
        codes=codes[asked],
        requests=tuple(
            (f"R-{number}", part.astype(np.int64))
            for number, part in enumerate(np.array_split(np.arange(len(asked)), setting.requests))
        ),
        records=features[asked],
        copies=copies,
        unseen=features[unseen],
        unseen_codes=codes[unseen],
        unseen_are_retained=False,
        decoys=tuple(draw_decoys(retained, [len(asked)], labels=codes, rng=rng) for _ in range(HOLDING)),
        seeds=tuple(range(MODELS + HOLDING + 1)),
        columns=2,
    )
    return questions, features, labels.astype(np.float64)


class Pool:
    """Trains the models of both stages for one release."""

    def __init__(self, setting: Setting, release: Release, *, seed: int) -> None:
        """Draw a case."""
        self.questions, self._features, self._labels = draw(setting, seed=seed)
        self._setting, self._release, self._seed = setting, release, seed

    def play(self) -> Answers:
        """Train the release, the retrained models and those that hold the records."""
        given = self._setting, self.questions, self._release, self._features, self._labels
        return self._answers(trained(*given, rng=np.random.default_rng([self._seed, 1])), MODELS)

    def retrained(self, seeds: Sequence[int]) -> Answers:
        """Train further models without the deleted records."""
        sets = [self.questions.retained] * len(seeds)
        rng = np.random.default_rng([self._seed, 2])
        return self._answers(_fitted(self._setting, sets, self._features, self._labels, rng), len(seeds))

    def seconds_of(self, models: int) -> float:
        """Take no time."""
        return 0.0 * models

    def _answers(self, weights: Floats, models: int) -> Answers:
        def predict(rows: Floats) -> Floats:
            likely = 1 / (1 + np.exp(-weights @ rows.T))
            return np.stack([1 - likely, likely], axis=-1)

        return answers(self.questions, predict, source="replay", models=models)


def observe(setting: Setting, release: Release, *, seed: int) -> Observed:
    """Train every model of the stages that are called for, and score."""
    pool = Pool(setting, release, seed=seed)
    return in_stages(pool.questions, pool, seeds=range(SECOND_MODELS), most_s=1.0)


def second_stage(setting: Setting, release: Release, *, seed: int) -> Observed:
    """Train and score both stages, whatever the first one shows."""
    pool = Pool(setting, release, seed=seed)
    first = pool.play()
    further = scored(pool.questions, replaced(first, pool.retrained(range(SECOND_MODELS))))
    second = Scored(**{name: getattr(further, name) for name in Scored.model_fields})
    return scored(pool.questions, first).model_copy(update={"second": second})


def trained(
    setting: Setting, questions: Questions, release: Release, features: Floats, labels: Floats, *, rng: np.random.Generator
) -> Floats:
    """The release, the retrained models and those that hold the records, shape (50, d)."""
    held: dict[Release, Positions] = {
        "as it was": questions.base,
        "one request kept": np.union1d(questions.retained, questions.asked[questions.requests[0][1]]),
    }
    decoyed = [np.setdiff1d(questions.base, np.concatenate(each)) for each in questions.decoys]
    sets = [held.get(release, questions.retained), *[questions.retained] * MODELS, *decoyed]
    weights = _fitted(setting, sets, features, labels, rng)
    if release == "another library":
        # What another order of sums leaves where a solver stops at a gradient of 1e-6.
        weights[0] *= 1 + 1e-5 * rng.normal(size=weights.shape[1])
    elif release == "best of five":
        others = np.concatenate([weights[:1], _fitted(setting, [questions.retained] * 4, features, labels, rng)])
        right = ((questions.unseen @ others.T > 0) == (questions.unseen_codes > 0)[:, None]).mean(axis=0)
        weights[0] = others[np.argmax(right)]
    elif release == "spread x 1.3":
        wider = replace(setting, noise=1.3 * setting.noise)
        weights[0] = _fitted(wider, [questions.retained], features, labels, rng)[0]
    return weights


def _fitted(setting: Setting, sets: Sequence[Positions], features: Floats, labels: Floats, rng: np.random.Generator) -> Floats:
    members = np.zeros((len(sets), len(features)), dtype=bool)
    for row, positions in zip(members, sets, strict=True):
        row[positions] = True
    drawn = setting.noise * rng.normal(size=(len(sets), features.shape[1]))
    return minimise_many(features, labels, members, l2=setting.l2, perturbations=drawn, tolerance=1e-9)
