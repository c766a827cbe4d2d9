"""Calls of the script's own functions, followed into their bodies."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from auditor.case.scaffold import rows
from auditor.case.scaffold.dataflow.nodes import (
    defaults_of,
    parameters_of,
    uses_any,
)
from auditor.case.scaffold.dataflow.state import State
from auditor.case.scaffold.dataflow.surroundings import CLOCK, OF_PROCESS
from auditor.case.scaffold.dataflow.values import (
    Cell,
    Value,
)
from auditor.case.scaffold.syntax import last_word

_DEEPEST_CALL: Final = 60


class Functions(State):
    """Calls of the script's own functions, followed into their bodies."""

    def _own_function(self, node: ast.Call, function: Value) -> Value:
        """A function of the script: its statements, with what it is given."""
        given = self._arguments(node)
        body = function.function
        if body is None or not any(each.of_rows for each in given):
            found = self._together(given)
            deps = found.deps | function.deps | (self._deps_of_body(body) if body is not None else frozenset())
            return replace(found, deps=deps, made=last_word(node), call=node, kind="constant")
        if self._depth > _DEEPEST_CALL:
            return self._foreign(node, given, function)
        parameters = parameters_of(body)
        if parameters is None or len(given) > len(parameters):
            return self._foreign(node, given, function)
        names = dict(self.names)
        bound = dict(zip(parameters, [self._cell(each) or Cell(self.value(each)) for each in node.args], strict=False))
        bound |= {each.arg: self._cell(each.value) or Cell(self.value(each.value)) for each in node.keywords if each.arg}
        defaults = defaults_of(body)
        bound |= {name: Cell(self.value(each)) for name, each in defaults.items() if name not in bound}
        info = self.infos[self._at]
        before, literals, column = info.names, dict(info.literals), info.column
        self.names = {**names, **bound}
        self._depth += 1
        filters = self._filters
        result = self.value(body.body) if isinstance(body, ast.Lambda) else self._body(body)
        self._depth -= 1
        self.names = names
        if self._filters > filters:
            result = replace(result, faults=self._faulty(result.all_faults, rows.WITHIN))
        info.names, info.literals, info.column = before, literals, column
        return replace(result, deps=result.deps | function.deps | self._deps_of_body(body))

    def _body(self, function: ast.FunctionDef) -> Value:
        for statement in function.body:
            if isinstance(statement, ast.Return):
                return Value() if statement.value is None else self.value(statement.value)
            if any(isinstance(each, ast.Return) for each in ast.walk(statement)):
                results = [
                    self.value(each.value)
                    for each in ast.walk(statement)
                    if isinstance(each, ast.Return) and each.value is not None
                ]
                found = self._together(results)
                return replace(found, faults=self._faulty(found.all_faults, rows.CONDITION))
            self.run(statement)
        return Value(literal=None)

    def _foreign(self, node: ast.Call, given: Sequence[Value], function: Value) -> Value:
        """A function that is not followed: what it gives is not known, and perhaps it changes what it gets."""
        root = function.path.partition(".")[0]
        if root in self.alongside or root not in rows.HARMLESS:
            self._disturb(node, rows.MUTATED)
        found = self._together(given)
        return replace(
            found,
            kind="column" if found.of_rows else "constant",
            columns=None,
            encoding=None,
            deps=found.deps | function.deps,
            faults=self._faulty(found.all_faults, rows.UNKNOWN),
        )

    def _elements(self, function: ast.FunctionDef | ast.Lambda, held: Value) -> Value:
        """What a function makes of one element or row at a time."""
        parameters = parameters_of(function) or []
        names = dict(self.names)
        self.names = {
            **names,
            **{each: Cell(Value(kind="column", sources=held.all_sources, part=held.part)) for each in parameters[:1]},
        }
        found = self._element_body(function)
        self.names = names
        return replace(found, deps=found.deps | self._deps_of_body(function))

    def _element_body(self, function: ast.FunctionDef | ast.Lambda) -> Value:
        """Every expression of a function of one row: it may decide by what the row holds, and call on scalars what it likes."""
        used = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
        own = {
            *(parameters_of(function) or ()),
            *(each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)),
        }
        outer = [self.names[name].value for name in sorted(used - own) if name in self.names]
        faults = [each for value in outer for each in value.all_faults]
        if any(each.of_rows for each in outer) or any(isinstance(each, ast.Global | ast.Nonlocal) for each in ast.walk(function)):
            faults += self._faulty((), rows.STATISTIC)
        for each in ast.walk(function):
            if isinstance(each, ast.Call) and not each.args and last_word(each) in CLOCK:
                faults += self._faulty((), rows.CLOCK)
            if isinstance(each, ast.Name | ast.Attribute) and isinstance(each, ast.expr):
                path = self.value(each).path if isinstance(each, ast.Name) or not uses_any(each, own) else ""
                if path.startswith(("random.", "numpy.random")):
                    faults += self._faulty((), rows.RANDOM)
                if path in OF_PROCESS:
                    faults += self._faulty((), rows.PROCESS)
        return Value(deps=frozenset().union(*(each.all_deps for each in outer)), faults=tuple(dict.fromkeys(faults)))
