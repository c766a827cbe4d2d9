"""The networks that go by name, and those that are refused before they are trained."""

from __future__ import annotations

import math
from functools import partial

import pytest
import torch
from torch import nn

from auditor.parts.networks.learning.architectures import Mlp, ResNet20, SmallCnn
from network_examples import CLASSES, FEATURES, SHAPES, network, of


def count(module):
    return sum(each.numel() for each in module.parameters())


def test_an_mlp_has_the_layers_asked_for():
    assert count(Mlp(64, 10)) == 64 * 64 + 64 + 64 * 10 + 10
    assert count(Mlp(4, 3, hidden=[])) == 15
    assert [layer.out_features for layer in Mlp(4, 3, hidden=[8, 2]).layers] == [8, 2, 3]


def test_the_resnet_has_the_twenty_layers_and_the_parameters_of_the_paper():
    # He et al. (2016), Table 6: 0.27 M. A normalisation has two numbers a channel, whichever kind it is.
    module = ResNet20(3072, 10, shape=[3, 32, 32])
    assert count(module) == 269_722
    layers = [layer for layer in module.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    assert len(layers) == 20
    assert not any(isinstance(layer, nn.BatchNorm2d) for layer in module.modules())


def test_a_small_cnn_takes_images_of_any_size():
    assert count(SmallCnn(64, 10, shape=[1, 8, 8])) == (9 * 16 + 16) + (16 * 9 * 32 + 32) + (32 * 4 * 10 + 10)
    assert SmallCnn(3 * 5 * 7, 2, shape=[3, 5, 7])(torch.zeros(4, 105)).shape == (4, 2)


@pytest.mark.parametrize("shape", [[1, 8, 8], [3, 5, 7], [2, 1, 1]])
def test_convolutions_by_products_are_those_of_vmap(shape):
    """What a GPU is given, on a CPU: logits and gradients of three models."""
    features = math.prod(shape)
    net = of(partial(SmallCnn, features, 4, shape=shape, channels=[3, 5]), features=features, classes=4)
    module = SmallCnn(features, 4, shape=shape, channels=[3, 5])
    inputs = torch.randn(3, 6, features, dtype=torch.float64, generator=torch.Generator().manual_seed(1))

    def found(logits):
        leaves = {name: each.requires_grad_() for name, each in net.initial([1, 2, 3]).items()}
        made = logits(leaves, inputs)
        return [made, *torch.autograd.grad((made**2).sum(), list(leaves.values()))]

    assert module.stacked(net.initial([1, 2, 3]), inputs) is None
    for one, other in zip(found(module.products), found(net.logits), strict=True):
        assert one.shape == other.shape
        torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("architecture", [SmallCnn, ResNet20])
@pytest.mark.parametrize("shape", [[1, 8], [1, 8, 9], [-1, -8, 8]])
def test_a_shape_that_does_not_fit_the_columns_is_refused(architecture, shape):
    with pytest.raises(ValueError, match=r"params.shape: expected \[channels, height, width\] with a product of 64, found"):
        architecture(64, 10, shape=shape)


@pytest.mark.parametrize(("kind", "final"), [("mlp", "layers.2"), ("small-cnn", "final"), ("resnet20", "final")])
def test_the_final_layer_is_the_one_that_gives_the_logits(kind, final):
    assert network(kind).final == (f"{final}.weight", f"{final}.bias")


@pytest.mark.parametrize("kind", SHAPES)
def test_both_dtypes_start_from_the_same_numbers(kind):
    one, other = network(kind, dtype=torch.float32).initial([4]), network(kind).initial([4])
    assert all(torch.equal(one[name].double(), other[name]) for name in one)


class Plain(nn.Module):
    def __init__(self, middle: nn.Module | None = None) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(FEATURES, 4), nn.Linear(4, CLASSES)
        self.middle = nn.Identity() if middle is None else middle

    def forward(self, rows):
        return self.last(self.middle(self.first(rows)))


class Reversed(Plain):
    """Registers its last layer first."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(4, CLASSES), nn.Linear(FEATURES, 4)

    def forward(self, rows):
        return self.first(torch.relu(self.last(rows)))


class Noisy(Plain):
    def forward(self, rows):
        return super().forward(rows) + torch.rand(1)


class Functional(Plain):
    def forward(self, rows):
        return nn.functional.dropout(super().forward(rows), 0.5)


class Counting(Plain):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, rows):
        self.calls += 1
        return super().forward(rows)


class Mixing(Plain):
    def forward(self, rows):
        logits = super().forward(rows)
        return logits - logits.mean(dim=0)


class Branching(Plain):
    def forward(self, rows):
        return super().forward(rows) * (2.0 if self.last.bias.sum() > 0 else 1.0)


class Remembering(Plain):
    """Takes its last layer's weight past the parameters that it is called with."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = [self.last.weight]

    def forward(self, rows):
        return self.first(rows) @ self.kept[0].T + self.last.bias


class Wide(Plain):
    def forward(self, rows):
        return self.first(rows)


class Frozen(Plain):
    def __init__(self) -> None:
        super().__init__()
        for each in self.parameters():
            each.requires_grad_(False)


class Spare(Plain):
    def __init__(self) -> None:
        super().__init__()
        self.spare = nn.Linear(2, 2)
        self.first.bias.requires_grad_(False)


class Silent(Plain):
    """Changes a buffer that its state_dict does not hold."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", torch.zeros(()), persistent=False)

    def forward(self, rows):
        if self.training:
            self.calls += 1
        return super().forward(rows)


REFUSED = {
    "functional dropout": (Functional, r"a prediction, in eval mode, that draws no random numbers"),
    "noise": (Noisy, r"draws no random numbers"),
    "a counter": (Counting, r"calls: expected a buffer that a prediction leaves alone"),
    "a counter that no file holds": (Silent, r"calls: expected a buffer of the state_dict"),
    "rows mixed": (Mixing, r"expected each row to be judged on its own in eval mode"),
    "parameters kept aside": (Remembering, r"expected logits that follow from parameters and row alone"),
    "logits of another shape": (Wide, r"expected logits of shape \(3, 3\) for 3 rows, found \(3, 4\)"),
    "no parameters": (nn.Identity, r"expected a network with parameters, found none"),
    "complex parameters": (
        lambda: Plain(nn.ParameterList([torch.zeros(2, dtype=torch.complex64)])),
        r"expected a parameter of floats",
    ),
    "nothing to train": (Frozen, r"expected logits with a gradient"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_network_that_no_audit_can_follow_is_refused_with_the_reason(name):
    build, reason = REFUSED[name]
    with pytest.raises(ValueError, match=reason):
        of(build)


ALONE = {
    "BatchNorm": (lambda: Plain(nn.BatchNorm1d(4)), "training changes buffers, such as middle.running_mean"),
    "dropout": (lambda: Plain(nn.Dropout(0.1)), "training draws random numbers, as dropout does"),
    "branches": (Branching, "torch.func.vmap cannot evaluate it: "),
}


@pytest.mark.parametrize("name", ALONE)
def test_a_network_that_cannot_be_stacked_is_taken_one_model_at_a_time_with_the_reason(name):
    build, reason = ALONE[name]
    assert of(build).alone.startswith(reason)
    assert network().alone is None


@pytest.mark.parametrize("middle", [nn.GroupNorm(2, 4), nn.LayerNorm(4), nn.Dropout(0.0), nn.Tanh()])
def test_a_network_of_someone_elses_is_taken_where_each_row_stands_alone(middle):
    net = of(lambda: Plain(middle))
    assert net.final == ("last.weight", "last.bias")
    assert net.trainable == tuple(net.shapes)


def test_the_final_layer_is_the_one_that_runs_last_in_whichever_order_it_was_made():
    assert of(Reversed).final == ("first.weight", "first.bias")


def test_what_is_frozen_or_never_used_is_not_trained():
    net = of(Spare)
    assert net.trainable == ("first.weight", "last.weight", "last.bias")
    assert net.size == sum(each.numel() for each in Spare().parameters())
