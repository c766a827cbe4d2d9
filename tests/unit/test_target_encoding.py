"""What columns show of labels of deleted records, and what honest tables never show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.preprocessing import TargetEncoder

from auditor.maths.statistics.target_encoding import target_encoded, targets_of

Encode = Callable[[Any, Any], Any]
N, TOWNS = 400, 12


def towns(rng: np.random.Generator, n: int = N) -> tuple[Any, Any]:
    """Towns of very different sizes, shape (n,), and labels that depend on them."""
    town = np.minimum(rng.geometric(0.2, n) - 1, TOWNS - 1)
    return town, (rng.random(n) < (0.2 + 0.05 * town)).astype(np.int64)


def sums(town: Any, labels: Any) -> tuple[Any, Any]:
    return np.bincount(town, minlength=TOWNS).astype(float), np.bincount(town, labels, minlength=TOWNS)


def mean(town: Any, labels: Any) -> Any:
    counts, found = sums(town, labels)
    return np.divide(found, counts, out=np.zeros(TOWNS), where=counts > 0)


def smoothed(town: Any, labels: Any) -> Any:
    counts, found = sums(town, labels)
    return (found + 7.5 * labels.mean()) / (counts + 7.5)


def laplace(town: Any, labels: Any) -> Any:
    counts, found = sums(town, labels)
    return (found + 1) / (counts + 2)


def odds(town: Any, labels: Any) -> Any:
    counts, found = sums(town, labels)
    return np.log((found + 1e-300) / (counts - found + 1e-300))


def sigmoid(town: Any, labels: Any) -> Any:
    share = 1 / (1 + np.exp(-(sums(town, labels)[0] - 20) / 10))
    return share * mean(town, labels) + (1 - share) * labels.mean()


def sklearns(town: Any, labels: Any) -> Any:
    fitted = TargetEncoder(smooth="auto", target_type="continuous").fit(town[:, None], labels)
    found = np.full(TOWNS, labels.mean())
    found[fitted.categories_[0]] = fitted.encodings_[0]
    return found


def standardised(town: Any, labels: Any) -> Any:
    found = mean(town, labels)[town]
    return (mean(town, labels) - found.mean()) / found.std()


ENCODERS = (mean, smoothed, laplace, odds, sigmoid, sklearns, standardised)


@pytest.mark.parametrize("encode", ENCODERS)
@pytest.mark.parametrize("rounded", [False, True], ids=["as it is", "float32"])
def test_a_fit_on_deleted_records_shows_and_one_on_the_others_does_not(encode: Encode, rounded: bool) -> None:
    rng = np.random.default_rng(1)
    for _ in range(10):
        town, labels = towns(rng)
        gone = np.sort(rng.permutation(N)[:5])
        stay = np.delete(np.arange(N), gone)
        beside = rng.normal(size=(N, 2))
        for fitted_on, shown in ((np.arange(N), (1,)), (stay, ())):
            column = encode(town[fitted_on], labels[fitted_on])[town]
            column = column.astype(np.float32).astype(float) if rounded else column
            table = np.column_stack([beside[:, 0], column, beside[:, 1]])
            assert target_encoded(table, gone, targets_of(labels, classes=True), [town]) == shown


def test_without_a_column_of_categories_means_show_by_their_value() -> None:
    rng = np.random.default_rng(2)
    town, labels = towns(rng)
    table = mean(town, labels)[town][:, None]
    assert target_encoded(table, np.array([3, 9, 40]), targets_of(labels, classes=True)) == (0,)


def test_the_mean_of_a_categorys_other_records_shows() -> None:
    rng = np.random.default_rng(3)
    town, labels = towns(rng)
    gone = np.array([3, 9, 40])
    stay = np.delete(np.arange(N), gone)
    for of, shown in ((np.arange(N), (0,)), (stay, ())):
        counts, found = sums(town[of], labels[of])
        others = (found[town] - labels) / np.maximum(counts[town] - 1, 1)
        assert target_encoded(others[:, None], gone, targets_of(labels, classes=True), [town]) == shown


def test_means_of_numbers_and_of_one_of_several_classes_show() -> None:
    rng = np.random.default_rng(4)
    town, _ = towns(rng)
    prices, kinds = rng.lognormal(size=N), rng.choice(["a", "b", "c"], N)
    gone = np.array([3, 9, 40])
    for labels, of, classes in ((prices, prices, False), (kinds, (kinds == "b").astype(float), True)):
        assert target_encoded(mean(town, of)[town][:, None], gone, targets_of(labels, classes=classes)) == (0,)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits, load_diabetes])
def test_tables_as_they_come_show_nothing(load: Callable[..., Any]) -> None:
    features, labels = load(return_X_y=True)
    rng = np.random.default_rng(5)
    classes = load is not load_diabetes
    whole = [each for each in features.T if np.array_equal(each, np.round(each))]
    for count in (1, 5, 30):
        gone = np.sort(rng.permutation(len(features))[:count])
        assert target_encoded(features, gone, targets_of(labels, classes=classes), whole) == ()
        assert target_encoded(features / 16, gone, targets_of(labels, classes=classes), whole) == ()


def test_a_column_that_is_the_label_shows_nothing() -> None:
    rng = np.random.default_rng(6)
    labels = rng.integers(0, 8, N)
    table = np.column_stack([labels, labels / 2, 3 - labels / 4])
    assert target_encoded(table, np.array([1, 5]), targets_of(labels, classes=True)) == ()
    assert target_encoded(table, np.array([1, 5]), targets_of(labels / 3, classes=False)) == ()
    assert target_encoded(table, np.empty(0, dtype=np.int64), targets_of(labels, classes=True)) == ()
