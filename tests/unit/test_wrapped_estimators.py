"""`use = "estimator"`: whatever has fit and predict learns, unlearns by being built again, and is believed in nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import torch
import wrapped_models
import xgboost
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from auditor.learning.fitted import NoEstimatorError
from auditor.learning.wrapped import Wrapped
from auditor.sandbox import object_walk
from auditor.sandbox.frames import Table

SCRATCH = Path("/no/such/scratch")


def table(n: int = 80, *, seed: int = 0, weights: bool = False) -> Table:
    rng = np.random.default_rng(seed)
    rows = pd.DataFrame({"x": rng.normal(size=n), "kind": rng.choice(["a", "b", "c"], n)})
    labels = np.where(rows["x"] + (rows["kind"] == "a") + rng.normal(size=n) > 0, "yes", "no")
    return Table(rows, labels, np.array([f"r{at}" for at in range(n)]), rng.random(n) if weights else None)


def wrapped(kind: str = "Share", *, classes: list[Any] | None = ["no", "yes"], **params: Any) -> Wrapped:  # noqa: B006
    return Wrapped(module=wrapped_models.build, params={"kind": kind, **params}, unlearn_by="retrain", classes=classes)


def pipeline(estimator: Any) -> Any:
    return make_pipeline(
        make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["kind"]), remainder="passthrough"), estimator
    )


def lightgbm_pipeline(seed: int) -> Any:
    exact = {"deterministic": True, "force_col_wise": True}
    return pipeline(lightgbm.LGBMClassifier(n_estimators=4, num_leaves=4, random_state=seed, verbosity=-1, n_jobs=1, **exact))


def xgboost_pipeline(seed: int) -> Any:
    return pipeline(xgboost.XGBClassifier(n_estimators=4, max_depth=2, random_state=seed, n_jobs=1))


def sklearn_pipeline(seed: int) -> Any:
    return pipeline(HistGradientBoostingClassifier(max_iter=4, random_state=seed, early_stopping=True))


class Net:
    """A small network of PyTorch behind fit and predict_proba, as skorch wraps them."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def fit(self, rows: pd.DataFrame, labels: Any) -> Net:
        self.classes_, codes = np.unique(labels, return_inverse=True)
        generator = torch.Generator().manual_seed(self.seed)
        self.layer = torch.nn.Linear(1, 2)
        torch.nn.init.normal_(self.layer.weight, generator=generator)
        torch.nn.init.zeros_(self.layer.bias)
        steps = torch.optim.SGD(self.layer.parameters(), lr=0.1)
        for _ in range(3):
            steps.zero_grad()
            torch.nn.functional.cross_entropy(self.layer(self.numbers(rows)), torch.tensor(codes)).backward()
            steps.step()
        return self

    def predict_proba(self, rows: pd.DataFrame) -> Any:
        with torch.no_grad():
            return torch.softmax(self.layer(self.numbers(rows)), 1).numpy()

    def numbers(self, rows: pd.DataFrame) -> Any:
        return torch.tensor(rows[["x"]].to_numpy(), dtype=torch.float32)


def by(build: Any, classes: list[Any]) -> Wrapped:
    return Wrapped(module=build, params={}, unlearn_by="retrain", classes=classes)


@pytest.mark.parametrize("build", [lightgbm_pipeline, xgboost_pipeline, sklearn_pipeline, Net])
def test_unlearning_gives_what_learning_the_rest_gives_bit_for_bit(build):
    data = table()
    if build is xgboost_pipeline:  # which takes labels from 0 on alone
        data = Table(data.features, (data.labels == "yes").astype(np.int64), data.ids)
    procedure = by(build, np.unique(data.labels).tolist())
    forget = np.array([1, 5], dtype=np.int64)
    learned = procedure.learn(data, 2**80)
    unlearned = procedure.unlearn(learned, data, forget, 7)
    again = procedure.learn(data.subset(np.delete(np.arange(len(data)), forget)), 7)
    np.testing.assert_array_equal(procedure.predict(unlearned, data.features), procedure.predict(again, data.features))
    assert procedure.state(unlearned) == procedure.state(again) != procedure.state(learned)
    walks = [object_walk.walk(each, procedure, SCRATCH) for each in (unlearned, again, learned)]
    assert not walks[0]["cut"]
    assert walks[0]["items"] == walks[1]["items"] != walks[2]["items"]
    assert procedure.predict(learned, data.features).sum(axis=1) == pytest.approx(1.0, abs=1e-6)


