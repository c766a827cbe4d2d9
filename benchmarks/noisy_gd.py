"""Many chains of noisy gradient descent: 1,000 at n = 10,000, d = 64, against a NumPy loop in two one-thread processes.

The baseline is a loop at its best: labels folded into the rows, the sigmoid in place, float64, and of plain products and products
over blocks of rows that a cache holds the faster one; each process runs half of the chains, one after another. Both sides have
two cores, are measured in turns, and count the noise. float32 is for simulations only, and is compared with the float64 loop.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Literal

import numpy as np

from auditor.base.records import Floats
from auditor.learning.devices import NoCudaError, use_cuda
from auditor.learning.noisy_gd import chains
from auditor.learning.noisy_gd.chains import Machine, Records
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss
from auditor.learning.noisy_gd.models import theorem_rate
from benchmarks.measuring import Figure, pool

CORES = 2
LOSS = LinearLoss("logistic", 2)
DESCENT = Descent(0.01, 1e-4, theorem_rate("logistic", l2=0.01))
KINDS: tuple[Literal["float64", "float32"], ...] = ("float64", "float32")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the chains, and of what the baseline does of them."""

    rows: int
    dimensions: int
    chains: int
    steps: int
    rounds: int
    alone: int
    """Chains that each process of the baseline runs: more would take no less time each."""
    blocks: tuple[int, ...]
    """Rows that the loop takes at a time."""
    apart: bool = True


USUAL = Sizes(rows=10_000, dimensions=64, chains=1_000, steps=10, rounds=5, alone=100, blocks=(10_000, 2_000, 500))
TINY = Sizes(rows=50, dimensions=3, chains=4, steps=2, rounds=1, alone=5, blocks=(50, 20), apart=False)


def problem(sizes: Sizes) -> Records:
    """Rows of norm 1, and labels of a noisy linear rule."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(sizes.rows, sizes.dimensions))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    labels = features @ rng.normal(size=sizes.dimensions) + 0.5 * rng.normal(size=sizes.rows) > 0
    return Records(features, labels.astype(np.int64))


def loop(signed: Floats, start: Floats, noise: Floats, block: int) -> Floats:
    """The chains one after another, shape (chains, d); `signed` holds the rows times their labels."""
    ended = []
    kept, rate = 1 - DESCENT.rate * DESCENT.l2, DESCENT.rate / len(signed)
    for at, drawn in zip(start, noise, strict=True):
        parameters = at.copy()
        for added in drawn:
            total = np.zeros(signed.shape[1])
            for first in range(0, len(signed), block):
                rows = signed[first : first + block]
                slopes = rows @ parameters
                np.exp(slopes, out=slopes)
                slopes += 1
                np.reciprocal(slopes, out=slopes)
                total += slopes @ rows
            parameters *= kept
            parameters += rate * total
            parameters += added
        ended.append(parameters)
    return np.array(ended)


def _timed_loop(sizes: Sizes, block: int, seed: int) -> float:
    """Seconds that a step of one chain takes in this process, while the other one works as well."""
    records, rng = problem(sizes), np.random.default_rng(seed)
    signed = np.where(records.labels == 0, -1.0, 1.0)[:, None] * records.features
    start = chains.starts(DESCENT, chains=sizes.alone, size=sizes.dimensions, rng=rng)
    loop(signed, start[:5], np.zeros((5, sizes.steps, sizes.dimensions)), block)
    began = time.perf_counter()
    loop(signed, start, DESCENT.deviation * rng.standard_normal((sizes.alone, sizes.steps, sizes.dimensions)), block)
    return (time.perf_counter() - began) / (sizes.alone * sizes.steps)


def baseline(workers: Executor, sizes: Sizes, block: int) -> float:
    """Seconds that a step of all chains takes, half of them in either process."""
    return sizes.chains / CORES * max(workers.map(partial(_timed_loop, sizes, block), range(CORES)))


def at_once(records: Records, sizes: Sizes, machine: Machine) -> float:
    """Seconds that a step of all chains takes together."""
    rng = np.random.default_rng(1)
    start = chains.starts(DESCENT, chains=sizes.chains, size=sizes.dimensions, rng=rng)
    began = time.perf_counter()
    chains.run(LOSS, records, DESCENT, start, steps=sizes.steps, rng=rng, machine=machine)
    return (time.perf_counter() - began) / sizes.steps


def check(records: Records, sizes: Sizes) -> None:
    """See that both sides take the same steps: with next to no noise they end at one place.

    Raises:
        AssertionError: If they do not.
    """
    quiet = Descent(DESCENT.l2, 1e-30, DESCENT.rate)
    signed = np.where(records.labels == 0, -1.0, 1.0)[:, None] * records.features
    start = np.random.default_rng(2).normal(size=(2, sizes.dimensions))
    ours = chains.run(LOSS, records, quiet, start, steps=sizes.steps, rng=np.random.default_rng(0))
    theirs = loop(signed, start, np.zeros((2, sizes.steps, sizes.dimensions)), sizes.blocks[1])
    if not np.allclose(ours, theirs, rtol=0, atol=1e-10):
        raise AssertionError("the chains and the loop do not take the same steps")


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Compare the loop at its best with all chains at once, on the CPU and, where there is a CUDA device, on it."""
    records = problem(sizes)
    check(records, sizes)
    taken: dict[str, list[float]] = {kind: [] for kind in KINDS}
    loops: dict[int, list[float]] = {block: [] for block in sizes.blocks}
    with pool(CORES, apart=sizes.apart) as workers:
        for _ in range(sizes.rounds):
            for block in sizes.blocks:
                loops[block].append(baseline(workers, sizes, block))
            for kind in KINDS:
                taken[kind].append(at_once(records, sizes, Machine(kind, "cpu", CORES if sizes.apart else 1)))
    best = min(loops.values(), key=median)
    for kind in KINDS:
        yield Figure(kind, tuple(one / other for one, other in zip(best, taken[kind], strict=True)), "times")
    try:
        use_cuda()
    except NoCudaError:
        return
    for kind in KINDS:
        machine = Machine(kind, "cuda")
        at_once(records, sizes, machine)
        on_gpu = [at_once(records, sizes, machine) for _ in best]
        yield Figure(f"{kind}-on-a-gpu", tuple(one / other for one, other in zip(best, on_gpu, strict=True)), "times")
