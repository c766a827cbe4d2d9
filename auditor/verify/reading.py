"""Reading a document of ours that may come from anybody, also one of a later minor version.

Versions read `auditor.evidence/MAJOR` or `auditor.evidence/MAJOR.MINOR`. A minor version only adds keys, so a reader of an
earlier one may leave out what it does not know. A major version may mean something else by the same key and is refused.
"""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from auditor.domain import Problem
from auditor.errors import InputError
from auditor.evidence import SCHEMA, Evidence, parse, parse_json

_UNKNOWN_KEY: Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_MINOR: Final = re.compile(re.escape(SCHEMA) + r"\.(0|[1-9][0-9]{0,5})")


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
    version = value.get("schema") if isinstance(value, dict) else None
    if isinstance(version, str) and _MINOR.fullmatch(version):
        known, unknown = _without_unknown(value, name)
        return Document(content, value, known, unknown)
    if version != SCHEMA:
        expected = f'"{SCHEMA}" or a later minor version of it'
        raise InputError([Problem(name, "schema", expected, json.dumps(version)[:80])])
    return Document(content, value, parse(value, name), ())


def _without_unknown(value: dict[str, Any], name: str) -> tuple[Evidence, tuple[str, ...]]:
    """The evidence that is left when every key that this version does not know is left out, and those keys."""
    known = copy.deepcopy(value) | {"schema": SCHEMA}
    try:
        return Evidence.model_validate_json(json.dumps(known)), ()
    except ValidationError as error:
        places = [item["loc"] for item in error.errors(include_url=False) if item["type"] in _UNKNOWN_KEY]
    for place in places:
        inside: Any = known
        for step in place[:-1]:
            inside = inside[step]
        inside.pop(place[-1], None)
    return parse(known, name), tuple(".".join(map(str, place)) for place in places)
