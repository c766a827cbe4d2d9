"""Finds the file of a function that builds an estimator, and what that file imports from alongside it; runs nothing of it.

A file is read and its imports are followed by name, in its text alone. What lies in a package is copied with the whole package,
as it may import from anywhere in it, and a short file names the function. A function of a notebook or script has no file that
could be imported elsewhere: it is copied alone where it needs nothing from around it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import stat
import symtable
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.settings.values import show

PLACE: Final = "build"
_MOST_BYTES: Final = 16 * 1024 * 1024
_EXPECTED: Final = (
    'a function build(seed) at the top of a file: "model.py:build", or the function itself, imported from a file, such as '
    "from model import build"
)
_ALONE: Final = (
    "a function that needs nothing from around it (import inside it what it uses), or one in a file: from model import build"
)


@dataclass(frozen=True, slots=True)
class BuildFiles:
    """What is put into a case folder so that the sandbox can call the function."""

    entry: str
    """`file.py:function`."""
    files: dict[str, bytes]
    """By name in the case folder."""
    copied: tuple[str, ...]
    """Where each comes from, a line each."""


def find(build: str | Callable[..., object]) -> BuildFiles:
    """Find what a function that builds an estimator is made of.

    Args:
        build: `"model.py:build"` or a function.

    Raises:
        InputError: If it is neither, or its file cannot be taken as it is; with every problem.
    """
    if isinstance(build, str):
        return _named(build)
    if not isinstance(build, FunctionType):
        raise _refused(_EXPECTED, f"{type(build).__name__} {getattr(build, '__name__', '')}".strip())
    if build.__name__ == "<lambda>":
        raise _refused(_EXPECTED, "a lambda")
    file = _own_file(build)
    if file is None:
        return _alone(build)
    _refuse_changed(file, build)
    return of_file(file, build.__name__)


def _refuse_changed(file: Path, build: FunctionType) -> None:
    """Refuse a file that says something else than what was imported from it: the copy would not be what was tried.

    A decorated function is what its decorator makes: its file has no code to compare with.
    """
    if Path(build.__code__.co_filename) != file:
        return
    content = file.read_bytes()
    try:
        codes = _compiled(content, build.__name__)
    except (SyntaxError, ValueError):
        return  # said of the file itself
    if codes and not any(_same(code, build.__code__) for code in codes):
        found = f"{build.__name__}, which is not what {file} says now"
        raise _refused(f'a function as its file has it: import it again, or name the file, as in "{file.name}:build"', found)


def _named(text: str) -> BuildFiles:
    file, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier() or Path(file).suffix != ".py":
        raise _refused(_EXPECTED, show(text))
    return of_file(Path(file), name)


def _refused(expected: str, found: str) -> InputError:
    return InputError([Problem("from_dataframe", PLACE, expected, found)])


def _own_file(build: FunctionType) -> Path | None:
    """The file that a function can be imported from by its name; None where there is none, as in a notebook."""
    module = sys.modules.get(build.__module__)
    place = getattr(module, "__file__", None)
    if module is None or place is None or build.__module__ == "__main__":
        return None
    if getattr(module, build.__name__, None) is not build:
        return None
    return path if (path := Path(place)).suffix == ".py" and path.is_file() else None


def alongside(content: bytes, file: Path) -> dict[str, bytes]:
    """Find what some code imports from the folder of a file, by name in the case folder.

    Args:
        content: The code.
        file: The file that it was taken from.

    Raises:
        InputError: If something of it cannot be taken as it is.
    """
    taken = _Taken()
    taken.follow(content, file.resolve().parent, file)
    if taken.problems:
        raise InputError(taken.problems)
    return taken.files


def of_file(file: Path, name: str) -> BuildFiles:
    """Find the file of a function, with what it imports from alongside it, or its whole package with a file that names it.

    Raises:
        InputError: If something of it cannot be taken as it is; with every problem.
    """
    taken = _Taken()
    folder = file.resolve().parent
    content = taken.read(file)
    if content is not None and not _defines(content, name):
        taken.problems.append(Problem(str(file), PLACE, f"a function {name} at the top of the file", "none of that name"))
    if taken.problems or content is None:
        raise InputError(taken.problems)
    packages = _packages_above(folder)
    if packages:
        top = packages[-1]
        taken.package(top)
        dotted = ".".join([*(each.name for each in reversed(packages)), *([] if file.stem == "__init__" else [file.stem])])
        entry = f"{_unused(top.parent, top.name)}.py"
        taken.files[entry] = f"from {dotted} import {name}\n\n__all__ = [{name!r}]\n".encode()
        copied = [f"{entry}: imports {name} from {dotted}", f"{top.name}/: {top}, its Python files"]
    else:
        entry = file.name
        taken.files[entry] = content
        taken.follow(content, folder, file)
        copied = [f"{entry}: {file}", *(f"{each}: {folder / each}" for each in sorted(taken.files) if each != entry)]
    if taken.problems:
        raise InputError(taken.problems)
    return BuildFiles(f"{entry}:{name}", taken.files, tuple(copied))


def _packages_above(folder: Path) -> list[Path]:
    """The packages that a folder is in, itself first."""
    found: list[Path] = []
    while (folder / "__init__.py").is_file():
        found.append(folder)
        folder = folder.parent
    return found


def _unused(folder: Path, package: str) -> str:
    name = "auditor_entry"
    return name if package != name and not (folder / f"{name}.py").exists() else f"{name}_2"


class _Taken:
    """Files that were taken, by their names in the case, and what is wrong with others."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.problems: list[Problem] = []
        self._seen: set[Path] = set()

    def read(self, path: Path) -> bytes | None:
        """The bytes of a Python file; None, and a problem, where it is something else."""
        expected = "a Python file"
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
                self.problems.append(Problem(str(path), PLACE, f"{expected} of at most {_MOST_BYTES} bytes", "something else"))
                return None
            content = path.read_bytes()
            ast.parse(content)
        except OSError as error:
            self.problems.append(Problem(str(path), PLACE, expected, (error.strerror or str(error)).lower()))
            return None
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self.problems.append(Problem(str(path), PLACE, expected, f"{type(error).__name__}: {error}"))
            return None
        return content

    def follow(self, content: bytes, folder: Path, file: Path) -> None:
        """Take what a file that is in no package imports from the folder that it is in."""
        for name, relative in _imported(content):
            if relative:
                expected = "imports by name: the file is in no package, so that nothing can be imported relative to it"
                self.problems.append(Problem(str(file), PLACE, expected, f"from {'.' * relative}{name} import …"))
                continue
            self._take(name.partition(".")[0], folder)

    def package(self, top: Path) -> None:
        """Take every Python file of a package, and what they import from alongside it."""
        if top in self._seen:
            return
        self._seen.add(top)
        for path in sorted(top.rglob("*.py")):
            inside = path.relative_to(top.parent)
            hidden = any(part.startswith(".") for part in inside.parts)
            if hidden or path.is_symlink() or not all((each / "__init__.py").is_file() for each in _between(path, top)):
                continue
            if (content := self.read(path)) is not None:
                self.files[inside.as_posix()] = content
                for name, relative in _imported(content):
                    if not relative:
                        self._take(name.partition(".")[0], top.parent)

    def _take(self, name: str, folder: Path) -> None:
        module, package = folder / f"{name}.py", folder / name
        if (package / "__init__.py").is_file():
            self.package(package)
        elif module.is_file() and module not in self._seen:
            self._seen.add(module)
            if module.name not in self.files and (content := self.read(module)) is not None:
                self.files[module.name] = content
                self.follow(content, folder, module)


