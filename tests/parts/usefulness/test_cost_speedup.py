"""`cost.speedup`: how many times faster unlearning one batch is than retraining."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Status
from auditor.pages.words import basis
from auditor.parts.release.judging.release_exact import Derived as Exact
from auditor.parts.usefulness.judging.cost_speedup import Derived, Observed, judge
from auditor.settings.learning import Foreign
from auditor.settings.tables import Claims, Policy
from auditor.verdict.checks.finding import Finding
from judging import attesting, declared

EXACT = {"release.exact": Finding(Status.SKIPPED)}


def observed(**changes: Any) -> Observed:
    """Ten seconds of retraining against two of unlearning."""
    values: dict[str, Any] = {"unlearn_seconds": 2.0, "retrain_seconds": 10.0, "warm_refit_seconds": 4.0, "batches": 3}
    return Observed(**{**values, **changes})


@pytest.mark.parametrize(("least", "status"), [(None, Status.SKIPPED), (5.0, Status.PASS), (5.01, Status.FAIL)])
def test_the_ratio_of_times_is_held_against_the_policy(least: float | None, status: Status) -> None:
    finding = judge(declared(policy=Policy(min_speedup=least)), observed(), EXACT)
    assert (finding.status, finding.value, finding.threshold) == (status, 5.0, least)
    assert finding.derived == Derived(warm_speedup=2.0)
    assert ("Informative" in basis(finding.reasons)) is (least is None)


@pytest.mark.parametrize("seconds", [None, 0.0])
def test_where_nothing_was_unlearned_there_is_no_time_to_compare(seconds: float | None) -> None:
    finding = judge(declared(policy=Policy(min_speedup=5.0)), observed(unlearn_seconds=seconds), EXACT)
    assert (finding.status, finding.value, finding.derived) == (Status.SKIPPED, None, None)
    assert basis(finding.reasons) == "No batch was unlearned, so there is no time to compare."


def test_a_procedure_that_cannot_start_warm_has_no_warm_ratio() -> None:
    assert judge(declared(), observed(warm_refit_seconds=None), EXACT).derived == Derived(warm_speedup=None)


def test_a_ratio_beyond_every_number_is_left_out_and_counts_as_fast() -> None:
    seen = observed(unlearn_seconds=1e-300, retrain_seconds=1e300, warm_refit_seconds=1e300)
    finding = judge(declared(policy=Policy(min_speedup=5.0)), seen, EXACT)
    assert (finding.status, finding.value, finding.derived) == (Status.PASS, None, Derived(warm_speedup=None))


@pytest.mark.parametrize(("least", "status"), [(None, Status.SKIPPED), (5.0, Status.INCONCLUSIVE), (5.01, Status.FAIL)])
def test_a_batch_that_left_the_model_as_it_was_is_no_merit(least: float | None, status: Status) -> None:
    lazy = Exact(
        route=None,
        compared_batches=(1, 2),
        drawn=1,
        differing_batch=2,
        differing=(),
        let_pass=(),
        unchanged=(2,),
    )
    earlier = {"release.exact": Finding(Status.INCONCLUSIVE, derived=lazy)}
    finding = judge(declared(policy=Policy(min_speedup=least)), observed(), earlier)
    assert finding.status is status
    assert ("Batch 2 left the model as it was" in basis(finding.reasons)) is (status is Status.INCONCLUSIVE)


@pytest.mark.parametrize(("words", "status"), [((), Status.INCONCLUSIVE), (("procedure-honest",), Status.PASS)])
def test_how_long_the_controllers_own_training_takes_is_its_word(words: tuple[str, ...], status: Status) -> None:
    own = Foreign(entry="procedure.py:Procedure", seed=1)
    context = declared(policy=Policy(min_speedup=5.0), procedure=own, claims=attesting(*words) if words else Claims())
    finding = judge(context, observed(), EXACT)
    assert finding.status is status
    assert ("procedure-honest" in basis(finding.reasons)) is (not words)
    slower = judge(context, observed(unlearn_seconds=9.0), EXACT)
    assert slower.status is Status.FAIL, "a word turns no finding into a pass"
