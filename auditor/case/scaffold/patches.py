"""What gives a call, a default or a name another meaning away from where it is used: `LogisticRegression.fit = …`, `import *`.

The statements between table and model are followed with the meaning that their words have by themselves. A script, or a module of
its own, that changes such a meaning is refused wherever it does so: nothing that is carried over would show it.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.script_names import CHANGES, FUNCTION, HIDDEN, Names, is_self, whence_of
from auditor.case.scaffold.shared_state import SharedState
from auditor.case.scaffold.syntax import callee, last, root, words
from auditor.case.scaffold.used_up import UsedUp

_BY_NAME: Final = words("exec eval compile globals locals vars __import__ __builtins__ import_module reload")
"""Functions that find or change names by their text."""
_INNER: Final = words(
    "__dict__ __globals__ __builtins__ __code__ __defaults__ __kwdefaults__ __closure__ __subclasses__ __bases__ __func__ "
    "__setattr__ __delattr__ __setitem__ __delitem__ __getattribute__ __wrapped__ __mro__ __next__ cell_contents f_globals "
    "f_locals gi_frame"
)
"""Attributes by which a function, class or module is changed from outside."""
_REACHING: Final = words("builtins code codeop ctypes gc imp importlib inspect mock runpy")
_IMPORTED: Final = frozenset({".py", ".pyc", ".so", ".pyd"})
_SHOWN: Final = frozenset({"matplotlib", "seaborn", "plotly"})
_QUIET: Final = _SHOWN | {"warnings", "logging"}
"""Modules whose settings change no number."""
PATCHED: Final = Fault(
    "changes an imported name, function or class from outside, and with it what other statements do",
    "give the changed value where it is used, as an argument, or write a function or class of another name",
)
_STAR: Final = Fault("may give any name another meaning", "import each name that is used: from module import name")
_PATHS: Final = Fault(
    "changes where modules are found, so that what an import means is not known", "lay the script's own modules alongside it"
)
_WALRUS: Final = Fault(
    "gives a name a value within an expression, where it is not followed", "assign it in a statement of its own before: name = …"
)
_MATCH: Final = Fault("gives names values by patterns, which are not followed", "if and elif, and assignments")
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
        found = (*meanings.found(), *SharedState(module).learned(), *_when_imported(module))
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
    whence = whence_of(tree)
    for node in _run(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            first = root(node.value.func)
            if first != "print" and whence.get(first, "").partition(".")[0] not in _QUIET:
                yield node.lineno, _ON_IMPORT


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is imported: not the bodies of functions, nor what only a script does."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, FUNCTION) and not (isinstance(each, ast.If) and "__name__" in ast.unparse(each.test)):
            yield each
            yield from _run(each)


class _Meanings(Names):
    """What changes the meaning of names in one file."""

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
        shared = SharedState(self.tree)
        yield from UsedUp(self.tree).found()
        yield from shared.found()
        yield from self._surroundings()
        yield from shared.operators()

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
                and not (node.args and is_self(node.args[0]))
            ):
                yield node.lineno

    def _changes(self, call: ast.Call, names: set[str]) -> bool:
        """Whether a method changes what one of these names stands for."""
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in CHANGES:
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

    def _words(self) -> Iterator[tuple[int, Fault]]:  # noqa: C901 - one per word
        for node in self.nodes:
            match node:
                case ast.Match():
                    yield node.lineno, _MATCH
                case ast.ImportFrom(names=[ast.alias(name="*")]):
                    yield node.lineno, _STAR
                case ast.Import() | ast.ImportFrom():
                    yield from ((node.lineno, HIDDEN) for _ in range(_reaches(node)))
                case ast.Name(id=name) if name in _BY_NAME:
                    yield node.lineno, HIDDEN
                case ast.Attribute(attr=name) if name in _INNER or name in {"import_module", "reload"}:
                    yield node.lineno, HIDDEN
                case ast.Attribute(attr="modules", value=held) if self.whence.get(root(held), "") == "sys":
                    yield node.lineno, HIDDEN
                case ast.Attribute(attr="path", value=held) if self.whence.get(root(held), "") == "sys":
                    yield node.lineno, _PATHS
                case ast.Constant(value=str(text)) if text in _INNER:
                    yield node.lineno, HIDDEN
                case ast.Call() if callee(node) in {"set_option", "option_context"} and not _shows(node):
                    yield node.lineno, _SETTING
        for name, whole in self.whence.items():
            if whole in {"sys.modules", "sys.path"} and (imported := self.imports.get(name)) is not None:
                yield imported.lineno, HIDDEN if whole == "sys.modules" else _PATHS

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
