"""Run the case's own preparation in each training, on the rows of that training alone, and before each prediction.

`prepare(table)`, `split(table)`, `fit(…)` and `CLASSES` come from a file of the case, each of them optional. This module
runs in the process of that code: what comes back is checked so that a mistake is one clear message, and believed by nobody.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from auditor.base.records import Floats, Positions
from auditor.learning.facts import Facts
from auditor.learning.fitted import FittedModel, NoEstimatorError

_TEXT: Final = "str" if int(pd.__version__.partition(".")[0]) >= 3 else "object"
"""Text as the tables of a procedure have it."""
_Weights: TypeAlias = Callable[[Any, Floats | None], dict[str, Any]]
_Parts: TypeAlias = tuple[Positions, Positions | None]
_ESTIMATORS: Final = ("predict", "predict_proba")


@dataclass(frozen=True, slots=True, eq=False)
class PreparedModel(FittedModel):
    """A fitted estimator with what its preparation did."""

    columns: tuple[Hashable, ...]
    """The features that it was fitted on, by name; answers are about the same ones."""
    left_out: frozenset[str]
    """Ids of the rows that preparation or split left out: of those of the training alone, and so of no deleted record."""
    held: int
    """Rows that the split held out."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedFacts(Facts):
    """Whether the last update trained from scratch, and what the preparation of the last training did with its rows."""

    rows_dropped: int | None = None
    """Rows that were neither fitted on nor held out."""
    rows_held: int | None = None
    """Rows that the split held out."""
    forgotten_dropped: int | None = None
    """Records that the update deleted and the training before had left out; None of a first training."""


