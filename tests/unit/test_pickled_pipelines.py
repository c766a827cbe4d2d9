"""`auditor init --from model.joblib`: only the sandbox unpickles, and what it answers becomes constructor calls or is refused."""

from __future__ import annotations

import json
import os
import pickle
import socket
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

import first_report
from auditor.audit import pickled_models
from auditor.base.errors import InputError
from auditor.case.scaffold import pickles
from auditor.cli import run, scaffold
from auditor.learning.pickled import Pickled
from auditor.sandbox import Answer, Load
from auditor.sandbox.jobs import Job

TIME = ("--log", "tickets.csv", "--timezone", "Europe/Berlin")
NUMBERS, WORDS = ["age", "income", "visits"], ["city", "plan"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return first_report.write(tmp_path)


def pipeline(model: Any = None) -> Pipeline:
    prepare = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), NUMBERS),
            ("words", OneHotEncoder(handle_unknown="ignore"), WORDS),
        ]
    )
    last = LogisticRegression(max_iter=500) if model is None else model
    return Pipeline([("prepare", prepare), ("model", last)])


def fitted(model: Any = None) -> Pipeline:
    people = pd.read_csv("people.csv")
    return pipeline(model).fit(people[[*NUMBERS, *WORDS]], people["churned"])


def init(name: str, expected: int = 0) -> None:
    assert run(["init", "made", "--from", name, "--data", "people.csv", *TIME]) == expected


def built(folder: Path) -> Any:
    found: dict[str, Any] = {}
    exec((folder / "build.py").read_text(encoding="utf-8"), found)  # our test's own text
    return found["build"](7)


def in_process(folder: Path) -> Callable[[Sequence[Job]], list[tuple[Answer, ...]]]:
    """Answers here what the sandbox's process answers in a run."""

    def ask(jobs: Sequence[Job]) -> list[tuple[Answer, ...]]:
        (job,) = jobs
        load, save = job.steps
        assert isinstance(load, Load)
        (folder / "given").write_bytes(load.content)
        Pickled().save(Pickled().load(str(folder / "given")), str(folder / "said"))
        content = (folder / "said").read_bytes()
        return [(Answer(load, 0.0, None, None, {}, supported=True), Answer(save, 0.0, None, content, {}, supported=True))]

    return ask


