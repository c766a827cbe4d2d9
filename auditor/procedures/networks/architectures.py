"""The networks that can be asked for by name. Every one takes flat rows, (rows, d), and gives logits, (rows, classes)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn


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
