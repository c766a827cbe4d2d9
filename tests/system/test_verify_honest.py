"""A recheck has nothing to say against honest evidence, whatever the case, the options and the verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.base.domain import ClaimStatus, Status
from auditor.verdict.guarantees import CERTIFIED_REMOVAL
from cases import audited, guarantee_of
from rechecks import findings
from small_cases import foreign, problem, released, write, write_log

BATCHES = [[0], [1, 2]]
CLASS = """def learn(self, data, seed):
    return np.array([data.labels.mean()])

def unlearn(self, model, data, forget, seed):
    left = np.setdiff1d(np.arange(len(data.ids)), forget)
    return self.learn(data.subset(left), seed)

def predict(self, model, features):
    return np.tile([1 - model[0], model[0]], (len(features), 1))

def state(self, model):
    return model.tobytes()
"""
CRASHES = CLASS.replace("return np.array([data.labels.mean()])", "raise RuntimeError('no')")


def plain(folder: Path) -> None:
    write(folder, *problem())


def with_model(folder: Path) -> None:
    features, labels = problem()
    write(folder, features, labels, model=released(features, labels, BATCHES, unlearn="newton"), required=None)


def with_the_old_model(folder: Path) -> None:
    features, labels = problem()
    write(folder, features, labels, model=released(features, labels, [], unlearn="newton"))


def with_enormous_numbers(folder: Path) -> None:
    write(folder, *problem(), model=np.full(5, 1e300))


def retrained(folder: Path) -> None:
    write(folder, *problem(), procedure='unlearn = "retrain"', required=None)


def retraining_at_the_budget(folder: Path) -> None:
    deleted = [[f"rec-{index:04d}"] for index in range(4, 24)]
    write(folder, *problem(), deleted=deleted, procedure="retrain_at_budget = true", l2=1e-4)


def a_guessable_seed(folder: Path) -> None:
    write(folder, *problem(), seed=7)


def noise_at_release_alone(folder: Path) -> None:
    noise = "release_noise = 0.5\nresidual_budget = 0.05"
    write(folder, *problem(), procedure=noise, sigma=0.0, required=None)


def no_target(folder: Path) -> None:
    write(folder, *problem())
    path = folder / "audit.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith(("epsilon =", "delta ="))), encoding="utf-8")


def claims(folder: Path) -> None:
    write(folder, *problem(), required=None)
    path = folder / "audit.toml"
    table = "[claims]\ncertified_removal = {epsilon = 0.5, delta = 1e-5}\ndp = {epsilon = 0.1, delta = 1e-6}\n"
    path.write_text(path.read_text(encoding="utf-8") + table, encoding="utf-8")


def a_refuted_claim(folder: Path) -> None:
    write(folder, *problem(120), procedure='unlearn = "retrain"', required=None)
    path = folder / "audit.toml"
    text = path.read_text(encoding="utf-8")
    start, end = text.index("[procedure]"), text.index("[deletions]")
    table = '[procedure]\nuse = "sklearn"\nestimator = "sklearn.tree.DecisionTreeClassifier"\nunlearn = "none"\nseed = 1\n'
    claimed = "[claims]\ncertified_removal = {epsilon = 0, delta = 1e-5}\n"
    path.write_text(text[:start] + table + text[end:] + claimed, encoding="utf-8")


def a_log_that_does_not_hold_together(folder: Path) -> None:
    write(folder, *problem(), required=None)
    write_log(folder, [["rec-0000"], ["rec-0000", "unknown"], ["rec-0001"]], batch="one", status="open")


def nothing_deleted(folder: Path) -> None:
    write(folder, *problem(), deleted=[["unknown"]])


def one_record_and_few_left(folder: Path) -> None:
    write(folder, *problem(12))


def foreign_code(folder: Path) -> None:
    write(folder, *problem(), required=None)
    foreign(folder, CLASS)


def code_that_crashes(folder: Path) -> None:
    write(folder, *problem(), required=None)
    foreign(folder, CRASHES)


CASES: list[tuple[Callable[[Path], None], dict[str, Any]]] = [
    (plain, {}),
    (plain, {"quick": True}),
    (plain, {"only": ("removal.budget",)}),
    (plain, {"only": ("epsilon.consistency", "log.deadlines")}),
    (with_model, {}),
    (with_model, {"only": ("swap.quality",), "seed": 3}),
    (with_the_old_model, {}),
    (with_enormous_numbers, {}),
    (retrained, {}),
    (retraining_at_the_budget, {}),
    (a_guessable_seed, {}),
    (noise_at_release_alone, {"only": ("log.consistency",)}),
    (no_target, {}),
    (claims, {}),
    (claims, {"quick": True}),
    (a_log_that_does_not_hold_together, {}),
    (nothing_deleted, {}),
    (one_record_and_few_left, {}),
    (foreign_code, {}),
    (code_that_crashes, {}),
]


@pytest.mark.parametrize(("write_case", "options"), CASES, ids=["-".join([case.__name__, *options]) for case, options in CASES])
def test_honest_evidence_agrees(tmp_path: Path, write_case: Callable[[Path], None], options: dict[str, Any]) -> None:
    write_case(tmp_path)
    evidence = audited(tmp_path, **options)
    assert findings(evidence.to_bytes()) == []


@pytest.mark.slow
def test_honest_evidence_of_a_refuted_claim_agrees(tmp_path: Path) -> None:
    a_refuted_claim(tmp_path)
    evidence = audited(tmp_path)
    assert evidence.check("epsilon.consistency").status is Status.FAIL
    assert guarantee_of(evidence, CERTIFIED_REMOVAL).status is ClaimStatus.REFUTED
    assert findings(evidence.to_bytes()) == []


def test_what_the_command_line_leaves_out_is_known_by_its_reason(tmp_path: Path) -> None:
    plain(tmp_path)
    evidence = audited(tmp_path, only=("log.consistency",))
    left = [check for check in evidence.checks if check.id != "log.consistency"]
    assert {(check.status, check.basis) for check in left} == {(Status.SKIPPED, "Left out by --only.")}
