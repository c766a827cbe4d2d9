"""Fisher forgetting: noise where the records that remain allow it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from auditor.base import draws
from auditor.parts.networks.learning.network import Network
from auditor.parts.networks.learning.stacks import Parameters, copied
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import require_finite
from auditor.parts.networks.learning.unlearning.importance import expected_fisher
from auditor.parts.networks.learning.unlearning.parts import retained
from auditor.parts.networks.settings import FisherForgetting, read


def fisher(task: Task) -> Parameters:
    """Scrub the weights: w + (λσ_h²)^(1/4)·F^(−1/4)·n with n ~ N(0, I) ("Fisher forgetting" of Golatkar et al. 2020).

    F is the Fisher information on what remains, so that the noise has the covariance (λσ_h²)^(1/2)·F^(−1/2); the rows to forget
    are not read. Two approximations are the paper's: F is its diagonal alone, and the Newton step towards the minimum of what
    remains, which stands alongside the noise where the loss is quadratic, is left out. One is ours: entries below `floor` count
    as `floor`, as a weight that no row depends on would get noise without bound. F is exact otherwise: the mean over all rows,
    and over the labels that the model expects.
    """
    settings = read(FisherForgetting, task.params)
    inputs, _ = retained(task)
    information = expected_fisher(task.network, task.parameters, inputs)
    noise = _noise(task.network, task.seeds)
    scrubbed = copied(task.parameters)
    for name, each in information.items():
        scrubbed[name] += settings.noise * each.clamp(min=settings.floor).pow(-0.25) * noise[name]
    require_finite(scrubbed)
    return scrubbed


def _noise(network: Network, seeds: Sequence[int]) -> dict[str, Tensor]:
    """Standard normal numbers for every parameter, each model's from its own seed."""
    streams = (draws.generator(seed, "networks", "fisher") for seed in seeds)
    return network.unflatten(network.tensor(np.stack([stream.standard_normal(network.size) for stream in streams])))
