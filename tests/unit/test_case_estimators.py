"""Which estimators and parameters a case may name, and what is said of the others."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from auditor.base.errors import InputError
from auditor.case import estimators, read
from auditor.case.declaration import declare
from auditor.case.files import Source
from auditor.settings.learning import Sklearn
from case_examples import SOUND, npz, records, write_case

CERTIFIED = 'use = "certified-removal"\nl2 = 1e-3\nsigma = 1.0\nseed = 20261121'
WITHOUT_MODEL = SOUND.replace('[model]\npath = "model.safetensors"\n', "")


def text_with(table: str) -> str:
    assert CERTIFIED in WITHOUT_MODEL
    return WITHOUT_MODEL.replace(CERTIFIED, table)


def problems(table: str):
    return {
        problem.where: f"{problem.expected}; {problem.found}"
        for problem in declare(Source("audit.toml", text_with(table).encode())).problems
    }


def test_defaults():
    table = 'use = "sklearn"\nestimator = "sklearn.tree.DecisionTreeClassifier"'
    found = declare(Source("audit.toml", text_with(table).encode()))
    assert found.problems == ()
    procedure = found.tables["procedure"]
    assert isinstance(procedure, Sklearn)
    assert (procedure.params, procedure.unlearn, procedure.seed) == ({}, "retrain", 0)


@pytest.mark.parametrize("name", ["sklearn.tree.DecisionTreeClassifier", "sklearn.tree._classes.DecisionTreeClassifier"])
def test_public_and_full_names_mean_the_same(name):
    assert estimators.full_name(name) == "sklearn.tree._classes.DecisionTreeClassifier"
    assert estimators.tasks(name) == {"classification"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sklearn.tree.DecisionTreeClasifier", "did you mean sklearn.tree.DecisionTreeClassifier?"),
        ("DecisionTreeClassifier", "did you mean sklearn.tree.DecisionTreeClassifier?"),
        ("sklearn.linear_model.DecisionTreeClassifier", "did you mean sklearn.tree.DecisionTreeClassifier?"),
        ("sklearn.cluster.KMeans", "that scikit-learn lists"),
        ("sklearn.pipeline.Pipeline", "that scikit-learn lists"),
        ("sklearn.model_selection.GridSearchCV", "that scikit-learn lists"),
        ("sklearn.tree", "that scikit-learn lists"),
        ("subprocess.Popen", "that scikit-learn lists"),
        ("antigravity.fly", "that scikit-learn lists"),
        ("sklearn.tree.DecisionTreeClassifier.fit", "that scikit-learn lists"),
        ("../sklearn", "that scikit-learn lists"),
        ("sklearn.ensemble.VotingClassifier", "which needs other estimators as estimators"),
        ("sklearn.multioutput.MultiOutputRegressor", "which needs other estimators as estimator"),
    ],
)
def test_other_names_are_refused_and_never_imported(name, said):
    found = problems(f'use = "sklearn"\nestimator = "{name}"\nparams = {{ whatever = 1 }}')
    assert list(found) == ["procedure.estimator"]
    assert said in found["procedure.estimator"]
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize(
    ("lines", "where", "said"),
    [
        ("params = { max_dept = 3 }", "procedure.params.max_dept", "did you mean max_depth?"),
        ("params = { random_state = 3 }", "procedure.params.random_state", "the seed of [procedure] sets it"),
        ("params = { self = 3 }", "procedure.params.self", "an unknown parameter"),
        ("params = { max_depth = nan }", "procedure.params.max_depth", "nan"),
        ("params = { max_depth = 1979-05-27 }", "procedure.params.max_depth", "JSON"),
        ("params = [1]", "procedure.params", "a table"),
        ('unlearn = "newton"', "procedure.unlearn", "retrain"),
        ('unlearn = "retrian"', "procedure.unlearn", "did you mean retrain?"),
        ("seed = -123456", "procedure.seed", "not shown"),
        ("l2 = 1", "procedure.l2", "an unknown key"),
        ("parms = {}", "procedure.parms", "did you mean params?"),
    ],
)
def test_every_key_is_checked(lines, where, said):
    found = problems(f'use = "sklearn"\nestimator = "sklearn.tree.DecisionTreeClassifier"\n{lines}')
    assert list(found) == [where]
    assert said in found[where]


def test_every_problem_comes_at_once():
    found = problems(
        'use = "sklern"\nestimator = "sklearn.svm.SVC"\nparams = { gama = 1, C = inf, random_state = 1 }\n'
        'unlearn = 3\nseed = "x"\nmore = 1'
    )
    assert set(found) == {
        "procedure.use",
        "procedure.params.gama",
        "procedure.params.C",
        "procedure.params.random_state",
        "procedure.unlearn",
        "procedure.seed",
        "procedure.more",
    }
    assert "did you mean sklearn?" in found["procedure.use"]


def test_the_estimator_fits_the_task(tmp_path):
    write_case(tmp_path, text_with('use = "sklearn"\nestimator = "sklearn.linear_model.Ridge"'))
    with pytest.raises(InputError, match=r"procedure.estimator: expected an estimator for classification.*for regression"):
        read(tmp_path)


def test_more_labels_than_two_are_welcome(tmp_path):
    table = 'use = "sklearn"\nestimator = "sklearn.naive_bayes.GaussianNB"'
    train = records(labels=["a", "b", "c", "d"] * 3)
    found = read(write_case(tmp_path, text_with(table), train__npz=train, model__npz=npz(parameters=[1.0])))
    assert isinstance(found.settings.procedure, Sklearn)


def test_other_cases_are_read_without_scikit_learn(tmp_path):
    write_case(tmp_path)
    script = (
        "import sys; from pathlib import Path; from auditor import case; "
        "case.read(Path(sys.argv[1])); print('sklearn' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_what_is_found_in_a_package_is_what_scikit_learn_lists():
    listed = estimators.listed()
    quick = {name: estimator for name, estimator in listed.items() if name.rpartition(".")[0] in estimators.PACKAGES}
    assert len(quick) > 80
    assert all(estimators._estimator(name) is estimator for name, estimator in quick.items())
    for package in sorted(estimators.PACKAGES):
        names = [f"{package}.{name}" for name in dir(import_module(package))]
        assert {name for name in names if estimators._estimator(name) is not None} <= set(listed)
