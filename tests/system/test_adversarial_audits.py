"""Cases that try to get a pass while the data are still there, to crash the audit, or to make it tell a secret."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import ClaimStatus, Provenance, Status, Verdict
from auditor.base.errors import ProcedureError
from auditor.maths.certificates import disagreements
from cases import audited, check_of, guarantee_of, outcome
from levels import isolation
from small_cases import REQUIRED, attest, foreign, problem, released, write, write_log

PLAIN = """\
def learn(self, data, seed):
    return data.features.mean(axis=0)

def unlearn(self, model, data, forget, seed):
    return np.delete(data.features, forget, axis=0).mean(axis=0)

def predict(self, model, features):
    return np.full((len(features), 2), 0.5)
"""


def own(case, body, **options):
    """The controller's own class, at the level at which workers are forked."""
    foreign(case, body, isolation=isolation(), **options)


@pytest.mark.parametrize(
    ("scale", "settings", "procedure"),
    [
        (1.0, {"l2": 1e-300}, ""),
        (1.0, {"l2": 1e300}, ""),
        (1.0, {"sigma": 1e-300}, ""),
        (1.0, {"sigma": 1e300}, ""),
        (1.0, {"tolerance": 1e-300}, ""),
        (1.0, {"tolerance": 1e300}, 'unlearn = "retrain"'),
        (1e-200, {}, ""),
        (1e8, {}, ""),
        pytest.param(1e153, {"tolerance": 1e300}, 'unlearn = "retrain"', marks=pytest.mark.slow),
        (1e300, {}, ""),
    ],
)
def test_numbers_beyond_what_float64_holds_end_in_evidence(
    tmp_path: Path, scale: float, settings: dict[str, float], procedure: str
) -> None:
    features, labels = problem()
    result = outcome(write(tmp_path, features * scale, labels, procedure=procedure, **settings))
    assert result.evidence.to_bytes()
    assert result.failure is None or isinstance(result.failure, ProcedureError)
    if settings.get("tolerance") == 1e300:
        assert result.evidence.verdict is not Verdict.PASS


@pytest.mark.parametrize("size", [1e5, 1e150, 1e300])
def test_a_model_file_of_enormous_numbers_fails(tmp_path: Path, size: float) -> None:
    evidence = audited(write(tmp_path, *problem(), model=np.full(5, size)))
    assert check_of(evidence, "removal.residual").status is Status.FAIL
    assert check_of(evidence, "model.reproduced").status is Status.FAIL
    assert evidence.to_bytes()


def test_separable_data_with_hardly_any_regularisation_are_audited(tmp_path: Path) -> None:
    features, _ = problem(30, 7, seed=48)
    labels = (features[:, 0] > 0).astype(np.int64)
    evidence = audited(write(tmp_path, features * 0.66, labels, l2=1.8e-10, sigma=4e-7, tolerance=1.7e-5))
    assert check_of(evidence, "removal.budget").status is Status.FAIL


def test_retraining_at_the_budget_at_every_batch_earns_no_epsilon_of_zero(tmp_path: Path) -> None:
    case = write(tmp_path, *problem(), procedure="retrain_at_budget = true", sigma=1e-3, tolerance=1e-9)
    evidence = audited(case)
    series = check_of(evidence, "removal.budget").details["series"]
    assert all(entry["retrained"] for entry in series)
    guarantee = guarantee_of(evidence, "certified-removal")
    assert any("residual u" in premise.fact for premise in guarantee.derivation[0].premises)
    assert guarantee.epsilon != 0.0


def test_a_tiny_model_is_not_excused_by_an_absolute_tolerance(tmp_path: Path) -> None:
    features, labels = problem()
    evidence = audited(write(tmp_path, features, labels, model=np.zeros(5), l2=1e6, tolerance=10.0, sigma=1e-3))
    assert check_of(evidence, "model.reproduced").status is not Status.PASS


@pytest.mark.parametrize(("unlearn", "most"), [("newton", 1.0), pytest.param("retrain", 0.0, marks=pytest.mark.slow)])
def test_a_guarantee_needs_the_very_model_that_is_released(tmp_path: Path, unlearn: str, most: float) -> None:
    features, labels = problem()
    model = released(features, labels, [[0], [1, 2]], unlearn=unlearn)
    evidence = audited(attest(write(tmp_path, features, labels, procedure=f'unlearn = "{unlearn}"', model=model)))
    guarantee = guarantee_of(evidence, "certified-removal")
    assert (guarantee.status, evidence.audit.exit_code) == (ClaimStatus.SUPPORTED, 0)
    assert guarantee.epsilon == most == 0 or 0 < guarantee.epsilon < most, "what is certified, not the target"
    for words, known, status in (
        (True, Provenance.ATTESTED, ClaimStatus.SUPPORTED),
        (False, Provenance.UNKNOWN, ClaimStatus.NOT_SHOWN),
    ):
        bare = write(tmp_path, features, labels, procedure=f'unlearn = "{unlearn}"')
        unseen = guarantee_of(audited(attest(bare) if words else bare), "certified-removal")
        word = [each.how for each in unseen.derivation[0].premises if each.fact.startswith("The model about to be released")]
        assert (word, unseen.status) == ([known], status), "without a model file the controller has to attest what is released"
    old = released(features, labels, [[0], [1]], unlearn=unlearn)
    shipped_old = audited(attest(write(tmp_path, features, labels, procedure=f'unlearn = "{unlearn}"', model=old)))
    assert (shipped_old.audit.exit_code, guarantee_of(shipped_old, "certified-removal").status) == (1, ClaimStatus.NOT_SHOWN)


