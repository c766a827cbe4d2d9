"""Fields of a document's models that came after its first version: documents of earlier versions are written without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import BaseModel, Field

from auditor.document.editions import known

_SINCE: Final = "since"
M = TypeVar("M", bound=BaseModel)


def later(since: str, default: Any = None) -> Any:
    """Declare a field of a model that came after the first version: documents of earlier versions do not have it.

    Args:
        since: The version that it came with.
        default: What it is in a document that does not have it; a document leaves out what equals this.
    """
    return Field(default=default, exclude_if=lambda value: value == default, json_schema_extra={_SINCE: since})


def undeclared(value: object) -> bool:
    """Whether a field that came after the first document of this schema says nothing: it is then left out of the document."""
    return value is None or value in ((), {})


def as_of(model: M, version: str) -> M:
    """Give a model as a version would have it: fields that came later have their defaults, in the models inside it too.

    Raises:
        ValueError: If something is no version.
    """
    changed: dict[str, Any] = {}
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        extra = field.json_schema_extra
        since = extra.get(_SINCE) if isinstance(extra, dict) else None
        new = field.default if isinstance(since, str) and not known(since, version) else _as_of(value, version)
        if new is not value:
            changed[name] = new
    return model.model_copy(update=changed) if changed else model


_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
"""Most values of a document, by far: long lists of numbers."""


def _as_of(value: Any, version: str) -> Any:
    """The same object where nothing in it came later."""
    if type(value) in _PLAIN:
        return value
    match value:
        case BaseModel():
            return as_of(value, version)
        case tuple():
            items = tuple(_as_of(each, version) for each in value)
            return items if any(one is not other for one, other in zip(items, value, strict=True)) else value
        case Mapping():
            held = {name: _as_of(each, version) for name, each in value.items()}
            return held if any(held[name] is not each for name, each in value.items()) else value
        case _:
            return value
