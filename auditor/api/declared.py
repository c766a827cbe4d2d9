"""Writes the audit.toml of a case that comes from Python."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime, time
from typing import Any, Final

from auditor.base.domain import Problem
from auditor.base.errors import AuditorError, InputError
from auditor.settings.problems import show

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_PLACE: Final = "settings"


def merged(own: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Join what follows from the arguments with further tables.

    Args:
        own: Tables that the arguments make; None stands for a key that is left out.
        settings: Further tables and keys.

    Returns:
        The document, and what contradicts an argument or is no table.
    """
    problems: list[Problem] = []
    document: dict[str, Any] = {}
    for name, table in own.items():
        document[name] = {key: value for key, value in table.items() if value is not None}
    for name, table in settings.items():
        if name not in own:
            document[name] = table
        elif not isinstance(table, Mapping):
            problems.append(Problem(_PLACE, str(name), "a table of keys", show(table)))
        else:
            problems += [
                Problem(_PLACE, f"{name}.{key}", "no such key: an argument of from_dataframe is for it", show(value))
                for key, value in table.items()
                if key in own[name]
            ]
            document[name] = {**table, **document[name]}
    return document, problems


def toml(document: Mapping[str, Any]) -> str:
    """Write a document as TOML.

    Raises:
        InputError: If it holds something that TOML has no word for; with every such place.
    """
    writer = _Writer()
    single, tables = [], []
    for name, value in document.items():
        if isinstance(value, Mapping):
            tables.append((name, value))
        else:
            single.append(f"{writer.key(name, name)} = {writer.value(value, name)}")
    parts = ["\n".join(single)] if single else []
    for name, table in tables:
        lines = [f"{writer.key(key, name)} = {writer.value(value, f'{name}.{key}')}" for key, value in table.items()]
        parts.append("\n".join([f"[{writer.key(name, name)}]", *lines]))
    if writer.problems:
        raise InputError(writer.problems)
    text = "\n\n".join(parts) + "\n"
    # The reader's own parser has the last word: what it would read otherwise is never written.
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads(text) == writer.plain(document):
            return text
    raise AuditorError("audit.toml: the settings cannot be written so that they read the same")


class _Writer:
    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def key(self, name: object, place: str) -> str:
        if not isinstance(name, str) or not _encodable(name):
            self.problems.append(Problem(_PLACE, place, "names that are text", show(name)))
            return '""'
        return name if _BARE.fullmatch(name) else _quoted(name)

    def value(self, value: object, place: str) -> str:
        value = _scalar(value)
        if isinstance(value, list | tuple):
            return f"[{', '.join(self.value(each, f'{place}.{at}') for at, each in enumerate(value))}]"
        if isinstance(value, Mapping):
            inside = (f"{self.key(key, place)} = {self.value(each, f'{place}.{key}')}" for key, each in value.items())
            return f"{{{', '.join(inside)}}}"
        written = _written(value)
        if written is None:
            self.problems.append(Problem(_PLACE, place, "text, numbers, true, false, dates, lists or tables", show(value)))
        return written or '""'

    def plain(self, value: object) -> object:
        """The value as the parser gives it."""
        value = _scalar(value)
        if isinstance(value, Mapping):
            return {key: self.plain(each) for key, each in value.items()}
        return [self.plain(each) for each in value] if isinstance(value, list | tuple) else value


def _scalar(value: object) -> object:
    """The Python number in a number of NumPy's."""
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "shape", None) == () else value


def _written(value: object) -> str | None:
    """A value that holds no others; None where TOML has no word for it."""
    match value:
        case bool():
            return str(value).lower()
        case str() if _encodable(value):
            return _quoted(value)
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return repr(value)
        case datetime() | date() | time():
            return value.isoformat()
        case _:
            return None


def _encodable(text: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in text)


def _quoted(text: str) -> str:
    # A JSON string is a TOML string, but for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
