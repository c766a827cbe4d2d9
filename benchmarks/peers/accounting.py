"""Upper bounds on the ε of private training: Opacus, dp-accounting and `auditor calc dp-sgd`, records being added or removed."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, Final

from auditor.maths.certificates import dp_sgd
from benchmarks.peers import environments
from benchmarks.peers.sizes import Sizes

DELTA: Final = 1e-5
TRAININGS: Final = ((2.0, 0.05, 200), (1.1, 256 / 60_000, 14_100), (0.8, 0.01, 1_000), (8.0, 1.0, 100))
"""Noise multiplier, sampling rate, steps; the second is 60 epochs of MNIST in batches of 256."""


def measure(sizes: Sizes, usable: Collection[str]) -> dict[str, Any]:
    """Account for every training, `repeats` times each."""
    trainings = TRAININGS if sizes.repeats > 2 else TRAININGS[:1]
    settings = {"trainings": trainings, "delta": DELTA, "repeats": sizes.repeats}
    found: dict[str, Any] = {"delta": DELTA, "trainings": trainings, "auditor": [_own(each, sizes.repeats) for each in trainings]}
    for name, script in (("Opacus", "opacus_accounting"), ("dp-accounting", "google_accounting")):
        if name in usable:
            found[name] = environments.ask(name, script, {}, **settings)
    return found


def _own(training: tuple[float, float, int], repeats: int) -> dict[str, Any]:
    noise, rate, steps = training
    seconds = []
    for _ in range(repeats):
        dp_sgd._epsilon.cache_clear()  # noqa: SLF001 - a repeat that was remembered takes no time
        began = time.perf_counter()
        value = dp_sgd.epsilon(noise, sample_rate=rate, steps=steps, delta=DELTA)
        seconds.append(time.perf_counter() - began)
    return {"dp-sgd": {"epsilon": value, "seconds": seconds}}
