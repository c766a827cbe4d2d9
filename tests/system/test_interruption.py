"""What is left when the auditor itself is interrupted or killed: no process, and after an interruption no folder either."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from auditor.sandbox import processes

FAULTY = Path(__file__).with_name("faulty_procedures.py")
PATIENCE_S = 60
"""A machine that does other work as well takes its time to start three processes."""

PARENT = """
import sys
import numpy as np
from auditor.sandbox import jobs
from auditor.base.records import Dataset
from auditor.sandbox import Learn, ProcedureSpec
table = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), np.array(list("abcd")))
job = jobs.Job("a", ProcedureSpec(None, sys.argv[1]), {"train": table}, (Learn("a", np.arange(4), 2**70),))
try:
    jobs.run([job] * 4, workers=int(sys.argv[2]), on_step=print)
except KeyboardInterrupt:
    sys.exit(130)
"""


@contextmanager
def started(folder, workers):
    """An auditor whose procedures hang, once every worker has begun to; it is killed whatever becomes of the test."""
    environment = os.environ | {"TMPDIR": str(folder)}
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, f"{FAULTY}:Hanging", str(workers)], env=environment, stderr=subprocess.PIPE, text=True
    ) as parent:
        try:
            deadline = time.monotonic() + PATIENCE_S
            while len([path for path in folder.glob("auditor-*/stderr") if path.stat().st_size]) < workers:
                assert time.monotonic() < deadline
                assert parent.poll() is None
                time.sleep(0.02)
            yield parent
        finally:
            parent.kill()


def gone(folder):
    """Whether every process that knows the folder ends; left alone, they hang for ever."""
    deadline = time.monotonic() + PATIENCE_S
    while processes.strays(f"HOME={folder}"):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_leaves_nothing(tmp_path, workers):
    with started(tmp_path, workers) as parent:
        assert len(processes.strays(f"HOME={tmp_path}")) == workers
        parent.send_signal(signal.SIGINT)
        _, stderr = parent.communicate(timeout=PATIENCE_S)
        assert parent.returncode == 130, stderr
        assert stderr == ""
    assert gone(tmp_path)
    assert list(tmp_path.glob("auditor-*")) == []


def test_a_killed_auditor_takes_its_children_along(tmp_path):
    with started(tmp_path, 2) as parent:
        parent.kill()
        parent.communicate(timeout=PATIENCE_S)
    assert gone(tmp_path)
