"""How many processors this process may use: those that it may run on, or fewer where a control group limits their time.

Sources: sched_getaffinity(2); Linux `Documentation/admin-guide/cgroup-v2.rst` (cpu.max), `Documentation/scheduler/sched-bwc.rst`
(cpu.cfs_quota_us, cpu.cfs_period_us); cgroups(7), proc_pid_mountinfo(5).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")


class _Said:
    number: int | None = None


def count() -> int:
    """Count the processors that this process can keep busy: at least 1, and a part of one counts as one."""
    if _Said.number is not None:
        return _Said.number
    return max(1, min([len(os.sched_getaffinity(0)), *map(math.ceil, _quotas())]))


def adopt(number: int) -> None:
    """Take the count of the process that started this one, which may not be able to see its own control groups.

    Args:
        number: What `count` gives from now on.
    """
    _Said.number = number


def _quotas() -> Iterator[float]:
    """The processors' worth of time that each control group around this process may use, where it is limited."""
    with suppress(OSError, ValueError):
        mounted = _mounted()
        for line in _lines("cgroup"):
            _, controllers, path = line.split(":", 2)
            unified = not controllers
            if unified or "cpu" in controllers.split(","):
                for root, point in mounted[unified]:
                    yield from _limits(_place(path, root, point), point, _quota if unified else _quota_of_version_1)


def _mounted() -> dict[bool, list[tuple[str, Path]]]:
    """Where hierarchies are mounted that limit processors, by whether they are of version 2: the group there, and the place."""
    found: dict[bool, list[tuple[str, Path]]] = {True: [], False: []}
    for line in _lines("mountinfo"):
        # number, parent, major:minor, root, mount point, options, … - type, source, options of the file system
        before, _, behind = line.partition(" - ")
        kind, _, options = behind.split(" ", 2)
        if kind == "cgroup2" or (kind == "cgroup" and "cpu" in options.split(",")):
            root, point = before.split()[3:5]
            found[kind == "cgroup2"].append((root.rstrip("/"), Path(point)))
    return found


def _place(path: str, root: str, point: Path) -> Path:
    """The folder of a group; that of the topmost one that is mounted where the group itself lies outside."""
    inside = f"{path}/".startswith(f"{root}/") and "/.." not in path
    return point / path.removeprefix(root).lstrip("/") if inside else point


def _limits(place: Path, top: Path, quota: Callable[[Path], float]) -> Iterator[float]:
    for group in (place, *place.parents):
        # The topmost group has no such files, and the word "max" is no number.
        with suppress(OSError, ValueError, ZeroDivisionError):
            if (limit := quota(group)) > 0:  # -1 in version 1 where there is none
                yield limit
        if group == top:
            return


def _quota(group: Path) -> float:
    quota, period = (group / "cpu.max").read_text(encoding="ascii").split()
    return int(quota) / int(period)


def _quota_of_version_1(group: Path) -> float:
    quota, period = ((group / f"cpu.cfs_{name}_us").read_text(encoding="ascii") for name in ("quota", "period"))
    return int(quota) / int(period)


def _lines(name: str) -> list[str]:
    return (_PROC / "self" / name).read_text(encoding="utf-8", errors="replace").splitlines()
