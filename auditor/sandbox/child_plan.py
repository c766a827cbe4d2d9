"""What a child is started with: the barriers to put up, what they leave open, and its whole environment."""

from __future__ import annotations

from pathlib import Path

from auditor.sandbox import devices
from auditor.sandbox.allowed_paths import Openings, accesses, openings
from auditor.sandbox.bubblewrap import SHARED_MEMORY
from auditor.sandbox.landlock import READ_AND_WRITE
from auditor.sandbox.levels import Level
from auditor.sandbox.scratch import Scratch


def opened(scratch: Scratch, device: devices.DeviceKind = "cpu") -> Openings:
    """What the barriers leave open to a child."""
    return openings(inputs=(scratch.code, scratch.inputs), outputs=(scratch.answers, scratch.home), device=device)


def plan(
    level: Level,
    channel: int,
    parent: int | None,
    left_open: Openings,
    scratch: Scratch,
    device: devices.DeviceKind = "cpu",
) -> dict[str, object]:
    """What `walls.Plan` takes."""
    namespaces = level is Level.NAMESPACED
    shared = ((SHARED_MEMORY, READ_AND_WRITE),) if namespaces else ()
    return {
        "channel": channel,
        "parent": parent,
        "files": level >= Level.CONFINED,
        "namespaces": namespaces,
        "opened": [*accesses(left_open), *shared],
        "names_threads": device == "cuda",
        "witness": str(scratch.witness),
    }


def environment(home: Path, device: devices.DeviceKind = "cpu") -> dict[str, str]:
    """The whole environment of a child: nothing of the auditor's own, and every switch that makes runs repeat."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "LOGNAME": "procedure",  # the list of users is out of reach
        "TMPDIR": str(home),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONFAULTHANDLER": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        # Where processes can share memory joblib counts processors, and libraries that ask it, LightGBM for one, train otherwise.
        "JOBLIB_MULTIPROCESSING": "0",
        "MKL_CBWR": "AUTO",  # one path through the arithmetic, wherever in memory the numbers lie
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
        **devices.environment(device),
    }
