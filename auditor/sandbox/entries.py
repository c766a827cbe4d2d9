"""Makes the objects that the process of a procedure runs: built-in ones by name, a case's own by path.

It is the only place that imports a path from a case, and only `auditor.sandbox.child` calls it.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypedDict

from auditor.base import parts, suggestions
from auditor.sandbox import signatures


class NoAnswerError(Exception):
    """The procedure ran, but what it gave is no answer."""


class Named(TypedDict):
    """One object to make, as the auditor says it over the socket."""

    build: str | None
    """The dotted name of a built-in class; None of code of the case, and of a pair."""
    entry: str | None
    """`/path.py:Name` of code of the case."""
    settings: dict[str, Any]
    """What it is called with."""


class NamedProcedure(Named):
    """A procedure, or a whole controller, and who plays against it."""

    use: str | None
    """The name of a built-in one in the case."""
    rows: dict[str, Any] | None
    """What [data] says of a record, for a class that derives from `TrainingLoop`."""
    requester: str | None
    """A built-in requester by name, or `/path.py:Name`."""
    whole: bool
    """Whether it is a whole controller."""
    parts: list[Named]
    """Two controllers that run side by side as one, or none."""


def build(spec: NamedProcedure, scratch: Path) -> Any:
    """The procedure object: one of ours by name, the controller's class by path, or one of ours around the controller's class.

    Of a whole controller it is the stage on which objects of its class play.

    Raises:
        NoAnswerError: If it lacks a method that every procedure has, or every controller.
        ValueError: If it is named, and no procedure of ours has that name.
    """
    settings = dict(spec["settings"])
    if spec["whole"]:
        return _stage(spec, settings, scratch)
    file, _, name = (spec["entry"] or "").rpartition(":")
    brought: Any = _module_at(file, "controller_procedure") if file else None
    named: Any = None if brought is None else _of(brought, file, name)
    if settings.get("unlearn_by") == "own" and spec["use"] is not None:
        settings["own"] = brought.unlearn
        signatures.require_one(brought.unlearn, "unlearn", signatures.OWN_UNLEARN, settings.get("unlearn_params", {}))
    if spec["use"] is not None and brought is not None and "prepare" in settings:
        settings["prepare"] = _preparation(file, settings["prepare"], brought)
    if spec["use"] is not None:
        if spec["build"] is None:
            raise ValueError(f"there is no built-in procedure named {spec['use']!r}")
        made = parts.named(spec["build"])
        if named is not None:
            taken = _TAKEN.get(spec["use"], ())
            signatures.require_one(named, _name_of(spec), taken, settings.get("params", {}))
        procedure = made(**settings if named is None else settings | {"module": named})
    else:
        _require_class(named, _name_of(spec), settings)
        procedure = named(**settings)
    lacking = [method for method in ("learn", "unlearn", "predict") if not callable(getattr(procedure, method, None))]
    if lacking:
        raise NoAnswerError(f"expected methods learn, unlearn and predict, found no {' and no '.join(lacking)}")
    if spec["use"] is None:
        signatures.require(procedure, signatures.METHODS)
        loop = sys.modules.get("auditor.learning.training_loop")  # which is loaded where a class derives from it
        if loop is not None and isinstance(procedure, loop.TrainingLoop) and spec["rows"] is not None:
            signatures.require(procedure, signatures.OF_LOOP)
            procedure.take_rows(**spec["rows"])
    return procedure


def _of(module: Any, file: str, name: str) -> Any:
    """What a file defines under a name."""
    try:
        return getattr(module, name)
    except AttributeError:
        meant = suggestions.hint(name, (each for each in vars(module) if not each.startswith("_")))
        raise NoAnswerError(f"expected {Path(file).name} to define {name}{meant}, found nothing of that name") from None


def _require_class(named: Any, name: str, settings: Mapping[str, Any]) -> None:
    """Refuse what cannot be called with the case's settings; of a function, say what builds an estimator is named with."""
    try:
        signatures.require_one(named, name, (), settings)
    except signatures.SignatureError as error:
        if not inspect.isfunction(named):
            raise
        raise NoAnswerError(f'{error}; a function that builds an estimator needs use = "estimator" as well') from None


_TAKEN: Mapping[str, tuple[str, ...]] = {"estimator": ("seed",), "embedding": ("rows",)}
"""What a case's function is called with by position, where one of ours calls it."""


def _name_of(spec: Named) -> str:
    """What the entry names in its file."""
    return str(spec["entry"]).rpartition(":")[2]


