"""The [procedure] table: which procedure is meant, and every key that is wrong for it."""

from __future__ import annotations

import re
from typing import Any, Final

from pydantic import BaseModel

from auditor.base import suggestions
from auditor.base.domain import Problem
from auditor.base.foreign_parts import in_force
from auditor.base.parts import named
from auditor.case import parsing
from auditor.settings.builtin import Entry, audited, entries, unknown_use
from auditor.settings.learning import Foreign
from auditor.settings.values import json_fault, show

OF_PART: Final = "part:"
"""How the entry of a procedure begins that a foreign part brings; that of a case's own never does."""
_EITHER: Final = "either use (a built-in procedure) or entry (file.py:ClassName)"
_ENTRY: Final = re.compile(r"(?P<file>[^:]+\.py):(?P<name>[^:]+)")


def table(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """The table of the procedure that is meant, or every problem with it.

    Args:
        file: The name of audit.toml.
        content: What is under [procedure].
    """
    if "use" not in content:
        return _without_use(file, content)
    if (brought := _of_part(content["use"])) is not None:
        return _foreign(file, content, entry=brought)
    entry = _nearest(content["use"])
    if entry is None:
        # What the other keys should be follows from this one.
        return [Problem(file, "procedure.use", *unknown_use(content["use"]))]
    if "entry" in content and "entry" not in entry.table.model_fields:
        return [Problem(file, "procedure", _EITHER, "both")]
    if entry.read is None:
        return parsing.table(file, "procedure", entry.table, content)
    found: BaseModel | list[Problem] = named(entry.read)(file, content)
    return found


def _without_use(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """The table of a class of the case; or what `use` or `entry` was written as, and every problem of what was meant."""
    if (slip := _misspelt(content)) is None:
        return _foreign(file, content) if "entry" in content else [Problem(file, "procedure", _EITHER, "neither")]
    key, meant = slip
    read = table(file, {meant if name == key else name: value for name, value in content.items()})
    place = f"procedure.{key}" if key.isprintable() else "procedure"
    unknown = Problem(file, place, f"{_EITHER} (did you mean {meant}?)", f"an unknown key {show(key)}")
    return [unknown, *(read if isinstance(read, list) else [])]


def _misspelt(content: dict[str, Any]) -> tuple[str, str] | None:
    """Find the key that was written for `use` or `entry`, and which of them was meant: by how it is spelt, or by its value.

    Where a class of the case is named, all other keys are its own, except a procedure's name under a slip of `use`.
    """
    if "use" in content:
        return None
    for key, value in content.items():
        near = suggestions.nearest(key, ("use", "entry"))
        is_use = isinstance(value, str) and value in audited()
        if "entry" in content:
            if near == "use" and is_use:
                return key, "use"
        elif near is not None:
            return key, near
        elif is_use:
            return key, "use"
        elif isinstance(value, str) and _ENTRY.fullmatch(value):
            return key, "entry"
    return None


def _nearest(use: object) -> Entry | None:
    """The procedure that was meant: its keys are then known, however its name is spelt."""
    near = suggestions.nearest(use, audited()) if isinstance(use, str) else None
    return None if near is None else entries()[near]


def _of_part(use: object) -> str | None:
    """The entry of a procedure that a foreign part in force brings: it is audited as any code that is not the auditor's own."""
    for part in in_force():
        if isinstance(use, str) and use in part.brings.classes:
            module, _, name = part.brings.classes[use].partition(":")
            return f"{OF_PART}{part.name}/{module.replace('.', '/')}.py:{name}"
    return None


def _foreign(file: str, content: dict[str, Any], *, entry: str | None = None) -> BaseModel | list[Problem]:
    """The table of code that is not the auditor's own: a class of the case, or of a foreign part where `entry` says so."""
    given = {key: value for key, value in content.items() if key in {"entry", "seed"}}
    params = {key: value for key, value in content.items() if key not in {"entry", "seed", *([] if entry is None else ["use"])}}
    problems = json_problems(file, "procedure", params)
    if entry is None:
        problems += entry_problems(file, content)
    elif "entry" in content:
        problems.append(Problem(file, "procedure", "either use (a procedure) or entry (file.py:ClassName)", "both"))
    given |= {} if entry is None else {"entry": entry}
    found = parsing.table(file, "procedure", Foreign, {**given, "params": {} if problems else params})
    if isinstance(found, list):
        return [*problems, *found]
    return problems or found


def entry_problems(file: str, content: dict[str, Any], names: str = "ClassName") -> list[Problem]:
    """Name what is wrong with `entry`; nothing where it is not there.

    Args:
        file: The name of audit.toml.
        content: What is under [procedure].
        names: What it names in its file.
    """
    entry = content.get("entry")
    if not isinstance(entry, str):
        return []
    match = _ENTRY.fullmatch(entry)
    if match and match["name"].isidentifier():
        return []
    return [Problem(file, "procedure.entry", f'"file.py:{names}"', show(entry))]


def json_problems(file: str, place: str, values: dict[str, Any]) -> list[Problem]:
    """Name the free keys of a table whose values JSON cannot hold."""
    return [
        Problem(file, f"{place}.{key}" if key.isprintable() else place, "a value that JSON can hold", fault)
        for key, value in values.items()
        if (fault := json_fault(value))
    ]
