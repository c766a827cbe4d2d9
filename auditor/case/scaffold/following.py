"""Takes a script apart: which call reads the table, which model is fitted on it, and what becomes of every line between them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.files import Source
from auditor.case.scaffold import as_read, patches, prepared, rows, steps, tables
from auditor.case.scaffold.as_read import Reading
from auditor.case.scaffold.code import Code, Script
from auditor.case.scaffold.dataflow import Col, Fit, Flow
from auditor.case.scaffold.prepared import Account, Writer
from auditor.case.scaffold.steps import Step, TooLargeError
from auditor.case.scaffold.syntax import callee, calls_in, loads, root
from auditor.case.scaffold.tables import Table
from auditor.settings.values import show

_WRITES: Final = re.compile(
    r"to_(?:csv|parquet|excel|json|pickle|feather|sql|hdf)|open|write\w*|copyfile|copy2|move|system|run|call|dump|save\w*"
)
_CLASS: Final = "within a class, which is not followed", "statements at the top of the file or in functions"
_TOO_LARGE: Final = f"a script of at most {steps.MOST_STEPS} statements that are not nested deeper than a person reads"


@dataclass
class Followed:
    """A script whose statements were laid out, before and after its table is known."""

    script: Script
    steps: list[Step]
    reading: Reading = field(default_factory=Reading)
    fit: Fit | None = None
    """What the script fits on the rows of its table; None where it reads none, or fits nothing."""
    flow: Flow | None = None
    _chosen: frozenset[int] = frozenset({0})
    _columns: Mapping[str, Col] = field(default_factory=dict)
    _table: Table | None = None

    def read(self, source: Source) -> tuple[Table, tuple[str, ...]]:
        """Read the table as the script does, and follow it to the model; what had to be written otherwise.

        Raises:
            InputError: If it cannot be read so, or no one model is fitted on it.
        """
        first = self._flow(Flow(self.steps, {}))
        if first.reads:
            at = self._read_for_fit(first, source.name)
            self._chosen = self._read_alike(first, at)
            self.reading = as_read.of_call(first.reads[at])
        whole, changed = as_read.rewritten(source, self.reading)
        table = self._table = tables.of(whole)
        if first.reads:
            self._columns = as_read.columns(table, self.reading)
            apart = frozenset(name for name in table.columns if table.tells_apart(name))
            self.flow = self._flow(
                Flow(
                    self.steps,
                    self._columns,
                    apart=apart,
                    index=self._index(table),
                    chosen=self._chosen,
                    alongside=self._alongside(),
                )
            )
            self.fit = self._model(self.flow)
            if self.fit is not None and self.reading.problems:
                file = self.script.path.name
                text = steps.source_line(self.script.text.splitlines(), self.reading.line)
                raise InputError(
                    [
                        Problem(file, f"line {self.reading.line}", do, f"{text}: {name}, which the audit would not read so")
                        for name, do in self.reading.problems
                    ]
                )
        if self.fit is None:
            self._refuse_unfollowed()
        return table, changed

    def _refuse_unfollowed(self) -> None:
        """Refuse a script that reads a table and fits a model where nothing shows how the one comes to the other.

        Raises:
            InputError: With the function or class that hides it, and what to do.
        """
        tree, file = self.script.tree, self.script.path.name
        fits = [each for each in calls_in(tree) if callee(each) == "fit" and (each.args or each.keywords)]
        reads = [each for each in calls_in(tree) if steps.READS.fullmatch(callee(each)) and not self.script.defines(callee(each))]
        if not fits or not reads:
            return
        problems = []
        for node in tree.body:
            held = [
                what
                for what, calls in (("reads the table", reads), ("fits", fits))
                if any(each in calls for each in calls_in(node))
            ]
            if not held or not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            why = _CLASS if isinstance(node, ast.ClassDef) else steps.why_not_followed(node)
            if why is None and not any(node.name in loads(other) for other in tree.body):
                why = "which nothing calls", f"{node.name}(…) at the end of the file"
            if why is not None:
                found = f"{steps.source_line(self.script.text.splitlines(), node.lineno)} {' and '.join(held)}, {why[0]}"
                problems.append(Problem(file, f"line {node.lineno}", f"{why[1]}: else nothing shows what fit gets", found))
        if not problems:
            line = fits[-1].lineno
            text = steps.source_line(self.script.text.splitlines(), line)
            expected = "fit(X, y) with what was made of the table at the top of the file or in its functions"
            problems.append(Problem(file, f"line {line}", expected, f"{text}: nothing shows that it comes from the table"))
        raise InputError(problems)

    def _refuse_patches(self) -> None:
        """Refuse a script that changes what its own statements mean.

        Raises:
            InputError: With each such line, in the script or in a module of its own.
        """
        problems = dict[tuple[Path, int, str], Problem]()
        try:
            found_in = sorted(patches.faults(self.script.tree, self.script.path), key=lambda each: each[:2])
        except RecursionError as error:
            raise InputError([Problem(self.script.path.name, "", _TOO_LARGE, "more")]) from error
        for path, line, fault in found_in:
            text = self.script.text if path == self.script.path else path.read_text(encoding="utf-8", errors="replace")
            found = f"{steps.source_line(text.splitlines(), line)}: {fault.why}"
            problems.setdefault((path, line, fault.why), Problem(path.name, f"line {line}", fault.expected, found))
        if problems:
            raise InputError([*problems.values()])

    @staticmethod
    def _read_for_fit(first: Flow, file: str) -> int:
        """Which call reads the table: of those that what fit gets is made from, the first that names the file."""
        deps = frozenset[int]().union(*(value.all_deps for fit in first.fits for value in (*fit.given, *fit.keywords.values())))
        named = [at for at, each in enumerate(first.reads) if PurePath(each.file.replace("\\", "/")).name == file]
        used = [at for at, each in enumerate(first.reads) if each.step in deps]
        return next((at for at in named if at in used), (named or used or [0])[0])

    def _read_alike(self, first: Flow, at: int) -> frozenset[int]:
        """The calls that read the same table again, where nothing may have written it in between."""
        alike = [each for each in first.reads if each is first.reads[at] or each.same(first.reads[at])]
        between = self.steps[min(each.step for each in alike) : max(each.step for each in alike) + 1]
        if any(map(_writes, self._with_definitions([step.node for step in between]))):
            return frozenset({at})
        return frozenset(number for number, each in enumerate(first.reads) if each in alike)

    def _with_definitions(self, nodes: list[ast.stmt]) -> list[ast.stmt]:
        """Statements, and what defines the functions and classes that they use."""
        defined = [step.node for step in self.steps if isinstance(step.node, ast.FunctionDef | ast.ClassDef)]
        found, used = [*nodes], set[str]()
        for node in found:
            used |= loads(node)
            found += (each for each in defined if each.name in used and each not in found)
        return found

    def _flow(self, flow: Flow) -> Flow:
        try:
            return flow.followed()
        except (TooLargeError, RecursionError) as error:
            raise InputError([Problem(self.script.path.name, "", _TOO_LARGE, "more")]) from error

    def _index(self, table: Table) -> str | None:
        index = self.reading.index
        return (
            [*table.columns][index]
            if isinstance(index, int) and 0 <= index < len(table.columns)
            else index
            if isinstance(index, str)
            else None
        )

    def index_column(self) -> str | None:
        """The column that the script makes the index, where it differs in every row."""
        if self._table is None or (name := self._index(self._table)) is None or name not in self._table.columns:
            return None
        return name if self._table.tells_apart(name) else None

    def _alongside(self) -> frozenset[str]:
        folder = self.script.path.resolve().parent
        return frozenset(each.stem for each in folder.glob("*.py")) | frozenset(
            each.parent.name for each in folder.glob("*/__init__.py")
        )

    def _model(self, flow: Flow) -> Fit | None:
        """The model that the case is about.

        Raises:
            InputError: If the script fits several and none is named, or another than the one that is.
        """
        found, name = prepared.models(flow), self.script.name
        if not found:
            return None
        chosen = [each for key, each in found.items() if name is None or name in {key, each.estimator.made}]
        if len(chosen) == 1:
            return chosen[0]
        lines = ", ".join(f"{key} (line {self.steps[each.step].line})" for key, each in found.items())
        expected = f"the one model that the case is about; name it: --from {self.script.path.name}:NAME"
        given = f"{len(found)} that are fitted: {lines}" if name is None else f"{show(name)}, where these are fitted: {lines}"
        raise InputError([Problem(self.script.path.name, "--from", expected, given)])

    def code(self) -> Code | None:
        """The function of the script that builds the model; None where it is to be written out of statements."""
        if self.fit is None:
            return self.script.code()
        # A function that the script gives arguments builds another estimator without them.
        made, call = self.fit.estimator.made, self.fit.estimator.call
        bare = call is not None and not (call.args or call.keywords)
        return self.script.code(made) if bare and self.script.defines(made) else None

    def account(self, *, by_id: str, label: str, person: str | None, task: str, builds: bool) -> Account | None:
        """What becomes of every statement; None where nothing is fitted on a table.

        Args:
            by_id: The column of record ids.
            label: The column of labels.
            person: The column that names people.
            task: classification or regression.
            builds: Whether the estimator is to be written out of statements.

        Raises:
            InputError: If one that cannot be carried over changes what is learned.
        """
        if self.fit is None or self.flow is None or self._table is None:
            return None
        self._refuse_patches()
        file, lines = self.script.path.name, self.script.text.splitlines()
        adjusted: dict[str, str] = {}
        features = self.fit.given[0] if self.fit.given else None
        used = [
            name
            for name in self._columns
            if features is not None and name in features.all_sources and name not in {by_id, label, person}
        ]
        for name in used:
            for statement, refused in as_read.adjustments(self._table, self.reading, self._columns, [name]):
                if refused is not None:
                    raise InputError(
                        [Problem(file, f"line {refused.line}", rows.asked(refused.do), f"{refused.source}: {refused.why}")]
                    )
                adjusted[name] = statement
        writer = Writer(
            flow=self.flow,
            fit=self.fit,
            file=file,
            text=lines,
            id=by_id,
            label=label,
            person=person,
            task=task,
            columns=[*self._table.columns],
            adjusted=adjusted,
            builds=builds,
        )
        return writer.account()

    @property
    def label(self) -> str | None:
        """The column of the file that the model's labels are made from."""
        return None if self.fit is None else prepared.label_of(self.fit)

    @property
    def part(self) -> str | None:
        """The step of the pipeline that a file of its last step holds."""
        return None if self.fit is None else prepared.last_step(self.fit, [each.node for each in self.steps])


