"""Builds what most designs share: a small table, a log of a few batches, and a class of the controller's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from design import Design, Kind
from learners import NOISY, RIDGE, on
from logs import Batches, alone
from submission import NARROW, Submission
from tables import Table, made, names

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


def noisy(seed: int, body: str = "", *, pairs: int = 40) -> Submission:
    """Retrains with noise of the system's: nothing repeats it, so that attacks decide, by a game of enough pairs.

    The learner learns by heart (200 columns, labels drawn by coins), so that attacks would find what stays.

    Args:
        seed: Draws table and log.
        body: Methods of the class.
        pairs: Of the game: with 40 its interval lies above the quality asked for, with 20 it does not.
    """
    rng = np.random.default_rng([seed, 77])
    features = rng.normal(size=(1000, 200))
    features /= np.linalg.norm(features, axis=1)[:, None]
    table, holdout = Table(features, rng.integers(2, size=1000), names(1000)).cut(40)
    return own(
        seed,
        body,
        base=NOISY,
        table=table,
        holdout=holdout,
        deleted=[[each.tolist()] for each in np.split(rng.permutation(960)[:48], 3)],
        required=(*NARROW, "release.remembers", "swap.quality", "swap.strong"),
        plays=True,
        tables={"swap": {"pairs": pairs}},
    )


def designs(kind: Kind, *rows: tuple[Any, ...]) -> tuple[Design, ...]:
    """List designs of one kind: name, lie, what builds it, and the words whose text is the lie, if any."""
    return tuple(
        Design(name=name, kind=kind, lie=lie, build=build, trusted=frozenset(words), stopped_too=bool(words))
        for name, lie, build, *words in rows
    )
