"""A Dask cluster of several processes on this machine, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from distributed import Client

_PATIENCE_S = 60


class DaskCluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self._folder = folder
        self._scheduler = self._started(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self._file)
        )
        deadline = time.monotonic() + _PATIENCE_S
        while not self._file.is_file():
            assert time.monotonic() < deadline, "the scheduler did not start"
            time.sleep(0.1)
        self.address: str = json.loads(self._file.read_text())["address"]

    def add(self, *, threads: int = 1, env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start one more worker."""
        where = ("--scheduler-file", str(self._file), "--local-directory", str(self._folder))
        self.workers.append(
            self._started(
                "worker", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--nthreads", str(threads), *where, env=env or {}
            )
        )
        return self.workers[-1]

    def wait(self) -> None:
        """Wait until every worker has registered."""
        if not self.workers:
            return
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(len(self.workers), timeout=_PATIENCE_S)

    def close(self) -> None:
        """End everything."""
        for process in (*self.workers, self._scheduler):
            process.kill()
        for process in (*self.workers, self._scheduler):
            process.wait()

    def _started(self, what: str, *arguments: str, env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", what, *arguments]
        with (self._folder / f"{what}.err").open("ab") as said:
            return subprocess.Popen(
                command,
                cwd=self._folder,  # with -m, the folder that it runs in comes first among those that modules are looked for in
                env=os.environ | (env or {}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
            )


@contextmanager
def dask_cluster(folder: Path, *, workers: int = 2, threads: int = 1) -> Iterator[DaskCluster]:
    """A cluster for as long as the context lasts."""
    cluster = DaskCluster(folder)
    try:
        for _ in range(workers):
            cluster.add(threads=threads)
        cluster.wait()
        yield cluster
    finally:
        cluster.close()
