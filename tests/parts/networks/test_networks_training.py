"""What a stack is trained to is what the loop with `torch.optim` trains each of its models to."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from auditor.parts.networks.learning.network import part, size
from auditor.parts.networks.learning.training import Batch, Recipe, descend, mean_cross_entropy, orders, require_finite, taken
from network_examples import SHAPES, network, one_by_one, records

PLAIN = Recipe(epochs=3, batch=8, optimizer="sgd", rate=0.1)
RECIPES = {
    "plain": PLAIN,
    "momentum": replace(PLAIN, momentum=0.9, weight_decay=1e-2),
    "adam": replace(PLAIN, optimizer="adam", rate=1e-2),
    "adam with decay": replace(PLAIN, optimizer="adam", rate=1e-2, weight_decay=1e-2),
    "cosine": replace(PLAIN, momentum=0.5, schedule="cosine", epochs=5),
    "step": replace(PLAIN, momentum=0.5, schedule="step", epochs=5),
}


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("rows", [24, 19, 5])
def test_each_model_is_trained_as_the_loop_with_torch_optim_trains_it(name, rows):
    net, seeds = network("mlp"), [3, 14, 15]
    start = net.initial(seeds)
    inputs, labels = records(3, rows)
    found = net.flatten(descend(net, start, inputs, labels, RECIPES[name], seeds))
    for k, seed in enumerate(seeds):
        module = one_by_one(net.module(part(start, slice(k, k + 1))), inputs[k], labels[k], RECIPES[name], seed)
        expected = torch.cat([each.detach().flatten() for each in module.parameters()])
        torch.testing.assert_close(found[k], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", SHAPES)
def test_the_gradients_of_a_stack_are_each_modules_own(kind):
    net, seeds = network(kind), [1, 2]
    start = net.initial(seeds)
    inputs, labels = records(2, 6)
    leaves = {name: each.requires_grad_() for name, each in start.items()}
    total = mean_cross_entropy(net, leaves, Batch(torch.arange(6).expand(2, 6), inputs, labels)).sum()
    gradients = net.flatten(dict(zip(leaves, torch.autograd.grad(total, list(leaves.values())), strict=True)))
    for k in range(2):
        module = net.module({name: each.detach()[k : k + 1] for name, each in start.items()})
        torch.nn.functional.cross_entropy(module(inputs[k]), labels[k]).backward()
        expected = torch.cat([each.grad.flatten() for each in module.parameters()])
        torch.testing.assert_close(gradients[k], expected, rtol=1e-9, atol=1e-12)


def test_the_rates_of_a_step_schedule_fall_to_a_tenth_at_half_and_at_three_quarters():
    recipe = replace(PLAIN, epochs=8, rate=1.0, schedule="step")
    assert [recipe.rate_in(epoch) for epoch in range(8)] == pytest.approx([1, 1, 1, 1, 0.1, 0.1, 0.01, 0.01])


def test_every_epoch_takes_every_row_once_in_an_order_of_the_models_own():
    epochs = list(orders([5, 6], 3, 20))
    assert all(torch.equal(epoch.sort(dim=1).values, torch.arange(20).expand(2, 20)) for epoch in epochs)
    rows = [tuple(row.tolist()) for epoch in epochs for row in epoch]
    assert len(set(rows)) == 6
    assert torch.equal(next(orders([6], 1, 20))[0], epochs[0][1])
    assert not torch.equal(next(orders([6], 1, 20, "other"))[0], epochs[0][1])


def test_rows_are_taken_from_each_models_own():
    inputs, _ = records(3, 5)
    positions = torch.tensor([[4, 0], [1, 1], [2, 3]])
    expected = torch.stack([inputs[k][positions[k]] for k in range(3)])
    assert torch.equal(taken(inputs, positions), expected)
    assert torch.equal(
        taken(inputs[:, ::2], positions.clamp(max=2)), torch.stack([inputs[k, ::2][positions[k].clamp(max=2)] for k in range(3)])
    )


def test_what_is_not_trainable_stays_to_the_bit_and_the_start_is_left_alone():
    net, seeds = network("mlp"), [1, 2]
    start = net.initial(seeds)
    kept = {name: each.clone() for name, each in start.items()}
    inputs, labels = records(2, 12)
    found = descend(net, start, inputs, labels, RECIPES["adam with decay"], seeds, trainable=net.final)
    assert all(torch.equal(start[name], kept[name]) for name in start)
    assert [name for name in start if not torch.equal(found[name], start[name])] == list(net.final)


@pytest.mark.parametrize("name", ["momentum", "adam with decay"])
def test_where_a_mask_is_zero_nothing_moves_and_elsewhere_all_does(name):
    net, seeds = network("mlp"), [1, 2]
    start = net.initial(seeds)
    inputs, labels = records(2, 12)
    mask = torch.zeros_like(start["layers.1.weight"])
    mask[:, 1] = 1.0
    found = descend(net, start, inputs, labels, RECIPES[name], seeds, masks={"layers.1.weight": mask})
    moved = found["layers.1.weight"] != start["layers.1.weight"]
    assert torch.equal(moved, mask.bool())
    assert (found["layers.0.weight"] != start["layers.0.weight"]).all()


def test_another_objective_is_descended():
    net = network("mlp")
    start = net.initial([1])
    inputs, labels = records(1, 12)

    def shrink(_network, parameters, _batch):
        return sum(0.5 * each.square().flatten(1).sum(dim=1) for each in parameters.values())

    found = descend(net, start, inputs, labels, replace(PLAIN, epochs=1, batch=12), [1], objective=shrink)
    torch.testing.assert_close(net.flatten(found), 0.9 * net.flatten(start))


def test_training_that_goes_nowhere_says_which_model_and_parameter():
    net = network("mlp")
    inputs, labels = records(2, 12)
    inputs[1] *= 1e200
    with pytest.raises(ArithmeticError, match=r"of model 1 is not finite after training"):
        descend(net, net.initial([1, 2]), inputs, labels, replace(PLAIN, rate=1e6), [1, 2])
    require_finite(net.initial([1]))


def test_no_rows_are_refused():
    net = network("mlp")
    inputs, labels = records(2, 0)
    with pytest.raises(ValueError, match="expected at least one record to learn from, found none"):
        descend(net, net.initial([1, 2]), inputs, labels, PLAIN, [1, 2])


def test_flattened_parameters_are_those_of_the_module_in_its_order():
    net = network("resnet20")
    stack = net.initial([1, 2, 3])
    flat = net.flatten(stack)
    assert flat.shape == (3, net.size)
    own = net.module(part(stack, slice(1, 2)))
    assert torch.equal(flat[1], torch.cat([each.detach().flatten() for each in own.parameters()]))
    back = net.unflatten(flat)
    assert size(back) == 3
    assert all(torch.equal(back[name], stack[name]) for name in stack)
