"""Takes a script apart: which call reads the table, which model is fitted on it, and what becomes of every line between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.files import Source
from auditor.case.scaffold import as_read, prepared, rows, steps, tables
from auditor.case.scaffold.as_read import Reading
from auditor.case.scaffold.code import Code, Script
from auditor.case.scaffold.dataflow import Col, Fit, Flow
from auditor.case.scaffold.prepared import Account, Writer
from auditor.case.scaffold.steps import Step, TooLargeError
from auditor.case.scaffold.tables import Table
from auditor.settings.values import show

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
    _chosen: int = 0
    _columns: Mapping[str, Col] = field(default_factory=dict)
    _table: Table | None = None

    def read(self, source: Source) -> tuple[Table, tuple[str, ...]]:
        """Read the table as the script does, and follow it to the model; what had to be written otherwise.

        Raises:
            InputError: If it cannot be read so, or no one model is fitted on it.
        """
        first = self._flow(Flow(self.steps, {}))
        if first.reads:
            named = [at for at, each in enumerate(first.reads) if PurePath(each.file.replace("\\", "/")).name == source.name]
            self._chosen = named[0] if named else 0
            self.reading = as_read.of_call(first.reads[self._chosen])
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
        return table, changed

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
        if self.fit is None or self.script.name is not None:
            return self.script.code() if self.fit is None or self.script.defines(self.script.name or "") else None
        made = self.fit.estimator.made
        return (
            self.script.code(made)
            if self.script.defines(made)
            and self.fit.estimator.call is not None
            and not (self.fit.estimator.call.args or self.fit.estimator.call.keywords)
            else None
        )

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
                    raise InputError([Problem(file, f"line {refused.line}", refused.do, f"{refused.source}: {refused.why}")])
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
        return None if self.fit is None else prepared.last_step(self.fit)


def follow(script: Script) -> Followed:
    """Lay out a script.

    Raises:
        InputError: If it is too large, or nested too deep.
    """
    try:
        return Followed(script, steps.steps(script.tree))
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


def named_file(path: Path | None) -> bool:
    """Whether a model file is of a format that holds one step of a pipeline."""
    return path is not None and path.suffix.lower() in {".txt", ".json", ".ubj"}
