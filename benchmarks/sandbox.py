"""What containment costs: the start of a worker that imports torch once, and the overhead of one step of a job.

The worker runs a procedure of a controller's own, under the strongest containment that this machine has. A step's overhead is the
wall-clock time of the whole exchange less the time of the procedure's own call.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

from auditor.domain import Dataset
from auditor.sandbox import Learn, Level, Parameters, ProcedureSpec, State, Unlearn, Worker, available
from benchmarks.measuring import line

STARTS, STEPS, RECORDS = 5, 300, 1000
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


def _spec(folder: Path, name: str, imported: str) -> ProcedureSpec:
    (folder / name).mkdir()
    file = folder / name / "procedure.py"
    file.write_text(PROCEDURE.format(imported=imported), encoding="utf-8")
    return ProcedureSpec(None, f"{file}:Tiny")


def _start_seconds(spec: ProcedureSpec, table: Dataset, level: Level) -> float:
    taken = []
    for _ in range(STARTS + 1):
        begin = time.perf_counter()
        with Worker(spec, {"train": table}, level=level):
            taken.append(time.perf_counter() - begin)
    return median(taken[1:])  # the first reads torch from the disk


def _overhead_seconds(spec: ProcedureSpec, table: Dataset, level: Level) -> float:
    rows = np.arange(len(table))
    with Worker(spec, {"train": table}, level=level) as worker:
        worker.run(Learn("model", rows, 1))
        steps = (Unlearn("model", "after", rows, rows[:1], 2), Parameters("after"), State("after"))
        begin = time.perf_counter()
        own = sum(worker.run(steps[number % len(steps)]).seconds for number in range(STEPS))
        return (time.perf_counter() - begin - own) / STEPS


def main() -> None:
    """Measure and print."""
    level = available()
    table = Dataset(np.ones((RECORDS, 4)), np.arange(RECORDS) % 2, np.array([f"r{number}" for number in range(RECORDS)]))
    with tempfile.TemporaryDirectory() as name:
        plain, torch = _spec(Path(name), "plain", ""), _spec(Path(name), "torch", "import torch")
        line(
            f"start of a worker that imports torch, at level {level}",
            f"{_start_seconds(torch, table, level):.2f} s",
            "under 1.5 s",
        )
        line(f"start of a worker without torch, at level {level}", f"{_start_seconds(plain, table, level):.2f} s")
        overhead = 1e3 * _overhead_seconds(torch, table, level)
        line(f"overhead of one step of a job (mean of {STEPS})", f"{overhead:.2f} ms", "under 5 ms")


if __name__ == "__main__":
    main()
