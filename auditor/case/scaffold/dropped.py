"""Statements that may not be left out of a script, although no value that fit gets is followed from them.

What is followed are values: names and what they are assigned. A statement that changes something in place, through another name,
an attribute, a method or a function of the script's own, changes what is learned without being followed. Each such statement near
the table, the model or anything that is carried over is refused; a script is refused rather than taken for another procedure.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from auditor.case.scaffold import rows
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import Step
from auditor.case.scaffold.syntax import callee, loads, root, words

_CHANGES: Final = frozenset(
    {
        "append",
        "extend",
        "insert",
        "remove",
        "pop",
        "popitem",
        "clear",
        "update",
        "setdefault",
        "sort",
        "reverse",
        "add",
        "discard",
    }
    | {"fill", "put", "resize", "itemset", "setflags", "partial_fit", "set_params", "shuffle", "eval"}
    | {"__setitem__", "__setattr__", "__delitem__"}
)
"""Methods that change what they are called on, or are given."""
_ANYTHING: Final = frozenset({"exec", "eval", "setattr", "delattr", "globals", "locals", "vars", "map", "compile"})
"""Functions that may change anything that they are given."""
_WHATEVER: Final = frozenset(
    {"exec", "globals", "locals", "setattr", "delattr", "set_config", "suppress", "__setitem__", "__setattr__"}
)
"""What may change anything, whatever it is given."""
_ASKS: Final = (
    rows.ROW_WISE | rows.FILTERS | rows.STATISTICS | rows.ADDING | rows.JOINS | rows.ORDERS | rows.POSITIONS | rows.INDEXES
) | (
    rows.LOOKS
    | words(
        "keys values items index count get_params score predict predict_proba decision_function format upper lower strip split"
    )
    | words(
        "startswith endswith encode decode isdigit title exists mkdir write_text with_suffix with_name resolve absolute as_posix"
    )
    | words("iterrows itertuples isnull isna to_dict to_records nunique first last sort_index bar barh line scatter pie")
    | words(
        "fit fit_transform transform fit_predict inverse_transform get_feature_names_out intersection union difference issubset"
    )
    | words("strftime isoformat date total_seconds timestamp day month year weekday normalize floor ceil sparse cv_results_ join")
    | words("replace splitlines rstrip lstrip removeprefix removesuffix zfill capitalize swapcase info debug warning error log")
    | words("info_ print summary tolist item astype tobytes mean std drop_duplicates set_output get_booster close")
)
"""Methods that change nothing, or that are told apart elsewhere."""
_COPIES: Final = words("copy array astype")
_HOLDERS: Final = words("dict list tuple set frozenset SimpleNamespace Bunch")
_OF_TABLES: Final = words("subtract truncate")
"""Those that change other things than tables, whose result nobody takes."""
_GIVES_NEW: Final = words(
    "re itertools functools operator statistics copy dataclasses typing pathlib hashlib string textwrap decimal fractions enum "
    "numbers contextlib platform __future__ tempfile traceback types glob uuid pickle gzip base64 cmath"
)
"""Modules whose functions leave what they are given as it is, unless they are given functions."""
_IN_PLACE: Final = Fault(
    "changes in place what the training uses, and cannot be carried over",
    "assign the changed value to a name of its own before it is used, or set it where the thing is made",
)
_OWN: Final = Fault(
    "hands what the training uses to a function that may change it, and cannot be carried over",
    "have the function return what it makes, and assign that: table = prepare(table)",
)
_AFTER: Final = Fault(
    "changes the model after it was fitted, and cannot be carried over",
    "fit the model that is released with one call of fit, or write a class of the case's own: docs/cases.md",
)
_AGAIN: Final = Fault("gives a name that a function uses a second meaning", "give each its own name")
_WITHIN: Final = Fault(
    "fit is given more than the names of features and labels", "assign it before: X = …; y = …; model.fit(X, y)"
)
_PLACES: Final = Fault("fit is given more than features and labels by place", "name it: model.fit(X, y, sample_weight=weights)")


def faults(  # noqa: C901, PLR0912 - what is near, then what each statement does to it
    steps: Sequence[Step],
    carried: Collection[int],
    followed: Collection[int],
    fit: int,
    model: ast.expr,
    *,
    alongside: Collection[str] = (),
) -> Iterator[tuple[int, Fault]]:
    """Name the statements that may not be left out, by their lines.

    Args:
        steps: Every statement in the order in which they run.
        carried: Positions of those that are carried over.
        followed: Positions of those whose effect on the table is known, so that it is known to be of no use.
        fit: Position of the one that fits.
        model: What `fit` is called on.
        alongside: Modules of the script's own, whose functions may change anything.
    """
    used = reaching({name for at in {*carried, fit} for name in loads(steps[at].node)}, steps)
    whence = {
        (each.asname or each.name).partition(".")[0]: (getattr(step.node, "module", None) or each.name).partition(".")[0]
        for step in steps
        if isinstance(step.node, ast.Import | ast.ImportFrom)
        for each in step.node.names
    }
    imported = {name for name, module in whence.items() if module not in alongside}
    own = {step.node.name for step in steps if isinstance(step.node, ast.FunctionDef | ast.ClassDef)}
    own |= {each.id for step in steps if _is_lambda(step.node) for each in _targets(step.node) if isinstance(each, ast.Name)}
    own |= whence.keys() - imported
    near, models = used - imported - own, {root(model)} - {""}
    uses = {step.node.name: loads(step.node) for step in steps if isinstance(step.node, ast.FunctionDef)}
    strange = {name for name in imported if whence[name] not in rows.HARMLESS | _GIVES_NEW}
    shared, again = _shared(steps), any(_warm(step.node) for step in steps)
    for at, step in enumerate(steps):
        node = step.node
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and at not in carried:
            targets = {found for each in _targets(node) if (found := root(each))}
            if (_is_alias(node.value) or callee(node.value) in _HOLDERS) and loads(node.value) & models:
                models |= targets
            if loads(node.value) & near and (_is_alias(node.value) or all(isinstance(each, ast.Name) for each in _targets(node))):
                near |= targets
            if any(uses.get(callee(each), set()) & near for each in ast.walk(node.value)):
                near |= targets  # what a function gives that finds it around it
        if at in carried or at == fit or isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.Pass):
            continue
        if any(_fits(each, models, again=again) for each in ast.walk(node)):
            yield step.line, _AFTER
        if at > fit:
            for each in ast.walk(node):
                if isinstance(each, ast.For | ast.comprehension) and loads(each.iter) & models:
                    models |= loads(each.target)
            if any(root(each) in models for each in _changed(node)):
                yield step.line, _AFTER
            continue
        alone = isinstance(node, ast.Expr)
        passes = alone and any(
            _through_another(each, near, own, (), alone=alone) for each in ast.walk(node) if isinstance(each, ast.Call)
        )
        if at in followed and not (
            passes or any(root(each) in shared for each in _changed(node)) or _splits(node, steps[fit].node)
        ):
            continue
        for each in ast.walk(node):
            if isinstance(each, ast.For | ast.comprehension) and loads(each.iter) & near:
                near |= loads(each.target)
        if (
            any(root(each) in near for each in _changed(node))
            or any(root(each) in near for each in _asked(node))
            or _anything(node)
            or _rebinds(node, used)
            or _splits(node, steps[fit].node)
        ):
            yield step.line, _IN_PLACE
        elif any(
            _hands_over(each, near, own, imported, alone=alone) or _through_another(each, near, own, strange, alone=alone)
            for each in ast.walk(node)
            if isinstance(each, ast.Call)
        ):
            yield step.line, _OWN
    yield from _defined_again(steps, used, carried, fit)


def reaching(used: set[str], steps: Sequence[Step]) -> set[str]:
    """The names, and those that what they stand for is made of."""
    found, before = set(used), -1
    while len(found) > before:
        before = len(found)
        for step in steps:
            node = step.node
            stored = {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set[str]()
            if isinstance(node, ast.Assign | ast.AnnAssign):
                stored = {each.id for each in _targets(node) if isinstance(each, ast.Name)}
            if stored & found:
                found |= loads(node)
    return found


def _asked(node: ast.stmt) -> Iterator[ast.expr]:
    """What methods are called on that nobody knows to change nothing."""
    alone = _OF_TABLES if isinstance(node, ast.Expr) else frozenset[str]()
    for each in _run(node):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr not in _ASKS - alone:
            held = each.func.value
            if not any(isinstance(inner, ast.Call) for inner in ast.walk(held)):
                yield held


def _through_another(
    call: ast.Call, near: Collection[str], own: Collection[str], strange: Collection[str], *, alone: bool
) -> bool:
    """Whether what the training uses comes to a function of the script's own through another one, or to one that nobody knows."""
    given = [*call.args, *(one.value for one in call.keywords)]
    names = {name for each in (*given, call.func) for name in loads(each)}
    if not names & set(near):
        return False
    by_another = any(isinstance(each, ast.Name) and each.id in own for each in given)
    of_table = isinstance(call.func, ast.Attribute) and call.func.attr in rows.ROW_WISE | rows.STATISTICS
    return (by_another and (alone or not of_table)) or root(call.func) in strange


