"""Who a data store may hold: retained people and strangers, and what is known of their columns and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Kind, codes_of, vectors_in
from auditor.base.records import Dataset, Floats, Positions, joined
from auditor.case import Case
from auditor.case.record_rules import feature_names

_ID: Final = 64
"""Characters that an id of a stranger may have where no training record has a longer one."""


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Who may be kept, and what is known of them."""

    train: Dataset
    retained: npt.NDArray[np.bool_]
    """Shape (n,): which training records stay."""
    gone: frozenset[str]
    """Ids that nothing may be kept of."""
    columns: Mapping[str, str]
    """The role of each column that is known: id, label, feature, number or declared."""
    features: tuple[str, ...]
    """Names of the training data's columns of features, in their order; none of an npz file, which holds them as one array."""
    labels: frozenset[str] | None
    """As text; None for a regression."""
    places: Mapping[str, int] = field(default_factory=dict)
    """Positions in the training data, by id."""
    longest: int = _ID
    shapes: frozenset[str] | None = None
    """How ids are written, as `id_forms.shape` has it; None where any text of that length may be one."""
    people_gone: frozenset[str] = frozenset()
    """Of people who may have several records, those of whom none is retained, as the column `[data] person` names them."""
    whose: npt.NDArray[np.str_] = field(default_factory=lambda: np.zeros(0, dtype=np.str_))
    """Shape (n,): whose each training record is, as that column names them; empty where none does."""
    searched: Dataset | None = None
    """The training data with the columns that no procedure gets; None where there are none."""
    words: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Of each column of text, the codes of the words that retained people have."""
    missing: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    """Of columns in which the training data give what is missing in several ways, the cell of each record as it stands."""
    waiting: npt.NDArray[np.bool_] | None = None
    """Shape (n,): of whom who is retained an erasure is asked for, which may be carried out by now; None where of nobody."""
    embedded: npt.NDArray[np.float32] | None = None
    """Shape (n, d): what records are embedded as, where that is known."""
    steady: npt.NDArray[np.bool_] | None = None
    """Shape (n,): whose vectors may explain a row: those that move little where their records do."""

    @property
    def explaining(self) -> npt.NDArray[np.bool_]:
        """Shape (n,): which records' vectors may explain a row."""
        return self.retained if self.steady is None else self.retained & self.steady

    def codes(self, name: str, cells: Sequence[str]) -> Floats:
        """The cells of a column of features as codes, shape (n,); NaN for what it cannot hold.

        Raises:
            KeyError: If no table of mixed columns has such a column.
        """
        column = {each.name: each for each in self.train.table or ()}[name]
        return codes_of(column, cells, self.words.get(name, {}))

    def vector_columns(self, width: int) -> npt.NDArray[np.int64] | None:
        """Give the columns of the training data, shape (width,), that are a vector of so many values; None unless one is.

        Of a table of numbers alone these are all of its columns.
        """
        count = self.train.features.shape[1]
        runs = [list(range(count))] if self.train.table is None else vectors_in(self.train.table)
        fits = [each for each in runs if len(each) == width]
        return np.array(fits[0], dtype=np.int64) if len(fits) == 1 else None

    def of_width(self, width: int) -> Floats | npt.NDArray[np.float32] | None:
        """What a store of vectors of that width has of each record: as it is embedded, or its values; None where nobody knows."""
        if self.embedded is not None and self.embedded.shape[1] == width:
            return self.embedded
        return self.values_of_width(width)

    def values_of_width(self, width: int) -> Floats | None:
        """Give everybody's vectors of so many values, shape (n, width); None where the training data have none."""
        columns = self.vector_columns(width)
        return None if columns is None else self.train.features[:, columns]

    @classmethod
    def of(cls, case: Case, forgotten: Sequence[Positions], unknown: frozenset[str]) -> People:
        """Read them off a case.

        Args:
            case: The case.
            forgotten: Positions in the training data, one array a batch.
            unknown: Ids that the log names and that are no training record's.
        """
        train, data = case.train, case.settings.data
        retained = np.ones(len(train), dtype=bool)
        retained[joined(forgotten)] = False
        special = {data.id: "id", data.label: "label"}
        special |= {name: "number" for name in (data.sensitivity, data.weight) if name}
        features = tuple(feature_names(case.columns, data)) if case.columns else ()
        # Columns that no procedure gets: nothing is known of what they hold.
        beside = dict.fromkeys((*data.store_columns, *case.columns), "declared")
        if data.person is not None and data.person not in features:
            beside[data.person] = "person"
        whose = np.array(case.people if case.people is not None else [], dtype=np.str_)
        ids = train.ids.tolist()
        return cls(
            train=train,
            retained=retained,
            gone=frozenset(train.ids[~retained].tolist()) | unknown,
            columns=beside | dict.fromkeys(features, "feature") | special,
            features=features,
            labels=frozenset(map(str, train.labels.tolist())) if data.task == "classification" else None,
            places={record: place for place, record in enumerate(ids)},
            longest=max(_ID, *map(len, ids)),
            people_gone=frozenset(whose[~retained].tolist()) - set(whose[retained].tolist()) - {""}
            if whose.size
            else frozenset(),
            whose=whose,
            searched=case.searched,
            words={
                each.name: {each.words[int(code)]: code for code in np.unique(train.features[retained, at]).tolist() if code >= 0}
                for at, each in enumerate(train.table or ())
                if each.kind is Kind.TEXT
            },
        )
