"""The sample cases as parameters of tests: each folder of sample_models is one, with what its sample.toml expects."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from auditor import __version__
from auditor.base import samples
from auditor.base.samples import OWN_CODE, Sample
from auditor.document.evidence import Evidence
from auditor.document.evidence_files import read
from auditor.sandbox import Level
from levels import needing

NAMES = samples.names()
EVERY = samples.every()
GOLDEN = Path(__file__).resolve().parent / "golden" / __version__
BEHIND_WALLS = needing(Level.CONFINED)


def of_procedure(*procedures: str) -> tuple[Sample, ...]:
    """The samples of these procedures."""
    return tuple(each for each in EVERY if each.procedure in procedures)


def audited_today(found: Iterable[Sample] = EVERY):
    """Parameters for tests that audit: slow where the sample says so, and skipped where its code cannot be shut in."""
    return [
        pytest.param(
            each,
            id=each.name,
            marks=[*([pytest.mark.slow] if each.slow else []), *([BEHIND_WALLS] if each.procedure == OWN_CODE else [])],
        )
        for each in found
    ]


@cache
def golden(name: str) -> Evidence:
    """The evidence that this version keeps of a sample: read once, as nothing changes a document in place."""
    return read(GOLDEN / f"{name}.json")
