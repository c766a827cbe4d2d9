"""The evidence of every sample case follows the published schema and survives a file."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from auditor.evidence import read, schema
from cases import SAMPLES, sample


@pytest.mark.parametrize("name", sorted(path.parent.name for path in SAMPLES.glob("*/audit.toml")))
def test_the_evidence_of_a_sample_follows_the_schema_and_is_read_back(tmp_path: Path, name: str) -> None:
    content = sample(name, quick=True).to_bytes()
    jsonschema.Draft202012Validator(schema()).validate(json.loads(content))
    (tmp_path / "evidence.json").write_bytes(content)
    assert read(tmp_path / "evidence.json").to_bytes() == content
