"""Which estimators `use = "sklearn"` may name: those that scikit-learn lists; and what the core's procedures need beyond tables.

A dotted name in a case is never imported. An estimator is looked up in the package of scikit-learn that its name begins with,
where that is one of those below; otherwise in the list of scikit-learn's `all_estimators`, which takes seconds to make.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

import numpy as np
from pydantic import BaseModel

from auditor.base import suggestions
from auditor.base.domain import Problem
from auditor.base.model_formats import ENDINGS, WHOLE_ESTIMATOR
from auditor.case import Case, parsing
from auditor.case.declaration import Declaration
from auditor.case.procedures import entry_problems, json_problems
from auditor.settings.builtin import Procedure
from auditor.settings.learning import Sklearn, Wrapped
from auditor.settings.tables import Task
from auditor.settings.values import show, unknown

_RANDOM_STATE: Final = "random_state"
_ANYTHING_ELSE: Final = 'for anything else, such as a pipeline or LightGBM, use = "estimator" and entry = "model.py:build"'
PACKAGES: Final = frozenset(
    f"sklearn.{name}"
    for name in (
        *("calibration", "cross_decomposition", "discriminant_analysis", "dummy", "ensemble", "gaussian_process", "isotonic"),
        *("kernel_ridge", "linear_model", "multiclass", "multioutput", "naive_bayes", "neighbors", "neural_network"),
        *("semi_supervised", "svm", "tree"),
    )
)
"""Where scikit-learn's classifiers and regressors are public."""


@cache
def listed() -> Mapping[str, type]:
    """Every classifier and regressor of scikit-learn, by its public and by its full dotted name."""
    from sklearn.utils import all_estimators  # noqa: PLC0415  (imports the whole library)

    found: dict[str, type] = {}
    every: list[tuple[str, type]] = all_estimators(type_filter=["classifier", "regressor"])
    for name, estimator in every:
        found[f"{estimator.__module__}.{name}"] = estimator
        package = _package(estimator)
        if getattr(sys.modules.get(package), name, None) is estimator:
            found[f"{package}.{name}"] = estimator
    return found


@cache
def _estimator(name: str) -> type | None:
    """The classifier or regressor of that name that scikit-learn lists; None where it lists none."""
    package, _, word = name.rpartition(".")
    if package not in PACKAGES:
        return listed().get(name)
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin  # noqa: PLC0415  (only this procedure needs it)

    found = getattr(import_module(package), word, None)
    if not isinstance(found, type) or word.startswith("_") or inspect.isabstract(found) or _package(found) != package:
        return None
    return found if issubclass(found, BaseEstimator) and issubclass(found, ClassifierMixin | RegressorMixin) else None


def _package(estimator: type) -> str:
    """The package that an estimator is defined in, but for the parts of its name that are not public."""
    return ".".join(takewhile(lambda part: not part.startswith("_"), estimator.__module__.split(".")))


def full_name(name: str) -> str:
    """The name under which an estimator is defined, such as sklearn.tree._classes.DecisionTreeClassifier.

    Raises:
        KeyError: If scikit-learn does not list an estimator of that name.
    """
    estimator = _estimator(name)
    if estimator is None:
        raise KeyError(name)
    return f"{estimator.__module__}.{estimator.__name__}"


def tasks(name: str) -> frozenset[Task]:
    """What an estimator can learn; empty for one that scikit-learn does not list."""
    from sklearn.base import ClassifierMixin, RegressorMixin  # noqa: PLC0415  (only this procedure needs it)

    estimator = _estimator(name)
    if estimator is None:
        return frozenset()
    classifies: set[Task] = {"classification"} if issubclass(estimator, ClassifierMixin) else set()
    regresses: set[Task] = {"regression"} if issubclass(estimator, RegressorMixin) else set()
    return frozenset(classifies | regresses)


