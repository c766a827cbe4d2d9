"""`[procedure] prepare`: a file of the case prepares the rows of each training, and every mistake in it is one clear message."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import wrapped_models
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from auditor.learning.fitted import NoEstimatorError
from auditor.learning.wrapped import Wrapped
from auditor.sandbox.frames import Table

FORGET = np.array([1, 5], dtype=np.int64)


def table(n: int = 80, *, weights: bool = False, numbers: bool = False) -> Table:
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"x": rng.normal(size=n), "kind": rng.choice(["a", "b", "c"], n), "since": pd.to_datetime("2020-01-01")})
    rows.loc[3, "x"] = np.nan
    labels = np.where((rows["x"] > 0) ^ (rng.random(n) < 0.2), "yes", "no")
    return Table(
        rows,
        rng.normal(size=n) if numbers else labels,
        np.array([f"r{at}" for at in range(n)]),
        rng.random(n) if weights else None,
    )


def booster(seed: int) -> Any:
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["kind"]), ("passthrough", ["x"]), verbose_feature_names_out=False
    )
    exact = {"deterministic": True, "force_col_wise": True, "n_jobs": 1, "verbosity": -1}
    return make_pipeline(columns, lightgbm.LGBMClassifier(n_estimators=4, num_leaves=4, random_state=seed, **exact))


def share(seed: int) -> Any:
    return wrapped_models.Share(seed)


def prepared(text: str, build: Any = share, *, classes: list[Any] | None = ["no", "yes"], unlearn: Any = "retrain") -> Wrapped:  # noqa: B006
    module = ModuleType("prepare")
    module.__file__ = "/case/prepare.py"
    exec(compile(text, module.__file__, "exec"), module.__dict__)
    return Wrapped(module=build, params={}, unlearn_by=unlearn, classes=classes, prepare=module, label="late")


IDENTITY = "def prepare(table):\n    return table\n"


@pytest.mark.parametrize("build", [booster, share])
@pytest.mark.parametrize("weights", [False, True])
def test_a_preparation_that_changes_nothing_changes_no_bit(build, weights, tmp_path):
    data = table(weights=weights)
    bare = Wrapped(module=build, params={}, unlearn_by="retrain", classes=["no", "yes"])
    found = []
    for procedure in (bare, prepared(IDENTITY, build)):
        learned = procedure.learn(data, 2**80)
        unlearned = procedure.unlearn(learned, data, FORGET, 7)
        procedure.save(unlearned, str(tmp_path / "model"))
        answers = [procedure.predict(each, data.features).tobytes() for each in (learned, unlearned)]
        found.append([procedure.state(learned), procedure.state(unlearned), (tmp_path / "model").read_bytes(), *answers])
    assert found[0] == found[1]


def test_a_regression_is_prepared_the_same():
    data = table(numbers=True)
    build = lambda seed: wrapped_models.Mean()  # noqa: E731
    procedure = prepared("def prepare(table):\n    return table[table.x > 0]\n", build, classes=None)
    model = procedure.learn(data, 1)
    assert model.estimator.mean_ == pytest.approx(data.labels[(data.features["x"] > 0).to_numpy()].mean())


SCRIPT = """
import numpy as np

SEEN = {}
CLASSES = {"no": 1, "yes": 0}

def prepare(table):
    table["kind"] = table["kind"].map({"a": 0, "b": 1, "c": 2})
    table["x"] = table["x"].fillna(0.0)
    table = table.drop(columns="since")
    if "late" in table:
        table = table[table["x"].abs() < 2]
        table["late"] = table["late"].map(CLASSES)
    SEEN.setdefault("indices", []).append(list(table.index))
    return table

def split(table, seed):
    SEEN["seed"] = seed
    order = np.random.default_rng(seed).permutation(len(table))
    return table.iloc[order[10:]], table.iloc[order[:10]]

def fit(estimator, features, labels, held_features, held_labels):
    SEEN["fit"] = features, labels, held_features, held_labels
    estimator.fit(features, labels, eval_X=held_features, eval_y=held_labels)
