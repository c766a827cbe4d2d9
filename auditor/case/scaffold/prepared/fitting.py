"""Writes fit(…), and what each label is to the estimator."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from typing import Any

from auditor.case.scaffold import rows
from auditor.case.scaffold.prepared.models import (
    parts_of,
    target_of,
)
from auditor.case.scaffold.prepared.preparing import Preparing
from auditor.case.scaffold.prepared.rewriting import without_arrays
from auditor.case.scaffold.prepared.state import PREPARED
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import Renamed, Step


class Fitting(Preparing):
    """Writes fit(…), and what each label is to the estimator."""

    def _fitting(self, held: int | None) -> list[str]:
        """The body of fit(…); empty where it is estimator.fit(features, labels)."""
        training = [at for at in sorted(self._all_deps()) if self.flow.infos[at].role == "train"]
        keywords = {key: value for key, value in self.fit.keywords.items() if key not in {"X", "y"}}
        if not training and not keywords:
            return []
        names = self._names_of_parts(held)
        done: set[str] = set()
        lines: list[str] = []
        self._twins.clear()
        mine = self.features.all_deps | self.labels.all_deps
        extra = sorted({at for value in keywords.values() for at in value.all_deps} - mine)
        for at in sorted({*training, *extra}):
            info, step = self.flow.infos[at], self.flow.steps[at]
            if info.role in {"constant", "split", "read"} or (info.role in {"prepare", "filter"} and self._same_for_held(at)):
                continue
            if self._is_label(at) and info.role != "train":
                self._said[at] = PREPARED
                continue
            lines += ast.unparse(
                Renamed({name: each for name, each in names.items() if name not in done}).visit(copy.deepcopy(step.node))
            ).splitlines()
            done |= {each.id for each in ast.walk(step.node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            self._said[at] = PREPARED
            self._check_names(step.node, names, done)
        if any(value != self.features.part for each in keywords.values() for value in parts_of(each)):
            for at in sorted(self.features.all_deps - self._twins):
                if self.flow.infos[at].part and self.flow.infos[at].role == "prepare" and not self._is_label(at):
                    self._refuse(self.flow.steps[at].line, rows.AFTER)
        call = copy.deepcopy(self.fit.call)
        given = {each.id for argument in call.args[:1] for each in ast.walk(argument) if isinstance(each, ast.Name)}
        others = {
            each.id
            for keyword in call.keywords
            if keyword.arg == "sample_weight"
            for each in ast.walk(keyword.value)
            if isinstance(each, ast.Name) and names.get(each.id) == "features" and each.id not in {*given, *done}
        }
        if others and given:
            do = "take weights from the very table that fit gets, or assign them to a name before it is changed"
            self._refuse(self.flow.steps[self.fit.step].line, Fault("weighs records by another table than it learns", do))
        self._check_names(ast.Expr(call), names, done)
        assert isinstance(call.func, ast.Attribute)  # noqa: S101 - what trains by a function was refused
        call.func.value = ast.Name("estimator", ast.Load())
        call = Renamed({name: each for name, each in names.items() if name not in done}).visit(call)
        lines.append(f"estimator.{ast.unparse(without_arrays(call)).partition('.')[2]}")
        return lines

    def _all_deps(self) -> frozenset[int]:
        return frozenset().union(
            self.features.all_deps, self.labels.all_deps, *(each.all_deps for each in self.fit.keywords.values())
        )

    def _names_of_parts(self, held: int | None) -> dict[str, str]:
        """Variables of the script, and what they are in fit(…)."""
        found: dict[str, str] = {}
        for name, value in self.fit.names.items():
            if not value.of_rows or value.items is not None or value.train:
                continue
            is_label = value.kind == "column" and value.all_sources == {self.label}
            if value.kind != "table" and not is_label:
                continue
            if value.part == self.features.part:
                found[name] = "labels" if is_label else "features"
            elif held is not None and value.part == held:
                found[name] = "held_labels" if is_label else "held_features"
        return found

    def _check_names(self, node: ast.AST, names: Mapping[str, str], done: set[str]) -> None:
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id in self.fit.names:
                value = self.fit.names[each.id]
                if value.of_rows and each.id not in names and each.id not in done and not value.fitted:
                    line = self.flow.steps[self.fit.step].line
                    do = "make it from the features and labels that fit gets"
                    self._refuse(
                        getattr(node, "lineno", line), Fault(f"fit gets {each.id}, which is made from other rows or columns", do)
                    )
        shapes = {
            names.get(each.id): self.fit.names[each.id]
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and each.id in names
        }
        for kind, value in shapes.items():
            whole = self.features.columns
            if (
                kind in {"features", "held_features"}
                and value.columns is not None
                and whole is not None
                and [*value.columns] != [*whole]
            ):
                self._refuse(
                    self.flow.steps[self.fit.step].line,
                    Fault("fit gets rows with other columns than its features", "give all of them the same columns"),
                )

    def _same_for_held(self, at: int) -> bool:
        """Whether a statement does to held rows what another does to those that are learned."""
        step = self.flow.steps[at]
        mine = self._canonical(step)
        for other in self.features.all_deps:
            if self.flow.infos[other].role in {"prepare", "filter"} and self._canonical(self.flow.steps[other]) == mine:
                self._twins.add(other)
                target, known = target_of(step.node), target_of(self.flow.steps[other].node)
                if target and known:
                    self._whole[target] = self.whole(known)
                self._said[at] = PREPARED
                return True
        info = self.flow.infos[at]
        if info.part != self.features.part and info.part and not self._is_label(at):
            self._refuse(step.line, rows.AFTER)
            return True
        return False

    def _canonical(self, step: Step) -> str:
        node = copy.deepcopy(step.node)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            node.targets = [ast.Name("_", ast.Store())]
        names = {each.id: self.whole(each.id) for each in ast.walk(node) if isinstance(each, ast.Name)}
        return ast.unparse(Renamed(names).visit(node))

    def _classes(self) -> dict[int | str, Any]:
        if not self._encodes() or self.labels.encoding is None:
            return {}
        return {self._key(raw): value for raw, value in sorted(self.labels.encoding.items())}
