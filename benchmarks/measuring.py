"""What the benchmarks share: figures, repeated timings, and commands as processes with their time and memory.

A benchmark is a module with `measure(sizes)`, which yields a `Figure` for each row that it has on the page (`benchmarks.rows`),
and with sizes of one class: `USUAL`, `TINY` for tests, and `LONG` where that takes more than a few minutes. One without `USUAL`
is measured with `--long` alone.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from benchmarks.accounted import account

SAMPLES = Path(__file__).resolve().parent.parent / "sample_models"
_MEASURE = """
import json, resource, subprocess, sys, time
started = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
taken = time.perf_counter() - started
used = resource.getrusage(resource.RUSAGE_CHILDREN)
said = done.stderr.decode(errors="replace")
print(json.dumps([[done.returncode, taken, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024], said]))
"""


class MissedError(Exception):
    """The figures are as they are measured, and one of them says that something is wrong."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured for one row of the page."""

    row: str
    """Its name among the rows of the benchmark."""
    values: tuple[float, ...]
    """One for each repeat."""
    unit: str
    """s, ms, GB, GB/s, GFLOP/s, times, trainings, % or of N; empty for an exponent."""
    processor: tuple[float, ...] = ()
    """Seconds of processor time, one for each repeat: other work on the machine changes them less."""
    points: tuple[tuple[float, float], ...] = ()
    """Sizes with the seconds that they took, where the figure is the slope of a line through them."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of several repeats of one thing, on the wall clock and of the processor."""

    wall: tuple[float, ...]
    processor: tuple[float, ...]

    @property
    def middle(self) -> float:
        """The median on the wall clock."""
        return median(self.wall)

    def figure(self, row: str) -> Figure:
        """Seconds, with those of the processor."""
        return Figure(row, self.wall, "s", self.processor)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one command took."""

    code: int
    """Its exit code."""
    seconds: float
    processor: float
    """Seconds of processor time, of all its processes; without control groups, of those only that somebody waited for."""
    peak: float
    """Most bytes of memory: of its largest process, or of all of them at a time where `watched` took it."""


def once(run: Callable[[], object]) -> tuple[float, float]:
    """Seconds that a call takes on the wall clock and of this process."""
    wall, processor = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - processor


def times(run: Callable[[], object], *, repeats: int, warm_up: int = 1) -> Times:
    """Time a call in this process, `repeats` times after `warm_up` uncounted ones."""
    for _ in range(warm_up):
        run()
    wall, processor = zip(*(once(run) for _ in range(repeats)), strict=True)
    return Times(wall, processor)


def in_turns(
    one: Callable[[], object], other: Callable[[], object], *, repeats: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Seconds of processor time of two things in turns, each of which has run once before.

    Both compute in this process alone: what other programs do changes their processor time least, and meets both.
    """
    one(), other()
    first, second = zip(*((once(one)[1], once(other)[1]) for _ in range(repeats)), strict=True)
    return first, second


def ratios(row: str, slower: Iterable[float], faster: Iterable[float]) -> Figure:
    """How many times faster one of two things is, repeat by repeat."""
    return Figure(row, tuple(one / other for one, other in zip(slower, faster, strict=True)), "times")


def out_of(row: str, count: int, total: int) -> Figure:
    """How many of so many."""
    return Figure(row, (float(count),), f"of {total}")


def bytes_of(row: str, taken: Iterable[float]) -> Figure:
    """Bytes as GB."""
    return Figure(row, tuple(each / 1e9 for each in taken), "GB")


def peak_memory(who: int = resource.RUSAGE_SELF) -> float:
    """Most bytes of memory so far."""
    return resource.getrusage(who).ru_maxrss * 1024.0


def command(*arguments: str, codes: Collection[int] = (0,)) -> Cost:
    """Run a command of the auditor as a process of its own.

    Raises:
        RuntimeError: If it ends with an exit code that is not among `codes`.
    """
    # Started by a small process: a child begins with its parent's memory, and its peak would be that of this one.
    with account() as counted:
        words = [sys.executable, "-c", _MEASURE, *counted.entering([sys.executable, "-m", "auditor", *arguments])]
        found, said = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, env=_as_installed()).stdout)
        cost = Cost(*found)
        cost = replace(cost, processor=counted.seconds() or cost.processor)
    return _ended(cost, said, arguments, codes)


def _as_installed() -> dict[str, str]:
    """This environment, but that modules are compiled once, as an installer compiles them, and not at every start."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def commands(*arguments: str, repeats: int, warm_up: int = 0, codes: Collection[int] = (0,)) -> Times:
    """Time a command several times, after `warm_up` uncounted ones."""
    costs = [command(*arguments, codes=codes) for _ in range(warm_up + repeats)][warm_up:]
    return Times(tuple(cost.seconds for cost in costs), tuple(cost.processor for cost in costs))


def watched(*arguments: str, codes: Collection[int] = (0,), every: float = 0.5) -> Cost:
    """Run a command of the auditor, and look every so many seconds at what all its processes hold in memory.

    Raises:
        RuntimeError: If it ends with an exit code that is not among `codes`.
    """
    started, before, peak = time.perf_counter(), _of_children(), 0.0
    words = [sys.executable, "-m", "auditor", *arguments]
    with (
        account() as counted,
        tempfile.TemporaryFile() as said,
        subprocess.Popen(counted.entering(words), stdout=subprocess.DEVNULL, stderr=said, env=_as_installed()) as process,
    ):
        while process.poll() is None:
            peak = max(peak, _held(process.pid))
            time.sleep(every)
        taken = time.perf_counter() - started
        cost = Cost(process.returncode, taken, counted.seconds() or _of_children() - before, peak)
        said.seek(0)
        return _ended(cost, said.read().decode(errors="replace"), arguments, codes)


def _ended(cost: Cost, said: str, arguments: tuple[str, ...], codes: Collection[int]) -> Cost:
    if cost.code not in codes:
        raise RuntimeError(f"auditor {arguments[0]} ended with exit code {cost.code}: {said.strip()[-1000:]}")
    return cost


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _held(root: int) -> float:
    """Bytes that a process and all that descend from it hold, shared pages counted once."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    family, found = {root}, True
    while found:
        found = {child for child, parent in parents.items() if parent in family} - family
        family |= found
    total = 0.0
    for each in family:
        with suppress(OSError, StopIteration):
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
            total += next(1024.0 * int(held.split()[1]) for held in lines if held.startswith("Pss:"))
    return total


@contextmanager
def pool(workers: int, *, apart: bool = True) -> Iterator[Executor]:
    """Workers in processes of their own; or, for sizes that only show that all of it runs, in threads of this one."""
    # Started by spawning: a fork would share threads of the libraries.
    made = ProcessPoolExecutor(workers, mp_context=get_context("spawn")) if apart else ThreadPoolExecutor(workers)
    with made:
        yield made