def test_state_and_file_show_the_trees_of_a_booster(tmp_path):
    data = table()
    procedure = by(lightgbm_pipeline, ["no", "yes"])
    learned = procedure.learn(data, 1)
    procedure.save(learned, str(tmp_path / "saved"))
    assert b"Tree=3" in procedure.state(learned)
    assert (tmp_path / "saved").read_bytes() == procedure.state(learned)


def test_labels_weights_and_absent_classes():
    data = table(weights=True)
    procedure = wrapped(classes=["maybe", "no", "yes"])
    found = procedure.predict(procedure.learn(data, 1), data.features)
    assert found.shape == (80, 3)
    assert (found[:, 0] == 0).all()
    assert data.weights is not None
    assert found[0, 2] == pytest.approx(data.weights[data.labels == "yes"].sum() / data.weights.sum())
    assert by(lightgbm_pipeline, ["no", "yes"]).learn(data, 1)
    with pytest.raises(NoEstimatorError, match="sample_weight"):
        wrapped("Mean", classes=None).learn(data, 1)


def test_a_regression_returns_one_number_a_row():
    data = table()
    numbers = Table(data.features, np.arange(80.0), data.ids)
    procedure = wrapped("Mean", classes=None)
    np.testing.assert_array_equal(procedure.predict(procedure.learn(numbers, 1), data.features), np.full(80, 39.5))


@pytest.mark.parametrize("answer", ["frame", "float32"])
def test_other_forms_of_the_same_answer_are_taken(answer):
    data = table()
    procedure = wrapped("Answers", answer=answer)
    np.testing.assert_allclose(
        procedure.predict(procedure.learn(data, 1), data.features), wrapped().predict(wrapped().learn(data, 1), data.features)
    )


@pytest.mark.parametrize("answer", ["subclass", "short", "wide", "flat", "objects", "text", "none"])
def test_answers_of_another_shape_or_kind_are_refused(answer):
    data = table()
    procedure = wrapped("Answers", answer=answer)
    with pytest.raises(NoEstimatorError, match="expected"):
        procedure.predict(procedure.learn(data, 1), data.features)


def test_no_answer_turns_nan_into_a_probability():
    data = table()
    procedure = wrapped("Answers", answer="nan")
    assert np.isnan(procedure.predict(procedure.learn(data, 1), data.features)).all()


@pytest.mark.parametrize("kind", ["nothing", "number", "Unknown"])
def test_what_is_no_estimator_is_refused_by_name(kind):
    data = table()
    procedure = wrapped(kind)

    def asked() -> None:
        procedure.predict(procedure.learn(data, 1), data.features)

    with pytest.raises(NoEstimatorError, match="expected"):
        asked()


def test_rows_in_a_global_of_the_module_show_in_the_walk(monkeypatch, tmp_path):
    # As the sandbox imports it: the module of the case lies in the folder of code.
    (tmp_path / "code").mkdir()
    monkeypatch.setattr(wrapped_models, "__file__", str(tmp_path / "code" / "model.py"))
    data, walks = table(), []
    for rows in (data, data.subset(np.arange(2, 80))):
        monkeypatch.setattr(wrapped_models, "KEPT", [])
        procedure = wrapped("Keeper")
        learned = procedure.learn(rows, 1)
        if rows is data:
            learned = procedure.unlearn(learned, rows, np.array([0, 1]), 1)
        walks.append({(each[0], each[4]) for each in object_walk.walk(learned, procedure, tmp_path)["items"]})
    assert walks[0] != walks[1]


@pytest.mark.parametrize("kind", ["Shut", "Trap"])
def test_what_cannot_be_taken_apart_is_never_unpickled(kind, capsys):
    data = table()
    procedure = wrapped(kind)
    learned = procedure.learn(data, 1)
    if kind == "Shut":
        with pytest.raises(TypeError):
            procedure.state(learned)
    else:
        assert procedure.state(learned)
    assert "unpickled" not in capsys.readouterr().out
