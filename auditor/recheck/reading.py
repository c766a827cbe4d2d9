"""Reading a document of ours that may come from anybody, also one of a later minor version.

Versions read `auditor.evidence/MAJOR` or `auditor.evidence/MAJOR.MINOR`, those of letters alike. A minor version only adds keys,
so a reader of an earlier one may leave out what it does not know. A major version may mean something else by the same key and is
refused.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.document.evidence import SCHEMA, Evidence, parse_json

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Read = TypeVar("Read", bound=BaseModel)

_UNKNOWN_KEY: Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_LONGEST: Final = 80
"""Characters of what was found that a problem shows."""


@dataclass(frozen=True, slots=True)
class Document:
    """An evidence document and the JSON that it came from."""

    content: bytes
    value: Any
    """The JSON value, unknown keys included."""
    evidence: Evidence
    unknown: tuple[str, ...]
    """Keys of a later minor version that this one does not know."""


def read_evidence(content: bytes, name: str) -> Document:
    """The evidence in some bytes.

    Args:
        content: The bytes of an evidence.json.
        name: What a Problem calls the file.

    Raises:
        InputError: If it is no JSON, of another major version, or does not follow the schema.
    """
    value = parse_json(content, name)
    evidence, unknown = read_model(Evidence, value, SCHEMA, name)
    return Document(content, value, evidence, unknown)


def read_model(model: type[Read], value: Any, schema: str, name: str) -> tuple[Read, tuple[str, ...]]:
    """What a JSON value says by this version of a schema, and the keys of a later minor version that this one does not know.

    Args:
        model: What the value is read as.
        value: The JSON value.
        schema: Its schema with the major version that is read, as in `auditor.evidence/2`.
        name: What a Problem calls the file.

    Raises:
        InputError: If it is of another major version, or does not follow the schema.
    """
    version = value.get("schema") if isinstance(value, dict) else None
    if not isinstance(version, str) or not re.fullmatch(re.escape(schema) + r"(\.(0|[1-9][0-9]{0,5}))?", version):
        expected = f'"{schema}" or a later minor version of it'
        raise InputError([Problem(name, "schema", expected, json.dumps(version)[:_LONGEST])])
    known: dict[str, Any] = value
    unknown: tuple[str, ...] = ()
    if version != schema:
        known = copy.deepcopy(value) | {"schema": schema}
        unknown = tuple(_take_unknown(known, model))
    try:
        return model.model_validate_json(json.dumps(known)), unknown
    except ValidationError as error:
        raise InputError([_problem(name, item) for item in error.errors(include_url=False)]) from error


def _take_unknown(value: dict[str, Any], model: type[BaseModel]) -> Iterator[str]:
    """Take every key that this version does not know out of a value, and name it."""
    try:
        model.model_validate_json(json.dumps(value))
    except ValidationError as error:
        places = [item["loc"] for item in error.errors(include_url=False) if item["type"] in _UNKNOWN_KEY]
    else:
        return
    for place in places:
        inside: Any = value
        for step in place[:-1]:
            inside = inside[step]
        inside.pop(place[-1], None)
        yield ".".join(map(str, place))


def _problem(name: str, item: ErrorDetails) -> Problem:
    found = json.dumps(item["input"], default=str)[:_LONGEST]
    return Problem(name, ".".join(map(str, item["loc"])), item["msg"], found)
