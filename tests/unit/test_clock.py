"""Clocks that jump while an audit runs: what is timed and what is due have tests of their own, in worker and deletion log."""

from __future__ import annotations

import json

import pytest
import rfc8785

from auditor.verify.derivations import recheck_evidence
from auditor.verify.reading import read_evidence
from rechecks import derived


@pytest.mark.parametrize("finished", ["2001-01-01T00:00:00Z", "2037-12-31T23:59:59Z"])
def test_an_audit_whose_clock_was_set_meanwhile_agrees_with_itself(finished: str) -> None:
    value = json.loads(derived("fixed-output"))
    value["audit"]["finished_at"] = finished
    found = recheck_evidence(read_evidence(rfc8785.dumps(value), "evidence.json"), "evidence.json")
    assert [str(each) for each in found.findings] == []
