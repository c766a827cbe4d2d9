"""What the samples of data deletion find beyond their outcome, by their golden evidence."""

from __future__ import annotations

from auditor.base.domain import Status
from cases import check_of, guarantee_of
from sample_cases import golden


def test_what_the_counter_carries_is_named() -> None:
    carried = check_of(golden("secret-counter"), "state.stateless").details["carried"]
    assert "SecretCounter._deleted_yes" in {each["name"] for each in carried}


def test_a_fixed_output_is_called_no_leak_anywhere() -> None:
    evidence = golden("fixed-output")
    assert Status.FAIL not in {check.status for check in evidence.checks}
    assert check_of(evidence, "deletion.renyi").value == 0
    assert check_of(evidence, "release.exact").details["route"] == "independent"
    assert "the release is exact" in check_of(evidence, "swap.quality").basis


def test_a_claim_that_two_samples_refute_is_refuted_by_name() -> None:
    for name in ("median-adaptive", "group-deletion"):
        evidence = golden(name)
        assert guarantee_of(evidence, "data-deletion").epsilon is None
        assert "requester" in check_of(evidence, "deletion.adaptive").basis
        assert check_of(evidence, "deletion.renyi").value == 0, "retraining is exact: requests alone carry the record on"


def test_too_few_steps_are_told_with_what_it_takes() -> None:
    short = check_of(golden("breast-cancer-noisy-gd-short"), "deletion.renyi")
    assert short.value > short.threshold
    assert "unlearning steps" in short.basis
