"""Writes prepare(table): what works on each row."""

from __future__ import annotations

import ast
import copy

from auditor.case.scaffold import rows
from auditor.case.scaffold.dataflow import Info
from auditor.case.scaffold.prepared.models import (
    target_of,
)
from auditor.case.scaffold.prepared.rewriting import without_arrays, without_filters, written
from auditor.case.scaffold.prepared.splitting import Splitting
from auditor.case.scaffold.prepared.state import PREPARED
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import Step
from auditor.case.scaffold.syntax import last_word


class Preparing(Splitting):
    """Writes prepare(table): what works on each row."""

    def _prepare(self) -> list[str]:  # noqa: C901 - what becomes of each role
        """The body of prepare(table): what works on each row; empty where columns are only chosen."""
        self._name_parts()
        lines, pure = list[str](), True
        deps = self._feature_deps()
        for at in sorted(deps):
            info, step = self.flow.infos[at], self.flow.steps[at]
            if info.role == "split" and info.part == 0:
                lines += self._split_whole(step)
            elif info.role in {"read", "prepare", "filter"} and not self._is_label(at):
                chooses = _chooses(step.node) and not info.filters
                if info.filters and info.part:
                    self._refuse(step.line, rows.AFTER)
                pure &= chooses
                lines += self._statement(step, info)
                self._said[at] = "audit.toml" if chooses else PREPARED
        for at in sorted(each for each in self.labels.all_deps if each not in deps or self._is_label(each)):
            if self.flow.infos[at].role in {"prepare", "filter"} and (self._is_label(at) or self._makes_label(at)):
                self._said[at] = f"{PREPARED}, as CLASSES" if self._encodes() else "audit.toml, as the label"
            elif self.flow.infos[at].role == "filter":
                self._refuse(
                    self.flow.steps[at].line,
                    Fault("leaves out labels apart from their rows", "leave rows out of the table: table = table[…]"),
                )
        result = self._result()
        if pure:
            for at, said in self._said.items():
                if said == PREPARED and self.flow.infos[at].role in {"read", "prepare", "filter"}:
                    self._said[at] = "audit.toml"
            return []
        return [*lines, f"features = {result}"]

    def _makes_label(self, at: int) -> bool:
        """Whether a statement writes a column of the table that is made from labels alone."""
        info = self.flow.infos[at]
        return info.target is not None or info.sources <= {self.label}

    def _feature_deps(self) -> frozenset[int]:
        """Statements that features are made by, without those that only labels are."""
        return self.features.all_deps if not self.features.train else self._before_training(self.features.all_deps)

    def _before_training(self, deps: frozenset[int]) -> frozenset[int]:
        return frozenset(each for each in deps if not self._is_label(each))

    def _split_whole(self, step: Step) -> list[str]:
        """All rows of what is split without a name of its own: train_test_split(table[columns], …)."""
        split = next(each for each in self.flow.splits if self.flow.steps[each.step] is step)
        if not split.given or isinstance(split.given[0], ast.Name):
            return []
        node = ast.Assign([ast.Name("whole", ast.Store())], copy.deepcopy(split.given[0]))
        return [ast.unparse(written(self, node))]

    def _name_parts(self) -> None:  # noqa: C901 - splits, then training rows
        """Find the one name that the parts of split rows have in prepare.py."""
        for split in self.flow.splits:
            node = self.flow.steps[split.step].node
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Tuple | ast.List):
                continue
            names = [each.id if isinstance(each, ast.Name) else "" for each in node.targets[0].elts]
            for at, given in enumerate(split.given):
                for name in names[2 * at : 2 * at + 2]:
                    if isinstance(given, ast.Name):
                        self._whole[name] = self.whole(given.id)
                    elif at == 0:
                        self._whole[name] = "whole"
        for at, info in enumerate(self.flow.infos):
            node = self.flow.steps[at].node
            if info.role == "train" and isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
                for target, given in zip(targets, node.value.args, strict=False):
                    if isinstance(target, ast.Name) and isinstance(given, ast.Name):
                        self._whole.setdefault(target.id, self.whole(given.id))

    def _statement(self, step: Step, info: Info) -> list[str]:
        """A statement as prepare(table) has it."""
        node = written(self, step.node)
        text = ast.unparse(node).splitlines()
        if not info.filters:
            return text
        otherwise = ast.unparse(without_filters(node, self.flow.filters)).splitlines()
        both = ["if LABEL in table.columns:", *(f"    {each}" for each in text)]
        target = target_of(step.node)
        if otherwise == [f"{target} = {target}"] or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            return both
        return [*both, "else:", *(f"    {each}" for each in otherwise)]

    def _result(self) -> str:
        """The expression of the features that fit gets, over all rows."""
        node = (
            self.fit.call.args[0]
            if self.fit.call.args
            else next(each.value for each in self.fit.call.keywords if each.arg == "X")
        )
        return ast.unparse(without_arrays(written(self, ast.Expr(copy.deepcopy(node)))))


def _chooses(node: ast.stmt) -> bool:
    """Whether a statement only chooses columns, or sets the index."""
    if isinstance(node, ast.Delete):
        return True
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr) else None
    plain = isinstance(node, ast.Expr) or (
        isinstance(node, ast.Assign) and all(isinstance(each, ast.Name | ast.Tuple) for each in node.targets)
    )
    each = value.elts if isinstance(value, ast.Tuple) else [value]
    return plain and all(one is not None and _only_chooses(one) for one in each)


def _only_chooses(node: ast.expr) -> bool:
    match node:
        case ast.Name():
            return True
        case ast.Attribute():
            return _only_chooses(node.value)
        case ast.Subscript():
            return _only_chooses(node.value)
        case ast.Call(
            func=ast.Attribute(
                attr="drop"
                | "copy"
                | "filter"
                | "select_dtypes"
                | "pop"
                | "set_index"
                | "reset_index"
                | "to_numpy"
                | "drop_duplicates"
            )
        ):
            return isinstance(node.func, ast.Attribute) and _only_chooses(node.func.value)
        case ast.Call():
            return last_word(node).startswith("read_")
        case _:
            return False