def problems(file: str, name: str, params: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with an estimator's name and the names of its parameters.

    Args:
        file: The name of audit.toml.
        name: The estimator's dotted name.
        params: Keyword arguments of its constructor.
    """
    estimator = _estimator(name)
    if estimator is None:
        return [Problem(file, "procedure.estimator", *_unlisted(name, tuple(listed())))]
    signature = inspect.signature(estimator).parameters
    if needed := [key for key, parameter in signature.items() if parameter.default is parameter.empty]:
        expected = f"an estimator that is complete by itself; {_ANYTHING_ELSE}"
        return [Problem(file, "procedure.estimator", expected, f"{show(name)}, which needs other estimators as {needed[0]}")]
    found = []
    for key in params:
        where = f"procedure.params.{key}" if key.isprintable() else "procedure.params"
        if key == _RANDOM_STATE and key in signature:
            found.append(Problem(file, where, "no such key: the seed of [procedure] sets it", show(params[key])))
        elif key not in signature:
            names = [each for each in signature if each != _RANDOM_STATE]
            found.append(Problem(file, where, *unknown("parameter", key, names)))
    return found


def read(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """Read a table `sklearn`, and name what is wrong with the estimator and its parameters.

    Args:
        file: The name of audit.toml.
        content: What is under [procedure].
    """
    params = content.get("params", {})
    found = json_problems(file, "procedure.params", params) if isinstance(params, dict) else []
    table = parsing.table(file, "procedure", Sklearn, content if not found else {**content, "params": {}})
    found.extend(table if isinstance(table, list) else [])
    name = content.get("estimator")
    if isinstance(name, str) and not any(problem.where == "procedure.estimator" for problem in found):
        found.extend(problems(file, name, params if isinstance(params, dict) else {}))
    return found or table


def read_wrapped(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """Read a table `estimator`.

    Args:
        file: The name of audit.toml.
        content: What is under [procedure].
    """
    params = content.get("params", {})
    found = json_problems(file, "procedure.params", params) if isinstance(params, dict) else []
    if isinstance(params, dict) and "seed" in params:
        expected = "no such key: the function gets the seed of [procedure]"
        found.append(Problem(file, "procedure.params.seed", expected, "a value"))
    found += entry_problems(file, content, "function")
    table = parsing.table(file, "procedure", Wrapped, content if not found else {**content, "params": {}})
    return [*found, *table] if isinstance(table, list) else found or table


def fits(file: str, procedure: Sklearn, declared: Declaration) -> Iterator[Problem]:
    """Name a task that the estimator cannot learn."""
    name, task = procedure.estimator, declared.text("data", "task")
    if task is not None and (found := tasks(name)) and task not in found:
        expected = f"an estimator for {task}, which data.task says"
        yield Problem(file, "procedure.estimator", expected, f"{name}, for {' and '.join(sorted(found))}")


def fits_wrapped(file: str, procedure: Wrapped, declared: Declaration) -> Iterator[Problem]:
    """Name data without names of columns where a file prepares its rows."""
    for key in ("train", "holdout") if procedure.prepare is not None else ():
        given = declared.text("data", key)
        if given is not None and given.lower().endswith(".npz"):
            expected = f"a CSV or Parquet file as data.{key}: a table is prepared by the names of its columns"
            yield Problem(file, "procedure.prepare", expected, show(given))
    path = declared.text("model", "path")
    own = procedure.prepare is not None and path is not None and Path(path).suffix.lower() in ENDINGS
    if own and declared.text("model", "part") is None:
        expected = f'part = "{WHOLE_ESTIMATOR}", or the name of a step: what procedure.prepare does is not in the file'
        yield Problem(file, "model.part", expected, "no such key")


def of_data(case: Case, procedure: Sklearn) -> dict[str, object]:
    """Give the settings that follow from the training data, and the name under which the installed library has the estimator."""
    return {"estimator": full_name(procedure.estimator), **of_labels(case, procedure)}


def of_labels(case: Case, procedure: Procedure) -> dict[str, object]:  # noqa: ARG001 - alike for every estimator
    """Give the labels that the columns of predictions stand for, and what a rerun saves: the like of the released file."""
    labels: list[int | str] = np.unique(case.train.labels).tolist()
    found: dict[str, object] = {"classes": labels if case.settings.data.task == "classification" else None}
    declared, file = case.settings.model, case.own_file
    if declared is None or file is None:
        return found
    return found | {"file_kind": file.kind} | ({} if declared.part is None else {"file_part": declared.part})


def of_wrapped(case: Case, procedure: Wrapped) -> dict[str, object]:
    """Give what every estimator is given, and the column of labels to code that prepares the rows of a training."""
    found = of_labels(case, procedure)
    return found if procedure.prepare is None else found | {"label": case.settings.data.label}


def of_words(case: Case, procedure: Procedure) -> dict[str, object]:  # noqa: ARG001 - alike for every language model
    """Give the number of words that the sentences of a text case are made of."""
    tables = [case.train, *([] if case.holdout is None else [case.holdout])]
    return {"words": int(max(each.features.max() for each in tables))}


def _unlisted(name: str, known: tuple[str, ...]) -> tuple[str, str]:
    public = [each for each in known if not any(part.startswith("_") for part in each.split("."))]
    bare = {each.rpartition(".")[2]: each for each in public}
    near = suggestions.nearest(name.rpartition(".")[2], bare)
    hint = f"; {_ANYTHING_ELSE}" if near is None else f" (did you mean {bare[near]}?)"
    return f"a classifier or regressor that scikit-learn lists{hint}", show(name)
