"""A stack is its models, one by one: whatever they are trained beside, and whatever random numbers others draw."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.learning.determinism import deterministic
from auditor.parts.networks.learning.network import join, part
from auditor.parts.networks.learning.training import Recipe, descend
from network_examples import SHAPES, dataset, network, procedure, records

seeds = st.integers(0, 2**70)
recipes = st.builds(
    Recipe,
    epochs=st.integers(1, 3),
    batch=st.integers(1, 9),
    optimizer=st.sampled_from(["sgd", "adam"]),
    rate=st.sampled_from([0.003, 0.03]),
    momentum=st.sampled_from([0.0, 0.9]),
    weight_decay=st.sampled_from([0.0, 1e-2]),
    schedule=st.sampled_from(["constant", "cosine", "step"]),
)


def trained(net, inputs, labels, recipe, own):
    with deterministic():
        return net.flatten(descend(net, net.initial(own), inputs, labels, recipe, own))


@pytest.mark.parametrize(("kind", "most"), [("mlp", 20), ("small-cnn", 8), ("resnet20", 2)])
def test_many_at_once_are_the_same_models_one_by_one(kind, most):
    net = network(kind)

    @settings(max_examples=most)
    @given(recipe=recipes, own=st.lists(seeds, min_size=1, max_size=4), rows=st.integers(1, 12))
    def law(recipe, own, rows):
        inputs, labels = records(len(own), rows)
        together = trained(net, inputs, labels, recipe, own)
        for k, seed in enumerate(own):
            alone = trained(net, inputs[k : k + 1], labels[k : k + 1], recipe, [seed])
            assert float((together[k] - alone[0]).norm()) <= 1e-5 * float(alone.norm())

    law()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@settings(max_examples=10)
@given(recipe=recipes, order=st.permutations(range(4)))
def test_the_neighbours_in_a_stack_and_their_order_do_not_matter(dtype, recipe, order):
    net = network("mlp", dtype=dtype)
    own = [11, 22, 33, 44]
    inputs, labels = records(4, 10, dtype=dtype)
    found = trained(net, inputs, labels, recipe, own)
    moved = trained(net, inputs[order], labels[order], recipe, [own[k] for k in order])
    assert torch.equal(moved, found[order])


@settings(max_examples=30)
@given(own=st.lists(seeds, min_size=2, max_size=5, unique=True))
def test_a_models_start_follows_from_its_seed_alone_and_another_seed_gives_another(own):
    net = network()
    together = net.flatten(net.initial(own))
    assert torch.equal(together, torch.cat([net.flatten(net.initial([seed])) for seed in own]))
    assert len({tuple(row.tolist()) for row in together}) == len(own)


@settings(max_examples=20)
@given(counts=st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_stacks_come_apart_as_they_were_joined(counts):
    net = network("small-cnn")
    stacks = [net.initial(range(10 * k, 10 * k + count)) for k, count in enumerate(counts)]
    whole, at = join(stacks), 0
    for stack, count in zip(stacks, counts, strict=True):
        piece = part(whole, slice(at, at + count))
        assert all(torch.equal(piece[name], stack[name]) for name in stack)
        at += count


def poison(value):
    random.seed(value)
    np.random.seed(value)  # noqa: NPY002  (the global generator is what this is about)
    torch.manual_seed(value)


def states():
    return random.getstate(), tuple(map(str, np.random.get_state())), torch.get_rng_state().tolist()  # noqa: NPY002


PRIVATE = {"noise_multiplier": 1.0, "max_grad_norm": 1.0, "delta": 1e-5}


@pytest.mark.parametrize(("kind", "dp"), [*((kind, None) for kind in SHAPES), ("mlp", PRIVATE), ("small-cnn", PRIVATE)])
def test_the_same_seed_gives_the_same_bytes_and_nobody_elses_generator_plays_a_part(kind, dp):
    def everything():
        own, data = procedure(kind, unlearn_by="fine-tune", dp=dp, epochs=1), dataset(20)
        model = own.learn(data, 5)
        after = own.unlearn(model, data, np.array([1, 4]), 6)
        return own.state(model), own.state(after), own.predict(after, data.features).tobytes()

    found = []
    for value in (1, 2):
        poison(value)
        before = states()
        found.append(everything())
        assert states() == before
    assert found[0] == found[1]


def test_the_switches_of_determinism_are_put_back():
    before = (torch.get_deterministic_debug_mode(), torch.utils.deterministic.fill_uninitialized_memory)
    with deterministic():
        assert torch.are_deterministic_algorithms_enabled()
        assert not torch.backends.cudnn.allow_tf32
    assert (torch.get_deterministic_debug_mode(), torch.utils.deterministic.fill_uninitialized_memory) == before