class Preparation:
    """The functions of a case's file, and the columns and labels that they are given."""

    def __init__(self, module: ModuleType, *, label: str, classes: Sequence[int | str] | None) -> None:
        """Take the functions from the file's module.

        Args:
            module: The file, imported in the process of the case's code.
            label: The column of labels in `[data]`, which a training's table ends with.
            classes: The distinct labels of the training data, sorted; None for regression.

        Raises:
            NoEstimatorError: If it defines none of them, or `CLASSES` does not encode the labels one to one.
        """
        self._file, self._path, self._label = Path(str(module.__file__)).name, module.__file__, label
        self._never_learned: int | None = None
        self._prepare, self._split, self._fit = (self._function(module, name) for name in ("prepare", "split", "fit"))
        encoding = getattr(module, "CLASSES", None)
        if encoding is None and self._prepare is self._split is self._fit is None:
            raise self._wrong("prepare, split, fit or CLASSES, found none of them")
        self._codes = None if encoding is None else self._encoding(encoding, classes)

    def _wrong(self, words: str) -> NoEstimatorError:
        """What to raise: the file, what was expected of it, what was found, and the way out."""
        return NoEstimatorError(f"{self._file}: expected {words}")

    def _function(self, module: ModuleType, name: str) -> Callable[..., Any] | None:
        found = getattr(module, name, None)
        if found is not None and not callable(found):
            raise self._wrong(f"a function {name}, found {_kind(found)}")
        return found

    def _encoding(self, found: object, classes: Sequence[int | str] | None) -> dict[int | str, Any]:
        if classes is None:
            raise self._wrong("no CLASSES with a regression, which has no classes")
        if not isinstance(found, Mapping):
            raise self._wrong(f"CLASSES to be a dictionary, found {_kind(found)}")
        codes = {_scalar(key): _scalar(value) for key, value in found.items()}
        if lacking := [each for each in classes if each not in codes]:
            raise self._wrong(f"CLASSES to name every label of the training data, found no {lacking[0]!r}")
        taken = {each: codes[each] for each in classes}
        if not all(isinstance(each, bool | int | float | str) for each in taken.values()):
            raise self._wrong("CLASSES to encode labels as numbers or texts, found something else")
        if len(set(taken.values())) < len(taken) or len({isinstance(each, str) for each in taken.values()}) > 1:
            raise self._wrong("CLASSES to give every label a code of its own, numbers or texts, found others")
        return taken

    def train(self, estimator: Any, data: Any, seed: int, weights: _Weights) -> PreparedModel:
        """Prepare the rows of one training, split them, and fit the estimator.

        Args:
            estimator: Unfitted.
            data: The records of this training, with a DataFrame of features.
            seed: What the estimator was built with.
            weights: Gives `fit`'s keyword arguments for an estimator and the weights of its rows.

        Raises:
            NoEstimatorError: If something comes back that is not made of these rows.
        """
        if not isinstance(data.features, pd.DataFrame):
            raise self._wrong("a CSV or Parquet file, whose columns have names, found an array")
        given = data.features.set_axis(_index(data.ids), axis=0)
        given[self._label] = _column(data.labels)
        table = given if self._prepare is None else self._frame("prepare", self._call("prepare", self._prepare, given.copy()))
        kept = self._kept(given.index, table)
        if self._label not in table.columns:
            raise self._wrong(
                f"prepare to keep the column of labels, {self._label}, in training, found none: "
                "a prediction's table has none to begin with"
            )
        self._require_once(table)
        labels = self._learned(table[self._label].tolist(), data.labels[kept], given.index[kept])
        if self._codes is not None:
            table = table.assign(**{self._label: _column(labels)})
        fitted, held = self._parts(table, seed)
        features = table.drop(columns=self._label)
        rest = None if data.weights is None else data.weights[kept][fitted]
        if self._fit is None:
            estimator.fit(features.iloc[fitted].reset_index(drop=True), labels[fitted], **weights(estimator, rest))
        else:
            self._fit_by_case(estimator, features, table[self._label], (fitted, held), rest)
        held = fitted[:0] if held is None else held
        left_out = given.index.difference(features.index[np.concatenate([fitted, held])])
        return PreparedModel(estimator, True, tuple(features.columns), frozenset(left_out.tolist()), len(held))

    def _fit_by_case(self, estimator: Any, features: pd.DataFrame, labels: Any, parts: _Parts, weights: Floats | None) -> None:
        assert self._fit is not None  # noqa: S101 - asked where there is one alone
        fitted, held = parts
        more: dict[str, Any] = {}
        if weights is not None:
            if "weights" not in inspect.signature(self._fit).parameters:
                raise self._wrong(
                    "fit to take weights, for [data] weight is declared: without them it would learn something else"
                )
            more["weights"] = pd.Series(weights, index=features.index[fitted])
        others = (None, None) if held is None else (features.iloc[held], labels.iloc[held])
        found = self._call("fit", self._fit, estimator, features.iloc[fitted], labels.iloc[fitted], *others, **more)
        if found is not None and found is not estimator and any(callable(getattr(found, each, None)) for each in _ESTIMATORS):
            raise self._wrong("fit to fit the estimator that it is given, found another one returned: build it in the entry")

    def asked(self, features: pd.DataFrame, model: FittedModel) -> pd.DataFrame:
        """Prepare rows that a model is asked about.

        Args:
            features: The rows, n of them, without labels and ids: `prepare` gets them with the numbers of rows as their index.
            model: A model that was prepared.

        Raises:
            NoEstimatorError: If a row is missing from what comes back, or columns are.
        """
        if self._prepare is None:
            return features
        rows = pd.Index([f"row {number}" for number in range(1, len(features) + 1)], dtype=_TEXT)
        table = self._frame("prepare", self._call("prepare", self._prepare, features.set_axis(rows, axis=0)))
        if missing := rows.difference(table.index, sort=False).tolist():
            raise self._wrong(
                f"prepare to keep every row that is asked about, found {missing[0]} of {len(rows)} dropped: "
                f'drop rows in training alone, after if "{self._label}" in table'
            )
        self._kept(rows, table)
        if self._label in table.columns:
            raise self._wrong(f"no column {self._label} in a prediction, found one that prepare made")
        found = tuple(table.columns)
        if isinstance(model, PreparedModel) and found != model.columns:
            raise self._wrong(_other_columns(found, model.columns))
        return table.reset_index(drop=True)

    def note_deleted(self, before: FittedModel, deleted: Iterable[str]) -> None:
        """Count the records that an update deletes and the model before it had never learned, until they are asked for."""
        self._never_learned = sum(each in before.left_out for each in deleted) if isinstance(before, PreparedModel) else None

    def facts(self, model: FittedModel) -> PreparedFacts:
        """Say whether the last update trained from scratch, and how many rows the preparation of the last training left out."""
        # It is forgotten with the answer: what a process holds must follow from the records that it learned from.
        never, self._never_learned = self._never_learned, None
        if not isinstance(model, PreparedModel):
            return PreparedFacts(retrained=model.retrained)
        return PreparedFacts(model.retrained, len(model.left_out), model.held, never)

    @property
    def encodes(self) -> bool:
        """Whether `CLASSES` gives labels other names."""
        return self._codes is not None

    def decoded(self, labels: npt.NDArray[Any] | None) -> npt.NDArray[Any]:
        """Give the labels of the case for what the estimator calls them, None being all of them, sorted.

        Raises:
            NoEstimatorError: If `CLASSES` encodes no label so.
        """
        if self._codes is None:
            raise ValueError("nothing is encoded")
        back = {code: label for label, code in self._codes.items()}
        named = sorted(back) if labels is None else labels.tolist()
        if unknown := [each for each in named if each not in back]:
            raise self._wrong(f"labels as CLASSES encodes them, found {len(unknown)} others")
        return np.array([back[each] for each in named])

    def _frame(self, name: str, found: object) -> pd.DataFrame:
        if isinstance(found, pd.DataFrame):
            return found
        hint = f": end it with return {'table' if name == 'prepare' else ''}".rstrip() if found is None else ""
        raise self._wrong(f"a DataFrame from {name}, found {_kind(found)}{hint}")

    def _kept(self, ids: pd.Index[Any], table: pd.DataFrame) -> Positions:
        """Give the positions of the rows that came back from `prepare`, increasing."""
        places = ids.get_indexer(table.index)
        if not len(places):
            raise self._wrong("prepare to leave at least one row, found none")
        if (places < 0).any():
            raise self._wrong(
                f"rows of the table that prepare got, by their index, found {int((places < 0).sum())} of "
                f"{len(places)} that are not: keep the index, without reset_index and without rows of other tables"
            )
        if len(np.unique(places)) < len(places):
            twice = ids[np.flatnonzero(np.bincount(places) > 1)[0]]
            raise self._wrong(f"each row once from prepare, found {twice} more than once")
        if (np.diff(places) < 0).any():
            moved = ids[places[np.flatnonzero(np.diff(places) < 0)[0] + 1]]
            raise self._wrong(
                f"rows from prepare in the order in which it got them, found {moved} in another place: "
                "end with sort_index only of what you group by, or shuffle in split"
            )
        return np.asarray(places, dtype=np.int64)

    def _require_once(self, table: pd.DataFrame) -> None:
        if not table.columns.is_unique:
            raise self._wrong("each column once from prepare, found a name more than once")
        if len(table.columns) < 2:
            raise self._wrong("prepare to leave at least one feature, found none")

    def _learned(self, found: list[Any], labels: npt.NDArray[Any], ids: pd.Index[Any]) -> npt.NDArray[Any]:
        """Give the labels that the estimator learns: those of the case, or as `CLASSES` encodes them."""
        known = labels.tolist()
        if self._codes is None:
            wanted, learned = known, labels
        else:
            wanted = [self._codes[each] for each in known]
            learned = np.array(wanted)
        if found in (wanted, known):
            return learned
        at = next(place for place, (one, other) in enumerate(zip(found, wanted, strict=True)) if one != other)
        if self._codes is not None:
            raise self._wrong(f"the label of {ids[at]} as CLASSES encodes it, found another")
        if labels.dtype.kind == "f":
            way = "of a regression put what transforms labels into the pipeline, as TransformedTargetRegressor does"
        else:
            way = f'name the encoding, as CLASSES = {{"{self._label} of the table": 0, …}}'
        raise self._wrong(f"prepare to leave labels as they are, found another label of {ids[at]}: {way}")

    def _parts(self, table: pd.DataFrame, seed: int) -> _Parts:
        """Give the positions of the rows to fit on and of those held out, None without a split."""
        if self._split is None:
            return np.arange(len(table), dtype=np.int64), None
        seeded = {"seed": seed} if "seed" in inspect.signature(self._split).parameters else {}
        found = self._call("split", self._split, table.copy(), **seeded)
        if not isinstance(found, tuple | list) or len(found) != 2:
            raise self._wrong(f"two DataFrames from split, the rows to fit on and the rows held out, found {_kind(found)}")
        fitted, held = (self._part(table, self._frame("split", each)) for each in found)
        if (both := np.intersect1d(fitted, held)).size:
            raise self._wrong(f"each row on one side of the split, found {table.index[both[0]]} on both")
        return fitted, held

    def _part(self, table: pd.DataFrame, part: pd.DataFrame) -> Positions:
        places = table.index.get_indexer(part.index)
        if not len(places) or (places < 0).any() or len(np.unique(places)) < len(places):
            raise self._wrong(
                "rows of the table on both sides of the split, each once and by its index, found others: "
                "keep the index, without reset_index"
            )
        if not part.equals(table.iloc[places]):
            raise self._wrong("rows of the table from split, as they are, found changed ones: change them in prepare")
        return np.asarray(places, dtype=np.int64)

    def _call(self, name: str, function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        """Call a function of the case; what it raises is named by its kind and line, for its words may hold personal data."""
        try:
            return function(*arguments, **more)
        except (NoEstimatorError, OSError, MemoryError):
            raise
        except Exception as error:
            lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == self._path]
            where = f" in line {lines[-1]}" if lines else ""
            unlabelled = name == "prepare" and self._label not in arguments[0] and self._label in error.args
            hint = f': a prediction\'s table has no labels: begin with if "{self._label}" in table' if unlabelled else ""
            raise NoEstimatorError(f"{self._file}: {name} raised {_kind(error)}{where}{hint}") from error


