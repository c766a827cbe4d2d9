"""Whole audits of private training: what its noise is worth, what a theorem makes of it, and where it is worth nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rfc8785

from auditor.base.domain import ClaimStatus, Provenance, Status
from auditor.base.promises import SubsampledGaussian
from auditor.document.evidence import Evidence
from auditor.maths.certificates import derive
from auditor.maths.tradeoff.reading import epsilon_at
from auditor.pages.letters import extract
from auditor.pages.letters import page as letter_page
from auditor.pages.words.guarantees import STATEMENTS
from auditor.pages.words.texts import text
from auditor.parts.networks.judging import training_privacy
from auditor.recheck.letters import read_letter, recheck_alone
from auditor.verdict.guarantees import CONTROL
from cases import audited, check_of, guarantee_of
from cases import replace as reword
from network_cases import write_case
from rechecks import findings
from small_cases import SECRET

NOISE = "dp = { noise_multiplier = 2.0, max_grad_norm = 1.0, delta = 1e-5 }\n"
KEPT = f'{NOISE}unlearn = "none"'
WORDS = (
    *("seed-secret", "subjects-complete", "release-reproduced"),
    *("dictionary-before", "nothing-before-training", "training-data-destroyed"),
)
ATTESTED = f"""attested = {json.dumps(WORDS)}
attested_by = "A. N. Other"
attested_at = 2026-07-01
"""
CLAIMS = f"[claims]\ndp = {{ epsilon = 3.0, delta = 1e-5 }}\n{ATTESTED}"
ONLY = ("log.consistency", "log.deadlines", "data.erased", "model.reproduced", "training.privacy")
INPUTS = {"noise_multiplier": 2.0, "sample_rate": 32 / 300, "steps": 20, "delta": 1e-5}
EPSILON = derive("dp-sgd", INPUTS).epsilon


def quickly(folder: Path) -> Evidence:
    return audited(folder, only=ONLY, workers=2)


def written(folder: Path, keys: str = KEPT, tables: str = CLAIMS) -> Path:
    folder.mkdir(exist_ok=True)
    case = write_case(folder, keys=keys, tables=tables)
    rows = [json.loads(line) for line in (case / "deletions.jsonl").read_text(encoding="utf-8").splitlines()]
    named = [json.dumps({**row, "subject": f"person-{number}"}) + "\n" for number, row in enumerate(rows)]
    (case / "deletions.jsonl").write_text("".join(named), encoding="utf-8")
    return case


def control(evidence: Evidence) -> tuple[ClaimStatus, float | None, float | None]:
    found = guarantee_of(evidence, CONTROL)
    return found.status, found.epsilon, found.delta


def known(evidence: Evidence, fact: str) -> Provenance:
    statement = STATEMENTS[fact]
    found = [each for one in guarantee_of(evidence, CONTROL).derivation for each in one.premises if each.fact == statement]
    return found[0].how


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    return quickly(written(tmp_path_factory.mktemp("private")))


def test_private_training_that_is_never_updated_supports_control_for_each_person(whole: Evidence) -> None:
    check = check_of(whole, training_privacy.CARD.id)
    assert (check.status, check.value, check.threshold) == (Status.PASS, EPSILON, 3.0)
    assert check.details["trainings"] == [{"records": 300, "sample_rate": 32 / 300, "steps": 20, "epsilon": EPSILON}]
    assert check.details["records_per_person"] == 2, "one request names two records"
    assert whole.policy.claims_not_examined == ()
    assert [each.name for each in whole.policy.attested] == list(WORDS)
    both = SubsampledGaussian(noise_multiplier=2.0, sample_rate=32 / 300, steps=20, group=2)
    assert control(whole) == (ClaimStatus.SUPPORTED, epsilon_at(both, 1e-5), 1e-5)
    assert {each.kind for each in whole.certificates} == {"dp-sgd"}
    assert "Of k people together it says what its trade-off function leaves of them" in guarantee_of(whole, CONTROL).statement
    assert all(CONTROL in request.guarantees for request in whole.requests)
    assert str(SECRET).encode() not in whole.to_bytes()


def test_everything_of_it_is_derived_again(whole: Evidence) -> None:
    assert findings(whole.to_bytes()) == []


def test_the_letter_says_it_in_words_and_holds_alone(whole: Evidence) -> None:
    letter = extract(whole.evidence, whole.requests[0].request_id, draft=True)
    parts = recheck_alone(read_letter(letter.to_bytes(), "letter.json"))
    assert [finding for part in parts for finding in part.findings] == []
    promise = letter.model.promise
    assert promise is not None
    assert "training-data-destroyed" in promise.statements
    # Where a check of the model is open the letter confirms nothing; what the promise rests on has words all the same.
    confirmed = letter.model_copy(update={"model": letter.model.model_copy(update={"forgot": "supported"})})
    said = letter_page.page(confirmed).statements
    assert "We have destroyed the training data, and all that was made from them but the model." in said
    assert text("letter-statement-other") not in said


def changed(evidence: Evidence, change: Callable[[dict[str, Any]], object]) -> list[str]:
    value = json.loads(evidence.to_bytes())
    change(value)
    return findings(rfc8785.dumps(value))


def checked(value: dict[str, Any]) -> dict[str, Any]:
    return next(each for each in value["checks"] if each["id"] == training_privacy.CARD.id)


def attesting(value: dict[str, Any]) -> None:
    value["policy"]["attested"].pop(0)


def storing(value: dict[str, Any]) -> None:
    value["case"]["store"] = "store.csv"


def guessable(value: dict[str, Any]) -> None:
    value["procedure"].update(seed_bits=64, seed_digest=None, seed_salt=None)


def foreign(value: dict[str, Any]) -> None:
    value["procedure"]["entry"] = "net.py:Net"


def less_noise(value: dict[str, Any]) -> None:
    value["procedure"]["settings"]["dp"]["noise_multiplier"] = 1.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda v: checked(v).update(value=0.5), "training.privacy: value: it is 0.5"),
        (lambda v: checked(v).update(threshold=4.0), "training.privacy: threshold: it is 4"),
        (lambda v: checked(v).update(status="fail"), "training.privacy: status: it is"),
        (lambda v: checked(v)["observed"].update(records_per_person=1), "deletion-as-control"),
        (lambda v: checked(v)["derived"]["trainings"][0].update(steps=2), "derived.trainings[0].steps: it is 2"),
        (less_noise, "training.privacy: status"),
        (attesting, "policy.digest"),
        (attesting, "guarantees["),
        (storing, "deletion-as-control"),
        (guessable, "deletion-as-control"),
        (foreign, "training.privacy"),
        (lambda v: v["procedure"].update(unlearn="fine-tune"), "training.privacy"),
        (lambda v: v["guarantees"][1].update(epsilon=0.1), "deletion-as-control: epsilon: it is 0.1"),
        (lambda v: v["policy"].update(claims_not_examined=["dp"]), "policy.claims_not_examined"),
    ],
)
def test_what_is_changed_in_it_is_found(whole: Evidence, change: Callable[[dict[str, Any]], object], words: str) -> None:
    assert any(words in finding for finding in changed(whole, change))


@pytest.mark.slow
def test_a_store_contradicts_the_word_that_the_data_are_destroyed(tmp_path: Path) -> None:
    case = written(tmp_path)
    reword(case, 'train = "train.npz"\n', 'train = "train.npz"\nstore = "store.npz"\n')
    with np.load(case / "train.npz") as file:
        np.savez(case / "store.npz", **{name: file[name][8:] for name in file.files})
    evidence = quickly(case)
    assert known(evidence, "training-data-destroyed") is Provenance.REFUTED
    assert control(evidence) == (ClaimStatus.NOT_SHOWN, None, None)
    assert findings(evidence.to_bytes()) == []


@pytest.mark.slow
def test_what_trains_anew_is_judged_at_the_training_that_is_released(tmp_path: Path) -> None:
    evidence = quickly(written(tmp_path, keys=NOISE))
    check = check_of(evidence, training_privacy.CARD.id)
    assert [each["records"] for each in check.details["trainings"]] == [300, 297]
    assert check.value == max(each["epsilon"] for each in check.details["trainings"]) > EPSILON  # type: ignore[operator]
    assert known(evidence, "dp-per-subject") is Provenance.UNKNOWN
    assert control(evidence)[0] is ClaimStatus.NOT_SHOWN
    assert findings(evidence.to_bytes()) == []


@pytest.mark.slow
def test_another_model_than_the_private_one_is_not_covered(tmp_path: Path) -> None:
    case = written(tmp_path, tables=f'{CLAIMS}[model]\npath = "model.npz"\n')
    np.savez(case / "model.npz", parameters=np.zeros(64 * 16 + 16 + 16 * 10 + 10))
    evidence = quickly(case)
    assert check_of(evidence, "model.reproduced").status is Status.FAIL
    assert known(evidence, "release-reproduced") is Provenance.REFUTED
    assert control(evidence)[0] is ClaimStatus.NOT_SHOWN
    assert findings(evidence.to_bytes()) == []


@pytest.mark.slow
def test_the_attacks_of_the_swap_test_are_held_against_the_noise(tmp_path: Path) -> None:
    strong = KEPT.replace("2.0", "60.0")
    swap = "[swap]\npairs = 3\nalpha = 0.035\n"
    claims = "[claims]\ndp = { epsilon = 0.2, delta = 1e-5 }\n"
    evidence = audited(written(tmp_path, keys=strong, tables=claims + swap), workers=2)
    rows = check_of(evidence, "epsilon.consistency").details["comparisons"]
    assert [(row["source"], row.get("rule"), row["claim"]) for row in rows] == [
        ("certificate", "dp-sgd", None),
        ("claim", None, "dp"),
    ]
    assert [row["compared"] for row in rows] == [True, True]
    assert all({each["method"] for each in row["lower"]} == {"swap", "swap-paper", "whole-set"} for row in rows)
    assert rows[0]["epsilon"] < rows[1]["epsilon"]
    assert findings(evidence.to_bytes()) == []
    tampered = changed(evidence, lambda v: _row(v, 0).update(epsilon=0.001))
    assert any("comparisons[0].epsilon: it is 0.001" in finding for finding in tampered)
    dropped = changed(evidence, lambda v: _rows(v).pop(0))
    assert any("derived.comparisons" in finding for finding in dropped)


def _rows(value: dict[str, Any]) -> list[dict[str, Any]]:
    check = next(each for each in value["checks"] if each["id"] == "epsilon.consistency")
    found: list[dict[str, Any]] = check["derived"]["comparisons"]
    return found


def _row(value: dict[str, Any], index: int) -> dict[str, Any]:
    return _rows(value)[index]
