"""Writes all of it, and accounts for every statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.scaffold import dropped, rows
from auditor.case.scaffold.prepared.building import Building
from auditor.case.scaffold.prepared.models import (
    model_name,
)
from auditor.case.scaffold.prepared.state import PREPARED
from auditor.case.scaffold.steps import Line, source_line
from auditor.case.scaffold.syntax import callee
from auditor.settings.values import show

_EXITS: Final = frozenset({"exit", "quit", "_exit", "abort"})
SPLITTER: Final = "from sklearn.model_selection import train_test_split"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What became of a script."""

    inputs: tuple[str, ...] | None
    """Columns that the procedure gets, in their order; None for all without a role."""
    prepare: str | None
    """The text of prepare.py; None where none is needed."""
    build: str | None
    """The text of the file that builds the estimator; None where a function of the script does."""
    built: tuple[int, ...]
    """The lines that it was written out of."""
    carried: tuple[Line, ...]
    not_carried: tuple[Line, ...]


class Writer(Building):
    """Accounts for one model of a script."""

    def account(self) -> Account:
        """Account for every statement.

        Raises:
            InputError: If one that cannot be carried over changes what is learned, with each such line and what to do.
        """
        if elsewhere := {each for each in (*self.features.all_faults, *self.labels.all_faults) if each.fault is rows.ELSEWHERE}:
            # What its columns are nobody knows, so that everything else would be found wrong too.
            self._refuse_all(elsewhere)
            raise InputError([self._problem(each) for _, each in sorted(self._refused.items())])
        self._check()
        split = self._split()
        held = self._held()
        prepare = self._prepare()
        fitting = self._fitting(held)
        classes = self._classes()
        build = self._build() if self.builds else None
        if not self.builds:
            self._note_builder()
        inputs = self._inputs(pure=not prepare)
        adjusted = [text for name, text in self.adjusted.items() if inputs is None or name in inputs]
        self._check_dropped(prepared=bool(prepare))
        if self._refused:
            raise InputError([self._problem(each) for _, each in sorted(self._refused.items())])
        needed = prepare or adjusted or split or fitting or classes
        constants = self._constants([*prepare, *split, *fitting]) if needed else []
        not_carried = self._not_carried()
        text = self._text(constants, prepare, adjusted, split, fitting, classes, not_carried) if needed else None
        for name, written in ((PREPARED, text), ("build.py", build)):
            if written is not None and (both := dropped.shadowed(written)) is not None:
                raise InputError([Problem(self.file, both, f"another name: {name} has a meaning of its own for it", show(both))])
        if build is not None and text is None:
            build = _with_block(build, not_carried, self.file)
        return Account(
            inputs=inputs,
            prepare=text,
            build=build,
            built=self._built,
            carried=tuple(self._carried()),
            not_carried=tuple(not_carried),
        )

    def _inputs(self, *, pure: bool) -> tuple[str, ...] | None:
        columns = self.features.columns
        if columns is None:
            return None
        roles = {self.id, self.label, self.person}
        if pure:
            chosen = [next(iter(col.sources)) for col in columns.values() if len(col.sources) == 1]
            found = tuple(dict.fromkeys(each for each in chosen if each not in roles))
        else:
            used = self.features.all_sources
            found = tuple(name for name in self.columns if name in used and name not in roles)
        everything = tuple(name for name in self.columns if name not in roles)
        return None if found == everything or not found else found

    def _text(
        self,
        constants: Sequence[str],
        prepare: Sequence[str],
        adjusted: Sequence[str],
        split: Sequence[str],
        fitting: Sequence[str],
        classes: Mapping[int | str, Any],
        not_carried: Sequence[Line],
    ) -> str:
        """prepare.py."""
        body = [*(["import pandas as pd", ""] if any("pd." in each for each in adjusted) else [])]
        body += [f"LABEL = {self.label!r}"]
        if classes:
            body += [f"CLASSES = {dict(classes)!r}", '"""What each label of the table is to the estimator."""']
        constants = [each for each in constants if each != SPLITTER]
        parts = list[str]()
        if prepare or adjusted:
            inner = list(prepare)
            if not prepare:
                inner = ["features = table.copy()"]
            copied = ["table = table.copy()", *adjusted] if adjusted else []
            end = [
                "if LABEL in table.columns:",
                "    features = features.assign(**{LABEL: table.loc[features.index, LABEL]})",
                "return features",
            ]
            parts += _function(
                "prepare(table)", "Prepare rows as the script does; rows are left out in training alone.", [*copied, *inner, *end]
            )
        if split:
            seeded = any("random_state=seed" in each for each in split)
            lines = [SPLITTER, "", *split]
            parts += _function(
                f"split(table{', seed' if seeded else ''})", "Give the rows to fit on, and the rows held out.", lines
            )
        if fitting:
            parts += _function("fit(estimator, features, labels, held_features, held_labels)", "Fit as the script does.", fitting)
        head = _head(
            f"What {self.file} does with its table before fit, for auditor: each training runs it on its own rows.", not_carried
        )
        futures = [each for each in constants if each.startswith("from __future__")]
        rest = [each for each in constants if each not in futures]
        return "\n".join([*head, "", *futures, *rest, *([""] if rest else []), *body, *parts]) + "\n"

    def _lines_between(self) -> Iterator[int]:
        first = min((each.step for each in self.flow.reads), default=0)
        yield from range(first, self.fit.step + 1)

    def _carried(self) -> Iterator[Line]:
        for at in self._lines_between():
            step = self.flow.steps[at]
            if at == self.fit.step:
                fitting = bool([each for each in self.fit.keywords if each not in {"X", "y"}])
                yield Line(step.line, source_line(self.text, step.line), PREPARED if fitting else "the training itself")
            elif (said := self._said.get(at)) is not None:
                yield Line(step.line, source_line(self.text, step.line), said)

    def _not_carried(self) -> list[Line]:
        found: dict[tuple[int, str], Line] = {}
        for at in self._lines_between():
            step = self.flow.steps[at]
            defines = isinstance(step.node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Pass)
            if at == self.fit.step or at in self._said or defines or _is_text(step.node):
                continue
            line = Line(step.line, source_line(self.text, step.line), self._why_not(at))
            found[line.line, line.source] = line
        notes = {(each.line, each.source): replace(each, why=f"{each.why}: {each.do}") for each in self._notes}
        if self.features.array:
            at_fit = self.flow.steps[self.fit.step].line
            source = source_line(self.text, at_fit)
            notes[at_fit, source] = Line(
                at_fit, source, "features go to fit as a table: the same numbers, with the names of their columns"
            )
        return sorted([*found.values(), *notes.values()], key=lambda each: each.line)

    def _why_not(self, at: int) -> str:
        info = self.flow.infos[at]
        if info.role == "fit":
            mine = any(
                each.step == at and model_name(each, self.flow) == model_name(self.fit, self.flow) for each in self.flow.fits
            )
            return "fitted again later, from the start" if mine else "another model than the one that is audited"
        if info.role == "read" and not self.flow.reads_again(at):
            return "another table, which nothing that fit gets is made from"
        if _may_stop(self.flow.steps[at].node):
            return "a check that may stop the script; it is not carried over, so that training goes on whatever it finds"
        return "nothing that fit gets depends on it"


def _function(head: str, says: str, lines: Sequence[str]) -> list[str]:
    return ["", "", f"def {head}:", f'    """{says}"""', *(f"    {each}" if each else "" for each in lines)]


def _head(says: str, not_carried: Sequence[Line]) -> list[str]:
    """The docstring of a written file: what it is, and what is not carried over."""
    lines = [f"{str(each).replace(chr(92), '/').replace(chr(34), chr(39))}" for each in not_carried]
    listed = ["", "Not carried over:", *(f"  {each}" for each in lines)] if lines else ["", "Every statement is carried over."]
    return [f'"""{says}', *listed, '"""']


def _with_block(build: str, not_carried: Sequence[Line], file: str) -> str:
    first = build.partition("\n")[2]
    return "\n".join(_head(f"The estimator of {file}, as auditor builds it.", not_carried)) + "\n" + first


def _may_stop(node: ast.AST) -> bool:
    """Whether a statement may end the script where it stands: by raising, asserting or exiting, but in no function of its own."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return False
    if isinstance(node, ast.Raise | ast.Assert) or callee(node) in _EXITS:
        return True
    return any(map(_may_stop, ast.iter_child_nodes(node)))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
