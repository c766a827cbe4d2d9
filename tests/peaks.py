"""How much memory a program of the tests has taken."""

from __future__ import annotations

from pathlib import Path


def own_peak() -> int:
    """Give the MiB that this program has had at most; what `getrusage` says holds for whoever it was forked from as well."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return int(status.split("VmHWM:")[1].split()[0]) >> 10
