"""How much the values of a record say, so that a search knows what it could find by chance."""

from __future__ import annotations

from typing import Final

import numpy as np

from auditor.base.records import Floats, Positions

MOST_COLUMNS: Final = 256
"""Columns that are asked what they say: as many say enough, and leaving out more only makes a search more careful."""


def bits(rows: Floats, tolerances: Floats, against: Floats, among: Positions | None = None) -> Floats:
    """How much each value of some rows says, in bits: minus the logarithm of how often others come so near, by column alone.

    Where none does, the share shrinks with the tolerance against the way to the nearest value, and with the smallest step in the
    column at most: values on a grid meet more often than values on a line.

    Args:
        rows: Shape (m, d).
        tolerances: Shape (m, d), how near another value has to come.
        against: Shape (n, d), n at least 1.
        among: Positions of those rows that count, at least one; all where left out.

    Returns:
        Shape (m, d).
    """
    n = len(against) if among is None else len(among)
    found = np.empty(rows.shape)
    for column in range(rows.shape[1]):
        values = against[:, column]
        others = np.sort(values if among is None else values[among])
        steps = np.diff(others)
        step = float(steps[steps > 0].min(initial=np.inf))
        values, off = rows[:, column], tolerances[:, column]
        count = np.searchsorted(others, values + off, "right") - np.searchsorted(others, values - off, "left")
        place = np.searchsorted(others, values)
        way = np.minimum(np.abs(others[np.minimum(place, n - 1)] - values), np.abs(others[np.maximum(place - 1, 0)] - values))
        limit = np.maximum(np.maximum(off, step / 2 if np.isfinite(step) else 0.0), np.finfo(float).tiny)
        near = limit / np.maximum(way, limit)
        share = np.where(count > 0, (count + 1) / (n + 1), near / (n + 1))
        found[:, column] = -np.log2(np.maximum(share, 2.0**-20))
    return found
