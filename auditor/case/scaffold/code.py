"""Where a user's code builds its estimator: read as a syntax tree, never run.

A function that takes a seed is taken as it is. One that takes none gets a short file that calls it and sets every `random_state`.
An estimator that a script assigns to a name is cut out, with what it is made from: imports, constants, functions; what reads a
file, or is made from data, cannot be cut out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError, UsageError
from auditor.case.files import read_source
from auditor.case.scaffold import build_files
from auditor.case.scaffold.pickles import Answers
from auditor.case.scaffold.roles import Task
from auditor.case.scaffold.syntax import is_main, last_word, loads
from auditor.case.scaffold.tables import Table
from auditor.settings.values import show

MOST_BYTES: Final = 4 * 1024 * 1024
_SEEDS: Final = ("seed", "random_state", "random_seed", "rng_seed")
_BUILDER: Final = re.compile(r"_?(?:build|make|create|get|new)(?:_\w+)?")
_ESTIMATOR: Final = re.compile(
    r"\w*(?:[pP]ipeline|Classifier|Regressor|Regression|Ridge|Lasso|SVC|SVR|NB|CV|Net|Stacking\w*|Voting\w*)"
)
_CLASSIFIER: Final = re.compile(r"\w*(?:Classifier|LogisticRegression(?:CV)?|RidgeClassifier\w*|SVC|NB)")
_REGRESSOR: Final = re.compile(r"\w*(?:Regressor|LinearRegression|Ridge|RidgeCV|Lasso|LassoCV|SVR)")
_READS: Final = re.compile(r"read_\w+|open|load\w*|loadtxt|genfromtxt|fetch_\w+|connect|urlopen|get_data\w*")
_LABELS: Final = re.compile(r"y(?:_\w+)?|labels?|targets?")

SEEDED: Final = '''

def build(seed):
    """Give an unfitted estimator: what the script leaves to chance follows from the seed."""
    unfitted = {made}
    given = unfitted.get_params()
    for name, value in given.items():
        owner = given.get(name.rpartition("__")[0], unfitted)
        # LightGBM and XGBoost take a fixed number where no random_state is named.
        fixed = value is not None or type(owner).__module__.startswith(("lightgbm", "xgboost"))
        if name.split("__")[-1] == "random_state" and not fixed:
            unfitted.set_params(**{{name: seed}})
    return unfitted
'''
_PASSED: Final = """

def build(seed):
    \"\"\"Give an unfitted estimator.\"\"\"
    return {made}
