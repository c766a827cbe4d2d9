"""Goes through the statements."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from auditor.case.scaffold import constants, rows
from auditor.case.scaffold.constants import UnknownError
from auditor.case.scaffold.dataflow.expressions import Expressions
from auditor.case.scaffold.dataflow.nodes import (
    as_loaded,
    bodies_of,
    is_whole_slice,
    leaves_early,
)
from auditor.case.scaffold.dataflow.values import (
    NO_VALUE,
    Cell,
    Col,
    Value,
    kind_of,
    of_column,
)
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.syntax import words

_INPLACE: Final = words(
    "fillna drop dropna rename replace clip mask where reset_index set_index sort_values drop_duplicates eval query"
)
_MOST_TURNS: Final = 500


class Flow(Expressions):
    """Goes through a script once, statement by statement."""

    def followed(self) -> Flow:
        """Go through the statements.

        Raises:
            TooLargeError: If there is more to follow than is followed.
        """
        for at, step in enumerate(self.steps):
            self._at, self._line, self._used, self._role, self._filters = at, step.line, frozenset(), "constant", 0
            self.run(step.node)
            info = self.infos[at]
            info.sources |= self._used
            info.filters = self._filters > 0
            if self._role != "constant":
                info.role = self._role
        return self

    def run(self, node: ast.stmt) -> None:  # noqa: C901, PLR0912 - a case for each kind of statement
        """Go through one statement."""
        match node:
            case ast.Import():
                for each in node.names:
                    path = each.name if each.asname else each.name.partition(".")[0]
                    self._bind(each.asname or path, Value(path=path))
            case ast.ImportFrom():
                for each in node.names:
                    self._bind(each.asname or each.name, Value(path=f"{node.module or ''}.{each.name}"))
            case ast.FunctionDef():
                self._bind(node.name, Value(function=node))
            case ast.ClassDef():
                self._bind(node.name, Value(made="", path=f"__main__.{node.name}"))
            case ast.Assign():
                found = self.value(node.value)
                for target in node.targets:
                    self._assign(target, found, node.value)
            case ast.AnnAssign() if node.value is not None:
                self._assign(node.target, self.value(node.value), node.value)
            case ast.AugAssign():
                whole = ast.copy_location(ast.BinOp(as_loaded(node.target), node.op, node.value), node)
                self._assign(node.target, self.value(whole), whole)
            case ast.Delete():
                for target in node.targets:
                    self._delete(target)
            case ast.Expr():
                self._expression(node.value)
            case ast.Return() if node.value is not None:
                self.value(node.value)
            case ast.For():
                self._for(node)
            case ast.If():
                self._if(node)
            case ast.While() | ast.Try() | ast.With() | ast.Match() | ast.AsyncFor() | ast.AsyncWith():
                self._unfollowed(node, rows.LOOP if isinstance(node, ast.While) else rows.ATTEMPT)
            case _:
                pass

    def _bind(self, name: str, value: Value) -> None:
        """Give a variable a value made by this statement."""
        info = self.infos[self._at]
        if name not in info.names:
            info.names = (*info.names, name)
        deps = value.deps | {self._at}
        if value.kind == "schema" and value.literal is not NO_VALUE:
            info.literals[name] = value.literal
            deps = frozenset({self._at})  # it is written as it is, whatever it was made from
        self.names[name] = Cell(replace(value, deps=deps))
        self._settle(value)

    def _assign(self, target: ast.expr, found: Value, source: ast.expr) -> None:
        match target:
            case ast.Name():
                if isinstance(source, ast.Name) and source.id in self.names and found.kind == "table":
                    self.names[target.id] = self.names[source.id]  # two names of one table
                    info = self.infos[self._at]
                    info.names = (*info.names, target.id)
                    self.names[source.id].value = replace(found, deps=found.deps | {self._at})
                    self._settle(found)
                    return
                if found.kind == "column" and found.columns is None:
                    self.infos[self._at].column = next(iter(found.sources)) if len(found.sources) == 1 else None
                self._bind(target.id, found)
            case ast.Tuple() | ast.List():
                items = found.items
                if items is None and isinstance(source, ast.Tuple | ast.List) and len(source.elts) == len(target.elts):
                    items = tuple(self.value(each) for each in source.elts)
                if items is None and found.kind == "constant" and not found.of_rows:
                    items = self._unpacked(found, len(target.elts))
                for at, each in enumerate(target.elts):
                    fault = replace(
                        found, items=None, faults=self._faulty(found.faults, rows.UNKNOWN) if found.of_rows else found.faults
                    )
                    inner = each.value if isinstance(each, ast.Starred) else each
                    given = items[at] if items is not None and len(items) == len(target.elts) else fault
                    self._assign(
                        inner,
                        given,
                        source.elts[at] if isinstance(source, ast.Tuple) and items and at < len(source.elts) else source,
                    )
            case ast.Subscript():
                self._set_item(target, found)
            case ast.Attribute():
                self._set_attribute(target, found)
            case _:
                pass

    def _unpacked(self, found: Value, count: int) -> tuple[Value, ...] | None:
        if isinstance(found.literal, list | tuple) and len(found.literal) == count:
            return tuple(replace(found, literal=each) for each in found.literal)
        return None

    def _set_item(self, target: ast.Subscript, found: Value) -> None:  # noqa: C901 - a case for each way of writing
        """`df["a"] = …`, `df.loc[mask, "a"] = …`, `params["a"] = …`."""
        by_loc = isinstance(target.value, ast.Attribute) and target.value.attr in {"loc", "at"}
        holder = target.value.value if by_loc and isinstance(target.value, ast.Attribute) else target.value
        cell = self._cell(holder)
        if cell is None:
            return
        table = cell.value
        if table.kind != "table":
            if table.kind == "constant" and not table.fitted:
                cell.value = replace(
                    table, deps=table.deps | found.deps | {self._at}, literal=NO_VALUE, faults=(*table.faults, *found.all_faults)
                )
            elif table.kind == "column":
                cell.value = replace(
                    table,
                    deps=table.deps | found.deps | {self._at},
                    encoding=None,
                    faults=self._faulty(table.faults, rows.UNKNOWN),
                )
            return
        mask: Value | None = None
        key: ast.expr = target.slice
        if by_loc:
            if not isinstance(key, ast.Tuple) or len(key.elts) != 2:
                cell.value = self._changed(table, found, rows.UNKNOWN)
                return
            chosen, key = key.elts
            if not is_whole_slice(chosen):
                mask = self.value(chosen)
                if not mask.of_rows:
                    found = replace(found, faults=self._faulty(found.faults, rows.POSITION))
        names = self._names_of(key)
        self._settle(table if not found.train else found)
        if names is None or table.columns is None:
            cell.value = self._changed(table, found, None)
            return
        columns = dict(table.columns)
        for at, name in enumerate(names):
            given = found
            if found.kind == "table" and found.columns is not None:
                inner = found.columns.get(name) or (list(found.columns.values())[at] if at < len(found.columns) else None)
                given = found if inner is None else of_column(found, inner)
            before = columns.get(name)
            used = [
                each for each in (mask, of_column(table, before) if mask is not None and before is not None else None) if each
            ]
            faults = [*given.all_faults, *(each for value in used for each in value.all_faults)]
            if given.of_rows and given.part != table.part:
                faults += self._faulty((), rows.UNKNOWN)
            kind = "category" if given.category else kind_of(given)
            columns[name] = Col(
                kind=kind if mask is None else before.kind if before else "",
                sources=given.all_sources.union(*(each.all_sources for each in used)),
                deps=given.all_deps.union({self._at}, *(each.all_deps for each in used)),
                faults=tuple(dict.fromkeys(faults)),
                encoding=given.encoding if mask is None and given.kind == "column" else None,
                raw=False,
            )
        self.infos[self._at].target = names[0] if len(names) == 1 else None
        cell.value = replace(table, columns=columns)

    def _set_attribute(self, target: ast.Attribute, found: Value) -> None:
        cell = self._cell(target.value)
        if cell is None:
            return
        if cell.value.kind == "table" and target.attr == "columns" and cell.value.columns is not None:
            names = found.literal
            if (
                isinstance(names, list | tuple)
                and len(names) == len(cell.value.columns)
                and all(isinstance(each, str) for each in names)
            ):
                renamed = dict(zip(names, cell.value.columns.values(), strict=True))
                cell.value = replace(cell.value, columns=renamed, deps=cell.value.deps | found.deps | {self._at})
                self._settle(cell.value)
                return
        if cell.value.of_rows:
            if cell.value.columns is not None and target.attr in cell.value.columns:
                self._set_item(
                    ast.copy_location(ast.Subscript(target.value, ast.Constant(target.attr), ast.Store()), target), found
                )
            else:
                cell.value = self._changed(cell.value, found, rows.UNKNOWN)

    def _changed(self, table: Value, found: Value, fault: Fault | None) -> Value:
        """A table that a statement changed somewhere."""
        faults = self._faulty((*table.faults, *found.all_faults), fault or rows.UNKNOWN)
        self._settle(table)
        return replace(table, deps=table.deps | found.all_deps | {self._at}, faults=faults)

    def _delete(self, target: ast.expr) -> None:
        if isinstance(target, ast.Subscript) and (cell := self._cell(target.value)) is not None and cell.value.kind == "table":
            names = self._names_of(target.slice)
            cell.value = self._dropped(cell.value, names)
            self._settle(cell.value)

    def _expression(self, node: ast.expr) -> None:  # noqa: C901 - a case for each way of changing
        """A call for what it does: `df.drop(…, inplace=True)`, `names.append(…)`, `model.fit(…)`, `print(…)`."""
        found = self.value(node)
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fit":
            node = node.func.value
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return
        cell, method = self._cell(node.func.value), node.func.attr
        if cell is None:
            return
        before = cell.value
        inplace = any(each.arg == "inplace" and self._literal(each.value) is not False for each in node.keywords)
        if before.kind == "table" and (inplace or method in {"insert", "update", "pop"}):
            if method == "insert":
                self._inserted(node)
            elif method == "pop":
                cell.value = self._dropped(before, self._names_of(node.args[0]) if node.args else None)
                self._settle(cell.value)
            elif method in _INPLACE and found.kind == "table":
                cell.value = replace(found, deps=found.deps | {self._at})
                self._settle(found)
            else:
                cell.value = self._changed(before, found, rows.UNKNOWN)
        elif before.kind == "column" and inplace:
            # A column of a copy: in the current pandas this changes no table; in older ones it did.
            self._column_changed_in_place(node.func.value, found)
        elif before.kind in {"constant", "schema"} and method in {
            "append",
            "extend",
            "update",
            "remove",
            "insert",
            "add",
            "setdefault",
            "set_params",
            "pop",
        }:
            arguments = [self.value(each) for each in (*node.args, *(each.value for each in node.keywords))]
            literal = self._grown(before.literal, method, arguments)
            cell.value = replace(
                before,
                deps=before.deps.union({self._at}, *(each.all_deps for each in arguments)),
                literal=literal,
                faults=(*before.faults, *(each for value in arguments for each in value.all_faults)),
                kind="schema" if before.kind == "schema" or any(each.kind == "schema" for each in arguments) else before.kind,
            )
            if isinstance(node.func.value, ast.Name) and cell.value.kind == "schema" and literal is not NO_VALUE:
                self.infos[self._at].names = (*self.infos[self._at].names, node.func.value.id)
                self.infos[self._at].literals[node.func.value.id] = literal

    def _column_changed_in_place(self, holder: ast.expr, found: Value) -> None:
        if isinstance(holder, ast.Subscript) and (cell := self._cell(holder.value)) is not None and cell.value.kind == "table":
            cell.value = self._changed(
                cell.value,
                found,
                Fault(
                    "changes a column in place, which current versions of pandas do not do",
                    "assign it: table['a'] = table['a'].fillna(0)",
                ),
            )
        elif isinstance(holder, ast.Name) and holder.id in self.names:
            self.names[holder.id].value = replace(found, deps=found.deps | {self._at})

    def _inserted(self, node: ast.Call) -> None:
        if len(node.args) == 3 and isinstance(node.func, ast.Attribute):
            place = ast.copy_location(ast.Subscript(node.func.value, node.args[1], ast.Store()), node)
            self._set_item(place, self.value(node.args[2]))

    def _grown(self, literal: Any, method: str, arguments: Sequence[Value]) -> Any:
        if len(arguments) == 1 and isinstance(literal, list) and arguments[0].literal is not NO_VALUE:
            given = arguments[0].literal
            if method == "append":
                return [*literal, given]
            if method == "extend" and isinstance(given, list | tuple):
                return [*literal, *given]
            if method == "remove" and given in literal:
                return [each for at, each in enumerate(literal) if at != literal.index(given)]
        return NO_VALUE

    def _for(self, node: ast.For) -> None:
        over = self.value(node.iter)
        turns = over.literal
        if isinstance(turns, list | tuple | dict) and len(turns) <= _MOST_TURNS and not node.orelse and not leaves_early(node):
            for each in turns:
                names: dict[str, Any] = {}
                try:
                    constants.bind(node.target, each, names)
                except UnknownError:
                    break
                for name, given in names.items():
                    self.names[name] = Cell(Value(literal=given, deps=over.deps | {self._at}))
                self._loops += 1
                for statement in node.body:
                    self.run(statement)
                self._loops -= 1
            else:
                return
        fault = rows.FOLDS if any(each.fault is rows.FOLDS for each in over.all_faults) else rows.LOOP
        self._unfollowed(node, fault)

    def _if(self, node: ast.If) -> None:
        try:
            taken = bool(self._constant(node.test))
        except UnknownError:
            self._unfollowed(node, rows.CONDITION)
            return
        for statement in node.body if taken else node.orelse:
            self.run(statement)

    def _unfollowed(self, node: ast.stmt, fault: Fault) -> None:
        """Statements that run perhaps, or several times: what they make of rows, nobody knows."""
        before = {name: cell.value for name, cell in self.names.items()}
        cells = dict(self.names)
        self._loops += fault in {rows.LOOP, rows.FOLDS}
        self._conditions += fault is rows.CONDITION
        if isinstance(node, ast.For):
            for each in ast.walk(node.target):
                if isinstance(each, ast.Name):
                    self.names[each.id] = Cell(Value(deps=frozenset({self._at}), faults=self._faulty((), fault)))
        for body in bodies_of(node):
            for statement in body:
                self.run(statement)
        self._loops -= fault in {rows.LOOP, rows.FOLDS}
        self._conditions -= fault is rows.CONDITION
        for name, cell in self.names.items():
            old = before.get(name)
            if old is not None and cells[name] is cell and cell.value == old:
                continue
            value = cell.value
            imported = bool(value.path or value.function) and not value.of_rows
            settled = fault is rows.ATTEMPT and not value.of_rows and not (old is not None and old.of_rows)
            if imported or settled:
                continue
            deps = value.deps | (old.deps if old is not None else frozenset()) | {self._at}
            cell.value = replace(value, deps=deps, literal=NO_VALUE, faults=self._faulty(value.faults, fault), encoding=None)
