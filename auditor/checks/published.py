"""The JSON Schema of evidence.json: the document, and by the id of each check the model of what a run observed for it."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, create_model
from pydantic.json_schema import models_json_schema

from auditor.checks import definitions
from auditor.domain import Check
from auditor.evidence import Evidence

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
    document = parts.pop(Evidence.__name__)
    observed = {check_id: described[model, "validation"] for check_id, model in models.items()}
    parts[Check.__name__]["allOf"] = [_of(check_id, observed.get(check_id)) for check_id in definitions()]
    return {"$schema": _DIALECT, **document, "$defs": parts}


def _of(check_id: str, observed: dict[str, Any] | None) -> dict[str, Any]:
    """What `observed` is where the id is this one."""
    found = _NULL if observed is None else {"anyOf": [observed, _NULL]}
    return {"if": {"properties": {"id": {"const": check_id}}}, "then": {"properties": {"observed": found}}}
