"""Saving and loading of a library's own files, as the sandbox does it: library classes alone, and predictions as they were."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from auditor.base.model_formats import OwnFormat, format_of
from auditor.learning.file_models import OwnFile
from auditor.learning.fitted import NoEstimatorError
from auditor.learning.own_files import write
from auditor.learning.wrapped import Wrapped

ROWS = np.random.default_rng(0).normal(size=(120, 3))
EXACT: dict[str, Any] = {"n_estimators": 3, "num_leaves": 4, "deterministic": True, "force_col_wise": True, "verbosity": -1}
CLASSES = np.digitize(ROWS[:, 0], [-0.5, 0.5])


def light(labels: Any = ROWS[:, 0] > 0) -> Any:
    return lightgbm.LGBMClassifier(n_jobs=1, **EXACT).fit(ROWS, np.asarray(labels).astype(int))


def extreme(labels: Any = ROWS[:, 0] > 0) -> Any:
    return xgboost.XGBClassifier(n_estimators=3, max_depth=2, n_jobs=1).fit(ROWS, np.asarray(labels).astype(int))


@pytest.mark.parametrize(
    ("kind", "fitted"),
    [
        ("lightgbm", light()),
        ("lightgbm", light(CLASSES)),
        ("xgboost-json", extreme()),
        ("xgboost-ubj", extreme(CLASSES)),
        ("lightgbm", lightgbm.LGBMRegressor(n_jobs=1, **EXACT).fit(ROWS, ROWS[:, 1])),
        ("xgboost-ubj", xgboost.XGBRegressor(n_estimators=3, n_jobs=1).fit(ROWS, ROWS[:, 1])),
    ],
)
def test_what_the_library_saved_predicts_the_very_numbers(tmp_path: Path, kind: OwnFormat, fitted: Any) -> None:
    path = str(tmp_path / "model")
    assert write(fitted, kind, None, path)
    regresses = not hasattr(fitted, "classes_")
    classes = None if regresses else fitted.classes_.tolist()
    own = OwnFile(kind=kind, classes=classes)
    given = Wrapped(module=lambda **_: None, params={}, unlearn_by="retrain", classes=classes)
    loaded = own.load(path)
    expected = given.predict(SimpleNamespace(estimator=fitted), ROWS)
    np.testing.assert_array_equal(own.predict(loaded, ROWS), expected)


def test_xgboost_stopped_early_is_asked_up_to_its_best_tree(tmp_path: Path) -> None:
    stopped = xgboost.XGBRegressor(n_estimators=60, early_stopping_rounds=2, learning_rate=1.0, n_jobs=1)
    noise = np.random.default_rng(1).normal(size=120)
    stopped.fit(ROWS[:60], noise[:60], eval_set=[(ROWS[60:], noise[60:])], verbose=False)
    assert stopped.best_iteration + 1 < stopped.get_booster().num_boosted_rounds()
    assert write(stopped, "xgboost-ubj", None, str(tmp_path / "model"))
    own = OwnFile(kind="xgboost-ubj", classes=None)
    np.testing.assert_array_equal(own.predict(own.load(str(tmp_path / "model")), ROWS), stopped.predict(ROWS))


def test_a_step_is_saved_by_its_name(tmp_path: Path) -> None:
    pipeline = Pipeline([("scale", StandardScaler()), ("trees", lightgbm.LGBMClassifier(n_jobs=1, **EXACT))])
    pipeline.fit(ROWS, CLASSES)
    path = tmp_path / "model"
    assert write(pipeline, "lightgbm", "trees", str(path))
    assert format_of("model.txt", path.read_bytes()) == "lightgbm"
    assert not write(pipeline, "lightgbm", None, str(path))
    assert not write(pipeline, "lightgbm", "nobody", str(path))
    assert not write(pipeline, "xgboost-json", "trees", str(path))
    assert write(pipeline, "lightgbm-dump", "trees", str(path))
    assert format_of("model.json", path.read_bytes()) == "lightgbm-dump"


def test_a_booster_of_another_class_is_none(tmp_path: Path) -> None:
    class Booster(lightgbm.Booster):
        def save_model(self, path: str, *_given: Any) -> None:
            Path(path).write_text("anything")

    fitted = light()
    fitted._Booster = Booster(model_str=fitted.booster_.model_to_string())
    assert not write(fitted, "lightgbm", None, str(tmp_path / "model"))
    assert not write(LinearRegression(), "lightgbm", None, str(tmp_path / "model"))


class Graph:
    """A graph as onnxruntime hands it out."""

    def __init__(self, inputs: dict[str, str], answer: Any) -> None:
        self.inputs, self.answer = inputs, answer

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name=name, type=kind) for name, kind in self.inputs.items()]

    def run(self, _names: None, given: dict[str, Any]) -> list[Any]:
        assert given.keys() == self.inputs.keys()
        assert all(each.dtype == np.float32 or self.inputs[name] != "tensor(float)" for name, each in given.items())
        return [None, self.answer(given)]


@pytest.mark.parametrize("zipped", [True, False])
def test_a_graph_is_asked_through_one_input_or_one_for_each_column(monkeypatch: Any, tmp_path: Path, zipped: bool) -> None:
    table = pd.DataFrame({"x": [0.25, 0.75], "kind": ["a", "b"]})

    def answer(given: dict[str, Any]) -> Any:
        share = given["x"][:, 0].astype(np.float64)
        return [{"no": 1.0 - each, "yes": each} for each in share] if zipped else np.stack([1.0 - share, share], axis=1)

    graph = Graph({"x": "tensor(float)", "kind": "tensor(string)"}, answer)
    library = SimpleNamespace(SessionOptions=SimpleNamespace, InferenceSession=lambda *_given, **_named: graph)
    monkeypatch.setitem(sys.modules, "onnxruntime", library)
    (tmp_path / "model").write_bytes(b"graph")
    own = OwnFile(kind="onnx", classes=["no", "yes"])
    np.testing.assert_array_equal(own.predict(own.load(str(tmp_path / "model")), table), [[0.75, 0.25], [0.25, 0.75]])


def test_nothing_here_predicts_from_a_dump_or_learns_from_a_file(tmp_path: Path) -> None:
    with pytest.raises(NoEstimatorError, match="a library here predicts from"):
        OwnFile(kind="lightgbm-dump", classes=None).load(str(tmp_path / "model"))
    with pytest.raises(NoEstimatorError, match="found a call to learn"):
        OwnFile(kind="lightgbm", classes=None).learn(SimpleNamespace(), 1)
