"""Whole audits of certified removal beyond the binary model: noise at release, several classes, squared losses, two releases."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import ClaimStatus, Provenance, Status
from auditor.base.records import Dataset
from auditor.document.evidence import Evidence
from auditor.pages.words.guarantees import STATEMENTS
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval
from auditor.parts.removal.theorems import NOISE
from auditor.recheck import recheck
from cases import audited, check_of, copy_of, guarantee_of, replace, rewrite_log, without_model
from small_cases import SECRET, problem, write


def findings(evidence: Evidence, folder: Path) -> list[str]:
    path = folder / "evidence.json"
    path.write_bytes(evidence.to_bytes())
    return [str(finding) for document in recheck(path).documents for finding in document.findings]


@pytest.fixture(scope="module")
def noised(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    return audited(copy_of("digits-newton-noised", tmp_path_factory.mktemp("noised")))


def test_noise_at_release_is_shown(noised: Evidence, tmp_path: Path) -> None:
    check = check_of(noised, "removal.output-noise")
    assert check.status is Status.PASS
    assert 0 < check.value < check.threshold == 1.0
    assert check.details["measured"] <= check.details["residual_budget"] <= check.details["allowed_residual_budget"]
    guarantee = guarantee_of(noised, "certified-removal")
    assert guarantee.status is ClaimStatus.SHOWN
    # What the controller says are the conditions of the theorem's own statement, and nothing else.
    by_word = {premise.fact for premise in guarantee.derivation[0].premises if premise.how is Provenance.ATTESTED}
    assert by_word == {STATEMENTS[name] for name in NOISE.under}
    assert "Where the seed was drawn at random" in guarantee.statement
    assert "knows neither the noise" in guarantee.statement
    assert "fixed in advance" in guarantee.statement
    # Two batches came to the budget, and what they left was measured with the b that training had.
    series = check_of(noised, "removal.budget").details["series"]
    assert sum(entry["retrained"] for entry in series) == 3
    assert findings(noised, tmp_path) == []


def test_noise_is_supported_at_most_where_earlier_releases_were_seen(tmp_path: Path) -> None:
    case = copy_of("digits-newton-noised", tmp_path)
    rewrite_log(case, lambda rows: rows[0].update(seen_releases=2))
    evidence = audited(case)
    guarantee = guarantee_of(evidence, "certified-removal")
    assert guarantee.status is ClaimStatus.SUPPORTED
    assert any("earlier releases were seen" in premise.evidence for premise in guarantee.derivation[0].premises)
    assert findings(evidence, tmp_path) == []
    bold = evidence.to_bytes().replace(b'"how":"attested"', b'"how":"computed"')
    path = tmp_path / "evidence.json"
    path.write_bytes(bold)
    assert not recheck(path).agrees


def test_the_old_noise_in_the_model_file_is_another_release(tmp_path: Path) -> None:
    case = copy_of("digits-newton-noised", tmp_path)
    replace(case, 'path = "model.safetensors"', 'path = "model.npz"')
    with np.load(case / "train.npz") as file:
        data = Dataset(file["features"], file["labels"], file["ids"])
    settings = {"l2": 1e-3, "sigma": 1.0, "tolerance": 1e-9, "release_noise": 0.09, "residual_budget": 0.006}
    procedure = CertifiedRemoval(**settings)
    np.savez(case / "model.npz", parameters=procedure.parameters(procedure.learn(data, SECRET)))
    evidence = audited(case)
    assert check_of(evidence, "model.reproduced").status is Status.FAIL
    assert guarantee_of(evidence, "certified-removal").status is ClaimStatus.NOT_SHOWN


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("release_noise = 0.09", "release_noise = 0.03", ClaimStatus.SUPPORTED),
        ("residual_budget = 0.006", "residual_budget = 0.1", ClaimStatus.SUPPORTED),
        ("sigma = 1.0", "sigma = 0.0", ClaimStatus.SHOWN),
    ],
)
def test_what_the_noise_does_not_hide_is_not_shown(tmp_path: Path, old: str, new: str, status: ClaimStatus) -> None:
    case = copy_of("digits-newton-noised", tmp_path)
    replace(case, old, new)
    without_model(case)
    replace(case, '"settings-fixed"', '"settings-fixed", "residual-independent", "release-reproduced"')
    evidence = audited(case)
    check = check_of(evidence, "removal.output-noise")
    assert check.status is (Status.PASS if status is ClaimStatus.SHOWN else Status.FAIL)
    # No model file was examined here: that this model is released is attested, so that supported is the best that can be said.
    assert guarantee_of(evidence, "certified-removal").status is ClaimStatus.SUPPORTED
    assert (check_of(evidence, "removal.budget").status is Status.SKIPPED) == (status is ClaimStatus.SHOWN)
    assert findings(evidence, tmp_path) == []


def test_a_guessable_seed_voids_the_noise(tmp_path: Path) -> None:
    case = copy_of("digits-newton-noised", tmp_path)
    text = (case / "audit.toml").read_text(encoding="utf-8")
    seed = text.partition('seed = "')[2].partition('"')[0]
    replace(case, seed, "12345")
    without_model(case)
    evidence = audited(case)
    assert guarantee_of(evidence, "certified-removal").status is ClaimStatus.NOT_SHOWN
    assert findings(evidence, tmp_path) == []


def test_ten_classes_are_one_joint_mechanism(tmp_path: Path) -> None:
    evidence = audited(copy_of("digits-ten-classes", tmp_path))
    assert evidence.audit.exit_code == 0
    joint, budget = evidence.certificates[:2]
    assert (joint.kind, budget.kind) == ("joint-residual", "removal-budget")
    parts = joint.outputs["class_betas"]
    assert len(parts) == 10
    assert np.linalg.norm(parts) == pytest.approx(joint.outputs["beta"], rel=1e-9)
    assert budget.inputs["beta"] == joint.outputs["beta"] < sum(parts)
    assert check_of(evidence, "utility.accuracy").details["unlearned"] > 0.85
    assert guarantee_of(evidence, "certified-removal").status is ClaimStatus.SUPPORTED
    assert findings(evidence, tmp_path) == []


def test_a_squared_loss_leaves_rounding_alone(tmp_path: Path) -> None:
    evidence = audited(copy_of("diabetes-least-squares", tmp_path))
    assert evidence.audit.exit_code == 0
    assert check_of(evidence, "removal.residual").value < 1e-9, "of which rounding to the grid is nearly all"
    betas = {bound.name: bound.value for bound in evidence.certificates[0].bounds}
    assert betas["local"] == betas["worst-case"] < 1e-8
    assert findings(evidence, tmp_path) == []


def test_a_perturbation_of_the_laplace_type_has_a_pure_epsilon(tmp_path: Path) -> None:
    features, labels = problem(80, 4, seed=2)
    case = write(tmp_path, features, labels, procedure='perturbation = "laplace"', sigma=2.0)
    evidence = audited(case)
    check, certificate = check_of(evidence, "removal.budget"), evidence.certificates[1]
    assert certificate.kind == "removal-budget-laplace"
    assert (certificate.delta, check.details["budget"]) == (0.0, pytest.approx(2.0, rel=1e-12))
    assert check.status is Status.PASS
    premises = [premise.fact for premise in guarantee_of(evidence, "certified-removal").derivation[0].premises]
    assert any("e^(−‖b‖/σ)" in premise for premise in premises)
    assert findings(evidence, tmp_path) == []


def test_two_releases_name_the_deleted_record(tmp_path: Path) -> None:
    case = copy_of("digits-newton", tmp_path)
    quiet = audited(case, only=("inference.difference",))
    assert check_of(quiet, "inference.difference").status is Status.SKIPPED
    assert check_of(quiet, "inference.difference").value is None
    replace(case, "[policy]\n", "[policy]\nbefore_and_after = true\nmax_compliance_epsilon = 0.1\n")
    evidence = audited(case, only=("inference.difference",))
    check = check_of(evidence, "inference.difference")
    # Ten right guesses of ten fail nobody at the level of what accuses.
    assert (check.status, check.value) == (Status.INCONCLUSIVE, 1.0)
    assert "games would" in check.basis
    assert check.details["ranked_first"] == check.details["games"] == len(check.details["ranks"]) > 8
    assert check.details["hessian"] == "holdout"
    assert findings(evidence, tmp_path) == []


def test_an_adversary_who_names_the_record_in_every_one_of_a_few_games_is_not_passed(tmp_path: Path) -> None:
    case = copy_of("digits-newton", tmp_path)
    replace(case, "[policy]\n", "[policy]\nbefore_and_after = true\nmax_compliance_epsilon = 0.1\n")
    rewrite_log(case, lambda rows: rows.__delitem__(slice(3, None)))
    evidence = audited(case, only=("inference.difference",))
    check = check_of(evidence, "inference.difference")
    assert (check.value, check.details["games"]) == (1.0, 3)
    assert check.status is Status.INCONCLUSIVE
    assert "Too few games" in check.basis
    assert findings(evidence, tmp_path) == []


def test_a_requester_who_had_seen_a_release_is_enough_to_play(tmp_path: Path) -> None:
    case = copy_of("digits-newton", tmp_path)
    rewrite_log(case, lambda rows: rows[0].update(seen_releases=1))
    check = check_of(audited(case, only=("inference.difference",)), "inference.difference")
    assert check.status is Status.SKIPPED
    assert check.value == 1.0
    assert "Informative" in check.basis


@pytest.mark.parametrize(
    ("check_id", "change", "message"),
    [
        ("removal.output-noise", {"value": 0.1}, "removal.output-noise: value: it is 0.1"),
        ("removal.output-noise", {"threshold": 2.0}, "removal.output-noise: threshold: it is 2"),
        ("removal.output-noise", {"status": Status.SKIPPED, "value": None}, 'removal.output-noise: status: it is "skipped"'),
    ],
)
def test_a_changed_statement_on_noise_is_found(
    noised: Evidence, tmp_path: Path, check_id: str, change: dict[str, object], message: str
) -> None:
    checks = tuple(dataclasses.replace(check, **change) if check.id == check_id else check for check in noised.evidence.checks)
    assert any(message in finding for finding in findings(noised.evidence.model_copy(update={"checks": checks}), tmp_path))