def with_model(case: Path, parameters: list[float]) -> None:
    np.savez(case / "model.npz", parameters=np.array(parameters))
    with (case / "audit.toml").open("a", encoding="utf-8") as file:
        file.write('\n[model]\npath = "model.npz"\n')


def test_a_procedure_without_parameters_leaves_its_model_file_open(tmp_path: Path) -> None:
    case = write(tmp_path, *problem(), required=None)
    own(case, PLAIN)
    with_model(case, [1.0, 2.0])
    evidence = audited(case, only=("model.reproduced",))
    assert check_of(evidence, "model.reproduced").status is Status.INCONCLUSIVE
    assert "model.reproduced" in evidence.policy.required


@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param("np.random.default_rng().normal(0, 100, 5)", marks=pytest.mark.slow),
        "np.ones(np.random.default_rng().integers(1, 10**6))",
    ],
)
def test_chance_does_not_let_any_model_pass(tmp_path: Path, parameters: str) -> None:
    case = write(tmp_path, *problem())
    own(case, PLAIN + f"\ndef parameters(self, model):\n    return {parameters}\n")
    with_model(case, [0.0] * 5)
    evidence = audited(case, only=("model.reproduced",))
    assert check_of(evidence, "model.reproduced").status in {Status.INCONCLUSIVE, Status.FAIL}
    assert evidence.to_bytes()


def test_a_state_that_keeps_the_data_fails(tmp_path: Path) -> None:
    case = write(tmp_path, *problem())
    keeping = PLAIN.replace("seed):\n    return", "seed):\n    self.all = data.features.tolist()\n    return", 1)
    own(case, "import pickle\n\n" + keeping + "\ndef state(self, model):\n    return self.pickle.dumps(self.all)\n")
    assert check_of(audited(case, only=("data.erased",)), "data.erased").status is Status.FAIL


def test_a_saved_file_that_cannot_be_looked_into_leaves_the_question_open(tmp_path: Path) -> None:
    case = write(tmp_path, *problem())
    own(case, PLAIN + "\ndef save(self, model, path):\n    open(path, 'wb').write(b'PK\\x03\\x04 no archive')\n")
    assert check_of(audited(case, only=("data.erased",)), "data.erased").status is Status.INCONCLUSIVE


