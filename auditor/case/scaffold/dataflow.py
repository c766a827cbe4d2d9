"""Follows a script's table from the call that reads it to `fit`, over the syntax tree; nothing of the script is run.

Every expression gets a `Value`: what it is (a table, a column, a constant), which statements it was made by, which columns
of the file it says something of, and why it could not be carried over, if so. What is not known to work on each row by itself
carries a `Fault`, which counts only where it reaches what `fit` gets.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from auditor.case.scaffold import constants, encodings, rows
from auditor.case.scaffold.constants import UnknownError
from auditor.case.scaffold.encodings import Encoding
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import READS, Step, TooLargeError
from auditor.case.scaffold.syntax import last_word, words

Role = Literal["constant", "read", "prepare", "filter", "split", "train", "fit", "other"]
"""What a statement does: makes constants, reads, works on each row, leaves rows out, splits, draws training rows, fits."""
_NO_VALUE: Final = object()
_DEEPEST: Final = 120
_MOST_VALUES: Final = 300_000
_DEEPEST_CALL: Final = 60
_MOST_TURNS: Final = 500
_OUTSIDE: Final = (
    *("sys.argv", "os.environ", "builtins.input", "os.getenv", "argparse", "typer", "click", "fire", "hydra"),
    *("os.listdir", "os.scandir", "os.walk", "os.stat", "os.getcwd", "os.getlogin", "os.getpid", "os.uname", "os.access"),
    *("os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.getsize", "os.path.getmtime", "os.path.expand"),
    *("glob.", "linecache", "fileinput", "platform", "socket", "getpass", "uuid", "tempfile", "secrets", "sys.flags"),
)
"""What says where and how a script runs, and what lies around it."""
_OF_FILES: Final = words("exists is_file is_dir iterdir glob rglob stat cwd home read_bytes owner samefile expanduser")
"""Methods of paths that do the same."""
_READERS: Final = words("pandas sklearn seaborn")
"""Packages whose functions read a table as it is."""
_CLOCK: Final = words("now today utcnow time time_ns perf_counter")
_OF_PROCESS: Final = ("builtins.hash", "builtins.id")
"""What gives another number in every process: of text by the seed of its hashes, of an object by where it lies."""
_INPLACE: Final = words(
    "fillna drop dropna rename replace clip mask where reset_index set_index sort_values drop_duplicates eval query"
)


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
    literal: Any = _NO_VALUE
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


class Flow:
    """Goes through a script once.

    Args:
        steps: Its statements in their order.
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

    # -- statements ---------------------------------------------------------------------------------------------------------

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
                whole = ast.copy_location(ast.BinOp(_loaded(node.target), node.op, node.value), node)
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
        if value.kind == "schema" and value.literal is not _NO_VALUE:
            info.literals[name] = value.literal
            deps = frozenset({self._at})  # it is written as it is, whatever it was made from
        self.names[name] = Cell(replace(value, deps=deps))
        self._settle(value)

    def _leaves_out(self, node: ast.expr, used: frozenset[str]) -> None:
        """Note that an expression leaves rows out, by what columns of the file say."""
        self._filters += 1
        self._used |= used
        self.filters.add(place(node))

    def _settle(self, value: Value) -> None:
        """Note what this statement does, by what it gives."""
        if value.train and value.of_rows:
            self._role = "train"
        elif value.of_rows and self._role == "constant":
            self._role = "filter" if self._filters else "prepare"
            self.infos[self._at].part = value.part

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
                    table, deps=table.deps | found.deps | {self._at}, literal=_NO_VALUE, faults=(*table.faults, *found.all_faults)
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
            if not _is_all(chosen):
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
                given = found if inner is None else _of_column(found, inner)
            before = columns.get(name)
            used = [
                each for each in (mask, _of_column(table, before) if mask is not None and before is not None else None) if each
            ]
            faults = [*given.all_faults, *(each for value in used for each in value.all_faults)]
            if given.of_rows and given.part != table.part:
                faults += self._faulty((), rows.UNKNOWN)
            kind = "category" if given.category else _kind_of(given)
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

    def _dropped(self, table: Value, names: Sequence[str] | None) -> Value:
        if names is None or table.columns is None:
            return replace(
                table, columns=None, faults=self._faulty(table.all_faults, rows.UNKNOWN), deps=table.all_deps | {self._at}
            )
        kept = {name: col for name, col in table.columns.items() if name not in names}
        lacking = self._table and any(each not in table.columns for each in names)
        return replace(
            table,
            columns=kept,
            deps=table.deps | {self._at},
            faults=self._faulty(table.faults, rows.ABSENT) if lacking else table.faults,
        )

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
            if isinstance(node.func.value, ast.Name) and cell.value.kind == "schema" and literal is not _NO_VALUE:
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
        if len(arguments) == 1 and isinstance(literal, list) and arguments[0].literal is not _NO_VALUE:
            given = arguments[0].literal
            if method == "append":
                return [*literal, given]
            if method == "extend" and isinstance(given, list | tuple):
                return [*literal, *given]
            if method == "remove" and given in literal:
                return [each for at, each in enumerate(literal) if at != literal.index(given)]
        return _NO_VALUE

    def _for(self, node: ast.For) -> None:
        over = self.value(node.iter)
        turns = over.literal
        if isinstance(turns, list | tuple | dict) and len(turns) <= _MOST_TURNS and not node.orelse and not _jumps(node):
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
        for body in _bodies(node):
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
            cell.value = replace(value, deps=deps, literal=_NO_VALUE, faults=self._faulty(value.faults, fault), encoding=None)

    # -- expressions --------------------------------------------------------------------------------------------------------

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
        if found.kind in {"constant", "schema"} and found.literal is _NO_VALUE and not found.path and not found.function:
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
                    sort=_sum_kind(values),
                )
            case ast.UnaryOp():
                found = self.value(node.operand)
                if found.kind in {"column", "table"}:
                    change = operator.not_ if isinstance(node.op, ast.Invert | ast.Not) else operator.neg
                    return replace(found, encoding=encodings.applied(found.encoding, change), raw=False)
                return replace(found, literal=_NO_VALUE)
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

    def _deps_of_body(self, node: ast.AST) -> frozenset[int]:
        """Statements that made what a function uses from around it."""
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
        return frozenset().union(*(self.names[name].value.deps for name in used if name in self.names))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
        held = {name: self.names.get(name) for each in node.generators for name in _targets(each.target)}
        over = [self.value(each.iter) for each in node.generators]
        for each, given in zip(node.generators, over, strict=True):
            for name in _targets(each.target):
                inner = replace(given, kind="constant", columns=None, encoding=None, items=None, literal=_NO_VALUE)
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

    def _encoded_by(self, values: Sequence[Value], kind: ast.AST) -> Encoding | None:
        one, other = values
        if one.encoding is not None and other.literal is not _NO_VALUE and not other.of_rows:
            return encodings.compared(one.encoding, kind, other.literal)
        if other.encoding is not None and one.literal is not _NO_VALUE and isinstance(kind, ast.Eq | ast.NotEq):
            return encodings.compared(other.encoding, kind, one.literal)
        return None

    def _attribute(self, node: ast.Attribute) -> Value:  # noqa: C901, PLR0911, PLR0912 - one line an attribute
        held, name = self.value(node.value), node.attr
        if held.path:
            path = f"{held.path}.{name}"
            faults = self._faulty(held.faults, rows.OUTSIDE) if path.startswith(_OUTSIDE) else held.faults
            return Value(path=path, deps=held.deps, faults=faults)
        if held.kind == "table":
            if held.columns is not None and name in held.columns:
                return _of_column(held, held.columns[name])
            if name in {"columns", "dtypes"}:
                return Value(kind="schema", deps=held.all_deps, literal=_NO_VALUE if held.columns is None else [*held.columns])
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
            return replace(held, faults=self._faulty(held.faults, rows.MODEL), literal=_NO_VALUE)
        return replace(held, literal=_NO_VALUE, function=None, made="", call=None)

    def _statistic(self, held: Value, fault: Fault) -> Value:
        """A figure of all rows: a constant that cannot be carried over, but in training alone where it is of labels."""
        return Value(deps=held.all_deps, faults=self._faulty(held.all_faults, fault))

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
                    return absent if missing else _of_column(held, held.columns[names[0]])
                if missing:
                    return replace(held, columns=None, faults=self._faulty((), rows.ABSENT))
                extra = self.value(node.slice).deps
                return replace(held, columns={each: held.columns[each] for each in names}, deps=held.deps | extra, raw=False)
            mask = self.value(node.slice)
            if mask.of_rows and mask.kind == "column":
                return self._filtered(held, mask, node)
            return replace(
                held,
                columns=None,
                faults=self._faulty((*held.all_faults, *mask.faults), rows.UNKNOWN),
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
        if not _is_all(chosen):
            mask = self.value(chosen)
            if accessor == "loc" and mask.of_rows and mask.kind == "column":
                found = self._filtered(held, mask, node)
            else:
                fault = rows.FOLDS if any(each.fault is rows.FOLDS for each in mask.all_faults) else rows.POSITION
                found = replace(held, faults=self._faulty((*held.faults, *mask.all_faults), fault), deps=held.deps | mask.deps)
        if names is None or _is_all(names):
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
                    return _of_column(found, (found.columns or {})[everything[at]])
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

    def _names_of(self, key: ast.expr) -> list[str] | None:
        """The columns that a key names; None where it does not, or nobody knows."""
        found = self._literal(key)
        if isinstance(found, str):
            return [found]
        if isinstance(found, list | tuple | frozenset) and all(isinstance(each, str) for each in found):
            return [*found]
        return None

    # -- constants ----------------------------------------------------------------------------------------------------------

    def _literal(self, node: ast.expr) -> Any:
        try:
            return self._constant(node)
        except UnknownError:
            return _NO_VALUE

    def _constant(self, node: ast.expr) -> Any:
        return constants.value(node, self._looked_up)

    def _looked_up(self, node: ast.expr) -> Any:
        """Names, and what the header of a table tells."""
        match node:
            case ast.Name() if node.id in self.names:
                found = self.names[node.id].value
                if found.kind == "table" and found.columns is not None:
                    return [*found.columns]  # what a loop over a table goes through
                if found.literal is not _NO_VALUE:
                    return found.literal
            case ast.Attribute(attr="columns"):
                table = self.value(node.value)
                if table.kind == "table" and table.columns is not None:
                    return [*table.columns]
            case ast.Attribute(attr="dtype") | ast.Call(func=ast.Attribute(attr="is_numeric_dtype")):
                column = self.value(node.value if isinstance(node, ast.Attribute) else node.args[0])
                kind = _kind_of(column)
                if kind:
                    return kind not in {"text", "category", "time"} if isinstance(node, ast.Call) else _Dtype(kind)
            case ast.Attribute() | ast.Name():
                if path := self._path(node):
                    return _Named(path)
            case _:
                pass
        raise UnknownError

    def _path(self, node: ast.expr) -> str:
        """The dotted name of something imported; empty for anything else."""
        if isinstance(node, ast.Name):
            return self.names[node.id].value.path if node.id in self.names else f"builtins.{node.id}"
        held = self._path(node.value) if isinstance(node, ast.Attribute) else ""
        return f"{held}.{node.attr}" if held and isinstance(node, ast.Attribute) else ""

    # -- calls --------------------------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute):
            held = self.value(node.func.value)
            if not held.path or held.made:
                return self._method(node, held, node.func.attr)
        function = self.value(node.func)
        if function.function is not None:
            return self._own_function(node, function)
        return self._library(node, function)

    def _arguments(self, node: ast.Call) -> list[Value]:
        return [self.value(each) for each in (*node.args, *(each.value for each in node.keywords))]

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
        parameters = _parameters(body)
        if parameters is None or len(given) > len(parameters):
            return self._foreign(node, given, function)
        names = dict(self.names)
        bound = dict(zip(parameters, [self._cell(each) or Cell(self.value(each)) for each in node.args], strict=False))
        bound |= {each.arg: self._cell(each.value) or Cell(self.value(each.value)) for each in node.keywords if each.arg}
        defaults = _defaults(body)
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

    def _library(self, node: ast.Call, function: Value) -> Value:  # noqa: C901, PLR0911, PLR0912 - a case for each kind of call
        path, name = function.path, last_word(node)
        if READS.fullmatch(name) and not path.startswith(("builtins.", "__main__.")):
            return self._read(node, elsewhere=path.partition(".")[0] not in _READERS)
        given = self._arguments(node)
        if name == "train_test_split":
            return self._split(node)
        if path.startswith(_OUTSIDE):
            return Value(deps=function.deps, faults=self._faulty((), rows.OUTSIDE))
        if self._opens(node, path):
            deps = frozenset().union(function.deps, *(each.all_deps for each in given))
            return Value(deps=deps, made=name, call=node, faults=self._faulty((), rows.SETTINGS))
        if name in _CLOCK and path.startswith(("datetime", "time", "pandas.Timestamp", "pandas.to_datetime")) and not node.args:
            return Value(deps=function.deps, faults=self._faulty((), rows.CLOCK))
        if path in _OF_PROCESS or any(each.path in _OF_PROCESS for each in given):
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
            return replace(found, deps=found.deps | function.deps, made=name, call=node, path="", literal=_NO_VALUE)
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
            name == "cut" and not isinstance(self._literal(_argument(node, 1, "bins") or node), list)
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
            mode = _argument(node, 1, "mode")
            how = "r" if mode is None else self._literal(mode)
            return not (isinstance(how, str) and set(how) & set("wax"))
        root, _, name = path.partition(".")
        return root in rows.STORES and name.rpartition(".")[2] in rows.LOADS

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

    def _disturb(self, node: ast.Call, fault: Fault) -> None:
        for each in (*node.args, *(keyword.value for keyword in node.keywords)):
            cell = self._cell(each)
            if cell is not None and cell.value.of_rows:
                cell.value = replace(cell.value, faults=self._faulty(cell.value.faults, fault), deps=cell.value.deps | {self._at})

    def _read(self, node: ast.Call, *, elsewhere: bool) -> Value:
        given: dict[str, Any] = {}
        for each in () if elsewhere else node.keywords:
            value = self.value(each.value)
            given[each.arg or "**"] = value.literal if value.literal is not _NO_VALUE else value.path or UNREAD
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
        axis = self._literal(_argument(node, 1, "axis") or ast.Constant(0))
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
                kind="category" if each.category else _kind_of(each),
                sources=each.all_sources,
                deps=each.all_deps | {self._at},
                faults=each.all_faults,
                encoding=each.encoding,
                raw=False,
            )
            for name, each in zip(names, given, strict=True)
        }
        return replace(found, kind="table", columns=columns, deps=found.deps | {self._at}, faults=(), sources=frozenset())

    def _elementwise(self, name: str, given: Sequence[Value], found: Value) -> Value:
        encoding = None
        if name == "where" and len(given) == 3 and all(each.literal is not _NO_VALUE for each in given[1:]):
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
            "" if name in {"array", "asarray", "select", "cut"} else _sum_kind(given[1:] if name == "where" else given)
        )
        return replace(found, encoding=encoding, raw=raw, array=name in {"array", "asarray"}, sort=sort)

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
            return _sum_kind([held, *given]) or (held.sort if held.sort == "text" and name == "fillna" else "")
        return held.sort if name in {"copy", "dropna", "squeeze", "reset_index"} else ""

    def _elements(self, function: ast.FunctionDef | ast.Lambda, held: Value) -> Value:
        """What a function makes of one element or row at a time."""
        parameters = _parameters(function) or []
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
            *(_parameters(function) or ()),
            *(each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)),
        }
        outer = [self.names[name].value for name in sorted(used - own) if name in self.names]
        faults = [each for value in outer for each in value.all_faults]
        if any(each.of_rows for each in outer) or any(isinstance(each, ast.Global | ast.Nonlocal) for each in ast.walk(function)):
            faults += self._faulty((), rows.STATISTIC)
        for each in ast.walk(function):
            if isinstance(each, ast.Call) and not each.args and last_word(each) in _CLOCK:
                faults += self._faulty((), rows.CLOCK)
            if isinstance(each, ast.Name | ast.Attribute) and isinstance(each, ast.expr):
                path = self.value(each).path if isinstance(each, ast.Name) or not _uses(each, own) else ""
                if path.startswith(("random.", "numpy.random")):
                    faults += self._faulty((), rows.RANDOM)
                if path in _OF_PROCESS:
                    faults += self._faulty((), rows.PROCESS)
        return Value(deps=frozenset().union(*(each.all_deps for each in outer)), faults=tuple(dict.fromkeys(faults)))

    def _method_of_column(self, node: ast.Call, found: Value, name: str, given: Sequence[Value], held: Value) -> Value:  # noqa: PLR0911, C901
        if any(each.path in _OF_PROCESS for each in given):
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
        if name in encodings.BY_METHOD and first.literal is not _NO_VALUE:
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
        if name == "replace" and len(given) == 2 and all(each.literal is not _NO_VALUE for each in given):
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

    def _method_of_table(self, node: ast.Call, found: Value, name: str, given: Sequence[Value]) -> Value:  # noqa: PLR0911, PLR0912, C901
        columns = found.columns
        axis = self._literal(_argument(node, 99, "axis") or ast.Constant(None))
        if name == "drop":
            return self._drop(node, found)
        if name == "pop":
            names = self._names_of(node.args[0]) if node.args else None
            popped = None if columns is None or not names or names[0] not in columns else _of_column(found, columns[names[0]])
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
                    ast.copy_location(ast.Call(node.args[0], [_receiver(node), *node.args[1:]], node.keywords), node), given[0]
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
        if name == "sample" and self._literal(_argument(node, 1, "frac") or ast.Constant(None)) == 1:
            return replace(found, train=True, faults=self._faulty(found.faults, rows.DRAWN))
        if name == "get" and node.args:
            return self._item(ast.copy_location(ast.Subscript(_receiver(node), node.args[0], ast.Load()), node))
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
        if name == "drop_duplicates" and (names := self._literal(_argument(node, 0, "subset") or ast.Constant(None))) is None:
            distinct = columns is not None and any(each.raw and key in self._apart for key, each in columns.items())
            if distinct and names is None:
                return found  # no two rows are alike: their ids differ
        return self._across(node, found, name)

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

    def _drop(self, node: ast.Call, found: Value) -> Value:
        key = next((each.value for each in node.keywords if each.arg == "columns"), None)
        axis = self._literal(_argument(node, 1, "axis") or ast.Constant(0))
        if key is None and axis in {1, "columns"}:
            key = _argument(node, 0, "labels")
        if key is None:
            return replace(found, faults=self._faulty(found.faults, rows.POSITION))
        return self._dropped(found, self._names_of(key))

    def _rename(self, node: ast.Call, found: Value) -> Value:
        names = self._literal(_argument(node, 99, "columns") or ast.Constant(None))
        key = _argument(node, 99, "columns")
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
                parameters = _parameters(each.value) or [""]
                self.names = {**names, parameters[0]: Cell(found)}
                given = self.value(each.value.body)
                given = replace(given, deps=given.deps | self._deps_of_body(each.value))
                self.names = names
            else:
                given = self.value(each.value)
                if given.function is not None:
                    given = self._own_function(ast.copy_location(ast.Call(each.value, [_receiver(node)], []), node), given)
            if each.arg is None or found.columns is None:
                return replace(
                    found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps | given.all_deps
                )
            made = Col(
                kind="category" if given.category else _kind_of(given),
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

    def _left_out(self, node: ast.Call, found: Value, name: str) -> Value:
        """`dropna`, `query`."""
        columns = found.columns or {}
        if name == "dropna":
            axis = self._literal(_argument(node, 0, "axis") or ast.Constant(0))
            if axis not in {0, "index", "rows"}:
                return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.STATISTIC), deps=found.all_deps)
            subset = _argument(node, 99, "subset")
            names = (
                self._names_of(subset)
                if subset is not None
                else [each for each, col in columns.items() if not col.raw or col.missing]
            )
        else:
            names = _in_query(self._literal(node.args[0]) if node.args else None, columns)
        if names is None or found.columns is None or any(each not in columns for each in names):
            return replace(found, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps)
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
        given = _argument(node, at, key)
        if given is None:
            return frozenset()
        each = given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
        found: set[str] = set()
        for one in each:
            value = self.value(one)
            name = value.literal if isinstance(value.literal, str) else value.path.rpartition(".")[2]
            kinds = _KINDS.get(name)
            if kinds is None:
                return None
            found |= kinds
        return frozenset(found)

    def _by_name(self, node: ast.Call, found: Value) -> Value:
        items, like = (self._literal(_argument(node, at, key) or ast.Constant(None)) for at, key in ((0, "items"), (1, "like")))
        columns = found.columns or {}
        if isinstance(items, list):
            return replace(found, columns={name: columns[name] for name in items if name in columns})
        if isinstance(like, str):
            return replace(found, columns={name: each for name, each in columns.items() if like in name})
        return replace(found, columns=None, faults=self._faulty(found.all_faults, rows.UNKNOWN), deps=found.all_deps)

    def _indexed(self, node: ast.Call, found: Value, name: str) -> Value:
        if name == "reset_index":
            dropped = self._literal(_argument(node, 99, "drop") or ast.Constant(False))
            return found if dropped is True else replace(found, faults=self._faulty(found.faults, rows.POSITION))
        names = self._names_of(node.args[0]) if node.args else None
        return self._dropped(found, names)

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
            self.names = {**names, **{each: Cell(column) for each in (_parameters(given[0].function) or [])[:1]}}
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

    def _method_of_constant(self, node: ast.Call, held: Value, name: str) -> Value:  # noqa: PLR0911 - one line a method
        given = self._arguments(node)
        found = self._together(given)
        deps = held.deps | found.deps
        faults = tuple(dict.fromkeys((*held.faults, *found.all_faults)))
        of_rows = [each for each in given if each.of_rows]
        if held.made in {"Path", "PosixPath"} and name in _OF_FILES:
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
        after = replace(held, fitted=True, deps=held.deps | {self._at}, literal=_NO_VALUE)
        cell = self._cell(node.func.value) if isinstance(node.func, ast.Attribute) else None
        if cell is not None:
            cell.value = after
        return after

    # -- helpers ------------------------------------------------------------------------------------------------------------

    def _held(self) -> dict[str, Value]:
        """What every variable holds now."""
        return {name: cell.value for name, cell in self.names.items()}

    def _cell(self, node: ast.expr) -> Cell | None:
        return self.names.get(node.id) if isinstance(node, ast.Name) else None

    def _faulty(self, faults: Iterable[Found], fault: Fault) -> tuple[Found, ...]:
        return tuple(dict.fromkeys((*faults, Found(self._line, fault))))


