"""Procedures that look for a way back to where their process came from before it joined namespaces."""

# Written the way a hostile controller would.
# ruff: noqa: BLE001, PTH102, PTH106, PTH110, PTH118, PTH120, PTH123, PTH208, PTH211, SIM115

import ctypes
import os
import platform
import resource
import signal
import socket
import struct
import tempfile
import time
from pathlib import Path

import numpy as np

LIBRARY = ctypes.CDLL(None, use_errno=True)
NUMBERS = {"x86_64": {"setns": 308, "unshare": 272, "mount": 165, "capset": 126, "ptrace": 101, "chroot": 161, "pivot_root": 155}}
NUMBERS["aarch64"] = {"setns": 268, "unshare": 97, "mount": 40, "capset": 91, "ptrace": 117, "chroot": 51, "pivot_root": 41}


def call(name, *arguments):
    if LIBRARY.syscall(NUMBERS[platform.machine()][name], *arguments) < 0:
        raise OSError(ctypes.get_errno(), name)
    return name


def listed(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def numbers():
    """The processes that are there: whether a path exists can be asked where nothing can be listed."""
    return [str(each) for each in range(1, 1 << 12) if os.path.exists(f"/proc/{each}/stat")]


class Returning:
    """Tries what `attempts` name while learning; facts tell what succeeded, `ok`, or why it did not."""

    def __init__(self, attempts=(), secret="", outer=0, only=0):
        self.attempts, self.secret, self.outer, self.found = attempts, secret, int(outer), {}
        self.only = int(only)

    def learn(self, data, seed):
        for name in self.attempts:
            try:
                self.found[name] = f"ok {getattr(self, name)()}"
            except BaseException as error:
                self.found[name] = f"{type(error).__name__}: {error}"
        return {}

    def unlearn(self, model, data, forget, seed):
        return model

    def predict(self, model, features):
        return np.full((len(features), 2), 0.5)

    def facts(self, model):
        return self.found

    # By what is open

    def folder_that_is_open(self):
        done = []
        for number in range(4096):
            for attempt in (os.fchdir, lambda each: os.open("..", os.O_RDONLY, dir_fd=each), os.listdir):
                try:
                    attempt(number)
                except OSError:
                    continue
                done.append(number)
        return done

    def own_links(self):
        """By the links in /proc, which lead where the process itself is, and not where their text says."""
        done = []
        for name in ("root", "cwd", *(f"fd/{number}" for number in range(64)), *(f"map_files/{each}" for each in self._maps())):
            for path in (f"/proc/self/{name}{self.secret}", f"/proc/self/{name}/../../../../../..{self.secret}"):
                try:
                    done.append((path, open(path).read()))
                except OSError:
                    continue
        return done

    def _maps(self):
        for line in open("/proc/self/maps"):
            begin, _, end = line.split(maxsplit=1)[0].partition("-")
            yield f"{int(begin, 16):x}-{int(end, 16):x}"

    def mapped_again(self):
        done = []
        for each in self._maps():
            try:
                done.append(os.open(f"/proc/self/map_files/{each}", os.O_RDWR))
            except OSError:
                continue
        return done

    def write_to_the_interpreter(self):
        done = []
        named = os.open("/proc/self/exe", os.O_PATH)
        for path in ("/proc/self/exe", f"/proc/self/fd/{named}"):
            for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_TRUNC, os.O_WRONLY | os.O_APPEND):
                try:
                    done.append(os.open(path, flags))
                except OSError:
                    continue
            for attempt in (lambda path=path: os.truncate(path, 0), lambda path=path: os.listdir(f"{path}/..")):
                try:
                    done.append(attempt())
                except OSError:
                    continue
        return done

    # By other processes

    def other_processes(self):
        done = []
        found = {self.only} if self.only else {*map(int, numbers()), self.outer, os.getppid(), *range(1, 40)} - {os.getpid()}
        for pid in found:
            for name in ("root", "cwd", "exe", "environ", "mem", "maps", "fd/0", "fd/1", "fd/3", f"root{self.secret}"):
                try:  # opened is enough: who reads from the pipe of another takes away what it waits for
                    os.close(os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_NONBLOCK))
                except OSError:
                    continue
                done.append((pid, name))
        return done

    def trace(self):
        done = []
        for pid in {self.outer, os.getppid(), 1, 2, *range(3, 40)} - {os.getpid(), 0}:
            for request in (16, 0x4206):  # PTRACE_ATTACH and PTRACE_SEIZE
                try:
                    done.append((pid, call("ptrace", request, pid, 0, 0)))
                except OSError:
                    continue
        return done

    def reach_the_outer_half(self):
        done = []
        for attempt in (
            lambda: os.kill(self.outer, signal.SIGCONT),
            lambda: os.pidfd_open(self.outer),
            lambda: resource.prlimit(self.outer, resource.RLIMIT_NOFILE, (5, 5)),
            lambda: os.sched_setaffinity(self.outer, {0}),
            lambda: os.setpriority(os.PRIO_PROCESS, self.outer, 19),
        ):
            try:
                done.append(attempt())
            except OSError:
                continue
        return done

    # By capabilities

    def capabilities(self):
        lines = dict(line.split(":\t", 1) for line in open("/proc/self/status") if ":\t" in line)
        return [name for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") if int(lines[name], 16)]

    def use_capabilities(self):
        done = []
        nothing = ctypes.create_string_buffer(b"none")
        header, everything = struct.pack("II", 0x20080522, 0), struct.pack("IIIIII", *[0xFFFFFFFF] * 6)
        for attempt in (
            lambda: call("capset", header, everything),
            lambda: call("unshare", 0x10000000),
            lambda: call("unshare", 0x00020000),
            lambda: call("mount", nothing, b"/tmp", b"tmpfs", 0, 0),
            lambda: call("mount", b"/", b"/", nothing, 0x1000 | 0x20, 0),
            lambda: call("chroot", b"/tmp"),
            lambda: call("pivot_root", b"/", b"/"),
            lambda: socket.sethostname("another"),
            lambda: os.setuid(os.getuid() + 1),
            lambda: os.setgroups([]),
            lambda: os.mknod("device", 0o20600, os.makedev(1, 1)),
        ):
            try:
                done.append(attempt() or "done")
            except OSError:
                continue
        return done

    def join_others(self):
        done = []
        for kind in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup"):
            for process in ("self", 1, 2):
                try:
                    done.append((kind, call("setns", os.open(f"/proc/{process}/ns/{kind}", os.O_RDONLY), 0)))
                except OSError:
                    continue
        return done

    # By the root, which is a folder of the machine

    def write_to_the_root(self):
        done = []
        for folder in ("/", "/usr", "/proc", "/dev", "/etc", "/sys", "/tmp"):
            for attempt in (
                lambda folder=folder: os.mkdir(os.path.join(folder, "made")),
                lambda folder=folder: open(os.path.join(folder, "written"), "w"),
                lambda folder=folder: os.symlink("/", os.path.join(folder, "link")),
                lambda folder=folder: os.rmdir(folder),
            ):
                try:
                    attempt()
                    done.append(folder)
                except OSError:
                    continue
        return done


class Telling(Returning):
    """Tells what it sees."""

    def learn(self, data, seed):
        self.found = {
            "host": f"{os.uname().nodename} {platform.node()} {socket.gethostname()}",
            "processes": " ".join(sorted(numbers(), key=int)),
            "number": float(os.getpid()),
            "parent": float(os.getppid()),
            "folder": str(Path.cwd()),
            "root": " ".join(sorted(listed("/"))),
            "user": f"{os.getuid()} {os.getgid()} {os.geteuid()} {os.getegid()} {os.getgroups()}",
            "mapping": Path("/proc/self/status").read_text().split("Uid:")[1].splitlines()[0],
        }
        return {}


class Writing(Telling):
    """Names libraries of which one looks for a folder to write to when it is loaded."""

    def learn(self, data, seed):
        from torch import optim  # noqa: PLC0415 - where the test does not run, it is not loaded

        with tempfile.NamedTemporaryFile() as file:
            self.found = {"optimiser": optim.SGD.__name__, "folder": os.path.dirname(file.name), "home": os.environ["HOME"]}
        return {}


class Ending(Returning):
    """Ends what is around it."""

    def learn(self, data, seed):
        for pid in (1, 2, 0, -1):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        return {}


class Holding(Returning):
    """Holds memory in files of the namespaces, which no page of its own shows."""

    def learn(self, data, seed):
        with open("/dev/shm/held", "wb") as file:
            file.writelines(bytes(2**20) for _ in range(200))
        time.sleep(30)
        return {}
