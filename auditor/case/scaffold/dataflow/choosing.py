"""What is chosen from tables and columns: by name, position and mask."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from auditor.case.scaffold import rows
from auditor.case.scaffold.constants import UnknownError
from auditor.case.scaffold.dataflow.dtypes import KINDS
from auditor.case.scaffold.dataflow.functions import Functions
from auditor.case.scaffold.dataflow.nodes import (
    argument_of,
    is_whole_slice,
)
from auditor.case.scaffold.dataflow.values import (
    Cell,
    Col,
    Value,
    of_column,
)


class Choosing(Functions):
    """What is chosen from tables and columns: by name, position and mask."""

    def _item(self, node: ast.Subscript) -> Value:  # noqa: C901, PLR0911 - a case for each way of choosing
        held = self.value(node.value)
        accessor = node.value.attr if isinstance(node.value, ast.Attribute) else ""
        if (
            held.items is not None
            and isinstance(at := self._literal(node.slice), int)
            and -len(held.items) <= at < len(held.items)
        ):
            return held.items[at]
        if held.kind == "table" and accessor in {"loc", "iloc"}:
            return self._located(held, node, accessor)
        if held.kind == "table":
            names = self._names_of(node.slice)
            if names is not None and held.columns is not None:
                missing = [each for each in names if each not in held.columns]
                if isinstance(self._literal(node.slice), str):
                    absent = Value(kind="column", part=held.part, faults=self._faulty((), rows.ABSENT), deps=held.deps)
                    return absent if missing else of_column(held, held.columns[names[0]])
                if missing:
                    return replace(held, columns=None, faults=self._faulty((), rows.ABSENT))
                extra = self.value(node.slice).deps
                return replace(held, columns={each: held.columns[each] for each in names}, deps=held.deps | extra, raw=False)
            mask = self.value(node.slice)
            if mask.of_rows and mask.kind == "column":
                return self._filtered(held, mask, node)
            lost = names is not None and self._lost(held)
            faults = (*held.all_faults, *mask.faults)
            return replace(
                held,
                columns=None,
                faults=faults if lost else self._faulty(faults, rows.UNKNOWN),
                deps=held.all_deps | mask.deps,
            )
        if held.kind == "column":
            mask = self.value(node.slice)
            if mask.of_rows and mask.kind == "column":
                return self._filtered(held, mask, node)
            if accessor == "str":
                return replace(held, encoding=None, raw=False)
            return replace(held, faults=self._faulty((*held.faults, *mask.faults), rows.POSITION), deps=held.deps | mask.deps)
        found = self._together([held, self.value(node.slice)])
        if held.fitted:
            found = replace(found, faults=self._faulty(found.faults, rows.MODEL))
        return found

    def _located(self, held: Value, node: ast.Subscript, accessor: str) -> Value:
        key = node.slice
        chosen, names = (key.elts[0], key.elts[1]) if isinstance(key, ast.Tuple) and len(key.elts) == 2 else (key, None)
        found = held
        if not is_whole_slice(chosen):
            mask = self.value(chosen)
            if accessor == "loc" and mask.of_rows and mask.kind == "column":
                found = self._filtered(held, mask, node)
            else:
                fault = rows.FOLDS if any(each.fault is rows.FOLDS for each in mask.all_faults) else rows.POSITION
                found = replace(held, faults=self._faulty((*held.faults, *mask.all_faults), fault), deps=held.deps | mask.deps)
        if names is None or is_whole_slice(names):
            return found
        if accessor == "iloc" and found.columns is not None:
            return self._by_position(found, names)
        inner = ast.copy_location(ast.Subscript(ast.Name("", ast.Load()), names, ast.Load()), key)
        if isinstance(names, ast.Slice):
            return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN))
        self.names[""] = Cell(found)
        try:
            return self._item(inner)
        finally:
            self.names.pop("", None)

    def _by_position(self, found: Value, names: ast.expr) -> Value:
        """Columns by their number, which the header tells."""
        everything = list(found.columns or {})
        try:
            if isinstance(names, ast.Slice):
                low, high, step = (
                    None if each is None else self._constant(each) for each in (names.lower, names.upper, names.step)
                )
                chosen = everything[low:high:step]
            else:
                at = self._constant(names)
                if isinstance(at, int):
                    return of_column(found, (found.columns or {})[everything[at]])
                chosen = [everything[each] for each in at]
        except (UnknownError, TypeError, IndexError, ValueError):
            return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN))
        self.infos[self._at].literals.setdefault("", []).append((ast.unparse(names), chosen))
        return replace(found, columns={each: (found.columns or {})[each] for each in chosen})

    def _filtered(self, held: Value, mask: Value, node: ast.expr) -> Value:
        """Rows that a condition chooses."""
        faults = (*held.faults, *mask.all_faults)
        if held.part != mask.part:
            faults = self._faulty(faults, rows.UNKNOWN)
        self._leaves_out(node, mask.all_sources)
        return replace(
            held,
            deps=held.deps | mask.all_deps,
            faults=tuple(dict.fromkeys(faults)),
            sources=held.sources | (mask.all_sources if held.kind == "table" else frozenset()),
        )

    def _left_out(self, node: ast.Call, found: Value, name: str) -> Value:
        """`dropna`, `query`."""
        columns = found.columns or {}
        if name == "dropna":
            axis = self._literal(argument_of(node, 0, "axis") or ast.Constant(0))
            if axis not in {0, "index", "rows"}:
                return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.STATISTIC), deps=found.all_deps)
            subset = argument_of(node, 99, "subset")
            names = (
                self._names_of(subset)
                if subset is not None
                else [each for each, col in columns.items() if not col.raw or col.missing]
            )
        else:
            names = _in_query(self._literal(node.args[0]) if node.args else None, columns)
        if names is None or found.columns is None or any(each not in columns for each in names):
            faults = found.all_faults if names is not None and self._lost(found) else self._faulty(found.all_faults, rows.UNKNOWN)
            return replace(found, faults=faults, deps=found.all_deps)
        chosen = [columns[each] for each in names]
        used = frozenset().union(*(each.sources for each in chosen))
        self._leaves_out(node, used)
        return replace(
            found,
            sources=found.sources | used,
            deps=found.deps.union(*(each.deps for each in chosen)),
            faults=tuple(dict.fromkeys((*found.faults, *(each for col in chosen for each in col.faults)))),
        )

    def _by_dtype(self, node: ast.Call, found: Value) -> Value:
        columns = found.columns
        if columns is None or any(not each.kind for each in columns.values()):
            return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps)
        wanted = {key: self._dtypes(node, at, key) for at, key in enumerate(("include", "exclude"))}
        if None in wanted.values():
            return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps)
        include, exclude = (wanted[key] or frozenset() for key in ("include", "exclude"))
        vague = any(each.kind == "amount" for each in columns.values())
        if vague and any({"integer", "number"} & kinds and "amount" not in kinds for kinds in (include, exclude)):
            return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps)
        kept = {
            name: each for name, each in columns.items() if (not include or each.kind in include) and each.kind not in exclude
        }
        return replace(found, columns=kept)

    def _dtypes(self, node: ast.Call, at: int, key: str) -> frozenset[str] | None:
        given = argument_of(node, at, key)
        if given is None:
            return frozenset()
        each = given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
        found: set[str] = set()
        for one in each:
            value = self.value(one)
            name = value.literal if isinstance(value.literal, str) else value.path.rpartition(".")[2]
            kinds = KINDS.get(name)
            if kinds is None:
                return None
            found |= kinds
        return frozenset(found)

    def _by_name(self, node: ast.Call, found: Value) -> Value:
        items, like = (self._literal(argument_of(node, at, key) or ast.Constant(None)) for at, key in ((0, "items"), (1, "like")))
        columns = found.columns or {}
        if isinstance(items, list):
            return replace(found, columns={name: columns[name] for name in items if name in columns})
        if isinstance(like, str):
            return replace(found, columns={name: each for name, each in columns.items() if like in name})
        return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps)

    def _indexed(self, node: ast.Call, found: Value, name: str) -> Value:
        if name == "reset_index":
            dropped = self._literal(argument_of(node, 99, "drop") or ast.Constant(False))
            return found if dropped is True else replace(found, faults=self._faulty(found.faults, rows.POSITION))
        names = self._names_of(node.args[0]) if node.args else None
        return self._dropped(found, names)

    def _drop(self, node: ast.Call, found: Value) -> Value:
        key = next((each.value for each in node.keywords if each.arg == "columns"), None)
        axis = self._literal(argument_of(node, 1, "axis") or ast.Constant(0))
        if key is None and axis in {1, "columns"}:
            key = argument_of(node, 0, "labels")
        if key is None:
            return replace(found, faults=self._faulty(found.faults, rows.POSITION))
        return self._dropped(found, self._names_of(key))


def _in_query(text: object, columns: Mapping[str, Col]) -> list[str] | None:
    """The columns that a query names; None where it calls something, or uses what is around it."""
    if not isinstance(text, str):
        return None
    try:
        tree = ast.parse(text.replace("`", ""), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if any(isinstance(each, ast.Call | ast.Attribute | ast.Subscript | ast.MatMult) for each in ast.walk(tree)):
        return None
    names = [each.id for each in ast.walk(tree) if isinstance(each, ast.Name)]
    return names if names and all(each in columns for each in names) else None
