"""The procedure that wraps an estimator: seeds, columns, what it carries, and every estimator that scikit-learn lists."""

from __future__ import annotations

import dataclasses
import io
import warnings
import zipfile

import numpy as np
import pytest

from auditor import learning as procedures
from auditor.base.records import Dataset
from auditor.case import estimators
from auditor.learning import state_arrays
from auditor.learning.estimators import Estimator, LinearEstimator, is_linear, make
from auditor.learning.facts import Facts

SEED = 2**100 + 7
ROWS, COLUMNS = 40, 4
RNG = np.random.default_rng(0)
FEATURES = np.abs(RNG.normal(size=(ROWS, COLUMNS)))
NUMBERS = np.abs(RNG.normal(size=ROWS))
IDS = np.array([f"r{number}" for number in range(ROWS)])
WORDS = Dataset(FEATURES, np.array(list("abac") * 10), IDS)
VALUES = Dataset(FEATURES, NUMBERS, IDS)
KEEPS_ROWS = {
    "GaussianProcessClassifier", "GaussianProcessRegressor", "KNeighborsClassifier", "KNeighborsRegressor", "KernelRidge",
    "LabelPropagation", "LabelSpreading", "NuSVC", "NuSVR", "RadiusNeighborsClassifier", "RadiusNeighborsRegressor", "SVC", "SVR",
}  # fmt: skip
UNFIT = {
    "CCA": "needs two targets", "PLSCanonical": "needs two targets", "IsotonicRegression": "needs one feature",
    "MultiTaskElasticNet": "needs two targets", "MultiTaskElasticNetCV": "needs two targets",
    "MultiTaskLasso": "needs two targets", "MultiTaskLassoCV": "needs two targets",
    "SelfTrainingClassifier": "needs another estimator", "NuSVC": "needs equal classes",
}  # fmt: skip


def procedure(name: str, *, classes=("a", "b", "c"), unlearn_by="retrain", **params) -> Estimator:
    return make(
        estimator=estimators.full_name(f"sklearn.{name}"),
        params=params,
        unlearn_by=unlearn_by,
        classes=None if classes is None else list(classes),
    )


def test_every_listed_estimator_can_be_taken_apart():
    names = {estimators.full_name(name) for name in estimators.listed() if not estimators.problems("", name, {})}
    tried = 0
    for name in sorted(names):
        bare = name.rpartition(".")[2]
        if bare in UNFIT:
            continue
        classifies = estimators.tasks(name) == {"classification"}
        data = WORDS if classifies else VALUES
        made = make(estimator=name, params={}, unlearn_by="retrain", classes=list("abcd") if classifies else None)
        with warnings.catch_warnings():
            # What an estimator thinks of forty random rows is of no interest here.
            warnings.simplefilter("ignore")
            model = made.learn(data, SEED)
        state = made.state(model)
        kept = [row for row in data.features if row.tobytes() in state]
        assert bool(kept) == (bare in KEEPS_ROWS), name
        predicted = made.predict(model, FEATURES)
        assert predicted.shape == ((ROWS, 4) if classifies else (ROWS,))
        if classifies:
            assert np.all(predicted[:, 3] == 0.0), name
            np.testing.assert_allclose(predicted.sum(axis=1), 1.0, atol=1e-9, err_msg=name)
        if isinstance(made, LinearEstimator):
            rows = 3 if classifies else 1
            assert made.parameters(model).shape == (rows * (COLUMNS + 1),), name
        else:
            assert not hasattr(model.estimator, "coef_") or not is_linear(type(model.estimator))
        tried += 1
    assert tried > 70


@pytest.mark.parametrize("name", ["ensemble.RandomForestClassifier", "neural_network.MLPClassifier", "svm.LinearSVC"])
def test_equal_seeds_give_equal_models_and_other_seeds_others(name):
    params = {"max_iter": 3, "early_stopping": True} if "MLP" in name else {}
    made = procedure(name, **params)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first, again, other = (made.state(made.learn(WORDS, seed)) for seed in (SEED, SEED, SEED + 1))
    assert first == again
    assert name == "svm.LinearSVC" or first != other


def test_the_seed_itself_is_in_no_state():
    made = procedure("ensemble.RandomForestClassifier", n_estimators=2)
    model = made.learn(WORDS, SEED)
    assert 0 <= model.estimator.random_state < 2**32
    assert np.uint32(model.estimator.random_state).tobytes() not in made.state(model)


def test_the_global_generator_plays_no_part():
    made = procedure("tree.ExtraTreeClassifier")
    before = np.random.get_state()[1].tobytes()  # noqa: NPY002 - the generator that must be left alone
    made.learn(WORDS, SEED)
    assert np.random.get_state()[1].tobytes() == before  # noqa: NPY002


def test_retraining_is_learning_on_what_remains():
    made = procedure("tree.DecisionTreeClassifier")
    forget = np.array([3, 0, 7])
    model = made.unlearn(made.learn(WORDS, SEED), WORDS, forget, SEED + 1)
    fresh = made.learn(WORDS.subset(np.delete(np.arange(ROWS), forget)), SEED + 1)
    assert made.state(model) == made.state(fresh)
    assert made.facts(model) == {"retrained": True}


