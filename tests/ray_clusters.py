"""A Ray cluster on this machine, for tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PATIENCE_S = 60


@contextmanager
def ray_cluster(*, workers: int = 2) -> Iterator[str]:
    """The address of a cluster that lasts as long as the context."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # the path of a socket has 107 characters at most
    options = ["--node-ip-address=127.0.0.1", f"--num-cpus={workers}", "--object-store-memory=100000000", f"--temp-dir={folder}"]
    command = [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", f"--port={port}", *options]
    head = subprocess.Popen(
        [*command, "--include-dashboard=false", "--disable-usage-stats"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + _PATIENCE_S
        while not _listens(port):
            assert time.monotonic() < deadline, "Ray did not start"
            time.sleep(0.2)
        time.sleep(3)  # the head listens before it can place anything
        yield f"127.0.0.1:{port}"
    finally:
        head.terminate()
        with suppress(subprocess.TimeoutExpired):
            head.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(head.pid, signal.SIGKILL)
        head.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _listens(port: int) -> bool:
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    return False
