"""Which estimators `[procedure] use = "sklearn"` may name: those that scikit-learn itself lists, and nothing else.

A dotted name in a case is never imported. An estimator is looked up in the package of scikit-learn that its name begins with,
where that is one of those below; otherwise in the list of scikit-learn's `all_estimators`, which takes seconds to make.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from itertools import takewhile
from typing import Any, Final

from auditor.base import suggestions
from auditor.base.domain import Problem
from auditor.settings.problems import show, unknown
from auditor.settings.tables import Task

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


def _unlisted(name: str, known: tuple[str, ...]) -> tuple[str, str]:
    public = [each for each in known if not any(part.startswith("_") for part in each.split("."))]
    bare = {each.rpartition(".")[2]: each for each in public}
    near = suggestions.nearest(name.rpartition(".")[2], bare)
    hint = f"; {_ANYTHING_ELSE}" if near is None else f" (did you mean {bare[near]}?)"
    return f"a classifier or regressor that scikit-learn lists{hint}", show(name)