class _Dtype(str):
    """The type of a column, which is compared with pandas' names of types."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        name = other.path.rpartition(".")[2] if isinstance(other, _Named) else other
        kinds = _KINDS.get(name) if isinstance(name, str) else None
        if kinds is None:
            raise UnknownError
        return str(self) in kinds

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return super().__hash__()


@dataclass(frozen=True, slots=True)
class _Named:
    """Something imported, as a constant."""

    path: str


_NUMERIC: Final = frozenset({"integer", "number", "amount", "boolean"})
_KINDS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("number", "np.number"), frozenset({"integer", "number", "amount"})),
    **dict.fromkeys(("int64", "int", "int32", "integer"), frozenset({"integer"})),
    **dict.fromkeys(("float64", "float", "float32", "floating"), frozenset({"number"})),
    **dict.fromkeys(("object", "O", "str", "string", "object_"), frozenset({"text"})),
    **dict.fromkeys(("bool", "boolean", "bool_"), frozenset({"boolean"})),
    "category": frozenset({"category"}),
    **dict.fromkeys(("datetime", "datetime64", "datetime64[ns]"), frozenset({"time"})),
}


def _of_column(table: Value, column: Col) -> Value:
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
        literal=_NO_VALUE,
        sort=column.kind,
    )


def _kind_of(value: Value) -> str:
    """The kind of a column; empty where it is not known."""
    if value.kind == "column":
        return value.sort
    number = isinstance(value.literal, int | float) and not isinstance(value.literal, bool)
    return "amount" if value.kind == "constant" and number else ""


def _sum_kind(values: Sequence[Value]) -> str:
    """The kind of a sum or product: numbers where all are numbers."""
    return "amount" if all(_kind_of(each) in _NUMERIC for each in values) else ""


def _loaded(node: ast.expr) -> ast.expr:
    copied: ast.expr = ast.parse(ast.unparse(node), mode="eval").body
    return ast.copy_location(copied, node)


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and node.lower is None and node.upper is None and node.step is None


def _jumps(node: ast.For) -> bool:
    return any(isinstance(each, ast.Break | ast.Continue | ast.Return) for each in ast.walk(node))


def _bodies(node: ast.stmt) -> list[list[ast.stmt]]:
    found = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
    found += [each.body for each in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
    return [each for each in found if each]


def _targets(node: ast.expr) -> list[str]:
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]


def _parameters(function: ast.FunctionDef | ast.Lambda) -> list[str] | None:
    given = function.args
    return None if given.vararg or given.kwarg else [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _defaults(function: ast.FunctionDef | ast.Lambda) -> dict[str, ast.expr]:
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    found = dict(zip([each.arg for each in positional[len(positional) - len(given.defaults) :]], given.defaults, strict=True))
    return found | {each.arg: value for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None}


def _argument(node: ast.Call, at: int, name: str) -> ast.expr | None:
    named = next((each.value for each in node.keywords if each.arg == name), None)
    return named if named is not None else node.args[at] if at < len(node.args) else None


def _receiver(node: ast.Call) -> ast.expr:
    return node.func.value if isinstance(node.func, ast.Attribute) else node.func


def _uses(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(node))


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
