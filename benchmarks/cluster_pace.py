"""What a cluster costs: the same jobs here and on Dask and Ray of this machine, and two workers against one.

Each job computes for a given time in its sandbox, whatever else runs. Start-up of the cluster and the first job of each worker
are not counted. Ray is measured where it is installed.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np

from auditor import extras, jobs
from auditor.cluster import Cluster, opened
from auditor.domain import Dataset
from auditor.sandbox import Learn, ProcedureSpec, available
from benchmarks.measuring import line
from tests.dask_clusters import dask_cluster

CODE = """
import time

class Busy:
    def __init__(self, seconds):
        self.seconds = seconds

    def learn(self, data, seed):
        # Time of the processor: a job that is crowded out takes longer.
        begin = time.process_time()
        while time.process_time() - begin < self.seconds:
            pass
        return seed

    def unlearn(self, model, data, forget, seed):
        return model

    def predict(self, model, features):
        return [[1.0]] * len(features)
"""
REPEATS = 3


def lot(entry: Path, seconds: float, count: int) -> list[jobs.Job]:
    """Jobs of so many seconds each."""
    table = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), np.array(list("abcd")))
    spec = ProcedureSpec(None, f"{entry}:Busy", {"seconds": seconds})
    return [
        jobs.Job(f"{number}", spec, {"train": table}, (Learn("a", np.arange(4), number),), level=available())
        for number in range(count)
    ]


def taken(entry: Path, seconds: float, count: int, *, workers: int, cluster: Cluster | None) -> float:
    """Wall-clock seconds of so many jobs, so many at a time; the median of several rounds."""
    jobs.run(lot(entry, 0.01, workers), workers=workers, on_step=_quiet, cluster=cluster)
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        jobs.run(lot(entry, seconds, count), workers=workers, on_step=_quiet, cluster=cluster)
        times.append(time.perf_counter() - begin)
    return median(times)


@contextmanager
def places(folder: Path) -> Iterator[dict[str, Cluster | None]]:
    """Where the jobs run, by name."""
    with dask_cluster(folder) as dask, Cluster(opened("dask", dask.address)) as on_dask:
        if extras.missing("ray"):
            yield {"here": None, "Dask": on_dask}
            return
        from tests.ray_clusters import ray_cluster  # noqa: PLC0415

        with ray_cluster() as address, Cluster(opened("ray", address)) as on_ray:
            yield {"here": None, "Dask": on_dask, "Ray": on_ray}


def _quiet(*_progress: object) -> None:
    return


def main() -> None:
    """Measure and print, with the load of the machine at the time."""
    with tempfile.TemporaryDirectory() as name:
        entry = Path(name) / "busy.py"
        entry.write_text(CODE, encoding="utf-8")
        (Path(name) / "dask").mkdir()
        with places(Path(name) / "dask") as found:
            line("load of the machine before", f"{os.getloadavg()[0]:.2f}")
            base = 0.0
            for where, cluster in found.items():
                wall = taken(entry, 1.0, 12, workers=2, cluster=cluster)
                base = base or wall
                share = f"{100 * (wall / base - 1):+.1f} %"
                line(f"12 jobs of 1 s, two at a time, {where}: {wall:.2f} s, against here", share, "at most +15 %")
            for where, cluster in found.items():
                one = taken(entry, 0.2, 100, workers=1, cluster=cluster)
                two = taken(entry, 0.2, 100, workers=2, cluster=cluster)
                line(f"100 jobs of 0.2 s, {where}: two workers against one", f"{one / two:.2f} times", "at least 1.7")
            line("load of the machine after", f"{os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
