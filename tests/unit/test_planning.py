"""`auditor plan` on whole cases: what it reads of a case, what it recommends, and what it says where nothing serves."""

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
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval
from auditor.parts.removal.planning.accuracy import measure_of
from auditor.parts.removal.planning.document import Plan, Search, Served, Setting, Target, document, sentence
from auditor.parts.removal.planning.search import orders, plan, search_for, training_seeds
from auditor.parts.removal.planning.walking import task_of
from cases import SAMPLES, copy_of
from cases import replace as replace_in

TARGET = Target(10, 1.0, 1e-4)
SMALL = Search((1e-2,), (0.3, 1.0), 2, 0)


@pytest.fixture(scope="module")
def digits() -> Case:
    return cases.read(SAMPLES / "digits-newton")


@pytest.fixture(scope="module")
def found(digits: Case) -> Plan:
    return plan(digits, TARGET, SMALL)


def row(accuracy: float, served: int, *, l2: float = 1e-2, sigma: float = 1.0, serves: bool = True) -> Setting:
    return Setting(
        "loss-perturbation",
        l2,
        sigma,
        accuracy=Accuracy(accuracy, accuracy - 0.1, accuracy + 0.1),
        served=Served((served,), 0, 200),
        serves=serves,
        epsilon_needed=0.5,
    )


def test_the_recommended_setting_serves_when_the_procedure_is_run_at_it(digits: Case, found: Plan) -> None:
    best = found.best("loss-perturbation")
    assert best is not None
    assert best.served is not None
    task = task_of(digits)
    procedure = CertifiedRemoval(
        best.l2, best.sigma, task.tolerance, epsilon=TARGET.epsilon, delta=TARGET.delta, retrain_at_budget=True
    )
    served = []
    for seed, order in zip(training_seeds(SMALL), orders(task, TARGET, SMALL), strict=True):
        model, data = procedure.learn(digits.train, seed), digits.train
        count = 0
        for position in order:
            forget = np.flatnonzero(data.ids == digits.train.ids[position])
            model = procedure.unlearn(model, data, forget, seed + 1 + count)
            if model.retrained:
                break
            data, count = data.subset(np.flatnonzero(data.ids != digits.train.ids[position])), count + 1
        served.append(count)
    assert best.served.orders == tuple(served)
    assert best.served.median >= TARGET.deletions


def test_every_row_is_there_and_numbers_are_finite(found: Plan) -> None:
    said = document(found)
    text = json.dumps(said, allow_nan=False)
    assert [(each["l2"], each["sigma"]) for each in said["loss_perturbation"]] == [(1e-2, 0.3), (1e-2, 1.0)]
    assert len(said["output_noise"]) == len(said["differential_privacy"]) == len(said["no_protection"]) == 1
    assert said["recommended"] in said["loss_perturbation"] + said["output_noise"] + said["differential_privacy"]
    assert said["sentence"] == sentence(found)
    assert json.loads(text) == said


def test_accuracy_lies_in_its_interval_and_noise_of_the_whole_group_costs_the_most(found: Plan) -> None:
    rows = (*found.rows, *found.no_protection)
    assert all(each.accuracy and each.accuracy.low <= each.accuracy.value <= each.accuracy.high for each in rows)
    (private,), (hidden,), (bare,) = found.differential_privacy, found.output_noise, found.no_protection
    assert private.release_noise > 100 * hidden.release_noise
    assert private.accuracy
    assert hidden.accuracy
    assert bare.accuracy
    assert private.accuracy.value < hidden.accuracy.value <= bare.accuracy.value + 0.05


def test_accuracy_is_that_of_the_trained_models_on_the_holdout(digits: Case, found: Plan) -> None:
    first = found.loss_perturbation[0]
    shares = []
    for seed in training_seeds(SMALL):
        procedure = CertifiedRemoval(first.l2, first.sigma, 1e-9)
        model = procedure.learn(digits.train, seed)
        assert digits.holdout is not None
        said = model.classes[np.argmax(procedure.predict(model, digits.holdout.features), axis=1)]
        shares.append(float(np.mean(said == digits.holdout.labels)))
    assert first.accuracy is not None
    assert first.accuracy.value == pytest.approx(np.mean(shares), abs=1e-12)


def test_the_same_seed_gives_the_same_plan_in_any_number_of_processes(digits: Case, found: Plan) -> None:
    assert plan(digits, TARGET, SMALL, jobs=2) == found
    assert plan(digits, TARGET, replace(SMALL, seed=1)).loss_perturbation != found.loss_perturbation


def test_the_secret_seed_of_the_case_changes_nothing(tmp_path: Path, found: Plan) -> None:
    folder = copy_of("digits-newton", tmp_path)
    replace_in(folder, 'seed = "278189252447704765151761555871619860438"', 'seed = "1"')
    assert plan(cases.read(folder), TARGET, SMALL) == found


def test_steps_are_told_as_they_are_done(digits: Case) -> None:
    told: list[tuple[str, int, int]] = []
    plan(digits, TARGET, replace(SMALL, sigma=(1.0,)), on_step=lambda *step: told.append(step))
    assert told == [
        ("orders", 0, 2),
        ("orders", 1, 2),
        ("orders", 2, 2),
        ("loss", 0, 1),
        ("loss", 1, 1),
        ("noise", 0, 1),
        ("noise", 1, 1),
    ]


def test_where_no_setting_of_the_grid_serves_it_says_what_would(digits: Case) -> None:
    short = plan(digits, Target(30, 1.0, 1e-4), Search((1e-2,), (0.05,), 2, 0))
    assert not any(each.serves for each in short.loss_perturbation)
    assert short.best("loss-perturbation") is None
    assert short.beyond is not None
    assert short.beyond.serves
    assert short.beyond.sigma in {0.1, 0.2, 0.4, 0.8, 1.6, 3.2}
    assert "No λ and σ of the grid serve 30 deletions" in sentence(short)
    assert f"σ = {short.beyond.sigma:g} would" in sentence(short)


