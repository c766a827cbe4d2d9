"""Many chains of noisy gradient descent on a GPU: what `noisy_gd.chains` computes, by PyTorch.

The noise is PyTorch's, from 63 bits of the generator that is given: enough for simulations, which is all that it serves.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from auditor.base.records import Floats
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss

_BLOCK_NUMBERS = 1 << 26
"""Outputs in one block of rows, 512 MiB of float64."""
_DTYPES = {"float64": torch.float64, "float32": torch.float32}


def run_on(
    device: Literal["cpu", "cuda"],
    loss: LinearLoss,
    features: Floats,
    labels: npt.NDArray[np.int64],
    descent: Descent,
    start: Floats,
    *,
    steps: int,
    rng: np.random.Generator,
    dtype: Literal["float64", "float32"],
) -> Floats:
    """Final parameters of the chains, shape (chains, p).

    Args:
        device: Where; on a CPU NumPy does the same faster.
        loss: Of each record.
        features: Shape (n, d), n at least 1.
        labels: Shape (n,): positions among the classes; of two the first is −1.
        descent: What the steps are made with.
        start: Θ of each chain, shape (chains, p).
        steps: K.
        rng: One draw of it seeds the noise.
        dtype: float32 is for simulations only.
    """
    drawn = torch.Generator(device).manual_seed(int(rng.integers(2**63)))
    rows = torch.from_numpy(features).to(device, _DTYPES[dtype])
    given = torch.from_numpy(labels).to(device)
    parameters = torch.from_numpy(start).to(device, _DTYPES[dtype], copy=True)
    gradient = _Gradient(loss, rows, given)
    with torch.inference_mode():
        for _ in range(steps):
            moved = gradient(parameters)
            noise = torch.randn(parameters.shape, generator=drawn, device=device, dtype=parameters.dtype)
            parameters.mul_(1 - descent.rate * descent.l2).sub_(moved, alpha=descent.rate).add_(noise, alpha=descent.deviation)
    found: Floats = parameters.double().cpu().numpy()
    return found


class _Gradient:
    """`fields.MeanGradient` in tensors."""

    def __init__(self, loss: LinearLoss, features: Tensor, labels: Tensor) -> None:
        self._loss, self._features, self._labels = loss, features, labels
        self._norms = torch.linalg.vector_norm(features, dim=1)

    def __call__(self, parameters: Tensor) -> Tensor:
        weights = parameters.reshape(-1, self._features.shape[1])
        total = torch.zeros_like(weights)
        step = max(1, _BLOCK_NUMBERS // max(1, len(weights)))
        for first in range(0, len(self._labels), step):
            block = slice(first, first + step)
            logits = (weights @ self._features[block].mT).reshape(len(parameters), self._loss.outputs, -1)
            slopes = self._slopes(logits, block)
            total.addmm_(slopes.reshape(len(weights), -1), self._features[block])
        return total.div_(len(self._labels)).reshape(parameters.shape)

    def _slopes(self, logits: Tensor, block: slice) -> Tensor:
        """What the records are multiplied by, shape (models, outputs, rows)."""
        labels = self._labels[block]
        if self._loss.name == "logistic":
            signs = (2 * labels - 1).to(logits)
            margins = logits * signs
            slopes = -signs * torch.sigmoid(-margins)
            logarithms = torch.nn.functional.logsigmoid(margins)
        else:
            normal = torch.log_softmax(logits, dim=1)
            each = labels.expand(len(logits), 1, -1)
            slopes = normal.exp().scatter_add(1, each, -torch.ones_like(normal[:, :1]))
            logarithms = normal.gather(1, each)
        if self._loss.cap is not None:
            slopes = slopes * torch.exp(logarithms / self._loss.cap)
        if self._loss.clip is not None:
            norms = torch.linalg.vector_norm(slopes, dim=1, keepdim=True) * self._norms[block]
            slopes = slopes * (self._loss.clip / norms.clamp(min=self._loss.clip))
        return slopes
