"""What is known of a script that trains a network, and what is refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.scaffold import syntax
from auditor.case.scaffold.torch_loops import GIVEN
from auditor.case.scaffold.torch_scripts.names import BY_HAND, FRAMEWORKS, STARTS
from auditor.settings.values import show

_REFUSED: Final[Sequence[tuple[re.Pattern[str], str]]] = (
    (re.compile(r"(?:.*\.)?(?:from_pretrained|hub\.load\w*|load_state_dict_from_url|load_url|\w+_download)"), STARTS),
    (
        re.compile(r"(?:.*\.)?(?:DistributedDataParallel|DataParallel|FullyShardedDataParallel|init_process_group|spawn)"),
        f"a training in one process: take the distribution out, {BY_HAND}",
    ),
    (re.compile(r"(?:.*\.)?(?:GradScaler|autocast)"), f"a training in full precision: take AMP out, {BY_HAND}"),
    (re.compile(r"(?:.*\.)?(?:Trainer|LightningModule|LightningDataModule|Accelerator)"), f"a loop in plain PyTorch, {BY_HAND}"),
    (
        re.compile(r"(?:.*\.)?(?:parse_args|parse_known_args|getenv)|input"),
        "settings as constants at the top of the file: those that trained your model",
    ),
    (re.compile(r".+\.cuda"), "`.to(device)` in place of `.cuda()`"),
    (re.compile(r"exec|eval|globals|locals|compile|__import__"), "statements that can be read"),
    (re.compile(r"torch\.compile"), "the module itself: leave torch.compile out, which changes no weight"),
)


@dataclass
class State:
    """What is known of a script that trains a network, and what is refused."""

    path: Path
    text: str
    data: str
    problems: list[Problem] = field(default_factory=list)
    left: dict[int, str] = field(default_factory=dict)
    """Why a line was not carried over."""
    drawn: set[int] = field(default_factory=set)
    """Lines at which a batch is changed at random."""
    _label_name: str | None = None
    definitions: dict[str, ast.FunctionDef | ast.ClassDef] = field(default_factory=dict)
    """Functions and classes of the script, by name."""
    head: list[ast.stmt] = field(default_factory=list)
    """Statements at the top of the new file."""
    before: list[ast.stmt] = field(default_factory=list)
    """Those of the training that come before its loop."""

    def _problem(self, node: ast.stmt | ast.expr, expected: str, found: str) -> None:
        problem = Problem(self.path.name, f"line {node.lineno}", expected, show(found))
        if problem not in self.problems:
            self.problems.append(problem)

    def _stop_at_problems(self) -> None:
        if self.problems:
            raise InputError(sorted(self.problems, key=lambda each: int(re.sub(r"\D", "", each.where) or 0)))

    def _statements_of(self, name: str) -> list[ast.Assign]:
        return [each for each in [*self.head, *self.before] if isinstance(each, ast.Assign) and name in syntax.stores(each)]

    def _constant(self, value: ast.expr) -> ast.expr:
        """What a name of a constant stands for."""
        named = self._statements_of(value.id) if isinstance(value, ast.Name) else []
        return named[0].value if len(named) == 1 else value

    def _source(self, statement: ast.stmt) -> str:
        if any(isinstance(node, ast.Name) and node.id == GIVEN for node in ast.walk(statement)):
            return ast.unparse(statement)
        source = ast.get_source_segment(self.text, statement) or ast.unparse(statement)
        first, *rest = source.split("\n")
        indent = " " * statement.col_offset
        source = "\n".join([first, *(line.removeprefix(indent) for line in rest)])
        return "".join(f"@{ast.unparse(each)}\n" for each in getattr(statement, "decorator_list", ())) + source

    def _leave(self, statement: ast.stmt, why: str) -> None:
        self.left.setdefault(statement.lineno, why)

    def _line(self, number: int) -> str:
        return self._lines[number - 1].strip()[:80]

    @property
    def _lines(self) -> list[str]:
        return self.path.read_text(encoding="utf-8-sig", errors="replace").splitlines()

    def _all_calls(self, statement: ast.stmt) -> Iterator[ast.Call]:
        yield from syntax.calls_in(statement)
        for name in self._reached([statement]):
            yield from syntax.calls_in(self.definitions[name])

    def _calls(self, statement: ast.stmt, names: set[str]) -> bool:
        return any(syntax.callee(call) in names for call in self._all_calls(statement))

    def _reached(self, statements: Iterable[ast.stmt]) -> set[str]:
        """Definitions that statements use, directly or not."""
        waiting, found = [name for each in statements for name in syntax.loads(each)], set[str]()
        while waiting:
            name = waiting.pop()
            if name in self.definitions and name not in found:
                found.add(name)
                waiting += syntax.loads(self.definitions[name])
        return found

    def _frameworks(self) -> str:
        tree = ast.parse(self.text)
        return ", ".join(sorted({each.partition(".")[0] for each in syntax.imported(tree)} & FRAMEWORKS))

    def _refuse_call(self, call: ast.Call) -> bool:
        dotted = syntax.dotted(call)
        for pattern, expected in _REFUSED:
            if pattern.fullmatch(dotted):
                self._problem(call, expected, dotted)
                return True
        for keyword in call.keywords:
            taken = not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
            if taken and (keyword.arg == "pretrained" or (keyword.arg == "weights" and "model" in dotted)):
                self._problem(call, STARTS, f"{dotted}({keyword.arg}=…)")
                return True
        return False
