"""What attacks score on the answers of models: numbers for each model and record, and their means over groups of records.

Models come in one order: the release and the retrained ones, which are the pool; then models that hold the records and by which
likelihoods are set; then further ones of these. Whatever centres, scales or calibrates a score is a symmetric function of the
whole pool, with models that hold the records as its only other source: exchanging two models of the pool exchanges their scores
and changes no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.attacks.lira import LEAST_DEVIATION
from auditor.attacks.probabilities import LEAST_PROBABILITY, angles, clipped_logits, losses, of_true_class
from auditor.attacks.threshold_attacks import negative_modified_entropy
from auditor.base.records import Floats, Positions
from auditor.parts.release.judging.release_remembers.observed import MILLION, Attack, Group, Kind, Neighbourhood, Scores

MATCHED: Final = 5
"""Unseen records that a deleted one is held against."""
_MATCHED_IN_SUMS: Final = 20
"""The same where few records make up most of a sum: what unseen ones show by chance does not average out over these."""
EXCEEDED: Final = 1.001
"""The factor by which a record must exceed one of the population (γ of RMIA). Where retrained models are all the same, all ratios
but the release's are 1: without it what another library rounds otherwise would decide each comparison, and look like memory."""
_LEAST_VARIANCE: Final = 0.04
"""A record's variance counts as this share of the mean of all records' at least."""
MOST_GROUPS: Final = 50
"""Requests that are asked about singly; of more, several go together."""
LEAST_FOR_TENTH: Final = 11
"""With fewer requests the highest tenth is one request, which is a group of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Answers to one table of rows."""

    answers: Floats
    """Shape (m, n, classes), or (m, n) for a regression."""
    labels: Positions | Floats
    """Shape (n,): class codes, or the labels of a regression."""

    @property
    def classifies(self) -> bool:
        """Whether answers are probabilities of classes."""
        return self.answers.ndim == 3


@dataclass(frozen=True, slots=True)
class Models:
    """Which rows of a table of scores are which models'."""

    retrained: int
    holding: int

    @property
    def pool(self) -> slice:
        """The release and the retrained models."""
        return slice(0, 1 + self.retrained)

    @property
    def setting(self) -> slice:
        """Models that hold the records, by which likelihoods are set."""
        return slice(1 + self.retrained, 1 + self.retrained + self.holding)


def tables(blocks: Mapping[Neighbourhood, Asked], unseen: Asked, models: Models) -> Iterator[tuple[Kind, Floats]]:
    """Score every model on every record in every way, shape (m, f) each.

    Args:
        blocks: The deleted records, and their moved copies.
        unseen: Records that no model has seen; there may be none.
        models: Which are which.
    """
    for name, block in blocks.items():
        for attack, scores in _by_attack(block, unseen, models).items():
            yield Kind(attack=attack, neighbourhood=name), scores
        if unseen.answers.shape[1]:
            yield from _beside_unseen(name, block, unseen, models)


def groups_of(requests: Sequence[tuple[str, Positions]]) -> tuple[Group, ...]:
    """Say whose records scores are the means of, in the order of `grouped`."""
    bundles = _bundles(len(requests))
    found = [Group(part="requests", requests=tuple(requests[each][0] for each in bundle)) for bundle in bundles]
    tenth = [Group(part="highest-tenth")] if len(requests) >= LEAST_FOR_TENTH else []
    return (*found, Group(part="all"), *tenth)


