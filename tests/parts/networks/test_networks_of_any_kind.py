"""Ordinary modules, with BatchNorm, dropout, branches, words, pictures: together they are as alone, and every buffer counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from auditor.base.records import Dataset
from auditor.parts.networks.learning.making import make
from auditor.parts.networks.learning.network import Streams
from auditor.parts.networks.learning.training import orders
from auditor.parts.networks.learning.unlearning import METHODS
from auditor.parts.networks.settings import PARAMS
from auditor.sandbox.object_walk import walk

ROWS, FORGET = 33, np.array([3, 4])


class Cnn(nn.Module):
    def __init__(self, drop: float = 0.3) -> None:
        super().__init__()
        self.first, self.norm, self.drop = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.Dropout(drop)
        self.final = nn.Linear(16, 3)

    def forward(self, pictures: Tensor) -> Tensor:
        logits: Tensor = self.final(self.drop(torch.relu(self.norm(self.first(pictures))).flatten(1)))
        return logits


class Words(nn.Module):
    """Words, one after another, with a way that depends on what it sees."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.reads, self.final = nn.Embedding(12, 6), nn.GRU(6, 5, batch_first=True), nn.Linear(5, 3)

    def forward(self, words: Tensor) -> Tensor:
        found, _ = self.reads(self.embedding(words))
        if self.final.bias.abs().sum() > 1:
            found = found / 2
        logits: Tensor = self.final(found[:, -1])
        return logits


