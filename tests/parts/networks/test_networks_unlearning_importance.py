"""Fisher information and gradients, entry by entry, against closed forms and against one row at a time."""

from __future__ import annotations

import pytest
import torch
from torch.func import functional_call
from torch.nn.functional import cross_entropy

from auditor.parts.networks.learning.unlearning import importance
from auditor.parts.networks.learning.unlearning.importance import empirical_fisher, expected_fisher, gradient
from unlearning_examples import NETWORKS, network, task


def test_the_expected_fisher_of_softmax_regression_is_its_closed_form() -> None:
    # ln p_y has the gradient (1[y = i] − p_i)·x_j at W_ij; its square under y ~ p is p_i(1 − p_i)·x_j².
    given = task(network("linear"))
    chances = given.network.logits(given.parameters, given.inputs).softmax(dim=2)
    spread = (chances * (1 - chances)).detach()
    found = expected_fisher(given.network, given.parameters, given.inputs)
    torch.testing.assert_close(found["weight"], torch.einsum("kni,knj->kij", spread, given.inputs**2) / 30, rtol=1e-10, atol=0)
    torch.testing.assert_close(found["bias"], spread.mean(dim=1), rtol=1e-10, atol=0)


def test_the_empirical_fisher_of_softmax_regression_is_its_closed_form() -> None:
    given = task(network("linear"))
    chances = given.network.logits(given.parameters, given.inputs).softmax(dim=2).detach()
    missed = (torch.nn.functional.one_hot(given.labels, 3) - chances) ** 2
    found = empirical_fisher(given.network, given.parameters, given.inputs, given.labels)
    torch.testing.assert_close(found["weight"], torch.einsum("kni,knj->kij", missed, given.inputs**2) / 30, rtol=1e-10, atol=0)
    torch.testing.assert_close(found["bias"], missed.mean(dim=1), rtol=1e-10, atol=0)


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("numbers", [1, 1 << 20])
def test_all_three_are_what_one_row_at_a_time_gives(kind: str, numbers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importance, "_BLOCK_NUMBERS", numbers)
    given = task(network(kind), models=2, rows=5, gone=1)
    net, inputs, labels = given.network, given.inputs, given.labels
    expected = expected_fisher(net, given.parameters, inputs)
    empirical = empirical_fisher(net, given.parameters, inputs, labels)
    plain = gradient(net, given.parameters, inputs, labels)
    for k in range(2):
        own = {name: each[k].clone().requires_grad_() for name, each in given.parameters.items()}
        wanted = {name: torch.zeros(3, *each.shape, dtype=each.dtype) for name, each in own.items()}
        for row in range(5):
            logits = functional_call(net._module, own, (inputs[k, row : row + 1],))
            for label in range(3):
                found = torch.autograd.grad(logits.log_softmax(1)[0, label], list(own.values()), retain_graph=True)
                chance = logits.softmax(1)[0, label].detach()
                for name, each in zip(own, found, strict=True):
                    wanted[name][0] += chance * each**2 / 5
            found = torch.autograd.grad(cross_entropy(logits, labels[k, row : row + 1]), list(own.values()))
            for name, each in zip(own, found, strict=True):
                wanted[name][1] += each**2 / 5
                wanted[name][2] += each / 5
        for name, (first, second, third) in wanted.items():
            torch.testing.assert_close(expected[name][k], first, rtol=1e-9, atol=1e-15)
            torch.testing.assert_close(empirical[name][k], second, rtol=1e-9, atol=1e-15)
            torch.testing.assert_close(plain[name][k], third, rtol=1e-9, atol=1e-15)


def test_a_frozen_parameter_is_left_out() -> None:
    net = network("mlp")
    net.trainable = tuple(name for name in net.trainable if name.startswith("layers.1"))
    given = task(net)
    assert list(expected_fisher(net, given.parameters, given.inputs)) == ["layers.1.weight", "layers.1.bias"]
    assert list(gradient(net, given.parameters, given.inputs, given.labels)) == ["layers.1.weight", "layers.1.bias"]
