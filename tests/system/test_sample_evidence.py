"""The evidence of every sample case follows the published schema and survives a file."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from auditor import __version__
from auditor.evidence import read, schema
from cases import SAMPLES, sample

NAMES = sorted(path.parent.name for path in SAMPLES.glob("*/audit.toml"))
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / __version__
AT_ONCE = ("digits-newton", "digits-newton-noised", "breast-cancer-noisy-gd")
"""One of each kind; the others are slow, and their golden evidence is always held to the schema."""


@pytest.mark.parametrize("name", [name if name in AT_ONCE else pytest.param(name, marks=pytest.mark.slow) for name in NAMES])
def test_the_evidence_of_a_sample_follows_the_schema_and_is_read_back(tmp_path: Path, name: str) -> None:
    content = sample(name, quick=True).to_bytes()
    jsonschema.Draft202012Validator(schema()).validate(json.loads(content))
    (tmp_path / "evidence.json").write_bytes(content)
    assert read(tmp_path / "evidence.json").to_bytes() == content


@pytest.mark.parametrize("name", NAMES)
def test_golden_evidence_follows_the_schema(name: str) -> None:
    jsonschema.Draft202012Validator(schema()).validate(json.loads((GOLDEN / f"{name}.json").read_bytes()))
