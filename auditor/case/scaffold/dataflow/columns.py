"""Methods of columns."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from auditor.case.scaffold import encodings, rows
from auditor.case.scaffold.dataflow.choosing import Choosing
from auditor.case.scaffold.dataflow.surroundings import OF_PROCESS
from auditor.case.scaffold.dataflow.values import (
    NO_VALUE,
    Value,
    sum_kind,
)
from auditor.case.scaffold.encodings import Encoding


class Columns(Choosing):
    """Methods of columns."""

    def _method_of_column(self, node: ast.Call, found: Value, name: str, given: Sequence[Value], held: Value) -> Value:  # noqa: PLR0911, C901
        if any(each.path in OF_PROCESS for each in given):
            return replace(found, faults=self._faulty(found.faults, rows.PROCESS))
        encoding = held.encoding
        first = given[0] if given else Value(literal=None)
        on_text = (
            isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Attribute) and node.func.value.attr == "str"
        )
        if on_text:
            return replace(
                found,
                encoding=encodings.text_changed(encoding, name) if not given else None,
                mask=name in {"contains", "startswith"},
            )
        if (
            isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Attribute)
            and node.func.value.attr in {"dt", "cat"}
        ):
            return found
        if name in {
            "copy",
            "to_numpy",
            "ravel",
            "squeeze",
            "to_frame",
            "tolist",
            "to_list",
            "reshape",
            "flatten",
            "infer_objects",
            "convert_dtypes",
        }:
            return replace(found, encoding=encoding, raw=held.raw, array=name in {"to_numpy", "tolist", "to_list", "reshape"})
        if name == "astype":
            kind = first.literal if isinstance(first.literal, str) else first.path
            return replace(found, encoding=encodings.typed(encoding, kind), category=kind == "category", raw=False)
        if name in encodings.BY_METHOD and first.literal is not NO_VALUE:
            return replace(
                found,
                encoding=encodings.applied(encoding, lambda value: encodings.BY_METHOD[name](value, first.literal)),
                mask=True,
            )
        if name in {"map", "replace", "apply"}:
            return replace(found, encoding=self._mapped(name, encoding, given))
        if name == "dropna":
            self._leaves_out(node, held.sources)
            return replace(found, encoding=encoding)
        if name in {"isna", "isnull", "notna", "notnull", "between"}:
            return replace(found, mask=True)
        if name in rows.INDEXES:
            return replace(found, encoding=encoding, raw=held.raw)
        if name in {"fillna", *rows.ROW_WISE}:
            return replace(found, encoding=encoding if name == "fillna" else None)
        return self._across(node, found, name)

    def _mapped(  # noqa: PLR0911 - one line for each way of writing a table
        self, name: str, encoding: Encoding | None, given: Sequence[Value]
    ) -> Encoding | None:
        first = given[0] if given else Value()
        if isinstance(first.literal, dict):
            table = first.literal
            return encodings.applied(encoding, table.__getitem__ if name == "map" else lambda value: table.get(value, value))
        if name == "replace" and len(given) == 2 and all(each.literal is not NO_VALUE for each in given):
            old, new = given[0].literal, given[1].literal
            if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
                pairs = dict(zip(old, new, strict=True))
                return encodings.applied(encoding, lambda value: pairs.get(value, value))
            olds = old if isinstance(old, list) else [old]
            return encodings.applied(encoding, lambda value: new if value in olds else value)
        if first.path:
            return encodings.typed(encoding, first.path)
        if isinstance(first.function, ast.Lambda):
            return encodings.by_lambda(encoding, first.function, self._constant)
        if (
            isinstance(first.function, ast.FunctionDef)
            and len(first.function.body) == 1
            and isinstance(first.function.body[0], ast.Return)
        ):
            returned = first.function.body[0].value
            if returned is not None:
                return encodings.by_lambda(encoding, ast.Lambda(first.function.args, returned), self._constant)
        return None

    def _across(self, node: ast.Call, found: Value, name: str) -> Value:  # noqa: PLR0911 - one line a kind
        """A method that looks across rows, or that nobody knows."""
        both = replace(found, columns=None, encoding=None, faults=found.all_faults, deps=found.all_deps)
        if (
            name in {"sum", "mean", "min", "max", "any", "all"}
            and found.kind == "column"
            and found.mask
            and name in {"any", "all"}
        ):
            return self._statistic(found, rows.STATISTIC)
        if name in rows.STATISTICS:
            return (
                self._statistic(found, rows.STATISTIC)
                if name not in {"transform", "rank", "shift", "diff", "ffill", "bfill", "interpolate"}
                else replace(both, faults=self._faulty(both.faults, rows.STATISTIC))
            )
        if name in rows.JOINS:
            return replace(both, kind="table", faults=self._faulty(both.faults, rows.JOIN))
        if name in rows.ADDING:
            return replace(both, faults=self._faulty(both.faults, rows.ADDED))
        if name in rows.ORDERS:
            return replace(found, faults=self._faulty(found.faults, rows.ORDER))
        if name in rows.POSITIONS:
            return replace(found, faults=self._faulty(found.faults, rows.POSITION))
        if name in {"fit", "fit_transform"}:
            return replace(both, faults=self._faulty(both.faults, rows.FITTED))
        if any(isinstance(each, ast.Call) for each in [node]) and name in rows.LOOKS:
            return Value(deps=both.deps)
        return replace(both, faults=self._faulty(both.faults, rows.UNKNOWN))

    def _elementwise(self, name: str, given: Sequence[Value], found: Value) -> Value:
        encoding = None
        if name == "where" and len(given) == 3 and all(each.literal is not NO_VALUE for each in given[1:]):
            encoding = encodings.chosen(given[0].encoding, given[1].literal, given[2].literal)
        elif name in {"array", "asarray", "ravel", "to_numeric"}:
            encoding = given[0].encoding
            if given[0].kind == "table":
                return replace(given[0], array=name != "to_numeric")
            if name == "to_numeric":
                encoding = encodings.typed(encoding, "float")
        raw = found.kind == "column" and name in {"array", "asarray"} and given[0].raw
        named = {
            "to_datetime": "time",
            "to_numeric": "amount",
            "isna": "boolean",
            "isnull": "boolean",
            "notna": "boolean",
            "notnull": "boolean",
        }
        sort = named.get(name) or (
            "" if name in {"array", "asarray", "select", "cut"} else sum_kind(given[1:] if name == "where" else given)
        )
        return replace(found, encoding=encoding, raw=raw, array=name in {"array", "asarray"}, sort=sort)

    def _sort_after(self, node: ast.Call, held: Value, name: str, given: Sequence[Value]) -> str:
        """The kind of a column after a method."""
        accessor = (
            node.func.value.attr if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Attribute) else ""
        )
        if accessor == "str":
            return "boolean" if name in {"contains", "startswith", "endswith"} else ""
        if name in {"isna", "isnull", "notna", "notnull", "isin", "between", "eq", "ne", "lt", "le", "gt", "ge"}:
            return "boolean"
        if name == "astype":
            kind = (
                given[0].literal if given and isinstance(given[0].literal, str) else given[0].path if given else ""
            ).rpartition(".")[2]
            return (
                "amount" if kind.startswith(("int", "float", "uint")) else "text" if kind in {"str", "string", "object"} else ""
            )
        if name in {"fillna", "clip", "round", "abs", "where", "mask", "add", "sub", "mul", "div", "pow"}:
            return sum_kind([held, *given]) or (held.sort if held.sort == "text" and name == "fillna" else "")
        return held.sort if name in {"copy", "dropna", "squeeze", "reset_index"} else ""