def follow(script: Script) -> Followed:
    """Lay out a script.

    Raises:
        InputError: If it is too large, or nested too deep.
    """
    try:
        return Followed(script, steps.steps(steps.renamed_constants(script.tree)))
    except (TooLargeError, RecursionError) as error:
        raise InputError([Problem(script.path.name, "", _TOO_LARGE, "more")]) from error


def refuse_texts(code: Code, script: Script, table: Table, taken: frozenset[str], dropped: tuple[str, ...]) -> None:
    """Refuse columns of text for an estimator that takes numbers alone, where only its function is known.

    Raises:
        InputError: If there are such columns.
    """
    function = code.entry.rpartition(":")[2]
    made = prepared.returned(script.tree, function if script.defines(function) else script.name or "")
    if made not in rows.NUMBERED_ESTIMATORS:
        return
    kinds = as_read.columns(table, Reading())
    texts = [name for name, each in kinds.items() if each.kind == "text" and name not in {*taken, *dropped}]
    if texts:
        listed = ", ".join(texts[:8])
        expected = "an encoder for them in a pipeline, a table without them, or as --from the script that drops them before fit"
        raise InputError([Problem(script.path.name, function, expected, f"{made}, which would be fed {listed}")])


def refuse_files(written: Mapping[str, bytes], script: Script) -> None:
    """Refuse functions that were carried over and read a file, which nobody follows from where they are called.

    Args:
        written: Files that were written out of the script.
        script: The script.

    Raises:
        InputError: With each such line of the script.
    """
    lines = {ast.dump(each): each.lineno for each in calls_in(script.tree)}
    problems = []
    for content in written.values():
        tree = ast.parse(content)
        methods = {id(call) for each in ast.walk(tree) if isinstance(each, ast.ClassDef) for call in calls_in(each)}
        for call in calls_in(tree):
            # A class may be able to read files that nobody has it read.
            named = any(isinstance(each, ast.Constant) for each in call.args)
            if (line := lines.get(ast.dump(call))) is not None and _reads(call) and (named or id(call) not in methods):
                found = f"{steps.source_line(script.text.splitlines(), line)}: {rows.SETTINGS.why}"
                problems.append(Problem(script.path.name, f"line {line}", rows.SETTINGS.expected, found))
    if problems:
        raise InputError(list(dict.fromkeys(problems)))


def _reads(call: ast.Call) -> bool:
    """Whether a call reads a file that is no table."""
    name = callee(call)
    if name == "open":
        modes = [each.value for each in ast.walk(call) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        return not any(re.fullmatch(r"[wax][bt+]*", each) for each in modes)
    return name in {"read_text", "read_bytes"} or (name in rows.LOADS and root(call.func) in rows.STORES)


def _writes(node: ast.stmt) -> bool:
    """Whether a statement may write a file."""
    return any(_WRITES.fullmatch(callee(each)) for each in calls_in(node))


def named_file(path: Path | None) -> bool:
    """Whether a model file is of a format that holds one step of a pipeline."""
    return path is not None and path.suffix.lower() in {".txt", ".json", ".ubj"}
