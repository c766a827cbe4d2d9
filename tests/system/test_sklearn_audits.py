"""Whole audits of estimators of scikit-learn: what retraining lets be said, and what doing nothing never does."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import ClaimStatus, Provenance, Status, Verdict
from auditor.base.errors import UsageError
from auditor.base.records import Dataset
from auditor.document.evidence import Evidence
from auditor.learning.estimators import make
from cases import REPLAY_CHECKS, audited, check_of, guarantee_of, outcome
from rechecks import findings
from small_cases import SECRET, attest, problem, write_log

RECORDS = ("log.consistency", "log.deadlines", "data.erased")
GONE = [["rec-0005"], ["rec-0006", "rec-0007"]]
LEFT = np.delete(np.arange(60), [5, 6, 7])


def write(
    folder: Path,
    estimator: str,
    *,
    params: str = "{}",
    unlearn: str = "retrain",
    task: str = "classification",
    required: tuple[str, ...] | None = None,
    words: bool = False,
    rest: str = "",
) -> Path:
    """A case of 60 records with five features, of which two requests erased three; the store holds the others."""
    features, labels = problem()
    labels = np.array(["no", "yes"])[labels] if words else labels
    labels = features @ np.arange(1.0, 6.0) if task == "regression" else labels
    ids = np.array([f"rec-{index:04d}" for index in range(60)])
    np.savez(folder / "train.npz", features=features, labels=labels, ids=ids)
    np.savez(folder / "store.npz", features=features[LEFT], labels=labels[LEFT], ids=ids[LEFT])
    write_log(folder, GONE)
    policy = "" if required is None else f"[policy]\nrequired = {json.dumps(list(required))}\n"
    (folder / "audit.toml").write_text(
        f'[case]\nname = "small"\n[data]\ntrain = "train.npz"\nstore = "store.npz"\ntask = "{task}"\n'
        f'[procedure]\nuse = "sklearn"\nestimator = "{estimator}"\nparams = {params}\nunlearn = "{unlearn}"\nseed = "{SECRET}"\n'
        f'[deletions]\nlog = "deletions.jsonl"\n{policy}{rest}',
        encoding="utf-8",
    )
    return folder


def shipped(folder: Path, estimator: str, rows: np.ndarray, *, seed: int) -> None:
    """Ship the parameters of an estimator fitted to some rows."""
    features, labels = problem()
    procedure = make(estimator=estimator, params={}, unlearn_by="retrain", classes=[0, 1])
    model = procedure.learn(Dataset(features, labels, np.arange(60).astype(str)).subset(rows), seed)
    np.savez(folder / "model.npz", parameters=procedure.parameters(model))


def supported(evidence: Evidence) -> list[str]:
    return [item.id for item in evidence.guarantees if item.status in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED}]


def test_retraining_a_linear_model_reproduces_and_supports_its_guarantee(tmp_path: Path) -> None:
    name = "sklearn.linear_model._logistic.LogisticRegression"
    case = write(tmp_path, "sklearn.linear_model.LogisticRegression", required=RECORDS, rest='[model]\npath = "model.npz"\n')
    shipped(attest(case), name, LEFT, seed=SECRET + 2)
    evidence = audited(case)
    assert evidence.verdict is Verdict.PASS
    assert (evidence.procedure.use, evidence.procedure.unlearn, evidence.procedure.entry) == ("sklearn", "retrain", None)
    assert not evidence.environment.capped
    assert check_of(evidence, "model.reproduced").details["bit_identical"]
    guarantee = guarantee_of(evidence, "certified-removal")
    assert (guarantee.status, guarantee.epsilon, guarantee.delta) == (ClaimStatus.SUPPORTED, 0.0, 0.0)
    assert str(SECRET).encode() not in evidence.to_bytes()


def test_a_label_that_only_deleted_records_had_is_not_gone_by_training_anew(tmp_path: Path) -> None:
    case = write(tmp_path, "sklearn.linear_model.LogisticRegression", required=RECORDS)
    with np.load(case / "train.npz") as file:
        arrays = dict(file)
    arrays["labels"] = np.where(np.isin(np.arange(60), [5, 6, 7]), 2, arrays["labels"])
    np.savez(case / "train.npz", **arrays)
    evidence = audited(case, only=(*RECORDS[:2], *REPLAY_CHECKS))
    assert not any(check.status is Status.ERROR for check in evidence.checks)
    assert supported(evidence) == []
    assert findings(evidence.to_bytes()) == []


def test_shipping_the_old_model_fails(tmp_path: Path) -> None:
    case = write(tmp_path, "sklearn.linear_model.LogisticRegression", required=RECORDS, rest='[model]\npath = "model.npz"\n')
    shipped(case, "sklearn.linear_model._logistic.LogisticRegression", np.arange(60), seed=SECRET)
    evidence = audited(case)
    assert evidence.verdict is Verdict.FAIL
    assert check_of(evidence, "model.reproduced").status is Status.FAIL
    assert supported(evidence) == []


def test_nearest_neighbours_keep_the_rows_and_are_found_out(tmp_path: Path) -> None:
    estimator = "sklearn.neighbors.KNeighborsClassifier"
    evidence = audited(write(tmp_path, estimator, unlearn="none", required=RECORDS, words=True), only=RECORDS)
    erased = check_of(evidence, "data.erased")
    assert (erased.status, erased.value) == (Status.FAIL, 3.0)
    assert evidence.audit.exit_code == 1
    found = {place["place"]: place["found"] for place in erased.details["searched"]}
    assert found["what the rerun keeps (state())"] == found["what the rerun saves (save())"] == 3
    assert found["store store.npz"] == 0


# That the rows are found where they are kept is seen above.
@pytest.mark.slow
def test_nearest_neighbours_trained_anew_keep_no_deleted_row(tmp_path: Path) -> None:
    evidence = audited(write(tmp_path, "sklearn.neighbors.KNeighborsClassifier", required=RECORDS))
    assert check_of(evidence, "data.erased").status is Status.PASS
    assert check_of(evidence, "release.exact").status is Status.PASS


# The same in classification follows.
@pytest.mark.slow
def test_doing_nothing_passes_by_no_default_in_regression_either(tmp_path: Path) -> None:
    evidence = audited(write(tmp_path, "sklearn.linear_model.Ridge", unlearn="none", task="regression"))
    assert {check_of(evidence, check_id).status for check_id in RECORDS} == {Status.PASS}
    assert check_of(evidence, "release.remembers").status is Status.FAIL
    assert (evidence.verdict, evidence.audit.exit_code) == (Verdict.FAIL, 1)
    assert supported(evidence) == []


def test_the_model_that_did_nothing_supports_nothing_though_it_is_reproduced(tmp_path: Path) -> None:
    estimator = "sklearn.linear_model.LogisticRegression"
    case = write(tmp_path, estimator, unlearn="none", rest='[model]\npath = "model.npz"\n')
    shipped(case, "sklearn.linear_model._logistic.LogisticRegression", np.arange(60), seed=SECRET)
    evidence = audited(case)
    assert check_of(evidence, "model.reproduced").status is Status.PASS
    assert check_of(evidence, "release.remembers").status is Status.FAIL
    assert (evidence.verdict, evidence.audit.exit_code) == (Verdict.FAIL, 1)
    assert supported(evidence) == []
    assert all(item.guarantees == () for item in evidence.requests)
    derivation = guarantee_of(evidence, "certified-removal").derivation[0]
    assert not any(premise.name == "retrained" and premise.how is Provenance.COMPUTED for premise in derivation.premises)


# A class of the controller's own without parameters: tests/system/test_adversarial_audits.py.
@pytest.mark.slow
def test_a_model_without_parameters_is_not_said_to_be_reproduced(tmp_path: Path) -> None:
    case = write(tmp_path, "sklearn.tree.DecisionTreeClassifier", required=RECORDS, rest='[model]\npath = "model.npz"\n')
    np.savez(case / "model.npz", parameters=np.zeros(3))
    evidence = audited(case, only=(*RECORDS, "model.reproduced"))
    assert check_of(evidence, "model.reproduced").status is Status.INCONCLUSIVE
    assert evidence.audit.exit_code == 3
    assert supported(evidence) == []


def test_a_parameter_that_the_estimator_refuses_ends_the_audit_with_its_words(tmp_path: Path) -> None:
    found = outcome(write(tmp_path, "sklearn.tree.DecisionTreeClassifier", params='{ max_depth = "deep" }'))
    assert found.evidence.audit.exit_code == 4
    assert found.failure is not None
    assert "max_depth" in found.failure.stderr_tail


def test_a_gpu_is_not_claimed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sklearn"):
        audited(write(tmp_path, "sklearn.tree.DecisionTreeClassifier"), device="cuda")
