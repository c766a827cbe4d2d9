"""What the benchmarks share: wall-clock medians, and one printed line a number."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median


def seconds(run: Callable[[], object], *, repeats: int = 5, warm_up: int = 1) -> float:
    """Median wall-clock seconds of `run` over `repeats` calls, after `warm_up` uncounted ones."""
    for _ in range(warm_up):
        run()
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        run()
        taken.append(time.perf_counter() - started)
    return median(taken)


def line(name: str, value: str, target: str = "") -> None:
    """Print one number, and what it is held against."""
    print(f"{name:<66}{value:>14}  {target}", flush=True)
