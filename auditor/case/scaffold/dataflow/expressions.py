"""What every expression gives."""

from __future__ import annotations

import ast
import operator
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from auditor.case.scaffold import encodings, rows
from auditor.case.scaffold.constants import UnknownError
from auditor.case.scaffold.dataflow.calls import Calls
from auditor.case.scaffold.dataflow.nodes import (
    targets_of,
)
from auditor.case.scaffold.dataflow.surroundings import OUTSIDE
from auditor.case.scaffold.dataflow.values import (
    NO_VALUE,
    Cell,
    Value,
    of_column,
    sum_kind,
)
from auditor.case.scaffold.encodings import Encoding
from auditor.case.scaffold.steps import TooLargeError

_DEEPEST: Final = 120
_MOST_VALUES: Final = 300_000


class Expressions(Calls):
    """What every expression gives."""

    def value(self, node: ast.expr) -> Value:
        """What an expression gives."""
        self._depth += 1
        self._evaluated += 1
        if self._evaluated > _MOST_VALUES:
            raise TooLargeError
        line = self._line
        try:
            if self._depth > _DEEPEST:
                return Value(faults=self._faulty((), rows.UNKNOWN))
            self._line = self._line_of(node)
            found = self._value(node)
        finally:
            self._depth, self._line = self._depth - 1, line
        if found.kind in {"constant", "schema"} and found.literal is NO_VALUE and not found.path and not found.function:
            with suppress(UnknownError):
                found = replace(found, literal=self._constant(node))
        return found

    def _line_of(self, node: ast.expr) -> int:
        """The line of an expression: that of its statement, or in a function that is put in the place of its call, its own."""
        step, at = self.steps[self._at].node, getattr(node, "lineno", None)
        within = at is None or step.lineno <= at <= (step.end_lineno or step.lineno)
        return self._line if within or at is None else at

    def _value(self, node: ast.expr) -> Value:  # noqa: C901, PLR0911, PLR0912 - a case for each kind of expression
        match node:
            case ast.Constant():
                return Value(literal=node.value)
            case ast.Name():
                if node.id in self.names:
                    return self.names[node.id].value
                return Value(path=f"builtins.{node.id}")
            case ast.NamedExpr():
                found = self.value(node.value)
                self._assign(node.target, found, node.value)
                return found
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._item(node)
            case ast.Call():
                return self._call(node)
            case ast.Compare():
                values = [self.value(each) for each in (node.left, *node.comparators)]
                found = self._together(values)
                if found.kind == "column" and len(values) == 2:
                    encoding = self._encoded_by(values, node.ops[0])
                    return replace(found, encoding=encoding, mask=True, raw=False, sort="boolean")
                return found
            case ast.BinOp():
                values = [self.value(node.left), self.value(node.right)]
                found = self._together(values)
                return replace(
                    found,
                    encoding=self._encoded_by(values, node.op),
                    raw=False,
                    mask=all(each.mask for each in values),
                    sort=sum_kind(values),
                )
            case ast.UnaryOp():
                found = self.value(node.operand)
                if found.kind in {"column", "table"}:
                    change = operator.not_ if isinstance(node.op, ast.Invert | ast.Not) else operator.neg
                    return replace(found, encoding=encodings.applied(found.encoding, change), raw=False)
                return replace(found, literal=NO_VALUE)
            case ast.BoolOp():
                return self._together([self.value(each) for each in node.values])
            case ast.IfExp():
                values = [self.value(each) for each in (node.test, node.body, node.orelse)]
                found = self._together(values)
                return replace(found, faults=self._faulty(found.faults, rows.CONDITION)) if found.of_rows else found
            case ast.Tuple() | ast.List():
                values = [self.value(each.value if isinstance(each, ast.Starred) else each) for each in node.elts]
                found = self._together(values)
                kind = found.kind if not any(each.of_rows for each in values) else "constant"
                return replace(found, kind=kind, columns=None, items=tuple(values), encoding=None, part=0)
            case ast.Dict():
                return self._together([self.value(each) for each in (*node.keys, *node.values) if each is not None])
            case ast.Lambda():
                return Value(function=node, deps=self._deps_of_body(node))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node)
            case ast.JoinedStr():
                return self._together([self.value(each.value) for each in node.values if isinstance(each, ast.FormattedValue)])
            case ast.Starred() | ast.Await():
                return self.value(node.value)
            case _:
                parts = [self.value(each) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
                return self._together(parts)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
        held = {name: self.names.get(name) for each in node.generators for name in targets_of(each.target)}
        over = [self.value(each.iter) for each in node.generators]
        for each, given in zip(node.generators, over, strict=True):
            for name in targets_of(each.target):
                inner = replace(given, kind="constant", columns=None, encoding=None, items=None, literal=NO_VALUE)
                fault = self._faulty(given.all_faults, rows.UNKNOWN) if given.of_rows else given.faults
                self.names[name] = Cell(replace(inner, faults=fault))
        body = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        tests = [test for each in node.generators for test in each.ifs]
        found = self._together([*over, *(self.value(each) for each in (*body, *tests))])
        for name, cell in held.items():
            if cell is None:
                self.names.pop(name, None)
            else:
                self.names[name] = cell
        if found.of_rows:
            schematic = self._schematic(node)
            if schematic is not None:
                return Value(kind="schema", literal=schematic, deps=found.deps)
            return replace(
                found,
                kind="constant",
                columns=None,
                items=None,
                encoding=None,
                faults=self._faulty(found.all_faults, rows.UNKNOWN),
                deps=found.all_deps,
            )
        return found

    def _schematic(self, node: ast.expr) -> Any | None:
        try:
            return self._constant(node)
        except UnknownError:
            return None

    def _encoded_by(self, values: Sequence[Value], kind: ast.AST) -> Encoding | None:
        one, other = values
        if one.encoding is not None and other.literal is not NO_VALUE and not other.of_rows:
            return encodings.compared(one.encoding, kind, other.literal)
        if other.encoding is not None and one.literal is not NO_VALUE and isinstance(kind, ast.Eq | ast.NotEq):
            return encodings.compared(other.encoding, kind, one.literal)
        return None

    def _attribute(self, node: ast.Attribute) -> Value:  # noqa: C901, PLR0911, PLR0912 - one line an attribute
        held, name = self.value(node.value), node.attr
        if held.path:
            path = f"{held.path}.{name}"
            faults = self._faulty(held.faults, rows.OUTSIDE) if path.startswith(OUTSIDE) else held.faults
            return Value(path=path, deps=held.deps, faults=faults)
        if held.kind == "table":
            if held.columns is not None and name in held.columns:
                return of_column(held, held.columns[name])
            if name in {"columns", "dtypes"}:
                return Value(kind="schema", deps=held.all_deps, literal=NO_VALUE if held.columns is None else [*held.columns])
            if name == "values":
                return replace(held, array=True)
            if name in {"loc", "iloc", "at", "iat", "str", "dt"}:
                return held
            if name == "index":
                return replace(held, kind="column", columns=None, faults=self._faulty(held.all_faults, rows.POSITION))
            return self._statistic(held, rows.STATISTIC)
        if held.kind == "column":
            if name in {"values", "array", "T"}:
                return replace(held, array=True)
            if name in {"str", "dt", "loc"}:
                return held
            if name == "cat":
                return replace(held, faults=self._faulty(held.faults, rows.CODES), encoding=None)
            if name in {"dtype", "name", "dtypes"}:
                return Value(kind="schema", deps=held.deps)
            if name in {"iloc", "index", "at", "iat"}:
                return replace(held, faults=self._faulty(held.faults, rows.POSITION), encoding=None)
            if name in rows.STATISTICS:
                return self._statistic(held, rows.STATISTIC)
            of_time = isinstance(node.value, ast.Attribute) and node.value.attr == "dt" and name not in {"date", "time"}
            return replace(held, encoding=None, raw=False, sort="amount" if of_time else "")
        if held.fitted:
            return replace(held, faults=self._faulty(held.faults, rows.MODEL), literal=NO_VALUE)
        return replace(held, literal=NO_VALUE, function=None, made="", call=None)
