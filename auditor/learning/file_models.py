"""Predict from a model file in a library's own format, in the sandbox alone.

A loaded file predicts without any code of the controller's: what it holds and its library are all there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.base.own_formats import OwnFormat
from auditor.learning.fitted import FittedModel, NoEstimatorError
from auditor.learning.wrapped import Wrapped


class OwnFile(Wrapped):
    """A file that predicts by itself: loaded by its library, without training data, log and code of the case."""

    def __init__(self, *, kind: OwnFormat, classes: Sequence[int | str] | None) -> None:
        """Keep the format, and the labels that the columns of predictions stand for, sorted."""
        super().__init__(module=_nothing, params={}, unlearn_by="none", classes=classes)
        self._kind = kind

    def load(self, path: str) -> FittedModel:
        """Load the file.

        Raises:
            NoEstimatorError: If nothing here predicts from a file of its format.
        """
        match self._kind:
            case "lightgbm":
                import lightgbm  # noqa: PLC0415 - a file needs its own library alone

                return self._fitted(lightgbm.Booster(model_file=path).predict)
            case "xgboost-json" | "xgboost-ubj":
                return self._fitted(_xgboost(path))
            case "skops":
                return FittedModel(_skops(path), retrained=False)
            case "onnx":
                return self._fitted(partial(_ask_graph, _graph(path), self._classes))
            case _:
                raise NoEstimatorError(f"expected a file that a library here predicts from, found one in the format {self._kind}")

    def _fitted(self, predict: Any) -> FittedModel:
        if self._classes is None:
            return FittedModel(SimpleNamespace(predict=predict), retrained=False)
        return FittedModel(_Booster(predict, self._classes), retrained=False)


class _Booster:
    """A booster's answers as scikit-learn's classifiers give them."""

    def __init__(self, predict: Any, classes: npt.NDArray[Any]) -> None:
        self._predict, self.classes_ = predict, classes

    def predict_proba(self, features: Any) -> npt.NDArray[Any]:
        """Shape (n, classes): of two classes a booster gives the second one's alone."""
        found = np.asarray(self._predict(features))
        return np.stack([1.0 - found, found], axis=1) if found.ndim == 1 else found


def _xgboost(path: str) -> Any:
    import xgboost  # noqa: PLC0415 - a file needs its own library alone

    booster = xgboost.Booster(model_file=bytearray(Path(path).read_bytes()))
    best = booster.attr("best_iteration")
    # Where training was stopped early, XGBoost's estimators ask the trees up to the best one alone.
    return partial(booster.inplace_predict, iteration_range=(0, 0 if best is None else int(best) + 1))


def _skops(path: str) -> Any:
    import skops.io  # noqa: PLC0415 - few cases have it

    # The type of an array's elements, as encoders keep it, runs nothing either.
    trusted = [each for each in skops.io.get_untrusted_types(file=path) if each.startswith("sklearn.") or each == "numpy.dtype"]
    return skops.io.load(path, trusted=trusted)


def _graph(path: str) -> Any:
    import onnxruntime  # noqa: PLC0415 - only those have it who ship graphs

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(Path(path).read_bytes(), options, providers=["CPUExecutionProvider"])


def _ask_graph(session: Any, classes: npt.NDArray[Any] | None, features: Any) -> Any:
    """What a graph answers, from one input of all columns or from one of each; its last output counts, as converters write it."""
    wanted = session.get_inputs()
    if len(wanted) == 1:
        given = {wanted[0].name: np.asarray(features, dtype=_kind_of(wanted[0]))}
    else:
        given = {each.name: np.asarray(features[[each.name]], dtype=_kind_of(each)) for each in wanted}
    found = session.run(None, given)[-1]
    if isinstance(found, list) and classes is not None:  # a dictionary for each row
        found = [[row[each] for each in classes.tolist()] for row in found]
    return np.asarray(found, dtype=np.float64)


def _kind_of(value: Any) -> Any:
    return {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(int64)": np.int64}.get(value.type, object)


def _nothing(*_given: Any, **_further: Any) -> Any:
    raise NoEstimatorError("expected a file to load, found a call to learn")
