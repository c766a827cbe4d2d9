"""Any classifier or regressor of scikit-learn as a learning procedure that unlearns by training from scratch, or not at all."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from auditor.base.own_formats import OwnFormat
from auditor.base.records import Dataset, Floats, Positions
from auditor.learning import own_files, state_arrays
from auditor.learning.facts import Facts
from auditor.learning.fitted import FittedModel

_LINEAR_ELSEWHERE = frozenset({"LinearSVC", "LinearSVR", "LinearDiscriminantAnalysis"})
_NOT_LINEAR = frozenset({"RANSACRegressor"})


def make(
    *,
    estimator: str,
    params: Mapping[str, Any],
    unlearn_by: Literal["retrain", "none"],
    classes: Sequence[int | str] | None,
    file_kind: OwnFormat | None = None,
) -> Estimator:
    """The procedure for one estimator.

    Args:
        estimator: The full name under which scikit-learn defines it; the caller found it in scikit-learn's own list.
        params: Keyword arguments of its constructor.
        unlearn_by: Whether a batch is answered by training from scratch on what remains, or not at all.
        classes: The distinct labels of the training data, sorted: one column of predictions each. None for regression.
        file_kind: The format of the model file about to be released; None where it is one of arrays.

    Raises:
        ValueError: If the name is not that of an estimator defined in scikit-learn.
    """
    made = _class_of(estimator)
    procedure = LinearEstimator if is_linear(made) else Estimator
    labels = None if classes is None else np.array(classes)
    return procedure(made, params, unlearn_by=unlearn_by, classes=labels, file_kind=file_kind)


def is_linear(estimator: type) -> bool:
    """Whether a fitted estimator of this class has `coef_` and `intercept_`, which say all about it."""
    name = estimator.__name__
    return (estimator.__module__.startswith("sklearn.linear_model.") or name in _LINEAR_ELSEWHERE) and name not in _NOT_LINEAR


def _class_of(name: str) -> type:
    module, _, word = name.rpartition(".")
    if module.partition(".")[0] != "sklearn":
        raise ValueError(f"expected the name of an estimator in scikit-learn, found {name!r}")
    found = getattr(import_module(module), word, None)
    if isinstance(found, type) and issubclass(found, BaseEstimator) and issubclass(found, ClassifierMixin | RegressorMixin):
        return found
    raise ValueError(f"expected the name of a classifier or regressor in scikit-learn, found {name!r}")


class Estimator:
    """Learning with an estimator, and unlearning by training a new one on what remains, or by keeping the model.

    Where the estimator has a `random_state`, it is the seed of the call, reduced to 32 bits by NumPy's SeedSequence.
    """

    def __init__(
        self,
        estimator: type,
        params: Mapping[str, Any],
        *,
        unlearn_by: Literal["retrain", "none"],
        classes: npt.NDArray[Any] | None,
        file_kind: OwnFormat | None = None,
    ) -> None:
        """Keep the estimator's class and hyperparameters; see `make`."""
        self._class = estimator
        self._params = dict(params)
        self._unlearn_by = unlearn_by
        self._classes, self._file_kind = classes, file_kind
        self._seeded = "random_state" in inspect.signature(estimator).parameters

    def learn(self, data: Dataset, seed: int) -> FittedModel:
        """Train a new estimator on `data`."""
        # Copied, so that no estimator can change the hyperparameters of the next.
        params = copy.deepcopy(self._params)
        if self._seeded:
            params["random_state"] = int(np.random.SeedSequence(seed).generate_state(1)[0])
        estimator: Any = self._class(**params)
        return FittedModel(estimator.fit(data.features, data.labels), retrained=True)

    def unlearn(self, model: FittedModel, data: Dataset, forget: Positions, seed: int) -> FittedModel:
        """Train from scratch on the rows of `data` that are not in `forget`, shape (m,); or hand the old model back."""
        if self._unlearn_by == "none":
            return FittedModel(model.estimator, retrained=False)
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data)), forget)), seed)

    def predict(self, model: FittedModel, features: Floats) -> Floats:
        """Probabilities of the classes, shape (n, classes), or real values for regression, shape (n,).

        A class that the estimator never saw has probability 0. An estimator without `predict_proba` gives probability 1 to the
        class that it predicts: its decision values are no probabilities.
        """
        if self._classes is None:
            values: Floats = np.asarray(model.estimator.predict(features), dtype=np.float64).reshape(len(features))
            return values
        probabilities = np.zeros((len(features), len(self._classes)))
        if hasattr(model.estimator, "predict_proba"):
            seen = np.searchsorted(self._classes, model.estimator.classes_)
            probabilities[:, seen] = model.estimator.predict_proba(features)
        else:
            named = np.searchsorted(self._classes, model.estimator.predict(features))
            probabilities[np.arange(len(features)), named] = 1.0
        return probabilities

    def state(self, model: FittedModel) -> bytes:
        """Every array that the fitted estimator holds, in the .npy format, one after another: hyperparameters are left out."""
        return state_arrays.npy(self._arrays(model))

    def save(self, model: FittedModel, path: str) -> None:
        """Write the file that is released, where it is in a library's own format; else the same arrays as npz, by their paths."""
        if self._file_kind is not None and own_files.write(model.estimator, self._file_kind, None, path):
            return
        with Path(path).open("wb") as file:
            np.savez(file, **{name.replace("/", "_"): array for name, array in self._arrays(model).items()})  # type: ignore[arg-type]

    def load(self, path: str) -> dict[str, npt.NDArray[Any]]:
        """Read the arrays back. They do not make an estimator again: only pickling could, and nothing here is unpickled."""
        with np.load(path, allow_pickle=False) as file:
            return dict(file)

    def facts(self, model: FittedModel) -> Facts:
        """Whether the last update trained from scratch."""
        return Facts(retrained=model.retrained)

    def _arrays(self, model: FittedModel) -> dict[str, npt.NDArray[Any]]:
        return state_arrays.arrays(model.estimator, without=frozenset(model.estimator.get_params(deep=False)))


class LinearEstimator(Estimator):
    """An estimator whose predictions follow from coefficients and an intercept."""

    def parameters(self, model: FittedModel) -> Floats:
        """`coef_` and then `intercept_`, each flattened row by row, shape (p,)."""
        coefficients, intercept = (np.ravel(getattr(model.estimator, name)) for name in ("coef_", "intercept_"))
        return np.concatenate([coefficients, intercept]).astype(np.float64)
