"""What an expression may give, and what is found of calls that read, split and fit."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from auditor.case.scaffold.encodings import Encoding
from auditor.case.scaffold.rows import Fault

Role = Literal["constant", "read", "prepare", "filter", "split", "train", "fit", "other"]
"""What a statement does: makes constants, reads, works on each row, leaves rows out, splits, draws training rows, fits."""
NO_VALUE: Final = object()


@dataclass(frozen=True, slots=True)
class Found:
    """A fault, and the line that it is on."""

    line: int
    fault: Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Col:
    """One column of a table."""

    kind: str
    """integer, number, boolean, text, time or category; empty where it is not known."""
    sources: frozenset[str]
    """Columns of the file that it was made from."""
    deps: frozenset[int] = frozenset()
    faults: tuple[Found, ...] = ()
    encoding: Encoding | None = None
    raw: bool = True
    """Whether it is as the file has it."""
    missing: bool = False
    """Whether a value of it is missing in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What an expression gives."""

    kind: Literal["constant", "table", "column", "schema"] = "constant"
    deps: frozenset[int] = frozenset()
    """Statements that it was made by."""
    faults: tuple[Found, ...] = ()
    literal: Any = NO_VALUE
    path: str = ""
    """The dotted name of what was imported."""
    function: ast.FunctionDef | ast.Lambda | None = None
    made: str = ""
    """The class that a constant is an object of."""
    call: ast.Call | None = None
    """The call that made it."""
    columns: Mapping[str, Col] | None = None
    """Of a table; None where they are not known."""
    sources: frozenset[str] = frozenset()
    """Of a column, what it was made from; of a table, what its rows were chosen by."""
    encoding: Encoding | None = None
    category: bool = False
    sort: str = ""
    """Of a column, what it holds, as `Col.kind` says; amount for numbers of which it is not known whether they are whole."""
    part: int = 0
    """Which part of the rows it covers; 0 for all."""
    train: bool = False
    """Whether it exists in training alone: weights, drawn rows."""
    fitted: bool = False
    items: tuple[Value, ...] | None = None
    array: bool = False
    mask: bool = False
    raw: bool = False

    @property
    def of_rows(self) -> bool:
        """Whether it depends on the table's rows."""
        return self.kind in {"table", "column"} or any(each.of_rows for each in self.items or ())

    @property
    def all_deps(self) -> frozenset[int]:
        """Every statement that it and its columns were made by."""
        found = [self.deps, *(each.deps for each in (self.columns or {}).values()), *(each.all_deps for each in self.items or ())]
        return frozenset().union(*found)

    @property
    def all_faults(self) -> tuple[Found, ...]:
        """Every fault of it and its columns."""
        found = [*self.faults]
        for each in (self.columns or {}).values():
            found += each.faults
        for item in self.items or ():
            found += item.all_faults
        return tuple(dict.fromkeys(found))

    @property
    def all_sources(self) -> frozenset[str]:
        """Every column of the file that it says something of."""
        found = [self.sources, *(each.sources for each in (self.columns or {}).values())]
        return frozenset().union(*found, *(each.all_sources for each in self.items or ()))


@dataclass
class Cell:
    """What a variable holds; two names of one table share it."""

    value: Value


Place = tuple[int, int, int, int]
"""Where an expression is in the file: lines and columns of its beginning and end."""


def place(node: ast.expr) -> Place:
    """Where an expression stands."""
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


UNREAD: Final = object()
"""An argument whose value is not known without running the script."""


@dataclass(frozen=True, slots=True)
class Read:
    """A call that reads a table."""

    step: int
    line: int
    name: str
    given: Mapping[str, Any]
    """Its keyword arguments; UNREAD for one that is not known."""
    file: str
    """The file that it names; empty where that is not known."""
    path: str | None
    """All of the file's path; None where the script works it out."""
    call: tuple[str, frozenset[int]]
    """What it says, and the statements that its arguments were made by."""

    def same(self, other: Read) -> bool:
        """Whether both read one table in one way, if nothing writes it in between."""
        if self.given != other.given or self.path != other.path or self.name != other.name:
            return False
        known = self.path is not None and UNREAD not in self.given.values()
        return known or (self.call == other.call and self.step != other.step)


@dataclass(frozen=True, slots=True)
class Split:
    """A call that splits rows in two."""

    step: int
    call: ast.Call
    of: int
    """The part that it splits."""
    fit: int
    held: int
    given: tuple[ast.expr, ...]
    stratify: Value | None


@dataclass(frozen=True, slots=True)
class Fit:
    """A call of fit on rows of the table."""

    step: int
    call: ast.Call
    estimator: Value
    given: tuple[Value, ...]
    keywords: Mapping[str, Value]
    looped: bool
    conditional: bool
    names: Mapping[str, Value]
    """What variables hold when it is called."""


@dataclass
class Info:
    """What became of one statement."""

    role: Role = "constant"
    sources: frozenset[str] = frozenset()
    """Columns of the file that it uses, apart from those that it only hands on or drops."""
    part: int = 0
    filters: bool = False
    """Whether it leaves rows out."""
    names: tuple[str, ...] = ()
    """Variables that it gives a value."""
    literals: dict[str, Any] = field(default_factory=dict)
    """Names of columns that it works out from the table's header: what they are."""
    column: str | None = None
    """The one column of the file that it makes a column of its own from, without a table."""
    target: str | None = None
    """The column that it writes."""


def of_column(table: Value, column: Col) -> Value:
    """A column of a table, as a value of its own."""
    return Value(
        kind="column",
        deps=table.deps | column.deps,
        faults=tuple(dict.fromkeys((*table.faults, *column.faults))),
        sources=column.sources,
        encoding=column.encoding,
        part=table.part,
        train=table.train,
        raw=column.raw,
        category=column.kind == "category",
        literal=NO_VALUE,
        sort=column.kind,
    )


_NUMERIC: Final = frozenset({"integer", "number", "amount", "boolean"})


def kind_of(value: Value) -> str:
    """The kind of a column; empty where it is not known."""
    if value.kind == "column":
        return value.sort
    number = isinstance(value.literal, int | float) and not isinstance(value.literal, bool)
    return "amount" if value.kind == "constant" and number else ""


def sum_kind(values: Sequence[Value]) -> str:
    """The kind of a sum or product: numbers where all are numbers."""
    return "amount" if all(kind_of(each) in _NUMERIC for each in values) else ""
