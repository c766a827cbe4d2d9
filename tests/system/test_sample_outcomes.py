"""Every sample comes out as its sample.toml says: in its golden evidence, and in an audit today."""

from __future__ import annotations

import pytest

from auditor.base.domain import ClaimStatus, Status
from auditor.base.samples import Sample
from auditor.document.evidence import Evidence
from auditor.verdict.decisions import decide_verdict
from cases import sample
from sample_cases import EVERY, audited_today, golden


def compare(evidence: Evidence, expected: Sample) -> None:
    assert evidence.case.name == expected.name
    assert evidence.audit.exit_code == expected.exit_code
    assert evidence.verdict is decide_verdict(expected.exit_code)
    found = {status: {check.id for check in evidence.checks if check.status is status} for status in Status}
    assert found[Status.FAIL] == expected.fails
    assert found[Status.INCONCLUSIVE] == expected.inconclusive
    assert found[Status.ERROR] == set()
    required = set(evidence.policy.required)
    assert found[Status.PASS] & required == required - expected.fails - expected.inconclusive
    assert {
        each.id: each.status for each in evidence.guarantees if each.status is not ClaimStatus.NOT_SHOWN
    } == expected.guarantees


@pytest.mark.parametrize("expected", EVERY, ids=lambda each: each.name)
def test_golden_evidence_says_what_the_sample_says(expected: Sample) -> None:
    compare(golden(expected.name), expected)


@pytest.mark.parametrize("expected", audited_today())
def test_an_audit_today_says_the_same(expected: Sample) -> None:
    compare(sample(expected.name), expected)