def test_where_nothing_at_all_serves_it_says_so(found: Plan) -> None:
    nothing = replace(
        found, loss_perturbation=(row(0.9, 3, serves=False),), output_noise=(), differential_privacy=(), beyond=None
    )
    said = sentence(nothing)
    assert "serves 3" in said
    assert "nor does a σ of up to 64 times the largest" in said
    assert said.endswith("Neither does output noise or differential privacy.")
    assert document(nothing)["recommended"] is None


def test_the_most_accurate_that_serves_is_recommended_and_then_the_one_with_more_room(found: Plan) -> None:
    rows = (row(0.99, 5, serves=False), row(0.9, 20, sigma=1), row(0.9, 40, sigma=2), row(0.8, 200, sigma=3))
    chosen = replace(found, loss_perturbation=rows, output_noise=(), differential_privacy=()).best()
    assert chosen == rows[2]


def test_a_recommendation_that_is_no_better_than_guessing_or_that_hard_records_exhaust_says_so(found: Plan) -> None:
    poor = replace(row(0.4, 20), served=Served((20,), 3, 200))
    said = sentence(replace(found, loss_perturbation=(poor,), output_noise=(), differential_privacy=(), baseline=0.5))
    assert "With the worst-fitted records first it serves 3." in said
    assert "no better than predictions that ignore the record (0.500)" in said
    best = found.best()
    assert best is not None
    assert best.accuracy is not None
    assert 0.4 < found.baseline < best.accuracy.value
    assert "no better" not in sentence(found)


def test_without_a_holdout_accuracy_is_cross_validated(digits: Case) -> None:
    bare = replace(digits, holdout=None)
    assert "5-fold cross-validation on the 300 training records" in measure_of(task_of(bare))
    one = plan(bare, TARGET, Search((1e-2,), (0.3,), 2, 0)).loss_perturbation[0]
    assert one.accuracy is not None
    # A fifth of the labels is flipped: nobody can be right about more than about four fifths of them.
    assert 0.6 < one.accuracy.value < 0.85


def test_a_regression_is_planned_by_its_own_measure_and_has_no_private_row() -> None:
    diabetes = plan(cases.read(SAMPLES / "diabetes-least-squares"), TARGET, Search((1e-3,), (1.0,), 2, 0))
    assert diabetes.score == "R²"
    assert diabetes.loss_perturbation[0].served is not None
    assert diabetes.loss_perturbation[0].served.orders == (20, 20), "a Newton step is exact"
    assert diabetes.differential_privacy[0].reason is not None
    assert not diabetes.differential_privacy[0].serves
    assert "R² " in sentence(diabetes)


def test_any_classification_case_is_planned_as_a_logistic_model(tmp_path: Path) -> None:
    task = task_of(cases.read(SAMPLES / "digits-retrain"))
    assert task.models == 10
    assert np.linalg.norm(task.train.features, axis=1).max() <= 1 + 1e-9
    assert any("declares no certified removal" in said for said in task.assumptions)


def test_long_rows_are_scaled_one_by_one(digits: Case) -> None:
    foreign = cases.read(SAMPLES / "digits-retrain")
    longer = replace(foreign, train=replace(foreign.train, features=foreign.train.features * 3), holdout=None)
    task = task_of(longer)
    assert np.linalg.norm(task.train.features, axis=1).max() <= 1 + 1e-9
    assert any("rows are scaled to norm 1" in said for said in task.assumptions)
    own = task_of(replace(digits, train=replace(digits.train, features=digits.train.features * 3)))
    assert own.row_norm == 5.0, "rows of certified removal stay as they are declared"


def test_a_regression_of_another_procedure_is_bad_input() -> None:
    foreign = cases.read(SAMPLES / "digits-retrain")
    settings = foreign.settings.model_copy(update={"data": foreign.settings.data.model_copy(update={"task": "regression"})})
    with pytest.raises(InputError, match=r"data\.task"):
        task_of(replace(foreign, settings=settings))


def test_a_setting_that_float64_cannot_train_has_a_reason_and_no_numbers(tmp_path: Path) -> None:
    folder = copy_of("digits-newton", tmp_path)
    replace_in(folder, "tolerance = 1e-9", "tolerance = 1e-300")
    for each in plan(cases.read(folder), TARGET, SMALL).rows:
        assert each.accuracy is None
        assert not each.serves
        assert each.reason is not None
        assert "tolerance" in each.reason


@pytest.mark.parametrize(
    "target", [Target(0, 1, 1e-4), Target(300, 1, 1e-4), Target(5, 0, 1e-4), Target(5, float("inf"), 1e-4), Target(5, 1, 1)]
)
def test_a_target_out_of_range_is_bad_usage(digits: Case, target: Target) -> None:
    with pytest.raises(UsageError, match="expected"):
        plan(digits, target, SMALL)


def test_the_grid_holds_the_case_s_own_values_unless_others_are_asked_for(digits: Case) -> None:
    assert search_for(digits, seed=0).l2 == (1e-4, 1e-3, 1e-2, 1e-1)
    assert 1.0 in search_for(digits, seed=0, quick=True).sigma
    asked = search_for(digits, seed=3, l2=[0.5, 0.02], sigma=[2.0])
    assert (asked.l2, asked.sigma, asked.seed) == ((0.02, 0.5), (2.0,), 3)
    for wrong in ([], [0.0], [-1.0], [float("nan")], [float("inf")]):
        with pytest.raises(UsageError, match="--l2"):
            search_for(digits, seed=0, l2=wrong)
