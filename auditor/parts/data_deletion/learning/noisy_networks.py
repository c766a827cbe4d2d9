"""Networks as models of noisy gradient descent: full-batch steps in float64 over per-record gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from auditor.base.records import Dataset, Floats
from auditor.learning.determinism import deterministic
from auditor.learning.noisy_gd.models import positions_of
from auditor.learning.residuals import row_norms
from auditor.parts.networks.learning.memory import ROWS_AT_ONCE
from auditor.parts.networks.learning.network import Network, Parameters
from auditor.parts.networks.learning.record_gradients import RecordGradients, RecordLoss

DIRECTIONS = 32
"""Random directions, half of them from the start of an update and half from its end, along which convexity is tested."""
_LENGTHS = (0.1, 10.0)
"""How far the tests reach. Over shorter ways rounding would weigh more than 1e-12 of the loss."""


class NoisyNetwork:
    """A network whose parameters are all trained, by the names of `noisy_gd.models.Learnable`."""

    def __init__(self, network: Network, loss: RecordLoss, classes: npt.NDArray[Any], *, convex: bool) -> None:
        """Take the parts.

        Args:
            network: In float64.
            loss: Of each record.
            classes: The labels, sorted.
            convex: Whether convexity was declared and is to be tested.

        Raises:
            ValueError: If the network has parameters that it freezes or does not use: the theorems cover all of them.
        """
        if why := network.alone or network.mixes or (network.buffers and "buffers that are drawn"):
            raise ValueError(f"the network: expected one whose gradients of single records are known, found one where {why}")
        if still := sorted({*network.shapes, *network.base} - set(network.trainable)):
            raise ValueError(f"the network: expected one that trains every parameter, found {still[0]} frozen or not used")
        self._network, self._gradients, self._classes, self._convex = network, RecordGradients(network, loss), classes, convex

    @property
    def size(self) -> int:
        """p."""
        return self._network.size

    def on(self, data: Dataset) -> NetworkGradient:
        """The gradient that these records give."""
        if not len(data):
            raise ValueError("expected at least one record to learn from, found none")
        labels = torch.from_numpy(positions_of(data.labels, self._classes)).to(self._network.device)
        inputs = self._network.tensor(data.features)
        largest = float(row_norms(data.features).max())
        return NetworkGradient(self._network, self._gradients, inputs, labels, largest_row_norm=largest, convex=self._convex)

    def probabilities(self, parameters: Floats, features: Floats) -> Floats:
        """Of the classes, shape (n, classes)."""
        stack, inputs = _stack(self._network, parameters), self._network.tensor(features)
        with deterministic(), torch.inference_mode():
            blocks = [self._network.logits(stack, rows[None])[0] for rows in torch.split(inputs, ROWS_AT_ONCE)]
            found: Floats = torch.softmax(torch.cat(blocks), dim=1).cpu().numpy()
        return found


class NetworkGradient:
    """The mean gradient of fixed records, by the names of `noisy_gd.models.Followed`."""

    def __init__(
        self,
        network: Network,
        gradients: RecordGradients,
        inputs: Tensor,
        labels: Tensor,
        *,
        largest_row_norm: float,
        convex: bool,
    ) -> None:
        """Take the records: inputs of shape (n, d), and labels of shape (n,) as positions among the classes."""
        self._network, self._gradients, self._convex = network, gradients, convex
        self._inputs, self._labels, self._largest_row_norm = inputs, labels, largest_row_norm
        self._largest_norm, self._largest_loss = 0.0, 0.0

    def __call__(self, parameters: Floats) -> Floats:
        """The mean of the records' gradients, clipped or capped, without the regulariser; both of shape (p,)."""
        stack, at_once = _stack(self._network, parameters), self._gradients.rows_at_once
        total = torch.zeros(len(parameters), dtype=self._network.dtype, device=self._network.device)
        with deterministic(), torch.no_grad():
            for inputs, labels in zip(torch.split(self._inputs, at_once), torch.split(self._labels, at_once), strict=True):
                block = self._gradients.block(stack, inputs, labels)
                total += block.total
                self._largest_norm = max(self._largest_norm, block.largest_norm)
                self._largest_loss = max(self._largest_loss, block.largest_loss)
        found: Floats = (total / len(self._labels)).cpu().numpy()
        return found

    def seen(self, start: Floats, end: Floats, rng: np.random.Generator) -> dict[str, float]:
        """The largest row norm, gradient norm before clipping and loss of any record in any step; where convex, its test.

        `least_curvature` is the smallest second difference (ℓ(θ+hv) − 2ℓ(θ) + ℓ(θ−hv))/h² of any record's loss along
        `curvature_directions` random directions v: a convex loss has none below 0 but for rounding.
        """
        found = {
            "largest_row_norm": self._largest_row_norm,
            "largest_gradient_norm": self._largest_norm,
            "largest_loss": self._largest_loss,
        }
        if not self._convex:
            return found
        least = min(self._curvature(at, rng) for at in (start, end) for _ in range(DIRECTIONS // 2))
        return {**found, "least_curvature": least, "curvature_directions": DIRECTIONS}

    def _curvature(self, at: Floats, rng: np.random.Generator) -> float:
        direction = rng.standard_normal(len(at))
        length = float(np.exp(rng.uniform(*np.log(_LENGTHS))))
        step = length * direction / np.linalg.norm(direction)
        before, here, after = (self._losses(each) for each in (at - step, at, at + step))
        return float((before - 2 * here + after).min()) / length**2

    def _losses(self, parameters: Floats) -> Floats:
        stack = _stack(self._network, parameters)
        with deterministic(), torch.inference_mode():
            pairs = zip(torch.split(self._inputs, ROWS_AT_ONCE), torch.split(self._labels, ROWS_AT_ONCE), strict=True)
            losses: Floats = torch.cat([self._gradients.losses(stack, *pair) for pair in pairs]).cpu().numpy()
        return losses


def _stack(network: Network, parameters: Floats) -> Parameters:
    """A stack of one."""
    return network.unflatten(network.tensor(parameters)[None])
