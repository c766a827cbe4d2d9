"""`inference.difference`: how often the deleted record was named, against what the policy allows."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Message, Status
from auditor.pages.words import basis
from auditor.parts.revealing.judging.inference_difference import Derived, Observed, applies, judge
from auditor.settings.tables import InferenceTable, Policy
from auditor.verdict.checks.context import Context
from judging import declared, log_facts
from removal_examples import removing


def observed(games: int, *, ahead: int, ties: int = 0, ties_won: int = 0) -> Observed:
    return Observed(ranks=(1,) * ahead + (2,) * (games - ahead), ahead=ahead, ties=ties, ties_won=ties_won, candidates=100)


def allowing(epsilon: float | None, case: dict[str, Any] | None = None) -> Context:
    return removing(case, context={"policy": Policy(before_and_after=True, max_compliance_epsilon=epsilon)})


@pytest.mark.parametrize(("ahead", "status"), [(1000, Status.FAIL), (500, Status.PASS), (550, Status.INCONCLUSIVE)])
def test_the_whole_interval_decides(ahead: int, status: Status) -> None:
    finding = judge(allowing(0.1), observed(1000, ahead=ahead), {})
    assert (finding.status, finding.value, finding.threshold) == (status, ahead / 1000, 0.1)
    assert finding.interval is not None
    assert isinstance(finding.derived, Derived)
    assert finding.derived.epsilon_lower == max(0.0, 2 * finding.interval.low - 1)
    assert ("Too few games" in basis(finding.reasons)) == (status is Status.INCONCLUSIVE)


def test_a_coin_settles_ties() -> None:
    finding = judge(allowing(0.1), observed(10, ahead=3, ties=4, ties_won=2), {})
    assert isinstance(finding.derived, Derived)
    assert (finding.value, finding.derived.wins, finding.derived.ranked_first) == (0.5, 5, 3)


def test_the_case_s_confidence_is_used() -> None:
    wide, narrow = (
        judge(
            removing(context={"policy": Policy(before_and_after=True), "inference": InferenceTable(confidence=confidence)}),
            observed(20, ahead=15),
            {},
        ).interval
        for confidence in (0.99, 0.5)
    )
    assert wide is not None
    assert narrow is not None
    assert wide.low < narrow.low < narrow.high < wide.high


def test_without_a_threshold_it_is_informative() -> None:
    finding = judge(allowing(None), observed(4, ahead=4), {})
    assert (finding.status, finding.value) == (Status.SKIPPED, 1.0)
    assert basis(finding.reasons) == (
        "The weights before and after a deletion, and a Hessian of the holdout, point at a record: the deleted one came out "
        "first of up to 100 in 4 of 4 batches of one record. Against one other record it was named correctly 4 times. "
        "Informative: the policy sets neither max_inference nor "
        "max_compliance_epsilon."
    )


def test_it_says_what_the_hessian_was_formed_from() -> None:
    finding = judge(allowing(None, {"holdout_records": None}), observed(4, ahead=4), {})
    assert "a Hessian of what remains" in basis(finding.reasons)
    assert isinstance(finding.derived, Derived)
    assert finding.derived.hessian == "remaining records"


def test_batches_of_several_records_are_no_games() -> None:
    finding = judge(allowing(0.1), observed(0, ahead=0), {})
    assert (finding.status, finding.reasons) == (Status.SKIPPED, (Message("inference.difference.no-single-record"),))


def test_somebody_must_see_two_releases_of_certified_removal() -> None:
    assert applies(allowing(None), {}) is None
    assert applies(removing(context={"log": log_facts(max_seen_releases=2)}), {}) is None
    assert applies(removing(), {}) == Message("inference.difference.one-release")
    assert applies(declared(policy=Policy(before_and_after=True)), {}) == Message("inference.difference.other-procedure")


def test_a_limit_on_inference_is_one_on_this_check_too() -> None:
    context = removing(context={"policy": Policy(before_and_after=True, max_inference=0.55, max_compliance_epsilon=0.2)})
    finding = judge(context, observed(1000, ahead=1000), {})
    assert finding.status is Status.FAIL
    assert finding.threshold == pytest.approx(0.1)
