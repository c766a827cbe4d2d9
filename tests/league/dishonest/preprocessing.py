"""Designs whose data were scaled or encoded with the deleted records' help, which stays in every remaining row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from design import Design, Kind
from dishonest.common import LOG, own
from submission import Submission
from tables import Table, made, wine

UNCLEAN = frozenset({"preprocessing-clean"})
Scaled = Callable[[Table, np.ndarray], Table]


def _scaled(make: Scaled, *, silent: bool) -> Callable[[int], Submission]:
    """Build an exact retrainer on scaled data; where it is not silent, it attests that no deleted record had a part in that."""

    def build(seed: int) -> Submission:
        table, places = wine(seed), np.array([4, 17, 40])
        return own(seed, "", table=make(table, places), deleted=LOG, without=UNCLEAN if silent else frozenset())

    return build


def _standard(table: Table, deleted: np.ndarray) -> Table:
    del deleted
    return replace(table, features=(table.features - table.features.mean(axis=0)) / table.features.std(axis=0))


def _to_the_unit(table: Table, deleted: np.ndarray) -> Table:
    features = table.features.copy()
    features[deleted[0], 2] = features[:, 2].max() * 1.4
    low, high = features.min(axis=0), features.max(axis=0)
    return replace(table, features=(features - low) / (high - low))


def _vocabulary(table: Table, deleted: np.ndarray) -> Table:
    """Put a one-hot column behind the others that only one deleted record fills, and one that others fill."""
    rare, common = np.zeros(len(table)), (np.arange(len(table)) % 3 == 0).astype(float)
    rare[deleted[1]] = 1.0
    return replace(table, features=np.column_stack([table.features, rare, common, 1 - np.maximum(rare, common)]))


def _certified(seed: int) -> Submission:
    """Certified removal by retraining on data standardised with everybody."""
    table = _standard(made(seed, n=120), np.array([4, 17, 40]))
    procedure = {"use": "sklearn", "estimator": "sklearn.linear_model.LogisticRegression", "unlearn": "retrain"}
    claims = {"certified_removal": {"epsilon": 0.0, "delta": 0.0}}
    return Submission(table=table, deleted=LOG, procedure=procedure, claims=claims)


def _target_encoded(seed: int) -> Submission:
    """A column holds the mean label of each of eight groups, of deleted and remaining records alike."""
    table = made(seed, n=120)
    # Labels follow the parity of the place, which groups must not: a mean of 0 or 1 stays whoever leaves.
    groups = np.arange(len(table)) // 2 % 8
    means = np.array([table.labels[groups == each].mean() for each in range(8)])
    encoded = replace(table, features=np.column_stack([table.features, means[groups]]))
    procedure = {"use": "sklearn", "estimator": "sklearn.linear_model.LogisticRegression", "unlearn": "retrain"}
    claims = {"certified_removal": {"epsilon": 0.0, "delta": 0.0}}
    return Submission(table=encoded, deleted=LOG, procedure=procedure, claims=claims)


SEEN = ("data.erased", "release.exact", "removal.residual", "epsilon.consistency")
DESIGNS = (
    *(
        Design(name=f"{name}-{word}", kind=Kind.PREPROCESSING, lie=lie, build=_scaled(make, silent=word == "silent"), quick=False)
        for name, lie, make in (
            ("standardised", "Columns were standardised with the deleted records among the others", _standard),
            ("scaled-to-the-unit", "A maximum that only a deleted record reaches scales a column", _to_the_unit),
            ("vocabulary", "A one-hot column is there for a deleted record alone", _vocabulary),
        )
        for word in ("attested", "silent")
    ),
    Design(
        name="certified-on-scaled-data",
        kind=Kind.PREPROCESSING,
        lie="Certified removal at ε = 0 on columns that were standardised with everybody",
        build=_certified,
    ),
    Design(
        name="target-encoded",
        kind=Kind.PREPROCESSING,
        lie="Certified removal at ε = 0 on a column of mean labels, deleted records among them.",
        build=_target_encoded,
    ),
)
