"""The code that a case brings, read once: these bytes are digested, and these bytes run.

What a procedure's process may open of a case is the entry, every Python file alongside it, and the packages alongside it (folders
with `__init__.py`); nothing else: audit.toml holds the seed, the log says who is deleted, the holdout has labels. Links are
refused: they could name any file of this machine. So are copies of the case's data under a Python name.
"""

from __future__ import annotations

import ast
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from auditor.base.domain import Code, CodeFile, InputFile, Problem
from auditor.case.files import kind_of, reason_of

MEBIBYTE = 1024 * 1024
MOST_FILES = 1000
MOST_BYTES = 64 * MEBIBYTE
MOST_INPUT_BYTES = 1024 * MEBIBYTE
PREPARES = ("prepare", "split", "fit", "CLASSES")
"""What a file that prepares the rows of trainings may define, at least one of it."""
_CODE = {".py", ".pyc", ".pyo", ".pyd", ".so"}
"""Endings of what Python could import."""


def read(entry: Path, name: str, *, data: Iterable[InputFile] = (), store: Path | None = None) -> tuple[Code, list[Problem]]:
    """Read the file of an entry and what it can import from alongside it.

    Args:
        entry: The file, resolved.
        name: The same as problems name it; what lies alongside is named like it.
        data: Files of the case that no procedure may open.
        store: The data store, resolved: what lies in it is no code, whatever its names.

    Returns:
        What could be read, the entry first, and everything that is wrong with the rest.
    """
    reader = _Reader(entry, name, {each.sha256: each.path for each in data})
    for path in (entry, *(path for path in _python_files(entry.parent, store) if path != entry)):
        if not reader.take(path):
            break
    return Code(tuple(reader.files)), reader.problems


def read_inputs(
    folder: Path, name: str, base: Path, *, data: Iterable[InputFile] = (), store: Path | None = None
) -> tuple[tuple[CodeFile, ...], list[Problem]]:
    """Read every file of a folder that the case's code may open, such as one of base weights.

    Args:
        folder: The folder, resolved.
        name: The same as problems name it.
        base: The folder of the entry, resolved, which the names of the files are relative to.
        data: Files of the case that no procedure may open.
        store: The data store, resolved.

    Returns:
        The files by name, and everything that is wrong.
    """
    expected = f"plain files, at most {MOST_FILES} of {MOST_INPUT_BYTES // MEBIBYTE} MiB in all"
    if store is not None and (store.is_relative_to(folder) or folder.is_relative_to(store)):
        return (), [Problem(name, "", "a folder of files that the procedure may open", "the data store, which none may")]
    known, found, problems, held = {each.sha256: each.path for each in data}, list[CodeFile](), list[Problem](), 0
    for path in _every_file(folder):
        named = f"{name.rstrip('/')}/{path.relative_to(folder).as_posix()}"
        try:
            named.encode()
            content = _content(path, MOST_INPUT_BYTES - held)
        except UnicodeEncodeError:
            problems.append(Problem(name, "", "file names in UTF-8", ascii(named)))
            continue
        except OSError as error:
            content = reason_of(error).lower()
        if isinstance(content, str):
            problems.append(Problem(named, "", expected, content))
            continue
        held += len(content)
        if len(found) >= MOST_FILES or held > MOST_INPUT_BYTES:
            return tuple(found), [*problems, Problem(name, "", expected, "more")]
        file = CodeFile(path.relative_to(base).as_posix(), content)
        if path.suffix.lower() in _CODE:
            problems.append(Problem(named, "", "no code: Python lies alongside the entry", f"a {path.suffix} file"))
        if (same := known.get(file.sha256)) is not None:
            problems.append(Problem(named, "", expected, f"the bytes of {same}, which no procedure may open"))
        found.append(file)
    if not found and not problems:
        problems.append(Problem(name, "", "a folder with at least one file", "an empty folder"))
    return tuple(found), problems


