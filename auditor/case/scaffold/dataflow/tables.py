"""Methods of tables."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from auditor.case.scaffold import rows
from auditor.case.scaffold.dataflow.columns import Columns
from auditor.case.scaffold.dataflow.nodes import (
    argument_of,
    parameters_of,
    receiver_of,
)
from auditor.case.scaffold.dataflow.values import (
    Cell,
    Col,
    Value,
    kind_of,
    of_column,
)


class Tables(Columns):
    """Methods of tables."""

    def _method_of_table(self, node: ast.Call, found: Value, name: str, given: Sequence[Value]) -> Value:  # noqa: PLR0911, PLR0912, C901
        columns = found.columns
        axis = self._literal(argument_of(node, 99, "axis") or ast.Constant(None))
        if name == "drop":
            return self._drop(node, found)
        if name == "pop":
            names = self._names_of(node.args[0]) if node.args else None
            popped = None if columns is None or not names or names[0] not in columns else of_column(found, columns[names[0]])
            cell = self._cell(node.func.value) if isinstance(node.func, ast.Attribute) else None
            if cell is not None:
                cell.value = self._dropped(cell.value, names)
            return popped or self._statistic(found, rows.UNKNOWN)
        if name == "copy":
            return found
        if name == "to_numpy":
            return replace(found, array=True)
        if name == "rename":
            return self._rename(node, found)
        if name == "assign":
            return self._assigned(node, found)
        if name == "pipe":
            return (
                self._own_function(
                    ast.copy_location(ast.Call(node.args[0], [receiver_of(node), *node.args[1:]], node.keywords), node), given[0]
                )
                if given and given[0].function is not None
                else self._foreign(node, [found, *given], Value(path="numpy"))
            )
        if name == "astype":
            return self._typed_table(found, given)
        if name in rows.FILTERS:
            return self._left_out(node, found, name)
        if name == "select_dtypes":
            return self._by_dtype(node, found)
        if name == "filter" and columns is not None:
            return self._by_name(node, found)
        if name in rows.INDEXES:
            return self._indexed(node, found, name)
        if name == "apply":
            return self._applied(found, given, axis)
        if name == "sample" and self._literal(argument_of(node, 1, "frac") or ast.Constant(None)) == 1:
            return replace(found, train=True, faults=self._faulty(found.faults, rows.DRAWN))
        if name == "get" and node.args:
            return self._item(ast.copy_location(ast.Subscript(receiver_of(node), node.args[0], ast.Load()), node))
        if name in rows.STATISTICS and axis in {1, "columns"}:
            return Value(kind="column", deps=found.all_deps, faults=found.all_faults, sources=found.all_sources, part=found.part)
        if name in {
            "isna",
            "isnull",
            "notna",
            "notnull",
            "fillna",
            "replace",
            "clip",
            "round",
            "abs",
            "where",
            "mask",
            "convert_dtypes",
            "infer_objects",
            "add",
            "sub",
            "mul",
            "div",
            "eq",
            "ne",
            "gt",
            "lt",
            "ge",
            "le",
            "isin",
            "applymap",
            "map",
            "squeeze",
        }:
            return self._each_column(found, given)
        if name in {"add_prefix", "add_suffix"} and columns is not None and isinstance(text := self._literal(node.args[0]), str):
            renamed = {f"{text}{key}" if name == "add_prefix" else f"{key}{text}": each for key, each in columns.items()}
            return replace(found, columns=renamed)
        if name in rows.LOOKS:
            return Value(deps=found.all_deps)
        if name == "drop_duplicates" and (names := self._literal(argument_of(node, 0, "subset") or ast.Constant(None))) is None:
            distinct = columns is not None and any(each.raw and key in self._apart for key, each in columns.items())
            if distinct and names is None:
                return found  # no two rows are alike: their ids differ
        return self._across(node, found, name)

    def _each_column(self, found: Value, given: Sequence[Value]) -> Value:
        """A method that does the same to each column."""
        functions = [self._elements(each.function, found) for each in given if each.function is not None]
        deps = frozenset({self._at}).union(*(each.all_deps for each in (*given, *functions)))
        faults = tuple(dict.fromkeys(each for value in (*given, *functions) for each in value.all_faults))
        if found.columns is None:
            return replace(found, deps=found.deps | deps, faults=(*found.faults, *faults))
        named = given[0].literal if given and isinstance(given[0].literal, dict) else None
        only = {*named} & {*found.columns} if named is not None else None
        columns = {
            name: each
            if only and name not in only
            else replace(
                each,
                deps=each.deps | deps,
                faults=tuple(dict.fromkeys((*each.faults, *faults))),
                raw=False,
                encoding=None,
                sources=each.sources.union(*(value.all_sources for value in given)),
            )
            for name, each in found.columns.items()
        }
        return replace(found, columns=columns)

    def _rename(self, node: ast.Call, found: Value) -> Value:
        names = self._literal(argument_of(node, 99, "columns") or ast.Constant(None))
        key = argument_of(node, 99, "columns")
        if isinstance(key, ast.Attribute) and self.value(key).path in {
            "builtins.str.lower",
            "builtins.str.upper",
            "builtins.str.strip",
        }:
            names = {each: getattr(each, key.attr)() for each in found.columns or {}}
        if not isinstance(names, dict) or found.columns is None:
            return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps)
        return replace(
            found, columns={names.get(name, name): each for name, each in found.columns.items()}, deps=found.deps | {self._at}
        )

    def _assigned(self, node: ast.Call, found: Value) -> Value:
        """`table.assign(a=…, b=lambda d: …)`."""
        for each in node.keywords:
            names = dict(self.names)
            if isinstance(each.value, ast.Lambda):
                parameters = parameters_of(each.value) or [""]
                self.names = {**names, parameters[0]: Cell(found)}
                given = self.value(each.value.body)
                given = replace(given, deps=given.deps | self._deps_of_body(each.value))
                self.names = names
            else:
                given = self.value(each.value)
                if given.function is not None:
                    given = self._own_function(ast.copy_location(ast.Call(each.value, [receiver_of(node)], []), node), given)
            if each.arg is None or found.columns is None:
                return replace(
                    found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps | given.all_deps
                )
            made = Col(
                kind="category" if given.category else kind_of(given),
                sources=given.all_sources,
                deps=given.all_deps | {self._at},
                faults=given.all_faults,
                encoding=given.encoding,
                raw=False,
            )
            found = replace(found, columns={**found.columns, each.arg: made})
            self.infos[self._at].target = each.arg if len(node.keywords) == 1 else None
        return found

    def _typed_table(self, found: Value, given: Sequence[Value]) -> Value:
        after = self._each_column(found, given)
        kinds = given[0].literal if given else None
        if after.columns is None or not isinstance(kinds, dict | str):
            return after
        columns = {}
        for name, each in after.columns.items():
            kind = kinds if isinstance(kinds, str) else kinds.get(name)
            columns[name] = each if kind is None else replace(each, kind="category" if kind == "category" else "", encoding=None)
        return replace(after, columns=columns)

    def _applied(self, found: Value, given: Sequence[Value], axis: Any) -> Value:
        if given and given[0].function is not None and axis in {1, "columns"}:
            result = self._elements(given[0].function, found)
            function = given[0].function
            named = {
                each.slice.value
                for each in ast.walk(function)
                if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Constant)
            }
            named |= {each.attr for each in ast.walk(function) if isinstance(each, ast.Attribute)}
            columns = found.columns or {}
            used = [columns[name] for name in named if isinstance(name, str) and name in columns] or [*columns.values()]
            return Value(
                kind="column",
                part=found.part,
                sources=frozenset().union(*(each.sources for each in used)),
                deps=found.deps.union(result.all_deps, *(each.deps for each in used)),
                faults=tuple(dict.fromkeys((*found.faults, *result.all_faults, *(each for col in used for each in col.faults)))),
            )
        if given and given[0].function is not None:
            # A function of whole columns, such as lambda c: c.fillna(c.mean()).
            column = Value(kind="column", sources=found.all_sources, part=found.part, deps=found.all_deps)
            names = dict(self.names)
            self.names = {**names, **{each: Cell(column) for each in (parameters_of(given[0].function) or [])[:1]}}
            body = given[0].function
            result = self.value(body.body) if isinstance(body, ast.Lambda) else self._body(body)
            self.names = names
            after = self._each_column(found, [Value(deps=given[0].deps)])
            if after.columns is None:
                return replace(after, faults=(*after.faults, *result.all_faults))
            return replace(
                after,
                columns={
                    name: replace(each, faults=tuple(dict.fromkeys((*each.faults, *result.all_faults))))
                    for name, each in after.columns.items()
                },
            )
        if given and given[0].path.startswith(("pandas.to_", "numpy.log", "numpy.sqrt", "numpy.exp")):
            return self._each_column(found, [])
        return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps)
