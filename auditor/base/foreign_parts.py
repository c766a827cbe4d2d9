"""Foreign parts: packages of third parties that bring an audit subject, found by the entry-point group `auditor.parts`.

An entry point names a constant `PART` of a module `part` in a package, as in `acme = "acme_auditor.part:PART"`. It is loaded
only where a case or an option names it, for as long as a `with` lasts, and never because it is installed. Those who install it
vouch for it; a case or an evidence document can do no more than name it. So nothing is imported but what the group lists,
nothing from the working directory, and nothing before name, version and digest of its files are known.

What is listed with a foreign part in force is remembered for exactly the parts in force: `PerParts`.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import update_wrapper
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, Generic, ParamSpec, TypeVar

from auditor.base.errors import LackingPartError, PartError
from auditor.base.parts import Kind, Part, parts

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

GROUP: Final = "auditor.parts"
LONGEST_NAME: Final = 60
MAY_BRING: Final = frozenset(
    {"name", "subject", "attacks", "checks", "classes", "formats", "rules", "sentences", "stages", "theorems"}
)
"""The fields of `Part` that a foreign part may fill in. Others are refused, and new ones are until they are named here.

Guarantees and the words for them, figures, tellings, helpers and remedies speak for the auditor itself. Entries of procedures and
controllers say of themselves what judges believe. Commands, requesters, results, tickets and planners act beyond the evidence.
"""
_NAME: Final = re.compile(rf"[a-z][a-z0-9_-]{{0,{LONGEST_NAME - 1}}}")
_VALUE: Final = re.compile(r"(?P<home>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\.part:PART")
_COMPILED: Final = "__pycache__"
_LOADED: Final[dict[str, str]] = {}
"""The digest of each package when this process imported it: a module is imported once, whatever its files say later."""

_MOST_KEPT: Final = 1024
"""Results of one function."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Installed:
    """A foreign part as it lies on this machine; nothing of it has been imported."""

    name: str
    """Of the entry point: what a case and `--part` call it."""
    distribution: str
    """The package that brings it."""
    version: str
    """Of that package."""
    sha256: str
    """Over every file of the part: see `digest_of`."""
    home: str
    """Its package, which the modules that it names lie in."""
    folder: Path
    """The folder of that package."""


@dataclass(frozen=True, slots=True)
class ForeignPart:
    """A foreign part in force."""

    installed: Installed
    brings: Part = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """Of its entry point."""
        return self.installed.name

    def modules(self, kind: Kind) -> Iterator[ModuleType]:
        """Import the modules of one kind that it brings."""
        for name in getattr(self.brings, kind):
            yield self.module(name)

    def module(self, name: str) -> ModuleType:
        """Import one of its modules.

        Raises:
            PartError: If it cannot be imported.
        """
        try:
            return importlib.import_module(f"{self.installed.home}.{name}")
        except ImportError as error:
            raise PartError(f"the part {self.name} ({self.installed.distribution}) names a module {name}: {error}") from error


_IN_FORCE: Final[ContextVar[tuple[ForeignPart, ...]]] = ContextVar("_IN_FORCE", default=())


def in_force() -> tuple[ForeignPart, ...]:
    """List the foreign parts that count here and now, by their names; none unless somebody named them."""
    return _IN_FORCE.get()


def foreign_modules(kind: Kind) -> Iterator[tuple[ForeignPart, ModuleType]]:
    """Import the modules of one kind that foreign parts in force bring, each with its part.

    Raises:
        PartError: If a module has nothing of that kind: what was meant for an audit would be left out of it without a word.
    """
    for part in in_force():
        for module in part.modules(kind):
            if not any(hasattr(module, each) for each in (kind.upper(), kind.upper().removesuffix("S"))):
                raise PartError(
                    f"the part {part.installed.name} ({part.installed.distribution}): {module.__name__} has no {kind.upper()}"
                )
            yield part, module


def foreign_folders(below: str) -> Iterator[tuple[ForeignPart, Path]]:
    """List the folders of that path below each foreign part in force, those that exist; nothing is imported."""
    for part in in_force():
        folder = part.installed.folder / below
        if folder.is_dir():
            yield part, folder