@pytest.fixture
def unwalled(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers in this process, which is quicker; that nothing hostile runs is then shown without any barrier."""
    ask = in_process(here)
    monkeypatch.setattr(scaffold, "_pickled", lambda path: pickled_models.answers(path, ask=ask))


@pytest.mark.parametrize("compress", [0, 3])
@pytest.mark.usefixtures("unwalled")
def test_a_pipeline_becomes_constructor_calls_and_a_file_without_pickles(here: Path, compress: int) -> None:
    joblib.dump(fitted(), here / "model.joblib", compress=compress)
    init("model.joblib")
    assert repr(built(here / "made").get_params()["prepare"]) == repr(pipeline().get_params()["prepare"])
    assert built(here / "made").get_params()["model__max_iter"] == 500
    declared = tomllib.loads((here / "made" / "audit.toml").read_text(encoding="utf-8"))
    assert declared["data"]["inputs"] == [*NUMBERS, *WORDS]
    assert declared["model"]["path"] == "model.skops"
    assert (here / "made" / "model.skops").read_bytes().startswith(b"PK")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.usefixtures("unwalled")
def test_a_table_of_a_german_spreadsheet_is_read_as_the_one_that_it_is(
    encoding: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Semicolons, decimal commas and a mark at its beginning; so are the store and the holdout. Text with commas stays."""
    people = pd.read_csv("people.csv")
    people["plan"] = people["plan"] + ", gold"
    joblib.dump(pipeline().fit(people[[*NUMBERS, *WORDS]], people["churned"]), "model.joblib")
    people.to_csv("people.csv", index=False, sep=";", decimal=",", encoding=encoding)
    people[9:].to_csv("store.csv", index=False, sep=";", decimal=",", encoding=encoding)
    assert run(["init", "made", "--from", "model.joblib", "--data", "people.csv", "--store", "store.csv", *TIME]) == 0
    said = capsys.readouterr().err
    assert "train.csv: its separators are written as commas" in said
    assert "income" in said
    for name, expected in (("train.csv", people), ("store.csv", people[9:].reset_index(drop=True))):
        pd.testing.assert_frame_equal(pd.read_csv(here / "made" / name), expected, check_dtype=False)


@pytest.mark.usefixtures("unwalled")
def test_a_pickle_of_the_standard_library_is_read_too_and_its_own_seed_stays(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "model.pkl").write_bytes(pickle.dumps(fitted(RandomForestClassifier(5, random_state=42))))
    init("model.pkl")
    assert built(here / "made").get_params()["model__random_state"] == 42
    assert "random_state=42 stays" in capsys.readouterr().err
    (here / "other.pkl").write_bytes(pickle.dumps(fitted(RandomForestClassifier(5))))
    assert run(["init", "second", "--from", "other.pkl", "--data", "people.csv", *TIME]) == 0
    assert built(here / "second").get_params()["model__random_state"] == 7


class OfSystem:
    def __reduce__(self) -> Any:
        return os.system, ("touch ran",)


class OfSocket:
    def __reduce__(self) -> Any:
        return socket.create_connection, (("127.0.0.1", 9),)


class OfEval:
    def __reduce__(self) -> Any:
        return eval, ("__import__('pathlib').Path('ran').write_text('x')",)


def clean(values: Any) -> Any:
    return values


HOSTILE: dict[str, tuple[Callable[[], Any], str]] = {
    "os.system": (OfSystem, "posix.system"),
    "a socket": (OfSocket, "socket.create_connection"),
    "eval": (OfEval, "builtins.eval"),
    "a function of the user's": (lambda: fitted(FunctionTransformer(clean)), "test_pickled_pipelines.clean"),
    "a function of a library": (lambda: FunctionTransformer(np.linalg.norm).fit(np.ones((2, 1))), "norm"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.attempt("pickled pipelines")
@pytest.mark.usefixtures("unwalled")
def test_what_is_no_class_of_a_library_is_refused_by_name_and_not_called(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    make, named = HOSTILE[name]
    content = pickle.dumps({"model": make()} if name in {"os.system", "a socket", "eval"} else make())
    (here / "model.pkl").write_bytes(content)
    init("model.pkl", expected=2)
    said = capsys.readouterr().err
    assert named in said
    assert "put it into a function build(seed) of a file" in said
    assert not list(here.rglob("ran"))
    assert not (here / "made").exists()


@pytest.mark.attempt("pickled pipelines")
def test_the_auditor_itself_unpickles_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    joblib.dump(fitted(), here / "model.joblib")
    (here / "hostile.pkl").write_bytes(pickle.dumps(OfSystem()))

    def never(*_: object, **__: object) -> None:
        raise AssertionError

    for module, name in ((joblib, "load"), (pickle, "load"), (pickle, "loads"), (joblib.numpy_pickle, "load")):
        monkeypatch.setattr(module, name, never)
    init("model.joblib")
    assert run(["init", "other", "--from", "hostile.pkl", "--data", "people.csv", *TIME]) == 2
    assert "posix.system" in capsys.readouterr().err
    assert not list(here.rglob("ran"))


@pytest.mark.attempt("pickled pipelines")
def test_a_method_that_an_object_brings_along_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Ridge().fit(np.ones((3, 2)), np.arange(3.0))
    model.get_params = dict
    found = Pickled().load(_written(tmp_path, pickle.dumps(model)))
    assert found == {"refused": ["sklearn.linear_model._ridge.Ridge with get_params of its own"]}


def _written(folder: Path, content: bytes) -> str:
    (folder / "file").write_bytes(content)
    return str(folder / "file")


def answers(**changes: Any) -> dict[str, Any]:
    of_ridge = {"estimator": "sklearn.linear_model._ridge.Ridge", "params": [["alpha", 1.0], ["random_state", None]]}
    return {"estimator": of_ridge, "features": ["a"], "classes": None, "classifies": False, "skops": None} | changes


@pytest.mark.parametrize(
    "found",
    [
        [],
        answers(estimator="x"),
        answers(estimator={"estimator": "os.system", "params": []}),
        answers(estimator={"estimator": "sklearn.os.system", "params": []}),
        answers(estimator={"estimator": "sklearn.linear_model.Ridge(__import__('os'))", "params": []}),
        answers(estimator={"estimator": "sklearn.linear_model.Ridge", "params": [["alpha=1, **x", 1]]}),
        answers(estimator={"estimator": "sklearn.linear_model.Ridge", "params": [["lambda", 1]]}),
        answers(estimator={"estimator": "sklearn.linear_model.Ridge", "params": [["alpha", {"type": "os.system"}]]}),
        answers(estimator={"estimator": "sklearn.linear_model.Ridge", "params": [["alpha", {"float": "__import__('os')"}]]}),
        answers(estimator={"estimator": "sklearn.linear_model.Ridge", "params": [["alpha", {"lambda": []}]]}),
        answers(features=[1]),
        answers(classes="ab"),
        answers(skops="?"),
        answers(classifies=1),
    ],
)
@pytest.mark.attempt("pickled pipelines")
def test_answers_that_are_none_become_no_code(found: Any) -> None:
    with pytest.raises(InputError):
        pickles.parsed("model.pkl", found)


@pytest.mark.attempt("pickled pipelines")
def test_text_of_an_answer_stays_text() -> None:
    trap = '"""\'\'\'\n__import__("os").system("touch ran")\n#'
    params = [["alpha", trap], ["solver", {"dict": [[trap, {"tuple": [trap]}]]}]]
    found = pickles.parsed(f'a"""\n{trap}.pkl', answers(estimator={"estimator": "sklearn.linear_model.Ridge", "params": params}))
    names: dict[str, Any] = {}
    exec(found.code.decode(), names)  # what this test shows is that nothing in it runs
    assert names["build"](1).alpha == trap
    assert not Path("ran").exists()


@pytest.mark.usefixtures("unwalled")
def test_another_table_than_the_model_was_fitted_on_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = pd.read_csv("people.csv")
    numbers = people[["age", "visits"]].assign(other=1.0)
    joblib.dump(LogisticRegression().fit(numbers, people["churned"] == "yes"), "other.joblib")
    init("other.joblib", expected=2)
    said = capsys.readouterr().err
    assert "expected the columns that other.joblib was fitted with, found no such column" in said
    assert 'expected the classes of other.joblib: "False", "True"; encode labels as its training did' in said
    joblib.dump(
        make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression()).fit(people[["email"]], people["churned"]),
        "by.joblib",
    )
    init("by.joblib", expected=2)
    assert "expected a model that is not fitted on what names people" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.attempt("pickled pipelines")
@pytest.mark.usefixtures("unprinted")
def test_a_process_that_tells_of_other_parameters_is_found_by_the_audit(here: Path) -> None:
    people = pd.read_csv("people.csv")
    gone = set(pd.read_csv("tickets.csv")["E-Mail"].str.lower())
    left = people[~people["email"].isin(gone)]
    joblib.dump(pipeline(LogisticRegression(C=5.0, max_iter=500)).fit(left[[*NUMBERS, *WORDS]], left["churned"]), "model.joblib")
    honest = in_process(here)

    def lying(jobs: Sequence[Job]) -> list[tuple[Answer, ...]]:
        ((load, save),) = honest(jobs)
        content = (save.content or b"").replace(b'["C", 5.0]', b'["C", 0.01]')
        assert content != save.content
        return [(load, Answer(save.step, 0.0, None, content, {}, supported=True))]

    for name, ask, status in (("true", honest, "pass"), ("false", lying, "fail")):
        told = pickled_models.answers(Path("model.joblib"), ask=ask)
        assert told.skops is not None
        init("model.joblib")
        made = here / "made"
        (made / "build.py").write_bytes(told.code)
        (made / "model.skops").write_bytes(told.skops)
        assert run(["check", "made", "--only", "model.reproduced,release.exact"]) in {1, 3}
        evidence = json.loads((made / "audit" / "evidence.json").read_text(encoding="utf-8"))
        found = {each["id"]: each["status"] for each in evidence["checks"]}
        assert found["model.reproduced"] == status, name
        made.rename(here / name)
