"""The JSON Schema of evidence.json: the document, and by the id of each check the model of what a run observed for it."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from itertools import pairwise
from typing import Any, Final

from pydantic import BaseModel, create_model
from pydantic.json_schema import models_json_schema

from auditor.base import domain, terms
from auditor.base.deletion_log import requests
from auditor.base.domain import Check
from auditor.document import conclusions, context, evidence
from auditor.document.evidence import Evidence
from auditor.settings import controller, documents, tables
from auditor.verdict.checks import definitions

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_NULL: Final = {"type": "null"}


def schema() -> dict[str, Any]:
    """Describe what `Evidence` reads, and each check's `observed` by its id; a check that nothing runs for has null there."""
    models: dict[str, type[BaseModel]] = {
        # Readers know checks by their ids, and nothing of our modules.
        check_id: create_model(check_id.replace(".", "_"), __base__=each.observed, __doc__=each.observed.__doc__)
        for check_id, each in definitions().items()
        if each.runs
    }
    every: tuple[type[BaseModel], ...] = (Evidence, *models.values())
    described, whole = models_json_schema([(each, "validation") for each in every])
    parts: dict[str, Any] = whole["$defs"]
    for name, kind in _named().items():
        fields = parts.get(name, {}).get("properties", {})
        for field, text in (docstrings(kind) if fields else {}).items():
            if field in fields:
                fields[field]["description"] = text
    document = parts.pop(Evidence.__name__)
    observed = {check_id: described[model, "validation"] for check_id, model in models.items()}
    parts[Check.__name__]["allOf"] = [_of(check_id, observed.get(check_id)) for check_id in definitions()]
    return {"$schema": _DIALECT, **document, "$defs": parts}


def docstrings(kind: type) -> dict[str, str]:
    """Read what stands below each field of a class in its source.

    The models themselves do not know it: reading it when they are imported would take every command a fifth of a second.
    """
    found = _classes(kind.__module__)[kind.__name__]
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(found.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


@functools.cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module by name, its source read once: `inspect.getsource` of a class reads all of it each time."""
    body = ast.parse(inspect.getsource(sys.modules[module])).body
    return {each.name: each for each in body if isinstance(each, ast.ClassDef)}


def _named() -> dict[str, type]:
    """The classes that the document is made of, by name."""
    modules = (domain, requests, terms, evidence, context, conclusions, documents, controller, tables)
    return {kind.__name__: kind for module in modules for kind in vars(module).values() if inspect.isclass(kind)}


def _of(check_id: str, observed: dict[str, Any] | None) -> dict[str, Any]:
    """What `observed` is where the id is this one."""
    found = _NULL if observed is None else {"anyOf": [observed, _NULL]}
    return {"if": {"properties": {"id": {"const": check_id}}}, "then": {"properties": {"observed": found}}}
