"""Refits give what fitting every model by itself gives: 1e-9 of the size of the predictions, and the same ties."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets

from auditor.base.records import Dataset, Floats
from auditor.learning import leave_out_solvers
from auditor.learning.leave_out_solvers import least_squares, logistic
from auditor.learning.leave_out_solvers.rounds import Round

CLOSE = 1e-9
NEIGHBOURS = "sklearn.neighbors.KNeighbors"
REGRESSORS: dict[str, tuple[str, dict[str, Any]]] = {
    "least squares": ("sklearn.linear_model.LinearRegression", {}),
    "without intercept": ("sklearn.linear_model.LinearRegression", {"fit_intercept": False}),
    "ridge": ("sklearn.linear_model.Ridge", {"alpha": 0.3}),
    "ridge without intercept": ("sklearn.linear_model.Ridge", {"alpha": 2.0, "fit_intercept": False, "solver": "svd"}),
    "lasso": ("sklearn.linear_model.Lasso", {"alpha": 0.1}),
    "elastic net": ("sklearn.linear_model.ElasticNet", {"alpha": 0.01, "l1_ratio": 0.3, "tol": 1e-6}),
    "neighbours": ("sklearn.neighbors.KNeighborsRegressor", {}),
    "nearest": ("sklearn.neighbors.KNeighborsRegressor", {"n_neighbors": 1, "p": 1}),
}
NEWTON = {"solver": "newton-cholesky", "tol": 1e-10}
CLASSIFIERS: dict[str, tuple[str, dict[str, Any]]] = {
    "logistic": ("sklearn.linear_model.LogisticRegression", NEWTON),
    "logistic without intercept": ("sklearn.linear_model.LogisticRegression", {**NEWTON, "fit_intercept": False, "C": 0.1}),
    "neighbours": ("sklearn.neighbors.KNeighborsClassifier", {}),
    "nearest": ("sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 1}),
    "by brute force": ("sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 3, "algorithm": "brute"}),
}


def settings_of(named: tuple[str, dict[str, Any]], data: Dataset, *, classes: bool) -> dict[str, Any]:
    found = np.unique(data.labels).tolist() if classes else None
    return {"estimator": named[0], "params": named[1], "unlearn_by": "retrain", "classes": found}


def table(features: Floats, labels: Any) -> Dataset:
    return Dataset(
        np.asarray(features, dtype=np.float64), np.asarray(labels), np.array([f"r{row}" for row in range(len(labels))])
    )


def drawn(data: Dataset, count: int, *, sizes: tuple[int, ...] = (1, 1, 3), seed: int = 0) -> list[Round]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        trained = np.sort(rng.permutation(len(data))[: int(0.9 * len(data))])
        deleted = tuple(rng.choice(trained, size, replace=False) for size in sizes)
        found.append(Round(trained, deleted, data.features[[deleted[0][0], *rng.integers(len(data), size=4)]]))
    return found


def compare(given_settings: dict[str, Any], data: Dataset, asked: list[Round], *, close: float = CLOSE) -> None:
    assert leave_out_solvers.applies(given_settings)
    found = leave_out_solvers.play(given_settings, data, asked)
    for one, each in zip(found, asked, strict=True):
        plain = leave_out_solvers.plainly(given_settings, data, each)
        size = max(float(np.abs(plain.before).max()), 1e-300)
        np.testing.assert_allclose(one.before, plain.before, rtol=0, atol=close * size)
        for ours, theirs in zip(one.after, plain.after, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=close * size)
            if "linear_model" not in given_settings["estimator"] or "Lasso" in given_settings["estimator"]:
                assert np.array_equal(ours == one.before, theirs == plain.before)


@pytest.mark.parametrize("name", REGRESSORS)
def test_regression_on_diabetes_is_that_of_plain_fits(name: str) -> None:
    data = table(*datasets.load_diabetes(return_X_y=True))
    compare(settings_of(REGRESSORS[name], data, classes=False), data, drawn(data, 3))


@pytest.mark.parametrize("loader", ["iris", "wine", "breast_cancer"])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classification_is_that_of_plain_fits(name: str, loader: str) -> None:
    data = table(*getattr(datasets, f"load_{loader}")(return_X_y=True))
    compare(settings_of(CLASSIFIERS[name], data, classes=True), data, drawn(data, 3))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), k=st.sampled_from([1, 2, 5]), brute=st.booleans(), values=st.sampled_from([2, 4]))
def test_equal_distances_are_broken_as_the_estimator_breaks_them(seed: int, k: int, brute: bool, values: int) -> None:
    rng = np.random.default_rng(seed)
    data = table(rng.integers(values, size=(40, 3)).astype(float), rng.permutation(np.arange(40) % 3))
    params = {"n_neighbors": k, "algorithm": "brute" if brute else "auto"}
    compare(settings_of((f"{NEIGHBOURS}Classifier", params), data, classes=True), data, drawn(data, 1, seed=seed))
    targets = table(data.features, rng.normal(size=40))
    compare(settings_of((f"{NEIGHBOURS}Regressor", params), targets, classes=False), targets, drawn(targets, 1, seed=seed))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), shift=st.sampled_from([0.0, 1e3]), intercept=st.booleans())
def test_least_squares_on_any_columns_is_that_of_plain_fits(seed: int, shift: float, intercept: bool) -> None:
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(30, 4)) * 10.0 ** rng.integers(-1, 2, size=4) + shift
    data = table(features, features @ rng.normal(size=4) + rng.normal(size=30))
    named = ("sklearn.linear_model.LinearRegression", {"fit_intercept": intercept})
    compare(settings_of(named, data, classes=False), data, drawn(data, 2, seed=seed))


@pytest.mark.parametrize(
    "case", ["two columns alike", "a constant column", "a record alone in a column", "fewer records than columns"]
)
def test_what_lacks_rank_is_fitted_as_it_is(case: str) -> None:
    rng = np.random.default_rng(4)
    features = rng.normal(size=(20, 3))
    match case:
        case "two columns alike":
            features[:, 1] = features[:, 0]
        case "a constant column":
            features[:, 1] = 7.0
        case "a record alone in a column":
            features[:, 1] = np.arange(20) == 3
        case _:
            features = rng.normal(size=(20, 25))
    data = table(features, rng.normal(size=20))
    asked = [Round(np.arange(20), (np.array([3]),), features[:4])]
    given_settings = settings_of(("sklearn.linear_model.LinearRegression", {}), data, classes=False)
    compare(given_settings, data, asked)
    assert least_squares.play({"estimator": "LinearRegression"}, data, None, asked) == [None]


def test_a_deletion_that_takes_a_class_is_fitted_as_it_is() -> None:
    features, labels = datasets.load_iris(return_X_y=True)
    data = table(features[:103], labels[:103])
    asked = [Round(np.arange(103), (np.arange(100, 103), np.array([5])), features[:3])]
    for name in ("logistic", "neighbours"):
        compare(settings_of(CLASSIFIERS[name], data, classes=True), data, asked)


def test_the_minimum_is_found_to_the_last_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where steps go on to a far smaller tolerance nothing moves: what is left is rounding."""
    data = table(*datasets.load_wine(return_X_y=True))
    asked = drawn(data, 3)
    given_settings = settings_of(CLASSIFIERS["logistic"], data, classes=True)
    found = leave_out_solvers.play(given_settings, data, asked)
    monkeypatch.setattr(logistic, "SETTLED", 1e-11)
    finer = leave_out_solvers.play(given_settings, data, asked)
    for one, other in zip(found, finer, strict=True):
        np.testing.assert_allclose(one.before, other.before, rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    ("estimator", "params"),
    [
        ("sklearn.linear_model.LogisticRegression", {}),
        ("sklearn.linear_model.LogisticRegression", {"solver": "lbfgs", "tol": 1e-12}),
        ("sklearn.linear_model.LogisticRegression", {**NEWTON, "tol": 1e-6}),
        ("sklearn.linear_model.LogisticRegression", {**NEWTON, "class_weight": "balanced"}),
        ("sklearn.linear_model.LinearRegression", {"positive": True}),
        ("sklearn.linear_model.Ridge", {"solver": "sag"}),
        ("sklearn.linear_model.Ridge", {"alpha": 0.0}),
        ("sklearn.linear_model.Lasso", {"selection": "random"}),
        ("sklearn.linear_model.Lasso", {"warm_start": True}),
        ("sklearn.linear_model.ElasticNet", {"precompute": True}),
        ("sklearn.neighbors.KNeighborsClassifier", {"weights": "distance"}),
        ("sklearn.neighbors.KNeighborsClassifier", {"metric": "cosine"}),
        ("sklearn.neighbors.KNeighborsClassifier", {"p": 3}),
        ("sklearn.linear_model.Ridge", {"alpha": "one"}),
        ("sklearn.linear_model.LinearRegression", {"unknown": 1}),
        ("sklearn.linear_model.LinearRegression", {"fit_intercept": "no"}),
        ("sklearn.linear_model.Lasso", {"alpha": [1.0]}),
        ("sklearn.linear_model.Lasso", {"max_iter": 0}),
        ("sklearn.linear_model.ElasticNet", {"l1_ratio": 2.0}),
        ("sklearn.linear_model.LogisticRegression", {**NEWTON, "tol": "small"}),
        ("sklearn.linear_model.LogisticRegression", {**NEWTON, "C": float("nan")}),
        ("sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 0}),
        ("sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 2.5}),
        ("sklearn.neighbors.KNeighborsClassifier", {"p": [2]}),
        ("sklearn.tree.DecisionTreeClassifier", {}),
        ("elsewhere.linear_model.Ridge", {}),
    ],
)
def test_other_learners_are_left_alone(estimator: str, params: dict[str, Any]) -> None:
    given_settings = {"estimator": estimator, "params": params, "unlearn_by": "retrain", "classes": [0, 1]}
    assert not leave_out_solvers.applies(given_settings)
    data = table(np.zeros((4, 1)), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="refits apply to"):
        leave_out_solvers.play(given_settings, data, [])


def test_doing_nothing_is_no_refit() -> None:
    given_settings = {"estimator": "sklearn.linear_model.Ridge", "params": {}, "unlearn_by": "none", "classes": None}
    assert not leave_out_solvers.applies(given_settings)


def test_the_default_optimiser_stops_farther_from_the_minimum_than_one_record_moves_it() -> None:
    """Why `LogisticRegression()` is fitted as it is: its answers are another learner's."""
    data = table(*datasets.load_wine(return_X_y=True))
    asked = drawn(data, 4, sizes=(1,))
    converged = leave_out_solvers.play(settings_of(CLASSIFIERS["logistic"], data, classes=True), data, asked)
    default = settings_of(("sklearn.linear_model.LogisticRegression", {}), data, classes=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = [leave_out_solvers.plainly(default, data, each) for each in asked]
    apart = [float(np.abs(one.before - other.before).max()) for one, other in zip(converged, plain, strict=True)]
    moved = [float(np.abs(one.after[0] - one.before).max()) for one in converged]
    assert float(np.median(apart)) > float(np.median(moved))
