"""One table of audit.toml as its typed record, or a Problem for each key that is wrong."""

from __future__ import annotations

import re
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from auditor.base.domain import Problem
from auditor.base.validation import expected_of
from auditor.settings.values import show, unknown

_Model = TypeVar("_Model", bound=BaseModel)


def table(file: str, name: str, model: type[_Model], content: dict[str, Any]) -> _Model | list[Problem]:
    """Check a table.

    Args:
        file: The name of audit.toml.
        name: The table's own, with dots where it lies in another.
        model: What it should be.
        content: What it is.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        found = error.errors(include_url=False)
        return [_problem(file, name, model, item) for item in found if not _follows(item, found)]


def _follows(item: ErrorDetails, found: list[ErrorDetails]) -> bool:
    """An array is called too short where an element of it is wrong, which is said of the element already."""
    length = len(item["loc"])
    return item["type"] == "too_short" and any(
        len(other["loc"]) > length and other["loc"][:length] == item["loc"] for other in found
    )


def _problem(file: str, table: str, model: type[BaseModel], item: ErrorDetails) -> Problem:
    # A wrong key of a free table is named by itself: pydantic adds this to its place.
    location = [str(part) for part in item["loc"] if part != "[key]"]
    where = ".".join([table, *location])
    where = where if where.isprintable() else table
    context = item.get("ctx", {})
    match item["type"]:
        case "wrong":
            return Problem(file, where, str(context["expected"]), str(context["found"]))
        case "missing":
            return Problem(file, where, "a value: this key is required", "no such key")
        case "extra_forbidden":
            known = list(_model_at(model, location[:-1]).model_fields)
            words = unknown("key", location[-1], known) if known else ("no keys", show(location[-1]))
            return Problem(file, where, *words)
        case "literal_error" if isinstance(item["input"], str):
            return Problem(file, where, *unknown("value", item["input"], re.findall(r"'([^']*)'", context["expected"])))
        case _:
            expected = expected_of(item)
            found = "something else (a seed is not shown)" if location[-1:] == ["seed"] else show(item["input"])
            return Problem(file, where, expected, found)


def _model_at(model: type[BaseModel], location: list[str]) -> type[BaseModel]:
    for part in location:
        annotation = model.model_fields[part].annotation
        nested = [kind for kind in (annotation, *get_args(annotation)) if isinstance(kind, type) and issubclass(kind, BaseModel)]
        model = nested[0]
    return model
