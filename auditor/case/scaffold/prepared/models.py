"""The models that a script fits, and what they learn."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Final

from auditor.case.scaffold.dataflow import Fit, Flow, Value
from auditor.case.scaffold.syntax import last_word

_FITTED_STEPS: Final = re.compile(
    r"\w*(?:Encoder|Scaler|Imputer|Select\w*|PCA|SVD|Transformer|RFE|RFECV|Vectorizer|Binarizer|Discretizer|SMOTE\w*|Sampler|Normalizer)"
)


def models(flow: Flow) -> dict[str, Fit]:
    """The last fit of each model that the script fits on the table's rows, by the name that it is assigned to."""
    found: dict[str, Fit] = {}
    for each in flow.fits:
        if (
            len(each.given) + ("y" in each.keywords) >= 2 and not _FITTED_STEPS.fullmatch(each.estimator.made)
        ) or each.estimator.made.startswith(("lightgbm.", "xgboost.", "catboost.")):
            found[model_name(each, flow)] = each
    return found


def model_name(fit: Fit, flow: Flow) -> str:
    """The variable that holds a model; what makes it where no variable does."""
    receiver = fit.call.func.value if isinstance(fit.call.func, ast.Attribute) else fit.call.func
    if isinstance(receiver, ast.Name) and not fit.estimator.path:
        return receiver.id
    node = flow.steps[fit.step].node
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return last_word(receiver) or "model"


def last_step(fit: Fit, nodes: Iterable[ast.stmt]) -> str | None:
    """The name of the last step of a pipeline, which a function among the statements may give; None of anything else."""
    functions = [each for each in nodes if isinstance(each, ast.FunctionDef) and each.name == fit.estimator.made]
    made: ast.expr | None = fit.estimator.call
    scope = [*nodes]
    if functions:
        gives = [each.value for each in ast.walk(functions[-1]) if isinstance(each, ast.Return)]
        made = gives[-1] if gives else None
        scope += (each for each in ast.walk(functions[-1]) if isinstance(each, ast.stmt))
    known = {name: each.value for each in scope if isinstance(each, ast.Assign) and (name := target_of(each)) is not None}
    made = _behind(made, known)
    if not isinstance(made, ast.Call):
        return None
    named = {each.arg: each.value for each in made.keywords}
    steps = _behind(made.args[0] if made.args else named.get("steps"), known)
    match last_word(made), steps:
        case "Pipeline", ast.List(elts=[*_, last]):
            pair = _behind(last, known)
            word = _behind(pair.elts[0], known) if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else None
            return word.value if isinstance(word, ast.Constant) and isinstance(word.value, str) else None
        case "make_pipeline", _:
            model = _behind(made.args[-1] if made.args else None, known)
            return last_word(model).lower() or None if isinstance(model, ast.Call) else None
        case _:
            return None


def _behind(node: ast.expr | None, known: Mapping[str, ast.expr]) -> ast.expr | None:
    """What a name was given, where it is one."""
    for _ in known:
        if not isinstance(node, ast.Name) or node.id not in known:
            break
        node = known[node.id]
    return node


def returned(tree: ast.Module, name: str) -> str:
    """The class of what a function returns, or of what is assigned to a name; empty where that cannot be told."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            found = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and isinstance(each.value, ast.Call)]
            return last_word(found[-1]) if found else ""
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and target_of(node) == name:
            return last_word(node.value)
    return ""


def label_of(fit: Fit) -> str | None:
    """The column of the file that labels are made from; None where there is no such column, or several."""
    found = labels_of(fit).all_sources
    return next(iter(found)) if len(found) == 1 else None


def labels_of(fit: Fit) -> Value:
    """What fit gets as labels."""
    return fit.keywords.get("y") or (fit.given[1] if len(fit.given) > 1 else Value())


def target_of(node: ast.stmt) -> str | None:
    """The one variable that a statement gives a value; None of several, or of something else."""
    return node.targets[0].id if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) else None


def parts_of(value: Value) -> set[int]:
    """Parts of the rows that a value holds."""
    found = {value.part} if value.kind in {"table", "column"} else set()
    return found.union(*(parts_of(each) for each in value.items or ()))
