"""Data deletion of procedures that no theorem speaks of: other records in the place of the deleted ones, and what they change."""

import functools
import json
from pathlib import Path

import pytest
import rfc8785

import deletion_cases
import rechecks
from auditor import case as cases
from auditor.audit.devices import on_cpu
from auditor.audit.replay import Replaying
from auditor.base.domain import ClaimStatus, Provenance, Status
from auditor.parts.data_deletion import observing as deletion
from auditor.sandbox.jobs import run
from cases import audited, guarantee_of
from levels import forking, isolation
from small_cases import ATTESTED, AUDIT, problem, write, write_log

PROCEDURES = Path(__file__).with_name("deleting_procedures.py")
IDS = ("state.stateless", "deletion.renyi", "deletion.adaptive")
CLAIM = "[claims]\ndata_deletion = {{ q = 2.0, epsilon = 0.1{adaptive} }}\n" + ATTESTED
REST = '\n[swap]\nalpha = 1e-9\n\n[sandbox]\nisolation = "{isolation}"\n'
LOGISTIC = 'use = "sklearn"\nestimator = "sklearn.linear_model.LogisticRegression"'


def together(jobs):
    return run(jobs, workers=2, on_step=lambda *_: None)


def written(folder, table, *, adaptive="", deleted=None, **log):
    """A small case with that [procedure]."""
    write(folder, *problem(40, 5), required=None)
    (folder / "procedure.py").write_bytes(PROCEDURES.read_bytes())
    rest = CLAIM.format(adaptive=adaptive) + REST.format(isolation=isolation())
    text = AUDIT.format(data="", procedure=table, seed=7, rest=rest).replace('"7"', "7")
    (folder / "audit.toml").write_text(text)
    write_log(folder, deleted or [["rec-0004", "rec-0005"]], **{"seen_releases": 0} | log)
    return cases.read(folder)


def judged(case, *, stateless=Status.PASS):
    """Both checks of data deletion, where the experiment on statelessness came to that."""
    replaying = Replaying(case, seed=0, level=forking())
    replay = replaying.read(together(replaying.jobs))
    runs = deletion.compare(case, replay, seed=3, level=forking(), where=on_cpu(), run=together)
    return deletion_cases.judged(case, replay, state=stateless, runs=runs).checks


def named(name):
    return f'entry = "procedure.py:{name}"'


def test_what_releases_nothing_of_a_deleted_record_comes_out_at_zero(tmp_path):
    written(tmp_path, named("Fixed"), deleted=[["rec-0004"], ["rec-0005", "rec-0006"]])
    evidence = audited(tmp_path, workers=2)
    assert [evidence.check(each).status for each in IDS] == [Status.PASS] * 3
    check = evidence.check("deletion.renyi")
    assert (check.value, check.threshold) == (0.0, 0.1)
    assert check.details["theorem"] == "twins"
    assert check.details["twins"]["runs"] == 6
    assert check.details["twins"]["before_too"] is True
    assert "proves nothing" in check.basis
    premises = {each["name"]: each for each in check.details["premises"]}
    assert premises["release-independent"]["how"] == "measured"
    assert premises["stateless"]["how"] == "measured"
    guarantee = guarantee_of(evidence, "data-deletion")
    assert (guarantee.status, guarantee.epsilon) == (ClaimStatus.SUPPORTED, 0.0)
    attested = [each.fact for step in guarantee.derivation for each in step.premises if each.how is Provenance.ATTESTED]
    assert any("code and settings bring along" in fact for fact in attested)
    assert any("do not depend on any released model" in fact for fact in attested)
    found_when_changed(evidence.to_bytes())


def found_when_changed(content):
    """What a recheck can tell of runs with other records, and of updates that were resumed, each thing changed alone."""
    changes = [
        ("state.stateless", ("resumed", 0, "came_out"), "otherwise"),
        ("state.stateless", ("resumed", 0, "came_out"), "refused"),
        ("state.stateless", ("resumed", 1, "came_out"), "not told apart"),
        ("state.stateless", ("resumed", 1, "came_out"), "as before"),
        ("state.stateless", ("deterministic",), False),
        ("deletion.renyi", ("twins", "by_file"), True),
        ("deletion.renyi", ("twins", "difference"), 0.5),
        ("deletion.adaptive", ("order",), 3.0),
    ]
    assert rechecks.findings(content) == []
    for check_id, path, new in changes:
        value = json.loads(content)
        spot = functools.reduce(lambda inner, step: inner[step], path[:-1], rechecks.holder(value, check_id, path[0]))
        spot[path[-1]] = new
        assert any(check_id in each for each in rechecks.findings(rfc8785.dumps(value))), (check_id, path, new)


