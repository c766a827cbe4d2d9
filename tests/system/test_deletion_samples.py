"""What the samples of data deletion come to: from their golden evidence at once, audited anew where there is time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from auditor import __version__
from auditor.domain import Standing, Status
from auditor.evidence import Evidence, read
from auditor.sandbox import Level, available
from cases import check_of, guarantee_of, sample

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / __version__
BEHIND_WALLS = pytest.mark.skipif(available() < Level.CONFINED, reason="the controller's code runs at level confined or better")


@dataclass(frozen=True)
class Expected:
    """What a sample's README says of it."""

    exit_code: int
    standing: Standing
    passing: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()


SAMPLES = {
    "breast-cancer-noisy-gd": Expected(
        0, Standing.SUPPORTED, ("deletion.renyi", "deletion.adaptive", "state.stateless", "epsilon.consistency")
    ),
    "breast-cancer-noisy-gd-short": Expected(
        1, Standing.NOT_SHOWN, ("state.stateless", "epsilon.consistency"), ("deletion.renyi", "deletion.adaptive")
    ),
    "breast-cancer-noisy-gd-adaptive": Expected(
        0, Standing.SUPPORTED, ("deletion.renyi", "deletion.adaptive", "state.stateless", "epsilon.consistency")
    ),
    "digits-noisy-gd-softmax": Expected(0, Standing.SUPPORTED, ("deletion.renyi", "deletion.adaptive", "state.stateless")),
    "digits-mlp-noisy-gd": Expected(
        3, Standing.NOT_SHOWN, ("state.stateless",), undecided=("deletion.renyi", "deletion.adaptive")
    ),
    "median-adaptive": Expected(
        1, Standing.REFUTED, ("deletion.renyi", "state.stateless"), ("deletion.adaptive", "epsilon.consistency")
    ),
    "group-deletion": Expected(
        1, Standing.REFUTED, ("deletion.renyi", "state.stateless"), ("deletion.adaptive", "epsilon.consistency")
    ),
    "secret-counter": Expected(1, Standing.NOT_SHOWN, (), ("state.stateless", "deletion.renyi")),
    "fixed-output": Expected(0, Standing.SUPPORTED, ("deletion.renyi", "state.stateless"), undecided=("swap.quality",)),
}
FOREIGN = {"median-adaptive", "group-deletion", "secret-counter", "fixed-output"}


def golden(name: str) -> Evidence:
    return read(GOLDEN / f"{name}.json")


def compare(evidence: Evidence, expected: Expected) -> None:
    assert evidence.audit.exit_code == expected.exit_code
    assert guarantee_of(evidence, "data-deletion").status is expected.standing
    wanted = {Status.PASS: expected.passing, Status.FAIL: expected.failing, Status.INCONCLUSIVE: expected.undecided}
    for status, names in wanted.items():
        assert {name: check_of(evidence, name).status for name in names} == dict.fromkeys(names, status)


@pytest.mark.parametrize("name", SAMPLES)
def test_golden_evidence_says_what_the_readme_says(name: str) -> None:
    compare(golden(name), SAMPLES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=BEHIND_WALLS) if name in FOREIGN else name for name in SAMPLES])
def test_an_audit_today_says_the_same(name: str) -> None:
    compare(sample(name), SAMPLES[name])


def test_what_the_counter_carries_is_named() -> None:
    carried = check_of(golden("secret-counter"), "state.stateless").details["carried"]
    assert "SecretCounter._deleted_yes" in {each["name"] for each in carried}


def test_a_fixed_output_is_called_no_leak_anywhere() -> None:
    evidence = golden("fixed-output")
    assert Status.FAIL not in {check.status for check in evidence.checks}
    assert check_of(evidence, "deletion.renyi").value == 0
    assert "which data deletion does not ask for" in check_of(evidence, "swap.quality").basis


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
