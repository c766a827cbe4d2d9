"""Calls: of libraries, of what reads, splits and joins tables, and of methods."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from auditor.case.scaffold import encodings, rows
from auditor.case.scaffold.dataflow.nodes import (
    argument_of,
)
from auditor.case.scaffold.dataflow.surroundings import CLOCK, OF_FILES, OF_PROCESS, OUTSIDE
from auditor.case.scaffold.dataflow.tables import Tables
from auditor.case.scaffold.dataflow.values import (
    NO_VALUE,
    UNREAD,
    Col,
    Fit,
    Found,
    Read,
    Split,
    Value,
    kind_of,
)
from auditor.case.scaffold.steps import READS
from auditor.case.scaffold.syntax import last_word, words

_READERS: Final = words("pandas sklearn seaborn")
"""Packages whose functions read a table as it is."""


class Calls(Tables):
    """Calls: of libraries, of what reads, splits and joins tables, and of methods."""

    def _call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute):
            held = self.value(node.func.value)
            if not held.path or held.made:
                return self._method(node, held, node.func.attr)
        function = self.value(node.func)
        if function.function is not None:
            return self._own_function(node, function)
        return self._library(node, function)

    def _library(self, node: ast.Call, function: Value) -> Value:  # noqa: C901, PLR0911, PLR0912 - a case for each kind of call
        path, name = function.path, last_word(node)
        if READS.fullmatch(name) and not path.startswith(("builtins.", "__main__.")):
            return self._read(node, elsewhere=path.partition(".")[0] not in _READERS)
        given = self._arguments(node)
        if name == "train_test_split":
            return self._split(node)
        if path.startswith(OUTSIDE):
            return Value(deps=function.deps, faults=self._faulty((), rows.OUTSIDE))
        if self._opens(node, path):
            deps = frozenset().union(function.deps, *(each.all_deps for each in given))
            return Value(deps=deps, made=name, call=node, faults=self._faulty((), rows.SETTINGS))
        if name in CLOCK and path.startswith(("datetime", "time", "pandas.Timestamp", "pandas.to_datetime")) and not node.args:
            return Value(deps=function.deps, faults=self._faulty((), rows.CLOCK))
        if path in OF_PROCESS or any(each.path in OF_PROCESS for each in given):
            return Value(deps=function.deps, faults=self._faulty((), rows.PROCESS))
        if path.startswith(("random.", "numpy.random")) and name not in {"seed", "RandomState"}:
            found = self._together(given)
            if path.endswith("shuffle"):
                self._disturb(node, rows.RANDOM)
            return replace(
                found, kind="constant", deps=found.deps | function.deps, faults=self._faulty(found.all_faults, rows.RANDOM)
            )
        of_rows = [each for each in given if each.of_rows]
        root = path.partition(".")[0]
        if not of_rows:
            found = self._together(given)
            return replace(found, deps=found.deps | function.deps, made=name, call=node, path="", literal=NO_VALUE)
        found = self._together(given)
        found = replace(found, deps=found.deps | function.deps)
        if path.endswith(("compute_sample_weight",)):
            return replace(found, kind="column", columns=None, train=True, encoding=None)
        if root == "sklearn" and name in {"shuffle", "resample"}:
            drawn = self._faulty(found.all_faults, rows.DRAWN)
            items = tuple(
                replace(each, train=True, deps=each.deps | found.deps, faults=drawn) for each in given[: len(node.args)]
            )
            return items[0] if len(items) == 1 else replace(found, kind="constant", items=items, columns=None, train=True)
        if name in {"concat", "concatenate", "vstack", "append"} and root in {"pandas", "numpy"}:
            return self._concat(node, given, found)
        if name == "get_dummies":
            return replace(found, columns=None, faults=self._faulty(found.faults, rows.DUMMIES))
        if name in {"factorize", "qcut"} or (
            name == "cut" and not isinstance(self._literal(argument_of(node, 1, "bins") or node), list)
        ):
            return replace(found, encoding=None, faults=self._faulty(found.faults, rows.CODES))
        if name in rows.JOINS:
            return replace(found, kind="table", columns=None, faults=self._faulty(found.faults, rows.JOIN))
        if name in {"len", "sum", "min", "max", "Counter", "sorted", "set"} and root in {"builtins", "collections"}:
            if name == "len" and given[0].kind == "schema":
                return Value(kind="schema", deps=found.deps)
            return self._statistic(found, rows.STATISTIC)
        if (
            root == "builtins"
            and name in {"list", "tuple"}
            and len(given) == 1
            and given[0].kind == "table"
            and given[0].columns is not None
        ):
            return Value(kind="schema", literal=[*given[0].columns], deps=given[0].deps)
        if root == "pandas" and name == "DataFrame" and (made := self._framed(node, found)) is not None:
            return made
        if root in {"numpy", "pandas"} and (name in rows.ELEMENTWISE or name == "cut"):
            return self._elementwise(name, given, found)
        if root == "numpy" and name in rows.STATISTICS:
            return self._statistic(found, rows.STATISTIC)
        if root == "builtins" and name in {
            "print",
            "display",
            "repr",
            "str",
            "isinstance",
            "type",
            "id",
            "enumerate",
            "zip",
            "hasattr",
        }:
            return replace(self._statistic(found, rows.UNKNOWN), deps=found.all_deps)
        if root in {"lightgbm", "xgboost", "catboost"} and name in {"train", "cv"}:
            self.fits.append(
                Fit(
                    self._at,
                    node,
                    replace(function, made=path),
                    tuple(given),
                    {},
                    bool(self._loops),
                    bool(self._conditions),
                    self._held(),
                )
            )
            return Value(fitted=True, deps=found.all_deps | {self._at}, made=name)
        if root == "sklearn" and name[:1].isupper():
            return replace(found, kind="constant", columns=None, made=name, call=node, faults=found.faults)
        if root in {"lightgbm", "xgboost", "catboost"} and name in {"Dataset", "DMatrix", "Pool", "QuantileDMatrix"}:
            return replace(found, kind="table", columns=None)
        return self._foreign(node, given, function)

    def _opens(self, node: ast.Call, path: str) -> bool:
        """Whether a call reads a file that is no table; one that is written is nothing to the model."""
        if path in {"builtins.open", "io.open"}:
            mode = argument_of(node, 1, "mode")
            how = "r" if mode is None else self._literal(mode)
            return not (isinstance(how, str) and set(how) & set("wax"))
        root, _, name = path.partition(".")
        return root in rows.STORES and name.rpartition(".")[2] in rows.LOADS

    def _read(self, node: ast.Call, *, elsewhere: bool) -> Value:
        given: dict[str, Any] = {}
        for each in () if elsewhere else node.keywords:
            value = self.value(each.value)
            given[each.arg or "**"] = value.literal if value.literal is not NO_VALUE else value.path or UNREAD
        path = self._literal(node.args[0]) if node.args else given.get("filepath_or_buffer", "")
        file = (
            path
            if isinstance(path, str)
            else next(
                (
                    each.value
                    for each in ast.walk(node)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str) and "." in each.value
                ),
                "",
            )
        )
        deps = frozenset().union(*(each.all_deps for each in self._arguments(node)))
        whole = path if isinstance(path, str) and path else None
        self.reads.append(Read(self._at, self._line, last_word(node), given, file, whole, (ast.unparse(node), deps)))
        self._role = "read"
        if elsewhere:
            return Value(kind="table", deps=frozenset({self._at}), faults=self._faulty((), rows.ELSEWHERE))
        if len(self.reads) - 1 not in self._chosen:
            return Value(kind="table", deps=frozenset({self._at}), faults=self._faulty((), rows.SECOND))
        faults: tuple[Found, ...] = ()
        if self._loops or self._conditions:
            faults = self._faulty(faults, rows.LOOP if self._loops else rows.CONDITION)
        here = frozenset({self._at})
        columns = {name: replace(each, deps=here) for name, each in self._table.items() if name != self._index}
        return Value(kind="table", columns=columns, deps=here, faults=faults, raw=True)

    def _split(self, node: ast.Call) -> Value:
        arrays = [self.value(each) for each in node.args]
        self._role = "split"
        stratify = next((self.value(each.value) for each in node.keywords if each.arg == "stratify"), None)
        parts = {each.part for each in arrays if each.of_rows}
        faults: tuple[Found, ...] = ()
        if len(parts) != 1 or any(isinstance(each, ast.Starred) for each in node.args) or self._loops or self._conditions:
            faults = self._faulty((), rows.FOLDS if self._loops else rows.SPLIT)
        fit, held = self._parts + 1, self._parts + 2
        self._parts += 2
        self.splits.append(Split(self._at, node, min(parts, default=0), fit, held, tuple(node.args), stratify))
        keywords = self._together([self.value(each.value) for each in node.keywords if each.arg != "stratify"])
        deps = frozenset({self._at}) | keywords.deps | (stratify.deps if stratify is not None else frozenset())
        items: list[Value] = []
        for each in arrays:
            for part in (fit, held):
                found = (*each.faults, *faults, *keywords.faults)
                items.append(replace(each, part=part, deps=each.deps | deps, faults=tuple(dict.fromkeys(found))))
        return Value(items=tuple(items), deps=deps)

    def _concat(self, node: ast.Call, given: Sequence[Value], found: Value) -> Value:
        axis = self._literal(argument_of(node, 1, "axis") or ast.Constant(0))
        pieces = given[0].items or ()
        if axis in {1, "columns"} and pieces and last_word(node) == "concat":
            columns: dict[str, Col] | None = {}
            for each in pieces:
                if each.kind != "table" or each.columns is None or columns is None or set(columns) & set(each.columns):
                    columns = None
                else:
                    columns |= {
                        name: replace(col, faults=tuple(dict.fromkeys((*col.faults, *each.faults))))
                        for name, col in each.columns.items()
                    }
            faults = found.faults if columns is not None else self._faulty(found.faults, rows.UNKNOWN)
            return replace(found, kind="table", columns=columns, faults=faults)
        return replace(found, kind="table", columns=None, faults=self._faulty(found.faults, rows.ADDED))

    def _framed(self, node: ast.Call, found: Value) -> Value | None:
        """`pd.DataFrame({"a": table["x"], …})`; None for any other way of writing, or of what is no column with its index."""
        match node:
            case ast.Call(args=[ast.Dict(keys=keys, values=values)], keywords=[]):
                names = [self._literal(each) for each in keys if each is not None]
                given = [self.value(each) for each in values]
            case _:
                return None
        if len(names) != len(given) or not all(isinstance(each, str) for each in names):
            return None
        if any(each.kind != "column" or each.array or each.part != found.part for each in given):
            return None
        # Of arrays alone its rows would be numbered anew, and no longer be the table's where some are left out.
        if not any(isinstance(each, ast.Subscript | ast.Attribute) and self.value(each.value).kind == "table" for each in values):
            return None
        columns = {
            name: Col(
                kind="category" if each.category else kind_of(each),
                sources=each.all_sources,
                deps=each.all_deps | {self._at},
                faults=each.all_faults,
                encoding=each.encoding,
                raw=False,
            )
            for name, each in zip(names, given, strict=True)
        }
        return replace(found, kind="table", columns=columns, deps=found.deps | {self._at}, faults=(), sources=frozenset())

    def _method(self, node: ast.Call, held: Value, name: str) -> Value:
        if held.kind in {"constant", "schema"} and held.items is None:
            return self._method_of_constant(node, held, name)
        given = self._arguments(node)
        faults = tuple(dict.fromkeys(each for value in given for each in value.all_faults))
        if any(each.of_rows and each.part != held.part for each in given):
            faults = self._faulty(faults, rows.UNKNOWN)
        deps = held.deps.union(*(each.all_deps for each in given))
        sources = held.sources.union(*(each.all_sources for each in given))
        functions = [each.function for each in given if each.function is not None]
        after = replace(held, deps=deps, faults=tuple(dict.fromkeys((*held.faults, *faults))))
        if held.kind == "table":
            return self._method_of_table(node, after, name, given)
        found = replace(after, sources=sources, encoding=None, raw=False, sort=self._sort_after(node, held, name, given))
        for each in functions:
            result = self._elements(each, held)
            found = replace(
                found,
                faults=tuple(dict.fromkeys((*found.faults, *result.all_faults))),
                deps=found.deps | result.deps,
                sources=found.sources | result.all_sources,
            )
        return self._method_of_column(node, found, name, given, held)

    def _method_of_constant(self, node: ast.Call, held: Value, name: str) -> Value:  # noqa: PLR0911 - one line a method
        given = self._arguments(node)
        found = self._together(given)
        deps = held.deps | found.deps
        faults = tuple(dict.fromkeys((*held.faults, *found.all_faults)))
        of_rows = [each for each in given if each.of_rows]
        if held.made in {"Path", "PosixPath"} and name in OF_FILES:
            return Value(deps=deps, faults=self._faulty(faults, rows.OUTSIDE))
        if held.made == "LabelEncoder" and name in {"fit_transform", "transform"} and of_rows and of_rows[0].kind == "column":
            return replace(
                of_rows[0],
                deps=deps,
                encoding=encodings.numbered(of_rows[0].encoding),
                faults=self._faulty(faults, rows.CODES),
                raw=False,
            )
        if name in {"fit", "partial_fit"}:
            return self._fitted(node, held, given, deps, faults)
        if name in {"fit_transform", "transform"} and of_rows:
            return replace(
                of_rows[0], columns=None, encoding=None, deps=deps | found.all_deps, faults=self._faulty(faults, rows.FITTED)
            )
        if name in {"fit_resample", "fit_sample"} and of_rows:
            items = tuple(replace(each, train=True, deps=each.deps | deps) for each in given[:2])
            return Value(items=items, deps=deps, train=True)
        if name == "split" and of_rows:
            return Value(deps=deps | found.all_deps, faults=self._faulty(faults, rows.FOLDS))
        if of_rows and (held.fitted or held.made):
            fault = rows.MODEL if held.fitted else rows.UNKNOWN
            return replace(
                found, kind="column", columns=None, encoding=None, deps=deps | found.all_deps, faults=self._faulty(faults, fault)
            )
        if of_rows:
            return replace(
                found,
                kind="column",
                columns=None,
                encoding=None,
                deps=deps | found.all_deps,
                faults=self._faulty(faults, rows.UNKNOWN),
            )
        if held.fitted:
            return replace(held, deps=deps, faults=self._faulty(faults, rows.MODEL))
        kind: Literal["schema", "constant"] = "schema" if "schema" in {held.kind, found.kind} else "constant"
        return replace(found, kind=kind, deps=deps, faults=faults, made=held.made, call=held.call or node)

    def _fitted(
        self, node: ast.Call, held: Value, given: Sequence[Value], deps: frozenset[int], faults: tuple[Found, ...]
    ) -> Value:
        if held.made == "LabelEncoder" or not any(each.of_rows for each in given):
            return replace(held, deps=deps, faults=faults)
        keywords = {each.arg or "**": self.value(each.value) for each in node.keywords}
        positional = tuple(self.value(each) for each in node.args)
        self.fits.append(Fit(self._at, node, held, positional, keywords, bool(self._loops), bool(self._conditions), self._held()))
        self._role = "fit"
        after = replace(held, fitted=True, deps=held.deps | {self._at}, literal=NO_VALUE)
        cell = self._cell(node.func.value) if isinstance(node.func, ast.Attribute) else None
        if cell is not None:
            cell.value = after
        return after
