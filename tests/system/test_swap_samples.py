"""What the SWAP test finds in the sample cases."""

from __future__ import annotations

import pytest

from auditor.domain import Standing, Status, Verdict
from auditor.evidence import Evidence
from auditor.sandbox import Level, available
from cases import check_of, guarantee_of, sample

BEHIND_WALLS = pytest.mark.skipif(available() < Level.CONFINED, reason="the controller's code runs at level confined or better")


@pytest.fixture(scope="module")
def newton() -> Evidence:
    return sample("digits-newton")


@pytest.fixture(scope="module")
def cheater() -> Evidence:
    return sample("digits-cheater")


def test_newton_removal_passes_where_doing_nothing_would_not(newton: Evidence) -> None:
    quality = check_of(newton, "swap.quality")
    assert newton.verdict is Verdict.PASS
    assert quality.status is Status.PASS
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


@BEHIND_WALLS
def test_an_unlearning_that_does_nothing_is_caught(cheater: Evidence) -> None:
    assert cheater.audit.exit_code == 1
    quality = check_of(cheater, "swap.quality")
    assert quality.status is Status.FAIL
    assert quality.interval == tuple(quality.details["do_nothing"]["interval"])
    assert quality.interval[1] < 0.6
    assert check_of(cheater, "data.erased").status is Status.FAIL
    assert check_of(cheater, "swap.strong").value == 1.0
    assert check_of(cheater, "swap.controls").status is Status.PASS
    assert check_of(cheater, "utility.accuracy").status is Status.PASS


@BEHIND_WALLS
def test_its_claim_is_refuted_and_so_is_the_guarantee(cheater: Evidence) -> None:
    consistency = check_of(cheater, "epsilon.consistency")
    assert consistency.status is Status.FAIL
    (claim,) = consistency.details["comparisons"]
    refuting = [row for row in claim["lower"] if row["decides"] and row["epsilon"] > claim["epsilon"]]
    assert "one-run" in {row["method"] for row in refuting}
    assert all(row["null"] == 0.0 for row in claim["lower"])
    assert guarantee_of(cheater, "certified-removal").status is Standing.REFUTED
    assert cheater.policy.claims_not_examined == ()


@pytest.mark.slow
@BEHIND_WALLS
def test_real_retraining_passes_on_the_same_network() -> None:
    evidence = sample("digits-retrain")
    assert evidence.verdict is Verdict.PASS
    quality = check_of(evidence, "swap.quality")
    assert quality.interval[0] >= 0.9 > 0.6 > quality.details["do_nothing"]["interval"][1]
    assert check_of(evidence, "swap.controls").value == 1.0
    low, high = check_of(evidence, "swap.strong").interval
    assert low <= 0.5 <= high
    assert check_of(evidence, "epsilon.consistency").status is Status.SKIPPED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "verdict", "failed"),
    [
        ("digits-mlp-retrain", Verdict.PASS, ()),
        ("digits-mlp-none", Verdict.FAIL, ("swap.quality",)),
        ("digits-mlp-ftfinal", Verdict.FAIL, ("swap.quality",)),
        ("digits-mlp-dp", Verdict.PASS, ()),
    ],
)
def test_networks_of_ours_come_out_as_their_pages_say(name: str, verdict: Verdict, failed: tuple[str, ...]) -> None:
    evidence = sample(name)
    assert evidence.verdict is verdict
    assert tuple(each for each in evidence.policy.required if check_of(evidence, each).status is Status.FAIL) == failed
    assert check_of(evidence, "swap.controls").value == 1.0


@pytest.mark.slow
def test_noise_hides_what_doing_nothing_leaves_and_supports_control() -> None:
    evidence = sample("digits-mlp-dp")
    assert check_of(evidence, "swap.quality").status is Status.INCONCLUSIVE
    privacy, control = check_of(evidence, "training.privacy"), guarantee_of(evidence, "deletion-as-control")
    assert (privacy.status, control.status) == (Status.PASS, Standing.SUPPORTED)
    assert privacy.value <= privacy.threshold
    assert control.epsilon == pytest.approx(2 * privacy.value)  # a request of the log speaks of two records of one person
