"""The mean gradient of a network's records, each capped or clipped before it enters the mean, with every record's norm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.func import functional_call, grad_and_value, vmap
from torch.nn.functional import cross_entropy

from auditor.parts.networks.learning.architectures import Mlp
from auditor.parts.networks.learning.network import Network, Parameters

_NUMBERS_AT_ONCE = 1 << 22
"""Numbers in the gradients, or activations, of one block of records: 32 MiB."""


@dataclass(frozen=True, slots=True)
class RecordLoss:
    """Cross-entropy ℓ, or c(1 − e^(−ℓ/c)) under a cap c, whose gradients are clipped to a Euclidean norm C where there is one."""

    clip: float | None = None
    cap: float | None = None

    def of(self, plain: Tensor) -> Tensor:
        """The losses that are followed, from the cross-entropies."""
        return plain if self.cap is None else -self.cap * torch.expm1(-plain / self.cap)

    def weights(self, norms: Tensor) -> Tensor:
        """What gradients of these norms are scaled by, shape (rows,)."""
        return torch.ones_like(norms) if self.clip is None else self.clip / norms.clamp(min=self.clip)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """What some records give."""

    total: Tensor
    """The sum of their gradients, scaled, shape (p,)."""
    largest_norm: float
    """Of their gradients before clipping."""
    largest_loss: float
    """Of the losses that are followed."""


class RecordGradients:
    """Sums of gradients of fixed records for one network.

    For layers of plain products the norm of a record's gradient follows from the layer's input a and the slope δ of its output,
    ‖δ‖²(‖a‖² + 1), so that no record's gradient is ever written down; any other network has them written down block by block.
    """

    def __init__(self, network: Network, loss: RecordLoss) -> None:
        """Take the network, whose dtype and device are those of everything here."""
        self._network, self._loss = network, loss
        # A module to evaluate with parameters that are not its own.
        self._module = network.module(network.initial([0]))
        plain = type(self._module) is Mlp
        self._block = self._of_layers if plain else self._of_any
        each = network.activations + network.features if plain else network.size
        self.rows_at_once = max(1, _NUMBERS_AT_ONCE // max(1, each))

    def block(self, parameters: Parameters, inputs: Tensor, labels: Tensor) -> Block:
        """What the records of one block give.

        Args:
            parameters: A stack of one.
            inputs: Shape (rows, d), at most `rows_at_once`.
            labels: Shape (rows,), int64: positions among the classes.
        """
        return self._block(parameters, inputs, labels)

    def losses(self, parameters: Parameters, inputs: Tensor, labels: Tensor) -> Tensor:
        """The loss of each record that is followed, shape (rows,)."""
        logits = self._network.logits(parameters, inputs[None])[0]
        return self._loss.of(cross_entropy(logits, labels, reduction="none"))

    def _of_layers(self, parameters: Parameters, inputs: Tensor, labels: Tensor) -> Block:
        weights = [each[0] for name, each in parameters.items() if name.endswith("weight")]
        biases = [each[0] for name, each in parameters.items() if name.endswith("bias")]
        given = [inputs]
        for at, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            outputs = torch.addmm(bias, given[-1], weight.mT)
            given.append(outputs if at == len(weights) - 1 else outputs.relu_())
        normal = torch.log_softmax(given.pop(), dim=1)
        plain = -normal.gather(1, labels[:, None])[:, 0]
        slopes = normal.exp_()
        slopes[torch.arange(len(labels), device=labels.device), labels] -= 1
        if self._loss.cap is not None:
            slopes *= torch.exp(-plain / self._loss.cap)[:, None]
        squares, found = torch.zeros_like(plain), [slopes]
        for at in reversed(range(len(weights))):
            squares += found[0].square().sum(1) * (given[at].square().sum(1) + 1)
            if at:
                found.insert(0, (found[0] @ weights[at]) * (given[at] > 0))
        norms = squares.sqrt_()
        scales = self._loss.weights(norms)
        pieces: list[Tensor] = []
        for slope, entered in zip(found, given, strict=True):
            scaled = slope * scales[:, None]
            pieces += [(scaled.mT @ entered).flatten(), scaled.sum(0)]
        return Block(torch.cat(pieces), float(norms.max()), float(self._loss.of(plain).max()))

    def _of_any(self, parameters: Parameters, inputs: Tensor, labels: Tensor) -> Block:
        def followed(own: Mapping[str, Tensor], row: Tensor, label: Tensor) -> Tensor:
            logits = functional_call(self._module, dict(own), (row[None],))
            return self._loss.of(cross_entropy(logits, label[None]))

        own = {name: each[0] for name, each in parameters.items()}
        gradients, losses = vmap(grad_and_value(followed), in_dims=(None, 0, 0), randomness="error")(own, inputs, labels)
        flat = torch.cat([gradients[name].flatten(1) for name in self._network.shapes], dim=1)
        norms = torch.linalg.vector_norm(flat, dim=1)
        return Block(self._loss.weights(norms) @ flat, float(norms.max()), float(losses.max()))
