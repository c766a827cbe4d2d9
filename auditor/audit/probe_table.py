"""The rows that two models are asked about: unseen, retained and deleted records, in an order that tells nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from auditor.base.domain import Dataset, Positions, joined
from auditor.base.draws import generator
from auditor.case import Case

TABLE: Final = "probe"
"""Its name in the sandbox."""
MOST_OF_EACH: Final = 200
"""Rows of each kind."""


def probes(case: Case, forgotten: Sequence[Positions]) -> Dataset:
    """The features of up to 200 records each of the holdout, of what the log leaves and of what it deletes.

    Labels, ids and order are drawn or blank: anyone who reads the table learns neither whose rows they are nor which were
    deleted. The draw is the same for every audit of a case, so that a finished run is found again.
    """
    rng = generator(0, "probe table")
    gone = joined(forgotten)
    kept = np.setdiff1d(np.arange(len(case.train)), gone)
    parts = [case.train.features[_some(each, rng)] for each in (gone, kept)]
    if case.holdout is not None:
        parts.append(case.holdout.features[_some(np.arange(len(case.holdout)), rng)])
    features = np.concatenate(parts)
    features = features[rng.permutation(len(features))]
    return case.train.with_rows(features)


def _some(positions: Positions, rng: np.random.Generator) -> Positions:
    return rng.choice(positions, size=min(MOST_OF_EACH, len(positions)), replace=False)
