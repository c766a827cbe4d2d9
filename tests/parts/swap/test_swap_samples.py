"""What the SWAP test finds in the sample cases beyond their outcome."""

from __future__ import annotations

import pytest

from auditor.base.domain import Status
from auditor.base.samples import Sample
from auditor.document.evidence import Evidence
from cases import check_of, guarantee_of, sample
from sample_cases import BEHIND_WALLS, audited_today, golden, of_procedure


@pytest.fixture(scope="module")
def newton() -> Evidence:
    return sample("digits-newton")


@pytest.fixture(scope="module")
def cheater() -> Evidence:
    """A hundred processes with a network each: what an audit finds today is held against this in test_sample_outcomes."""
    return golden("digits-cheater")


def test_newton_removal_passes_where_doing_nothing_would_not(newton: Evidence) -> None:
    quality = check_of(newton, "swap.quality")
    assert quality.interval[0] >= quality.threshold > quality.details["do_nothing"]["interval"][1]
    assert quality.details["pairs"] == 400
    assert check_of(newton, "swap.controls").value == 1.0
    assert check_of(newton, "swap.controls").details["identical"]


def test_the_claim_of_the_log_is_not_held_against_the_larger_removals_of_the_game(newton: Evidence) -> None:
    certificate, claim = check_of(newton, "epsilon.consistency").details["comparisons"]
    assert certificate["compared"]
    assert certificate["epsilon"] > 1.0
    assert not claim["compared"]
    assert "the log's removals" in claim["why"]


def test_an_unlearning_that_does_nothing_is_caught(cheater: Evidence) -> None:
    quality = check_of(cheater, "swap.quality")
    assert quality.interval == tuple(quality.details["do_nothing"]["interval"])
    assert quality.interval[1] < 0.65
    assert check_of(cheater, "swap.strong").value == 1.0
    assert check_of(cheater, "swap.controls").status is Status.PASS
    assert check_of(cheater, "utility.accuracy").status is Status.PASS


def test_its_claim_is_refuted(cheater: Evidence) -> None:
    consistency = check_of(cheater, "epsilon.consistency")
    (claim,) = consistency.details["comparisons"]
    refuting = [row for row in claim["lower"] if row["decides"] and row["epsilon"] > claim["epsilon"]]
    assert "one-run" in {row["method"] for row in refuting}
    assert all(row["null"] == 0.0 for row in claim["lower"])
    assert cheater.policy.claims_not_examined == ()


@pytest.mark.slow
@BEHIND_WALLS
def test_real_retraining_passes_on_the_same_network_without_a_game() -> None:
    evidence = sample("digits-retrain")
    exact = check_of(evidence, "release.exact")
    assert (exact.status, exact.details["route"]) == (Status.PASS, "clean-room")
    for check_id in ("swap.quality", "swap.strong", "swap.controls", "epsilon.consistency"):
        assert (check_of(evidence, check_id).status, check_of(evidence, check_id).value) == (Status.SKIPPED, None)


@pytest.mark.parametrize("network", audited_today(of_procedure("torch")))
def test_networks_of_ours_retrain_to_the_same_models_as_the_reference(network: Sample) -> None:
    evidence = sample(network.name)
    exact = check_of(evidence, "release.exact").status is Status.PASS
    assert check_of(evidence, "swap.controls").value == (None if exact else 1.0)


@pytest.mark.slow
def test_noise_that_hides_what_doing_nothing_leaves_supports_control_with_its_epsilon() -> None:
    evidence = sample("digits-mlp-dp")
    privacy, control = check_of(evidence, "training.privacy"), guarantee_of(evidence, "deletion-as-control")
    assert privacy.status is Status.PASS
    assert privacy.value <= privacy.threshold
    assert control.epsilon == pytest.approx(privacy.value)  # every request of the log names one record of one person
