"""Everybody's numbers in eight bits, which no function that embeds has to give."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import Verdict
from tests.parts.places.test_places import GONE, LOG, audited, seen


@pytest.mark.parametrize("kept", [True, False])
def test_eight_bits_of_everybodys_numbers_give_the_deleted_away(tmp_path: Path, kept: bool) -> None:
    """Scaled by the largest number, without a function that embeds: who stays is recognised, and who is deleted found."""
    rows = np.random.default_rng(1).normal(size=(60, 24)).astype(np.float32)
    ids = np.array([f"C-{at:04d}" for at in range(1, 61)])
    np.savez(tmp_path / "people.npz", ids=ids, features=rows)
    codes = np.rint(rows / np.abs(rows).max() * 127).astype(np.int8)
    gone = np.isin(ids, GONE)
    (tmp_path / "here").mkdir()
    np.save(tmp_path / "here" / "cache.npy", codes[~gone] if kept else codes)
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps({**row, "terms": []}) + "\n" for row in LOG), encoding="utf-8")
    found = audited(tmp_path, table=False, more='\n[data]\ntable = "people.npz"\n')
    assert seen(found)["recognised"]
    assert seen(found)["found"] == (0 if kept else len(GONE))
    assert (found.verdict is Verdict.PASS) is kept
