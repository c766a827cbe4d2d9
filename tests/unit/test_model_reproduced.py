"""`model.reproduced`: the shipped model is the rerun's within what two honest runs may differ by, or it is another one."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.checks.finding import Finding
from auditor.checks.model_reproduced import Derived, Observed, judge
from auditor.domain import How, Reason, Status
from auditor.settings.certified_removal import CertifiedRemoval
from auditor.settings.noisy_gd import NoisyGd
from auditor.words import basis, sentence
from judging import case_facts, declared

REMOVAL = CertifiedRemoval(l2=0.01, sigma=1.0, tolerance=1e-8)
ADMITTED = 8 * 1e-8 / (0.01 * 97)
"""What its optimiser admits for the 97 records that are left."""


def observed(**changes: Any) -> Observed:
    """A model of four parameters, shipped and rerun alike, by a procedure that gave the same twice."""
    values: dict[str, Any] = {
        "parameters": 4,
        "shipped_parameters": 4,
        "difference": 0.0,
        "self_check_difference": 0.0,
        "largest": 2.0,
    }
    return Observed(**{**values, **changes})


def derived(finding: Finding) -> Derived:
    assert isinstance(finding.derived, Derived)
    return finding.derived


def facts(finding: Finding) -> list[tuple[str, How]]:
    return [(each.name, each.how) for each in finding.facts]


def test_the_same_model_twice_passes() -> None:
    finding = judge(declared(), observed(), {})
    assert (finding.status, finding.value, finding.threshold) == (Status.PASS, 0.0, 0.0)
    assert (derived(finding).deterministic, derived(finding).bit_identical) == (True, True)
    assert facts(finding) == [("release-reproduced", How.MEASURED)]
    assert sentence(finding.facts[0].evidence) == "model.reproduced: differs by 0 at most"
    assert "the shipped file and the rerun hold 4 and 4 parameters. Two reruns differed by 0 at most." in basis(finding.reasons)


def test_without_a_model_file_nothing_is_known_of_the_release() -> None:
    finding = judge(declared(), observed(shipped_parameters=None, difference=None), {})
    assert (finding.status, finding.value, finding.threshold, finding.derived) == (Status.SKIPPED, None, None, None)
    assert facts(finding) == []


def test_a_procedure_that_offers_no_parameters_leaves_it_open() -> None:
    finding = judge(declared(), observed(parameters=None, difference=None, self_check_difference=None, largest=0.0), {})
    assert (finding.status, finding.value, finding.threshold, facts(finding)) == (Status.INCONCLUSIVE, None, None, [])
    assert "offers no parameters()" in basis(finding.reasons)


@pytest.mark.parametrize(
    ("difference", "between", "status"),
    [
        (1e-9, 1e-9, Status.PASS),
        (1.001e-9, 1e-9, Status.FAIL),
        (1e-12, 0.0, Status.FAIL),
        (2e-6, 2e-6, Status.PASS),
        (2.001e-6, 2e-6, Status.FAIL),
        # Two reruns that differ by more than chance excuses.
        (0.0, 2.001e-6, Status.INCONCLUSIVE),
        (1.0, 1.0, Status.INCONCLUSIVE),
    ],
)
def test_a_procedure_that_admits_nothing_is_held_to_what_its_reruns_differ_by(
    difference: float, between: float, status: Status
) -> None:
    finding = judge(declared(), observed(difference=difference, self_check_difference=between), {})
    assert (finding.status, finding.value, finding.threshold) == (status, difference, min(between, 2e-6))
    assert derived(finding).tolerance_from == Reason("model.reproduced.tolerance.reruns")
    assert derived(finding).bit_identical is (between == 0.0)
    assert derived(finding).deterministic is (status is not Status.INCONCLUSIVE)
    known = {Status.PASS: [("release-reproduced", How.MEASURED)], Status.FAIL: [("release-reproduced", How.REFUTED)]}
    assert facts(finding) == known.get(status, [])


@pytest.mark.parametrize(
    ("difference", "between", "largest", "threshold", "origin"),
    [
        (ADMITTED, 0.0, 2.0, ADMITTED, "optimiser"),
        (ADMITTED / 2, ADMITTED / 2, 2.0, ADMITTED, "optimiser"),
        # Two runs that differ by as much as the optimiser admits speak for themselves.
        (ADMITTED, ADMITTED, 2.0, ADMITTED, "reruns"),
        (2 * ADMITTED, 2 * ADMITTED, 2.0, 2 * ADMITTED, "reruns"),
        # A coarse optimiser excuses no more than a millionth of the largest parameter.
        (1e-9, 0.0, 1e-3, 1e-9, "optimiser"),
    ],
)
def test_what_an_optimiser_admits_is_allowed_up_to_a_millionth_of_the_largest_parameter(
    difference: float, between: float, largest: float, threshold: float, origin: str
) -> None:
    context = declared(procedure=REMOVAL)
    seen = observed(difference=difference, self_check_difference=between, largest=largest)
    finding = judge(context, seen, {})
    assert (finding.status, finding.threshold) == (Status.PASS, pytest.approx(threshold, rel=1e-12))
    assert derived(finding).tolerance_from == Reason(f"model.reproduced.tolerance.{origin}")
    beyond = seen.model_copy(update={"difference": 1.001 * threshold})
    assert judge(context, beyond, {}).status is Status.FAIL


def test_what_an_optimiser_admits_depends_on_the_records_that_are_left() -> None:
    fewer = declared(procedure=REMOVAL, case=case_facts(records_left=50))
    assert judge(fewer, observed(), {}).threshold == pytest.approx(8 * 1e-8 / (0.01 * 50))


def test_noisy_steps_on_a_convex_loss_are_allowed_their_rounding() -> None:
    descent = NoisyGd(loss="logistic", l2=0.1, sigma2=1.0, learn_steps=10, unlearn_steps=5)
    rate = 1 / (2 * (0.1 + 0.25))
    finding = judge(declared(procedure=descent), observed(), {})
    assert finding.threshold == pytest.approx(1e-13 * (1 / 0.1) / (rate * 0.1))
    assert derived(finding).tolerance_from == Reason("model.reproduced.tolerance.rounding")
    # Where the loss has no constants, two runs alone can tell.
    network = NoisyGd(model="mlp", l2=0.1, sigma2=1.0, learn_steps=10, unlearn_steps=5, rate=0.1)
    unknown = judge(declared(procedure=network), observed(), {})
    assert (unknown.threshold, derived(unknown).tolerance_from) == (0.0, Reason("model.reproduced.tolerance.reruns"))


@pytest.mark.parametrize("between", [0.0, 1.0, None])
def test_another_number_of_parameters_is_another_model(between: float | None) -> None:
    finding = judge(declared(), observed(shipped_parameters=5, difference=None, self_check_difference=between), {})
    assert (finding.status, finding.value, facts(finding)) == (Status.FAIL, None, [("release-reproduced", How.REFUTED)])
    assert "these are different models" in basis(finding.reasons)


def test_reruns_with_other_numbers_of_parameters_are_not_deterministic() -> None:
    finding = judge(declared(), observed(self_check_difference=None), {})
    assert (finding.status, finding.threshold, facts(finding)) == (Status.INCONCLUSIVE, 2e-6, [])
    assert (derived(finding).deterministic, derived(finding).bit_identical) == (False, False)
    assert "Two reruns had not even equally many parameters." in basis(finding.reasons)
    assert "not deterministic" in basis(finding.reasons)
