"""What is left when the auditor itself is interrupted or killed: no process, and after an interruption no folder either."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from auditor.sandbox import processes

FAULTY = Path(__file__).with_name("faulty_procedures.py")

PARENT = """
import sys
import numpy as np
from auditor import jobs
from auditor.domain import Dataset
from auditor.sandbox import Learn, ProcedureSpec
table = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), np.array(list("abcd")))
job = jobs.Job("a", ProcedureSpec(None, sys.argv[1]), {"train": table}, (Learn("a", np.arange(4), 2**70),))
try:
    jobs.run([job] * 4, workers=int(sys.argv[2]), on_step=print)
except KeyboardInterrupt:
    sys.exit(130)
"""


def start(folder, workers):
    """An auditor whose procedures hang, once every worker has begun to."""
    environment = os.environ | {"TMPDIR": str(folder)}
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, f"{FAULTY}:Hanging", str(workers)], env=environment, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 20
    while len([path for path in folder.glob("auditor-*/stderr") if path.stat().st_size]) < workers:
        assert time.monotonic() < deadline
        assert parent.poll() is None
        time.sleep(0.02)
    return parent


def gone(folder):
    """Whether every process that knows the folder ends within two seconds."""
    deadline = time.monotonic() + 2
    while processes.strays(f"HOME={folder}"):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_leaves_nothing(tmp_path, workers):
    parent = start(tmp_path, workers)
    assert len(processes.strays(f"HOME={tmp_path}")) == workers
    begin = time.monotonic()
    parent.send_signal(signal.SIGINT)
    _, stderr = parent.communicate(timeout=20)
    assert parent.returncode == 130, stderr
    assert time.monotonic() - begin < 5
    assert stderr == ""
    assert gone(tmp_path)
    assert list(tmp_path.glob("auditor-*")) == []


def test_a_killed_auditor_takes_its_children_along(tmp_path):
    parent = start(tmp_path, 2)
    parent.kill()
    parent.communicate(timeout=20)
    assert gone(tmp_path)
