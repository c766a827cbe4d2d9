"""The built-in procedure `ftrl`: a network kept up to date from a stream, by noisy sums of clipped gradients (DP-FTRL).

Follow the regularised leader over noisy sums (Kairouz et al. 2021, Algorithm 1; Cohen et al. 2023, Proposition 5.13): after every
step the parameters are the first ones minus the rate times the noisy sum of all gradients so far. A record is learned in one
step, which its id alone decides, and never again; its gradient is taken at parameters that were released, and clipped. So one
record moves one value of the sums, whatever it does to later steps it does through what was released, and no other record moves
when one goes. State and releases have noise of their own: what was released at any step, and one view of the state, cost what the
rules `ftrl-tree` and `ftrl-square-root` say, whether the loss is convex or not. Nothing is done about a deletion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from auditor.base import draws
from auditor.base.records import Dataset
from auditor.learning.sums import MECHANISMS
from auditor.maths.certificates.prefix_sums import Factorisation
from auditor.parts.networks.learning.network import Network, Parameters
from auditor.parts.networks.learning.parts_by_id import part_of
from auditor.parts.networks.learning.private import PrivateRun
from auditor.parts.networks.learning.record_gradients import RecordGradients, RecordLoss
from auditor.parts.networks.learning.training import require_finite


@dataclass(frozen=True, slots=True)
class Stream:
    """What `[procedure] use = "ftrl"` says of learning."""

    steps: int
    """T: how many releases there may be."""
    rate: float
    """How far the sum of gradients moves the parameters."""
    noise_multiplier: float
    """Standard deviation in each number of each sum, and as much again at its release, in units of `max_grad_norm`."""
    max_grad_norm: float
    """C: to what 2-norm the gradient of each record is clipped."""
    delta: float
    """The δ at which ε is stated."""
    factorisation: Factorisation
    """Of the matrix of prefix sums."""

    def step_of(self, ids: npt.NDArray[np.str_]) -> npt.NDArray[np.int64]:
        """The step in which each record is learned, shape (n,), from 0 to `steps` - 1: its id alone decides."""
        return part_of(ids, self.steps)


def learn(
    network: Network, parameters: Parameters, data: Dataset, inputs: Tensor, labels: Tensor, stream: Stream, seed: int
) -> tuple[Parameters, PrivateRun]:
    """Learn every record of a stream once, and release after the last step.

    Args:
        network: The function.
        parameters: A stack of one, which depends on no record; left as it is.
        data: The records, for their ids.
        inputs: Shape (n, d).
        labels: Shape (n,), int64.
        stream: How long, how far, how much noise.
        seed: The noise follows from it.

    Returns:
        A stack of one, and how it ran.

    Raises:
        ValueError: If there are no rows.
        ArithmeticError: If a parameter is not finite at the end.
    """
    if not len(labels):
        raise ValueError("expected at least one record to learn from, found none")
    first = network.flatten(parameters)
    # Not from PyTorch's generator: it keeps 32 bits of a seed on a CPU, so that all of its noise can be tried.
    tape = draws.generator(seed, "networks", "noise")
    sums = MECHANISMS[stream.factorisation](noise=stream.noise_multiplier, horizon=stream.steps, tape=tape, size=first.shape[1])
    gradients = RecordGradients(network, RecordLoss(clip=stream.max_grad_norm))
    step_of = stream.step_of(data.ids)
    released = parameters
    for step in range(stream.steps):
        # In float32 a record moves the sum of many others by more than its own length, as each is rounded.
        exact = {name: _exact(each) for name, each in released.items()}
        rows = torch.from_numpy(np.flatnonzero(step_of == step)).to(labels.device)
        for block in torch.split(rows, gradients.rows_at_once) if len(rows) else ():
            found = gradients.block(exact, _exact(inputs[block]), labels[block]).total
            sums.add(found.cpu().numpy() / stream.max_grad_norm)
        moved = torch.from_numpy(np.asarray(sums.tick())) * (stream.rate * stream.max_grad_norm)
        released = network.unflatten(first - moved.to(first)[None])
    require_finite(released)
    return released, PrivateRun(stream.noise_multiplier, 1.0, stream.steps, stream.delta)


def _exact(tensor: Tensor) -> Tensor:
    return tensor.double() if tensor.is_floating_point() else tensor
