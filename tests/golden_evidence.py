"""Evidence of the samples as it is kept, with its words: for tests that need real numbers and no run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from auditor.evidence import Evidence
from auditor.words.told import Told, tell

KEPT = Path(__file__).parent / "golden" / "0.2.0"
NAMES = tuple(sorted(file.stem for file in KEPT.glob("*.json")))


@cache
def golden(name: str) -> Told:
    """The evidence of one sample."""
    return tell(Evidence.model_validate_json((KEPT / f"{name}.json").read_bytes()))
