"""`training.privacy` on what a rerun told: thresholds, mismatches, doubts, and what a person with several records gets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.certificates import derive
from auditor.certificates.dp_sgd import schedule
from auditor.deletions import replayable
from auditor.domain import Check, How, Status
from auditor.observing import privacy
from auditor.observing.findings import Findings
from auditor.observing.replay import Replay
from cases import replace as reword
from network_cases import own_network, write_case
from small_cases import SECRET, write_log

NOISE = "dp = { noise_multiplier = 2.0, max_grad_norm = 1.0, delta = 1e-5 }\n"
KEPT = f'{NOISE}unlearn = "none"'
CLAIMS = "[claims]\ndp = { epsilon = 3.0, delta = 1e-5 }\n"
RATE, STEPS = schedule(300, batch=32, epochs=2)
EPSILON = derive("dp-sgd", {"noise_multiplier": 2.0, "sample_rate": RATE, "steps": STEPS, "delta": 1e-5}).epsilon
TOLD = {"retrained": False, "dp_noise_multiplier": 2.0, "dp_sample_rate": RATE, "dp_steps": STEPS, "dp_delta": 1e-5}


def written(folder: Path, keys: str = KEPT, tables: str = CLAIMS) -> Path:
    return write_case(folder, keys=keys, tables=tables)


@pytest.fixture
def kept(tmp_path: Path) -> Replay:
    """What a rerun observes of a model that no deletion changes, as far as the check looks at it."""
    case = cases.read(written(tmp_path))
    batches = replayable(case.requests, case.known_ids)
    place = {record: position for position, record in enumerate(case.train.ids.tolist())}
    forgotten = tuple(np.array([place[record] for record in batch.record_ids]) for batch in batches)
    return Replay(
        batches=batches,
        forgotten=forgotten,
        trajectory=None,
        retrained=(False, False),
        told=(TOLD, TOLD, TOLD),
        unlearn_seconds=None,
        retrain_seconds=1.0,
        warm_refit_seconds=None,
        predictions=None,
        retrained_predictions=None,
        state=None,
        saved=None,
        self_check_difference=None,
    )


def judged(folder: Path, replay: Replay, **case: Any) -> Findings:
    return privacy.judge(cases.read(written(folder, **case)), replay)


def of(found: Findings) -> Check:
    (check,) = found.checks
    return check


@pytest.mark.parametrize(
    ("tables", "status", "threshold", "words"),
    [
        ("", Status.INCONCLUSIVE, None, "No threshold: neither claim nor policy names an ε"),
        ("[claims]\ndp = { epsilon = 1.0, delta = 1e-5 }\n", Status.FAIL, 1.0, "Upper bound"),
        ("[policy]\nmax_epsilon = 5.0\n", Status.PASS, 5.0, "Upper bound"),
        ("[policy]\nmax_epsilon = 0.1\n" + CLAIMS, Status.FAIL, 0.1, "Upper bound"),
        ("[policy]\nmax_epsilon = 50.0\nmax_delta = 1e-9\n" + CLAIMS, Status.PASS, 3.0, "Upper bound"),
        ("[claims]\ndp = { epsilon = 100.0, delta = 0 }\n", Status.FAIL, 100.0, "There is no such ε"),
    ],
)
def test_the_strictest_of_claim_and_policy_decides(
    tmp_path: Path, kept: Replay, tables: str, status: Status, threshold: float | None, words: str
) -> None:
    check = of(judged(tmp_path, kept, tables=tables))
    stricter = check.details["delta"] < 1e-5
    if stricter and check.value is not None:
        assert EPSILON is not None
        assert check.value > EPSILON
        status = Status.PASS if check.value <= 3.0 else Status.FAIL
    assert (check.status, check.threshold) == (status, threshold)
    assert words in check.basis


def test_a_weak_delta_is_named(tmp_path: Path, kept: Replay) -> None:
    weak = KEPT.replace("1e-5", "0.01")
    told = tuple({**facts, "dp_delta": 0.01} for facts in kept.told)
    check = of(judged(tmp_path, replace(kept, told=told), keys=weak, tables="[policy]\nmax_epsilon = 5\n"))
    assert "δ is not below 1/n" in check.basis


@pytest.mark.parametrize(
    ("name", "value"), [("dp_steps", 19), ("dp_sample_rate", 0.5), ("dp_noise_multiplier", 4.0), ("dp_delta", 1e-4)]
)
@pytest.mark.parametrize("batch", [0, 2])
def test_a_rerun_that_trained_otherwise_is_an_error(tmp_path: Path, kept: Replay, name: str, value: float, batch: int) -> None:
    told = [dict(facts) for facts in kept.told]
    told[batch][name] = value
    found = judged(tmp_path, replace(kept, told=tuple(told)))
    assert of(found).status is Status.ERROR
    assert f"reports {name} = {value}" in of(found).basis
    assert found.facts == ()
    assert privacy.pledged(found.checks) is None
    assert of(judged(tmp_path, replace(kept, told=kept.told[:1]))).status is Status.ERROR


def test_a_model_that_was_changed_without_noise_is_not_private_any_more(tmp_path: Path, kept: Replay) -> None:
    told = (kept.told[0], {"retrained": False}, {"retrained": False})
    changed_after = replace(kept, told=told)
    found = judged(tmp_path, changed_after, keys=f'{NOISE}unlearn = "fine-tune"')
    assert of(found).status is Status.INCONCLUSIVE
    assert "The model after fine-tune is no longer that of a private training" in of(found).basis
    assert found.facts == ()
    assert of(judged(tmp_path, kept, keys=f'{NOISE}unlearn = "fine-tune"')).status is Status.ERROR


def test_people_with_several_records_are_found_by_their_subject(tmp_path: Path, kept: Replay) -> None:
    case = written(tmp_path)
    rows = [json.loads(line) for line in (case / "deletions.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["subject"] = "person-1"
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = privacy.judge(cases.read(case), kept)
    assert of(found).details["records_per_person"] == 3
    pledge = privacy.pledged(found.checks)
    assert pledge is not None
    assert EPSILON is not None
    assert pledge.epsilon == pytest.approx(3 * EPSILON)


def test_one_record_each_needs_no_group_bound(tmp_path: Path, kept: Replay) -> None:
    case = written(tmp_path)
    write_log(case, [["rec-0005"], ["rec-0006"]])
    found = privacy.judge(cases.read(case), kept)
    assert privacy.pledged(found.checks) == privacy.Pledge(EPSILON, 1e-5)  # type: ignore[arg-type]
    assert [each.kind for each in found.certificates] == ["dp-sgd"]


@pytest.mark.parametrize(
    ("seed", "how"), [(7, How.REFUTED), (2**64 - 1, How.REFUTED), (2**95 - 1, How.REFUTED), (2**95, How.ATTESTED)]
)
def test_a_guessable_seed_refutes_the_privacy(tmp_path: Path, kept: Replay, seed: int, how: How) -> None:
    case = written(tmp_path)
    reword(case, f'seed = "{SECRET}"', f'seed = "{seed}"')
    (fact,) = privacy.judge(cases.read(case), kept).facts
    assert (fact.name, fact.how) == ("dp-per-subject", how)


def test_no_noise_hides_a_label_that_only_deleted_records_had(tmp_path: Path, kept: Replay) -> None:
    case = cases.read(written(tmp_path))
    labels = case.train.labels.copy()
    labels[np.concatenate(kept.forgotten)] = 10
    found = privacy.judge(replace(case, train=replace(case.train, labels=labels)), kept)
    assert of(found).status is Status.PASS
    assert [(each.name, each.how) for each in found.facts] == [("dp-per-subject", How.REFUTED)]


def test_the_controllers_own_network_is_not_believed(tmp_path: Path, kept: Replay) -> None:
    found = privacy.judge(cases.read(own_network(tmp_path, "return logits", keys=KEPT, tables=CLAIMS)), kept)
    assert of(found).status is Status.INCONCLUSIVE
    assert "The network is the controller's own" in of(found).basis
    assert found.facts == ()


def test_without_private_training_the_check_does_not_apply(tmp_path: Path, kept: Replay) -> None:
    check = of(judged(tmp_path, kept, keys=""))
    assert check.status is Status.SKIPPED
    assert check.basis.startswith("Does not apply")


def test_training_anew_is_judged_at_the_released_training_too(tmp_path: Path, kept: Replay) -> None:
    told = tuple({**TOLD, "dp_sample_rate": 32 / count} for count in (300, 299, 297))
    found = judged(tmp_path, replace(kept, told=told), keys=NOISE)
    trainings = of(found).details["trainings"]
    assert [each["records"] for each in trainings] == [300, 297]
    assert of(found).value == trainings[1]["epsilon"] > trainings[0]["epsilon"] == EPSILON
    assert found.facts == ()
    assert of(judged(tmp_path, kept, keys=NOISE)).status is Status.ERROR
