"""Questions about pieces of a syntax tree."""

from __future__ import annotations

import ast


def as_loaded(node: ast.expr) -> ast.expr:
    """A copy of a target, as an expression that is read."""
    copied: ast.expr = ast.parse(ast.unparse(node), mode="eval").body
    return ast.copy_location(copied, node)


def is_whole_slice(node: ast.expr) -> bool:
    """Whether it is `:`, all of the rows or columns."""
    return isinstance(node, ast.Slice) and node.lower is None and node.upper is None and node.step is None


def leaves_early(node: ast.For) -> bool:
    """Whether a loop may end before its last turn."""
    return any(isinstance(each, ast.Break | ast.Continue | ast.Return) for each in ast.walk(node))


def bodies_of(node: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a compound statement that are not empty."""
    found = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
    found += [each.body for each in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
    return [each for each in found if each]


def targets_of(node: ast.expr) -> list[str]:
    """The variables that a target gives a value."""
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]


def parameters_of(function: ast.FunctionDef | ast.Lambda) -> list[str] | None:
    """The names of a function's parameters; None where it takes any number."""
    given = function.args
    return None if given.vararg or given.kwarg else [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def defaults_of(function: ast.FunctionDef | ast.Lambda) -> dict[str, ast.expr]:
    """The defaults of a function's parameters, by name."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    found = dict(zip([each.arg for each in positional[len(positional) - len(given.defaults) :]], given.defaults, strict=True))
    return found | {each.arg: value for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None}


def argument_of(node: ast.Call, at: int, name: str) -> ast.expr | None:
    """A call's argument by name or position."""
    named = next((each.value for each in node.keywords if each.arg == name), None)
    return named if named is not None else node.args[at] if at < len(node.args) else None


def receiver_of(node: ast.Call) -> ast.expr:
    """What a method is called on."""
    return node.func.value if isinstance(node.func, ast.Attribute) else node.func


def uses_any(node: ast.expr, names: set[str]) -> bool:
    """Whether an expression uses one of some variables."""
    return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(node))
