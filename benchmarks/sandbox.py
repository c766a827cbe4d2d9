"""What containment costs: the start of a worker that imports torch once, and the overhead of one step of a job.

The worker runs a procedure of a controller's own, under the strongest containment that this machine has. A step's overhead is the
wall-clock time of the whole exchange less the time of the procedure's own call.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.base.records import Dataset
from auditor.sandbox import Learn, Level, Parameters, ProcedureSpec, State, Unlearn, Worker, available
from benchmarks.measuring import Figure

RECORDS = 1000
PROCEDURE = """
{imported}
import numpy as np


class Tiny:
    def learn(self, data, seed):
        return np.zeros(3)

    def unlearn(self, model, data, forget, seed):
        return model + 1

    def predict(self, model, features):
        return np.full((len(features), 2), 0.5)

    def parameters(self, model):
        return model

    def state(self, model):
        return model.tobytes()
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How often a worker starts, and how many steps it takes in each round."""

    starts: int
    rounds: int
    steps: int
    libraries: tuple[str, ...] = ("torch",)
    """What the procedure imports."""


USUAL, TINY = Sizes(starts=5, rounds=5, steps=60), Sizes(starts=1, rounds=1, steps=3, libraries=("numpy",))


def _spec(folder: Path, name: str, imported: str) -> ProcedureSpec:
    (folder / name).mkdir()
    file = folder / name / "procedure.py"
    file.write_text(PROCEDURE.format(imported=imported), encoding="utf-8")
    return ProcedureSpec(None, f"{file}:Tiny")


def _starts(spec: ProcedureSpec, table: Dataset, level: Level, starts: int) -> tuple[float, ...]:
    taken = []
    for _ in range(starts + 1):
        begin = time.perf_counter()
        with Worker(spec, {"train": table}, level=level):
            taken.append(time.perf_counter() - begin)
    return tuple(taken[1:])  # the first reads the libraries from the disk


def _overheads(spec: ProcedureSpec, table: Dataset, level: Level, sizes: Sizes) -> tuple[float, ...]:
    """Milliseconds of a step beyond the procedure's own call, the mean of each round."""
    rows, taken = np.arange(len(table)), []
    with Worker(spec, {"train": table}, level=level) as worker:
        worker.run(Learn("model", rows, 1))
        steps = (Unlearn("model", "after", rows, rows[:1], 2), Parameters("after"), State("after"))
        for _ in range(sizes.rounds):
            begin = time.perf_counter()
            own = sum(worker.run(steps[number % len(steps)]).seconds for number in range(sizes.steps))
            taken.append(1e3 * (time.perf_counter() - begin - own) / sizes.steps)
    return tuple(taken)


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time starts and steps."""
    level = available()
    table = Dataset(np.ones((RECORDS, 4)), np.arange(RECORDS) % 2, np.array([f"r{number}" for number in range(RECORDS)]))
    with tempfile.TemporaryDirectory() as name:
        plain = _spec(Path(name), "plain", "")
        heavy = _spec(Path(name), "heavy", "".join(f"import {library}\n" for library in sizes.libraries))
        yield Figure("libraries", _starts(heavy, table, level, sizes.starts), "s")
        yield Figure("plain", _starts(plain, table, level, sizes.starts), "s")
        yield Figure("step", _overheads(plain, table, level, sizes), "ms")
