"""What gives a call, a default or a name another meaning away from where it is used: `LogisticRegression.fit = …`, `import *`.

The statements between table and model are followed with the meaning that their words have by themselves. A script, or a module of
its own, that changes such a meaning is refused wherever it does so: nothing that is carried over would show it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.syntax import callee, last, root, words

_DEFINED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_MAKES_NEW: Final = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
_CHANGES: Final = words("append extend insert remove pop popitem clear update setdefault reverse sort add discard fill")
_BY_NAME: Final = words("exec eval compile globals locals vars __import__ __builtins__ import_module reload")
"""Functions that find or change names by their text."""
_INNER: Final = words(
    "__dict__ __globals__ __builtins__ __code__ __defaults__ __kwdefaults__ __closure__ __subclasses__ __bases__ __func__ "
    "__setattr__ __delattr__ __setitem__ __delitem__ __getattribute__ __wrapped__ __mro__ __next__ cell_contents f_globals "
    "f_locals gi_frame"
)
"""Attributes by which a function, class or module is changed from outside."""
_REACHING: Final = words("builtins code codeop ctypes gc imp importlib inspect mock runpy")
_ONCE: Final = words(
    "iter map filter zip enumerate reversed open reader DictReader islice chain cycle count repeat starmap takewhile dropwhile "
    "accumulate product permutations combinations groupby tee iterrows itertuples items_iter iterdir glob rglob scandir"
)
"""Calls whose result gives each item once."""
_INTO: Final = words("copyto place putmask fill_diagonal put_along_axis at")
"""Functions of NumPy that change what they are given."""
_INTO_ITS_ARGUMENT: Final = words("iadd isub imul itruediv ifloordiv imod ipow iand ior ixor iconcat ilshift irshift imatmul")
_MAGIC: Final = frozenset({"matplotlib", "config", "load_ext", "reload_ext", "autoreload", "time", "timeit"})
_TAKES: Final = words("popleft heappop readline get_nowait send")
"""Calls that take the next item away."""
_SETS_ITSELF: Final = words("__init__ __post_init__ __setstate__ set_params fit fit_transform fit_resample partial_fit")
"""Methods that may set what their object holds."""
_IMPORTED: Final = frozenset({".py", ".pyc", ".so", ".pyd"})
_SHOWN: Final = frozenset({"matplotlib", "seaborn", "plotly"})
_QUIET: Final = _SHOWN | {"warnings", "logging"}
"""Modules whose settings change no number."""

PATCHED: Final = Fault(
    "changes an imported name, function or class from outside, and with it what other statements do",
    "give the changed value where it is used, as an argument, or write a function or class of another name",
)
_HIDDEN: Final = Fault(
    "finds or changes names by their text, or parts of functions and classes, which is not followed",
    "plain assignments and calls",
)
_STAR: Final = Fault("may give any name another meaning", "import each name that is used: from module import name")
_PATHS: Final = Fault(
    "changes where modules are found, so that what an import means is not known", "lay the script's own modules alongside it"
)
_WALRUS: Final = Fault(
    "gives a name a value within an expression, where it is not followed", "assign it in a statement of its own before: name = …"
)
_MATCH: Final = Fault("gives names values by patterns, which are not followed", "if and elif, and assignments")
_ITERATOR: Final = Fault(
    "gives each item once, so that what is next depends on who asked before",
    "make it a list, and take items by their place: list(…)[0]",
)
_DEFAULT: Final = Fault(
    "has a default that its calls may change, so that each call depends on those before",
    "None as the default, and a new list or dictionary within the function",
)
_LEARNED: Final = Fault(
    "changes what a model has learned, or has it learn again, where the script does not show it",
    "do it in the script itself, or leave it out",
)
_INTO_METHODS: Final = {
    "clip": 3, "round": 2, "cumsum": 3, "cumprod": 3, "sum": 3, "prod": 3, "mean": 3, "std": 3, "var": 3, "argmax": 2,
    "argmin": 2, "dot": 2, "take": 3, "compress": 3,
}  # fmt: skip
"""Methods of arrays that may be given where to write their result, and as which argument."""
_WHERE_DEFINED: Final = Fault(
    "calls a function of the script's own where another is defined, which is not followed",
    "assign what it gives to a name before",
)
_OF_CLASS: Final = Fault("changes a value that all objects of a class share", "set it in __init__: self.name = …")
_STATE: Final = Fault(
    "changes its object with each call, so that what it gives depends on the calls before",
    "a function that returns the value; or set it in __init__ or fit",
)
_UNSEEN: Final = Fault("changes a value in place in a way that is not followed", "assign the changed value to a name of its own")
_OUTSIDE: Final = Fault(
    "changes from within a function or class what stands outside it, so that each call depends on those before",
    "return the value, and assign it where the function is called",
)
_SETTING: Final = Fault(
    "changes a setting of a library, which may change what is learned", "leave it out, or give it as an argument"
)
_ON_IMPORT: Final = Fault(
    "does something when it is imported, which is not followed", "leave only imports, definitions and assignments in that module"
)


_NAMED: Final = Fault(
    "depends on how the file is called, and on what it begins with, which differ in the case", "write the value into the script"
)
_OF_FILE: Final = words("__doc__ __annotations__ __spec__ __package__ __loader__ __cached__ __path__")
_OF_PLACE: Final = words(
    "parent parents resolve absolute joinpath with_name dirname abspath realpath path join Path PurePath read_csv"
)
"""What makes a path of the place of a file, which holds in the case as well."""
_UNREAD: Final = Fault("cannot be read, so that nobody knows what it does when it is imported", "Python source of this version")


def faults(tree: ast.Module, path: Path) -> Iterator[tuple[Path, int, Fault]]:
    """Name what changes meanings in a script and in the modules of its own that it imports, by file and line.

    Args:
        tree: The script.
        path: Where it lies; its modules lie alongside.
    """
    yield from ((path, line, fault) for line, fault in _Meanings(tree).found())
    for file, module in _own_modules(tree, path):
        if module is None:
            yield file, 1, _UNREAD
            continue
        meanings = _Meanings(module)
        found = (*meanings.found(), *meanings.learned(), *_when_imported(module))
        yield from ((file, line, fault) for line, fault in found)


def _own_modules(tree: ast.Module, path: Path) -> Iterator[tuple[Path, ast.Module | None]]:
    """The modules alongside a script that it imports, with what they import; of a package, all. None for what is no source."""
    folder, seen = path.resolve().parent, {path.resolve()}
    waiting = [tree]
    while waiting:
        for name in _tops(waiting.pop()):
            for file in sorted([*folder.glob(f"{name}.*"), *(folder / name).rglob("*")]):
                if file.suffix not in _IMPORTED or "__pycache__" in file.parts or file.resolve() in seen or not file.is_file():
                    continue
                seen.add(file.resolve())
                module = _parsed(file)
                yield file, module
                waiting += [] if module is None else [module]


def _parsed(file: Path) -> ast.Module | None:
    try:
        return ast.parse(file.read_bytes()) if file.suffix == ".py" else None
    except (SyntaxError, ValueError):
        return None


def _tops(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from [node.module.partition(".")[0]] if node.module else (each.name for each in node.names)


def _when_imported(tree: ast.Module) -> Iterator[tuple[int, Fault]]:
    """Calls at the top of a module that are made for what they do."""
    whence = _whence(tree)
    for node in _run(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            first = root(node.value.func)
            if first != "print" and whence.get(first, "").partition(".")[0] not in _QUIET:
                yield node.lineno, _ON_IMPORT


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is imported: not the bodies of functions, nor what only a script does."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, _FUNCTION) and not (isinstance(each, ast.If) and "__name__" in ast.unparse(each.test)):
            yield each
            yield from _run(each)


def _whence(tree: ast.AST) -> dict[str, str]:
    """The module, and the name in it, that each imported name stands for."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {
                each.asname or each.name.partition(".")[0]: each.name if each.asname else each.name.partition(".")[0]
                for each in node.names
            }
        elif isinstance(node, ast.ImportFrom):
            found |= {each.asname or each.name: f"{node.module or ''}.{each.name}" for each in node.names}
    return found