def grouped(scores: Floats, requests: Sequence[tuple[str, Positions]], models: Models) -> Floats:
    """Give the mean score of each group, shape (m, g).

    Args:
        scores: Shape (m, f).
        requests: Ids, and the places of their records.
        models: Which are which.
    """
    single = np.stack([scores[:, places].mean(axis=1) for _, places in requests], axis=1)
    bundled = np.stack([single[:, bundle].mean(axis=1) for bundle in _bundles(len(requests))], axis=1)
    parts = [bundled, scores.mean(axis=1, keepdims=True)]
    if len(requests) >= LEAST_FOR_TENTH:
        # Requests differ in how they score under any model: the highest are those that stand out from the pool.
        centre, spread = single[models.pool].mean(axis=0), single[models.pool].std(axis=0)
        apart = np.where(spread > 0, (single - centre) / np.where(spread > 0, spread, 1.0), 0.0)
        count = -(-len(requests) // 10)
        parts.append(np.sort(apart, axis=1)[:, -count:].mean(axis=1, keepdims=True))
    return np.concatenate(parts, axis=1)


def in_millionths(scores: Floats, models: Models) -> list[Scores]:
    """Give each column as its distance from the pool's mean, in millionths of the largest such distance of any model.

    Args:
        scores: Shape (m, c).
        models: Which are which.
    """
    apart = scores - scores[models.pool].mean(axis=0)
    largest = np.abs(apart).max(axis=0)
    # What float64 rounded off is no distance.
    known = largest > 1e-12 * np.abs(scores).max(axis=0)
    whole = np.rint(np.where(known, apart / np.where(known, largest, 1.0), 0.0) * MILLION).astype(np.int64)
    return [tuple(each) for each in whole.tolist()]


def _by_attack(block: Asked, unseen: Asked, models: Models) -> dict[Attack, Floats]:
    """The scores of the records by themselves."""
    values = _signals(block, models)
    found: dict[Attack, Floats] = {"loss": _losses(block)}
    if block.classifies:
        found["modified-entropy"] = _entropies(block)
    found["lira-offline"], found["lira-online"] = _heights(values, models), _ratios(values, models)
    found["matched"] = _weighted(_sureness(block, models), models)
    if block.classifies and unseen.answers.shape[1]:
        found["rmia"] = _exceeding(_relative(block, models), _relative(unseen, models))
    return found


def _beside_unseen(name: Neighbourhood, block: Asked, unseen: Asked, models: Models) -> Iterator[tuple[Kind, Floats]]:
    """The scores of the records less what the same model shows on unseen ones like them."""
    nearest = _nearest(block, unseen, models)

    def less(own: Floats, beside: Floats, count: int = MATCHED) -> Floats:
        return np.asarray(own - np.stack([beside[:, each[:count]].mean(axis=1) for each in nearest], axis=1))

    values = less(_signals(block, models), _signals(unseen, models))
    found: dict[Attack, Floats] = {"loss": less(_losses(block), _losses(unseen))}
    if block.classifies:
        found["modified-entropy"] = less(_entropies(block), _entropies(unseen))
    found["lira-offline"], found["lira-online"] = _heights(values, models), _ratios(values, models)
    found["matched"] = _weighted(less(_sureness(block, models), _sureness(unseen, models), _MATCHED_IN_SUMS), models)
    for attack, scores in found.items():
        yield Kind(attack=attack, neighbourhood=name, contrast=True), scores


def _signals(asked: Asked, models: Models) -> Floats:
    """What likelihoods are of, shape (m, n): clipped logits, or predictions on the side of the label."""
    if asked.classifies:
        return clipped_logits(asked.answers, np.asarray(asked.labels, dtype=np.int64))
    centre = asked.answers[models.pool].mean(axis=0)
    return np.asarray(np.where(asked.labels >= centre, 1.0, -1.0) * asked.answers)


def _losses(asked: Asked) -> Floats:
    if asked.classifies:
        return -losses(asked.answers, np.asarray(asked.labels, dtype=np.int64))
    return np.asarray(-((asked.answers - asked.labels) ** 2))


def _entropies(asked: Asked) -> Floats:
    return negative_modified_entropy(asked.answers, np.asarray(asked.labels, dtype=np.int64))


def _heights(values: Floats, models: Models) -> Floats:
    """Standardised by each record's own mean and deviation over the pool."""
    pool = values[models.pool]
    return np.asarray((values - pool.mean(axis=0)) / _deviations(pool))


def _ratios(values: Floats, models: Models) -> Floats:
    """Log-likelihood ratios: each record's own normal over the pool against one around models that hold it.

    No record counts for more than it does at the mean of models that hold it, nor for less than as far on the other side of its
    ratio at the pool's mean (a censored ratio: Huber 1965). Under models that answer in steps, or nearly always alike, normal
    tails would let a single record of a retrained model outweigh all that holding them changes.
    """
    pool, inside = values[models.pool], values[models.setting]
    spread, usual = _deviations(pool), pool.mean(axis=0)
    together = np.maximum(np.sqrt(inside.var(axis=0).mean()), LEAST_DEVIATION)

    def ratio(at: Floats, held: Floats) -> Floats:
        return np.asarray(np.log(spread / together) + (((at - usual) / spread) ** 2 - ((at - held) / together) ** 2) / 2)

    def censored(at: Floats, held: Floats) -> Floats:
        most, middle = ratio(held, held), ratio(usual, held)
        return np.clip(ratio(at, held), 2 * middle - most, most)

    return _apart(values, models, censored)


def _deviations(pool: Floats) -> Floats:
    """Each record's own deviation over the pool, and no less than a fifth of what records have in common.

    Models that answer in steps agree on some records throughout, by chance: one of these alone would fill every sum.
    """
    variances = pool.var(axis=0)
    return np.asarray(np.maximum(np.sqrt(np.maximum(variances, _LEAST_VARIANCE * variances.mean())), LEAST_DEVIATION))


def _apart(values: Floats, models: Models, score: Callable[[Floats, Floats], Floats]) -> Floats:
    """Score all models by the mean of those that hold the records; each of these by the mean of the others.

    What such models show would look too large by whatever chance they share with a mean of their own.
    """
    inside = values[models.setting]
    found = score(values, inside.mean(axis=0))
    count = len(inside)
    if count > 1:
        found[models.setting] = np.stack([score(each, (inside.sum(axis=0) - each) / (count - 1)) for each in inside])
    return found


def _sureness(asked: Asked, models: Models) -> Floats:
    """How sure models are of the label, shape (m, n): an angle, or predictions on the side of the label."""
    return angles(asked.answers, np.asarray(asked.labels, dtype=np.int64)) if asked.classifies else _signals(asked, models)


def _weighted(values: Floats, models: Models) -> Floats:
    """Distances from the pool's mean, each times what holding the record adds, in units of how the pool varies: a matched filter.

    Models that hold them answer most records as others do; in a plain mean the chance of these hides what the others show. Half
    of a record's variance is its own, half that of all records: one that the pool happens to agree on must not outweigh them.
    """
    pool = values[models.pool]
    usual, variances = pool.mean(axis=0), pool.var(axis=0)
    beside = variances + variances.mean()

    def weighted(at: Floats, held: Floats) -> Floats:
        gained = np.maximum(held - usual, 0.0)
        return np.asarray((at - usual) * np.where(beside > 0, gained / np.where(beside > 0, beside, 1.0), gained))

    return _apart(values, models, weighted)


def _relative(asked: Asked, models: Models) -> Floats:
    """Pr(x | model) / Pr(x), the latter over the pool."""
    true = of_true_class(asked.answers, np.asarray(asked.labels, dtype=np.int64))
    return np.asarray(true / np.maximum(true[models.pool].mean(axis=0), LEAST_PROBABILITY))


def _exceeding(ratios: Floats, population: Floats) -> Floats:
    """The fraction of the population that each record exceeds, model by model."""
    bars = np.sort(population * EXCEEDED, axis=1)
    counts = [np.searchsorted(own, values, side="left") for own, values in zip(bars, ratios, strict=True)]
    return np.asarray(np.stack(counts) / bars.shape[1])


def _nearest(block: Asked, unseen: Asked, models: Models) -> list[Positions]:
    """For each record the unseen ones of its label, those first whose mean loss over the pool is nearest to its own.

    By the loss for every attack: a score that is standardised record by record has the same mean everywhere, but for rounding.
    """
    here, there = (_losses(each)[models.pool].mean(axis=0) for each in (block, unseen))
    found = []
    for place, label in enumerate(block.labels.tolist()):
        alike = np.flatnonzero(unseen.labels == label) if block.classifies else np.arange(len(there))
        candidates = alike if len(alike) else np.arange(len(there))
        found.append(candidates[np.argsort(np.abs(there[candidates] - here[place]), kind="stable")])
    return found


def _bundles(requests: int) -> list[Positions]:
    return [each.astype(np.int64) for each in np.array_split(np.arange(requests), min(requests, MOST_GROUPS))]
