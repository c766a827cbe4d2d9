"""Lays out a script as the statements that run when it is started, in their order; nothing of it is run.

What lies under `if __name__ == "__main__":` and in a `with` runs in its place. A function of the file is put in the place of
its call, its variables renamed where their names are taken: `df = load()`, `sys.exit(main())`. What builds an estimator, and a
function that returns one of several values, stays what it is.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from auditor.case.scaffold.syntax import is_main, last_word

READS: Final = re.compile(r"read_\w+|fetch_\w+|load_(?:csv|data|dataset|table)")
"""What reads a table is called so."""
BUILDS: Final = re.compile(r"_?(?:build|make|create|get|new)(?:_(?!data|features?|table|xy|df|dataset|split)\w+)?")
"""What builds an estimator is called so, and stays a function."""
MOST_STEPS: Final = 4000
MOST_NODES: Final = 200_000
DEEPEST: Final = 8
_LONGEST: Final = 100
_OF_PREPARE: Final = frozenset({"features", "labels", "estimator", "held_features", "held_labels"})
"""What prepare.py calls what it gets."""
_LISTS: Final = ast.List | ast.Tuple | ast.ListComp | ast.Constant
_BY_TEXT: Final = frozenset({"exec", "eval", "globals", "locals", "vars", "getattr", "setattr"})
_EXITS: Final = frozenset({"exit", "quit", "SystemExit"})


class TooLargeError(Exception):
    """A script has more statements, or functions within functions, than are followed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One statement in the order in which they run."""

    node: ast.stmt
    line: int
    """Its line in the file."""


@dataclass(frozen=True, slots=True)
class Line:
    """A statement of the script as people are told of it."""

    line: int
    source: str
    """Its first line."""
    why: str
    """What became of it."""
    do: str = ""
    """What to do about it."""

    def __str__(self) -> str:
        """Line, source and why."""
        return f"line {self.line}: {self.source.removesuffix(':')}: {self.why}"


def source_line(text: Sequence[str], line: int) -> str:
    """The text of a line in at most 100 printable characters."""
    found = text[line - 1].strip() if 0 < line <= len(text) else ""
    found = "".join(each if each.isprintable() else " " for each in found)
    return found if len(found) <= _LONGEST else f"{found[:_LONGEST]}…"


def renamed_constants(tree: ast.Module) -> ast.Module:
    """The script with other names for its lists of columns and the like that are called what prepare.py calls something else.

    A name stays where something may find it by its text: as an argument, in a query, by exec.
    """
    by_text = {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
    by_text |= {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    by_text |= {name for each in ast.walk(tree) if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names}
    by_text |= {each.asname or each.name for each in ast.walk(tree) if isinstance(each, ast.alias)}
    of_classes = (one for each in ast.walk(tree) if isinstance(each, ast.ClassDef) for one in ast.walk(each))
    by_text |= {each.id for each in of_classes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    texts = [each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if any(last_word(each) in _BY_TEXT for each in ast.walk(tree) if isinstance(each, ast.Call)):
        return tree
    assigned: dict[str, list[ast.expr]] = {}
    for each in ast.walk(tree):
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(target := each.targets[0], ast.Name):
            assigned.setdefault(target.id, []).append(each.value)
    taken = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} | by_text
    names = {
        name: f"script_{name}"
        for name in _OF_PREPARE & assigned.keys() - by_text
        if all(isinstance(value, _LISTS) for value in assigned[name])
        and not any(f"@{name}" in text for text in texts)
        and f"script_{name}" not in taken
    }
    renamed: ast.Module = Renamed(names).visit(copy.deepcopy(tree))
    return renamed


def steps(tree: ast.Module) -> list[Step]:
    """Lay out a script.

    Raises:
        TooLargeError: If there are more statements than are followed.
    """
    if sum(1 for _ in ast.walk(tree)) > MOST_NODES:
        raise TooLargeError
    return _Layout(tree).found


@dataclass
class _Layout:
    tree: ast.Module
    found: list[Step] = field(default_factory=list)
    _functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    _ended: dict[str, ast.FunctionDef] = field(default_factory=dict)
    """Functions that may end early, as they are where they do not; in place of a call whose value nobody uses."""
    _taken: set[str] = field(default_factory=set)
    _under_way: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        top = {each.name: each for each in self.tree.body if isinstance(each, ast.FunctionDef)}
        whole = {name: each for name, each in top.items() if not _only_builds(each)}
        self._functions = {name: each for name, each in whole.items() if why_not_followed(each) is None}
        ended = {name: _to_the_end(each) for name, each in whole.items() if name not in self._functions}
        self._ended = {name: each for name, each in ended.items() if why_not_followed(each) is None}
        self._taken = {each.id for statement in self.tree.body if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
                       for each in ast.walk(statement) if isinstance(each, ast.Name)} | {*top}  # fmt: skip
        self._lay(self.tree.body)

    def _lay(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if len(self.found) > MOST_STEPS:
                raise TooLargeError
            if is_main(statement) and isinstance(statement, ast.If):
                self._lay(statement.body)
            elif isinstance(statement, ast.With):
                for item in statement.items:
                    bound = item.optional_vars
                    header: ast.stmt = ast.Expr(item.context_expr) if bound is None else ast.Assign([bound], item.context_expr)
                    self._one(ast.copy_location(header, statement))
                self._lay(statement.body)
            else:
                self._one(statement)

    def _one(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Raise) and statement.exc is not None and last_word(statement.exc) in _EXITS:
            statement = ast.copy_location(ast.Expr(statement.exc), statement)
        if isinstance(statement, ast.Expr) and self._run_for_itself(statement.value):
            return
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return) and statement.value is not None:
            copied = copy.deepcopy(statement)
            value = self._expanded(copied.value) if copied.value is not None else None
            if value is None:
                return  # a call that gives nothing, whose statements lie in its place
            copied.value = value
            statement = copied
        self.found.append(Step(ast.fix_missing_locations(statement), statement.lineno))

    def _run_for_itself(self, value: ast.expr) -> bool:
        """Lay the statements of a function that may end early in the place of its call, where nobody uses what it gives."""
        while isinstance(value, ast.Call) and last_word(value) in _EXITS and len(value.args) == 1 and not value.keywords:
            value = value.args[0]
        name = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
        function = self._ended.get(name)
        if function is None or not isinstance(value, ast.Call) or name in self._under_way or _arguments(function, value) is None:
            return False
        value.args = [self._expanded(each) or ast.Constant(None) for each in value.args]
        self._called(function, value)
        return True

    def _expanded(self, value: ast.expr) -> ast.expr | None:
        """The expression with calls of functions replaced by what they give; None where that is nothing."""
        if isinstance(value, ast.Call):
            value.args = [self._expanded(each) or ast.Constant(None) for each in value.args]
            for keyword in value.keywords:
                keyword.value = self._expanded(keyword.value) or ast.Constant(None)
            if isinstance(value.func, ast.Attribute):
                value.func.value = self._expanded(value.func.value) or ast.Constant(None)
            function = self._functions.get(value.func.id) if isinstance(value.func, ast.Name) else None
            if function is not None and function.name not in self._under_way:
                return self._called(function, value)
        elif isinstance(value, ast.Tuple):
            value.elts = [self._expanded(each) or ast.Constant(None) for each in value.elts]
        elif isinstance(value, ast.Subscript | ast.Attribute):
            value.value = self._expanded(value.value) or ast.Constant(None)
        return value

    def _called(self, function: ast.FunctionDef, call: ast.Call) -> ast.expr | None:
        bound = _arguments(function, call)
        if bound is None:
            return call
        if len(self._under_way) >= DEEPEST:
            raise TooLargeError
        self._under_way.append(function.name)
        own = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        declared = {name for each in ast.walk(function) if isinstance(each, ast.Global) for name in each.names}
        names: dict[str, str] = {}
        for name in sorted((own | bound.keys()) - declared):
            given = bound.get(name)
            same = isinstance(given, ast.Name) and given.id == name and name not in own
            names[name] = name if same else self._free(name)
        for name, given in bound.items():
            if not (isinstance(given, ast.Name) and given.id == names[name]):
                assigned = ast.copy_location(ast.Assign([ast.Name(names[name], ast.Store())], given), call)
                self.found.append(Step(ast.fix_missing_locations(assigned), call.lineno))
        body = _ending([Renamed(names).visit(copy.deepcopy(each)) for each in function.body])
        last = body.pop() if body and isinstance(body[-1], ast.Return) else None
        self._lay(body)
        result = None
        if isinstance(last, ast.Return) and last.value is not None:
            result = self._expanded(last.value)
        self._under_way.pop()
        return result

    def _free(self, name: str) -> str:
        free, number = name, 1
        while free in self._taken:
            number += 1
            free = f"{name}_{number}"
        self._taken.add(free)
        return free


def _only_builds(function: ast.FunctionDef) -> bool:
    """Whether a function gives an estimator, and only that."""
    works = {last_word(each) for each in ast.walk(function) if isinstance(each, ast.Call)}
    return bool(BUILDS.fullmatch(function.name)) and not any(
        READS.fullmatch(each) or each in {"fit", "train_test_split"} for each in works
    )


def why_not_followed(function: ast.FunctionDef) -> tuple[str, str] | None:
    """Why a function cannot take the place of its call, and what to do; None where it returns at its end alone."""
    if function.decorator_list:
        return "which is decorated", "an undecorated function for what is between the table and fit, called with its values"
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return)]
    if any(isinstance(each, ast.Yield | ast.YieldFrom | ast.Await | ast.Nonlocal) for each in ast.walk(function)):
        return "which yields or waits", "a function that returns its result at its end"
    if any(isinstance(each, ast.FunctionDef | ast.ClassDef) for statement in function.body for each in ast.walk(statement)):
        return "which defines functions or classes of its own", "each of them at the top of the file"
    if function.args.vararg is not None or function.args.kwarg is not None:
        return "which takes any arguments there are", "its arguments by their names, without * and **"
    if returns and not (len(returns) == 1 and _ending(function.body)[-1] is returns[0]):
        return "which returns in several places", "one return, at its end"
    return None


def _ending(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a function, with the last one of a `with` at its end after it."""
    last = body[-1] if body else None
    if not isinstance(last, ast.With):
        return body
    inner = _ending(last.body)
    around = ast.copy_location(ast.With(last.items, [*inner[:-1], ast.copy_location(ast.Pass(), last)]), last)
    return [*body[:-1], around, inner[-1]]