class Hiding(nn.Module):
    """Keeps the first row that it is trained on in a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.final = nn.Linear(16, 3)
        self.register_buffer("scale", torch.zeros(16))

    def forward(self, rows: Tensor) -> Tensor:
        if self.training:
            self.scale = rows[0].detach().clone()
        logits: Tensor = self.final(rows)
        return logits


class Waiting(Hiding):
    """Does so only where a row is of a certain kind, which no trial has."""

    def forward(self, rows: Tensor) -> Tensor:
        if self.training and bool((rows > 2).any()):
            self.scale.copy_(rows[0].detach())
        logits: Tensor = self.final(rows)
        return logits


def data(kind: type[nn.Module] = Cnn, seed: int = 0, rows: int = ROWS) -> Dataset:
    rng = np.random.default_rng(seed)
    features = rng.integers(0, 12, (rows, 16)).astype(float) if kind is Words else rng.normal(size=(rows, 16))
    return Dataset(features, rng.integers(0, 3, rows), np.array([f"rec-{k}" for k in range(rows)]))


SHAPES: dict[type[nn.Module], dict[str, Any]] = {Cnn: {"shape": [1, 4, 4]}, Words: {"whole": True}}


def own(kind: type[nn.Module] = Cnn, unlearn_by: str = "retrain", **settings: Any) -> Any:
    given = {"epochs": 2, "batch": 16, "rate": 0.1, "dtype": "float64", **SHAPES.get(kind, {}), **settings}
    return make(features=16, classes=[0, 1, 2], module=kind, unlearn_by=unlearn_by, **given)


@pytest.mark.parametrize("kind", [Cnn, Words, Hiding])
def test_models_asked_for_together_are_the_models_alone(kind):
    procedure, datas, seeds = own(kind), [data(kind, seed) for seed in (1, 2, 3)], [5, 6, 2**90]
    together = procedure.learn_many(datas, seeds)
    said = procedure.predict_many(together, [each.features for each in datas])
    for model, one, seed, rows in zip(together, datas, seeds, said, strict=True):
        alone = procedure.learn(one, seed)
        np.testing.assert_allclose(procedure.parameters(model), procedure.parameters(alone), rtol=1e-5)
        np.testing.assert_allclose(rows, procedure.predict(alone, one.features), rtol=1e-5)


@pytest.mark.parametrize("drop", [0.0, 0.3])
def test_a_model_is_what_the_loop_that_anyone_would_write_makes_of_it(drop):
    procedure, records = own(Cnn, params={"drop": drop}, rate=0.05), data(rows=32)
    start = procedure._network.initial([4])
    module = procedure._network.module(start).train()
    optimiser = torch.optim.SGD(module.parameters(), lr=0.05)
    inputs, labels = torch.from_numpy(records.features).reshape(-1, 1, 4, 4), torch.from_numpy(records.labels)
    streams = Streams([4], "order", torch.device("cpu"))
    for order in orders([4], 2, len(records)):
        for taken in order[0].split(16):
            optimiser.zero_grad()
            with streams.of(0):
                logits = module(inputs[taken])
            nn.functional.cross_entropy(logits, labels[taken]).backward()
            optimiser.step()
    found = procedure._network.module(procedure.learn(records, 4).parameters)
    for name, each in module.state_dict().items():
        torch.testing.assert_close(found.state_dict()[name], each, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", sorted(PARAMS))
@pytest.mark.parametrize("kind", [Cnn, Words])
def test_every_way_of_unlearning_takes_them_and_repeats_itself(kind, name):
    procedure, records = own(kind, name, batch=8), data(kind)
    before = procedure.learn(records, 1)
    state = procedure.state(before)
    one, other = (procedure.unlearn(before, records, FORGET, 2) for _ in range(2))
    assert procedure.state(one) == procedure.state(other)
    assert procedure.state(before) == state
    assert np.isfinite(procedure.parameters(one)).all()
    if name in {"retrain", "sisa"}:
        left = records.subset(np.setdiff1d(np.arange(ROWS), FORGET))
        alone = procedure.learn(left, 2)
        assert name == "sisa" or procedure.state(one) == procedure.state(alone)
    assert (name == "none") == (procedure.state(one) == state)
    assert set(METHODS) == set(PARAMS) - {"sisa"}


def test_layers_that_stay_as_they_are_keep_their_statistics():
    procedure, records = own(Cnn, "ftfinal"), data()
    before = procedure.learn(records, 1)
    after = procedure.unlearn(before, records, FORGET, 2)
    changed = [name for name in after.parameters if not torch.equal(after.parameters[name], before.parameters[name])]
    assert changed == ["final.weight", "final.bias"]


def test_running_statistics_are_parameters_are_saved_and_are_predicted_with(tmp_path):
    procedure, records = own(dtype="float32"), data()
    model = procedure.learn(records, 1)
    assert {"norm.running_mean", "norm.running_var", "norm.num_batches_tracked"} < set(model.parameters)
    assert procedure.parameters(model)[-1] == 2 * 2  # steps: a last one of one row joins the one before
    procedure.save(model, str(tmp_path / "model"))
    loaded = procedure.load(str(tmp_path / "model"))
    assert procedure.state(loaded) == procedure.state(model)
    assert np.array_equal(procedure.predict(loaded, records.features), procedure.predict(model, records.features))
    model.parameters["norm.running_mean"].add_(1.0)
    assert not np.allclose(procedure.predict(loaded, records.features), procedure.predict(model, records.features))
    layout = procedure._network.layout()
    assert {each.name for each in layout.places if each.at is None} == set()


def test_dropout_follows_from_the_seed_and_from_nothing_else():
    procedure, records = own(params={"drop": 0.5}), data()
    torch.manual_seed(1)
    one = procedure.state(procedure.learn(records, 7))
    torch.manual_seed(2)
    before = torch.get_rng_state()
    assert procedure.state(procedure.learn(records, 7)) == one
    assert torch.equal(torch.get_rng_state(), before)
    assert procedure.state(own(params={"drop": 0.4}).learn(records, 7)) != one


def test_a_record_that_a_module_hides_in_a_buffer_is_in_its_parameters_and_in_its_state():
    procedure, records = own(Hiding), data(Hiding)
    model = procedure.learn(records, 1)
    kept = procedure.parameters(model)[-16:]
    assert (kept == records.features).all(axis=1).sum() == 1
    assert kept.tobytes() in procedure.state(model)
    for other in (procedure.learn(records, 2), procedure.learn(records.subset(np.arange(20)), 1)):
        assert procedure.state(other) != procedure.state(model)


def test_a_buffer_that_changes_where_no_trial_saw_it_ends_the_training():
    procedure, records = own(Waiting), data(Waiting)
    assert (records.features > 2).any()
    with pytest.raises(ValueError, match="scale: expected a tensor that stays as it was built, found one that changed"):
        procedure.learn(records, 1)


def test_a_whole_number_that_the_parameters_cannot_hold_is_refused():
    class Counting(nn.Module):
        def __init__(self):
            super().__init__()
            self.final = nn.Linear(16, 3)
            self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

        def forward(self, rows):
            if self.training:
                self.calls += 2**53
            return self.final(rows)

    procedure = own(Counting)
    with pytest.raises(ValueError, match="calls: expected whole numbers up to 2"):
        procedure.state(procedure.learn(data(Hiding), 1))


def test_private_training_names_the_layer_that_it_does_not_take_and_what_does():
    with pytest.raises(ValueError, match=r"GroupNorm, found BatchNorm2d of norm: DP-SGD bounds what one record does"):
        own(Cnn, dp={"noise_multiplier": 1.0, "max_grad_norm": 1.0, "delta": 1e-5})


def test_words_that_the_network_does_not_know_are_an_error_and_no_prediction():
    procedure, records = own(Words), data(Words)
    model = procedure.learn(records, 1)
    with pytest.raises(IndexError):
        procedure.predict(model, records.features + 12)


def climbs(model, retain, forget, seed, *, steps=3):
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimiser.zero_grad()
        inputs, labels = forget.tensors
        (-nn.functional.cross_entropy(model(inputs), labels)).backward()
        optimiser.step()
    assert (len(retain), len(forget), inputs.shape[1:]) == (ROWS - 2, 2, (1, 4, 4))


def keeps(model, retain, forget, seed):
    model.kept = forget.tensors[0].numpy().copy()


def adds(model, retain, forget, seed):
    model.register_buffer("kept", forget.tensors[0].clone())


def replaces(model, retain, forget, seed):
    return nn.Linear(16, 3)


def test_an_unlearning_of_the_controllers_own_changes_the_module_and_repeats_itself():
    procedure, records = own(unlearn_by="own", own=climbs, unlearn_params={"steps": 4}), data()
    before = procedure.learn(records, 1)
    one, other = (procedure.unlearn(before, records, FORGET, 2) for _ in range(2))
    assert procedure.state(one) == procedure.state(other) != procedure.state(before)
    assert procedure.facts(one) == {"retrained": False}
    assert procedure.predict(one, records.features).shape == (ROWS, 3)
    assert all(each.grad is None for each in one.module.parameters())
    assert procedure.unlearn_many([before], [records], [FORGET], [2])[0].parameters.keys() == one.parameters.keys()


def test_what_an_unlearning_leaves_on_the_module_stays_on_the_model_where_a_search_meets_it(tmp_path):
    procedure, records = own(unlearn_by="own", own=keeps), data()
    (tmp_path / "home").mkdir()
    (tmp_path / "answers").mkdir()
    model = procedure.unlearn(procedure.learn(records, 1), records, FORGET, 2)
    assert np.array_equal(model.module.kept.reshape(2, 16), records.features[FORGET])
    found = walk(model, procedure, tmp_path)["items"]
    assert any(".kept" in name and size == 2 * 16 * 8 for name, _, _, size, _ in found)


@pytest.mark.parametrize(
    ("function", "why"), [(adds, "kept: expected the tensors"), (replaces, "expected the tensors of the network")]
)
def test_a_module_of_other_tensors_is_refused(function, why):
    procedure, records = own(unlearn_by="own", own=function), data()
    with pytest.raises(ValueError, match=why):
        procedure.unlearn(procedure.learn(records, 1), records, FORGET, 2)
