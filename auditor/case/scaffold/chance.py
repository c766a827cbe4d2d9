"""What a script draws from a generator that lines share, or from a seed of the whole process: the case would draw otherwise.

A case trains again and again, each time from its own seed, and carries over some lines alone. A number draws the same there as in
the script. A generator goes on from where the line before left it, and a seed of the process is one for every line.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from auditor.case.scaffold import dropped, rows
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import Step
from auditor.case.scaffold.syntax import callee, calls_in, last, loads, root, words

_GENERATORS: Final = words(
    "RandomState default_rng Generator Random SystemRandom check_random_state SeedSequence PCG64 PCG64DXSM MT19937 Philox SFC64"
)
_MODULES: Final = words("random _rand")
"""What hands the state of the whole process to random_state."""
_SEEDS: Final = re.compile(
    r"(?:\w*_)?(?:set|fix|init|manual|global|all|random|np|numpy)_?(?:\w+_)?seeds?(?:_\w+)?|seed|seed_\w+|set_state|setstate"
)
_NUMBERS: Final = words("int")
_OF_SPLITS: Final = "sklearn.model_selection"
_INSTALLED: Final = "sklearn"
"""The auditor has it, so that its own words on random_state are asked; no other package is imported for a script."""
_LIBRARIES: Final = words("sklearn imblearn")
_WRITTEN: Final = "build.py"


def faults(
    steps: Sequence[Step], said: Mapping[int, str], fit: int, splits: Collection[int], fits: int
) -> Iterator[tuple[int, Fault]]:
    """Name the lines that draw what fit gets, or what it is, as no case could.

    Args:
        steps: Every statement in the order in which they run.
        said: What became of those that are carried over.
        fit: Position of the one that fits.
        splits: Positions of those that split.
        fits: How often the script fits the model.
    """
    drawn = _Drawn(steps[: fit + 1], said, fit, splits)
    yield from drawn.generators(once=fits == 1)
    yield from drawn.seeds()


class _Drawn:
    def __init__(self, steps: Sequence[Step], said: Mapping[int, str], fit: int, splits: Collection[int]) -> None:
        self._steps, self._said, self._splits = steps, said, splits
        carried = {*(at for at in said if at <= fit), fit}
        used = dropped.reaching({name for at in carried for name in loads(steps[at].node)}, steps)
        self._used = [at for at, step in enumerate(steps) if at in carried or _given(step.node) & used]
        self._above = {
            id(inner): outer for step in steps for outer in ast.walk(step.node) for inner in ast.iter_child_nodes(outer)
        }
        everything = [each for step in steps for each in ast.walk(step.node)]
        self._own = {each.name for each in everything if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        self._paths: dict[str, str] = {}
        self._stars: list[str] = []
        for each in everything:
            self._import(each)
        self._everything = everything

    def _import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for each in node.names:
                self._paths[each.asname or each.name.partition(".")[0]] = (
                    each.name if each.asname else each.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                if each.name == "*":
                    self._stars.append(node.module or "")
                else:
                    self._paths[each.asname or each.name] = f"{node.module or ''}.{each.name}"

    def _path(self, node: ast.AST) -> str:
        """What a name or attribute is by the imports; empty where it is something of the script's own."""
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return ""
        parts = ast.unparse(node).split(".")
        if parts[0] in self._paths:
            return ".".join([self._paths[parts[0]], *parts[1:]])
        for module in self._stars:
            if _found(f"{module}.{parts[0]}") is not None:
                return ".".join([module, *parts])
        return ""

    # -- generators ---------------------------------------------------------------------------------------------------------

    def generators(self, *, once: bool) -> Iterator[tuple[int, Fault]]:
        """Refuse a generator, but for one for a single estimator or split, made again for each training."""
        for at in self._used:
            step = self._steps[at]
            for node in ast.walk(step.node):
                if self._is_generator(node) and not (once and self._is_of_one(at, node)):
                    yield getattr(node, "lineno", step.line), _shared(self._above.get(id(node)))
                elif isinstance(node, ast.keyword) and node.arg == "random_state" and last(node.value) in _MODULES:
                    yield step.line, _shared(None)

    def _is_generator(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Name | ast.Attribute) or self._is_annotation(node):
            return False
        return last(node) in _GENERATORS or self._path(node).rpartition(".")[2] in _GENERATORS

    def _is_annotation(self, node: ast.AST) -> bool:
        while (above := self._above.get(id(node))) is not None:
            if node is getattr(above, "annotation", None) or node is getattr(above, "returns", None):
                return True
            node = above
        return False

    def _is_of_one(self, at: int, node: ast.AST) -> bool:
        call = self._above.get(id(node))
        if not isinstance(call, ast.Call) or call.func is not node:
            return False
        if self._is_random_state(call):
            return at in self._splits or self._said.get(at) == _WRITTEN or self._is_in_body(call)
        match self._steps[at].node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call and self._said.get(at) == _WRITTEN:
                return self._is_given_once(name)
            case _:
                return False

    def _is_given_once(self, name: str) -> bool:
        """Whether one estimator that is written out gets what a name stands for, and nothing else does."""
        found = [
            (at, each)
            for at, step in enumerate(self._steps)
            for each in ast.walk(step.node)
            if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
        ]
        if len(found) != 1:
            return False
        at, load = found[0]
        return self._said.get(at) == _WRITTEN and self._is_random_state(load) and not self._is_repeated(load)

    def _is_random_state(self, node: ast.AST) -> bool:
        """Whether it is the random_state that a library's class or function is given."""
        keyword = self._above.get(id(node))
        call = self._above.get(id(keyword))
        return (
            isinstance(keyword, ast.keyword)
            and keyword.arg == "random_state"
            and isinstance(call, ast.Call)
            and self._path(call.func).partition(".")[0] in rows.HARMLESS
        )

    def _is_in_body(self, node: ast.AST) -> bool:
        """Whether it runs each time that a function is called."""
        while (above := self._above.get(id(node))) is not None:
            if isinstance(above, ast.arguments | ast.ClassDef):
                return False
            if isinstance(above, ast.FunctionDef):
                return node in above.body
            node = above
        return False

    def _is_repeated(self, node: ast.AST) -> bool:
        """Whether it may run several times, or later."""
        often = ast.FunctionDef | ast.ClassDef | ast.Lambda | ast.For | ast.While | ast.comprehension
        often |= ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
        while (above := self._above.get(id(node))) is not None:
            if isinstance(above, often):
                return True
            node = above
        return False

    # -- seeds --------------------------------------------------------------------------------------------------------------

    def seeds(self) -> Iterator[tuple[int, Fault]]:
        """Refuse a seed of the whole process where something that the training needs may draw from it."""
        seeds = [
            (call.lineno, call)
            for step in self._steps
            for call in calls_in(step.node)
            if _SEEDS.fullmatch(callee(call)) or _SEEDS.fullmatch(self._path(call.func).rpartition(".")[2])
        ]
        if not seeds:
            return
        found = [last(node) for at in self._used for node in ast.walk(self._steps[at].node) if self._may_draw(node)]
        if not found:
            return
        names = ", ".join(list(dict.fromkeys(found))[:8])
        for line, call in seeds:
            yield (
                line,
                Fault(
                    f"seeds what {names} may draw from, for want of a random_state; each training of the audit draws otherwise",
                    f"a number for each estimator and split: random_state={_number(call)}",
                ),
            )

    def _may_draw(self, node: ast.AST) -> bool:
        path = self._path(node)
        if not path or self._is_annotation(node):
            return False
        begins, name = path.partition(".")[0], path.rpartition(".")[2]
        if path.startswith(("random.", "numpy.random.")):
            return name not in _GENERATORS and not _SEEDS.fullmatch(name)
        call = self._above.get(id(node))
        called = call if isinstance(call, ast.Call) and call.func is node else None
        if begins in _LIBRARIES:
            parameters = _parameters(path)
            if parameters is None or "random_state" not in parameters:
                return False
            if path.startswith(_OF_SPLITS) and called is not None and "shuffle" in parameters:
                shuffles = {each.arg: each.value for each in called.keywords}.get("shuffle", ast.Constant(parameters["shuffle"]))
                if isinstance(shuffles, ast.Constant) and shuffles.value is False:
                    return False
        elif begins in rows.HARMLESS or not name[:1].isupper() or called is None:
            return False
        return called is None or not self._is_numbered(called)

    def _is_numbered(self, call: ast.Call) -> bool:
        """Whether a call names a number as its random_state."""
        given = {each.arg: each.value for each in call.keywords}
        if "random_state" in given:
            return not self._may_be_none(given["random_state"])
        spread = {last(each.value) for each in call.keywords if each.arg is None} - {""}
        return bool(spread) and all(self._spreads_number(name) for name in spread)

    def _spreads_number(self, name: str) -> bool:
        """Whether every value of a name is a mapping with a number as its random_state."""
        values = [
            each.value
            for each in self._everything
            if isinstance(each, ast.Assign) and any(last(target) == name for target in each.targets)
        ]
        return bool(values) and all(self._maps_number(each) for each in values)

    def _maps_number(self, node: ast.expr) -> bool:
        match node:
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                given = [value for key, value in pairs if isinstance(key, ast.Constant) and key.value == "random_state"]
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                given = [each.value for each in keywords if each.arg == "random_state"]
            case _:
                return False
        return bool(given) and not self._may_be_none(given[-1])

    def _may_be_none(self, node: ast.expr) -> bool:
        if any(isinstance(each, ast.Constant) and each.value is None for each in ast.walk(node)):
            return True
        if any(callee(each) not in _NUMBERS | _GENERATORS for each in calls_in(node)):
            return True
        return last(node) in self._nones() or last(node) in _MODULES

    def _nones(self) -> set[str]:
        """Names that are given None somewhere."""
        found = set[str]()
        for each in self._everything:
            match each:
                case ast.Assign(value=value, targets=targets) if _is_none(value):
                    found |= {last(target) for target in targets}
                case ast.AnnAssign(value=ast.expr() as value, target=target) if _is_none(value):
                    found.add(last(target))
                case ast.keyword(arg=str(name), value=value) if _is_none(value):
                    found.add(name)
                case ast.arguments():
                    places = [*each.posonlyargs, *each.args]
                    defaults = zip(places[len(places) - len(each.defaults) :], each.defaults, strict=True)
                    found |= {one.arg for one, value in defaults if _is_none(value)}
                    named = zip(each.kwonlyargs, each.kw_defaults, strict=True)
                    found |= {one.arg for one, value in named if value is not None and _is_none(value)}
        return found - {"random_state", ""}


