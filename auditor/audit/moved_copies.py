"""Make moved copies: records a little off known ones, towards their nearest neighbour, that no table holds.

Code that answers known records from a list, or keeps what it memorised for them, does not recognise them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.audit.neighbours import nearest
from auditor.base.domain import Floats
from auditor.base.mixed_columns import Columns, coordinates, missing_codes, moves, settled

MANY_VALUES: Final = 50
"""A column with more distinct values moves by a share of the difference; any other takes the neighbour's value, or stays."""
SHARES: Final = (0.1, 0.3)
"""How far copies are moved."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Rows with their nearest neighbours: what does not depend on how far copies are moved."""

    rows: Floats
    """Shape (m, d)."""
    towards: Floats
    """The neighbour of each row, shape (m, d); the row itself where it has none."""
    has_one: npt.NDArray[np.bool_]
    """Shape (m,)."""
    numeric: npt.NDArray[np.bool_]
    """Which columns have many values, shape (d,)."""
    stays: npt.NDArray[np.bool_]
    """Which columns never move, shape (d,)."""
    table: Columns | None

    @classmethod
    def of(
        cls,
        rows: Floats,
        labels: npt.NDArray[Any] | None,
        retained: Floats,
        retained_labels: npt.NDArray[Any] | None,
        *,
        table: Columns | None = None,
    ) -> Neighbours:
        """Find for each row the nearest retained record that differs from it and has its label.

        Distances are measured in standard deviations of the retained records' columns.

        Args:
            rows: Shape (m, d).
            labels: Shape (m,); None where labels are no classes, and any record may be the neighbour.
            retained: Shape (n, d), n at least 1.
            retained_labels: Shape (n,); None together with `labels`.
            table: What the rows' codes stand for, of a table of mixed columns: times and free text stay, categories count as
                columns of few values, and a missing value neither moves nor is moved towards by a share.
        """
        if table is None:
            numeric = np.array([len(np.unique(column)) > MANY_VALUES for column in retained.T])
            stays = np.zeros(rows.shape[1], bool)
        else:
            numeric, stays = moves(table, retained, many=MANY_VALUES)
        near = nearest(coordinates(table, rows), labels, coordinates(table, retained), retained_labels)
        towards = rows.copy()
        towards[near >= 0] = retained[near[near >= 0]]
        return cls(rows, towards, near >= 0, numeric, stays, table)

    def copies(self, share: float, rng: np.random.Generator) -> Floats:
        """Move each row towards its neighbour, shape (m, d); a row without one stays.

        Args:
            share: The chance with which a column of few values takes the neighbour's, and the share of the difference by which
                any other moves.
            rng: Draws which columns take the neighbour's value.
        """
        taken = rng.random(self.rows.shape) < share
        missing = np.full(self.rows.shape[1], np.nan) if self.table is None else missing_codes(self.table)
        copies = self.rows.copy()
        for place in np.flatnonzero(self.has_one).tolist():
            towards = self.towards[place]
            whole = ~self.numeric & ~self.stays & taken[place]
            copies[place, whole] = towards[whole]
            partly = self.numeric & (self.rows[place] != missing) & (towards != missing)
            copies[place, partly] += share * towards[partly] - share * self.rows[place, partly]
        return copies if self.table is None else settled(self.table, copies)


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
    """Move each row once, as `Neighbours` does; the arguments as there."""
    return Neighbours.of(rows, labels, retained, retained_labels, table=table).copies(share, rng)
