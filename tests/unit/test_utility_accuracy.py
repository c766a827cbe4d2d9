"""`utility.accuracy`: the accuracy that unlearning costs, against the retrained model on the same holdout."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.checks.context import Context
from auditor.checks.utility_accuracy import CONFIDENCE, Derived, Observed, applies, judge
from auditor.domain import Status
from auditor.settings.tables import Policy
from auditor.statistics import paired_difference
from auditor.words import basis, sentence
from judging import case_facts, declared

COSTLY = Observed(predicted=True, unlearned_right=40, retrained_right=45, lost=6, won=1)
"""A drop of five in fifty."""


def context(most: float | None = None, **case: Any) -> Context:
    return declared(policy=Policy(max_accuracy_drop=most), case=case_facts(**case))


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"holdout_records": None}, "The case names no holdout data"),
        ({"holdout_records": 0}, "The case names no holdout data"),
        ({"task": "regression", "classes": 0}, "Accuracy is a measure of classification."),
    ],
)
def test_it_needs_a_holdout_and_a_classification(case: dict[str, Any], words: str) -> None:
    reason = applies(context(**case), {})
    assert reason is not None
    assert sentence(reason).startswith(words)
    assert applies(context(), {}) is None


@pytest.mark.parametrize(
    ("most", "status"),
    [(None, Status.SKIPPED), (0.1, Status.PASS), (0.099, Status.FAIL), (0.0, Status.FAIL), (1.0, Status.PASS)],
)
def test_the_drop_is_held_against_the_policy(most: float | None, status: Status) -> None:
    finding = judge(context(most), COSTLY, {})
    assert (finding.status, finding.value, finding.threshold) == (status, pytest.approx(0.1), most)
    assert finding.interval == paired_difference(6, 1, 50, confidence=0.95)
    assert finding.derived == Derived(unlearned=0.8, retrained=0.9, records=50, confidence=CONFIDENCE)
    assert ("Informative" in basis(finding.reasons)) is (most is None)


def test_a_gain_is_no_drop() -> None:
    finding = judge(context(0.0), Observed(predicted=True, unlearned_right=45, retrained_right=40, lost=1, won=6), {})
    assert (finding.status, finding.value) == (Status.PASS, pytest.approx(-0.1))
    same = judge(context(0.0), Observed(predicted=True, unlearned_right=40, retrained_right=40), {})
    assert (same.status, same.value) == (Status.PASS, 0.0)


def test_without_predictions_there_is_no_accuracy() -> None:
    finding = judge(context(0.1), Observed(predicted=False), {})
    assert (finding.status, finding.value, finding.derived) == (Status.SKIPPED, None, None)
    assert basis(finding.reasons) == "The procedure gave no predictions."