def refuse_taken(part: ForeignPart, what: str, names: Iterable[str], taken: Collection[str]) -> None:
    """See that a part brings nothing under a name that is taken already.

    Raises:
        PartError: If it does.
    """
    if twice := sorted({name for name in names if name in taken}):
        raise PartError(
            f"the part {part.name} ({part.installed.distribution} {part.installed.version}) brings the {what} "
            f"{', '.join(twice[:5])}, there already: a part may add, and change nothing"
        )


def fault_of(part: ForeignPart, what: str) -> PartError:
    """Make the error of a part that brings what no foreign part may bring."""
    return PartError(f"the part {part.name} ({part.installed.distribution} {part.installed.version}) {what}")


class PerParts(Generic[P, T]):
    """A function whose results are remembered, for its arguments and for exactly the foreign parts in force."""

    def __init__(self, function: Callable[P, T]) -> None:
        """Take the function; its arguments can be hashed."""
        self._function = function
        self._kept: dict[Hashable, T] = {}
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call it, or give what it returned before."""
        key = (tuple(part.installed for part in in_force()), args, tuple(sorted(kwargs.items())))
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self.cache_clear()
            self._kept[key] = self._function(*args, **kwargs)
        return self._kept[key]

    def cache_clear(self) -> None:
        """Forget every result."""
        self._kept.clear()


def names_installed() -> tuple[str, ...]:
    """Name the foreign parts that are installed; nothing of them is imported."""
    return tuple(sorted({entry.name for _, entry in _entries()}))


def find(name: str) -> Installed | None:
    """Find an installed foreign part by its name, with the digest of its files; nothing of it is imported.

    Raises:
        PartError: If it has no name or place that a part can have, or two packages bring one of that name.
    """
    found = [(distribution, entry) for distribution, entry in _entries() if entry.name == name]
    if len(found) > 1:
        brought = " and ".join(sorted(distribution.name for distribution, _ in found))
        raise PartError(f"two packages bring a part named {name[:LONGEST_NAME]}: {brought}")
    return _installed(*found[0]) if found else None


def _entries() -> Iterator[tuple[Distribution, EntryPoint]]:
    """The entry points of the group, without those that lie in the working directory, which may be the audited party's."""
    here, met = Path.cwd().resolve(), set[tuple[str, str]]()
    from importlib.metadata import distributions  # noqa: PLC0415 - what it loads takes longer than the rest of `--help`

    for distribution in distributions():
        if Path(str(distribution.locate_file(""))).resolve() == here:
            continue
        for entry in distribution.entry_points:
            # The same package further down the path of imports is the one that Python leaves alone.
            if entry.group == GROUP and (distribution.name, entry.name) not in met:
                met.add((distribution.name, entry.name))
                yield distribution, entry


def _installed(distribution: Distribution, entry: EntryPoint) -> Installed:
    match = _VALUE.fullmatch(entry.value)
    if match is None or not _NAME.fullmatch(entry.name):
        raise PartError(
            f"{distribution.name} brings a part {entry.name[:LONGEST_NAME]!r} as {entry.value[:100]!r}: expected a name of small "
            'letters, digits, - and _, and a value such as "acme_auditor.part:PART"'
        )
    folder = _folder(match["home"])
    if folder is None:
        raise PartError(f"the part {entry.name} of {distribution.name}: there is no package {match['home']} that holds it")
    return Installed(entry.name, distribution.name, distribution.version, digest_of(folder), match["home"], folder)


def _folder(home: str) -> Path | None:
    """The folder of a package, found without importing any; None where there is none outside the working directory."""
    first, *rest = home.split(".")
    try:
        spec = importlib.util.find_spec(first)
    except (ImportError, ValueError):  # what is loaded and came from nowhere
        return None
    for place in () if spec is None else spec.submodule_search_locations or ():
        folder = Path(place, *rest).resolve()
        if Path(place).resolve().parent != Path.cwd().resolve() and (folder / "part.py").is_file():
            return folder
    return None


