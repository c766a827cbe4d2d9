"""Private training clips, adds the noise that it says, and takes records at the rate that is accounted for."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from auditor.parts.networks.learning.private import Noise, descend_privately
from auditor.parts.networks.learning.training import Recipe, descend
from network_examples import SHAPES, network, records

RECIPE = Recipe(epochs=1, batch=20, optimizer="sgd", rate=0.5)
SILENT = Noise(noise_multiplier=1e-15, max_grad_norm=1e3, delta=1e-5)


def trained(net, recipe, noise, *, rows=20, seed=3):
    inputs, labels = records(1, rows)
    start = net.initial([1])
    found, run = descend_privately(net, start, inputs[0], labels[0], recipe, noise, seed)
    return net.flatten(found)[0] - net.flatten(start)[0], run


# Adam divides by what is next to nothing where a normalisation leaves no gradient, so that the last digit decides.
@pytest.mark.parametrize(("kind", "optimizer"), [*((kind, "sgd") for kind in SHAPES), ("mlp", "adam"), ("small-cnn", "adam")])
def test_without_noise_or_clipping_the_whole_data_gives_plain_descent(kind, optimizer):
    net, recipe = network(kind), replace(RECIPE, epochs=4, optimizer=optimizer, rate=0.05, weight_decay=1e-2, schedule="cosine")
    moved, _ = trained(net, recipe, SILENT)
    inputs, labels = records(1, 20)
    start = net.initial([1])
    plain = net.flatten(descend(net, start, inputs, labels, recipe, [1]))[0] - net.flatten(start)[0]
    torch.testing.assert_close(moved, plain, rtol=1e-4, atol=1e-6)


def test_no_record_moves_the_model_by_more_than_its_clipped_share():
    net = network()
    moved, _ = trained(net, RECIPE, replace(SILENT, max_grad_norm=1e-3))
    assert 0 < float(moved.norm()) <= 0.5 * 1e-3 * (1 + 1e-3)


def test_the_noise_has_the_deviation_that_it_should_have():
    net = network("resnet20")
    moved, _ = trained(net, RECIPE, Noise(noise_multiplier=200.0, max_grad_norm=0.1, delta=1e-5))
    # One step: rate · multiplier · norm / expected batch, on each of p numbers; the gradient beside it is at most rate · norm.
    expected, p = 0.5 * 200.0 * 0.1 / 20, len(moved)
    assert float(moved.std()) == pytest.approx(expected, rel=5 / (2 * p) ** 0.5)


def test_a_step_that_takes_no_record_is_a_step_all_the_same():
    net = network()
    _, run = trained(net, replace(RECIPE, epochs=20, batch=1), Noise(1.0, 1.0, 1e-5), rows=2)
    assert run.steps == 40  # each takes neither of two records with probability 1/4


def test_records_are_taken_at_the_rate_that_is_accounted_for():
    net, recipe = network(), replace(RECIPE, epochs=20, batch=200)
    inputs, labels = records(1, 2000)
    # Records that are all the same, clipped to next to nothing: each one taken moves the model by the same small step.
    inputs, labels = inputs[0, :1].expand(2000, -1), labels[0, :1].expand(2000)
    start = net.initial([1])
    found, run = descend_privately(net, start, inputs, labels, recipe, replace(SILENT, max_grad_norm=1e-4), 3)
    moved = float((net.flatten(found).double() - net.flatten(start).double()).norm())
    taken = moved / (recipe.rate * 1e-4 / recipe.batch)
    expected = run.sample_rate * 2000 * run.steps
    assert expected == 40_000
    # Four standard deviations of the binomial count are 1.9 %.
    assert taken == pytest.approx(expected, rel=4 * ((1 - run.sample_rate) / expected) ** 0.5)


def test_the_seed_decides_everything():
    net, noise = network(), Noise(1.0, 1.0, 1e-5)
    one, other, again = (trained(net, RECIPE, noise, rows=30, seed=seed)[0] for seed in (1, 2, 1))
    assert torch.equal(one, again)
    assert not torch.equal(one, other)


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="expected at least one record to learn from, found none"):
        trained(network(), RECIPE, SILENT, rows=0)
