"""`auditor plan --data-deletion`: what it recommends is promised once it is declared, and what it says where nothing keeps it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.planning import Accuracy
from auditor.base.errors import InputError, UsageError
from auditor.case import Case
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.models import theorem_rate
from auditor.maths.certificates import derive
from auditor.maths.certificates.losses import constants
from auditor.parts.data_deletion.learning.making import make
from auditor.parts.data_deletion.planning.data_deletion import deletion_search, plan_deletion, promise_for
from auditor.parts.data_deletion.planning.deletion_document import (
    DeletionPlan,
    DeletionSearch,
    DeletionSetting,
    Promise,
    deletion_document,
    deletion_sentence,
)
from auditor.parts.data_deletion.planning.linear_models import linear_task, trained, without_noise
from cases import SAMPLES, copy_of
from cases import replace as replace_in

SEARCH = DeletionSearch((0.02, 0.1), (0.3, 3.0), 3, 0)
PROMISE = Promise(0.05, 4.0, 0, 7)


@pytest.fixture(scope="module")
def digits() -> Case:
    return cases.read(SAMPLES / "digits-newton")


@pytest.fixture(scope="module")
def found(digits: Case) -> DeletionPlan:
    return plan_deletion(digits, PROMISE, SEARCH)


def noisy(folder: Path, table: str, claim: str = "") -> Case:
    """The digits as a case of noisy gradient descent, without a model."""
    copied = copy_of("digits-newton", folder)
    text = (copied / "audit.toml").read_text(encoding="utf-8")
    head, _, rest = text.partition("[procedure]")
    after = rest[rest.index("[deletions]") :]
    before = head.partition("[model]")[0]
    (copied / "audit.toml").write_text(
        f'{before}[procedure]\nuse = "noisy-gd"\n{table}\n\n{_without_claims(after)}{claim}', "utf-8"
    )
    return cases.read(copied)


def _without_claims(text: str) -> str:
    return text.partition("[claims]")[0].partition("[policy]")[0]


def test_what_serves_is_promised_by_the_theorem_at_the_declared_numbers(found: DeletionPlan) -> None:
    """The numbers as they are copied into audit.toml, for the last of the deletions."""
    known = constants("logistic")
    assert any(row.serves for row in found.rows)
    for row in found.rows:
        assert row.sigma2 is not None
        assert row.unlearn_steps is not None
        inputs = {"q": 4.0, "lipschitz": known.lipschitz, "l2": row.l2, "smoothness": known.smoothness}
        copied = float(f"{row.sigma2:.6g}")
        certificate = derive("noisy-gd-convex", {**inputs, "sigma2": copied, "n": found.records - 6, "steps": row.unlearn_steps})
        assert certificate.epsilon is not None
        assert certificate.epsilon <= PROMISE.epsilon
        assert certificate.epsilon == row.epsilon_dd == row.epsilon
        assert certificate.outputs["epsilon_dp"] <= row.epsilon_dp
        fewer = derive(
            "noisy-gd-convex", {**inputs, "sigma2": copied, "n": found.records - 6, "steps": max(0, row.unlearn_steps - 1)}
        )
        assert fewer.epsilon is not None
        assert row.unlearn_steps == 1 or fewer.epsilon > PROMISE.epsilon * (1 - 1e-9)
        assert row.serves == (row.saved_share is not None and row.saved_share > 0)


def test_right_guesses_are_read_off_the_curve_of_each_setting(found: DeletionPlan) -> None:
    """More steps leave less, and none leaves more than the divergence at one order says by itself."""
    by_order = (1 + found.advantage) / 2
    for row in found.rows:
        if row.right_guesses is not None:
            assert 0.5 <= row.right_guesses <= by_order
    at = min(row.l2 for row in found.rows)
    left = [row.right_guesses for row in found.rows if row.l2 == at and row.right_guesses is not None]
    assert left == sorted(left, reverse=True)


def test_seen_models_are_paid_for(digits: Case) -> None:
    promise = Promise(0.3, 2.0, 3, 1)
    plan = plan_deletion(digits, promise, DeletionSearch((0.1,), (0.01, 0.09, 0.1, 0.2), 1, 0))
    kept, near, at, over = plan.rows
    for row in (kept, near):
        assert row.epsilon is not None
        assert row.epsilon_dd is not None
        assert row.epsilon_dd < row.epsilon <= 0.3
        assert row.epsilon == pytest.approx(row.epsilon_dd + 3 * row.epsilon_dp, rel=1e-5)
    for row in (at, over):
        assert not row.serves
        assert row.sigma2 is None
        assert row.reason == "3 seen models at this ε_dp cost more than ε by themselves"


def test_accuracy_is_that_of_the_procedure_with_these_settings(digits: Case) -> None:
    task = linear_task(digits)
    descent = Descent(0.1, 1e-3, theorem_rate("logistic", l2=0.1))
    learned, updated = trained(task, descent, steps=(120, 60), deletions=5, draws=40, seed=0)
    procedure = make(
        features=task.train.features.shape[1],
        classes=[int(each) for each in task.classes],
        l2=0.1,
        sigma2=1e-3,
        learn_steps=120,
        unlearn_steps=60,
        loss="logistic",
    )
    held = task.holdout
    assert held is not None
    right = []
    for seed in range(40):
        model = procedure.learn(task.train, seed)
        model = procedure.unlearn(model, task.train, np.arange(5), 1000 + seed)
        right.append(np.mean(task.classes[np.argmax(procedure.predict(model, held.features), axis=1)] == held.labels))
    spread = np.std(right) / np.sqrt(len(right))
    assert updated.value == pytest.approx(np.mean(right), abs=6 * spread + 0.01)
    for each in (learned, updated):
        assert each.low <= each.value <= each.high
    assert without_noise(task, l2=0.1, steps=300, rate=descent.rate, seed=0) > updated.value - 0.05


def test_without_a_holdout_a_training_is_judged_on_what_it_left_out(tmp_path: Path) -> None:
    folder = copy_of("digits-newton", tmp_path)
    replace_in(folder, 'holdout = "holdout.npz"\n', "")
    task = linear_task(cases.read(folder))
    assert "a fifth of the" in task.measure
    found, _ = trained(task, Descent(0.1, 1e-3, theorem_rate("logistic", l2=0.1)), steps=(60, 1), deletions=1, draws=7, seed=0)
    assert 0.5 < found.value <= 1


def test_the_document_is_finite_and_names_the_recommended_row(found: DeletionPlan) -> None:
    said = deletion_document(found)
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert said["schema"] == "auditor.deletion-plan/1"
    assert said["recommended"] in said["settings"]
    assert said["sentence"] == deletion_sentence(found)
    best = found.best()
    assert best is not None
    assert best.accuracy is not None
    assert all(row.accuracy is None or row.accuracy.value <= best.accuracy.value for row in found.rows if row.serves)
    assert f"unlearn_steps = {best.unlearn_steps}" in said["sentence"]
    assert said["advantage"] == derive("advantage", {"q": 4.0, "epsilon": 0.05}).outputs["bound"]
    assert [each["l2"] for each in said["without_noise"]] == [0.02, 0.1]


def test_what_is_nearly_as_accurate_and_cheaper_is_named_beside() -> None:
    def row(accuracy: float, saved: float, *, serves: bool = True) -> DeletionSetting:
        return DeletionSetting(
            0.1,
            1.0,
            sigma2=0.5,
            learn_steps=100,
            unlearn_steps=round(100 * (1 - saved)),
            saved_share=saved,
            accuracy=Accuracy(accuracy, accuracy - 0.1, accuracy + 0.1),
            serves=serves,
        )

    rows = (row(0.9, 0.1), row(0.893, 0.6), row(0.891, 0.5), row(0.88, 0.9), row(0.895, 0.99, serves=False))
    plan = DeletionPlan("c", PROMISE, SEARCH, "logistic", 10, 2, 2, 0.1, "m", 0.5, rows, (), ())
    assert (plan.best(), plan.thrifty()) == (rows[0], rows[1])
    said = deletion_document(plan)
    assert said["thrifty"]["saved_share"] == 0.6
    assert "Within 1 percentage point of it, at 60 % fewer: l2 = 0.1, sigma2 = 0.5, learn_steps = 100" in said["sentence"]
    alone = replace(plan, rows=rows[:1])
    assert alone.thrifty() == alone.best()
    assert "Within 1" not in deletion_sentence(alone)
    assert replace(plan, rows=rows[4:]).thrifty() is None


def test_processes_do_not_change_the_plan(digits: Case) -> None:
    search = DeletionSearch((0.1,), (0.3, 3.0), 1, 5)
    assert plan_deletion(digits, PROMISE, search, jobs=2) == plan_deletion(digits, PROMISE, search)


def test_where_unlearning_takes_as_long_as_learning_anew_nothing_is_recommended(digits: Case) -> None:
    plan = plan_deletion(digits, Promise(1e-9, 2.0, 0, 1), DeletionSearch((0.1,), (0.1,), 1, 0))
    assert plan.best() is None
    assert plan.rows[0].reason == "learning from scratch takes no more steps, and leaves nothing"
    assert deletion_sentence(plan).startswith("No λ and ε_dp of the grid keep ε = 1e-09 at order 2 for a deletion in fewer steps")
    drowned = plan_deletion(digits, Promise(1e-9, 2.0, 0, 1), DeletionSearch((0.1,), (1e-9,), 1, 0))
    assert drowned.rows[0].learn_steps == 1
    assert drowned.rows[0].reason == "so much noise drowns the records: the theorem asks for no step at all"


def test_the_grid_is_the_usual_and_the_cases_own(tmp_path: Path) -> None:
    table = 'loss = "logistic"\nl2 = 0.07\nsigma2 = 0.1\norder = 3.0\nlearn_steps = 9\nunlearn_steps = 3\nclip = 0.5\nseed = "1"'
    case = noisy(tmp_path / "own", table)
    promise = promise_for(case, epsilon=0.1, order=None, seen=0, deletions=2)
    assert promise == Promise(0.1, 3.0, 0, 2)
    search = deletion_search(case, promise, seed=1)
    assert search.l2 == (1e-3, 3e-3, 1e-2, 3e-2, 0.07, 0.1)
    assert search.epsilon_dp == pytest.approx((0.1, 1, 10, 100, 1000))
    assert deletion_search(case, promise, seed=1, l2=(0.2,), epsilon_dp=(5.0,)).l2 == (0.2,)
    seen = promise_for(case, epsilon=0.1, order=8.0, seen=2, deletions=2)
    assert deletion_search(case, seen, seed=1).epsilon_dp == pytest.approx((0.005, 0.025, 0.045, 0.0495, 0.04995))
    assert linear_task(case).constants.lipschitz == 0.5
    assert linear_task(case).assumptions == ()


def test_what_no_theorem_covers_is_planned_without_and_said(tmp_path: Path) -> None:
    steps = 'l2 = 0.07\nsigma2 = 0.1\nlearn_steps = 9\nunlearn_steps = 3\nseed = "1"'
    clipped = linear_task(noisy(tmp_path / "clipped", f'loss = "softmax"\nclip = 0.5\n{steps}'))
    assert clipped.loss.clip is None
    assert clipped.parameters == 128
    assert "a clipped softmax gradient is that of no loss" in clipped.assumptions[0]
    capped = linear_task(noisy(tmp_path / "capped", f'loss = "logistic"\nloss_cap = 1.0\nrate = 0.1\n{steps}'))
    assert "not with the declared cap or rate" in capped.assumptions[0]
    claimed = noisy(
        tmp_path / "claimed", f'loss = "logistic"\n{steps}', "\n[claims]\ndata_deletion = { q = 5.0, epsilon = 1.0 }\n"
    )
    assert linear_task(claimed).order == 5.0
    assert "no linear model for noisy gradient descent" in linear_task(cases.read(SAMPLES / "digits-newton")).assumptions[0]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"epsilon": 0.0}, "--epsilon: expected a number above 0, found 0"),
        ({"order": 1.0}, "--order: expected a number above 1, found 1"),
        ({"seen": -1}, "--seen: expected a count of published models, found -1"),
        ({"deletions": 0}, "--deletions: expected 1 to"),
        ({"deletions": 10**6}, "which leaves a record, found 1000000"),
    ],
)
def test_a_promise_out_of_range_is_bad_usage(digits: Case, given: dict[str, float], words: str) -> None:
    usual = {"epsilon": 0.1, "order": 2.0, "seen": 0, "deletions": 1}
    with pytest.raises(UsageError, match=words):
        promise_for(digits, **{**usual, **given})  # type: ignore[arg-type]


def test_a_regression_is_bad_input() -> None:
    with pytest.raises(InputError, match="classification"):
        linear_task(cases.read(SAMPLES / "diabetes-least-squares"))
