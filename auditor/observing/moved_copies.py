"""Make moved copies: records a little off known ones, towards their nearest neighbour, that no table holds.

Code that answers known records from a list, or keeps what it memorised for them, does not recognise them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.domain import Floats
from auditor.mixed_columns import Columns, coordinates, missing_codes, moves, settled

MANY_VALUES: Final = 50
"""A column with more distinct values moves by a share of the difference; any other takes the neighbour's value, or stays."""
SHARES: Final = (0.1, 0.3)
"""How far copies are moved."""
_NEAR: Final = 1e-6


def moved(
    rows: Floats,
    labels: npt.NDArray[Any] | None,
    retained: Floats,
    retained_labels: npt.NDArray[Any] | None,
    *,
    share: float,
    rng: np.random.Generator,
    table: Columns | None = None,
) -> Floats:
    """Move each row towards the nearest retained record that differs from it and has its label.

    Distances are measured in standard deviations of the retained records' columns. A row without such a neighbour stays.

    Args:
        rows: Shape (m, d).
        labels: Shape (m,); None where labels are no classes, and any record may be the neighbour.
        retained: Shape (n, d), n at least 1.
        retained_labels: Shape (n,); None together with `labels`.
        share: The chance with which a column of few values takes the neighbour's, and the share of the difference by which any
            other moves.
        rng: Draws which columns take the neighbour's value.
        table: What the rows' codes stand for, of a table of mixed columns: times and free text stay, categories count as columns
            of few values, and a missing value neither moves nor is moved towards by a share.

    Returns:
        Shape (m, d).
    """
    if table is None:
        numeric, stays = np.array([len(np.unique(column)) > MANY_VALUES for column in retained.T]), np.zeros(rows.shape[1], bool)
    else:
        numeric, stays = moves(table, retained, many=MANY_VALUES)
    near = nearest(coordinates(table, rows), labels, coordinates(table, retained), retained_labels)
    taken = rng.random(rows.shape) < share
    missing = np.full(rows.shape[1], np.nan) if table is None else missing_codes(table)
    copies = rows.copy()
    for place in np.flatnonzero(near >= 0).tolist():
        towards = retained[near[place]]
        whole = ~numeric & ~stays & taken[place]
        copies[place, whole] = towards[whole]
        partly = numeric & (rows[place] != missing) & (towards != missing)
        copies[place, partly] += share * towards[partly] - share * rows[place, partly]
    return copies if table is None else settled(table, copies)


def nearest(
    rows: Floats, labels: npt.NDArray[Any] | None, retained: Floats, retained_labels: npt.NDArray[Any] | None
) -> npt.NDArray[np.int64]:
    """Find for each row the retained record of its label that is nearest and not equal to it; shape (m,), −1 for none."""
    # In units of its largest value first, as no square of a column may overflow.
    largest = np.maximum(np.abs(retained).max(axis=0), np.abs(rows).max(axis=0, initial=0.0))
    units = np.where(largest > 0, largest, 1.0)
    left, right = rows / units, retained / units
    deviations = right.std(axis=0)
    scale = np.where(deviations > 0, 1.0 / np.where(deviations > 0, deviations, 1.0), 0.0)
    left, right = left * scale, right * scale
    found = np.full(len(rows), -1, dtype=np.int64)
    lengths = np.einsum("ij,ij->i", right, right)
    for place, row in enumerate(left):
        distances = np.maximum(lengths - 2 * (right @ row) + row @ row, 0.0)
        if labels is not None and retained_labels is not None:
            distances[retained_labels != labels[place]] = np.inf
        # The formula rounds: only what is near can be equal, and that is compared exactly.
        close = np.flatnonzero(distances <= _NEAR * (1.0 + row @ row))
        distances[close[np.all(retained[close] == rows[place], axis=1)]] = np.inf
        best = int(np.argmin(distances))
        if np.isfinite(distances[best]):
            found[place] = best
    return found
