"""Name the installed distributions whose code the processes of an audit loaded, and code that belongs to none.

Three sources are put together: what the processes report, which foreign code could shorten; the files in their memory maps, which
only compiled code needs; and the imports that are in the case's own files. Each entry says which of them names it.
"""

from __future__ import annotations

import ast
import re
import sys
import sysconfig
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final, TypeAlias

import auditor
from auditor.base.domain import Code
from auditor.document.context import Imported, ImportSource
from auditor.sandbox.modules import read

MOST_ELSEWHERE: Final = 100
"""Places outside distributions that are named."""
_PACKAGE: Final = Path(auditor.__file__).resolve().parent
_PYTHON: Final = Path(sys.executable).resolve()
_SYSTEM: Final = tuple(
    Path(folder)
    for folder in (
        *("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/libexec", "/usr/share"),
        *("/lib", "/lib32", "/lib64", "/libx32", "/etc", "/dev", "/proc"),
    )
)
_SYSTEM_WITH_VERSIONS: Final = ("/usr/local/cuda", "/memfd:")
"""The beginnings of names that go on with a version, or with any word."""
_SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - where a procedure can write; nothing of the system's is there
_STANDARD: Final = frozenset({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), f"{sys.base_prefix}/lib"})
_LIBRARIES: Final = {"site-packages", "dist-packages"}

Named: TypeAlias = tuple[str, str]
"""Name and version of a distribution."""


class Loaded:
    """What the processes of one audit loaded, collected while they run; several threads may add."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._files: dict[str, set[str]] = {"reported": set(), "mapped": set()}

    def add(self, content: bytes) -> None:
        """Take the answer to one `Modules` step."""
        for source, names in read(content).items():
            self._files[source].update(names)

    def named(self, codes: Iterable[Code | None]) -> tuple[tuple[Imported, ...], tuple[str, ...]]:
        """Name the distributions, and what belongs to none.

        Args:
            codes: The case's own.

        Returns:
            Distributions by name, and the places of other code: the path of a file, or of the package that it lies in.
        """
        seen: dict[Named, set[ImportSource]] = {}
        elsewhere: set[str] = set()
        for source, files in (("process", self._files["reported"]), ("memory", self._files["mapped"])):
            for name in files:
                owner = _owner(name)
                if isinstance(owner, str):
                    elsewhere.add(owner)
                elif owner is not None:
                    seen.setdefault(owner, set()).add("process" if source == "process" else "memory")
        for top in {name for code in codes if code is not None for name in _imports(code)}:
            for owner in _installed().tops.get(top, ()):
                seen.setdefault(owner, set()).add("source")
        listed = (Imported(name=name, version=version, seen_in=tuple(sorted(how))) for (name, version), how in seen.items())
        return tuple(sorted(listed, key=lambda each: (each.name, each.version))), tuple(sorted(elsewhere)[:MOST_ELSEWHERE])


class _Installed:
    """Which distribution each installed file and each importable name belongs to."""

    def __init__(self) -> None:
        self.files: dict[str, Named] = {}
        self.tops: dict[str, set[Named]] = {}
        for each in distributions():
            named, folder = _named(each), str(each.locate_file(""))
            listed = [line.rsplit(",", 2)[0].strip('"') for line in (each.read_text("RECORD") or "").splitlines()]
            self.files |= dict.fromkeys([f"{folder}/{file}" for file in listed], named)
            code = (file for file in listed if file.endswith((".py", ".so")) and not file.startswith(".."))
            for top in {file.partition("/")[0] for file in code}:
                self.tops.setdefault(top.partition(".")[0], set()).add(named)


_NAMED: Final = re.compile(r"^(Name|Version): *(\S+)$", re.MULTILINE)


def _named(each: Distribution) -> Named:
    """A distribution with its version: by the first lines of what it says of itself, which as a whole takes long to parse."""
    match sorted(_NAMED.findall((each.read_text("METADATA") or "").partition("\n\n")[0])):
        case [("Name", name), ("Version", version)]:
            return name, version
    about = each.metadata
    return about["Name"], about["Version"]


@lru_cache(maxsize=1)
def _installed() -> _Installed:
    return _Installed()


def _owner(name: str) -> Named | str | None:
    """The distribution of a file; None for Python's own, the system's and ours; the place of anything else."""
    owner = _known_owner(name)
    return _package_of(owner).as_posix() if isinstance(owner, Path) else owner


@lru_cache(maxsize=8192)
def _known_owner(name: str) -> Named | str | Path | None:
    """The same, as far as the name alone tells; a path where the folders around it have to be checked.

    Audits of one process load much the same files, hundreds of them.
    """
    path = Path(name)
    if not path.is_absolute():
        return name  # made in the scratch folder while it ran
    if (found := _installed().files.get(str(path))) is not None:
        return found
    if path.is_relative_to(_PACKAGE) or path == _PYTHON:
        return None
    library = next((parent for parent in path.parents if parent.name in _LIBRARIES), None)
    if library is not None:
        return (library / path.relative_to(library).parts[0]).as_posix()
    if any(path.is_relative_to(folder) for folder in _STANDARD) or _of_the_system(path):
        return None
    return path


def _of_the_system(path: Path) -> bool:
    if str(path).startswith(_SYSTEM_WITH_VERSIONS):
        return True
    return not path.is_relative_to(_SHARED_MEMORY) and any(path.is_relative_to(folder) for folder in _SYSTEM)


def _package_of(path: Path) -> Path:
    """The outermost package that a file lies in, or the file itself."""
    place = path
    while (place.parent / "__init__.py").is_file():
        place = place.parent
    return place


def _imports(code: Code) -> set[str]:
    """The first names of what the files import with a statement; those of files alongside them among them."""
    found: set[str] = set()
    for file in code.files:
        try:
            tree = ast.parse(file.content)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # it cannot be imported either
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                found.add(node.module.partition(".")[0])
    return found - {file.name.partition("/")[0].removesuffix(".py") for file in code.files}