@dataclass
class _Meanings:
    """The names of one file that stand for something defined elsewhere in it, or imported."""

    tree: ast.Module
    nodes: list[ast.AST] = field(init=False)
    whence: dict[str, str] = field(init=False)
    defined: dict[str, ast.AST] = field(init=False)
    imports: dict[str, ast.Import | ast.ImportFrom] = field(init=False)

    def __post_init__(self) -> None:
        self.nodes = [*ast.walk(self.tree)]
        self.whence = _whence(self.tree)
        self.defined = {each.name: each for each in self.nodes if isinstance(each, _DEFINED)}
        self.imports = {
            each.asname or each.name.partition(".")[0]: node
            for node in self.nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for each in node.names
        }

    def found(self) -> Iterator[tuple[int, Fault]]:
        classes = {
            each.args.args[0].arg
            for each in self.nodes
            if isinstance(each, ast.FunctionDef)
            and each.args.args
            and any(last(one) == "classmethod" for one in each.decorator_list)
        }
        foreign = self._reached({*self.whence, *self.defined, *classes, "getattr"})
        yield from self._words()
        yield from ((line, PATCHED) for line in self._changed(foreign))
        yield from self._walruses()
        yield from self._iterators()
        yield from self._defaults()
        yield from self._shared()
        yield from self._states()
        yield from self._unseen()
        yield from self._outside()
        yield from self._surroundings()
        yield from self._operators()

    def learned(self) -> Iterator[tuple[int, Fault]]:
        """Functions that change what a model which they are given has learned, or have it learn again."""
        for function in (each for each in self.nodes if isinstance(each, ast.FunctionDef)):
            held = self._within(function, {each.arg for each in function.args.args} - {"self"})
            for node in ast.walk(function):
                stored = isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)
                called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                if not (stored or called) or not isinstance(node, ast.expr) or root(node) not in held:
                    continue
                fitted = any(
                    isinstance(each, ast.Attribute) and each.attr.strip("_") + "_" == each.attr for each in ast.walk(node)
                )
                again = called and callee(node) in {"fit", "partial_fit", "set_params"}
                if again or (fitted and (stored or callee(node) in _CHANGES)):
                    yield node.lineno, _LEARNED

    def _operators(self) -> Iterator[tuple[int, Fault]]:
        """Operators of classes of the script's own that change what they are given."""
        for method in (each for each in self.nodes if isinstance(each, ast.FunctionDef)):
            if not (method.name.startswith("__") and method.name.endswith("__")) or method.name in _SETS_ITSELF:
                continue
            given = {each.arg for each in method.args.args}
            held = self._within(method, given)
            for node in ast.walk(method):
                target = node.target if isinstance(node, ast.AugAssign) else node
                stored = isinstance(target, ast.Attribute | ast.Subscript) and isinstance(target.ctx, ast.Store | ast.Del)
                again = isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
                called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES
                if (stored or again or called) and root(target) in held:
                    yield method.lineno, _STATE

    def _surroundings(self) -> Iterator[tuple[int, Fault]]:
        """What the name, the text or the place of the file decides, other than where other files lie and whether it is run."""
        above = {id(inner): outer for outer in self.nodes for inner in ast.iter_child_nodes(outer)}
        for node in self.nodes:
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
                continue
            if (
                node.id in _OF_FILE
                or (node.id == "__name__" and not self._asks_whether_run(node, above))
                or (node.id == "__file__" and not self._is_of_place(node, above))
            ):
                yield node.lineno, _NAMED

    @staticmethod
    def _asks_whether_run(node: ast.Name, above: Mapping[int, ast.AST]) -> bool:
        outer = above.get(id(node))
        if isinstance(outer, ast.Call):
            return callee(outer) in {"getLogger", "print"}
        return isinstance(outer, ast.Compare) and isinstance(whole := above.get(id(outer)), ast.If) and whole.test is outer

    @staticmethod
    def _is_of_place(node: ast.AST, above: Mapping[int, ast.AST]) -> bool:
        around = False
        while isinstance(outer := above.get(id(node)), ast.expr):
            around |= last(outer) in {"parent", "parents"} or callee(outer) == "dirname"
            match outer:
                case ast.Attribute(attr=name) if name in _OF_PLACE:
                    pass
                case ast.Call() if callee(outer) in _OF_PLACE or outer.func is node:
                    pass
                case ast.Call(func=function) if function is not node:
                    return callee(outer) not in {
                        "open",
                        "len",
                        "str",
                        "basename",
                        "splitext",
                        "hash",
                        "ord",
                        "getsize",
                        "getmtime",
                    }
                case ast.Subscript(value=held) if held is node and isinstance(node, ast.Attribute) and node.attr == "parents":
                    pass
                case ast.BinOp(op=ast.Div()) | ast.JoinedStr() | ast.FormattedValue():
                    pass
                case _:
                    return False
            node = outer
        return around

    # -- what is changed through a name -------------------------------------------------------------------------------------

    def _reached(self, names: set[str]) -> set[str]:
        """The names, and those that stand for the same: assigned, looped over, or handed to a function of the file."""
        found, before = set(names), -1
        while len(found) > before:
            before = len(found)
            for node in self.nodes:
                if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                    if self._stands_for(node.value, found):
                        into = node.targets if isinstance(node, ast.Assign) else [node.target]
                        found |= {name for each in into for name in _names(each)}
                elif isinstance(node, ast.For | ast.comprehension):
                    if self._stands_for(node.iter, found):
                        found |= _names(node.target)
                elif isinstance(node, ast.Call):
                    found |= self._handed(node, found)
        return found

    def _stands_for(self, node: ast.expr, names: set[str]) -> bool:  # noqa: PLR0911 - one per kind of expression
        """Whether a value may be, or hold, what one of the names stands for."""
        match node:
            case ast.Name(id=name):
                return name in names
            case ast.Attribute():
                return root(node) in names and not isinstance(node.value, ast.Call | ast.Subscript)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.BoolOp(values=parts):
                return any(self._stands_for(each, names) for each in parts)
            case ast.Dict(values=parts):
                return any(self._stands_for(each, names) for each in parts)
            case ast.IfExp(body=one, orelse=other):
                return self._stands_for(one, names) or self._stands_for(other, names)
            case ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self._stands_for(value, names)
            case ast.Call(func=ast.Name(id="getattr"), args=[held, *_]):
                return self._stands_for(held, names)
            case ast.Call(func=ast.Name(id=name)) if isinstance(function := self.defined.get(name), ast.FunctionDef):
                returned = (each.value for each in ast.walk(function) if isinstance(each, ast.Return))
                return any(isinstance(each, ast.Name | ast.Attribute) and self._stands_for(each, names) for each in returned)
            case _:
                return False

    def _handed(self, call: ast.Call, names: set[str]) -> set[str]:
        """Arguments of a function of the file that get such a thing."""
        function = self.defined.get(callee(call))
        if isinstance(function, ast.ClassDef):
            function = next(
                (each for each in function.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None
            )
        if not isinstance(function, ast.FunctionDef):
            return set()
        given = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        given = given[1:] if given[:1] == ["self"] else given
        found = {name for name, each in zip(given, call.args, strict=False) if self._stands_for(each, names)}
        return found | {each.arg for each in call.keywords if each.arg is not None and self._stands_for(each.value, names)}

    def _changed(self, names: set[str]) -> Iterator[int]:
        """Lines that set, delete or change an attribute or item of one of these names."""
        for node in self.nodes:
            if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                kind = isinstance(node.value, ast.Call) and callee(node.value) == "type"
                if kind or _has(node.value, "__class__") or (root(node) in names and not self._is_display(node)):
                    yield node.lineno
            elif (isinstance(node, ast.Call) and (self._changes(node, names) or callee(node) in {"setitem", "delitem"})) or (
                callee(node) in {"setattr", "delattr"}
                and isinstance(node, ast.Call)
                and not (node.args and _is_self(node.args[0]))
            ):
                yield node.lineno

    def _changes(self, call: ast.Call, names: set[str]) -> bool:
        """Whether a method changes what one of these names stands for."""
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _CHANGES:
            return False
        held = call.func.value
        if isinstance(held, ast.Name) and held.id in {"list", "dict", "set"}:
            return True
        if isinstance(held, ast.Name) and isinstance(self.imports.get(held.id), ast.Import):
            return False  # a function of a module
        of_numpy = self.whence.get(root(held), "").startswith("numpy")
        return not of_numpy and not self._is_display(call.func) and self._stands_for(held, names)

    def _is_display(self, node: ast.expr) -> bool:
        """Whether it is a setting of how something is shown, or of the surroundings, which a script cannot read back."""
        parts = [each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)][::-1]
        whole = ".".join([self.whence.get(root(node), ""), *parts])
        top = whole.partition(".")[0]
        return (
            (top in {"matplotlib", "seaborn"} and "rcParams" in whole.split("."))
            or whole.startswith(("plotly.io.templates.", "pandas.options.display.", "pandas.options.plotting.", "os.environ"))
            or whole == "pandas.options.mode.chained_assignment"
        )

    # -- words that are refused wherever they stand -------------------------------------------------------------------------

    def _words(self) -> Iterator[tuple[int, Fault]]:  # noqa: C901 - one per word
        for node in self.nodes:
            match node:
                case ast.Match():
                    yield node.lineno, _MATCH
                case ast.ImportFrom(names=[ast.alias(name="*")]):
                    yield node.lineno, _STAR
                case ast.Import() | ast.ImportFrom():
                    yield from ((node.lineno, _HIDDEN) for _ in range(_reaches(node)))
                case ast.Name(id=name) if name in _BY_NAME:
                    yield node.lineno, _HIDDEN
                case ast.Attribute(attr=name) if name in _INNER or name in {"import_module", "reload"}:
                    yield node.lineno, _HIDDEN
                case ast.Attribute(attr="modules", value=held) if self.whence.get(root(held), "") == "sys":
                    yield node.lineno, _HIDDEN
                case ast.Attribute(attr="path", value=held) if self.whence.get(root(held), "") == "sys":
                    yield node.lineno, _PATHS
                case ast.Constant(value=str(text)) if text in _INNER:
                    yield node.lineno, _HIDDEN
                case ast.Call() if callee(node) in {"set_option", "option_context"} and not _shows(node):
                    yield node.lineno, _SETTING
        for name, whole in self.whence.items():
            if whole in {"sys.modules", "sys.path"} and (imported := self.imports.get(name)) is not None:
                yield imported.lineno, _HIDDEN if whole == "sys.modules" else _PATHS

    def _walruses(self) -> Iterator[tuple[int, Fault]]:
        """Those that give a name another value than it has elsewhere, or one that changes from turn to turn."""
        stored = Counter(each.id for each in self.nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
        stored.update(each.arg for each in self.nodes if isinstance(each, ast.arg))
        stored.update([*self.whence, *self.defined, *vars(builtins)])
        turns = (
            each
            for each in self.nodes
            if isinstance(each, ast.For | ast.While | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        )
        within = {id(one) for each in turns for one in ast.walk(each)}
        for node in self.nodes:
            if isinstance(node, ast.NamedExpr) and (stored[node.target.id] > 1 or id(node) in within):
                yield node.lineno, _WALRUS

    # -- what is used up ----------------------------------------------------------------------------------------------------

    def _iterators(self) -> Iterator[tuple[int, Fault]]:
        loads = Counter(each.id for each in self.nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
        repeated = {
            name.id
            for each in self.nodes
            if isinstance(each, _FUNCTION | ast.For | ast.While)
            for name in ast.walk(each)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)
        }
        at_once = {id(each.args[0]) for each in self.nodes if isinstance(each, ast.Call) and callee(each) == "next" and each.args}
        for node in self.nodes:
            if isinstance(node, ast.Call) and callee(node) in _TAKES:
                yield node.lineno, _ITERATOR
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"next", "anext"}:
                # Of what is made between the brackets, the first item is always the same.
                if not node.args or not isinstance(node.args[0], ast.Call | ast.GeneratorExp) or self._own_call(node.args[0]):
                    yield node.lineno, _ITERATOR
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "iter":
                if id(node) not in at_once:
                    yield node.lineno, _ITERATOR
            elif isinstance(node, ast.Name) and node.id in {"iter", "next"} and not self._is_called(node):
                yield node.lineno, _ITERATOR
            elif isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                into = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {name for each in into for name in _names(each)}
                alone = all(isinstance(each, ast.Name) for each in into)
                again = not alone or any(loads[name] > 1 or name in repeated for name in names)
                if again and self._gives_once(
                    node.value, spread=not alone and all(isinstance(each, ast.Tuple | ast.List) for each in into)
                ):
                    yield node.lineno, _ITERATOR

    def _own_call(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.defined

    def _is_called(self, name: ast.Name) -> bool:
        return any(isinstance(each, ast.Call) and each.func is name for each in self.nodes)

    def _gives_once(self, node: ast.expr, *, spread: bool) -> bool:
        """Whether a value is used up by those who read it, or holds such a one.

        Args:
            node: The value.
            spread: Whether its items are given to several names, which reads all of it at once.
        """
        if isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.IfExp | ast.BoolOp):
            return any(self._gives_once(each, spread=False) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))
        if spread:
            return False
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call):
            return False
        function = self.defined.get(callee(node)) if isinstance(node.func, ast.Name) else None
        if isinstance(function, ast.FunctionDef):
            inner = [*ast.walk(function)]
            return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inner) or any(
                isinstance(each, ast.Return) and each.value is not None and self._gives_built_in(each.value) for each in inner
            )
        return self._gives_built_in(node)

    def _gives_built_in(self, node: ast.expr) -> bool:
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call) or callee(node) not in _ONCE:
            return False
        # A column has a method map as well, which gives all of it.
        return isinstance(node.func, ast.Name) or self.whence.get(root(node.func), "") in {"itertools", "csv", "builtins"}

    # -- what calls share ---------------------------------------------------------------------------------------------------

    def _defaults(self) -> Iterator[tuple[int, Fault]]:
        for function in (each for each in self.nodes if isinstance(each, _FUNCTION)):
            given = [*function.args.posonlyargs, *function.args.args]
            pairs = [*zip(given[len(given) - len(function.args.defaults) :], function.args.defaults, strict=True)]
            pairs += [(arg, each) for arg, each in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if each]
            names = {arg.arg for arg, each in pairs if isinstance(each, _MAKES_NEW | ast.Call | ast.Name | ast.Attribute)}
            if names and self._keeps(function, names):
                yield function.lineno, _DEFAULT
            made = [*function.args.defaults, *(each for each in function.args.kw_defaults if each)]
            made += [] if isinstance(function, ast.Lambda) else function.decorator_list
            if any(self._own_call(each) for part in made for each in ast.walk(part) if isinstance(each, ast.Call) and each.args):
                yield function.lineno, _WHERE_DEFINED

    def _keeps(self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, names: set[str]) -> bool:
        """Whether a function changes one of its arguments, or gives it to someone who may."""
        inner = [*ast.walk(function)]
        held = self._within(function, names)
        for node in inner:
            match node:
                case ast.Attribute() | ast.Subscript() if isinstance(node.ctx, ast.Store | ast.Del) and root(node) in held:
                    return True
                case ast.AugAssign(target=ast.Name(id=name)) if name in held:
                    return True
                case ast.Call(func=ast.Attribute(attr=name)) if name in _CHANGES and root(node.func) in held:
                    return True
                case ast.Call(func=ast.Name(id=name)) if name in self.defined or name in names:
                    if any(self._stands_for(each, held) for each in (*node.args, *(one.value for one in node.keywords))):
                        return True
                case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                    if self._stands_for(value, held):
                        return True
        return False

    def _within(self, function: ast.AST, names: set[str]) -> set[str]:
        """The names, and those that a function gives the same value, or a part of it."""
        held, before = set(names), -1
        while len(held) > before:
            before = len(held)
            for node in ast.walk(function):
                if isinstance(node, ast.Assign | ast.NamedExpr) and self._stands_for(node.value, held):
                    into = node.targets if isinstance(node, ast.Assign) else [node.target]
                    held |= {name for each in into for name in _names(each)}
        return held

    def _unseen(self) -> Iterator[tuple[int, Fault]]:
        """Changes by a function, or by a method that is called by another name."""
        called = {id(each.func) for each in self.nodes if isinstance(each, ast.Call)}
        for node in self.nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                by_name = node.attr in _CHANGES and id(node) not in called and self.whence.get(root(node), "") != "operator"
                if by_name or (node.attr.startswith("__i") and node.attr.strip("_") in _INTO_ITS_ARGUMENT):
                    yield node.lineno, _UNSEEN
            elif isinstance(node, ast.Call):
                of_numpy = self.whence.get(root(node.func), "").startswith("numpy")
                of_array = isinstance(node.func, ast.Attribute) and root(node.func) not in self.whence
                into = of_array and len(node.args) >= _INTO_METHODS.get(callee(node), sys.maxsize)
                if into or (of_numpy and (callee(node) in _INTO or _writes_into(node))) or callee(node) in _INTO_ITS_ARGUMENT:
                    yield node.lineno, _UNSEEN
                elif root(node.func) == "get_ipython" and node.args:
                    magic = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
                    if callee(node) != "run_line_magic" or magic not in _MAGIC:
                        yield node.lineno, _HIDDEN

    def _outside(self) -> Iterator[tuple[int, Fault]]:
        """Changes within a function of what is neither an argument of it nor assigned in it."""
        for definition in self.nodes:
            if isinstance(definition, ast.ClassDef):
                yield from ((each.lineno, _OUTSIDE) for each in definition.body if isinstance(each, ast.Global | ast.Nonlocal))
            if not isinstance(definition, _FUNCTION):
                continue
            inner = [*ast.walk(definition)]
            own = {each.arg for each in inner if isinstance(each, ast.arg)}
            own |= {each.id for each in inner if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            for node in inner:
                if isinstance(node, ast.Nonlocal):
                    yield node.lineno, _OUTSIDE
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
                    held = node.func.value
                    if isinstance(held, ast.Name | ast.Subscript) and root(held) not in {*own, *self.whence, ""}:
                        yield node.lineno, _OUTSIDE
                elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                    yield from [(node.lineno, _OUTSIDE)] if root(node) not in {*own, *self.whence, ""} else []

    def _shared(self) -> Iterator[tuple[int, Fault]]:
        """Changes through self of what the body of a class sets."""
        held = {
            name
            for each in self.nodes
            if isinstance(each, ast.ClassDef)
            for part in each.body
            if isinstance(part, ast.Assign | ast.AnnAssign) and isinstance(part.value, _MAKES_NEW | ast.Call | ast.Name)
            for name in _names(part.targets[0] if isinstance(part, ast.Assign) else part.target)
        }
        set_anew = {
            each.attr
            for each in self.nodes
            if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and _is_self(each.value)
        }
        for node in self.nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                changed: ast.expr = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
                changed = node.func.value
            else:
                continue
            if isinstance(changed, ast.Attribute) and changed.attr in held - set_anew:
                yield node.lineno, _OF_CLASS

    def _states(self) -> Iterator[tuple[int, Fault]]:
        """Methods that change what their object holds, other than those that are there for it."""
        for definition in (each for each in self.nodes if isinstance(each, ast.ClassDef)):
            for method in definition.body:
                if not isinstance(method, ast.FunctionDef) or method.name in _SETS_ITSELF or not method.args.args:
                    continue
                own = method.args.args[0].arg
                held = self._within(method, {own})
                for node in ast.walk(method):
                    stored = isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del)
                    changed = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES
                    if not isinstance(node, ast.expr) or root(node) not in held:
                        continue
                    if stored or (changed and isinstance(node, ast.Call) and not _is_bare(node, own)):
                        yield node.lineno, _STATE