def preparation(code: Code, place: str, name: str, *, weights: bool) -> Problem | None:
    """Name what is wrong with a file that prepares the rows of trainings, as far as it shows without running it.

    Args:
        code: What was read of the case.
        place: The file, relative to the folder of the entry.
        name: The same as problems name it.
        weights: Whether records have weights.
    """
    content = next((each.content for each in code.files if each.name == place), None)
    if content is None:
        return Problem(name, "", "a Python file alongside the entry, or in a package alongside it", "one that lies elsewhere")
    try:
        bound = _bound(ast.parse(content).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        return Problem(name, f"line {line}" if line else "", "Python", getattr(error, "msg", type(error).__name__))
    if "*" not in bound and not bound.keys() & set(PREPARES):
        found = f"none of them{', but ' + next(iter(bound)) if len(bound) == 1 else ''}"
        return Problem(name, "", "prepare(table), split(table), fit(estimator, …) or CLASSES", found)
    for function, (arguments, by_name) in _ARGUMENTS.items():
        node = bound.get(function)
        if isinstance(node, ast.FunctionDef) and not _takes(node, arguments.count(",") + 1, by_name):
            return Problem(name, f"line {node.lineno}", f"{function}({arguments})", f"{function}({ast.unparse(node.args)[:100]})")
        taken = not isinstance(node, ast.FunctionDef) or "weights" in {each.arg for each in _named(node)}
        if function == "fit" and weights and not taken:
            expected = "fit to take weights in addition, for [data] weight is declared: fit(…, held_labels, weights)"
            return Problem(name, f"line {getattr(node, 'lineno', 0)}", expected, "no such argument")
    return None


_ARGUMENTS = {
    "prepare": ("table", frozenset[str]()),
    "split": ("table", frozenset({"seed"})),
    "fit": ("estimator, features, labels, held_features, held_labels", frozenset({"weights"})),
}
"""What each function is called with by position, and what by name where it takes it."""


def _bound(body: Iterable[ast.stmt]) -> dict[str, ast.AST]:
    """What a module binds when it is imported, by name; `*` for what an import of everything brings."""
    found: dict[str, ast.AST] = {}
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found[node.name] = node
            case ast.Import() | ast.ImportFrom():
                found |= {(each.asname or each.name).partition(".")[0]: node for each in node.names}
            case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
                for part in ("body", "orelse", "finalbody"):
                    found |= _bound(getattr(node, part, ()))
                for handler in getattr(node, "handlers", ()):
                    found |= _bound(handler.body)
            case _:
                names = (each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
                found |= {each.id: node for each in names}
    return found


def _named(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _takes(function: ast.FunctionDef, by_place: int, by_name: frozenset[str]) -> bool:
    """Whether it can be called with so many arguments by position, and needs none but those that it can be given by name."""
    given = function.args
    places = [*given.posonlyargs, *given.args]
    needed = places[by_place : len(places) - len(given.defaults)]
    needed += [each for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if default is None]
    return (len(places) >= by_place or given.vararg is not None) and {each.arg for each in needed} <= by_name


def _every_file(folder: Path) -> Iterator[Path]:
    """Whatever is no folder below a folder, links to folders among it, in a stable order."""
    for top, folders, files in os.walk(folder):
        folders.sort()
        links = [each for each in folders if (Path(top) / each).is_symlink()]
        yield from (Path(top) / each for each in sorted([*files, *links]))


class _Reader:
    def __init__(self, entry: Path, name: str, data: dict[str, str]) -> None:
        self._entry, self._name, self._data = entry, name, data
        self.files: list[CodeFile] = []
        self.problems: list[Problem] = []
        self._held = 0

    def take(self, path: Path) -> bool:
        """Read one file; whether there may be more."""
        place = path.relative_to(self._entry.parent).as_posix()
        named = (Path(self._name).parent / place).as_posix()
        try:
            content = _content(path, MOST_BYTES - self._held)
        except OSError as error:
            self.problems.append(Problem(named, "", _expected(path == self._entry), reason_of(error).lower()))
            return True
        if isinstance(content, str):
            self.problems.append(Problem(named, "", _expected(path == self._entry), content))
            return True
        self._held += len(content)
        if len(self.files) >= MOST_FILES or self._held > MOST_BYTES:
            most = f"at most {MOST_FILES} files and {MOST_BYTES // MEBIBYTE} MiB of Python in the entry and alongside it"
            self.problems.append(Problem(self._name, "", most, "more"))
            return False
        file = CodeFile(place, content)
        if (same := self._data.get(file.sha256)) is not None:
            found = f"the bytes of {same}, which no procedure may open"
            self.problems.append(Problem(named, "", _expected(path == self._entry), found))
        self.files.append(file)
        return True


def _expected(entry: bool) -> str:
    return "a Python file as entry" if entry else "a plain Python file alongside the entry, which the procedure may import"


def _python_files(folder: Path, store: Path | None) -> Iterator[Path]:
    """What Python could import from the folder, in a stable order; a link counts as what its name says."""
    with os.scandir(folder) as entries:
        listed = sorted(entries, key=lambda entry: entry.name)
    for entry in listed:
        path = Path(entry.path)
        if entry.name.startswith(".") or path == store:
            continue
        if entry.is_dir(follow_symlinks=False):
            if (path / "__init__.py").is_file():
                yield from _python_files(path, store)
        elif path.suffix == ".py":
            yield path


def _content(path: Path, most: int) -> bytes | str:
    """The bytes of a plain file, at most one more than `most`, or what it is instead.

    Raises:
        OSError: If it cannot be opened.
    """
    if path.is_symlink():
        return "a link"
    # O_NOFOLLOW: it may have become a link by now. O_NONBLOCK: opening a named pipe must not wait for a writer.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        return kind_of(mode)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(min(most, os.fstat(file.fileno()).st_size) + 1)  # it is given all that it asks for, at once
