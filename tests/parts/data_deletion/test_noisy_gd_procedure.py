"""The procedure `noisy-gd`: what it is asked for, what it says of itself, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.base.records import Dataset
from auditor.learning import build
from auditor.learning.noisy_gd.descent import Descent
from auditor.parts.data_deletion.learning.procedure import edited
from auditor.sandbox import Learn, Parameters, Predict, ProcedureSpec, Save, State, Unlearn, Worker
from levels import forking
from small_cases import problem

LINEAR: dict[str, Any] = {"loss": "logistic", "l2": 0.05, "sigma2": 0.01, "learn_steps": 30, "unlearn_steps": 8}
SEED = 2**130 + 7
FORGET = np.array([3, 11])


def records(classes: int = 2, *, scale: float = 1.0) -> Dataset:
    features, _ = problem(60, 5)
    labels = np.arange(60) % classes
    return Dataset(scale * features, labels, np.array([f"r{number}" for number in range(60)]))


def made(classes: int = 2, **settings: Any) -> Any:
    return build("noisy-gd", {**LINEAR, "features": 5, "classes": list(range(classes)), **settings})


def test_facts_are_those_of_the_last_update_alone() -> None:
    procedure, data = made(), records()
    model = procedure.learn(data, SEED)
    after = procedure.unlearn(model, data, FORGET, SEED + 1)
    for found, steps in ((model, 30), (after, 8)):
        facts = procedure.facts(found)
        assert facts.keys() == {"retrained", "steps", "noise_count", "noise_variance", "largest_row_norm"}
        assert (facts["retrained"], facts["steps"], facts["noise_count"]) == (False, steps, 5 * steps)
        assert facts["largest_row_norm"] == pytest.approx(1.0, abs=1e-12)
    assert procedure.facts(procedure.unlearn(model, data, FORGET, SEED + 2)) != procedure.facts(after)


def test_noise_that_was_recovered_has_the_declared_variance() -> None:
    facts = made(learn_steps=4000).facts(made(learn_steps=4000).learn(records(), SEED))
    assert facts["noise_variance"] == pytest.approx(0.01, rel=5 * np.sqrt(2 / facts["noise_count"]))


def test_no_steps_leave_the_model_as_it_was() -> None:
    procedure, data = made(unlearn_steps=0), records()
    model = procedure.learn(data, SEED)
    after = procedure.unlearn(model, data, FORGET, SEED + 1)
    assert np.array_equal(procedure.parameters(after), procedure.parameters(model))
    assert (procedure.facts(after)["noise_count"], procedure.facts(after)["noise_variance"]) == (0, 0.0)


@pytest.mark.parametrize(
    ("settings", "variance"),
    [
        ({}, 0.01 / (0.05 * (1 - 0.05 / (2 * (0.05 + 0.25)) / 2))),
        ({"loss": "softmax"}, 0.01 / (0.05 * (1 - 0.05 / (2 * (0.05 + 0.5)) / 2))),
        ({"clip": 0.3}, 0.01 / (0.05 * (1 - 0.05 / (2 * (0.05 + 0.25)) / 2))),
        ({"rate": 0.5}, 0.01 / (0.05 * (1 - 0.5 * 0.05 / 2))),
        ({"rate": 0.5, "loss_cap": 2.0}, 0.01 / 0.05),
        ({"loss": None, "model": "mlp", "rate": 0.5}, 0.01 / 0.05),
        ({"loss": None, "model": "mlp", "params": {"hidden": []}, "rate": 0.5, "convex": True}, 0.01 / (0.05 * (1 - 0.0125))),
    ],
)
def test_the_start_is_that_of_the_theorem_that_is_meant(settings: dict[str, Any], variance: float) -> None:
    procedure = made(learn_steps=0, **settings)
    assert procedure.descent.start_variance == pytest.approx(variance, rel=1e-12)
    drawn = np.concatenate(
        [procedure.parameters(procedure.learn(records(), seed)) for seed in range(1000 // procedure.model.size)]
    )
    assert np.mean(drawn**2) == pytest.approx(variance, rel=5 * np.sqrt(2 / len(drawn)))


@pytest.mark.parametrize("settings", [{}, {"loss": "softmax"}, {"loss": "softmax", "clip": 0.2}])
def test_the_same_seed_gives_the_same_bits_and_another_seed_others(settings: dict[str, Any]) -> None:
    procedure, data = made(**settings), records()
    first, again, other = (procedure.parameters(procedure.learn(data, seed)) for seed in (SEED, SEED, SEED + 2**100))
    assert first.tobytes() == again.tobytes()
    assert not np.any(first == other)  # a seed counts beyond its first 64 bits
    model = procedure.learn(data, SEED)
    one, two = (procedure.parameters(procedure.unlearn(model, data, FORGET, seed)) for seed in (1, 2))
    assert not np.any(one == two)


def test_the_parameters_are_all_that_an_update_goes_on_from(tmp_path: Path) -> None:
    procedure, data = made(), records()
    model = procedure.learn(data, SEED)
    for seed in (4, 5):  # what came before must not matter
        procedure.unlearn(model, data, FORGET, seed)
    expected = procedure.unlearn(model, data, FORGET, 6)
    fresh = made()
    procedure.save(model, str(tmp_path / "model.npz"))
    found = fresh.unlearn(fresh.load(str(tmp_path / "model.npz")), data, FORGET, 6)
    assert procedure.state(found) == procedure.state(expected) == procedure.parameters(expected).tobytes()
    with np.load(tmp_path / "model.npz") as file:
        assert file.files == ["parameters"]
    np.savez(tmp_path / "wrong.npz", parameters=np.zeros(4))
    with pytest.raises(ValueError, match=r"expected shape \(5,\), found \(4,\)"):
        fresh.load(str(tmp_path / "wrong.npz"))


def test_softmax_parameters_are_the_rows_of_its_matrix() -> None:
    procedure = made(3, loss="softmax", learn_steps=0)
    model = procedure.learn(records(3), SEED)
    matrix = procedure.parameters(model).reshape(3, 5)
    logits = records(3).features @ matrix.T
    expected = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert procedure.predict(model, records(3).features) == pytest.approx(expected, abs=1e-14)


def test_the_smaller_label_is_the_negative_one() -> None:
    procedure = build("noisy-gd", {**LINEAR, "features": 5, "classes": ["no", "yes"], "sigma2": 1e-12, "learn_steps": 500})
    data = records()
    words = Dataset(data.features, np.where(data.features[:, 0] > 0, "yes", "no"), data.ids)
    model = procedure.learn(words, SEED)
    assert procedure.parameters(model)[0] > 0
    found = procedure.predict(model, np.eye(5)[:1])
    assert found.sum() == pytest.approx(1)
    assert found[0, 1] > 0.5 > found[0, 0]


def test_long_rows_are_scaled_in_learning_and_predicting_or_left_and_reported() -> None:
    long, short = records(scale=3.0), records(scale=3.0)
    short = Dataset(short.features / np.maximum(1, np.linalg.norm(short.features, axis=1))[:, None], short.labels, short.ids)
    scaling, plain = made(row_norms="scale"), made()
    model = scaling.learn(long, SEED)
    assert np.allclose(scaling.parameters(model), plain.parameters(plain.learn(short, SEED)), rtol=0, atol=1e-14)
    assert scaling.facts(model)["largest_row_norm"] <= 1 + 1e-12
    assert np.allclose(scaling.predict(model, long.features), plain.predict(model, short.features))
    assert plain.facts(plain.learn(long, SEED))["largest_row_norm"] == pytest.approx(3, rel=1e-12)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"classes": 3}, "expected 2 for the logistic loss, found 3"),
        ({"l2": 0.0}, "l2: expected a number greater than 0"),
        ({"rate": 40.0}, "rate: expected less than 2/l2, which is 40, found 40"),
        ({"clip": 1.0, "loss_cap": 1.0, "rate": 0.1}, "a clip or a cap, found both"),
        ({"loss": None, "model": "mlp"}, 'found "theorem"'),
    ],
)
def test_settings_that_are_none(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        made(**settings)


def test_data_that_cannot_be_learned_from() -> None:
    procedure, data = made(), records()
    with pytest.raises(ValueError, match="at least one record"):
        procedure.unlearn(procedure.learn(data, 1), data, np.arange(60), 2)
    with pytest.raises(ValueError, match="labels: expected those of the training data, found 2 too"):
        procedure.learn(records(3), 1)
    with pytest.raises(ArithmeticError, match="declare a smaller rate"):
        made(learn_steps=3000, l2=1e-9, rate=1e5, sigma2=1e300).learn(records(scale=1e6), 1)


def test_edits_that_do_not_fit() -> None:
    data = records()
    for positions, features, labels, said in (
        ([60], np.zeros((1, 5)), [0], "distinct ones among 60"),
        ([1, 1], np.zeros((2, 5)), [0, 0], "distinct ones among 60"),
        ([1], np.zeros((1, 4)), [0], "1 rows of 5 features"),
        ([1], np.zeros((1, 5)), [0, 1], "1 rows of 5 features"),
    ):
        with pytest.raises(ValueError, match=said):
            edited(data, np.array(positions), features, np.array(labels))
    words = edited(
        Dataset(data.features, data.labels.astype(str), data.ids), np.array([1]), np.zeros((1, 5)), np.array(["longer"])
    )
    assert words.labels[1] == "longer"


@pytest.mark.parametrize("name", ["l2", "sigma2", "rate"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_a_descent_needs_numbers_above_zero(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{name}: expected a number greater than 0"):
        Descent(**{"l2": 0.1, "sigma2": 0.1, "rate": 0.1, name: value})


def test_the_sandbox_gets_the_same_bits() -> None:
    data = records()
    settings = {**LINEAR, "features": 5, "classes": [0, 1]}
    everything = np.arange(60)
    with Worker(ProcedureSpec("noisy-gd", None, settings), {"train": data}, level=forking()) as worker:
        learned = worker.run(Learn("a", everything, SEED))
        worker.run(Unlearn("a", "b", everything, FORGET, SEED + 1))
        parameters, state = worker.run(Parameters("b")).array, worker.run(State("b")).content
        predicted, saved = worker.run(Predict("b", "train", 2)).array, worker.run(Save("b")).content
    procedure = made()
    after = procedure.unlearn(procedure.learn(data, SEED), data, FORGET, SEED + 1)
    assert learned.facts == procedure.facts(procedure.learn(data, SEED))
    assert parameters is not None
    assert parameters.tobytes() == state == procedure.state(after)
    assert predicted is not None
    assert np.array_equal(predicted, procedure.predict(after, data.features))
    assert saved is not None
    assert saved.startswith(b"PK")


NETWORK = """
import torch


class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(5, width), torch.nn.Tanh(), torch.nn.Linear(width, 2))

    def forward(self, rows):
        return self.layers(rows)
"""


@pytest.mark.slow
def test_a_controllers_own_network_runs_in_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NETWORK, encoding="utf-8")
    settings = {**LINEAR, "loss": None, "params": {"width": 3}, "rate": 0.1, "clip": 0.5, "features": 5, "classes": [0, 1]}
    everything = np.arange(60)
    with Worker(
        ProcedureSpec("noisy-gd", f"{tmp_path / 'net.py'}:Net", settings), {"train": records()}, level=forking()
    ) as worker:
        learned = worker.run(Learn("a", everything, SEED))
        unlearned = worker.run(Unlearn("a", "b", everything, FORGET, SEED + 1))
        parameters, state = worker.run(Parameters("b")).array, worker.run(State("b")).content
    assert (learned.facts["steps"], unlearned.facts["steps"]) == (30, 8)
    assert unlearned.facts["noise_count"] == 8 * (5 * 3 + 3 + 3 * 2 + 2)
    assert learned.facts["largest_gradient_norm"] > 0
    assert parameters is not None
    assert parameters.tobytes() == state