def test_one_column_of_plain_numbers_and_short_ids_is_not_called_erased(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    features = rng.integers(0, 9, (40, 1)).astype(float) / 10
    case = write(tmp_path, features, rng.integers(0, 2, 40), ids=[str(index) for index in range(40)])
    own(case, "import pickle\n\n" + PLAIN + "\ndef state(self, model):\n    return b'anything'\n")
    assert check_of(audited(case, only=("data.erased",)), "data.erased").status is Status.INCONCLUSIVE


def test_a_store_under_another_scale_shows_nothing(tmp_path: Path) -> None:
    features, labels = problem()
    case = write(tmp_path, features, labels, data='store = "store.npy"')
    np.save(case / "store.npy", 5 * features + 1)
    evidence = audited(case)
    erased = check_of(evidence, "data.erased")
    assert (erased.status, evidence.audit.exit_code) == (Status.INCONCLUSIVE, 3)
    assert "in other units it may hold 3 record(s)" in erased.basis


def test_a_store_with_the_model_and_nested_folders_passes_only_without_the_records(tmp_path: Path) -> None:
    features, labels = problem()
    case = write(tmp_path, features, labels, data='store = "kept"')
    (case / "kept" / "a" / "b").mkdir(parents=True)
    np.savez(case / "kept" / "model.npz", parameters=np.ones(5))
    np.save(case / "kept" / "a" / "b" / "rows.npy", features[3:].astype(np.float32))
    assert check_of(audited(case, only=("data.erased",)), "data.erased").status is Status.INCONCLUSIVE, (
        "nothing accounts for another model's weights"
    )
    assert check_of(audited(attest(case), only=("data.erased",)), "data.erased").status is Status.PASS
    np.save(case / "kept" / "a" / "b" / "rows.npy", features[2:].astype(np.float32))
    erased = check_of(audited(case, only=("data.erased",)), "data.erased")
    assert (erased.status, erased.value, erased.details["request_ids"]) == (Status.FAIL, 1.0, ["R-1"])


def test_a_record_that_was_said_not_to_be_there_must_not_be_there(tmp_path: Path) -> None:
    features, labels = problem()
    case = write(tmp_path, features, labels, data='store = "store.csv"')
    rows = [f"rec-{index:04d},{','.join(map(repr, row))}" for index, row in enumerate(features.tolist()) if index > 2]
    (attest(case) / "store.csv").write_text("\n".join([*rows, "ghost-1,0,0,0,0,0"]), encoding="utf-8")
    assert check_of(audited(case, only=("data.erased",)), "data.erased").status is Status.PASS
    log = (case / "deletions.jsonl").read_text(encoding="utf-8")
    ghost = '{"request_id": "R-9", "record_ids": ["ghost-1"], "received_at": "2026-01-09T00:00:00Z", "status": "no_match"}\n'
    (case / "deletions.jsonl").write_text(log + ghost, encoding="utf-8")
    erased = check_of(audited(case, only=("data.erased",)), "data.erased")
    assert (erased.status, erased.details["request_ids"]) == (Status.FAIL, ["R-9"])


def test_running_less_never_passes(tmp_path: Path) -> None:
    case = write(tmp_path, np.random.default_rng(0).normal(size=(30, 3)), np.random.default_rng(1).normal(size=30), required=None)
    text = (case / "audit.toml").read_text(encoding="utf-8")
    (case / "audit.toml").write_text(text.replace('"classification"', '"regression"'), encoding="utf-8")
    own(case, PLAIN)
    evidence = audited(case, only=("log.consistency",))
    assert {"log.deadlines", "data.erased"} <= set(evidence.policy.required)
    assert check_of(evidence, "log.consistency").status is Status.PASS
    assert evidence.audit.exit_code == 3


def test_a_request_that_names_what_is_not_there_supports_nothing(tmp_path: Path) -> None:
    case = write(tmp_path, *problem())
    write_log(case, [["rec-0000", "nobody"], ["rec-0001", "rec-0001"]])
    evidence = audited(case)
    assert evidence.audit.exit_code == 1
    guarantee = guarantee_of(evidence, "certified-removal")
    assert guarantee.status is ClaimStatus.NOT_SHOWN
    assert any(premise.how is Provenance.REFUTED for premise in guarantee.derivation[0].premises)
    assert all(request.guarantees == () for request in evidence.requests)


@pytest.mark.parametrize("labels", [("a", "b"), (9, 10), (-5, 3)])
def test_any_two_labels_are_a_binary_task(tmp_path: Path, labels: tuple[object, object]) -> None:
    features, numbers = problem()
    evidence = audited(write(tmp_path, features, np.where(numbers == 1, labels[1], labels[0])))
    judged = ("log.consistency", "data.erased", "removal.residual", "removal.budget")
    assert {check_of(evidence, each).status for each in judged} == {Status.PASS}


def test_duplicates_zero_rows_and_one_batch_of_half_the_data(tmp_path: Path) -> None:
    features, labels = problem(100)
    features[50:] = features[:50]
    features[10:15] = 0.0
    case = write(tmp_path, features, labels, deleted=[[f"rec-{index:04d}" for index in range(50)]])
    evidence = audited(case)
    assert not [check.id for check in evidence.checks if check.status is Status.ERROR]
    assert "50 of them were looked for by identifier only" in check_of(evidence, "data.erased").basis
    assert {certificate.kind for certificate in evidence.certificates} >= {"removal-residual", "removal-budget"}
    assert not any(disagreements(certificate) for certificate in evidence.certificates)


def test_neither_perturbation_nor_seed_nor_declared_secrets_reach_the_evidence(tmp_path: Path) -> None:
    features, labels = problem()
    case = write(tmp_path, features, labels)
    content = audited(case).to_bytes()
    b = np.random.default_rng(278189252447704765151761555871619860438).normal(0.0, 1.0, 5)
    assert b"278189252447704765151761555871619860438" not in content
    for value in (*b.tolist(), float(np.linalg.norm(b))):
        assert repr(abs(value))[:10].encode() not in content
    keys = 'noise_seed = 987654321\nnested = { api_key = "hush-hush", depth = 3 }'
    own(case, "def __init__(self, **_):\n    pass\n\n" + PLAIN, keys=keys)
    evidence = audited(case, only=REQUIRED)
    assert evidence.procedure.settings["params"]["nested"] == {"api_key": "not shown", "depth": 3}
    assert b"987654321" not in evidence.to_bytes()
    assert pickle.dumps(b) not in evidence.to_bytes()
