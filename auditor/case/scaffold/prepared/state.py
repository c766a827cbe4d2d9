"""What is known of a script and its model while it is accounted for, and what is refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from auditor.base.domain import Problem
from auditor.case.scaffold import rows
from auditor.case.scaffold.dataflow import Fit, Flow, Found, Split, Value
from auditor.case.scaffold.prepared.models import (
    labels_of,
    model_name,
)
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import Line, source_line

PREPARED: Final = "prepare.py"


_INTEGER: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)


@dataclass(kw_only=True)
class Accounting:
    """What is known of one model of a script."""

    flow: Flow
    fit: Fit
    file: str
    text: Sequence[str]
    """Lines of the script."""
    id: str
    label: str
    person: str | None
    task: str
    columns: Sequence[str]
    """Of the table, in their order."""
    adjustments: Sequence[str] = ()
    """Statements that give columns the types that the script reads them in."""
    adjusted: Mapping[str, str] = field(default_factory=dict)
    builds: bool = True
    """Whether the estimator is to be written as well."""
    _refused: dict[tuple[int, str], Line] = field(default_factory=dict)
    _whole: dict[str, str] = field(default_factory=dict)
    """Names of parts of rows, and the name that all rows have in prepare.py."""
    _said: dict[int, str] = field(default_factory=dict)
    """What became of statements, by step."""
    _notes: list[Line] = field(default_factory=list)
    _built: tuple[int, ...] = ()
    _twins: set[int] = field(default_factory=set)
    """Statements about the rows to learn that another does to held ones."""

    def __post_init__(self) -> None:
        self.features, self.labels = self.fit.given[0] if self.fit.given else Value(), labels_of(self.fit)

    def _refuse(self, line: int, fault: Fault) -> None:
        self._refused.setdefault((line, fault.why), Line(line, source_line(self.text, line), fault.why, fault.do))

    def _problem(self, line: Line) -> Problem:
        return Problem(self.file, f"line {line.line}", rows.asked(line.do), f"{line.source}: {line.why}")

    def _refuse_all(self, faults: Iterable[Found]) -> None:
        for each in faults:
            self._refuse(each.line, self._shown(each))

    def _shown(self, found: Found) -> Fault:
        """A fault with the names of this script."""
        if found.fault is not rows.FITTED:
            return found.fault
        names = [
            ast.unparse(each.func.value)
            for each in ast.walk(self._node_on(found.line))
            if isinstance(each, ast.Call)
            and isinstance(each.func, ast.Attribute)
            and each.func.attr in {"fit_transform", "transform", "fit"}
        ]
        step, model = (names or ["the step"])[0][:60], model_name(self.fit, self.flow)
        way = f"{model} = make_pipeline({step}, {model}), and {model}.fit(X, y) with the untransformed X"
        return Fault(found.fault.why, f"the step within the model, where it is learned again with each deletion: {way}")

    def _node_on(self, line: int) -> ast.AST:
        return next((each.node for each in self.flow.steps if each.line == line), ast.Pass())

    def _last_line(self, deps: Iterable[int], otherwise: int) -> int:
        lines = [self.flow.steps[each].line for each in deps if self.flow.infos[each].role not in {"constant", "read", "split"}]
        return lines[-1] if (lines := sorted(lines)) else otherwise

    def _chain(self) -> list[Split]:
        """The splits that lead to the rows that fit gets."""
        found: list[Split] = []
        part = self.features.part
        while part:
            split = next(each for each in self.flow.splits if part in {each.fit, each.held})
            found.insert(0, split)
            part = split.of
        return found

    def whole(self, name: str) -> str:
        """The name that all rows have of which a variable holds a part."""
        seen: set[str] = set()
        while name in self._whole and name not in seen:
            seen.add(name)
            name = self._whole[name]
        return name

    def _is_label(self, at: int) -> bool:
        """Whether a statement makes nothing but a column of labels."""
        info = self.flow.infos[at]
        node = self.flow.steps[at].node
        named = isinstance(node, ast.AnnAssign) or (
            isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Tuple | ast.List)
        )
        only = named and info.column == self.label
        return only and info.role in {"prepare", "filter"}

    def _encodes(self) -> bool:
        known = self.labels.encoding
        if known is None or self.task == "regression":
            return False
        return any(self._key(raw) != value or type(self._key(raw)) is not type(value) for raw, value in known.items())

    def _key(self, raw: str) -> int | str:
        """A label as the case holds it."""
        whole = all(_INTEGER.fullmatch(each) for each in self.labels.encoding or {})
        return int(raw) if whole else raw
