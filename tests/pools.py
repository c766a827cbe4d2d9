"""Honest and dishonest releases among retrained models: logistic regressions on synthetic records, cheap enough for hundreds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from auditor.audit.replacing import draw_decoys
from auditor.audit.shifted_copies import moved
from auditor.base.domain import Floats, Positions
from auditor.learning.batched_logistic import minimise_many
from auditor.parts.release.judging.release_remembers.observed import Observed
from auditor.parts.release.observing.release_remembers import scored
from auditor.parts.release.observing.release_remembers.models import answers
from auditor.parts.release.observing.release_remembers.questions import MOVES, Questions

MODELS, HOLDING = 39, 10
Release = Literal["retrained", "as it was", "one request kept"]


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


def observe(setting: Setting, release: Release, *, seed: int) -> Observed:
    """Train every model, and score."""
    questions, features, labels = draw(setting, seed=seed)
    weights = trained(setting, questions, release, features, labels, rng=np.random.default_rng([seed, 1]))

    def predict(rows: Floats) -> Floats:
        likely = 1 / (1 + np.exp(-weights @ rows.T))
        return np.stack([1 - likely, likely], axis=-1)

    return scored(questions, answers(questions, predict, source="replay"))


def trained(
    setting: Setting, questions: Questions, release: Release, features: Floats, labels: Floats, *, rng: np.random.Generator
) -> Floats:
    """The release, the retrained models and those that hold the records, shape (50, d)."""
    first: dict[Release, Positions] = {
        "retrained": questions.retained,
        "as it was": questions.base,
        "one request kept": np.union1d(questions.retained, questions.asked[questions.requests[0][1]]),
    }
    decoyed = [np.setdiff1d(questions.base, np.concatenate(each)) for each in questions.decoys]
    sets = [first[release], *[questions.retained] * MODELS, *decoyed]
    members = np.zeros((len(sets), len(features)), dtype=bool)
    for row, positions in zip(members, sets, strict=True):
        row[positions] = True
    drawn = setting.noise * rng.normal(size=(len(sets), features.shape[1]))
    return minimise_many(features, labels, members, l2=setting.l2, perturbations=drawn, tolerance=1e-9)
