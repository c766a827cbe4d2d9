"""An auditor that is killed loses no finished work and leaves nothing that `auditor clean` does not find."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.slow
def test_three_audits_that_were_killed_come_to_the_evidence_of_an_undisturbed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parent.parent.parent))
    kills = import_module("benchmarks.kill_and_resume").kills
    same, clean, finished, taken = kills(tmp_path, 3, 7)
    assert (same, clean) == (3, 3)
    assert taken == finished
