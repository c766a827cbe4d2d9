"""GPUs behind the barriers: which device nodes and files CUDA needs, where the driver's libraries lie, what the child gets.

CUDA that finds one of these missing does not always say so: libraries then go on with the processor. So a worker for CUDA is
not believed to have a GPU until a `Device` step has used it inside, and one for the CPU cannot see any.

Source: NVIDIA driver documentation, "Device Files" and `/proc/driver/nvidia`; that the driver names its threads through
`/proc/PID/task/TID/comm` from version 570 on, and gives up with CUDA error 304 where it may not, is known from reports of
other sandboxes.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from auditor.base.errors import SandboxError

DeviceKind: TypeAlias = Literal["cpu", "cuda"]
"""What a procedure has to compute on."""

_DEV = Path("/dev")
_ONE_GPU = re.compile(r"nvidia[0-9]+", re.ASCII)
_SHARED_NODES = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")
_NEEDED_NODES = ("nvidiactl", "nvidia-uvm")

FACTS = (
    *("/sys/bus", "/sys/class", "/sys/dev", "/sys/devices", "/sys/module"),
    *("/proc/driver/nvidia", "/proc/driver/nvidia-uvm", "/proc/devices", "/proc/modules", "/proc/sys/vm/mmap_min_addr"),
)
"""Read: where the driver looks for its cards. Not `/sys` as a whole: debugging and firmware are no business of a procedure."""

_LIBRARY = "libcuda.so.1"
_USUAL_FOLDERS = (
    *("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"),
    *("/usr/local/nvidia/lib64", "/usr/local/nvidia/lib"),
)
_LDCONFIG = ("/sbin/ldconfig", "/usr/sbin/ldconfig")
_LONGEST_REASON, _LONGEST_NAME = 300, 100


class NoDeviceError(SandboxError):
    """CUDA was asked for, and no CUDA device can be used inside the sandbox.

    Attributes:
        reason: Why, in a few words.
    """

    def __init__(self, reason: str) -> None:
        """Keep the reason and say what can be done."""
        self.reason = reason[:_LONGEST_REASON]
        super().__init__(
            f"--device cuda was asked, and no CUDA device can be used inside the sandbox: {self.reason}; run with --device cpu "
            "or auto"
        )


def nodes() -> tuple[str, ...]:
    """The NVIDIA device nodes that exist: every GPU, then what they share. Not those that set up displays or divide a GPU."""
    try:
        gpus = sorted((path for path in _DEV.iterdir() if _ONE_GPU.fullmatch(path.name)), key=lambda path: int(path.name[6:]))
    except OSError:
        gpus = []
    return tuple(str(path) for path in (*gpus, *(_DEV / name for name in _SHARED_NODES)) if path.exists())


def require_nodes() -> None:
    """See that every node is there without which CUDA cannot start.

    Raises:
        NoDeviceError: If one is missing.
    """
    found = {Path(node).name for node in nodes()}
    if not any(_ONE_GPU.fullmatch(name) for name in found):
        raise NoDeviceError("there is no NVIDIA device node")
    missing = [f"/dev/{name}" for name in _NEEDED_NODES if name not in found]
    if missing:
        raise NoDeviceError(f"there is no {' and no '.join(missing)}, which nvidia-modprobe -c 0 -u makes")


def driver_folders() -> tuple[str, ...]:
    """Folders that hold the driver's library, as the loader finds it: LD_LIBRARY_PATH, its cache, the usual places."""
    wanted = (Path(folder) for folder in (*_own_library_path(), *_cached_folders(), *_USUAL_FOLDERS))
    found = [folder for folder in wanted if (folder / _LIBRARY).exists()]
    # The library is often a link, sometimes into another folder; a mount namespace needs the names as well.
    places = ((folder, folder.resolve(), (folder / _LIBRARY).resolve().parent) for folder in found)
    return tuple(dict.fromkeys(str(place) for three in places for place in three))


def environment(device: DeviceKind, outer: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What a child learns about devices.

    Args:
        device: What it shall compute on.
        outer: The auditor's own environment, of which CUDA_VISIBLE_DEVICES is passed on to a child that may use GPUs.
    """
    told: dict[str, str] = {"AUDITOR_DEVICE": device}
    if device == "cpu":
        return told | {"CUDA_VISIBLE_DEVICES": ""}  # so that the CPU is meant, whatever a library prefers
    if "CUDA_VISIBLE_DEVICES" in outer:
        told["CUDA_VISIBLE_DEVICES"] = outer["CUDA_VISIBLE_DEVICES"]
    folders = driver_folders()
    # What the loader finds by itself stays as it is.
    if folders and not any((Path(folder) / _LIBRARY).exists() for folder in _cached_folders()):
        told["LD_LIBRARY_PATH"] = ":".join(folders)
    return told


def asserted(facts: Mapping[str, float | bool | str]) -> str:
    """The name of the device that a Device step has used.

    Raises:
        NoDeviceError: If its answer names none.
    """
    said = facts.get("device_name")
    name = "".join(character if character.isprintable() else " " for character in said) if isinstance(said, str) else ""
    name = " ".join(name.split())[:_LONGEST_NAME]
    if facts.keys() != {"device", "device_name"} or facts["device"] != "cuda" or not name:
        raise NoDeviceError("the answer from inside names no CUDA device")
    return name


def _own_library_path() -> Iterable[str]:
    return (folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder.startswith("/"))


@lru_cache(maxsize=1)
def _cached_folders() -> tuple[str, ...]:
    """Folders of the driver's library in the loader's cache; none where the cache cannot be asked."""
    program = next((path for path in _LDCONFIG if Path(path).exists()), None)
    if program is None:
        return ()
    listed = subprocess.run([program, "-p"], capture_output=True, text=True, check=False, env={"LC_ALL": "C"}, errors="replace")
    return tuple(
        str(Path(place.strip()).parent)
        for name, arrow, place in (line.partition(" => ") for line in listed.stdout.splitlines())
        if arrow and name.split()[:1] == [_LIBRARY]
    )
