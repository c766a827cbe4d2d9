"""Sorts the statements of a script: the top of the new file, the training, and what is left out."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.scaffold import syntax
from auditor.case.scaffold.syntax import words
from auditor.case.scaffold.torch_loops import GIVEN
from auditor.case.scaffold.torch_scripts.names import BY_HAND, IN_PLACE, MUTATES, OPTIMISERS, STARTS
from auditor.case.scaffold.torch_scripts.state import State

_READS: Final = re.compile(
    r"read_\w+|open|load|loadtxt|genfromtxt|fetch_\w+|connect|urlopen|load_dataset|load_file|load_url|load_state_dict_from_url|imread"
    r"|load_(?:digits|iris|wine|breast_cancer|diabetes)|ImageFolder|scandir|listdir|glob|rglob|read_text|read_bytes"
)


_TABLE: Final = {"read_csv", "read_parquet", "read_table", "load"}


_KEYWORDS: Final = {"sep", "delimiter", "encoding", "engine", "low_memory", "columns", "allow_pickle"}


_WRITES: Final = re.compile(
    r"save|save_file|save_model|save_pretrained|savez?\w*|savefig|dump|to_csv|to_parquet|to_json|to_excel|makedirs|mkdir|write_text"
    r"|write_bytes|writerow|writerows|show|plot|figure|legend|xlabel|ylabel|title|tight_layout|add_scalar|add_scalars|add_figure"
    r"|log_metric|log_metrics|log_param|log_params|log_artifact|log_model|start_run|end_run|finish|set_description|set_postfix"
)


_TELLS: Final = {"wandb", "mlflow", "neptune", "comet_ml", "matplotlib", "seaborn", "tensorboard", "tensorboardX", "plt", "sns"}
"""Libraries that show or send what happens, and change nothing of it."""


_MOVES: Final = words("eval train pop rand randn randint randperm normal shuffle choice permutation step half")


_PLAIN: Final = words("device Path range tuple list dict set int float str is_available min max len sorted join abs round bool")
"""Calls that make a constant of constants."""


_TENSORS: Final = 2


class Arranging(State):
    """Sorts the statements of a script: the top of the new file, the training, and what is left out."""

    def _arrange(self) -> None:
        """Sort the statements: those at the top of the new file, those of the training, and those that are left out.

        Raises:
            InputError: If there is no training, or not one table.
        """
        self._leave_out_writers()
        self._name_tensors()
        body = list(self._flattened(ast.parse(self.text)))
        self.definitions = {each.name: each for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        imports = [each for each in body if isinstance(each, ast.Import | ast.ImportFrom)]
        others = [each for each in body if not isinstance(each, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)]
        last = max((at for at, each in enumerate(others) if self._calls(each, {"backward"})), default=None)
        if last is None:
            expected = f"a loop at the top of the file or in main() that calls backward(), {BY_HAND}"
            self.problems.append(Problem(self.path.name, "--from", expected, self._frameworks() or "none"))
            raise InputError(self.problems)
        self.loop = others[last]
        names = self._bound(imports)
        constants, run = [], []
        once = [name for each in others for name in syntax.stores(each)]
        for each in others:
            plain = isinstance(each, ast.Assign | ast.AnnAssign) and all(map(syntax.is_names, syntax.targets(each)))
            if plain and all(once.count(name) == 1 for name in syntax.stores(each)) and self._is_constant(each, names):
                constants.append(each)
                names |= set(syntax.stores(each))
            else:
                run.append(each)
        self.constants = names
        before = [each for each in run if each.lineno <= self.loop.lineno]
        self.run = [*before, *self._afterwards([each for each in run if each.lineno > self.loop.lineno])]
        self._take_table()
        needed = self._reached([*self.run, *constants])
        for name, each in self.definitions.items():
            if name not in needed:
                self._leave(each, "nothing of the training calls it")
        run_names = {name for each in self.run for name in syntax.stores(each)} | {GIVEN}
        nested = self._nested(needed, run_names)
        taken = [each for name, each in self.definitions.items() if name in needed]
        self.nested = {each.name for each in nested}
        at_top = [*imports, *constants, *(each for each in taken if each not in nested)]
        self.head = sorted((each for each in at_top if each.lineno not in self.left), key=lambda each: each.lineno)
        self.run = sorted([*self.run, *nested], key=lambda each: each.lineno)
        self.before = [each for each in self.run if each.lineno < self.loop.lineno and not isinstance(each, ast.FunctionDef)]

    def _flattened(self, tree: ast.Module) -> Iterator[ast.stmt]:
        """The statements of the file, with those under `if __name__ == "__main__":` and of a `main()` without arguments."""
        mains = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef) and not ast.unparse(each.args)}
        called = {name: at for each in tree.body for at in self._inner(each) if (name := syntax.called_alone(at)) in mains}
        for each in tree.body:
            if isinstance(each, ast.FunctionDef) and each.name in called:
                continue
            for inner in self._inner(each):
                main = mains.get(syntax.called_alone(inner) or "")
                for one in [inner] if main is None else main.body:
                    if isinstance(one, ast.Return) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)):
                        continue
                    yield one

    def _inner(self, statement: ast.stmt) -> list[ast.stmt]:
        return statement.body if isinstance(statement, ast.If) and "__name__" in syntax.loads(statement.test) else [statement]

    def _leave_out_writers(self) -> None:
        """Put `pass` in the place of each statement that only writes, shows or sends something."""
        tree = ast.parse(self.text)
        telling = set(_TELLS)
        for each in ast.walk(tree):
            if isinstance(each, ast.Import | ast.ImportFrom):
                module = each.module if isinstance(each, ast.ImportFrom) else None
                for alias in each.names:
                    if (module or alias.name).split(".")[0] in _TELLS or "tensorboard" in (module or alias.name):
                        telling.add((alias.asname or alias.name).partition(".")[0])
                        self._leave(each, "it shows or sends, and changes nothing")
            elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Call) and syntax.first(each.value) in telling:
                telling |= set(syntax.stores(each))
        found = [each for each in ast.walk(tree) if isinstance(each, ast.stmt) and self._only_writes(each, telling)]
        inside = {id(inner) for each in found for inner in ast.walk(each) if inner is not each}
        lines = self.text.encode().splitlines(keepends=True)
        for each in sorted((one for one in found if id(one) not in inside), key=lambda one: one.lineno, reverse=True):
            self._refuse_moved(each)
            self._leave(each, "it writes, shows or sends, and changes nothing of the training")
            first, last = each.lineno - 1, (each.end_lineno or each.lineno) - 1
            rest = lines[last][each.end_col_offset :]
            lines[first] = lines[first][: each.col_offset] + b"pass" + (rest if first == last else b"\n")
            for at in range(first + 1, last + 1):
                lines[at] = b"\n" if at < last else (rest if rest.strip() else b"\n")
        self.text = b"".join(lines).decode()

    def _name_tensors(self) -> None:
        """Give names to the tensors of a TensorDataset that has expressions in their place, ahead of its statement.

        They are what the statement works out first, so that nothing else changes; where something would come before them, they
        stay as they are.
        """
        tree = ast.parse(self.text)
        used = set(re.findall(r"\w+", self.text))
        lines = self.text.encode().splitlines(keepends=True)
        for each in sorted(self._flattened(tree), key=lambda one: one.lineno, reverse=True):
            made = _dataset(each)
            if made is None or lines[each.lineno - 1][: each.col_offset].strip():
                continue
            first, last = each.lineno - 1, (each.end_lineno or each.lineno) - 1
            source, ahead = b"".join(lines[first : last + 1]), b""
            for of, arg in reversed([*zip(("inputs", "labels"), made.args, strict=False)]):
                if isinstance(arg, ast.Name):
                    continue
                name = next(name for more in itertools.count(1) if (name := of + "_" * more) not in used)
                used.add(name)
                start, end = (
                    sum(map(len, lines[first : at - 1])) + column
                    for at, column in ((arg.lineno, arg.col_offset), (arg.end_lineno or 0, arg.end_col_offset or 0))
                )
                ahead = name.encode() + b" = (" + source[start:end] + b"); " + ahead
                source = source[:start] + name.encode() + source[end:]
            lines[first : last + 1] = (source[: each.col_offset] + ahead + source[each.col_offset :]).splitlines(keepends=True)
        self.text = b"".join(lines).decode()

    def _refuse_moved(self, statement: ast.stmt) -> None:
        """Refuse a statement that is left out as it only shows or sends, where something in it does more."""
        for call in (each for each in ast.walk(statement) if isinstance(each, ast.Call)):
            name = syntax.callee(call)
            if name in {"load_model", "load_checkpoint"} or (name == "watch" and isinstance(statement, ast.Assign)):
                self._problem(call, STARTS, syntax.dotted(call))
            elif name in _MOVES or IN_PLACE.fullmatch(name):
                self._problem(call, "a statement that only shows or writes what is there", f"{name} within it")

    def _only_writes(self, statement: ast.stmt, telling: set[str]) -> bool:
        if isinstance(statement, ast.With):
            opened = any(
                syntax.callee(each.context_expr) == "open"
                and isinstance(each.context_expr, ast.Call)
                and any(isinstance(a, ast.Constant) and set(str(a.value)) & set("wax") for a in each.context_expr.args[1:])
                for each in statement.items
            )
            return opened and all(isinstance(each, ast.Expr) for each in statement.body)
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            return syntax.first(statement.value) in telling
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            return False
        call = statement.value
        # What a function of the script does nobody knows by its name, and what is told may be what a step returns.
        own = {each.name for each in ast.walk(ast.parse(self.text)) if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        if any(syntax.callee(one) in own | {"backward", "step", "train", "load_state_dict"} for one in syntax.calls_in(call)):
            return False
        return syntax.first(call) in telling or bool(_WRITES.fullmatch(syntax.callee(call)))

    def _afterwards(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """What follows on the training: carried over where it can still change the network."""
        kept, evaluates = [], False
        for each in statements:
            evaluates = evaluates or self._calls(each, {"eval"})
            changes = any(MUTATES.fullmatch(syntax.callee(one)) for one in self._all_calls(each))
            calls_model = any(isinstance(one.func, ast.Name) and one.func.id in self._modules() for one in self._all_calls(each))
            if changes or (calls_model and not evaluates) or set(syntax.stores(each)) & self._modules():
                kept.append(each)
            elif not isinstance(each, ast.Pass):
                self._leave(each, "it follows on the training, and the network stays what it is")
        return kept

    def _modules(self) -> set[str]:
        """Names that optimisers take the parameters of."""
        found = set()
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Call) and OPTIMISERS.fullmatch(syntax.callee(node)):
                for inner in ast.walk(node):
                    if (
                        isinstance(inner, ast.Call)
                        and syntax.callee(inner) in {"parameters", "named_parameters"}
                        and syntax.first(inner)
                    ):
                        found.add(syntax.first(inner))
        return found

    def _take_table(self) -> None:
        """Find the one call that reads the table, and put what is handed over in its place.

        Raises:
            InputError: If there is none.
        """
        carried = [*self.run, *(self.definitions[name] for name in self._reached(self.run))]
        calls = [
            call
            for each in carried
            for call in syntax.calls_in(each)
            if _READS.fullmatch(syntax.callee(call)) and not syntax.dotted(call).startswith("importlib")
        ]
        calls = list({(call.lineno, call.col_offset): call for call in calls}.values())
        tables = [
            each
            for each in calls
            if syntax.callee(each) in _TABLE and syntax.first(each) not in {"torch", "json", "pickle", "joblib"}
        ]
        named = [each for each in tables if any(self.data in text for text in syntax.texts(each))]
        chosen = named or tables
        if not chosen:
            expected = f"a table that pandas or NumPy reads, as pd.read_csv({self.data!r}), {BY_HAND}"
            self.problems.append(Problem(self.path.name, "--from", expected, "none"))
        for each in calls:
            if each is not (chosen[0] if chosen else None):
                expected = f"no other file than the table of --data, {BY_HAND}, with the file in a folder of [data] inputs"
                if not self._refuse_call(each):
                    self._problem(each, expected, f"{syntax.dotted(each)}, which reads one")
        if not chosen:
            self._stop_at_problems()
        (call, *_) = chosen
        self._table_call = call
        for keyword in call.keywords:
            if keyword.arg not in _KEYWORDS:
                self._problem(call, "the table as pandas reads it by itself: write it as you use it", f"{keyword.arg}=…")
        self._read_by = f"line {call.lineno}: {ast.unparse(call)}: the table of --data is handed over in its place"
        _Replace(call, GIVEN).everywhere([*self.run, *self.definitions.values()])

    def _bound(self, imports: Iterable[ast.stmt]) -> set[str]:
        found = set()
        for each in imports:
            if isinstance(each, ast.Import | ast.ImportFrom):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in each.names}
        return found

    def _is_constant(self, statement: ast.stmt, known: set[str]) -> bool:
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        if value is None or any(syntax.callee(call) not in _PLAIN for call in syntax.calls_in(value)):
            return False
        if any(isinstance(node, ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.DictComp) for node in ast.walk(value)):
            return False
        builtins = {"True", "False", "None", *_PLAIN}
        return all(name in known or name in builtins for name in syntax.loads(value))

    def _nested(self, needed: set[str], run_names: set[str]) -> list[ast.FunctionDef | ast.ClassDef]:
        """Definitions that use what only the training knows."""
        found = list[ast.FunctionDef | ast.ClassDef]()
        names = set(run_names)
        while True:
            more = [
                each
                for name, each in self.definitions.items()
                if name in needed and each not in found and syntax.free(each) & names
            ]
            if not more:
                return found
            found += more
            names |= {each.name for each in more}

    def _run_names(self) -> set[str]:
        return {name for each in self.run for name in syntax.stores(each)}


def _dataset(statement: ast.stmt) -> ast.Call | None:
    """The TensorDataset of two tensors that a statement makes before anything else."""
    if not isinstance(statement, ast.Assign) or not all(map(syntax.is_names, syntax.targets(statement))):
        return None
    value: ast.expr = statement.value
    while isinstance(value, ast.Call) and syntax.callee(value) in {"DataLoader", "random_split"} and value.args:
        value = value.args[0]
    made = isinstance(value, ast.Call) and syntax.callee(value) == "TensorDataset" and len(value.args) == _TENSORS
    return value if made and isinstance(value, ast.Call) and not any(isinstance(a, ast.Starred) for a in value.args) else None


class _Replace(ast.NodeTransformer):
    """Puts a name in the place of one call."""

    def __init__(self, call: ast.Call, name: str) -> None:
        self._at, self._name = (call.lineno, call.col_offset), name

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if (node.lineno, node.col_offset) == self._at and _READS.fullmatch(syntax.callee(node)):
            return ast.copy_location(ast.Name(self._name, ast.Load()), node)
        self.generic_visit(node)
        return node

    def everywhere(self, statements: Iterable[ast.stmt]) -> None:
        for each in statements:
            self.visit(each)
