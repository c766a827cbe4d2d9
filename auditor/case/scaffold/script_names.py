"""The names of one file that stand for something defined elsewhere in it, or imported, and what else stands for the same."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Final

from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.syntax import callee, root, words

DEFINED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
CHANGES: Final = words("append extend insert remove pop popitem clear update setdefault reverse sort add discard fill")
HIDDEN: Final = Fault(
    "finds or changes names by their text, or parts of functions and classes, which is not followed",
    "plain assignments and calls",
)


@dataclass
class Names:
    """The names of one file, and what they stand for."""

    tree: ast.Module
    nodes: list[ast.AST] = field(init=False)
    whence: dict[str, str] = field(init=False)
    defined: dict[str, ast.AST] = field(init=False)
    imports: dict[str, ast.Import | ast.ImportFrom] = field(init=False)

    def __post_init__(self) -> None:
        self.nodes = [*ast.walk(self.tree)]
        self.whence = whence_of(self.tree)
        self.defined = {each.name: each for each in self.nodes if isinstance(each, DEFINED)}
        self.imports = {
            each.asname or each.name.partition(".")[0]: node
            for node in self.nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for each in node.names
        }

    def _reached(self, names: set[str]) -> set[str]:
        """The names, and those that stand for the same: assigned, looped over, or handed to a function of the file."""
        found, before = set(names), -1
        while len(found) > before:
            before = len(found)
            for node in self.nodes:
                if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                    if self._stands_for(node.value, found):
                        into = node.targets if isinstance(node, ast.Assign) else [node.target]
                        found |= {name for each in into for name in names_of(each)}
                elif isinstance(node, ast.For | ast.comprehension):
                    if self._stands_for(node.iter, found):
                        found |= names_of(node.target)
                elif isinstance(node, ast.Call):
                    found |= self._handed(node, found)
        return found

    def _stands_for(self, node: ast.expr, names: set[str]) -> bool:  # noqa: PLR0911 - one per kind of expression
        """Whether a value may be, or hold, what one of the names stands for."""
        match node:
            case ast.Name(id=name):
                return name in names
            case ast.Attribute():
                return root(node) in names and not isinstance(node.value, ast.Call | ast.Subscript)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.BoolOp(values=parts):
                return any(self._stands_for(each, names) for each in parts)
            case ast.Dict(values=parts):
                return any(self._stands_for(each, names) for each in parts)
            case ast.IfExp(body=one, orelse=other):
                return self._stands_for(one, names) or self._stands_for(other, names)
            case ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self._stands_for(value, names)
            case ast.Call(func=ast.Name(id="getattr"), args=[held, *_]):
                return self._stands_for(held, names)
            case ast.Call(func=ast.Name(id=name)) if isinstance(function := self.defined.get(name), ast.FunctionDef):
                returned = (each.value for each in ast.walk(function) if isinstance(each, ast.Return))
                return any(isinstance(each, ast.Name | ast.Attribute) and self._stands_for(each, names) for each in returned)
            case _:
                return False

    def _handed(self, call: ast.Call, names: set[str]) -> set[str]:
        """Arguments of a function of the file that get such a thing."""
        function = self.defined.get(callee(call))
        if isinstance(function, ast.ClassDef):
            function = next(
                (each for each in function.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None
            )
        if not isinstance(function, ast.FunctionDef):
            return set()
        given = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        given = given[1:] if given[:1] == ["self"] else given
        found = {name for name, each in zip(given, call.args, strict=False) if self._stands_for(each, names)}
        return found | {each.arg for each in call.keywords if each.arg is not None and self._stands_for(each.value, names)}

    def _within(self, function: ast.AST, names: set[str]) -> set[str]:
        """The names, and those that a function gives the same value, or a part of it."""
        held, before = set(names), -1
        while len(held) > before:
            before = len(held)
            for node in ast.walk(function):
                if isinstance(node, ast.Assign | ast.NamedExpr) and self._stands_for(node.value, held):
                    into = node.targets if isinstance(node, ast.Assign) else [node.target]
                    held |= {name for each in into for name in names_of(each)}
        return held

    def _own_call(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.defined


def whence_of(tree: ast.AST) -> dict[str, str]:
    """The module, and the name in it, that each imported name stands for."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {
                each.asname or each.name.partition(".")[0]: each.name if each.asname else each.name.partition(".")[0]
                for each in node.names
            }
        elif isinstance(node, ast.ImportFrom):
            found |= {each.asname or each.name: f"{node.module or ''}.{each.name}" for each in node.names}
    return found


def names_of(target: ast.expr) -> set[str]:
    """The names that a target gives a value, not those whose attributes or items it sets."""
    return {each.id for each in ast.walk(target) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def is_self(node: ast.expr) -> bool:
    """Whether it is the name `self`."""
    return isinstance(node, ast.Name) and node.id == "self"
