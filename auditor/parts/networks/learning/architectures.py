"""The networks that can be asked for by name. Every one takes flat rows, (rows, d), and gives logits, (rows, classes)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional


class Mlp(nn.Module):
    """Linear layers with ReLU between them."""

    def __init__(self, features: int, classes: int, *, hidden: Sequence[int] = (64,)) -> None:
        """Draw the parameters as `nn.Linear` does.

        Args:
            features: d.
            classes: How many logits.
            hidden: The width of each hidden layer.
        """
        super().__init__()
        widths = [features, *hidden, classes]
        self.layers = nn.ModuleList(nn.Linear(into, out) for into, out in pairwise(widths))

    def forward(self, rows: Tensor) -> Tensor:
        """Logits."""
        for at, layer in enumerate(self.layers):
            rows = layer(rows if at == 0 else torch.relu(rows))
        return rows

    def stacked(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        """The same for many sets of parameters, one batched product a layer."""
        for at in range(len(self.layers)):
            weight, bias = parameters[f"layers.{at}.weight"], parameters[f"layers.{at}.bias"]
            # Under (out, in), as `nn.Linear` keeps it, the product is with the transpose.
            inputs = torch.baddbmm(bias.unsqueeze(1), inputs if at == 0 else torch.relu(inputs), weight.mT)
        return inputs


class SmallCnn(nn.Module):
    """Two convolutions of 3 × 3 with stride 2 and ReLU, then a linear layer.

    Strides in place of pooling: the gradient of pooling has no deterministic form on CUDA.
    """

    def __init__(self, features: int, classes: int, *, shape: Sequence[int], channels: Sequence[int] = (16, 32)) -> None:
        """Draw the parameters as `nn.Conv2d` and `nn.Linear` do.

        Args:
            features: d; the product of `shape`.
            classes: How many logits.
            shape: (channels, height, width) of one row.
            channels: Of each convolution.
        """
        super().__init__()
        self.shape = _image(shape, features)
        widths = [self.shape[0], *channels]
        self.convolutions = nn.ModuleList(nn.Conv2d(into, out, 3, stride=2, padding=1) for into, out in pairwise(widths))
        height, width = (_halved(side, len(channels)) for side in self.shape[1:])
        self.final = nn.Linear(widths[-1] * height * width, classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Logits."""
        images = rows.reshape(-1, *self.shape)
        for convolution in self.convolutions:
            images = torch.relu(convolution(images))
        logits: Tensor = self.final(images.flatten(1))
        return logits

    def stacked(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor | None:
        """The same for many sets of parameters on a GPU, one batched product a layer; None on a CPU, where `vmap` is faster.

        What `vmap` makes of a convolution is one of as many groups as models, which CUDA computes one after another.
        """
        return self.products(parameters, inputs) if inputs.is_cuda else None

    def products(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        """Every convolution as a product with the patches under its kernel."""
        models, rows = inputs.shape[:2]
        images = inputs.reshape(models, rows, *self.shape)
        for at in range(len(self.convolutions)):
            weight, bias = parameters[f"convolutions.{at}.weight"], parameters[f"convolutions.{at}.bias"]
            patches = functional.pad(images, (1, 1, 1, 1)).unfold(3, 3, 2).unfold(4, 3, 2)
            height, width = patches.shape[3:5]
            patches = patches.permute(0, 1, 3, 4, 2, 5, 6).reshape(models, rows * height * width, -1)
            made = torch.baddbmm(bias.unsqueeze(1), patches, weight.flatten(2).mT)
            images = torch.relu(made).reshape(models, rows, height, width, -1).permute(0, 1, 4, 2, 3)
        return torch.baddbmm(parameters["final.bias"].unsqueeze(1), images.flatten(2), parameters["final.weight"].mT)


class ResNet20(nn.Module):
    """The residual network of 20 layers for CIFAR (He et al. 2016, §4.2), with GroupNorm (Wu & He 2018) in place of BatchNorm.

    One convolution, three stages of three blocks with 16, 32 and 64 channels, the mean over the image, a linear layer. Where a
    stage halves the image, its shortcut takes every second pixel and fills up with zero channels (option A): no parameters.
    """

    def __init__(self, features: int, classes: int, *, shape: Sequence[int], width: int = 16, groups: int = 8) -> None:
        """Draw the parameters: convolutions as He et al. (2015) do, the linear layer as `nn.Linear` does.

        Args:
            features: d; the product of `shape`.
            classes: How many logits.
            shape: (channels, height, width) of one row.
            width: Channels of the first stage; the paper has 16.
            groups: Of each GroupNorm; they divide `width`.
        """
        super().__init__()
        self.shape = _image(shape, features)
        self.first = _Convolution(self.shape[0], width, 1, groups)
        steps = [(width, width, 1)] * 3 + [(width, 2 * width, 2)] + [(2 * width, 2 * width, 1)] * 2
        steps += [(2 * width, 4 * width, 2)] + [(4 * width, 4 * width, 1)] * 2
        self.blocks = nn.ModuleList(_Block(into, out, stride, groups) for into, out, stride in steps)
        self.final = nn.Linear(4 * width, classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Logits."""
        images = torch.relu(self.first(rows.reshape(-1, *self.shape)))
        for block in self.blocks:
            images = block(images)
        logits: Tensor = self.final(images.mean(dim=(2, 3)))
        return logits


class _Convolution(nn.Module):
    """A convolution of 3 × 3 and a GroupNorm."""

    def __init__(self, into: int, out: int, stride: int, groups: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(into, out, 3, stride=stride, padding=1, bias=False)
        nn.init.kaiming_normal_(self.convolution.weight, mode="fan_out", nonlinearity="relu")
        self.norm = nn.GroupNorm(groups, out)

    def forward(self, images: Tensor) -> Tensor:
        found: Tensor = self.norm(self.convolution(images))
        return found


class _Block(nn.Module):
    """Two convolutions with a shortcut past them."""

    def __init__(self, into: int, out: int, stride: int, groups: int) -> None:
        super().__init__()
        self.first, self.second = _Convolution(into, out, stride, groups), _Convolution(out, out, 1, groups)
        self.stride, self.fill = stride, out - into

    def forward(self, images: Tensor) -> Tensor:
        found = self.second(torch.relu(self.first(images)))
        past = images[:, :, :: self.stride, :: self.stride]
        return torch.relu(found + torch.nn.functional.pad(past, (0, 0, 0, 0, 0, self.fill)))


def _image(shape: Sequence[int], features: int) -> tuple[int, int, int]:
    if len(shape) != 3 or math.prod(shape) != features or min(shape) < 1:
        raise ValueError(f"params.shape: expected [channels, height, width] with a product of {features}, found {list(shape)}")
    channels, height, width = shape
    return channels, height, width


def _halved(side: int, times: int) -> int:
    for _ in range(times):
        side = (side + 1) // 2
    return side


BUILT_IN: Final[Mapping[str, type[nn.Module]]] = {"mlp": Mlp, "small-cnn": SmallCnn, "resnet20": ResNet20}
"""By the name that `[procedure] model` gives them."""
