"""Training data with other records in the place of deleted ones: the same ids at the same places, another content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.case import Case
from auditor.domain import Dataset, Positions
from auditor.draws import generator

LEVELS: Final = 4
"""How many first parts of the log have their records replaced: that of every batch where there are no more batches."""


@dataclass(frozen=True, slots=True, eq=False)
class Twin:
    """The training data with other records in the place of those of the first batches."""

    table: Dataset
    until: int
    """The last batch, counted from 1, whose records were replaced."""
    words: str
    """What stands in their place."""


def twins(case: Case, forgotten: tuple[Positions, ...], *, seed: int) -> Iterator[Twin]:
    """Two replacements for each of several first parts of the log, and a third for the whole of it.

    A model after batch t still has the records of later batches, which stay as they are where the first t are replaced.

    Args:
        case: The case.
        forgotten: Positions in the training data, one array a batch, at least one.
        seed: The auditor's own.
    """
    count, train = len(forgotten), case.train
    rng = generator(seed, "twins", "records")
    kept = np.setdiff1d(np.arange(len(train)), np.concatenate(forgotten))
    for until in np.unique(np.linspace(1, count, min(LEVELS, count)).round().astype(np.int64)).tolist():
        gone = np.concatenate(forgotten[:until])
        others, thirds = (rng.choice(kept, size=len(gone)) for _ in range(2))
        yield Twin(_with(train, gone, train.features[others], train.labels[others]), until, "other training records")
        turned = _other_labels(case, gone, train.labels[kept], rng)
        if turned is not None:
            yield Twin(_with(train, gone, train.features[gone], turned), until, "the same features with another label")
        if until == count:
            words = "the features of one training record with the label of another"
            yield Twin(_with(train, gone, train.features[others], train.labels[thirds]), until, words)


def _other_labels(case: Case, gone: Positions, known: npt.NDArray[Any], rng: np.random.Generator) -> npt.NDArray[Any] | None:
    """For each record a label that it does not have and another record has; None where there is no other."""
    values = np.unique(known)
    chosen = []
    for own in case.train.labels[gone].tolist():
        others = values[values != own]
        if not len(others):
            return None
        chosen.append(others[rng.integers(len(others))])
    return np.array(chosen, dtype=case.train.labels.dtype)


def _with(train: Dataset, gone: Positions, features: npt.NDArray[np.float64], labels: npt.NDArray[Any]) -> Dataset:
    replaced = Dataset(train.features.copy(), train.labels.copy(), train.ids)
    replaced.features[gone] = features
    replaced.labels[gone] = labels
    return replaced
