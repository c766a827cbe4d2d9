"""Reads a script that trains a network."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from auditor.case.scaffold import build_files, syntax
from auditor.case.scaffold.roles import Task
from auditor.case.scaffold.tables import Table
from auditor.case.scaffold.torch_loops import Written
from auditor.case.scaffold.torch_scripts.labels import Labels
from auditor.case.scaffold.torch_scripts.names import FRAMEWORKS, OPTIMISERS
from auditor.case.scaffold.torch_scripts.writing import write_loop

SEEDED: Final = "every training starts from the script's own seed, as the script does"


@dataclass(frozen=True, slots=True)
class Script:
    """What a script trains with, and how its loop is written once the columns are known."""

    entry: str
    """`file.py:class`."""
    task: Task
    label: str | None
    """The column of labels; None where it is no table."""
    dropped: tuple[str, ...]
    said: tuple[str, ...]
    """What became of each statement, a line each, and what was found."""
    write: Callable[[Table, str, str, Sequence[str]], dict[str, bytes]]
    """`(table, id, label, features) -> files`; raises InputError where labels are not such as the loss takes."""


class Reader(Labels):
    """Reads a script that trains a network."""

    def script(self) -> Script:
        """Read everything."""
        self._arrange()
        self._refuse()
        loss = self._loss()
        model, build = self._model()
        root = self._root()
        label, encoded = self._labels(loss)
        inputs = [] if root is None else self._inputs(root, label)
        self._stop_at_problems()
        table = self._table_call
        written = Written(
            script=self.path.name,
            head=[self._source(each) for each in self.head],
            training=[self._source(each) for each in self.run],
            inputs=inputs,
            root=root or "",
            model=model,
            build=build,
            loss=loss,
        )
        files = build_files.alongside("\n".join(written.head).encode(), self.path)
        is_arrays = syntax.callee(table) == "load"
        name = "loop.py" if "loop.py" not in files else "auditor_loop.py"
        write = partial(write_loop, written, {name: b"", **files}, encoded, self.path.name, is_arrays)
        task: Task = "regression" if loss == "amount" else "classification"
        return Script(f"{name}:Loop", task, label, tuple(self._dropped()), tuple(self._said()), write)

    def _dropped(self) -> Iterator[str]:
        for each in [*self.head, *self.run]:
            for call in syntax.calls_in(each):
                if syntax.callee(call) == "drop":
                    for value in (*call.args[:1], *(one.value for one in call.keywords if one.arg in {"columns", "labels"})):
                        yield from syntax.texts(value)
                        for name in syntax.loads(value):
                            yield from (text for one in self._statements_of(name) for text in syntax.texts(one))

    def _said(self) -> Iterator[str]:
        carried = [each for each in [*self.head, *self.run] if not isinstance(each, ast.Pass)]
        yield f"loop.py: written, out of {self.path.name}: lines {syntax.ranges(carried)} as they stand"
        yield self._read_by
        for what, pattern in (
            ("optimiser", OPTIMISERS),
            ("schedule", re.compile(r"\w*(?:LR|LRScheduler|WarmRestarts|ReduceLROnPlateau|SWALR|LambdaLR)")),
            ("batches", re.compile("DataLoader")),
            ("seed", re.compile(r"manual_seed|seed|seed_all")),
        ):
            for each in carried:
                yield from (
                    f"line {call.lineno}: {what}: {ast.unparse(call)}"
                    for call in syntax.calls_in(each)
                    if pattern.fullmatch(syntax.callee(call))
                )
        for line in sorted(self.drawn):
            yield f"line {line}: drawn at random in training, and left out of predictions: {self._line(line)}"
        seeded = any(syntax.callee(call) == "manual_seed" for each in carried for call in syntax.calls_in(each))
        if seeded:
            yield SEEDED
        else:
            yield "no seed in the script: the audit seeds each training, and the file that you release cannot be trained again"
        for line, why in sorted(self.left.items()):
            yield f"line {line}: not carried over: {why}: {self._line(line)}"


def trains(source: bytes) -> bool:
    """Whether a file trains a network: it imports PyTorch and calls `backward`, or a framework's trainer around PyTorch."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    imported = {each.partition(".")[0] for each in syntax.imported(tree)}
    called = {syntax.callee(each) for each in ast.walk(tree) if isinstance(each, ast.Call)}
    return "torch" in imported and bool(called & {"backward"} or imported & FRAMEWORKS or called & {"Trainer"})


def read(path: Path, source: bytes, data: str) -> Script:
    """Read a script.

    Args:
        path: Where it lies.
        source: What is in it.
        data: The name of the table that it is to be trained on.

    Raises:
        InputError: With every line that cannot be carried over, and what to do.
    """
    return Reader(path, source.decode("utf-8-sig", "replace"), data).script()
