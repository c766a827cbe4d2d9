"""The evidence of every sample case follows the published schema and survives a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.base.samples import Sample
from auditor.document.evidence_files import read
from cases import sample
from published_schema import published
from sample_cases import EVERY, GOLDEN, audited_today


def survives(content: bytes, folder: Path) -> bool:
    published().validate(json.loads(content))
    (folder / "evidence.json").write_bytes(content)
    return read(folder / "evidence.json").to_bytes() == content


@pytest.mark.parametrize("each", audited_today())
def test_the_evidence_of_a_sample_follows_the_schema_and_is_read_back(tmp_path: Path, each: Sample) -> None:
    assert survives(sample(each.name).to_bytes(), tmp_path)


@pytest.mark.parametrize(
    "name", [each.name if each.name == "digits-newton" else pytest.param(each.name, marks=pytest.mark.slow) for each in EVERY]
)
def test_and_so_does_that_of_a_quick_audit(tmp_path: Path, name: str) -> None:
    assert survives(sample(name, quick=True).to_bytes(), tmp_path)


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.name)
def test_golden_evidence_follows_the_schema(each: Sample) -> None:
    published().validate(json.loads((GOLDEN / f"{each.name}.json").read_bytes()))
