"""Writes the pages that follow from code: every command's help, the Python API, the fields of the evidence, the decisions."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any, Final

import typer

from auditor import api
from auditor.base import errors

ROOT: Final = Path(__file__).resolve().parents[2]
SECTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "Reference": {"Every command's help": "command-line.md", "Python API": "api.md", "Evidence, field by field": "evidence.md"},
    "Samples": {"Gallery of reports": "gallery/index.md"},
}
"""Pages that the build writes, by the section of docs/README.md that they begin."""
_API: Final = """# Python API

What notebooks and pipelines call; [From Python](python.md) introduces it.

"""
_CALLED: Final = (
    "check",
    "validate",
    "verify",
    "read",
    "report",
    "letter",
    "reply",
    "Audit",
    "Case",
    "Dataset",
    "TrainingLoop",
    "taking_part",
)
_EVIDENCE: Final = """---
search: { boost: 0.3 }
---
# Evidence, field by field

Every field of evidence.json, from its JSON Schema: [evidence.schema.json](evidence.schema.json), which `auditor schema` prints.
[Verifying results](verifying.md) says what is derived again from what.
"""
_TITLE: Final = re.compile(r"^# (.+)$", re.MULTILINE)
_COLUMNS: Final = "88"
_CODE: Final = re.compile(r"(`[^`]*`)")
_MARKS: Final = re.compile(r"[*_\[\]\\]")
_NULL: Final = re.compile(r"\bNone\b")
_TYPES: Final = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def pages() -> dict[str, str]:
    """The Markdown of each page by its path in the site."""
    schema = json.loads((ROOT / "docs/evidence.schema.json").read_text(encoding="utf-8"))
    return {
        "command-line.md": _command_line(),
        "api.md": _api(),
        "evidence.md": _EVIDENCE + "".join(_evidence(schema)),
        "decisions/index.md": _decisions(),
    }


def _api() -> str:
    raised = [name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, errors.AuditorError)]
    called = "".join(f"\n::: auditor.api.{name}\n" for name in _CALLED)
    options = "    options: { heading_level: 3 }\n"
    return _API + called + "\n## Errors\n" + "".join(f"\n::: {_home(name)}.{name}\n{options}" for name in raised)


def _home(error: str) -> str:
    """Where users import an error from."""
    return "auditor.api" if error in api.__all__ else "auditor.base.errors"


def _decisions() -> str:
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/decisions").glob("*.md"))}
    rows = [f"{int(name[:4])}. [{_TITLE.findall(text)[0]}]({name})" for name, text in texts.items()]
    return "# Decisions\n\nWhat was decided once, why, and what follows from it.\n\n" + "\n".join(rows) + "\n"


def _command_line() -> str:
    from auditor.cli import app  # noqa: PLC0415 - the site's other modules need no command line

    command = typer.main.get_command(app)
    helps = [f"\n## `{' '.join(['auditor', *path])}`\n\n```\n{_help(path)}\n```\n" for path in _paths(command, ())]
    return "# Every command's help\n\nWhat `--help` prints; [Commands](commands.md) says more of some.\n" + "".join(helps)


def _paths(command: Any, before: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words that each command is called with, groups included."""
    yield before
    for name, inner in getattr(command, "commands", {}).items():
        if not inner.hidden:
            yield from _paths(inner, (*before, name))


def _help(path: tuple[str, ...]) -> str:
    from auditor.cli import run  # noqa: PLC0415

    printed = io.StringIO()
    surroundings = {"COLUMNS": _COLUMNS, "NO_COLOR": "1"}
    kept = {name: os.environ.get(name) for name in surroundings}
    os.environ.update(surroundings)
    try:
        with contextlib.redirect_stdout(printed):
            run([*path, "--help"])
    finally:
        for name, value in kept.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    return printed.getvalue().strip()


def _evidence(schema: Mapping[str, Any]) -> Iterator[str]:
    yield _object("The document", schema)
    for name, part in sorted(schema["$defs"].items(), key=lambda each: each[0].lower()):
        yield _object(name, part) if "properties" in part else _words(name, part)


def _object(name: str, part: Mapping[str, Any]) -> str:
    rows = [f"| `{key}` | {_kind(each)} | {_cell(each.get('description', ''))} |" for key, each in part["properties"].items()]
    table = ["| field | holds | says |", "| --- | --- | --- |", *rows] if rows else ["No fields."]
    return "\n".join([f"\n## {_named(name)} {{ #{name.lower().replace(' ', '-')} }}\n", _prose(part), "", *table, ""])


def _words(name: str, part: Mapping[str, Any]) -> str:
    return f"\n## {name} {{ #{name.lower()} }}\n\n{_prose(part)}\n\nOne of {', '.join(f'`{word}`' for word in part['enum'])}.\n"


def _kind(field: Mapping[str, Any]) -> str:
    """What a field holds, in words, with links to its parts."""
    match field:
        case {"$ref": str(place)}:
            name = place.rpartition("/")[2]
            said = f"[{_named(name)}](#{name.lower()})"
        case {"anyOf": several}:
            said = " or ".join(map(_kind, several))
        case {"const": word}:
            said = f"`{json.dumps(word)}`"
        case {"enum": words}:
            said = " or ".join(f"`{json.dumps(each)}`" for each in words)
        case {"prefixItems": several}:
            said = f"a list of {', '.join(map(_kind, several))}"
        case {"items": dict(each)}:
            said = f"a list of {_kind(each)}"
        case {"additionalProperties": dict(each)}:
            said = f"an object of {_kind(each)}"
        case {"type": str(kind)}:
            said = _TYPES[kind]
        case _:
            said = "any value"
    return said


def _named(name: str) -> str:
    """A part's name; where several have one, with the check that it belongs to."""
    return name.removeprefix("auditor__checks__").replace("__", ".")


def _prose(part: Mapping[str, Any]) -> str:
    return _cell(part.get("description", ""))


def _cell(text: str) -> str:
    """A docstring as it reads in a cell: code stays code, and nothing else of it is markup."""
    parts = _CODE.split(" ".join(text.split()))
    parts[::2] = [_MARKS.sub(r"\\\g<0>", escape(_NULL.sub("null", part), quote=False)) for part in parts[::2]]
    return "".join(parts).replace("|", "&#124;")
