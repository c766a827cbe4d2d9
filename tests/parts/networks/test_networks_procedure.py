"""The procedure `torch`: the methods of the contract, for one model and for many."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file
from torch import nn

from auditor import learning as procedures
from auditor.base.records import Dataset
from auditor.case.artifacts import read_model
from auditor.parts.networks.learning import memory
from network_examples import CLASSES, FEATURES, SHAPES, dataset, network, procedure

PRIVATE = {"noise_multiplier": 1.0, "max_grad_norm": 1.0, "delta": 1e-5}
FORGET = np.array([7, 3, 30])


def same(own, one, other):
    return np.array_equal(own.parameters(one), own.parameters(other))


@pytest.mark.parametrize("kind", SHAPES)
def test_predictions_are_probabilities_of_the_classes_in_their_order(kind):
    own, data = procedure(kind), dataset()
    said = own.predict(own.learn(data, 1), data.features)
    assert said.shape == (40, CLASSES)
    assert said.dtype == np.float64
    np.testing.assert_allclose(said.sum(axis=1), 1.0, rtol=1e-12)


def test_what_is_easy_is_learnt():
    own = procedure(epochs=30)
    features = np.random.default_rng(0).normal(size=(200, FEATURES))
    labels = np.array(["c", "a"])[(features[:, 0] > 0).astype(int)]
    data = Dataset(features, labels, np.arange(200).astype(str))
    model = own.learn(data.subset(np.arange(150)), 0)
    guessed = np.array(["a", "b", "c"])[own.predict(model, features[150:]).argmax(axis=1)]
    assert (guessed == labels[150:]).mean() > 0.85


def test_many_are_given_back_in_the_order_asked_for_whatever_their_sizes():
    own, seeds = procedure(dtype="float64"), [1, 2, 3, 4]
    datas = [dataset(rows, seed) for seed, rows in enumerate([40, 25, 40, 25])]
    models = own.learn_many(datas, seeds)
    alone = [own.learn(data, seed) for data, seed in zip(datas, seeds, strict=True)]
    for model, one in zip(models, alone, strict=True):
        np.testing.assert_allclose(own.parameters(model), own.parameters(one), rtol=1e-5)
    features = [data.features[: 5 + k] for k, data in enumerate(datas)]
    for said, model, rows in zip(own.predict_many(models, features), alone, features, strict=True):
        np.testing.assert_allclose(said, own.predict(model, rows), rtol=1e-5)
    forgets = [FORGET % len(data) for data in datas]
    after = procedure(dtype="float64", unlearn_by="fine-tune")
    for model, one, data, forget, seed in zip(
        after.unlearn_many(models, datas, forgets, seeds), alone, datas, forgets, seeds, strict=True
    ):
        np.testing.assert_allclose(after.parameters(model), after.parameters(after.unlearn(one, data, forget, seed)), rtol=1e-5)


def test_nothing_asked_for_is_nothing_given():
    own = procedure()
    assert own.learn_many([], []) == own.unlearn_many([], [], [], []) == own.predict_many([], []) == []


def test_retraining_is_learning_on_what_remains():
    own, data = procedure(), dataset()
    before = own.learn(data, 1)
    after = own.unlearn(before, data, FORGET, 2)
    assert same(own, after, own.learn(data.subset(np.setdiff1d(np.arange(40), FORGET)), 2))
    assert own.facts(after) == {"retrained": True}


def test_retraining_reads_nothing_of_what_it_forgets():
    own, data = procedure(), dataset()
    features = data.features.copy()
    features[FORGET] = np.nan
    before = own.learn(data, 1)
    assert same(own, own.unlearn(before, data, FORGET, 2), own.unlearn(before, replace(data, features=features), FORGET, 2))


def test_doing_nothing_gives_the_same_parameters_in_a_model_of_its_own():
    own, data = procedure(unlearn_by="none"), dataset()
    before = own.learn(data, 1)
    after = own.unlearn(before, data, FORGET, 2)
    assert same(own, before, after)
    assert after is not before
    assert after.parameters["layers.0.weight"].data_ptr() != before.parameters["layers.0.weight"].data_ptr()
    assert own.facts(after) == {"retrained": False}


def test_the_positions_to_forget_may_come_in_any_order():
    own, data = procedure(unlearn_by="neg-grad"), dataset()
    before = own.learn(data, 1)
    assert same(own, own.unlearn(before, data, FORGET, 2), own.unlearn(before, data, FORGET[::-1], 2))


def test_a_refit_starts_from_the_model():
    own, data = procedure(epochs=1, rate=1e-6), dataset()
    before = own.learn(data, 1)
    again = own.refit(before, data, 2)
    np.testing.assert_allclose(own.parameters(again), own.parameters(before), atol=1e-4)
    assert not same(own, again, before)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_model_file_holds_the_parameters_and_is_what_the_case_reads(tmp_path, dtype):
    own, data = procedure(dtype=dtype), dataset()
    model = own.learn(data, 1)
    path = tmp_path / "model.safetensors"
    own.save(model, str(path))
    assert np.array_equal(read_model(path), own.parameters(model))
    np.savez(tmp_path / "model.npz", parameters=own.parameters(model))
    assert same(own, own.load(str(tmp_path / "model.npz")), model)
    loaded = own.load(str(path))
    assert same(own, loaded, model)
    assert np.array_equal(own.predict(loaded, data.features), own.predict(model, data.features))
    assert own.state(loaded) == own.state(model)
    assert own.parameters(model).shape == (network().size,)


def test_a_model_file_of_another_network_is_refused(tmp_path):
    own = procedure()
    save_file({"parameters": np.zeros(network().size + 1)}, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match="expected shape"):
        own.load(str(tmp_path / "model.safetensors"))


def test_a_model_can_be_copied_whole():
    own, data = procedure(), dataset()
    model = own.learn(data, 1)
    assert same(own, copy.deepcopy(model), model)


@pytest.mark.parametrize("unlearn_by", ["retrain", "none", "fine-tune"])
def test_what_private_training_spent_is_told_as_long_as_it_holds(unlearn_by):
    own, data = procedure(dp=PRIVATE, unlearn_by=unlearn_by), dataset()
    before = own.learn(data, 1)
    facts = own.facts(before)
    assert facts["dp_steps"] == 2 * 5
    assert facts["dp_sample_rate"] == 8 / 40
    assert (facts["dp_noise_multiplier"], facts["dp_delta"]) == (1.0, 1e-5)
    after = own.facts(own.unlearn(before, data, FORGET, 2))
    assert (after == dict(facts) | {"retrained": False}) == (unlearn_by == "none")
    assert ("dp_steps" in after) == (unlearn_by != "fine-tune")
    if unlearn_by == "retrain":
        assert after["dp_sample_rate"] == 8 / 37
    assert "dp_steps" not in own.facts(own.refit(before, data, 3))


def test_a_class_of_someone_elses_is_trained_like_a_network_of_ours():
    class Own(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.first, self.last = nn.Linear(FEATURES, width), nn.Linear(width, CLASSES)

        def forward(self, rows):
            return self.last(torch.tanh(self.first(rows)))

    own, data = procedure(model=None, module=Own, params={"width": 4}), dataset()
    assert own.predict(own.learn(data, 1), data.features).shape == (40, CLASSES)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"model": "vgg"}, ValueError, "model: expected one of mlp, small-cnn, resnet20, found 'vgg'"),
        ({"model": None}, ValueError, "expected either the name of a built-in network or a class"),
        ({"module": nn.Linear}, ValueError, "expected either the name of a built-in network or a class"),
        ({"model": None, "module": dict}, TypeError, "expected a class of torch.nn.Module, found dict"),
        ({"dtype": "bfloat16"}, ValueError, "dtype: expected one of float32, float64, found 'bfloat16'"),
        ({"unlearn_by": "hope"}, ValueError, "unlearn: expected one of .*, found 'hope'"),
    ],
)
def test_settings_that_make_no_procedure_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        procedures.build(
            "torch", {"features": 4, "classes": [0, 1], "epochs": 1, "batch": 2, "rate": 0.1, "model": "mlp", **settings}
        )


def test_a_stack_is_as_large_as_memory_allows_and_never_empty(monkeypatch):
    net = network()
    each = memory.model_bytes(net, records=40, rows=8)
    monkeypatch.setattr(memory, "budget", lambda _device: 3.5 * each)
    assert list(memory.chunks(net, 7, records=40, rows=8)) == [slice(0, 3), slice(3, 6), slice(6, 7)]
    monkeypatch.setattr(memory, "budget", lambda _device: 0.1 * each)
    assert list(memory.chunks(net, 2, records=40, rows=8)) == [slice(0, 1), slice(1, 2)]
    assert list(memory.chunks(net, 0, records=40, rows=8)) == []


def test_the_budget_does_not_depend_on_what_is_free():
    assert memory.budget(torch.device("cpu")) == memory.budget(torch.device("cpu")) <= 1 << 30


def test_the_budget_is_a_share_for_each_processor_that_may_be_used(monkeypatch):
    monkeypatch.setattr(memory.os, "sysconf", lambda name: {"SC_PHYS_PAGES": 1 << 20, "SC_PAGE_SIZE": 4096}[name])
    budgets = []
    for number in (1, 2, 4):
        monkeypatch.setattr(memory.processors, "count", lambda number=number: number)
        budgets.append(memory.budget(torch.device("cpu")))
    assert budgets == [1 << 30, 1 << 29, 1 << 28]


@pytest.mark.parametrize("fit", [1, 2, 5])
def test_how_many_fit_into_memory_moves_results_by_rounding_alone(monkeypatch, fit):
    own, seeds = procedure(dtype="float64", unlearn_by="neg-grad"), list(range(5))
    datas = [dataset(20, seed) for seed in seeds]

    def everything():
        models = own.learn_many(datas, seeds)
        after = own.unlearn_many(models, datas, [FORGET[:2]] * 5, seeds)
        return np.stack([own.parameters(model) for model in (*models, *after)])

    expected = everything()
    monkeypatch.setattr(memory, "chunks", lambda _net, models, **_: [slice(k, k + fit) for k in range(0, models, fit)])
    np.testing.assert_allclose(everything(), expected, rtol=1e-5)
