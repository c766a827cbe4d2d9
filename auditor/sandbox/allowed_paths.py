"""What stays in reach behind the barriers: the interpreter, its libraries, the system's libraries, and the scratch folder.

Folders are opened one by one: never the root, a home, `/etc` as a whole, or the folder that an editable installation lies
in, which may hold the case itself. What is opened for reading is data to the procedure as well, so `require_apart` refuses a
controller's case that lies within it: its audit.toml holds the seed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from auditor.base.errors import SandboxError
from auditor.sandbox import devices, landlock

_PACKAGE = Path(__file__).resolve().parents[1]

_SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/localtime"),
)
_FACTS = (
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/filesystems", "/proc/sys/vm/overcommit_memory"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage"),
    *("/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_LIBRARY_FOLDERS = {"site-packages", "dist-packages"}


class Openings(NamedTuple):
    """Paths by what is allowed there and beneath; each kind in a stable order."""

    programs: tuple[str, ...]
    """Read and execute."""
    facts: tuple[str, ...]
    """Read: what numerical libraries ask about processors and memory."""
    devices: tuple[str, ...]
    """Read and write."""
    inputs: tuple[str, ...]
    """Read: the folders of the scratch folder that only the auditor writes."""
    outputs: tuple[str, ...]
    """Read and write: the folders of the scratch folder that the procedure writes."""
    accelerators: tuple[str, ...] = ()
    """Read, write and talk to the driver: the device nodes of GPUs, where the procedure may use them."""


def openings(*, inputs: Iterable[Path], outputs: Iterable[Path], device: devices.DeviceKind = "cpu") -> Openings:
    """What one worker may reach on this machine, its own folders among it."""
    cuda = device == "cuda"
    return Openings(
        programs=tuple(str(path) for path in programs(device)),
        facts=(*_FACTS, *devices.FACTS) if cuda else _FACTS,
        devices=_DEVICES,
        inputs=tuple(str(path) for path in inputs),
        outputs=tuple(str(path) for path in outputs),
        accelerators=devices.nodes() if cuda else (),
    )


def accesses(opened: Openings) -> list[tuple[str, int]]:
    """Each path with what Landlock shall allow there and beneath."""
    kinds = (
        (opened.programs, landlock.READ_AND_EXECUTE),
        ((*opened.facts, *opened.inputs), landlock.READ),
        (opened.devices, landlock.DEVICE),
        (opened.accelerators, landlock.DRIVEN_DEVICE),
        (opened.outputs, landlock.READ_AND_WRITE),
    )
    return [(path, access) for paths, access in kinds for path in paths]


def programs(device: devices.DeviceKind = "cpu") -> list[Path]:
    """Existing folders and files of the interpreter, its environment, the system and, for CUDA, the driver's libraries.

    None of them lies beneath another.
    """
    prefixes = {Path(prefix) for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)}
    libraries = {Path(entry) for entry in sys.path if Path(entry).is_absolute() and Path(entry).name in _LIBRARY_FOLDERS}
    # A link is opened at the place that it leads to; a mount namespace needs the name as well.
    wanted = {*prefixes, *libraries, *(path.resolve() for path in (*prefixes, *libraries)), _PACKAGE, *map(Path, _SYSTEM)}
    if device == "cuda":
        wanted |= {Path(folder) for folder in devices.driver_folders()}
    homes = {Path("/"), Path.home(), Path.home().parent}
    kept: list[Path] = []
    for path in sorted(wanted - homes):
        if path.exists() and not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept


def temporary_folder() -> Path:
    """The folder that all workers have theirs in: the system's for temporary files where that holds the one in use."""
    used = Path(tempfile.gettempdir())
    return next((folder for folder in map(Path, ("/tmp", "/var/tmp")) if used.is_relative_to(folder)), used)  # noqa: S108 - none is made


def require_apart(folder: Path, device: devices.DeviceKind = "cpu") -> None:
    """Refuse a folder of the controller's that everything behind the barriers could read.

    Raises:
        SandboxError: If it lies within an opened folder.
    """
    place = folder.resolve()
    for path in programs(device):
        if place.is_relative_to(path.resolve()):
            raise SandboxError(
                f"the case lies within {path}, which every procedure may read, so that its seed is no secret: move the case "
                "elsewhere"
            )
