"""Writes the function that builds the estimator."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from auditor.case.scaffold.code import SEEDED
from auditor.case.scaffold.dataflow import Info
from auditor.case.scaffold.prepared.fitting import Fitting
from auditor.case.scaffold.prepared.rewriting import without_fit
from auditor.case.scaffold.prepared.state import PREPARED
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import Step


class Building(Fitting):
    """Writes the function that builds the estimator."""

    def _build(self) -> str | None:
        """A file with a function build(seed) that gives the estimator, made of the statements that it needs."""
        receiver = self.fit.call.func.value if isinstance(self.fit.call.func, ast.Attribute) else self.fit.call.func
        deps = self._with_definitions(self.fit.estimator.all_deps, [receiver])
        lines: list[str] = []
        for at in sorted(deps):
            info, step = self.flow.infos[at], self.flow.steps[at]
            if info.role == "fit" and (at == self.fit.step or isinstance(step.node, ast.Expr)):
                continue
            if info.role in {"constant", "fit"} or info.literals:
                lines += self._constant(step, info)
            elif info.role != "read":
                do = "an estimator that is made from constants alone: list columns by name, and learn the rest within it"
                self._refuse(step.line, Fault("makes the estimator from the table", do))
            if info.role != "read":
                self._said[at] = "build.py"
        self._built = tuple(
            sorted(
                {
                    self.flow.steps[each].line
                    for each in (*deps, self.fit.step if isinstance(receiver, ast.Call) else min(deps, default=0))
                }
            )
        )
        made = ast.unparse(receiver)
        if not isinstance(receiver, ast.Name):
            lines.append(f"as_made = {made}")
            made = "as_made"
        futures = [each for each in lines if each.startswith("from __future__")]
        head = [f'"""The estimator of {self.file}, as auditor builds it."""', "", *futures]
        return (
            "\n".join([*head, *(each for each in lines if each not in futures)])
            + "\n\nfrom sklearn.base import clone\n"
            + SEEDED.format(made=f"clone({made})")
        )

    def _note_builder(self) -> None:
        """Note that the function that the case calls is what a statement calls."""
        for at in self.fit.estimator.deps:
            node = self.flow.steps[at].node
            if isinstance(node, ast.Assign) and node.value is self.fit.estimator.call:
                self._said[at] = f"audit.toml, as {self.fit.estimator.made}"

    def _constant(self, step: Step, info: Info) -> list[str]:
        """A statement that needs no rows; lists of columns that it works out from the table's header as they are."""
        if info.literals:
            named = {name: each for name, each in info.literals.items() if name}
            others = [name for name in info.names if name not in named]
            if others:
                self._refuse(
                    step.line, Fault("makes lists of columns and more in one statement", "one statement for each list of columns")
                )
            return [f"{name} = {each!r}" for name, each in named.items()]
        return ast.unparse(without_fit(step.node)).splitlines()

    def _with_definitions(self, deps: Iterable[int], nodes: Iterable[ast.AST]) -> set[int]:
        """Statements, and those that define what functions among them use."""
        found, waiting = set(deps), [*nodes, *(self.flow.steps[each].node for each in deps)]
        by_name: dict[str, list[int]] = {}
        for at, info in enumerate(self.flow.infos[: self.fit.step]):
            for name in info.names if info.role == "constant" else ():
                by_name.setdefault(name, []).append(at)
        while waiting:
            for each in ast.walk(waiting.pop()):
                if not isinstance(each, ast.Name) or not isinstance(each.ctx, ast.Load):
                    continue
                defined = [] if (value := self.fit.names.get(each.id)) is None or value.of_rows else by_name.get(each.id, [])
                self._refuse_redefined(each.id, defined)
                waiting += (self.flow.steps[at].node for at in defined if at not in found)
                found.update(defined)
        return found

    def _refuse_redefined(self, name: str, defined: Sequence[int]) -> None:
        """Refuse a constant that has several values in turn: which one a statement had would not be seen any more."""
        assigned = [at for at in defined if isinstance(self.flow.steps[at].node, ast.Assign | ast.AnnAssign | ast.FunctionDef)]
        if len({ast.unparse(self.flow.steps[at].node) for at in assigned}) > 1:
            why = f"gives {name} another value than before"
            self._refuse(self.flow.steps[assigned[-1]].line, Fault(why, "a name of its own for each value"))

    def _constants(self, lines: Sequence[str]) -> list[str]:
        """Imports, constants and functions that the written statements need."""
        tree = ast.parse("\n".join(("def _():", *(f"    {each}" for each in (*lines, "pass")))))
        deps = self._with_definitions((), [tree])
        found: list[str] = []
        for at in sorted(deps):
            info = self.flow.infos[at]
            if info.role == "constant" and at != self.fit.step:
                found += self._constant(self.flow.steps[at], info)
                self._said.setdefault(at, PREPARED)
        known = {each for at in deps for each in self.flow.infos[at].names}
        for at, info in enumerate(self.flow.infos):
            wanted = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} - known
            if info.literals and {*info.literals} & wanted:
                found += self._constant(self.flow.steps[at], info)
                self._said.setdefault(at, PREPARED)
        return found