def _to_the_end(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function as it is where it does not end early: without the return of `if table.empty: print("nothing"); return`."""
    shortened = copy.deepcopy(function)
    for each in shortened.body:
        if (
            isinstance(each, ast.If)
            and not each.orelse
            and isinstance(each.body[-1], ast.Return)
            and all(isinstance(one, ast.Expr) for one in each.body[:-1])
        ):
            each.body[-1] = ast.copy_location(ast.Pass(), each.body[-1])
    return shortened


def _arguments(function: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """What the parameters are given; None where that cannot be told."""
    given = function.args
    if given.vararg or given.kwarg or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    positional = [*given.posonlyargs, *given.args]
    if len(call.args) > len(positional) or any(each.arg is None for each in call.keywords):
        return None
    bound = {each.arg: value for each, value in zip(positional, call.args, strict=False)}
    bound |= {each.arg: each.value for each in call.keywords if each.arg is not None}
    defaults = dict(zip([each.arg for each in positional[len(positional) - len(given.defaults) :]], given.defaults, strict=True))
    defaults |= {each.arg: value for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None}
    names = [each.arg for each in (*positional, *given.kwonlyargs)]
    bound = {name: bound.get(name, defaults.get(name, ast.Name("", ast.Load()))) for name in names}
    return None if any(isinstance(each, ast.Name) and not each.id for each in bound.values()) else bound


class Renamed(ast.NodeTransformer):
    """Gives variables other names, but for those that a lambda or a comprehension binds itself.

    Args:
        names: The new name of each.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Give a variable its new name."""
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        """Leave the arguments of a lambda as they are."""
        own = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        node.body = Renamed({name: each for name, each in self._names.items() if name not in own}).visit(node.body)
        return node
