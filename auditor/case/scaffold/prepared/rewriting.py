"""Rewrites statements of a script for the case."""

from __future__ import annotations

import ast
import copy

from auditor.case.scaffold import rows
from auditor.case.scaffold.dataflow import Place, place
from auditor.case.scaffold.prepared.state import Accounting
from auditor.case.scaffold.steps import READS, Renamed
from auditor.case.scaffold.syntax import last_word


def written(state: Accounting, node: ast.stmt) -> ast.AST:
    """A statement as prepare(table) has it: no row positions, no columns that no procedure gets, all rows under one name."""
    return ast.fix_missing_locations(_Written(state, node).written())


def without_filters(node: ast.AST, filters: set[Place]) -> ast.AST:
    """A copy of a statement that leaves no rows out."""
    found: ast.AST = _Unfiltered(filters).visit(copy.deepcopy(node))
    return ast.fix_missing_locations(found)


def without_arrays(node: ast.AST) -> ast.AST:
    """A statement that makes no array of a table; it is changed in place."""
    found: ast.AST = _Unarrayed().visit(node)
    return ast.fix_missing_locations(found)


def without_fit(node: ast.stmt) -> ast.AST:
    """A copy of a statement without calls of fit, but for those within classes and functions of the script's own."""
    found: ast.AST = _Unfitted().visit(copy.deepcopy(node))
    return ast.fix_missing_locations(found)


class _Written(ast.NodeTransformer):
    def __init__(self, state: Accounting, node: ast.stmt) -> None:
        names = {each.id: state.whole(each.id) for each in ast.walk(node) if isinstance(each, ast.Name)}
        self._labelled = {
            name for name, value in state.fit.names.items() if value.kind == "column" and value.all_sources == {state.label}
        }
        self._label, self._node = state.label, Renamed(names).visit(copy.deepcopy(node))
        self._absent = frozenset({state.id, state.label, *((state.person,) if state.person else ())})

    def written(self) -> ast.AST:
        """The statement."""
        node = self._node
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and last_word(node.value) == "pop":
            node = _popped(node.value)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = [
                (target, value)
                for target, value in zip(node.targets[0].elts, node.value.elts, strict=True)
                if not self._of_label(target, value)
            ]
            node = ast.Assign(
                [ast.Tuple([each for each, _ in pairs], ast.Store())], ast.Tuple([each for _, each in pairs], ast.Load())
            )
            if len(pairs) == 1:
                node = ast.Assign([pairs[0][0]], pairs[0][1])
        found: ast.AST = self.visit(node)
        return found

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.stmt]:
        found: list[ast.stmt] = [
            _without(each.value, each.slice) if isinstance(each, ast.Subscript) else ast.Delete([each]) for each in node.targets
        ]
        return found if len(found) > 1 else found[0]

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Call) and last_word(node.value) == "pop":
            return _popped(node.value)
        self.generic_visit(node)
        return node

    def _of_label(self, target: ast.expr, node: ast.expr) -> bool:
        by_key = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == self._label
        named = isinstance(target, ast.Name) and target.id in self._labelled
        return by_key or named or (isinstance(node, ast.Attribute) and node.attr == self._label)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.List):
            names = [each.value for each in node.slice.elts if isinstance(each, ast.Constant)]
            if self._absent & {*names}:
                return ast.Call(ast.Attribute(node.value, "filter", ast.Load()), [], [ast.keyword("items", node.slice)])
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = last_word(node)
        if isinstance(node.func, ast.Attribute) and name in rows.INDEXES:
            return node.func.value
        if name == "drop_duplicates" and isinstance(node.func, ast.Attribute):
            return node.func.value
        if isinstance(node.func, ast.Attribute) and name == "drop" and not any(each.arg == "errors" for each in node.keywords):
            node.keywords.append(ast.keyword("errors", ast.Constant("ignore")))
        if READS.fullmatch(name):
            return ast.Call(ast.Attribute(ast.Name("table", ast.Load()), "copy", ast.Load()), [], [])
        return node


class _Unfiltered(ast.NodeTransformer):
    def __init__(self, filters: set[Place]) -> None:
        self._filters = filters

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        filters = hasattr(node, "lineno") and place(node) in self._filters
        self.generic_visit(node)
        if not filters:
            return node
        located = isinstance(node.value, ast.Attribute) and node.value.attr == "loc"
        if located and isinstance(node.slice, ast.Tuple):
            node.slice.elts[0] = ast.Slice()
            return node
        return node.value.value if located and isinstance(node.value, ast.Attribute) else node.value

    def visit_Call(self, node: ast.Call) -> ast.AST:
        filters = hasattr(node, "lineno") and place(node) in self._filters
        self.generic_visit(node)
        return node.func.value if filters and isinstance(node.func, ast.Attribute) else node


class _Unarrayed(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return node.value if node.attr == "values" else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"to_numpy", "copy"} and not node.args:
            return node.func.value
        return node


class _Unfitted(ast.NodeTransformer):
    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "fit" else node


def _base(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _without(held: ast.expr, key: ast.expr) -> ast.stmt:
    """held = held.drop(columns=[key], errors="ignore")."""
    columns = key if isinstance(key, ast.List) else ast.List([key], ast.Load())
    keywords = [ast.keyword("columns", columns), ast.keyword("errors", ast.Constant("ignore"))]
    dropped = ast.Call(ast.Attribute(ast.Name(_base(held), ast.Load()), "drop", ast.Load()), [], keywords)
    return ast.Assign([ast.Name(_base(held), ast.Store())], dropped)


def _popped(call: ast.Call) -> ast.stmt:
    return _without(call.func.value if isinstance(call.func, ast.Attribute) else call, call.args[0])
