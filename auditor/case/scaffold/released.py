"""How the file that is released has to be trained: by the script as it is, or by the seed that the audit gives."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from auditor.case.scaffold.syntax import calls_in, last, last_word, words

_NAMED: Final = "Write it with skops.io.dump (pip install skops), then auditor canonical FILE -o OUT; name OUT under [model]"
_NETWORK: Final = "Name it under [model] in audit.toml, a .safetensors file as auditor canonical FILE -o OUT writes it"
_AS_IT_IS: Final = (
    "The file to release: your own script, with the same versions of libraries and one thread (OMP_NUM_THREADS=1), on the table "
    "without the erased records."
)
_SEEDED: Final = (
    "The file to release: {names} draws by no number of the script, so that the audit draws by its own. Write a number, "
    "random_state=3, train on the table without the erased records, and make the case again; or train with "
    "random_state=int(numpy.random.SeedSequence(s + T).generate_state(1)[0] >> 1), where s is seed in audit.toml and T the "
    "number of batches of erasures."
)
_BY_PARAMETER: Final = (
    "The file to release: train on the table without the erased records, and call {names} with "
    "int(numpy.random.SeedSequence(s + T).generate_state(1)[0] >> 1), where s is seed in audit.toml and T the number of batches "
    "of erasures."
)
_STILL: Final = words("LogisticRegression Ridge RidgeClassifier Lasso ElasticNet SVC")
"""Estimators that draw only where a keyword of these asks for it."""
_ASKS: Final = words("solver probability selection")


def way(entry: str, content: bytes, *, given: bool) -> str:
    """Say how to train the file that is released.

    Args:
        entry: `file.py:function`, which builds the estimator.
        content: That file.
        given: Whether the case has the file of the model.
    """
    return _with(_NAMED, _training(entry, content), given=given)


def _with(naming: str, training: str, *, given: bool) -> str:
    return training if given else f"{training} {naming}."


def _training(entry: str, content: bytes) -> str:
    tree = ast.parse(content)
    function = entry.rpartition(":")[2]
    defined = next((each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == function), None)
    if defined is not None and any(each.arg == "seed" for each in defined.args.args) and not _sets_seeds(defined):
        return _BY_PARAMETER.format(names=function)
    found = list(dict.fromkeys(_drawing(tree)))
    return _SEEDED.format(names=", ".join(found)) if found else _AS_IT_IS


def of_loop(*, seeded: bool, given: bool) -> str:
    """Say it of a training loop that was read out of a script: without a seed no training of it comes about again."""
    unseeded = "The file to release: seed your script, torch.manual_seed(3), train with it, and make the case again."
    return _with(_NETWORK, _AS_IT_IS if seeded else unseeded, given=given)


def _sets_seeds(function: ast.FunctionDef) -> bool:
    """Whether it is the function that is written here, which gives a seed only to what names none."""
    return any(last_word(each) == "set_params" for each in calls_in(function))


def _drawing(tree: ast.Module) -> Iterator[str]:
    """Name the classes that are called without a number for `random_state`, and draw."""
    modules = {
        alias.asname or alias.name: (each.module or "", alias.name)
        for each in ast.walk(tree)
        if isinstance(each, ast.ImportFrom)
        for alias in each.names
    }
    for call in calls_in(tree):
        keywords = {each.arg: each.value for each in call.keywords}
        given = keywords.get("random_state")
        if given is not None and not (isinstance(given, ast.Constant) and given.value is None):
            continue
        name = last(call.func)
        if None in keywords or (name in _STILL and not _ASKS & keywords.keys()):
            continue
        module, original = modules.get(name, ("", name))
        if module.partition(".")[0] == "sklearn" and "random_state" in _parameters(module, original):
            yield name


def _parameters(module: str, name: str) -> frozenset[str]:
    try:
        found = getattr(import_module(module), name, None)
        return frozenset(inspect.signature(found).parameters) if callable(found) else frozenset()
    except (ImportError, TypeError, ValueError):
        return frozenset()
