"""How much memory the processes of a worker hold, and how much they may.

Resident pages are the smaller part of what a process can hold. What lies in shared memory stays there when nobody has it mapped
into a page table: memory files, anonymous memory that is shared, files on a file system in memory. Buffers of sockets and pipes
are the kernel's. Each is found here through the descriptors and memory maps of the processes, and counts once, however many
processes hold it. Private pages that a fork shares count once as well, by what the kernel calls proportional set size.

Nothing here stops a process from taking memory: the auditor looks, and ends a worker that holds too much.

Source: Linux `Documentation/filesystems/proc.rst` (smaps_rollup, map_files), `mm/shmem.c`, unix(7), pipe(7).
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_PROC, _GROUPS = Path("/proc"), Path("/sys/fs/cgroup")
_BLOCK = 512
_SOCKET_BYTES = 2 * 212992
"""What can wait in one socket: SO_SNDBUF as an unprivileged process may set it, which the kernel doubles."""
_PIPE_BYTES = 64 * 1024
_IN_MEMORY = {"tmpfs", "ramfs", "hugetlbfs"}
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 - examined, and no file of ours is made there


class Allowance:
    """The memory that workers which run side by side may hold in all; used by several threads."""

    def __init__(self, total: int) -> None:
        """Allow `total` bytes in all."""
        self.total = total
        self._held: dict[int, int] = {}
        self._lock = threading.Lock()

    def is_exceeded_by(self, worker: int, held: int) -> bool:
        """Note what a worker holds: whether all hold too much, and this one at least an equal share of what is allowed."""
        with self._lock:
            self._held[worker] = held
            return sum(self._held.values()) > self.total and held * len(self._held) >= self.total

    def leave(self, worker: int) -> None:
        """Forget a worker that has ended."""
        with self._lock:
            self._held.pop(worker, None)


def default_allowance() -> Allowance:
    """Half of what is free now."""
    return Allowance(free_bytes() // 2)


def free_bytes() -> int:
    """Memory that could be had without swapping, in bytes: of the machine, or of the control group where that has less."""
    lines = (_PROC / "meminfo").read_text(encoding="ascii").splitlines()
    free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    return max(0, min([free, *_free_in_groups()]))


def _free_in_groups() -> Iterator[int]:
    """What is left to the control groups that this process is in, and to those above them, where they limit memory."""
    with suppress(OSError):
        for line in (_PROC / "self" / "cgroup").read_text(encoding="utf-8", errors="replace").splitlines():
            number, controllers, path = line.split(":", 2)
            if number == "0":
                place, limit, used = _GROUPS, "memory.max", "memory.current"
            elif "memory" in controllers.split(","):
                place, limit, used = _GROUPS / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
            else:
                continue
            group = place / path.lstrip("/")
            for each in (group, *group.parents):
                with suppress(OSError, ValueError):  # no such file at the root, or the word "max"
                    # Pages of files that could be given back count as used; what is free is more than this, never less.
                    yield int((each / limit).read_text()) - int((each / used).read_text())
                if each == place:
                    break


def held_bytes(processes: Collection[int], *, enough: int) -> int:
    """Measure the memory of some processes, in bytes.

    Files in memory that have a name are there without them and do not count, but for those in the folder for shared memory.

    Args:
        processes: Their numbers.
        enough: An amount that is not worth a closer look: up to here, pages that processes share may count for each of them.
    """
    shared = _shared_bytes(processes)
    resident = shared + sum(_resident_bytes(pid) for pid in processes)
    return resident if resident <= enough else shared + sum(_own_bytes(pid) for pid in processes)


def shown_bytes(processes: Collection[int]) -> int:
    """Measure what a short look shows of the memory of some processes, in bytes.

    It is all but files in memory that are mapped, open nowhere and not in use: these show in memory maps alone, which are long.
    Pages that processes share may count for each of them.
    """
    return _shared_bytes(processes, maps=False) + sum(_resident_bytes(pid) for pid in processes)


def shared_on_machine() -> int:
    """Measure files in memory and whatever is swapped, of the whole machine, in bytes.

    What memory maps alone show of a process is among them: it cannot grow unless these do.
    """
    found = _fields(_PROC / "meminfo", ("Shmem:", "Hugetlb:", "SwapTotal:", "SwapFree:"))
    return found.get("Shmem:", 0) + found.get("Hugetlb:", 0) + found.get("SwapTotal:", 0) - found.get("SwapFree:", 0)


def peak_bytes(processes: Iterable[int]) -> int:
    """Measure the most resident memory that each of some processes has had, in bytes, added up; 0 where none may be looked into.

    Pages that processes share count for each of them, and files that they have mapped count as well.
    """
    return sum(sum(_fields(_PROC / str(pid) / "status", ("VmHWM:",)).values()) for pid in processes)


def unlinked_bytes(processes: Iterable[int]) -> int:
    """Measure the disk space of files that have no name any more and are held open, in bytes; not those in memory."""
    found = {}
    for pid in processes:
        memory = _devices_in_memory(pid)
        for status in _descriptors(pid):
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 0 and status.st_dev not in memory:
                found[status.st_dev, status.st_ino] = status.st_blocks * _BLOCK
    return sum(found.values())


def lies_in_memory(device: int) -> bool:
    """Whether files on a device, as `os.stat` numbers it, are kept in memory."""
    return device in _devices_in_memory(os.getpid())


def _resident_bytes(pid: int) -> int:
    """Resident and swapped pages of a process, those that it shares among them; 0 where it has ended."""
    return sum(_fields(_PROC / str(pid) / "status", ("VmRSS:", "VmSwap:")).values())


def _own_bytes(pid: int) -> int:
    """The pages of a process but for shared memory, each divided by the processes that have it."""
    found = _fields(_PROC / str(pid) / "smaps_rollup", ("Pss:", "Pss_Shmem:", "SwapPss:"))
    if "Pss:" not in found:
        return _resident_bytes(pid)  # it may not be looked into, and is then taken for all that it shows
    return found["Pss:"] - found.get("Pss_Shmem:", 0) + found.get("SwapPss:", 0)


def _fields(file: Path, names: Collection[str]) -> dict[str, int]:
    """Fields of a file of /proc that are given in kB, in bytes."""
    found = {}
    with suppress(OSError):  # it ended while we looked, or may not be looked into
        content = b"\n" + file.read_bytes()
        for name in names:
            _, there, behind = content.partition(b"\n" + name.encode())
            if there:
                found[name] = int(behind.split(maxsplit=1)[0]) * 1024
    return found


def _shared_bytes(processes: Iterable[int], *, maps: bool = True) -> int:
    """The memory of everything that processes can share: each file in memory, socket and pipe once.

    Args:
        processes: Their numbers.
        maps: Whether to look for files in their memory maps too.
    """
    found: dict[tuple[int, int], int] = {}
    guessed: dict[tuple[int, int], list[tuple[int, int]]] = {}
    own_folders: dict[int, int] = {}
    common = _device_of(_SHARED_MEMORY)
    for pid in processes:
        memory = _devices_in_memory(pid)
        own_folders |= _own_shared_memory(pid)
        for status in _descriptors(pid):
            key = status.st_dev, status.st_ino
            if stat.S_ISREG(status.st_mode) and status.st_dev in memory:
                if status.st_nlink == 0 or status.st_dev == common:
                    found[key] = status.st_blocks * _BLOCK
            elif stat.S_ISSOCK(status.st_mode):
                found[key] = _SOCKET_BYTES
            elif stat.S_ISFIFO(status.st_mode):
                found[key] = _PIPE_BYTES
        for key, first, last, size in _mapped(pid, memory) if maps else ():
            if size is None:
                guessed.setdefault(key, []).append((first, last))
            else:
                found[key] = size
    inside = {key: size for key, size in found.items() if key[0] not in own_folders}
    outside = (_union(parts) for key, parts in guessed.items() if key not in found and key[0] not in own_folders)
    return sum(inside.values()) + sum(outside) + sum(own_folders.values())


def _descriptors(pid: int) -> Iterator[os.stat_result]:
    """What the open descriptors of a process are of."""
    with suppress(OSError), os.scandir(_PROC / str(pid) / "fd") as listed:
        for entry in listed:
            with suppress(OSError):
                yield os.stat(entry.path)  # noqa: PTH116 - a descriptor's own file, whether or not it has a name


def _mapped(pid: int, memory: Collection[int]) -> Iterator[tuple[tuple[int, int], int, int, int | None]]:
    """Files in memory that a process has mapped: device and inode, first and last byte, and the size where it can be seen."""
    process = _PROC / str(pid)
    try:
        lines = (process / "maps").read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        if b"(deleted)" not in line and _SHARED_MEMORY.encode() not in line:
            continue  # of more than a thousand libraries
        # address, permissions, offset, major:minor, inode, path (proc_pid_maps(5))
        words = line.split(maxsplit=5)
        if len(words) < 6 or not (words[5].endswith(b"(deleted)") or words[5].startswith(_SHARED_MEMORY.encode())):
            continue
        major, _, minor = words[3].partition(b":")
        device = os.makedev(int(major, 16), int(minor, 16))
        if device not in memory:
            continue
        begin, end = (int(part, 16) for part in words[0].split(b"-"))
        offset = int(words[2], 16)
        size = None
        with suppress(OSError):  # for the privileged alone
            size = os.stat(process / "map_files" / f"{begin:x}-{end:x}").st_blocks * _BLOCK  # noqa: PTH116
        yield (device, int(words[4])), offset, offset + end - begin, size


def _union(parts: Iterable[tuple[int, int]]) -> int:
    """How many bytes intervals cover together."""
    total, reached = 0, 0
    for first, last in sorted(parts):
        total += max(0, last - max(first, reached))
        reached = max(reached, last)
    return total


def _own_shared_memory(pid: int) -> dict[int, int]:
    """The folder for shared memory of a process with mounts of its own: what lies there, by its device."""
    folder = Path(f"{_PROC}/{pid}/root{_SHARED_MEMORY}")
    try:
        if (_PROC / str(pid) / "ns" / "mnt").readlink() == (_PROC / "self" / "ns" / "mnt").readlink():
            return {}
        device, room = folder.stat().st_dev, os.statvfs(folder)
    except OSError:
        return {}
    return {device: (room.f_blocks - room.f_bfree) * room.f_frsize}


def _device_of(path: str) -> int | None:
    try:
        return Path(path).stat().st_dev
    except OSError:
        return None


def _devices_in_memory(pid: int) -> frozenset[int]:
    """The devices whose files are kept in memory, as a process sees them."""
    try:
        namespace = str((_PROC / str(pid) / "ns" / "mnt").readlink())
    except OSError:
        namespace = ""  # it may not be looked into: by what we see ourselves
    if namespace not in _KNOWN:
        _KNOWN[namespace] = _in_memory(pid if namespace else os.getpid())
    return _KNOWN[namespace]


_KNOWN: dict[str, frozenset[int]] = {}
"""By mount namespace: mounts are many and change rarely."""


def _in_memory(pid: int) -> frozenset[int]:
    found = set()
    with suppress(OSError, AttributeError):
        file = os.memfd_create("auditor", os.MFD_CLOEXEC)
        found.add(os.fstat(file).st_dev)
        os.close(file)
    with suppress(OSError):
        for line in (_PROC / str(pid) / "mountinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            before, _, behind = line.partition(" - ")
            if behind.split(" ", 1)[0] in _IN_MEMORY:
                major, _, minor = before.split()[2].partition(":")
                found.add(os.makedev(int(major), int(minor)))
    return frozenset(found)