@pytest.mark.parametrize("table", [named("Mean"), pytest.param(LOGISTIC, marks=pytest.mark.slow)], ids=["own", "ours"])
def test_exact_retraining_comes_out_at_zero_for_requests_that_were_fixed(tmp_path, table):
    renyi, adaptive = judged(written(tmp_path, table))
    assert (renyi.status, renyi.value) == (adaptive.status, adaptive.value) == (Status.PASS, 0.0)
    assert renyi.details["twins"]["before_too"] is False


@pytest.mark.slow
def test_exact_retraining_of_networks_comes_out_at_zero(tmp_path):
    table = 'use = "torch"\nmodel = "mlp"\nepochs = 2\nrate = 0.1\nunlearn = "retrain"'
    renyi, _ = judged(written(tmp_path, table))
    assert (renyi.status, renyi.value) == (Status.PASS, 0.0)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (named("Kept"), "released models depend on the deleted records"),
        pytest.param(named("Largest"), "released models depend on the deleted records", marks=pytest.mark.slow),
        pytest.param(named("Tombstones"), "released models depend on the deleted records", marks=pytest.mark.slow),
        (named("OnlyInPredictions"), "released models depend on the deleted records"),
        (named("OnlyInTheFile"), "the file of save() alone differs"),
        (named("ByChance"), "two runs with the very same records differ"),
        (named("Particular"), "with other records in their place the procedure failed"),
        (named("Silent"), "offers no parameters()"),
        ('use = "certified-removal"\nl2 = 0.01\nsigma = 1.0', "released models depend on the deleted records"),
        pytest.param(f'{LOGISTIC}\nunlearn = "none"', "is declared to hand the old model on", marks=pytest.mark.slow),
    ],
    ids=["kept", "largest", "tombstones", "predictions", "file", "chance", "particular", "silent", "removal", "none"],
)
def test_what_depends_on_them_or_cannot_be_compared_is_open(tmp_path, table, said):
    for check in judged(written(tmp_path, table)):
        assert check.status is Status.INCONCLUSIVE
        assert check.value is None
        assert check.details.get("theorem") is None
        assert said in check.basis or check.id == "deletion.adaptive"


def test_a_file_in_between_that_holds_what_was_deleted_is_found(tmp_path):
    renyi, _ = judged(written(tmp_path, named("FirstFile"), deleted=[["rec-0004"], ["rec-0005", "rec-0006"]]))
    assert (renyi.status, renyi.value) == (Status.INCONCLUSIVE, None)
    assert renyi.details["twins"]["by_file"] is True
    assert "the file of save() alone differs" in renyi.basis


def test_a_model_of_every_batch_is_compared_with_one_of_other_records(tmp_path):
    renyi, _ = judged(written(tmp_path, named("SecondUpdate"), deleted=[[f"rec-{number:04d}"] for number in range(4, 9)]))
    assert (renyi.status, renyi.value) == (Status.INCONCLUSIVE, None)
    assert renyi.details["twins"]["runs"] == 11
    assert renyi.details["twins"]["differs_after"] == "R-1"


def test_a_first_file_that_holds_what_was_learned_is_a_model_that_requesters_saw(tmp_path):
    renyi, adaptive = judged(written(tmp_path, named("LearnedFile"), seen_releases=1))
    assert (renyi.status, renyi.value) == (Status.PASS, 0.0)
    assert (adaptive.status, adaptive.value) == (Status.INCONCLUSIVE, None)


def test_it_is_told_that_what_the_code_brings_along_is_the_same_in_every_run(tmp_path):
    renyi, _ = judged(written(tmp_path, named("Fixed")))
    assert "that it holds nothing of the deleted records is the controller's word" in renyi.basis


@pytest.mark.parametrize(("stateless", "expected"), [(Status.FAIL, Status.FAIL), (Status.INCONCLUSIVE, Status.INCONCLUSIVE)])
def test_it_passes_only_where_nothing_but_the_model_is_carried(tmp_path, stateless, expected):
    for check in judged(written(tmp_path, named("Fixed")), stateless=stateless):
        assert (check.status, check.value) == (expected, None)


def test_requests_that_saw_models_are_covered_only_where_these_were_the_same_too(tmp_path):
    for name, status, value in (("Mean", Status.INCONCLUSIVE, None), ("Fixed", Status.PASS, 0.0)):
        folder = tmp_path / name
        folder.mkdir()
        renyi, adaptive = judged(written(folder, named(name), adaptive=", adaptive = 3", seen_releases=1))
        assert renyi.value == 0.0
        assert (adaptive.status, adaptive.value, adaptive.details["seen"]) == (status, value, 3)


def test_requests_that_saw_more_than_is_claimed_fail_the_claim(tmp_path):
    _, check = judged(written(tmp_path, named("Fixed"), adaptive=", adaptive = 1", seen_releases=2))
    assert check.status is Status.FAIL
    assert "the claim does not cover it" in check.basis
