"""Many chains of noisy gradient descent at once on the same records: what simulations and refutations are made of.

A step of all chains is two matrix products and a pass over their outputs, in blocks that a core's cache holds. The law of each
chain is that of `descent.descend`; its bits are not, as the chains draw from other streams and products of a stack round
differently. What is computed in float32 is for simulations only: its rounding is no part of any theorem.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats, Positions
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss, MeanGradient, Numbers

_CHAINS_AT_ONCE, _NUMBERS_AT_ONCE = 256, 1 << 17
"""Chains of one block, which has a stream of its own; more where so few would be done before they are worth a call. Results
depend on these numbers and on the shapes, not on the workers."""
_DTYPES: dict[str, type[np.floating[Any]]] = {"float64": np.float64, "float32": np.float32}


@dataclass(frozen=True, slots=True)
class Machine:
    """What the chains are computed with."""

    dtype: Literal["float64", "float32"] = "float64"
    """float32 is for simulations only."""
    device: Literal["cpu", "cuda"] = "cpu"
    workers: int = 1
    """Threads on a CPU. Each needs a core, and a NumPy that does not start threads of its own (OPENBLAS_NUM_THREADS=1)."""


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """What chains learn from."""

    features: Floats
    """Shape (n, d), n at least 1."""
    labels: npt.NDArray[np.int64]
    """Shape (n,): positions among the classes; of two the first is −1."""

    def without(self, positions: Positions) -> Records:
        """The records but those at `positions`, shape (m,)."""
        kept = np.setdiff1d(np.arange(len(self.labels)), positions)
        return Records(self.features[kept], self.labels[kept])

    def replaced(self, positions: Positions, features: Floats, labels: npt.NDArray[np.int64]) -> Records:
        """The same records with others, of shapes (r, d) and (r,), in the places `positions`."""
        after, given = self.features.copy(), self.labels.copy()
        after[positions], given[positions] = features, labels
        return Records(after, given)


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    """Final parameters, each array of shape (chains, p); the chains with the record are independent of those without it."""

    learned: Floats
    """After learning with the record."""
    unlearned: Floats
    """The same chains after the update without it."""
    learned_without: Floats
    """After learning on what the update leaves."""
    unlearned_without: Floats
    """The same chains after the same update: what a deleted person is held against."""


def starts(descent: Descent, *, chains: int, size: int, rng: np.random.Generator) -> Floats:
    """Independent draws of θ_0, shape (chains, size)."""
    drawn: Floats = math.sqrt(descent.start_variance) * rng.standard_normal((chains, size))
    return drawn


def run(
    loss: LinearLoss,
    records: Records,
    descent: Descent,
    start: Floats,
    *,
    steps: int,
    rng: np.random.Generator,
    machine: Machine | None = None,
    members: npt.NDArray[np.bool_] | None = None,
) -> Floats:
    """Final parameters of Algorithm 2 from each of many starts, shape (chains, p), float64.

    Args:
        loss: Of each record.
        records: D.
        descent: What the steps are made with.
        start: Θ of each chain, shape (chains, p), p being `loss.outputs` times d. It is not changed.
        steps: K, at least 0.
        rng: Every block of chains draws from a generator that this one spawns; a second call gets other noise.
        machine: float64 in one thread where left out.
        members: Shape (chains, n), where each chain has records of its own, on the CPU alone; None where all have all.

    Raises:
        ValueError: If shapes do not fit, there is no record, or a label is not one of the classes.
        ArithmeticError: If a chain diverges.
    """
    machine = machine or Machine()
    if start.ndim != 2 or start.shape[1] != loss.outputs * records.features.shape[1]:
        expected = loss.outputs * records.features.shape[1]
        raise ValueError(f"start: expected shape (chains, {expected}), found {start.shape}")
    if members is not None and (machine.device != "cpu" or members.shape != (len(start), len(records.labels))):
        raise ValueError(f"members: expected shape {(len(start), len(records.labels))} on a CPU, found {members.shape}")
    if machine.device == "cuda":
        from auditor.learning.noisy_gd.torch_chains import run_on  # noqa: PLC0415  (PyTorch takes seconds to load)

        data = (records.features, records.labels)
        found = run_on("cuda", loss, *data, descent, start, steps=steps, rng=rng, dtype=machine.dtype)
    else:
        shared = MeanGradient(loss, records.features, records.labels, dtype=_DTYPES[machine.dtype])
        at_once = max(_CHAINS_AT_ONCE, _NUMBERS_AT_ONCE // max(shared.size, shared.rows * loss.outputs))
        blocks = [slice(first, first + at_once) for first in range(0, len(start), at_once)]
        streams = rng.spawn(len(blocks))

        def gradient(block: slice) -> MeanGradient:
            if members is None:
                return shared
            return MeanGradient(loss, records.features, records.labels, dtype=_DTYPES[machine.dtype], members=members[block])

        with ThreadPoolExecutor(machine.workers) as pool:
            ended = pool.map(lambda block, own: _descended(gradient(block), descent, start[block], steps, own), blocks, streams)
            found = np.concatenate([np.empty((0, start.shape[1])), *ended])
    if not np.isfinite(found).all():
        raise ArithmeticError(f"after {steps} steps a parameter is not finite: the rate is too large")
    return found


def simulate(
    loss: LinearLoss,
    before: Records,
    after: Records,
    descent: Descent,
    *,
    chains: int,
    learn_steps: int,
    unlearn_steps: int,
    rng: np.random.Generator,
    machine: Machine | None = None,
) -> Simulated:
    """Learn on D and answer a request, many times; and alongside it, as often, the same without the record from the start.

    Args:
        loss: Of each record.
        before: D.
        after: What the request leaves of D: `before.without(…)` or `before.replaced(…)`.
        descent: What the steps are made with.
        chains: How many on either side.
        learn_steps: K_A.
        unlearn_steps: K_Ā.
        rng: The two sides draw from streams of their own.
        machine: As in `run`.

    Raises:
        ValueError: As `run`.
        ArithmeticError: As `run`.
    """
    size = loss.outputs * before.features.shape[1]
    ended: list[Floats] = []
    for learned_from, own in zip((before, after), rng.spawn(2), strict=True):
        start = starts(descent, chains=chains, size=size, rng=own)
        learned = run(loss, learned_from, descent, start, steps=learn_steps, rng=own, machine=machine)
        ended += [learned, run(loss, after, descent, learned, steps=unlearn_steps, rng=own, machine=machine)]
    return Simulated(*ended)


def _descended(gradient: MeanGradient, descent: Descent, start: Floats, steps: int, rng: np.random.Generator) -> Floats:
    """Algorithm 2 for one block of chains; float64 whatever it was computed in."""
    parameters: Numbers = start.astype(gradient.dtype)
    kept = gradient.dtype(1 - descent.rate * descent.l2)
    rate, deviation = gradient.dtype(descent.rate), gradient.dtype(descent.deviation)
    noise = np.empty_like(parameters)
    # What overflows is found at the end.
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for _ in range(steps):
            moved = gradient(parameters)
            moved *= rate
            rng.standard_normal(out=noise, dtype=gradient.dtype)
            noise *= deviation
            parameters *= kept
            parameters -= moved
            parameters += noise
    return parameters.astype(np.float64)
