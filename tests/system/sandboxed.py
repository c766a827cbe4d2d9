"""What the sandbox tests share: a small table, and workers for the procedures beside this file."""

from pathlib import Path

import numpy as np
import pytest

from auditor.base.errors import ProcedureError
from auditor.base.records import Dataset
from auditor.sandbox import Learn, ProcedureSpec, Worker

FAULTY = Path(__file__).with_name("faulty_procedures.py")
ROWS = np.arange(6)
SEED = 2**70 + 12345
TRAIN = Dataset(np.arange(12.0).reshape(6, 2), np.array([0, 1, 0, 1, 0, 1]), np.array([f"r{i}" for i in range(6)]))
LEARN = Learn("model", ROWS, SEED)


def worker(name, *, tables=None, limits=None, stop=None, level=None, **settings):
    """A worker for a class of faulty_procedures.py, or for `file.py:Class` beside it.

    It runs at the level that starts soonest, if no other is asked for.
    """
    from levels import forking  # noqa: PLC0415 - programs of tests take the rest from here

    entry = FAULTY.with_name(name) if ":" in name else f"{FAULTY}:{name}"
    return Worker(
        ProcedureSpec(None, str(entry), settings), tables or {"train": TRAIN}, limits=limits, stop=stop, level=level or forking()
    )


def ask(worker, steps):
    """The answers to the steps, from a worker that ends with them."""
    with worker as running:
        return [running.run(step) for step in steps]


def failure(name, *steps, limits=None, **settings):
    """The error that the steps end in."""
    with pytest.raises(ProcedureError) as caught:
        ask(worker(name, limits=limits, **settings), steps)
    assert str(SEED) not in str(caught.value)
    assert str(SEED) not in caught.value.stderr_tail
    return caught.value


def alive(pid):
    """Whether the process runs, as a zombie does not."""
    try:
        return (Path("/proc") / str(int(pid)) / "stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except FileNotFoundError:
        return False
