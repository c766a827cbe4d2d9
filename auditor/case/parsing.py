"""One table of audit.toml as its typed record, or a Problem for each key that is wrong."""

from __future__ import annotations

import re
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from auditor.base import suggestions
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
        return [_problem(file, name, model, item) for item in found if not _follows(model, item, found)]


def as_meant(model: type[BaseModel], content: dict[str, Any]) -> dict[str, Any]:
    """Put each misspelt key under the one that was meant, where that is not there: only for what is still to be checked."""
    known, found = list(model.model_fields), dict(content)
    for key in [key for key in content if key not in model.model_fields]:
        near = suggestions.nearest(key, known)
        if near is not None and near not in found:
            found[near] = found.pop(key)
    return found


def _follows(model: type[BaseModel], item: ErrorDetails, found: list[ErrorDetails]) -> bool:
    """Whether an error follows from another one, which is reported.

    An array is called too short where an element of it is wrong, and a key missing where it is there misspelt.
    """
    place = item["loc"]
    match item["type"]:
        case "too_short":
            return any(len(other["loc"]) > len(place) and other["loc"][: len(place)] == place for other in found)
        case "missing":
            around = [str(part) for part in place[:-1] if part != "[key]"]
            unknown_keys = (
                str(other["loc"][-1]) for other in found if other["type"] == "extra_forbidden" and other["loc"][:-1] == place[:-1]
            )
            return any(suggestions.nearest(key, _model_at(model, around).model_fields) == place[-1] for key in unknown_keys)
        case _:
            return False


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