def _arrays(steps: Sequence[Step]) -> set[str]:
    """Names of arrays, and of parts of them: a part of one is no copy, as that of a table is."""
    found, before = set[str](), -1
    while len(found) > before:
        before = len(found)
        for step in steps:
            node = step.node
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                made = any(
                    isinstance(each, ast.Attribute) and each.attr in {"values", "to_numpy"} for each in ast.walk(node.value)
                )
                if made or root(node.value) in {*found, "np", "numpy"} or (loads(node.value) & found and _is_alias(node.value)):
                    found |= {each.id for each in _targets(node) if isinstance(each, ast.Name)}
    return found


def _shared(steps: Sequence[Step]) -> set[str]:
    """Names that stand for one thing with another name."""
    found, arrays = set[str](), _arrays(steps)
    for step in steps:
        node = step.node
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple | ast.List):
            found |= {each.id for each in (*_targets(node), *node.value.elts) if isinstance(each, ast.Name)}
        elif isinstance(node, ast.Assign) and loads(node.value) & arrays and callee(node.value) not in _COPIES:
            found |= {each.id for each in _targets(node) if isinstance(each, ast.Name)} | (loads(node.value) & arrays)
        if isinstance(step.node, ast.Assign | ast.AnnAssign) and step.node.value is not None:
            targets = {each.id for each in _targets(step.node) if isinstance(each, ast.Name)}
            value = step.node.value
            of_other = isinstance(value, ast.Name | ast.IfExp | ast.BoolOp | ast.NamedExpr)
            of_other |= isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
            if of_other or (isinstance(step.node, ast.Assign) and len(step.node.targets) > 1):
                found |= targets | loads(value)
    return found


