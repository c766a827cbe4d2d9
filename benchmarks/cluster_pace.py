"""What a cluster costs: the same jobs here and on Dask and Ray of this machine, and two workers against one.

Each job computes for a given time in its sandbox, whatever else runs. Start-up of the cluster and the first job of each worker
are not counted. Places are measured in turns. Ray is measured where it is installed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.base import extras
from auditor.base.records import Dataset
from auditor.sandbox import Learn, ProcedureSpec, available, jobs
from auditor.sandbox.cluster import Cluster, opened
from benchmarks.measuring import Figure, once, ratios
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


@dataclass(frozen=True, slots=True)
class Sizes:
    """Seconds of a job and how many of them: of those that are compared with here, and of those that two workers share."""

    compared: tuple[float, int]
    shared: tuple[float, int]
    repeats: int
    clusters: bool = True


USUAL = Sizes(compared=(1.0, 12), shared=(0.2, 50), repeats=2)
TINY = Sizes(compared=(0.01, 2), shared=(0.01, 2), repeats=1, clusters=False)


def lot(entry: Path, seconds: float, count: int) -> list[jobs.Job]:
    """Jobs of so many seconds each."""
    table = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), np.array(list("abcd")))
    spec = ProcedureSpec(None, f"{entry}:Busy", {"seconds": seconds})
    return [
        jobs.Job(f"{number}", spec, {"train": table}, (Learn("a", np.arange(4), number),), level=available())
        for number in range(count)
    ]


def taken(entry: Path, job: tuple[float, int], *, workers: int, cluster: Cluster | None) -> float:
    """Wall-clock seconds of so many jobs, so many at a time."""
    return once(lambda: jobs.run(lot(entry, *job), workers=workers, on_step=_quiet, cluster=cluster))[0]


def places(folder: Path, stack: ExitStack, *, clusters: bool) -> dict[str, Cluster | None]:
    """Where the jobs run, by the name that begins the rows of the page."""
    found: dict[str, Cluster | None] = {"here": None}
    if clusters:
        dask = stack.enter_context(dask_cluster(folder))
        found["dask"] = stack.enter_context(Cluster(opened("dask", dask.address)))
    if clusters and not extras.missing("ray"):
        from tests.ray_clusters import ray_cluster  # noqa: PLC0415

        found["ray"] = stack.enter_context(Cluster(opened("ray", stack.enter_context(ray_cluster()))))
    return found


def _quiet(*_progress: object) -> None:
    return


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Compare places, and two workers with one."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        entry = Path(name) / "busy.py"
        entry.write_text(CODE, encoding="utf-8")
        (Path(name) / "dask").mkdir()
        found = places(Path(name) / "dask", stack, clusters=sizes.clusters)
        walls: dict[str, list[float]] = {where: [] for where in found}
        one: dict[str, list[float]] = {where: [] for where in found}
        two: dict[str, list[float]] = {where: [] for where in found}
        for cluster in found.values():
            taken(entry, (0.01, 2), workers=2, cluster=cluster)
        for _ in range(sizes.repeats):
            for where, cluster in found.items():
                walls[where].append(taken(entry, sizes.compared, workers=2, cluster=cluster))
                one[where].append(taken(entry, sizes.shared, workers=1, cluster=cluster))
                two[where].append(taken(entry, sizes.shared, workers=2, cluster=cluster))
    for where, wall in walls.items():
        if where != "here":
            more = tuple(100 * (there / here - 1) for there, here in zip(wall, walls["here"], strict=True))
            yield Figure(f"{where}-cost", more, "%")
        yield ratios(f"{where}-two-workers", one[where], two[where])