def _shared(call: ast.AST | None) -> Fault:
    why = "a generator of random numbers, which goes on from one use, and one training, to the next"
    return Fault(why, f"write a number: random_state={_number(call)}")


def _number(call: ast.AST | None) -> int:
    """The number that a seed or a generator starts from; another where none is written."""
    match call:
        case ast.Call(args=[ast.Constant(value=int(number)), *_]):
            return number
        case _:
            return 3


def _given(node: ast.stmt) -> set[str]:
    """Names that a statement gives a value, or a part of their value."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    targets = node.targets if isinstance(node, ast.Assign) else []
    return found | {root(each) for each in targets} - {""}


def _is_none(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Constant) and each.value is None for each in (node, *ast.iter_child_nodes(node)))


def _found(path: str) -> Any:
    """What a path of a library that the auditor has stands for; None where it has none."""
    module, _, name = path.rpartition(".")
    if module.partition(".")[0] != _INSTALLED:
        return None
    try:
        return getattr(import_module(module), name, None)
    except ImportError:
        return None


def _parameters(path: str) -> dict[str, Any] | None:
    """Parameters of a library's class or function, and their defaults: random_state where unknown; None where it is neither."""
    found, name = _found(path), path.rpartition(".")[2]
    if found is None:
        return {"random_state": None} if name[:1].isupper() and name != "Pipeline" else None
    if inspect.ismodule(found) or not callable(found):
        return None
    try:
        return {name: each.default for name, each in inspect.signature(found).parameters.items()}
    except (TypeError, ValueError):
        return None
