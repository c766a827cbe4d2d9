"""What a figure was measured on: processor, memory, versions. No name of the machine and no path."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

import numpy as np

import benchmarks  # noqa: F401 - it sets the thread counts that are told
from auditor.base import processors


def here() -> dict[str, str | int]:
    """This machine, as measured.json keeps it."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return {
        "cpu": _cpu(),
        "cores": processors.count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "gpu": _gpu(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "blas": f"{blas['name']} {blas['version']}",
        "torch": metadata.version("torch"),
        "threads": int(os.environ["OMP_NUM_THREADS"]),
    }


def load() -> float:
    """How many processes ran or waited for a processor, on average over the last minute."""
    return round(os.getloadavg()[0], 2)


def _cpu() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _gpu() -> str:
    """The models of NVIDIA's devices, from their driver; empty where there are none."""
    found = []
    for path in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information")):
        found += [line.partition(":")[2].strip() for line in path.read_text(encoding="utf-8").splitlines() if "Model:" in line]
    return ", ".join(found)
