"""Private training clips, adds the noise that it says, and spends what an independent accountant says it spends."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent
from dp_accounting.pld import PLDAccountant

from auditor.procedures.networks.private import Noise, descend_privately, spent
from auditor.procedures.networks.training import Recipe, descend
from network_examples import SHAPES, network, records

RECIPE = Recipe(epochs=1, batch=20, optimizer="sgd", rate=0.5)
SILENT = Noise(noise_multiplier=1e-15, max_grad_norm=1e3, delta=1e-5)


def trained(net, recipe, noise, *, rows=20, seed=3):
    inputs, labels = records(1, rows)
    start = net.initial([1])
    found, cost = descend_privately(net, start, inputs[0], labels[0], recipe, noise, seed)
    return net.flatten(found)[0] - net.flatten(start)[0], cost


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
    _, cost = trained(net, replace(RECIPE, epochs=20, batch=1), Noise(1.0, 1.0, 1e-5), rows=2)
    assert cost.steps == 40  # each takes neither of two records with probability 1/4


def test_the_seed_decides_everything():
    net, noise = network(), Noise(1.0, 1.0, 1e-5)
    one, other, again = (trained(net, RECIPE, noise, rows=30, seed=seed)[0] for seed in (1, 2, 1))
    assert torch.equal(one, again)
    assert not torch.equal(one, other)


@pytest.mark.parametrize(
    ("multiplier", "rate", "steps"),
    [(1.0, 0.05, 60), (0.6, 0.2, 10), (4.0, 0.5, 500), (1.0, 1.0, 1), (0.5, 0.1, 200), (20.0, 0.01, 1000)],
)
def test_what_is_spent_is_no_less_than_the_tight_value_and_little_more(multiplier, rate, steps):
    accountant = PLDAccountant(value_discretization_interval=1e-4)
    accountant.compose(SelfComposedDpEvent(PoissonSampledDpEvent(rate, GaussianDpEvent(multiplier)), steps))
    tight = accountant.get_epsilon(1e-5)
    found = spent(Noise(multiplier, 1.0, 1e-5), sample_rate=rate, steps=steps).epsilon
    assert tight - 1e-3 <= found <= tight + 0.02 * max(1.0, tight)


def test_next_to_no_noise_is_accounted_for_as_well():
    assert 1e6 < spent(Noise(1e-3, 1.0, 1e-5), sample_rate=0.5, steps=10).epsilon < 1e9


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="expected at least one record to learn from, found none"):
        trained(network(), RECIPE, SILENT, rows=0)
