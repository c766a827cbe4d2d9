"""The procedure `noisy-sgd`: its steps, its batches, what it refuses, and what the checks say of it."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.base.domain import Check, Status
from auditor.base.errors import InputError
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.learning import build
from auditor.learning.noisy_gd.batches import batch_of
from auditor.maths.certificates import derive, rederive
from auditor.maths.certificates.renyi import gaussian_epsilon
from auditor.parts.data_deletion.batch_settings import NoisySgd
from auditor.parts.swap.judging.epsilon_consistency import CHECK
from deletion_cases import CLAIM, Judged, judged, replay_of, write
from judging import case_facts, declared, judged_check
from small_cases import problem
from swap_observed import FORGOTTEN, RECORDS, game, models

LINEAR: dict[str, Any] = {
    "loss": "logistic",
    "l2": 0.05,
    "sigma2": 0.01,
    "batches": 4,
    "batch_size": 30,
    "learn_epochs": 7,
    "unlearn_epochs": 2,
}
SEED = 2**130 + 7
FORGET = np.array([3, 11])


def records(rows: int = 60, classes: int = 2) -> Dataset:
    features, _ = problem(rows, 5)
    return Dataset(features, np.arange(rows) % classes, np.array([f"r{number}" for number in range(rows)]))


def made(classes: int = 2, **settings: Any) -> Any:
    return build("noisy-sgd", {**LINEAR, "features": 5, "classes": list(range(classes)), **settings})


def by_hand(parameters: Any, data: Dataset, rng: np.random.Generator, *, epochs: int) -> Any:
    """Record by record, each in the batch that its id names."""
    rate = 1 / (2 * (0.05 + 0.25))
    rows = list(zip(data.features, data.labels.tolist(), data.ids.tolist(), strict=True))
    for _ in range(epochs):
        for batch in range(4):
            total = np.zeros(5)
            for row, label, name in rows:
                if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 4 == batch:
                    sign = 1 if label else -1
                    total += -sign * row / (1 + math.exp(sign * float(parameters @ row)))
            slope = total / 30 + 0.05 * parameters
            parameters = parameters - rate * slope + math.sqrt(2 * rate * 0.01) * rng.standard_normal(5)
    return parameters


def test_learning_and_unlearning_are_those_of_the_proof() -> None:
    """Whole epochs in one order, from the first batch on in an update too; the divisor stays when records leave."""
    procedure, data = made(), records()
    rate = 1 / (2 * (0.05 + 0.25))
    rng = np.random.default_rng(SEED)
    start = math.sqrt(0.01 / (0.05 * (1 - rate * 0.05 / 2))) * rng.standard_normal(5)
    learned = by_hand(start, data, rng, epochs=7)
    model = procedure.learn(data, SEED)
    assert procedure.parameters(model) == pytest.approx(learned, rel=1e-9)
    left = data.subset(np.setdiff1d(np.arange(60), FORGET))
    fewer = by_hand(learned, left, np.random.default_rng(SEED + 1), epochs=2)
    after = procedure.unlearn(model, data, FORGET, SEED + 1)
    assert procedure.parameters(after) == pytest.approx(fewer, rel=1e-9)
    assert [procedure.facts(each)["steps"] for each in (model, after)] == [28, 8]


def test_one_batch_of_everybody_is_the_full_batch() -> None:
    full = build("noisy-gd", {"loss": "softmax", "l2": 0.05, "sigma2": 0.01, "learn_steps": 9, "unlearn_steps": 1} | _columns(3))
    one = made(3, loss="softmax", batches=1, batch_size=60, learn_epochs=9)
    data = records(classes=3)
    assert one.parameters(one.learn(data, SEED)) == pytest.approx(full.parameters(full.learn(data, SEED)), rel=1e-12)


def _columns(classes: int) -> dict[str, Any]:
    return {"features": 5, "classes": list(range(classes))}


def test_a_batch_follows_from_the_id_alone() -> None:
    """Nothing moves when somebody leaves; some are pinned, since released models depend on them."""
    assert [batch_of(name, 5) for name in ("patient-0300", "é", "")] == [1, 3, 4]
    procedure, data = made(sigma2=1e-30), records()
    order = np.random.default_rng(0).permutation(60)
    one, other = (procedure.parameters(procedure.learn(each, SEED)) for each in (data, data.subset(order)))
    assert one == pytest.approx(other, rel=1e-9)


def test_an_overfull_batch_is_refused_and_an_empty_one_only_shrinks_the_model() -> None:
    data = records()
    sizes = np.bincount([batch_of(each, 4) for each in data.ids])
    with pytest.raises(ValueError, match=f"batch_size: expected at least {sizes.max()}, the records of batch"):
        made(batch_size=int(sizes.max()) - 1).learn(data, SEED)
    assert np.isfinite(made(batch_size=int(sizes.max())).learn(data, SEED).parameters).all()
    with pytest.raises(ValueError, match="at least one record"):
        made().learn(data.subset(np.array([], dtype=np.int64)), SEED)
    lonely = made(batches=1000, batch_size=1, learn_epochs=1, sigma2=1e-30, l2=0.5)
    assert np.abs(lonely.learn(data.subset(np.array([0])), SEED).parameters).max() < 1.5


# What the checks say.

SGD = 'loss = "logistic"\nl2 = 0.05\nsigma2 = 0.01\nbatches = 4\nbatch_size = 150\nlearn_epochs = 20\nunlearn_epochs = 5\n'
POLICY = "[policy]\nuse_gaussian_tradeoff = true\n"
CONSTANTS = {"lipschitz": 1.0, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "batch": 150, "batches": 4, "rate": 1 / 0.6}


def case_of(folder: Path, *, procedure: str = SGD, rest: str = CLAIM + POLICY, **given: Any) -> Case:
    write(folder, **given)
    text = (folder / "audit.toml").read_text(encoding="utf-8")
    table = text.index("[procedure]"), text.index("seed =")
    claims = text.index("[claims]")
    changed = text[: table[0]] + '[procedure]\nuse = "noisy-sgd"\n' + procedure + text[table[1] : claims] + rest
    (folder / "audit.toml").write_text(changed, encoding="utf-8")
    return cases.read(folder)


def renyi(case: Case, **changed: Any) -> Check:
    return judged(case, replay_of(case, **changed)).checks[0]


def test_the_check_has_the_number_of_the_rule(tmp_path: Path) -> None:
    found: Judged = judged(case_of(tmp_path, deleted=[["rec-0010"], ["rec-0011"]]))
    check, answered = found.checks
    mu = derive("noisy-gd-batches", {**CONSTANTS, "epochs": 5, "learn_epochs": 25}).outputs["mu"]
    assert check.status is answered.status is Status.PASS
    assert check.value == answered.value == gaussian_epsilon(2.0, mu)
    assert check.details["theorem"] == "batches"
    assert check.details["epsilon_dp"] is None
    names = [each["name"] for each in check.details["premises"]]
    assert "mini-batch-descent" in names
    assert "full-batch-descent" not in names
    # An epoch, not a step, goes through all records.
    assert check.details["cost"]["gradients_learning"] == 20 * 498
    assert all(rederive(each) == each for each in found.certificates)


def test_steps_noise_and_rows_are_premises_as_of_full_batches(tmp_path: Path) -> None:
    case = case_of(tmp_path)
    assert renyi(case, steps=79).status is Status.FAIL
    assert renyi(case, noise_variance=0.005).status is Status.FAIL
    assert renyi(case, noise_variance=0.0).status is Status.FAIL
    (tmp_path / "long").mkdir()
    assert renyi(case_of(tmp_path / "long", scale=1.5)).status is Status.FAIL


@pytest.mark.parametrize(
    ("changed", "rest", "said"),
    [
        ("", CLAIM, "Theorems 5.1 and 5.2 are for full batches. How to fix it: set policy.use_gaussian_tradeoff = true"),
        ("unlearn_epochs = 5>unlearn_epochs = 0", CLAIM + POLICY, "the trade-off of mini-batches gives no ε here"),
        ("batches = 4>rate = 8\nbatches = 4", CLAIM + POLICY, "no step moves two models apart"),
    ],
)
def test_without_a_bound_there_is_no_pass(tmp_path: Path, changed: str, rest: str, said: str) -> None:
    check = renyi(case_of(tmp_path, procedure=SGD.replace(*changed.split(">")) if changed else SGD, rest=rest))
    assert (check.status, check.value) == (Status.INCONCLUSIVE, None)
    assert said in check.basis


@pytest.mark.parametrize("said", [[1], [None]])
def test_requests_that_may_depend_on_a_model_have_no_bound(tmp_path: Path, said: list[int | None]) -> None:
    found = judged(case_of(tmp_path, said=said)).checks[1]
    assert (found.status, found.value) == (Status.INCONCLUSIVE, None)
    assert "nothing bounds what each model that was seen reveals about a record" in found.basis


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ('loss = "logistic">loss = "softmax"\nclip = 0.5', "clipped softmax gradients are no gradients"),
        ("batches = 4>rate = 40.0\nbatches = 4", "beyond it no step comes nearer to 0"),
        ("batches = 4>batches = 0", "expected a number of at least 1, found 0"),
        ("batch_size = 150\n>", "batch_size"),
        ("batches = 4>loss_cap = 2.0\nbatches = 4", "loss_cap"),
    ],
)
def test_tables_that_cannot_be_read(tmp_path: Path, changed: str, said: str) -> None:
    with pytest.raises(InputError) as found:
        case_of(tmp_path, procedure=SGD.replace(*changed.split(">")))
    assert said in str(found.value)


def test_in_the_swap_game_every_record_of_both_sets_is_one_that_leaves() -> None:
    """F and T are in batches of their own, so that they do not change places within one."""
    own = NoisySgd.model_validate({**LINEAR, "unlearn_epochs": 9, "order": 3.0, "use": "noisy-sgd", "seed": SEED})
    context = declared(case=case_facts(training_records=RECORDS), procedure=own)
    check, _ = judged_check(CHECK, context, *game(models(0.0), longest_row=1.0))
    (row,) = check.details["comparisons"]
    given = CONSTANTS | {"batch": 30, "size": 2 * FORGOTTEN, "epochs": 9, "learn_epochs": 7}
    assert row["rule"] == "noisy-gd-batches"
    assert row["epsilon"] == gaussian_epsilon(3.0, derive("noisy-gd-batches", given).outputs["mu"])
