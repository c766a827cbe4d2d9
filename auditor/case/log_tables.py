"""The cells of a deletion log that are tables themselves: an extension, pauses of the clock, recipients."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator
from pydantic_core import PydanticCustomError

from auditor.base.domain import ClockPause, Extension, Recipient
from auditor.case import log_values, parsing
from auditor.settings.problems import show
from auditor.settings.values import Table

TABLES: Final = ("extension", "clock_pauses", "recipients_notified")
"""Columns whose cells are JSON in CSV, and tables or lists elsewhere."""
MOST: Final = 1000
"""Members of one list."""

Fault: TypeAlias = Callable[[str, str, str], None]
"""Takes a key, what was expected and what was found."""
_Model = TypeVar("_Model", bound=BaseModel)
_Time: TypeAlias = Annotated[datetime, BeforeValidator(log_values.moment)]
_Said: TypeAlias = Annotated[str, BeforeValidator(log_values.statement)]


class _Extension(Table):
    notified_at: _Time | None = None
    reason: _Said | None = None
    until: Annotated[date, BeforeValidator(log_values.day)] | None = None


class _Pause(Table):
    paused_at: _Time
    resumed_at: _Time | None = None
    reason: _Said | None = None


class _Recipient(Table):
    name: Annotated[str, BeforeValidator(log_values.identifier)] | None = None
    notified: bool = True
    notified_at: _Time | None = None


def from_text(cell: str) -> Any:
    """The value in a cell of CSV or Parquet: JSON, or the text itself where it is not one."""
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell


def extension(value: Any, fault: Fault) -> Extension | None:
    """Read an extension; None where anything of it was reported."""
    read = _table(_Extension, "extension", value, fault)
    return None if read is None else Extension(read.notified_at, read.reason, read.until)


def pauses(value: Any, fault: Fault) -> tuple[ClockPause, ...]:
    """Read the pauses of the clock."""
    members = (_table(_Pause, f"clock_pauses.{index}", item, fault) for index, item in _members("clock_pauses", value, fault))
    return tuple(ClockPause(each.paused_at, each.resumed_at, each.reason) for each in members if each is not None)


def recipients(value: Any, fault: Fault) -> tuple[Recipient, ...]:
    """Read who had been given the data: true or false, the time at which all were told, or a list of names or tables."""
    key = "recipients_notified"
    match value:
        case bool():
            return (Recipient(notified=value),)
        case str() | datetime():
            try:
                return (Recipient(notified_at=log_values.moment(value)),)
            except PydanticCustomError:
                fault(key, "true, false, a time as RFC 3339 with its offset, or a list of recipients", show(value))
                return ()
    tables = ((index, {"name": item} if isinstance(item, str) else item) for index, item in _members(key, value, fault))
    members = (_table(_Recipient, f"{key}.{index}", item, fault) for index, item in tables)
    return tuple(Recipient(each.name, each.notified, each.notified_at) for each in members if each is not None)


def _members(key: str, value: Any, fault: Fault) -> list[tuple[int, Any]]:
    if not isinstance(value, list) or len(value) > MOST:
        fault(key, f"a list of at most {MOST}", show(value))
        return []
    return list(enumerate(value))


def _table(model: type[_Model], name: str, value: Any, fault: Fault) -> _Model | None:
    if not isinstance(value, dict):
        fault(name, f"a table with {', '.join(model.model_fields)}", show(value))
        return None
    # A struct of Parquet has every key of its type: one without a value is one that is missing, as in the log's own columns.
    found = parsing.table("", name, model, {key: item for key, item in value.items() if item is not None})
    if isinstance(found, BaseModel):
        return found
    for each in found:
        fault(each.where, each.expected, each.found)
    return None