def _defined_again(steps: Sequence[Step], used: set[str], carried: Collection[int], fit: int) -> Iterator[tuple[int, Fault]]:
    """Name definitions of one name that a function would find changed, or that stand where only the last is written."""
    late = {
        name
        for step in steps[:fit]
        for each in ast.walk(step.node)
        if isinstance(each, ast.FunctionDef | ast.Lambda)
        for name in loads(each)
    }
    first = dict[str, int]()
    for at, step in enumerate(steps[:fit]):
        node = step.node
        names = {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set[str]()
        if isinstance(node, ast.Assign) and at not in carried:
            names = {each.id for each in _targets(node) if isinstance(each, ast.Name)} & late
        for name in sorted(names & used):
            if first.setdefault(name, at) != at:
                yield step.line, _AGAIN


def _fits(node: ast.AST, models: Collection[str], *, again: bool) -> bool:
    """Whether it goes on with what the model has learned."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or root(node.func) not in models:
        return False
    return node.func.attr == "partial_fit" or (node.func.attr == "fit" and again)


def _warm(node: ast.AST) -> bool:
    return any(isinstance(each, ast.keyword) and each.arg == "warm_start" for each in ast.walk(node)) or any(
        isinstance(each, ast.Attribute) and each.attr in {"partial_fit", "warm_start"} for each in ast.walk(node)
    )


def _anything(node: ast.stmt) -> bool:
    """Whether a statement may change whatever there is."""
    calls = (each for each in _run(node) if isinstance(each, ast.Call))
    return any(callee(each) in _WHATEVER or (each.args and any(one.arg == "inplace" for one in each.keywords)) for each in calls)


def _rebinds(node: ast.stmt, used: Collection[str]) -> bool:
    """Whether a loop or block gives a name that is in use another value."""
    if not isinstance(node, ast.For | ast.While | ast.With | ast.Try | ast.If):
        return False
    inner = (each for each in _run(node) if isinstance(each, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For | ast.With))
    stored = (one for each in inner for part in _stored_by(each) for one in ast.walk(part))
    return any(isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.id in used for one in stored)


def _stored_by(node: ast.stmt) -> list[ast.expr]:
    match node:
        case ast.For(target=found):
            return [found]
        case ast.With(items=items):
            return [each.optional_vars for each in items if each.optional_vars is not None]
        case _:
            return _targets(node)


def _splits(node: ast.stmt, fit: ast.stmt) -> bool:
    """Whether it draws a split of its own for what fit gets."""
    calls = {each.func.id for each in _run(node) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}
    stored = {each.id for each in _run(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return "train_test_split" in calls and bool(stored & loads(fit))


def _is_lambda(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)


def within_fit(call: ast.Call, *, prepared: bool) -> Iterator[Fault]:
    """Name what a call of fit works out between its brackets.

    Args:
        call: The call.
        prepared: Whether features are written out, and with them what is between the brackets.
    """
    if len(call.args) > 2 or any(isinstance(each, ast.Starred) for each in call.args):
        yield _PLACES
    named = {each.arg: each.value for each in call.keywords}
    features = call.args[0] if call.args else named.get("X")
    labels = call.args[1] if len(call.args) > 1 else named.get("y")
    if (features is not None and not prepared and not _is_chosen(features)) or (labels is not None and not _is_chosen(labels)):
        yield _WITHIN


def shadowed(text: str) -> str | None:
    """A name that a written file uses for two things: at its top and within a function, or twice at its top; None for none."""
    tree = ast.parse(text)
    tops = [each.id for node in tree.body if isinstance(node, ast.Assign) for each in node.targets if isinstance(each, ast.Name)]
    if twice := [each for each in ("LABEL", "CLASSES") if tops.count(each) > 1]:
        return twice[0]
    for function in (each for each in tree.body if isinstance(each, ast.FunctionDef)):
        arguments = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
        stored = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        if both := sorted((arguments | stored) & set(tops)):
            return both[0]
    return None


def _is_chosen(node: ast.expr) -> bool:
    """Whether it is a name, or columns of one by their names, as an array or as they are."""
    match node:
        case ast.Name():
            return True
        case ast.Attribute(value=held) | ast.Subscript(value=held, slice=ast.Constant(value=str()) | ast.List()):
            return _is_chosen(held)
        case ast.Subscript(value=held, slice=ast.Name(id=name)):
            return _is_chosen(held) and not name.lower().endswith(("mask", "index", "idx", "rows", "keep"))
        case ast.Call(func=ast.Attribute(value=held, attr="drop" | "copy" | "ravel" | "to_numpy" | "squeeze" | "select_dtypes")):
            return _is_chosen(held)
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="ravel" | "asarray" | "array"), args=[held]):
            return _is_chosen(held)
        case _:
            return False


def _changed(node: ast.stmt) -> Iterator[ast.expr]:
    """What a statement, or one within it, changes in place."""
    for each in _run(node):
        if isinstance(each, ast.Attribute | ast.Subscript) and not isinstance(each.ctx, ast.Load):
            yield each  # the target of a loop, or within that of an assignment, too
        elif isinstance(each, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete):
            yield from (
                target
                for target in _targets(each)
                if isinstance(target, ast.Attribute | ast.Subscript) or isinstance(each, ast.AugAssign | ast.Delete)
            )
        elif isinstance(each, ast.Call):
            if isinstance(each.func, ast.Attribute) and each.func.attr in _CHANGES:
                yield from (each.func.value, *each.args)
            elif isinstance(each.func, ast.Name) and each.func.id in _ANYTHING:
                yield from (ast.Name(name, ast.Load()) for argument in each.args for name in loads(argument))
            for keyword in each.keywords:
                if keyword.arg == "out":
                    yield keyword.value
                if keyword.arg == "inplace" and isinstance(each.func, ast.Attribute):
                    yield each.func.value


def _hands_over(call: ast.Call, near: Collection[str], own: Collection[str], imported: Collection[str], *, alone: bool) -> bool:
    """Whether a call gives something that the training uses to a function of the script's own."""
    begins = root(call.func)
    if begins in imported or begins not in own:
        return False
    given = {name for each in (*call.args, *(one.value for one in call.keywords)) for name in loads(each)}
    return bool(given & set(near)) or (alone and not given)


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Whatever runs where it stands: not the bodies of functions."""
    yield node
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _run(each)


def _targets(node: ast.stmt) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=found) | ast.Delete(targets=found):
            return [one for each in found for one in (each.elts if isinstance(each, ast.Tuple | ast.List) else [each])]
        case ast.AugAssign(target=found) | ast.AnnAssign(target=found):
            return [found]
        case _:
            return []


def _is_alias(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.IfExp | ast.List | ast.Tuple | ast.Dict)