def _writes_into(call: ast.Call) -> bool:
    """Whether a function of NumPy is given by place where to write its result."""
    function = getattr(np, callee(call), None)
    if isinstance(function, np.ufunc):
        return len(call.args) > function.nin
    try:
        names = [*inspect.signature(function).parameters] if callable(function) else []
    except (TypeError, ValueError):
        return False
    return "out" in names and len(call.args) > names.index("out")


def _is_bare(call: ast.Call, name: str) -> bool:
    """Whether it calls a method of that name's own: `self.update(…)`."""
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == name


def _names(target: ast.expr) -> set[str]:
    """The names that a target gives a value, not those whose attributes or items it sets."""
    return {each.id for each in ast.walk(target) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _has(node: ast.expr, attribute: str) -> bool:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Attribute) and node.attr == attribute:
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def _reaches(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether it imports what changes modules, or reads their code."""
    modules = [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    inner = {each.name for each in node.names}
    harmless = all(each in {"importlib.metadata", "importlib.resources"} for each in modules)
    whole = any(each.partition(".")[0] in _REACHING or each == "unittest.mock" for each in modules)
    return (whole and not harmless) or bool(inner & {"import_module", "mock"})


def _shows(call: ast.Call) -> bool:
    """Whether the options of pandas that it sets are about how tables are shown."""
    named = call.args[::2]
    return all(
        isinstance(each, ast.Constant) and str(each.value).startswith(("display.", "plotting.", "mode.chained_assignment"))
        for each in named
    )
