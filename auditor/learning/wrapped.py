"""Whatever has scikit-learn's fit and predict as a learning procedure that unlearns by training from scratch, or not at all.

The controller's function builds the estimator; preprocessing is a part of it and is fitted again with it. This module runs in the
process of that code and believes nothing of it: what it returns is checked once more by the auditor.
"""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import numpy.typing as npt

from auditor.base.own_formats import WHOLE_ESTIMATOR, OwnFormat
from auditor.base.records import Floats, Positions
from auditor.learning import own_files, state_arrays
from auditor.learning.facts import Facts
from auditor.learning.fitted import FittedModel, NoEstimatorError

if TYPE_CHECKING:
    from auditor.learning.prepared import Preparation

_ROUNDED: Final = 1e-4
"""How far probabilities in float32 may be from a sum of one."""


class Wrapped:
    """Learning with what the controller's function builds, and unlearning by building it again, or by keeping the model.

    The function gets the seed of the call, reduced to 31 bits by NumPy's SeedSequence: every library takes so many.
    """

    def __init__(
        self,
        *,
        module: Callable[..., Any],
        params: Mapping[str, Any],
        unlearn_by: Literal["retrain", "none"],
        classes: Sequence[int | str] | None,
        file_kind: OwnFormat | None = None,
        file_part: str | None = None,
        prepare: ModuleType | None = None,
        label: str = "",
    ) -> None:
        """Keep the function.

        Args:
            module: `module(seed, **params)` gives an unfitted estimator.
            params: Its other arguments.
            unlearn_by: Whether a batch is answered by training from scratch on what remains, or not at all.
            classes: The distinct labels of the training data, sorted: one column of predictions each. None for regression.
            file_kind: The format of the model file about to be released; None where there is none to be compared.
            file_part: The step of a pipeline that it holds, or of a prepared estimator all of it; None where it holds everything.
            prepare: The module that prepares the rows of each training; None where the estimator gets them as they are.
            label: The column of labels, which that module is given in training.

        Raises:
            NoEstimatorError: If the module defines nothing that prepares.
        """
        self._preparation: Preparation | None = None
        if prepare is not None:
            from auditor.learning.prepared import Preparation  # noqa: PLC0415 - pandas takes half a second

            self._preparation = Preparation(prepare, label=label, classes=classes)
        self._file_kind, self._file_part = file_kind, file_part
        self._build, self._params, self._unlearn_by = module, dict(params), unlearn_by
        self._classes = None if classes is None else np.array(classes)

    def learn(self, data: Any, seed: int) -> FittedModel:
        """Build an estimator and fit it.

        Raises:
            NoEstimatorError: If it has no `fit`, or neither `predict_proba` nor `predict`; or if its rows are prepared wrongly.
        """
        drawn = int(np.random.SeedSequence(seed).generate_state(1)[0] >> 1)
        estimator = self._build(drawn, **copy.deepcopy(self._params))
        if not callable(getattr(estimator, "fit", None)):
            raise NoEstimatorError(f"expected an estimator with a method fit, found {type(estimator).__name__}")
        if not any(callable(getattr(type(estimator), name, None)) for name in ("predict_proba", "predict")):
            raise NoEstimatorError(f"expected an estimator with predict_proba or predict, found {type(estimator).__name__}")
        if self._preparation is not None:
            return self._preparation.train(estimator, data, drawn, _weights)
        # What it returns may be anything: that it is the estimator itself is a habit.
        estimator.fit(data.features, data.labels, **_weights(estimator, data.weights))
        return FittedModel(estimator, retrained=True)

    def unlearn(self, model: FittedModel, data: Any, forget: Positions, seed: int) -> FittedModel:
        """Build and fit another on the rows of `data` that are not in `forget`, shape (m,); or hand the old one on."""
        if self._unlearn_by == "none":
            return replace(model, retrained=False)
        if self._preparation is not None:
            self._preparation.note_deleted(model, data.ids[forget].tolist())
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data)), forget)), seed)

    def predict(self, model: FittedModel, features: Any) -> Floats:
        """Probabilities of the classes, shape (n, classes), or real values for regression, shape (n,).

        A class that the estimator never saw has probability 0. One without `predict_proba` gives probability 1 to the class that
        it predicts.

        Raises:
            NoEstimatorError: If it answers in another shape, or with classes that the training data lack.
        """
        rows = len(features)
        if self._preparation is not None:
            features = self._preparation.asked(features, model)
        if self._classes is None:
            return _of_shape(_numbers(model.estimator.predict(features)).reshape(-1), (rows,))
        found = np.zeros((rows, len(self._classes)))
        if not hasattr(model.estimator, "predict_proba"):
            named = np.asarray(model.estimator.predict(features)).reshape(-1)
            found[np.arange(rows), self._places(self._decoded(_of_shape(named, (rows,))))] = 1.0
            return found
        given = _numbers(model.estimator.predict_proba(features))
        learned = getattr(model.estimator, "classes_", None)
        seen = self._places(self._decoded(None if learned is None else np.asarray(learned)))
        found[:, seen] = _of_shape(given, (rows, len(seen)))
        sums = found.sum(axis=1, keepdims=True)
        # In float32 the sum of many classes is further from one than the auditor takes.
        return np.where(np.abs(sums - 1.0) < _ROUNDED, found / np.where(sums > 0, sums, 1.0), found)

    def _decoded(self, labels: npt.NDArray[Any] | None) -> npt.NDArray[Any]:
        """Labels of the case for what the estimator calls them; None stands for all of them."""
        assert self._classes is not None  # noqa: S101 - asked of classifications alone
        if self._preparation is None or not self._preparation.encodes:
            return self._classes if labels is None else labels
        return self._preparation.decoded(labels)

    def _places(self, labels: npt.NDArray[Any]) -> Positions:
        assert self._classes is not None  # noqa: S101 - asked of classifications alone
        places = np.minimum(np.searchsorted(self._classes, labels), len(self._classes) - 1)
        if labels.ndim != 1 or not np.array_equal(self._classes[places], labels):
            raise NoEstimatorError("expected labels that the training data have, found others")
        return np.asarray(places, dtype=np.int64)

    def state(self, model: FittedModel) -> bytes:
        """Everything that the fitted estimator holds: its arrays and texts one after another, in the .npy format.

        LightGBM and XGBoost give what they learned in their own formats. What cannot be taken apart is pickled instead; nobody
        unpickles it.
        """
        try:
            # As an attribute of something plain: an estimator may keep its own in slots.
            return state_arrays.npy(state_arrays.arrays(SimpleNamespace(estimator=model.estimator)))
        except TypeError:
            return pickle.dumps(model.estimator, protocol=4)

    def save(self, model: FittedModel, path: str) -> None:
        """Write the file that is released, where there is one to be compared with; else, or where that cannot be, the state."""
        part = self._file_part
        if self._preparation is not None and part == WHOLE_ESTIMATOR and part not in dict(getattr(model.estimator, "steps", ())):
            part = None
        if self._file_kind is not None and own_files.write(model.estimator, self._file_kind, part, path):
            return
        Path(path).write_bytes(self.state(model))

    def facts(self, model: FittedModel) -> Facts:
        """Whether the last update trained from scratch, and how many rows its preparation left out."""
        return Facts(retrained=model.retrained) if self._preparation is None else self._preparation.facts(model)


def _numbers(value: Any) -> Floats:
    """An answer as plain float64, whatever class of array or table it came in; what is no number is refused by name."""
    try:
        return np.array(value, dtype=np.float64, subok=False)
    except (TypeError, ValueError) as error:
        raise NoEstimatorError(f"expected numbers, found {type(value).__name__}") from error


def _of_shape(value: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    if value.shape != shape:
        raise NoEstimatorError(f"expected predictions of shape {shape}, found {value.shape}")
    return value


def _weights(estimator: Any, weights: Floats | None) -> dict[str, Any]:
    """Weights of the records as `fit` takes them: by name, or of a pipeline for its last step.

    Raises:
        NoEstimatorError: If there are weights and it takes none: without them it would learn something else.
    """
    if weights is None:
        return {}
    steps = getattr(estimator, "steps", None)
    if steps:
        return {f"{steps[-1][0]}__sample_weight": weights}
    taken = inspect.signature(estimator.fit).parameters
    if "sample_weight" in taken or any(each.kind is each.VAR_KEYWORD for each in taken.values()):
        return {"sample_weight": weights}
    raise NoEstimatorError("expected a fit that takes sample_weight, for [data] weight is declared")