"""


@dataclass(frozen=True, slots=True)
class Code:
    """What builds the estimator, and what else the file says."""

    entry: str
    """`file.py:function`."""
    files: dict[str, bytes]
    """By name in the case folder."""
    said: tuple[str, ...]
    """What was taken and what was written, a line each."""
    labels: tuple[str, ...] = ()
    """Text constants that the code indexes labels by."""
    dropped: tuple[str, ...] = ()
    """Columns that the code drops."""
    task: Task | None = None
    write: Callable[[Table, str, str, Sequence[str]], dict[str, bytes]] | None = None
    """Of a training loop: `(table, id, label, features) -> files`, once it is known what the columns are for."""
    answers: Answers | None = None
    """Of a pickled pipeline."""


def read(text: str) -> Code:
    """Read `model.py:build`, or `model.py` where one thing in it builds an estimator.

    Raises:
        InputError: If the file cannot be read, or nothing in it can be taken.
        UsageError: If the text names no Python file.
    """
    return parsed(text).code()


def parsed(text: str) -> Script:
    """Read the file that `model.py:build` or `model.py` names.

    Raises:
        InputError: If the file cannot be read.
        UsageError: If the text names no Python file.
    """
    name_of_file, colon, name = text.partition(".py:")
    path = Path(f"{name_of_file}.py" if colon else text)
    if path.suffix == ".ipynb":
        export = f"jupyter nbconvert --to script {path.name[:80]!r}"
        raise UsageError(f"--from: expected a script, found a notebook; export it, then name the .py file: {export}")
    if path.is_dir():
        raise UsageError(
            f"--from: expected a script such as train.py, or a pipeline such as model.joblib, found the folder {text}"
        )
    if path.suffix != ".py" or (colon and not name.isidentifier()):
        raise UsageError(f"--from: expected a file and a function in it, such as model.py:build, found {text[:80]!r}")
    source = read_source(path, path.name, limit=MOST_BYTES)
    try:
        tree = ast.parse(source.data, filename=path.name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        found = getattr(error, "msg", None) or str(error) or "what nobody can read"
        raise InputError([Problem(path.name, f"line {line}" if line else "", "Python", found)]) from error
    return Script(path, source.data.decode("utf-8-sig", "replace"), tree, name if colon else None)


@dataclass
class Script:
    """A file of a user's code, as its text and its tree."""

    path: Path
    text: str
    tree: ast.Module
    name: str | None = None
    """What it is to be taken from, if that was told."""
    _bound: dict[str, list[ast.stmt]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for statement in self.tree.body:
            for name in _binds(statement):
                self._bound.setdefault(name, []).append(statement)

    def written(self, text: str, lines: Sequence[int]) -> Code:
        """A file with a function build(seed) that was written out of this one, with what it imports from alongside."""
        beside = build_files.alongside(text.encode(), self.path)
        file = _unused("build.py", beside)
        numbers = ", ".join(map(str, lines))
        said = (f"{file}: written, out of {self.path.name}, lines {numbers}", *(f"{each}: copied" for each in beside))
        return Code(f"{file}:build", {**beside, file: text.encode()}, said, (), (), self.task())

    def defines(self, name: str) -> bool:
        """Whether a function at the top of the file has that name."""
        return any(isinstance(each, ast.FunctionDef) for each in self._bound.get(name, []))

    def code(self, name: str | None = None) -> Code:
        """What builds the estimator of a name, or of the only one there is.

        Raises:
            InputError: If there is none, or more than one, or it cannot be taken as it is.
        """
        name = name or self.name or self.only()
        found = self._bound.get(name, [])
        functions = [each for each in found if isinstance(each, ast.FunctionDef)]
        if functions:
            entry, files, said = self._function(functions[-1])
        elif made := self._made(name):
            entry, files, said = self._cut_out(name, *made)
        elif found and isinstance(found[-1], ast.Import | ast.ImportFrom):
            taken = build_files.of_file(self.path, name)
            entry, files, said = taken.entry, taken.files, taken.copied
        else:
            expected = f"a function {name}, or an estimator assigned to {name}, at the top of the file"
            raise InputError([Problem(self.path.name, "--from", expected, self._offered())])
        return Code(entry, files, tuple(said), tuple(self._label_columns()), tuple(self._dropped()), self.task())

    def only(self) -> str:
        """The one thing in the file that builds an estimator.

        Raises:
            InputError: If there is none, or more than one.
        """
        found = self._candidates()
        if len(found) == 1:
            return found[0]
        expected = f"one thing that builds an estimator; name it: --from {self.path.name}:NAME"
        raise InputError([Problem(self.path.name, "--from", expected, self._offered())])

    def _candidates(self) -> list[str]:
        functions = [
            each.name
            for each in self.tree.body
            if isinstance(each, ast.FunctionDef)
            and _BUILDER.fullmatch(each.name)
            and any(isinstance(inner, ast.Return) and inner.value is not None for inner in ast.walk(each))
        ]
        if functions:
            return functions
        made = {name: made[1] for name in self._bound if (made := self._made(name)) and _ESTIMATOR.fullmatch(last_word(made[1]))}
        # A step of a pipeline is no candidate where the pipeline is one.
        parts = {part for name, value in made.items() for part in loads(value) if part != name}
        return [name for name in made if name not in parts]

    def _offered(self) -> str:
        found = self._candidates()
        return f"{len(found)}: {', '.join(found)}" if found else "nothing that looks like one"

    def _made(self, name: str) -> tuple[ast.stmt, ast.expr] | None:
        """The statement that assigns an estimator to a name, and the expression without a call of fit."""
        for statement in self._bound.get(name, []):
            value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
            while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "fit":
                value = value.func.value
            if isinstance(value, ast.Call) and not (isinstance(value.func, ast.Attribute) and name in loads(value.func)):
                return statement, value
        return None

    def _function(self, function: ast.FunctionDef) -> tuple[str, dict[str, bytes], tuple[str, ...]]:
        """A function: as it is, or with a file that calls it."""
        given = function.args
        positional = [*given.posonlyargs, *given.args]
        needed = positional[: len(positional) - len(given.defaults)]
        needed += [each for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if default is None]
        seeds = [each.arg for each in (*positional, *given.kwonlyargs) if each.arg in _SEEDS]
        missing = [each.arg for each in needed if each.arg not in _SEEDS]
        if missing:
            expected = f"a function that needs nothing but a seed; give {', '.join(missing)} a default"
            raise InputError([Problem(self.path.name, function.name, expected, f"{function.name}({', '.join(missing)}, …)")])
        ready = bool(positional) and positional[0].arg in _SEEDS and all(each is positional[0] for each in needed)
        made, template = (f"{function.name}({seeds[0]}=seed)", _PASSED) if seeds else (f"{function.name}()", SEEDED)
        how = "" if ready else ("; it passes the seed on" if seeds else "; it sets every random_state that is not fixed")
        if self._works_when_imported():
            return self._function_alone(function, None if ready else template.format(made=made), how)
        taken = build_files.of_file(self.path, function.name)
        if ready:
            return taken.entry, taken.files, taken.copied
        module = taken.entry.partition(":")[0].removesuffix(".py")
        file = _unused("build.py", taken.files)
        head = f'"""What auditor calls to build the estimator."""\n\nfrom {module} import {function.name} as made\n'
        text = head + template.format(made=made.replace(f"{function.name}(", "made(", 1))
        return f"{file}:build", {**taken.files, file: text.encode()}, (*taken.copied, f"{file}: written{how}")

    def _works_when_imported(self) -> bool:
        """Whether the file does more at its top than import, define and assign: it reads data, or trains."""
        for statement in self.tree.body:
            if isinstance(statement, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef) or is_main(statement):
                continue
            if any(
                isinstance(node, ast.Call) and (_READS.fullmatch(last_word(node)) or last_word(node) in {"fit", "print"})
                for node in ast.walk(statement)
            ):
                return True
        return False

    def _function_alone(
        self, function: ast.FunctionDef, wrapper: str | None, how: str
    ) -> tuple[str, dict[str, bytes], tuple[str, ...]]:
        """A function of a script that works when it is imported, cut out with what it needs."""
        parts = [*self._needed(function, function), function]
        text = f'"""The function {function.name} of {self.path.name}, which also trains when it is imported."""\n\n'
        text += "\n".join(self._source(each) for each in parts) + "\n"
        name = function.name
        if wrapper is not None:
            name = "build" if function.name != "build" else "seeded_build"
            text += wrapper.replace("def build(", f"def {name}(", 1)
        return self._written(text, name, parts, f"{function.name}{how}")

    def _cut_out(self, name: str, statement: ast.stmt, value: ast.expr) -> tuple[str, dict[str, bytes], tuple[str, ...]]:
        """The estimator that a script assigns to a name, with what it is made from."""
        parts = self._needed(statement, value)
        made = ast.get_source_segment(self.text, value) or ast.unparse(value)
        lines = [f'"""The estimator {name} of {self.path.name}, as auditor builds it."""\n', *map(self._source, parts)]
        text = "\n".join([*lines, f"{name} = {made}"]) + "\n\nfrom sklearn.base import clone\n"
        return self._written(text + SEEDED.format(made=f"clone({name})"), "build", [*parts, statement], name)

    def _source(self, statement: ast.stmt) -> str:
        source = ast.get_source_segment(self.text, statement, padded=True) or ast.unparse(statement)
        return "".join(f"@{ast.unparse(each)}\n" for each in getattr(statement, "decorator_list", ())) + source

    def _written(
        self, text: str, function: str, parts: list[ast.stmt], what: str
    ) -> tuple[str, dict[str, bytes], tuple[str, ...]]:
        """A file that was written out of parts of another."""
        ast.parse(text)
        beside = build_files.alongside(text.encode(), self.path)
        file = _unused("build.py", beside)
        lines = ", ".join(str(each.lineno) for each in parts)
        said = (f"{file}: written, out of {self.path.name}, lines {lines}: {what}", *(f"{each}: copied" for each in beside))
        return f"{file}:{function}", {**beside, file: text.encode()}, said

    def _needed(self, statement: ast.stmt, value: ast.AST) -> list[ast.stmt]:
        """The statements at the top of the file that an expression needs, in order.

        Raises:
            InputError: If one of them reads a file, or is more than an import, a definition or an assignment.
        """
        found: dict[int, ast.stmt] = {}
        problems: dict[int, Problem] = {}
        waiting: list[tuple[ast.AST, ast.stmt]] = [(value, statement)]
        while waiting:
            node, user = waiting.pop()
            for name in sorted(loads(node)):
                for each in self._bound.get(name, []):
                    earlier = each.lineno < user.lineno or isinstance(each, ast.FunctionDef | ast.ClassDef)
                    if each is statement or not earlier or each.lineno in found:
                        continue
                    found[each.lineno] = each
                    if (fault := _fault(each)) is not None:
                        expected = "an estimator that is made from constants alone: list columns by name, or write build(seed)"
                        problems[each.lineno] = Problem(self.path.name, f"line {each.lineno}", expected, f"{name}, {fault}")
                    elif not isinstance(each, ast.Import | ast.ImportFrom):
                        waiting.append((each, each))
        if problems:
            raise InputError([problem for _, problem in sorted(problems.items())])
        futures = [each for each in self.tree.body if isinstance(each, ast.ImportFrom) and each.module == "__future__"]
        return [*futures, *(each for _, each in sorted(found.items()) if each not in futures)]

    def _label_columns(self) -> Iterator[str]:
        """What labels are taken from: y = table["late"], table.pop("late")."""
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Assign):
                continue
            targets = [each for target in node.targets for each in (target.elts if isinstance(target, ast.Tuple) else [target])]
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * len(targets)
            for target, value in zip(targets, values, strict=False):
                if isinstance(target, ast.Name) and _LABELS.fullmatch(target.id):
                    yield from _constants_of(value)

    def _dropped(self) -> Iterator[str]:
        """Columns that are dropped: table.drop(columns=[…]), table.drop([…], axis=1)."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "drop":
                for argument in (*node.args[:1], *(each.value for each in node.keywords if each.arg in {"columns", "labels"})):
                    for each in ast.walk(argument):
                        if isinstance(each, ast.Constant) and isinstance(each.value, str):
                            yield each.value

    def task(self) -> Task | None:
        """What its estimators are for; None where they are for both, or unknown."""
        called = {last_word(node) for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        classes, amounts = (any(kind.fullmatch(each) for each in called) for kind in (_CLASSIFIER, _REGRESSOR))
        if classes == amounts:
            return None
        return "classification" if classes else "regression"


def _binds(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement at the top of a file gives a value."""
    match statement:
        case ast.Import():
            yield from ((each.asname or each.name).partition(".")[0] for each in statement.names)
        case ast.ImportFrom():
            yield from (each.asname or each.name for each in statement.names)
        case ast.FunctionDef() | ast.ClassDef() | ast.AsyncFunctionDef():
            yield statement.name
        case _:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id


def _fault(statement: ast.stmt) -> str | None:
    """Why a statement cannot be cut out; None where it can."""
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
        return None
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return "which more than one assignment makes"
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and _READS.fullmatch(last_word(node)):
            return f"which {show(last_word(node))} reads"
    return None


def _constants_of(value: ast.AST) -> Iterator[str]:
    """Text that a table is indexed by, or that is popped from it."""
    for node in ast.walk(value):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            yield node.slice.value
        elif isinstance(node, ast.Call) and last_word(node) == "pop" and node.args and isinstance(node.args[0], ast.Constant):
            if isinstance(node.args[0].value, str):
                yield node.args[0].value
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.attr


def _unused(name: str, taken: dict[str, bytes]) -> str:
    return name if name not in taken else f"auditor_{name}"