def _between(path: Path, top: Path) -> Iterator[Path]:
    """The folders from that of a file up to the top of its package."""
    folder = path.parent
    while folder != top:
        yield folder
        folder = folder.parent


def _imported(content: bytes) -> Iterator[tuple[str, int]]:
    """What a file imports anywhere in it, with the number of dots before it."""
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Import):
            yield from ((each.name, 0) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.level


def _defines(content: bytes, name: str) -> bool:
    """Whether a file has a name at its top; where it imports everything from somewhere, it may."""
    tree = ast.parse(content)
    starred = any(isinstance(node, ast.ImportFrom) and any(each.name == "*" for each in node.names) for node in ast.walk(tree))
    top = symtable.symtable(ast.unparse(tree), "<build>", "exec")
    return starred or any(each.get_name() == name and (each.is_assigned() or each.is_imported()) for each in top.get_symbols())


def _alone(build: FunctionType) -> BuildFiles:
    """The function by itself as a file.

    Raises:
        InputError: If its source cannot be had, or needs something from around it.
    """
    name = build.__name__
    try:
        source = textwrap.dedent(inspect.getsource(build))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError, ValueError) as error:
        raise _refused(_EXPECTED, f"{name}, whose source cannot be had ({type(error).__name__})") from error
    defined = tree.body[0] if len(tree.body) == 1 else None
    if not isinstance(defined, ast.FunctionDef) or defined.name != name or not name.isidentifier():
        raise _refused(_ALONE, f"{name}, whose source is not one function")
    if defined.decorator_list:
        raise _refused(_ALONE, f"{name}, which is decorated")
    outside = sorted({*build.__code__.co_freevars, *_from_around(tree, build.__globals__)})
    if outside:
        raise _refused(_ALONE, f"{name}, which uses {', '.join(outside)} from around it")
    content = f"from __future__ import annotations\n\n\n{source}"
    if not any(_same(code, build.__code__) for code in _compiled(content, name)):
        raise _refused(_ALONE, f"{name}, whose source is not what it runs")
    return BuildFiles(f"model.py:{name}", {"model.py": content.encode()}, (f"model.py: the function {name}, copied alone",))