def test_doing_nothing_says_so():
    made = procedure("tree.DecisionTreeClassifier", unlearn_by="none")
    model = made.learn(WORDS, SEED)
    after = made.unlearn(model, WORDS, np.array([0]), SEED + 1)
    assert made.state(after) == made.state(model)
    assert made.facts(after) == {"retrained": False}


def test_a_label_that_is_gone_keeps_its_column():
    made = procedure("naive_bayes.GaussianNB")
    without_b = WORDS.subset(np.flatnonzero(WORDS.labels != "b"))
    predicted = made.predict(made.learn(without_b, SEED), FEATURES)
    assert np.all(predicted[:, 1] == 0.0)
    assert np.all(predicted.sum(axis=1) > 0.999)


def test_without_probabilities_the_predicted_label_takes_all():
    made = procedure("svm.LinearSVC")
    model = made.learn(WORDS, SEED)
    assert not hasattr(model.estimator, "predict_proba")
    predicted = made.predict(model, FEATURES)
    assert set(np.unique(predicted)) == {0.0, 1.0}
    assert np.array(list("abc"))[predicted.argmax(axis=1)].tolist() == model.estimator.predict(FEATURES).tolist()


def test_parameters_are_coefficients_and_then_intercept():
    made = procedure("linear_model.LogisticRegression")
    model = made.learn(WORDS, SEED)
    expected = [*model.estimator.coef_.ravel(), *model.estimator.intercept_]
    assert made.parameters(model).tolist() == expected
    assert not hasattr(procedure("tree.DecisionTreeClassifier"), "parameters")


def test_saved_arrays_are_those_of_the_state(tmp_path):
    made = procedure("neighbors.KNeighborsClassifier")
    model = made.learn(WORDS, SEED)
    made.save(model, str(tmp_path / "model"))
    with zipfile.ZipFile(tmp_path / "model") as archive:
        assert b"".join(archive.read(name) for name in archive.namelist()) == made.state(model)
    np.testing.assert_array_equal(made.load(str(tmp_path / "model"))["_fit_X"], FEATURES)


def test_no_estimator_changes_the_hyperparameters_of_the_next():
    layers = [4, 3]
    made = procedure("neural_network.MLPClassifier", hidden_layer_sizes=layers, max_iter=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = made.learn(WORDS, SEED)
    model.estimator.hidden_layer_sizes.append(2)
    assert layers == [4, 3]


@pytest.mark.parametrize("name", ["os.path.join", "sklearn.base.clone", "sklearn.cluster.KMeans", "sklearn.tree", "Ridge", ""])
def test_nothing_else_is_built(name):
    with pytest.raises(ValueError, match="scikit-learn"):
        procedures.build("sklearn", {"estimator": name, "params": {}, "unlearn_by": "retrain", "classes": None})


class _Holder:
    def __init__(self, **attributes):
        vars(self).update(attributes)


def test_arrays_are_found_wherever_they_lie():
    row = np.array([1.5, 2.5, 3.5])
    columns = np.asfortranarray(np.stack([row, row + 1]))
    inner = _Holder(kept=row + 2, back=None)
    inner.back = inner
    holder = _Holder(
        b={"z": (columns,), 1: [4.5, 5.5, 6.5]},
        a=np.array([inner, None], dtype=object),
        c={"word"},
        d=b"bytes",
        e=row,
        f=2**80,
        g=[2**80],
    )
    found = state_arrays.arrays(holder, without=frozenset({"e"}))
    content = state_arrays.npy(found)
    for wanted in (row, row + 1, row + 2, np.array([4.5, 5.5, 6.5])):
        assert wanted.tobytes() in content
    assert [path for path in found if path.startswith("e")] == []
    assert np.array("word").tobytes() in content
    assert b"bytes" in content
    assert str(2**80) in found["g"]


def test_what_cannot_be_taken_apart_is_an_error_not_a_silence():
    with pytest.raises(TypeError, match="what lock holds, a lock"):
        state_arrays.arrays(_Holder(lock=__import__("threading").Lock()))


def test_random_generators_are_left_out():
    holder = _Holder(a=np.random.default_rng(1), b=np.random.RandomState(1), c=np.random.SeedSequence(5))
    assert state_arrays.arrays(holder) == {}


def test_npy_bytes_can_be_read_back():
    stream = io.BytesIO(state_arrays.npy({"a": np.arange(3.0), "b": np.array(["x"])}))
    assert np.load(stream, allow_pickle=False).tolist() == [0.0, 1.0, 2.0]
    assert np.load(stream, allow_pickle=False).tolist() == ["x"]


def test_facts_are_a_mapping_that_nobody_can_change_of_what_is_known() -> None:
    known = Facts(retrained=False)
    assert known == {"retrained": False}
    assert {**known} == dict(known.items())
    assert dict(Facts()) == {}
    with pytest.raises(KeyError):
        Facts()["retrained"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        known.retrained = True
