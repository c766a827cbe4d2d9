"""Builds what most designs share: a small table, a log of a few batches, and a class of the controller's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from design import Design, Kind
from learners import RIDGE, on
from logs import Batches, alone
from submission import Submission
from tables import Table, made

LOG = alone(4, 17, 40)
"""Three batches of one record, positions in the training table."""


def own(
    seed: int, body: str, *, base: str = RIDGE, above: str = "", table: Table | None = None, deleted: Batches = LOG, **more: Any
) -> Submission:
    """Submit a class of the controller's own.

    Args:
        seed: Draws the table where none is given.
        body: The methods of `Procedure`.
        base: The learner below it.
        above: Text between the two.
        table: The training data.
        deleted: The log.
        more: Further fields of the submission.
    """
    table = made(seed) if table is None else table
    labels = {} if table.labels.dtype.kind == "f" else {"labels": np.unique(table.labels).tolist()}
    procedure = {**labels, **more.pop("procedure", {})}
    return Submission(table=table, deleted=deleted, code=on(base, body, above=above), procedure=procedure, **more)


def designs(kind: Kind, *rows: tuple[Any, ...]) -> tuple[Design, ...]:
    """List designs of one kind: name, lie, what builds it, and the words whose text is the lie, if any."""
    return tuple(
        Design(name=name, kind=kind, lie=lie, build=build, trusted=frozenset(words), stopped_too=bool(words))
        for name, lie, build, *words in rows
    )
