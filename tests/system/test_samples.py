"""What the audits of three samples of Newton removal find beyond their outcome."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from auditor.base.domain import ClaimStatus, Provenance, Status
from auditor.document.evidence import Evidence
from auditor.maths.certificates import disagreements
from auditor.verdict.checks import listed_in
from cases import SAMPLES, audited, check_of, guarantee_of, sample, timeless


@pytest.fixture(scope="module")
def newton() -> Evidence:
    return sample("digits-newton")


@pytest.fixture(scope="module")
def overrun() -> Evidence:
    return sample("digits-newton-overrun")


@pytest.fixture(scope="module")
def shipped_old() -> Evidence:
    return sample("digits-shipped-old")


def test_newton_removes_fifteen_requests_of_sixteen(newton: Evidence) -> None:
    assert len(newton.requests) == 16
    assert sum(len(item["request_ids"]) for item in check_of(newton, "removal.budget").details["series"]) == 15


def test_every_check_is_listed_once_and_every_skip_has_a_reason(newton: Evidence) -> None:
    assert tuple(check.id for check in newton.checks) == listed_in(reruns=True, places=False)
    assert all(len(check.basis) > 20 for check in newton.checks if check.status is Status.SKIPPED)


def test_bounds_stand_side_by_side_in_their_order(newton: Evidence) -> None:
    for entry in check_of(newton, "removal.budget").details["series"]:
        beta = entry["beta"]
        names = ("worst-case", "as-printed", "online", "tightened", "local", "measured")
        assert all(beta[one] >= beta[other] > 0 for one, other in pairwise(names))
        assert entry["distance_to_optimum"] <= entry["distance_bound"]


def test_measured_residual_is_that_of_the_shipped_weights(newton: Evidence) -> None:
    residual = check_of(newton, "removal.residual")
    series = check_of(newton, "removal.budget").details["series"]
    assert residual.details["subject"] == "shipped"
    assert residual.value == pytest.approx(series[-1]["beta"]["measured"], rel=1e-5), "but for the grid"
    assert residual.threshold == series[-1]["beta"]["local"]
    assert residual.details["optimum_gradient"] < 1e-8 < residual.value


def test_budget_is_the_exact_gaussian_one(newton: Evidence) -> None:
    details = check_of(newton, "removal.budget").details
    assert details["budget"] == pytest.approx(0.313902458312, rel=1e-10)
    assert details["classical_budget"] == pytest.approx(1 / math.sqrt(2 * math.log(1.5 / 1e-4)), rel=1e-12)
    assert details["epsilon_spent"] < 1.0


def test_certified_removal_is_supported_never_shown(newton: Evidence) -> None:
    guarantee = guarantee_of(newton, "certified-removal")
    assert guarantee.status is ClaimStatus.SUPPORTED
    # What is certified, and not what it was held against.
    assert (guarantee.epsilon, guarantee.delta) == (check_of(newton, "removal.budget").details["epsilon_spent"], 1e-4)
    assert 0 < guarantee.epsilon < 1.0
    attested = [premise for premise in guarantee.derivation[0].premises if premise.how is Provenance.ATTESTED]
    assert any("independent of b" in premise.fact for premise in attested)


def test_control_is_not_shown_and_names_what_is_missing(newton: Evidence) -> None:
    guarantee = guarantee_of(newton, "deletion-as-control")
    assert guarantee.status is ClaimStatus.NOT_SHOWN
    assert guarantee.epsilon is None
    missing = {premise.fact for premise in guarantee.derivation[0].premises if premise.how is Provenance.UNKNOWN}
    assert len(missing) == 3
    assert any("whole state" in fact for fact in missing)


def test_requests_carry_the_guarantees_that_cover_them(newton: Evidence) -> None:
    executed = [item for item in newton.requests if item.status == "executed"]
    assert len(executed) == 15
    assert all(tuple(item.guarantees) == ("certified-removal",) for item in executed)
    assert [tuple(item.guarantees) for item in newton.requests if item.status != "executed"] == [()]


def test_certificates_derive_again_from_their_inputs(newton: Evidence, overrun: Evidence) -> None:
    for evidence in (newton, overrun):
        again = Evidence.model_validate_json(evidence.to_bytes())
        removals = again.certificates[:2]
        assert [certificate.kind for certificate in removals] == ["removal-residual", "removal-budget"]
        names = ["worst-case", "as-printed", "online", "tightened", "local", "measured"]
        assert all([bound.name for bound in certificate.bounds] == names for certificate in removals)
        assert {certificate.kind for certificate in again.certificates[2:]} == {"removal-budget", "swap", "tradeoff", "one-run"}
        assert not any(disagreements(certificate) for certificate in again.certificates)


def test_overrun_leaves_its_budget_on_the_way_and_never_comes_back(overrun: Evidence) -> None:
    series = check_of(overrun, "removal.budget").details["series"]
    within = [entry["beta"]["local"] <= check_of(overrun, "removal.budget").details["budget"] for entry in series]
    assert within == sorted(within, reverse=True)
    assert 10 < sum(within) < len(within) - 5
    assert all(not item.guarantees for item in overrun.requests)


def test_the_old_model_is_far_from_the_rerun(shipped_old: Evidence) -> None:
    assert check_of(shipped_old, "model.reproduced").value > 1e4 * check_of(shipped_old, "model.reproduced").threshold


def test_the_seed_is_nowhere_in_the_evidence(newton: Evidence) -> None:
    text = (SAMPLES / "digits-newton" / "audit.toml").read_text(encoding="utf-8")
    seed = text.partition('seed = "')[2].partition('"')[0]
    assert len(seed) > 30
    assert seed.encode() not in newton.to_bytes()


def test_equal_audits_give_equal_evidence_but_for_times(newton: Evidence) -> None:
    assert timeless(audited(SAMPLES / "digits-newton")) == timeless(newton)
