"""Table 2: how far the estimate of Q spreads, from one swap pair and from two random splits, both of two models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.stats import chi2, f

from auditor.attacks import attacks
from auditor.base.records import Floats
from benchmarks.paper.scoring import ATTACK_SETS, CONFIDENCE


def spreads(found: Mapping[str, Any]) -> dict[str, Any]:
    """Of each method in a summary, by both sets of attacks: mean and standard deviation of both estimates, and their ratio.

    An estimate is 1 - max over attacks of |mean advantage of two splits|. The two of a swap pair are s and s'; two random splits
    are the sides s of two pairs, each pair used once, so that the estimates are independent within either kind.
    """
    listed = list(attacks())
    rows = {chosen: [listed.index(name) for name in names] for chosen, names in ATTACK_SETS.items()}
    return {
        name: {chosen: _compared(np.array(method["splits"])[at]) for chosen, at in rows.items()}
        for name, method in found["methods"].items()
    }


def qualities(splits: Floats) -> tuple[Floats, Floats]:
    """Estimates of Q from swap pairs, shape (K,), and from pairs of random splits, shape (K // 2,).

    Args:
        splits: Shape (attacks, K, 2): signed advantages in s and in s'.
    """
    alone = splits[:, :, 0]
    even = alone.shape[1] // 2 * 2
    both = (alone[:, 0:even:2] + alone[:, 1:even:2]) / 2
    return 1 - np.abs(splits.mean(axis=2)).max(axis=0), 1 - np.abs(both).max(axis=0)


def _compared(splits: Floats) -> dict[str, Any]:
    swapped, random = qualities(splits)
    ratio = float(random.std(ddof=1) / swapped.std(ddof=1))
    # For normal estimates the squared ratio follows F over the ratio of variances.
    tail, freedom = (1 - CONFIDENCE) / 2, (len(random) - 1, len(swapped) - 1)
    ends = [ratio / float(np.sqrt(f.isf(share, *freedom))) for share in (tail, 1 - tail)]
    return {
        "swap": _spread(swapped),
        "random": _spread(random),
        "ratio": {"value": ratio, "low": ends[0], "high": ends[1]},
    }


def _spread(values: Floats) -> dict[str, float]:
    deviation, freedom, tail = float(values.std(ddof=1)), len(values) - 1, (1 - CONFIDENCE) / 2
    low, high = (deviation * float(np.sqrt(freedom / chi2.isf(share, freedom))) for share in (tail, 1 - tail))
    return {"mean": float(values.mean()), "value": deviation, "low": low, "high": high}