def _from_around(tree: ast.Module, around: dict[str, Any]) -> set[str]:
    """Names that a function takes from where it is written; builtins are everywhere, unless they were redefined."""
    bare = _Unannotated().visit(ast.parse(ast.unparse(tree)))
    table = symtable.symtable(ast.unparse(bare), "<build>", "exec")
    own = {each.get_name() for each in table.get_symbols() if each.is_assigned()}
    found: set[str] = set()
    waiting = [table]
    while waiting:
        scope = waiting.pop()
        waiting += scope.get_children()
        top = scope.get_type() == "module"
        found |= {each.get_name() for each in scope.get_symbols() if each.is_referenced() and (top or each.is_global())}
    return {name for name in found - own if not hasattr(builtins, name) or name in around}


class _Unannotated(ast.NodeTransformer):
    """Takes annotations away: they are not evaluated where the function is copied to."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        self.generic_visit(node)
        return node


def _compiled(content: str | bytes, name: str) -> list[CodeType]:
    """The code of every function of a name that a file defines outside functions and classes."""
    code = compile(content, "model.py", "exec", dont_inherit=True)
    return [each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == name]


def _same(one: CodeType, other: CodeType) -> bool:
    """Whether two functions do the same, by their code."""
    if (one.co_code, one.co_names, one.co_varnames) != (other.co_code, other.co_names, other.co_varnames):
        return False
    if len(one.co_consts) != len(other.co_consts):
        return False
    return all(
        _same(mine, theirs) if isinstance(mine, CodeType) and isinstance(theirs, CodeType) else _equal(mine, theirs)
        for mine, theirs in zip(one.co_consts, other.co_consts, strict=True)
    )


def _equal(mine: object, theirs: object) -> bool:
    return type(mine) is type(theirs) and repr(mine) == repr(theirs)
