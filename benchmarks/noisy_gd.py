"""Many chains of noisy gradient descent: 1,000 at n = 10,000, d = 64, against a NumPy loop in two one-thread processes.

The baseline is a loop at its best: labels folded into the rows, the sigmoid in place, float64, and of plain products and products
over blocks of rows that a cache holds the faster one; each process runs half of the chains, one after another. Both sides have
two cores, are measured in turns, and count the noise. float32 is for simulations only, and is held against the float64 loop.
"""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from statistics import median
from typing import Literal

import numpy as np

from auditor.domain import Floats
from auditor.procedures.devices import NoCudaError, use_cuda
from auditor.procedures.noisy_gd import chains
from auditor.procedures.noisy_gd.chains import Machine, Records
from auditor.procedures.noisy_gd.descent import Descent
from auditor.procedures.noisy_gd.fields import LinearLoss
from auditor.procedures.noisy_gd.making import theorem_rate
from benchmarks.measuring import line

ROWS, DIMENSIONS, CHAINS, STEPS, ROUNDS = 10_000, 64, 1_000, 10, 7
CORES = 2
LOSS = LinearLoss("logistic", 2)
DESCENT = Descent(0.01, 1e-4, theorem_rate("logistic", l2=0.01))
ALONE = 100
"""Chains that each process of the baseline runs: more would take no less time each."""
BLOCKS = (ROWS, 2_000, 500)
"""Rows that the loop takes at a time."""


def problem() -> Records:
    """Rows of norm 1, and labels of a noisy linear rule."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(ROWS, DIMENSIONS))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    labels = features @ rng.normal(size=DIMENSIONS) + 0.5 * rng.normal(size=ROWS) > 0
    return Records(features, labels.astype(np.int64))


def loop(signed: Floats, start: Floats, noise: Floats, block: int) -> Floats:
    """The chains one after another, shape (chains, d); `signed` holds the rows times their labels."""
    ended = []
    kept, rate = 1 - DESCENT.rate * DESCENT.l2, DESCENT.rate / len(signed)
    for at, drawn in zip(start, noise, strict=True):
        parameters = at.copy()
        for added in drawn:
            total = np.zeros(DIMENSIONS)
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


def _timed_loop(seed: int, block: int) -> float:
    """Seconds that a step of one chain takes in this process, while the other one works as well."""
    records, rng = problem(), np.random.default_rng(seed)
    signed = np.where(records.labels == 0, -1.0, 1.0)[:, None] * records.features
    start = chains.starts(DESCENT, chains=ALONE, size=DIMENSIONS, rng=rng)
    loop(signed, start[:5], np.zeros((5, STEPS, DIMENSIONS)), block)
    began = time.perf_counter()
    loop(signed, start, DESCENT.deviation * rng.standard_normal((ALONE, STEPS, DIMENSIONS)), block)
    return (time.perf_counter() - began) / (ALONE * STEPS)


def baseline(pool: ProcessPoolExecutor, block: int) -> float:
    """Seconds that a step of all chains takes, half of them in either process."""
    each = list(pool.map(_timed_loop, range(CORES), [block] * CORES))
    return CHAINS / CORES * max(each)


def at_once(records: Records, machine: Machine) -> float:
    """Seconds that a step of all chains takes together."""
    rng = np.random.default_rng(1)
    start = chains.starts(DESCENT, chains=CHAINS, size=DIMENSIONS, rng=rng)
    began = time.perf_counter()
    chains.run(LOSS, records, DESCENT, start, steps=STEPS, rng=rng, machine=machine)
    return (time.perf_counter() - began) / STEPS


def check(records: Records) -> None:
    """Both sides take the same steps: with next to no noise they end at one place."""
    quiet = Descent(DESCENT.l2, 1e-30, DESCENT.rate)
    signed = np.where(records.labels == 0, -1.0, 1.0)[:, None] * records.features
    start = np.random.default_rng(2).normal(size=(2, DIMENSIONS))
    ours = chains.run(LOSS, records, quiet, start, steps=STEPS, rng=np.random.default_rng(0))
    theirs = loop(signed, start, np.zeros((2, STEPS, DIMENSIONS)), BLOCKS[1])
    if not np.allclose(ours, theirs, rtol=0, atol=1e-10):
        raise AssertionError("the chains and the loop do not take the same steps")


def main() -> None:
    """Measure and print."""
    records = problem()
    check(records)
    kinds: tuple[Literal["float64", "float32"], ...] = ("float64", "float32")
    taken: dict[str, list[float]] = {kind: [] for kind in kinds}
    loops: dict[int, list[float]] = {block: [] for block in BLOCKS}
    # Started by spawning: a fork would share threads of the libraries.
    with ProcessPoolExecutor(CORES, multiprocessing.get_context("spawn")) as pool:
        for _ in range(ROUNDS):
            for block in BLOCKS:
                loops[block].append(baseline(pool, block))
            for kind in kinds:
                taken[kind].append(at_once(records, Machine(kind, "cpu", CORES)))
    best = min(median(each) for each in loops.values())
    print(f"{CHAINS:,} chains, n = {ROWS:,}, d = {DIMENSIONS}; seconds are of a step of all chains, medians of {ROUNDS}")
    for block, each in loops.items():
        name = "whole table" if block == ROWS else f"{block:,} rows at a time"
        line(f"loop in {CORES} processes, {name}", f"{1e3 * median(each):.0f} ms")
    targets = {"float64": "at least 1.8 ×", "float32": "at least 4 ×, simulation only"}
    for kind in kinds:
        line(f"at once, {kind}", f"{1e3 * median(taken[kind]):.1f} ms")
        line(f"loop / at once, {kind}", f"{best / median(taken[kind]):.1f} ×", targets[kind])
    try:
        device = use_cuda()
    except NoCudaError as error:
        line("on a GPU", "not measured", f"at least 50 ×; {error}")
        return
    for kind in kinds:
        machine = Machine(kind, "cuda")
        at_once(records, machine)
        on_gpu = median(at_once(records, machine) for _ in range(ROUNDS))
        line(f"loop / at once, {kind}, {device}", f"{best / on_gpu:.0f} ×", "at least 50 ×")


if __name__ == "__main__":
    main()
