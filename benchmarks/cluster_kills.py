"""Does an audit on a cluster survive what dies? Workers, then auditors, are killed at random moments, on Dask on this machine.

Each round starts in an empty folder. A killed worker gets a successor, as most clusters give it one; a killed audit is started
again. The evidence must be that of an undisturbed audit on this machine alone but for `*_at`, durations and cost.speedup.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.kill_and_resume import FAILS, SAMPLE, Bench, timeless
from benchmarks.measuring import Figure, MissedError, out_of
from tests.dask_clusters import DaskCluster, dask_cluster


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many workers, and how many auditors, are killed."""

    rounds: int
    seed: int = 20261123


LONG, TINY = Sizes(rounds=20), Sizes(rounds=1)


class ClusterBench(Bench):
    """Audits on a cluster."""

    def __init__(self, folder: Path, cluster: DaskCluster, *, state: Path) -> None:
        super().__init__(folder, state=state)
        self._cluster = cluster

    def started(self, out: Path) -> subprocess.Popen[bytes]:
        """An audit of the sample into `out`, in its own process."""
        command = [sys.executable, "-m", "auditor", "check", str(SAMPLE), "--out", str(out)]
        where = ["--backend", "dask", "--address", self._cluster.address]
        return subprocess.Popen([*command, *where], env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def with_a_worker_killed(self, out: Path, after: float, which: int) -> bool:
        """Kill a worker after so many seconds, and give it a successor; whether a job had to run again."""
        process = self.started(out)
        time.sleep(after)
        victim = self._cluster.workers.pop(which)
        victim.kill()
        victim.wait()
        self._cluster.add()
        _, said = process.communicate()
        if process.returncode != FAILS:
            raise RuntimeError(
                f"killed after {after:.3f} s: expected exit code {FAILS}, found {process.returncode}: {said.decode()}"
            )
        self._cluster.wait()
        return b"runs again on another" in said


def kills(folder: Path, rounds: int, seed: int) -> tuple[int, int, int]:
    """Kill workers and auditors, `rounds` times each.

    Returns:
        In how many rounds the evidence was the same: of killed workers, of killed auditors; and in how many of the former a job
        ran again.
    """
    local = Bench(folder)
    local.started(folder / "here").communicate()
    wanted = timeless(folder / "here")
    (folder / "there").mkdir()
    (folder / "dask").mkdir()
    draws = np.random.default_rng(seed)
    with dask_cluster(folder / "dask") as cluster:
        # The same user audits here and there: rows of the log are marked with their key.
        bench = ClusterBench(folder / "there", cluster, state=local.state)
        begin = time.monotonic()
        same = bench.undisturbed(folder / "there" / "undisturbed")[0] == wanted
        if not same:
            raise RuntimeError("an undisturbed audit on the cluster came to other evidence")
        seconds = time.monotonic() - begin
        workers = auditors = again = 0
        for number in range(rounds):
            out = folder / "there" / f"worker-{number}"
            again += bench.with_a_worker_killed(out, draws.uniform(0.0, seconds), int(draws.integers(2)))
            workers += timeless(out) == wanted
        for number in range(rounds):
            out = folder / "there" / f"auditor-{number}"
            bench.killed(out, draws.uniform(0.0, seconds))
            auditors += bench.undisturbed(out)[0] == wanted
    return workers, auditors, again


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Count the rounds that came to the same evidence."""
    with tempfile.TemporaryDirectory() as name:
        workers, auditors, again = kills(Path(name), sizes.rounds, sizes.seed)
    yield out_of("workers", workers, sizes.rounds)
    yield out_of("again", again, sizes.rounds)
    yield out_of("auditors", auditors, sizes.rounds)
    if (workers, auditors) != (sizes.rounds, sizes.rounds):
        raise MissedError("a kill changed the evidence")