"""


def gradient(seed: int) -> Any:
    exact = {"deterministic": True, "force_col_wise": True, "n_jobs": 1, "verbosity": -1, "early_stopping_round": 3}
    return lightgbm.LGBMClassifier(n_estimators=40, num_leaves=4, random_state=seed, **exact)


def test_a_script_with_features_encoding_split_and_early_stopping_is_learned_and_unlearned():
    data = table(200)
    procedure = prepared(SCRIPT, gradient)
    learned = procedure.learn(data, 2**80)
    unlearned = procedure.unlearn(learned, data, FORGET, 7)
    again = procedure.learn(data.subset(np.delete(np.arange(200), FORGET)), 7)
    assert procedure.state(unlearned) == procedure.state(again) != procedure.state(learned)
    large = int((data.features["x"].abs() >= 2).sum())
    assert dict(procedure.facts(learned)) == {"retrained": True, "rows_dropped": large, "rows_held": 10, "forgotten_dropped": 0}
    assert dict(procedure.facts(learned)) == {"retrained": True, "rows_dropped": large, "rows_held": 10}
    answers = procedure.predict(learned, data.features)
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)
    assert ((answers[:, 1] > 0.5) == (data.labels == "yes")).mean() > 0.7  # "yes" is code 0, and the second class of the case
    seen = procedure._preparation._prepare.__globals__["SEEN"]
    assert set(seen["indices"][0]) <= set(data.ids) > set(seen["indices"][1])
    assert seen["indices"][-1][0] == "row 1"
    features, labels, held, others = seen["fit"]
    assert list(features.index) == list(labels.index)
    assert list(held.index) == list(others.index)
    assert not set(held.index) & set(features.index)


def test_what_is_kept_of_an_old_model_keeps_its_columns():
    data = table()
    procedure = prepared(IDENTITY, unlearn="none")
    model = procedure.unlearn(procedure.learn(data, 1), data, FORGET, 2)
    assert dict(procedure.facts(model)) == {"retrained": False, "rows_dropped": 0, "rows_held": 0}


def test_weights_go_with_their_rows():
    data = table(weights=True)
    some = "def prepare(table):\n    return table.iloc[10:]\n"
    model = prepared(some).learn(data, 1)
    weights, yes = data.weights[10:], data.labels[10:] == "yes"
    assert model.estimator.shares_[1] == pytest.approx(weights[yes].sum() / weights.sum())
    own = some + "def fit(estimator, features, labels, held_features, held_labels, weights):\n    "
    model = prepared(own + "estimator.fit(features, labels, weights)\n").learn(data, 1)
    assert model.estimator.shares_[1] == pytest.approx(weights[yes].sum() / weights.sum())


def test_one_without_classes_and_one_that_names_labels_alone_are_decoded():
    codes = 'CLASSES = {"no": 7, "yes": 3}\n'

    class Bare:
        def fit(self, rows: Any, labels: Any) -> None:
            self.labels = np.asarray(labels)

        def predict_proba(self, rows: Any) -> Any:
            return np.tile([(self.labels == 3).mean(), (self.labels == 7).mean()], (len(rows), 1))

    data = table()
    bare = prepared(codes, lambda seed: Bare())
    assert bare.predict(bare.learn(data, 1), data.features)[0, 1] == pytest.approx((data.labels == "yes").mean())

    class NamesLabels:
        def fit(self, rows: Any, labels: Any) -> None: ...

        def predict(self, rows: Any) -> Any:
            return np.full(len(rows), 7)

    named = prepared(codes, lambda seed: NamesLabels())
    assert (named.predict(named.learn(data, 1), data.features)[:, 0] == 1).all()


def prepares(*lines: str) -> str:
    return "\n    ".join(["import numpy as np\nimport pandas as pd\ndef prepare(table):", *lines]) + "\n"


def splits(*lines: str) -> str:
    return "\n    ".join(["def split(table):", *lines]) + "\n"


MISTAKES = {
    "nothing": ("x = 1", "expected prepare, split, fit or CLASSES, found none of them"),
    "no-function": ("prepare = 3", "expected a function prepare, found int"),
    "forgotten-return": (prepares("table['y'] = 1"), "found NoneType: end it with return table"),
    "an-array": (prepares("return table.to_numpy()"), "expected a DataFrame from prepare, found ndarray"),
    "reset": (prepares("return table.reset_index(drop=True)"), "found 80 of 80 that are not: keep the index"),
    "added": (prepares("return pd.concat([table, table.iloc[:1].rename(index={'r0': 'new'})])"), "found 1 of 81 that are not"),
    "twice": (prepares("return pd.concat([table, table.iloc[:1]])"), "found r0 more than once"),
    "order": (prepares("return table.sort_values('x')"), "in the order in which it got them"),
    "nobody": (prepares("return table.iloc[:0]"), "expected prepare to leave at least one row, found none"),
    "label": (prepares("return table.drop(columns='late')"), "expected prepare to keep the column of labels, late"),
    "features": (prepares("return table[['late']]"), "at least one feature"),
    "columns": (prepares("return pd.concat([table, table[['x']]], axis=1)"), "each column once"),
    "relabelled": (prepares("table['late'] = (table.late == 'yes') * 1", "return table"), "found another label of r0"),
    "other-codes": (
        "CLASSES = {'no': 0, 'yes': 1}\n" + prepares("table['late'] = (table.late == 'no') * 1", "return table"),
        "expected the label of r0 as CLASSES encodes it, found another",
    ),
    "some-classes": ("CLASSES = {'no': 0}", "expected CLASSES to name every label of the training data, found no 'yes'"),
    "one-code": ("CLASSES = {'no': 0, 'yes': 0}", "expected CLASSES to give every label a code of its own"),
    "list-of-classes": ("CLASSES = ['no', 'yes']", "expected CLASSES to be a dictionary, found list"),
    "codes": ("CLASSES = {'no': [], 'yes': 1}", "numbers or texts"),
    "one-side": (splits("return table"), "expected two DataFrames from split"),
    "four": (splits("return table, table, 1, 2"), "expected two DataFrames from split"),
    "overlap": (splits("return table, table.iloc[4:5]"), "expected each row on one side of the split, found r4 on both"),
    "held-nobody": (splits("return table, table.iloc[:0]"), "on both sides of the split"),
    "split-reset": (splits("return table.iloc[9:].reset_index(drop=True), table.iloc[:9]"), "keep the index"),
    "split-changed": (
        splits("return table.iloc[9:].assign(x=0.0), table.iloc[:9]"),
        "found changed ones: change them in prepare",
    ),
    "raises": (prepares("return table['nowhere']"), "prepare.py: prepare raised KeyError in line 4"),
    "another": (
        "import copy\ndef fit(estimator, features, labels, *held):\n    return copy.copy(estimator).fit(features, labels)",
        "found another one returned: build it in the entry",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_training_is_one_message(name):
    text, words = MISTAKES[name]
    with pytest.raises(NoEstimatorError) as caught:
        prepared(text).learn(table(), 1)
    assert words in str(caught.value)
    assert str(caught.value).startswith("prepare.py: ")
    assert "\n" not in str(caught.value)


ASKED = {
    "dropped": ("return table.dropna()", "found row 4 of 80 dropped: drop rows in training alone"),
    "label": ("return table if 'late' in table else table.assign(late=1)", "expected no column late in a prediction"),
    "dummies": (
        "return pd.get_dummies(table if 'late' in table else table.replace('a', 'z'), columns=['kind'])",
        "found no 'kind_a': prepare makes columns of the values that it meets: put what depends on them into the pipeline",
    ),
    "added": ("return table if 'late' in table else table.assign(more=1)", "found 'more' in addition"),
    "order": ("return table if 'late' in table else table[['kind', 'x', 'since']]", "found them in another order"),
    "shuffled": ("return table if 'late' in table else table.iloc[::-1]", "in the order in which it got them"),
    "needs-labels": ("return table[table['late'] != '']", 'begin with if "late" in table'),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_mistake_in_a_prediction_is_one_message(name):
    line, words = ASKED[name]
    procedure = prepared(prepares(line))
    data = table()
    model = procedure.learn(data, 1)
    with pytest.raises(NoEstimatorError) as caught:
        procedure.predict(model, data.features)
    assert words in str(caught.value)


def test_labels_of_a_regression_stay_and_have_no_classes():
    data = table(numbers=True)
    logged = "import numpy as np\ndef prepare(table):\n    table['late'] = np.exp(table['late'])\n    return table\n"
    with pytest.raises(NoEstimatorError, match="TransformedTargetRegressor"):
        prepared(logged, lambda seed: wrapped_models.Mean(), classes=None).learn(data, 1)
    with pytest.raises(NoEstimatorError, match="no CLASSES with a regression"):
        prepared("CLASSES = {}", classes=None)


def test_weights_that_a_fit_would_ignore_and_arrays_without_names_are_refused():
    own = "def fit(estimator, features, labels, held_features, held_labels):\n    estimator.fit(features, labels)\n"
    with pytest.raises(NoEstimatorError, match="fit to take weights"):
        prepared(own).learn(table(weights=True), 1)
    data = table()
    bare = Table(data.features[["x"]].to_numpy(), data.labels, data.ids)  # type: ignore[arg-type]
    with pytest.raises(NoEstimatorError, match="whose columns have names"):
        prepared(IDENTITY).learn(bare, 1)


def test_the_file_of_a_prepared_estimator_is_the_booster_or_a_step(tmp_path):
    data = table()
    numbers = prepares("return table[['x', 'late']] if 'late' in table else table[['x']]")
    for build, part in ((gradient, "estimator"), (booster, "lgbmclassifier"), (booster, "estimator")):
        module = ModuleType("prepare")
        module.__file__ = "/case/prepare.py"
        text = (
            numbers
            + "CLASSES = {'no': 0, 'yes': 1}\ndef fit(estimator, x, y, *held):\n    estimator.fit(x, y, eval_X=x, eval_y=y)\n"
        )
        exec(text if build is gradient else IDENTITY, module.__dict__)
        procedure = Wrapped(
            module=build, params={}, unlearn_by="retrain", classes=["no", "yes"],
            file_kind="lightgbm", file_part=part, prepare=module, label="late",
        )  # fmt: skip
        procedure.save(procedure.learn(data, 1), str(tmp_path / "model"))
        assert (tmp_path / "model").read_bytes().startswith(b"tree\n") is not (build is booster and part == "estimator")
