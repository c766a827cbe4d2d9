"""What is known at a statement: the variables, the faults, and what is constant."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from auditor.case.scaffold import constants, rows
from auditor.case.scaffold.constants import UnknownError
from auditor.case.scaffold.dataflow.dtypes import Dtype, Named
from auditor.case.scaffold.dataflow.values import (
    NO_VALUE,
    Cell,
    Col,
    Fit,
    Found,
    Info,
    Place,
    Read,
    Role,
    Split,
    Value,
    kind_of,
    place,
)
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import Step


class State(ABC):
    """What is known at one statement: the variables, the faults, and what is constant.

    Args:
        steps: The script's statements in their order.
        table: The columns of the file that it reads.
        apart: Columns that differ in every row.
        index: The column that the reading call makes the index.
        chosen: Which of its calls read the table, counted from 0; the others read something else.
        alongside: Modules that lie in the folder of the script.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        table: Mapping[str, Col],
        *,
        apart: frozenset[str] = frozenset(),
        index: str | None = None,
        chosen: frozenset[int] = frozenset({0}),
        alongside: frozenset[str] = frozenset(),
    ) -> None:
        self.steps, self._table, self.alongside, self._apart, self._index, self._chosen = (
            steps,
            table,
            alongside,
            apart,
            index,
            chosen,
        )
        self.names: dict[str, Cell] = {}
        self.infos = [Info() for _ in steps]
        self.reads: list[Read] = []
        self.splits: list[Split] = []
        self.fits: list[Fit] = []
        self._parts = 0
        self._at = 0
        self._depth = 0
        self._evaluated = 0
        self._loops = 0
        self._conditions = 0
        self._line = 0
        self._used: frozenset[str] = frozenset()
        self._role: Role = "constant"
        self._filters = 0
        self.filters: set[Place] = set()
        """Where rows are left out."""

    def reads_again(self, step: int) -> bool:
        """Whether a statement reads the very table once more."""
        return any(each.step == step for at, each in enumerate(self.reads) if at in self._chosen)

    def _faulty(self, faults: Iterable[Found], fault: Fault) -> tuple[Found, ...]:
        return tuple(dict.fromkeys((*faults, Found(self._line, fault))))

    def _cell(self, node: ast.expr) -> Cell | None:
        return self.names.get(node.id) if isinstance(node, ast.Name) else None

    def _held(self) -> dict[str, Value]:
        """What every variable holds now."""
        return {name: cell.value for name, cell in self.names.items()}

    def _settle(self, value: Value) -> None:
        """Note what this statement does, by what it gives."""
        if value.train and value.of_rows:
            self._role = "train"
        elif value.of_rows and self._role == "constant":
            self._role = "filter" if self._filters else "prepare"
            self.infos[self._at].part = value.part

    def _leaves_out(self, node: ast.expr, used: frozenset[str]) -> None:
        """Note that an expression leaves rows out, by what columns of the file say."""
        self._filters += 1
        self._used |= used
        self.filters.add(place(node))

    def _together(self, values: Iterable[Value]) -> Value:
        """What several values make together."""
        given = list(values)
        faults = tuple(dict.fromkeys(each for value in given for each in value.all_faults))
        deps = frozenset().union(*(each.all_deps for each in given))
        of_rows = [each for each in given if each.of_rows]
        if not of_rows:
            schema = any(each.kind == "schema" for each in given)
            return Value(kind="schema" if schema else "constant", deps=deps, faults=faults)
        parts = {each.part for each in of_rows}
        if len(parts) > 1:
            faults = self._faulty(faults, rows.UNKNOWN)
        tables = [each for each in of_rows if each.kind == "table"]
        sources = frozenset().union(*(each.all_sources for each in of_rows))
        kind: Literal["table", "column"] = "table" if tables else "column"
        columns = None
        if tables and tables[0].columns is not None:
            columns = {
                name: replace(
                    each, deps=deps | each.deps, faults=tuple(dict.fromkeys((*each.faults, *faults))), encoding=None, raw=False
                )
                for name, each in tables[0].columns.items()
            }
        return Value(
            kind=kind,
            deps=deps,
            faults=faults,
            sources=sources,
            part=of_rows[0].part,
            columns=columns,
            train=any(each.train for each in given),
        )

    def _disturb(self, node: ast.Call, fault: Fault) -> None:
        for each in (*node.args, *(keyword.value for keyword in node.keywords)):
            cell = self._cell(each)
            if cell is not None and cell.value.of_rows:
                cell.value = replace(cell.value, faults=self._faulty(cell.value.faults, fault), deps=cell.value.deps | {self._at})

    def _statistic(self, held: Value, fault: Fault) -> Value:
        """A figure of all rows: a constant that cannot be carried over, but in training alone where it is of labels."""
        return Value(deps=held.all_deps, faults=self._faulty(held.all_faults, fault))

    def _lost(self, table: Value) -> bool:
        """Whether a table's columns are not known for a reason that is refused in any case: choosing among them is no other."""
        return table.columns is None and any(each.fault not in {rows.STATISTIC, rows.CODES} for each in table.all_faults)

    def _dropped(self, table: Value, names: Sequence[str] | None) -> Value:
        if names is None or table.columns is None:
            lost = names is not None and self._lost(table)
            faults = table.all_faults if lost else self._faulty(table.all_faults, rows.UNKNOWN)
            return replace(table, columns=None, faults=faults, deps=table.all_deps | {self._at})
        kept = {name: col for name, col in table.columns.items() if name not in names}
        lacking = self._table and any(each not in table.columns for each in names)
        return replace(
            table,
            columns=kept,
            deps=table.deps | {self._at},
            faults=self._faulty(table.faults, rows.ABSENT) if lacking else table.faults,
        )

    def _arguments(self, node: ast.Call) -> list[Value]:
        return [self.value(each) for each in (*node.args, *(each.value for each in node.keywords))]

    def _deps_of_body(self, node: ast.AST) -> frozenset[int]:
        """Statements that made what a function uses from around it."""
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
        return frozenset().union(*(self.names[name].value.deps for name in used if name in self.names))

    def _path(self, node: ast.expr) -> str:
        """The dotted name of something imported; empty for anything else."""
        if isinstance(node, ast.Name):
            return self.names[node.id].value.path if node.id in self.names else f"builtins.{node.id}"
        held = self._path(node.value) if isinstance(node, ast.Attribute) else ""
        return f"{held}.{node.attr}" if held and isinstance(node, ast.Attribute) else ""

    def _constant(self, node: ast.expr) -> Any:
        return constants.value(node, self._looked_up)

    def _looked_up(self, node: ast.expr) -> Any:
        """Names, and what the header of a table tells."""
        match node:
            case ast.Name() if node.id in self.names:
                found = self.names[node.id].value
                if found.kind == "table" and found.columns is not None:
                    return [*found.columns]  # what a loop over a table goes through
                if found.literal is not NO_VALUE:
                    return found.literal
            case ast.Attribute(attr="columns"):
                table = self.value(node.value)
                if table.kind == "table" and table.columns is not None:
                    return [*table.columns]
            case ast.Attribute(attr="dtype") | ast.Call(func=ast.Attribute(attr="is_numeric_dtype")):
                column = self.value(node.value if isinstance(node, ast.Attribute) else node.args[0])
                kind = kind_of(column)
                if kind:
                    return kind not in {"text", "category", "time"} if isinstance(node, ast.Call) else Dtype(kind)
            case ast.Attribute() | ast.Name():
                if path := self._path(node):
                    return Named(path)
            case _:
                pass
        raise UnknownError

    def _literal(self, node: ast.expr) -> Any:
        try:
            return self._constant(node)
        except UnknownError:
            return NO_VALUE

    def _names_of(self, key: ast.expr) -> list[str] | None:
        """The columns that a key names; None where it does not, or nobody knows."""
        found = self._literal(key)
        if isinstance(found, str):
            return [found]
        if isinstance(found, list | tuple | frozenset) and all(isinstance(each, str) for each in found):
            return [*found]
        return None

    @abstractmethod
    def value(self, node: ast.expr) -> Value:
        """What an expression gives."""

    @abstractmethod
    def run(self, node: ast.stmt) -> None:
        """Go through one statement."""

    @abstractmethod
    def _assign(self, target: ast.expr, found: Value, source: ast.expr) -> None: ...
