"""Whole audits of `release.exact`: honest learners pass, and whatever hides something does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deletion_games
from auditor import case as cases
from auditor.audit.auditing import Options, declare
from auditor.audit.describing import stamp
from auditor.audit.devices import on_cpu
from auditor.audit.replay import forgotten_of
from auditor.audit.stages import Run, Stages, Subject
from auditor.base.domain import ClaimStatus, Provenance, Status, Verdict
from auditor.document.evidence import Evidence
from auditor.pages.remedies import of_check, remedies
from auditor.pages.words.rendered_evidence import tell
from auditor.parts.release.judging.release_exact import Derived
from auditor.sandbox import Level
from cases import audited, check_of, guarantee_of
from detailed import Detailed
from rechecks import findings
from small_cases import ATTESTED, case_with

PROCEDURES = Path(__file__).with_name("retraining_procedures.py")
ALONE = ("release.exact", "state.stateless")
BUILT_IN = {
    "tree": 'use = "sklearn"\nestimator = "sklearn.tree.DecisionTreeClassifier"',
    "naive Bayes": 'use = "sklearn"\nestimator = "sklearn.naive_bayes.GaussianNB"',
    "forest": 'use = "sklearn"\nestimator = "sklearn.ensemble.RandomForestClassifier"\nparams = {n_estimators = 5}',
    "network": 'use = "torch"\nmodel = "mlp"\nparams = {hidden = [4]}\nepochs = 2\nrate = 0.1',
}


def own(folder: Path, name: str, **changes: str) -> Path:
    (folder / "procedure.py").write_text(PROCEDURES.read_text(encoding="utf-8"), encoding="utf-8")
    return case_with(folder, f'entry = "procedure.py:{name}"', **changes)


def exact(evidence: Evidence) -> tuple[Detailed, Derived]:
    check = check_of(evidence, "release.exact")
    return check, Derived.model_validate({name: check.details[name] for name in Derived.model_fields})


@pytest.mark.parametrize(
    ("name", "route"),
    [
        ("Honest", "clean-room"),
        ("Counting", "clean-room"),
        pytest.param("Shards", "independent", marks=pytest.mark.slow),
        ("Constant", "independent"),
    ],
)
def test_what_depends_on_the_retained_records_alone_passes(tmp_path: Path, name: str, route: str) -> None:
    claims = "data_deletion = { q = 2.0, epsilon = 0.1 }" if name == "Constant" else ""
    check, derived = exact(audited(own(tmp_path, name, claims=claims), only=ALONE))
    assert (check.status, check.value, derived.route) == (Status.PASS, 0.0, route)
    assert derived.compared_batches == (1, 2)
    assert {each.name for each in derived.let_pass} == ({"procedure.calls", "procedure.at"} if name == "Counting" else set())


def test_a_search_alone_enters_the_last_room_which_supports_no_retraining(tmp_path: Path) -> None:
    """What a search finds is the same as with every room; what one room of two shows supports nothing."""
    found = {}
    for only in (("data.erased",), ("data.erased", "release.exact")):
        folder = tmp_path / str(len(only))
        folder.mkdir()
        found[len(only)] = audited(own(folder, "Honest"), only=only)
    fewer, every = (check_of(found[size], "release.exact") for size in (1, 2))
    assert [_rooms(found[size]) for size in (1, 2)] == [[2], [2, 1]]
    assert (fewer.status, every.status) == (Status.SKIPPED, Status.PASS)
    assert found[1].verdict is not Verdict.PASS
    assert findings(found[1].to_bytes()) == []
    one, both = (check_of(found[size], "data.erased") for size in (1, 2))
    assert (one.status, one.value) == (both.status, both.value)


@pytest.mark.parametrize(("only", "rooms"), [(ALONE, [2, 1]), (("data.erased",), [2])])
def test_rooms_that_are_entered_in_any_case_run_alongside_the_replay(
    tmp_path: Path, only: tuple[str, ...], rooms: list[int]
) -> None:
    """A replay is one chain of trainings: what waits for its end makes an audit longer by a training for each room."""
    case = cases.read(own(tmp_path, "Honest"))
    context = declare(case, Options(only=only), Level.CONFINED, on_cpu(), stamp()).context
    found = Stages(Run(case, context, deletion_games.how(only=only, level=Level.CONFINED)), Subject.MODEL).jobs
    assert [each.name for each in found] == ["replay", *(f"clean room for batch {number} of 2" for number in rooms)]
    for job, number in zip(found[1:], rooms, strict=True):
        assert len(job.tables["train"]) == len(case.train) - len(np.concatenate(forgotten_of(case)[:number]))


def _rooms(evidence: Any) -> list[int]:
    """The batches whose clean rooms were entered."""
    seen = evidence.evidence.check("release.exact").observed
    return [each["batch"] for each in seen["batches"]]


def test_a_retrainer_that_keeps_its_first_seed_passes_by_that_seed(tmp_path: Path) -> None:
    check, derived = exact(audited(own(tmp_path, "FirstSeed"), only=ALONE))
    assert (check.status, derived.route) == (Status.PASS, "clean-room")
    assert all(batch["first_seed"]["differing"] == 0 for batch in check.details["batches"])


@pytest.mark.parametrize(
    ("name", "status"), [("LargeLeaves", Status.PASS), pytest.param("LargeTables", Status.INCONCLUSIVE, marks=pytest.mark.slow)]
)
def test_a_learner_is_tried_on_more_rows_before_it_is_said_not_to_react(tmp_path: Path, name: str, status: Status) -> None:
    evidence = audited(own(tmp_path, name, claims="retraining = true"), only=ALONE)
    check, _ = exact(evidence)
    assert check.status is status
    assert check.details["reaction"] == {"other_rows": True, "other_labels": status is Status.PASS}
    if status is not Status.PASS:
        (step,) = of_check(remedies(tell(evidence)), "release.exact")
        assert "Let the learner learn from as few records as there are" in step.action


@pytest.mark.parametrize(
    ("name", "item"),
    [
        pytest.param("InAnAttribute", "model[…]", marks=pytest.mark.slow),  # by the same walk as in a view
        ("InAGlobal", "procedure.py: CACHE[0]"),
        ("InAView", "model[…]"),
        ("InAFile", "file home/rows"),
    ],
)
def test_what_is_hidden_beside_the_weights_is_named_and_inconclusive(tmp_path: Path, name: str, item: str) -> None:
    check, derived = exact(audited(own(tmp_path, name, claims="retraining = true"), only=ALONE))
    assert check.status is Status.INCONCLUSIVE
    assert any(each.name.startswith(item) and each.kind == "object" for each in derived.differing)


@pytest.mark.parametrize("name", ["OneNumber", "InADatabase", "LastBit"])
def test_what_no_item_of_its_own_shows_is_inconclusive(tmp_path: Path, name: str) -> None:
    evidence = audited(own(tmp_path, name), only=ALONE)
    assert exact_status(evidence) is Status.INCONCLUSIVE


RETRAINING = "retraining = true"


@pytest.mark.parametrize(
    ("name", "claims", "status"),
    [
        ("Kept", "", Status.INCONCLUSIVE),
        *((name, RETRAINING, Status.FAIL) for name in ("InLowBits", "SmallDoesNothing", "Kept", "OnTheLog")),
        *(
            pytest.param(name, "", Status.INCONCLUSIVE, marks=pytest.mark.slow)
            for name in ("InLowBits", "SmallDoesNothing", "OnTheLog")
        ),
    ],
)
def test_another_model_fails_where_retraining_is_claimed(tmp_path: Path, name: str, claims: str, status: Status) -> None:
    check, derived = exact(audited(own(tmp_path, name, claims=claims), only=ALONE))
    assert check.status is status
    assert {"parameters", "predictions"} <= {each.kind for each in derived.differing}
    assert bool(derived.unchanged) is (name != "InLowBits")


def test_a_learner_without_a_fixed_seed_is_inconclusive_whatever_is_claimed(tmp_path: Path) -> None:
    check, _ = exact(audited(own(tmp_path, "Unseeded", claims="retraining = true"), only=ALONE))
    assert check.status is Status.INCONCLUSIVE
    controls = [batch["controls"] for batch in check.details["batches"] if batch["controls"] is not None]
    assert controls == [{"two_processes": False, "one_process": False, "another_address": False}]


def test_a_procedure_that_refuses_the_clean_room_is_inconclusive(tmp_path: Path) -> None:
    evidence = audited(own(tmp_path, "Broken", claims="retraining = true"), only=ALONE)
    assert exact_status(evidence) is Status.INCONCLUSIVE
    assert evidence.audit.failure is None


def exact_status(evidence: Evidence) -> Status:
    return check_of(evidence, "release.exact").status


@pytest.mark.parametrize(
    "name", ["tree", *(pytest.param(each, marks=pytest.mark.slow) for each in ("network", "naive Bayes", "forest"))]
)
def test_built_in_retraining_is_exact_and_plays_no_game(tmp_path: Path, name: str) -> None:
    evidence = audited(case_with(tmp_path, BUILT_IN[name], claims=ATTESTED))
    assert exact_status(evidence) is Status.PASS
    for check_id in ("swap.quality", "swap.strong", "swap.controls"):
        check = check_of(evidence, check_id)
        assert check.status is Status.SKIPPED
        assert "the release is exact" in check.basis
    assert not {"swap.quality", "swap.controls"} & set(evidence.policy.required)
    assert evidence.audit.exit_code == 0
    assert findings(evidence.to_bytes()) == []


def test_own_code_that_is_exact_supports_removal_by_words_alone(tmp_path: Path) -> None:
    evidence = audited(own(tmp_path, "Honest", claims=f"retraining = true\n{ATTESTED}"))
    assert (exact_status(evidence), evidence.audit.exit_code) == (Status.PASS, 0)
    guarantee = guarantee_of(evidence, "certified-removal")
    assert (guarantee.status, guarantee.epsilon) == (ClaimStatus.SUPPORTED, 0.0)
    known = {each.name: each.how for each in guarantee.derivation[0].premises}
    assert (known["retrained"], known["code-clean"]) == (Provenance.MEASURED, Provenance.ATTESTED)
    assert findings(evidence.to_bytes()) == []


def test_a_game_is_played_where_the_policy_lists_it(tmp_path: Path) -> None:
    listed = '[policy]\nrequired = ["swap.quality"]\n[swap]\npairs = 5\n'
    evidence = audited(own(tmp_path, "Honest", rest=listed))
    assert exact_status(evidence) is Status.PASS
    assert check_of(evidence, "swap.quality").status in {Status.INCONCLUSIVE, Status.PASS}
    assert check_of(evidence, "swap.controls").status is Status.SKIPPED