def digest_of(folder: Path) -> str:
    """SHA-256 over every file of a package, by path and content; what Python compiled of them is left out."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda each: each.relative_to(folder).as_posix()):
        if path.is_file() and _COMPILED not in path.relative_to(folder).parts:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            found.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode())
    return found.hexdigest()


@contextmanager
def taking(names: Iterable[str], *, admit: Callable[[], object] = lambda: None) -> Iterator[tuple[ForeignPart, ...]]:
    """Have foreign parts in force for as long as this lasts, in this context alone.

    Args:
        names: Their names; those in force already may be among them.
        admit: Called with them in force: it lists what they bring, which refuses what no part may bring.

    Raises:
        PartError: If one is not installed, cannot be loaded, or brings what no foreign part may bring.
    """
    before = in_force()
    wanted = sorted({*names} - {each.name for each in before})
    if not wanted:
        yield before
        return
    there = {name: find(name) for name in wanted}
    if missing := [_shown(name) for name, found in there.items() if found is None]:
        others = ", ".join(map(_shown, names_installed()))
        known = f"installed are {others}" if others else "no package installed here brings one"
        raise PartError(f"there is no part named {', '.join(missing)}: {known}")
    loading = (_load(found) for found in there.values() if found is not None)
    loaded = tuple(sorted((*before, *loading), key=lambda each: each.name))
    token = _IN_FORCE.set(loaded)
    try:
        admit()
        yield loaded
    finally:
        _IN_FORCE.reset(token)


@contextmanager
def taking_as_named(
    named: Iterable[tuple[str, str, str, str]], *, admit: Callable[[], object] = lambda: None
) -> Iterator[tuple[ForeignPart, ...]]:
    """Have in force the very foreign parts that a document names; of what it names nothing else is imported.

    Args:
        named: Name, distribution, version and digest of each.
        admit: As `taking` has it.

    Raises:
        LackingPartError: If one is not installed here, or is there in another version or with other files.
        PartError: As `taking` raises it.
    """
    wanted = tuple(named)
    problems = tuple(lacking(wanted))
    if problems:
        raise LackingPartError("; ".join(problems))
    with taking((name for name, *_ in wanted), admit=admit) as loaded:
        there = {(each.name, each.distribution, each.version, each.sha256) for each in (part.installed for part in loaded)}
        if not there.issuperset(wanted):  # one was in force already, and its files have changed since
            raise LackingPartError("a part that took part is in force as other files than it had: start again")
        yield loaded


def lacking(named: Iterable[tuple[str, str, str, str]]) -> Iterator[str]:
    """Say of each foreign part that a document names whether it is not installed here as it took part; nothing is imported."""
    for name, distribution, version, sha256 in named:
        found = find(name)
        asked = f"the part {_shown(name)} ({_shown(distribution)} {_shown(version)})"
        if found is None:
            yield f"{asked} took part and is not installed"
        elif (found.distribution, found.version) != (distribution, version):
            yield f"{asked} took part, and {found.distribution} {found.version} is installed"
        elif found.sha256 != sha256:
            yield f"{asked} took part with files of SHA-256 {_shown(sha256[:16])}…, and those installed have {found.sha256[:16]}…"


def _shown(text: str) -> str:
    """A name of a document that comes from anybody, in one short line without anything that steers a terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text[:LONGEST_NAME])


def _load(found: Installed) -> ForeignPart:
    """Import a part; its files are those of its digest.

    Raises:
        PartError: If they are not, it cannot be imported, or is no part.
    """
    if found.name in {part.name for part in parts()}:
        raise PartError(f"{found.distribution} brings a part named {found.name}, which is one of the auditor's own")
    if _LOADED.setdefault(found.home, found.sha256) != found.sha256:
        raise PartError(f"the files of the part {found.name} ({found.distribution}) changed since this process loaded it")
    try:
        brings = getattr(importlib.import_module(f"{found.home}.part"), "PART", None)
    except Exception as error:
        cause = f"{type(error).__name__}: {error}"
        raise PartError(f"the part {found.name} ({found.distribution}) cannot be loaded: {cause}") from error
    place = getattr(sys.modules[found.home], "__file__", None)
    if place is None or Path(place).resolve().parent != found.folder:
        raise PartError(f"the part {found.name} ({found.distribution}) was loaded from another place than {found.folder}")
    if not isinstance(brings, Part) or brings.name != found.name:
        raise PartError(f"{found.home}.part of {found.distribution}: expected PART, a Part named {found.name!r}")
    if refused := [each.name for each in fields(brings) if each.name not in MAY_BRING and getattr(brings, each.name)]:
        shown = " and ".join(f"`{name}`" for name in refused)
        raise PartError(f"the part {found.name} ({found.distribution}): a foreign part has no {shown}")
    return ForeignPart(found, brings)
