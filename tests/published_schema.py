"""What validates evidence by the published schema, made once in each process of the tests."""

from __future__ import annotations

from functools import cache

import jsonschema

from auditor.verdict.published import schema


@cache
def published() -> jsonschema.Draft202012Validator:
    """A validator by the schema that this version describes itself with."""
    return jsonschema.Draft202012Validator(schema())
