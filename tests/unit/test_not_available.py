"""Checks that this version cannot make are listed with the reason, and what is informative stands on the card."""

from __future__ import annotations

import pytest

from auditor.checks import definitions
from auditor.checks.finding import Nothing
from auditor.checks.not_available import CHECKS
from auditor.domain import Status
from auditor.words import basis
from judging import declared


@pytest.mark.parametrize("definition", CHECKS, ids=[each.card.id for each in CHECKS])
def test_a_check_that_cannot_be_made_is_skipped_with_the_reason(definition) -> None:
    finding = definition.judge(declared(), Nothing(), {})
    assert (finding.status, finding.value, finding.facts, finding.certificates) == (Status.SKIPPED, None, (), ())
    assert basis(finding.reasons).startswith(("This version has no ", "Does not apply: "))
    assert not definition.runs
    assert definitions()[definition.card.id] is definition