def _stage(spec: NamedProcedure, settings: Mapping[str, Any], scratch: Path) -> Any:
    from auditor.sandbox import controlling  # noqa: PLC0415 - few processes play

    if spec["parts"]:
        return controlling.Stage(lambda: _side_by_side(spec["parts"], settings["hears"]), scratch / "home")
    return controlling.Stage(lambda: _program("controller", spec, settings, {}), scratch / "home")


def _side_by_side(specs: Sequence[Named], hears: Sequence[Mapping[str, Sequence[Any]]]) -> Callable[[], Any]:
    """What makes two controllers that run side by side as one."""
    from auditor.learning.side_by_side import Heard, Parallel  # noqa: PLC0415 - few processes play

    loaded: dict[str, Any] = {}
    tables = ("controller.first", "controller.second")
    first, second = (_program(table, each, dict(each["settings"]), loaded) for table, each in zip(tables, specs, strict=True))
    heard = [{name: Heard(*said) for name, said in each.items()} for each in hears]
    return lambda: Parallel(first(), second(), heard)


def _program(table: str, spec: Named, settings: Mapping[str, Any], loaded: dict[str, Any]) -> Callable[[], Any]:
    """What makes an object of a controller's class; `loaded` has the files that another part brought, as they are modules now."""
    from auditor.sandbox import controlling  # noqa: PLC0415 - few processes play

    if spec["entry"] is None:
        if spec["build"] is None:
            raise ValueError(f"[{table}] names no class")
        named: Any = parts.named(spec["build"])
    else:
        file, _, name = spec["entry"].rpartition(":")
        if file not in loaded:
            loaded[file] = _module_at(file, "whole_controller")
        named = getattr(loaded[file], name, None)
        if named is None:
            there = ", ".join(_classes_of(loaded[file])) or "none"
            raise NoAnswerError(f"[{table}] entry: expected a class of {Path(file).name} ({there}), found {name}")
    lacking = [method for method in controlling.METHODS if not callable(getattr(named, method, None))]
    if lacking:
        raise NoAnswerError(f"expected a class with initialize, activate and state, found no {' and no '.join(lacking)}")
    if spec["entry"] is not None:
        signatures.require_one(named, _name_of(spec), (), settings)
        signatures.require(named, signatures.OF_CONTROLLER)
    return lambda: named(**settings)


_MOST_NAMED: Final = 5
"""Classes of a file that a message lists."""


def _classes_of(module: Any) -> list[str]:
    """The first few classes that a file defines, by name."""
    defined = (name for name, each in vars(module).items() if isinstance(each, type) and each.__module__ == module.__name__)
    return sorted(defined)[:_MOST_NAMED]


def requester_named(name: str) -> Any:
    """A requester's class that a part brings under a name."""
    from auditor.base.parts import constants  # noqa: PLC0415 - a foreign class must not pay for ours

    return {each: found for those in constants("requesters") for each, found in those.items()}[name]


def class_at(entry: str, otherwise: str) -> Any:
    """A class from the file that was copied for this process."""
    return getattr(_module_at(entry.rpartition(":")[0], otherwise), entry.rpartition(":")[2])


def _preparation(entry: str, name: str, brought: Any) -> Any:
    """The file that prepares the rows of trainings, as the module that the entry is or imported, where it did."""
    path = str(Path(entry).parent / name)
    for module in (brought, sys.modules.get(Path(path).stem)):
        if getattr(module, "__file__", None) == path:
            return module
    return _module_at(path, "controller_preparation")


def _module_at(path: str, otherwise: str) -> Any:
    """A file of a case as a module, by that file's name or, where it is taken, another."""
    # Last on the path: the entry finds the modules alongside it, and shadows none of the interpreter's.
    sys.path.append(str(Path(path).parent))
    module_name = _module_name(path, otherwise)
    location = importlib.util.spec_from_file_location(module_name, path)
    if location is None or location.loader is None:
        raise NoAnswerError("expected a Python file as entry")
    module = importlib.util.module_from_spec(location)
    sys.modules[module_name] = module
    location.loader.exec_module(module)
    return module


def _module_name(path: str, otherwise: str) -> str:
    """The name under which processes that the procedure starts can import its module again, where nothing else has that name."""
    stem = Path(path).stem
    found = importlib.util.find_spec(stem) if stem.isidentifier() and stem not in sys.modules else None
    return stem if found is not None and found.origin == path else otherwise