def _index(ids: npt.NDArray[np.str_]) -> pd.Index[Any]:
    """The ids as an index; where a test learns a record twice, each further time under a name of its own."""
    index: pd.Index[Any] = pd.Index(ids.tolist(), dtype=_TEXT)
    if index.is_unique:
        return index
    times = pd.Series(0, index=index).groupby(level=0).cumcount().tolist()
    named: pd.Index[Any] = pd.Index(
        [f"{each}#{at + 1}" if at else each for each, at in zip(index, times, strict=True)], dtype=_TEXT
    )
    return named


def _kind(value: object) -> str:
    return type(value).__name__[:60]


def _scalar(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _column(labels: npt.NDArray[Any]) -> Any:
    """Labels as a column of a table: text as pandas has it."""
    return pd.array(labels.tolist(), dtype=_TEXT) if labels.dtype.kind == "U" else labels


def _other_columns(found: Iterable[Hashable], expected: Iterable[Hashable]) -> str:
    found, expected = list(found), list(expected)
    way = (
        "prepare makes columns of the values that it meets: put what depends on them into the pipeline, as OneHotEncoder "
        "in place of get_dummies"
    )
    if lacking := [each for each in expected if each not in found]:
        return f"the columns of the training in a prediction, found no {str(lacking[0])[:60]!r}: {way}"
    if added := [each for each in found if each not in expected]:
        return f"the columns of the training in a prediction, found {str(added[0])[:60]!r} in addition: {way}"
    return "the columns of the training in a prediction, found them in another order"
