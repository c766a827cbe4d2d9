"""Procedures for the sandbox tests that try to get out, and say how far they came."""

# Written the way a hostile controller would.
# ruff: noqa: BLE001, PTH101, PTH104, PTH107, PTH109, PTH118, PTH120, PTH123, PTH207, PTH208, PTH211, TRY300

import ctypes
import glob
import json
import os
import resource
import signal
import socket
import sys
import time

import numpy as np


class Hostile:
    """Does what `attempts` name while learning; facts tell what succeeded, `ok`, or why it did not."""

    def __init__(self, attempts, **settings):
        self.attempts, self.settings, self.found = attempts, settings, {}

    def learn(self, data, seed):
        for name in self.attempts:
            try:
                self.found[name] = f"ok {getattr(self, name)(**self.settings)}"
            except BaseException as error:
                self.found[name] = f"{type(error).__name__}: {error}"
        return {}

    def unlearn(self, model, data, forget, seed):
        return {}

    def predict(self, model, features):
        return np.full((len(features), 2), 0.5)

    def facts(self, model):
        return self.found

    # Reading

    def read(self, secret, **_):
        with open(secret) as file:
            return file.read()

    def read_by_another_name(self, secret, **_):
        for path in (f"/proc/self/root{secret}", f"/proc/self/cwd/../../../..{secret}", f"/proc/1/root{secret}"):
            try:
                with open(path) as file:
                    return file.read()
            except OSError:
                continue
        os.symlink(secret, "link")
        with open("link") as file:
            return file.read()

    def hard_link(self, secret, **_):
        os.link(secret, "second-name")
        with open("second-name") as file:
            return file.read()

    def list_folder(self, secret, **_):
        return os.listdir(os.path.dirname(secret))

    def list_homes(self, **_):
        listed = []
        for path in ("/", "/home", "/root", "/etc", "/tmp", "/var", "/run", "/proc", "/sys", "/dev"):
            try:
                listed.append((path, len(os.listdir(path))))
            except OSError:
                continue
        return listed

    def read_system(self, **_):
        found = []
        for path in ("/etc/passwd", "/etc/hostname", "/etc/machine-id", "/proc/1/mounts", "/proc/net/tcp", "/proc/1/environ"):
            try:
                with open(path) as file:
                    found.append((path, file.read(10)))
            except OSError:
                continue
        return found

    # Writing

    def write_beside(self, secret, **_):
        with open(os.path.join(os.path.dirname(secret), "written"), "w") as file:
            return file.write("x")

    def write_everywhere(self, secret, token, **_):
        written = []
        for folder in (
            "/tmp",
            "/var/tmp",
            "/dev/shm",
            "/run",
            "/",
            os.path.dirname(sys.executable),
            os.path.dirname(np.__file__),
        ):
            try:
                with open(os.path.join(folder, token), "w") as file:
                    file.write("x")
                written.append(folder)
            except OSError:
                continue
        return written

    def overwrite(self, secret, **_):
        for attempt in (lambda: os.truncate(secret, 0), lambda: os.remove(secret), lambda: os.rename(secret, "taken")):
            try:
                attempt()
            except OSError:
                continue
            return "changed"
        raise PermissionError

    def change_mode(self, secret, **_):
        os.chmod(secret, 0o777)
        os.utime(secret, (0, 0))
        os.chmod(os.path.dirname(secret), 0o777)

    def change_what_is_open(self, **_):
        """As the owner, root for one; the devices are the machine's own even in a mount namespace."""
        for path in (os.__file__, "/dev/null", "/dev/urandom"):
            with open(path, "rb") as file:
                try:
                    os.fchmod(file.fileno(), 0o664)
                    os.utime(path, (1, 1))
                except OSError:
                    continue

    def tamper_with_scratch(self, **_):
        scratch = os.path.dirname(os.getcwd())
        done = []
        for path in (
            glob.glob(f"{scratch}/inputs/*") + glob.glob(f"{scratch}/code/*") + [f"{scratch}/witness", f"{scratch}/inputs/new"]
        ):
            try:
                with open(path, "ab") as file:
                    file.write(b"x")
                done.append(path)
            except OSError:
                continue
        return done

    # Reaching out

    def tcp(self, port, **_):
        return self.connect(socket.AF_INET, 0, port)

    def mptcp(self, port, **_):
        return self.connect(socket.AF_INET, 262, port)

    def connect(self, family, protocol, port):
        with socket.socket(family, socket.SOCK_STREAM, protocol) as client:
            client.settimeout(1)
            return client.connect(("127.0.0.1", port))

    def udp(self, datagram_port, **_):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            return client.sendto(b"secret", ("127.0.0.1", datagram_port))

    def netlink(self, **_):
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0):
            return "made"

    def vsock(self, **_):
        with socket.socket(40, socket.SOCK_STREAM):
            return "made"

    def packet(self, **_):
        with socket.socket(17, socket.SOCK_RAW):
            return "made"

    def abstract(self, token, **_):
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect(f"\0{token}")

    def path_socket(self, path, **_):
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect(path)

    def abstract_by_pair(self, token, **_):
        for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
            try:
                first, second = socket.socketpair(socket.AF_UNIX, kind)
                second.close()
                try:
                    first.connect(f"\0{token}")
                except OSError:
                    first.sendto(b"secret", f"\0{token}-datagram")
                return "sent"
            except OSError:
                continue
        raise PermissionError

    def abstract_by_channel(self, token, **_):
        for number in range(3, 64):
            try:
                channel = socket.socket(fileno=os.dup(number))
            except OSError:
                continue
            with channel:
                return channel.connect(f"\0{token}")
        raise PermissionError

    def resolve(self, **_):
        return socket.getaddrinfo("name.invalid", 80)

    def io_uring(self, **_):
        library = ctypes.CDLL(None, use_errno=True)
        if library.syscall(425, 1, ctypes.create_string_buffer(120)) < 0:
            raise OSError(ctypes.get_errno(), "io_uring_setup")
        return "made"

    def user_namespace(self, **_):
        library = ctypes.CDLL(None, use_errno=True)
        if library.unshare(0x10000000) < 0:
            raise OSError(ctypes.get_errno(), "unshare")
        return "made"

    # Reaching the auditor and other jobs

    def forge(self, victim, victim_scratch, **_):
        done = []
        for path in (f"{victim_scratch}/answers/2.npy", f"{victim_scratch}/inputs/table-0.npy", f"{victim_scratch}/home/x"):
            try:
                with open(path, "wb") as file:
                    file.write(b"forged")
                done.append(path)
            except OSError:
                continue
        for number in range(64):
            try:
                with open(f"/proc/{victim}/fd/{number}", "wb", buffering=0) as file:
                    file.write(json.dumps({"number": 2, "step": "predict", "failed": "forged"}).encode() + b"\n")
                done.append(f"descriptor {number}")
            except OSError:
                continue
        return done

    def trace(self, victim, auditor, **_):
        library = ctypes.CDLL(None, use_errno=True)
        done = [pid for pid in (victim, auditor, os.getppid()) if library.ptrace(0x4206, pid, 0, 0) == 0]
        for pid in (victim, auditor):
            for name in ("mem", "environ", "maps"):
                try:
                    with open(f"/proc/{pid}/{name}", "rb") as file:
                        done.append((pid, name, len(file.read(16))))
                except OSError:
                    continue
        return done

    def limit(self, victim, auditor, **_):
        done = []
        for pid in (victim, auditor):
            try:
                resource.prlimit(pid, resource.RLIMIT_NOFILE, (5, 5))
                done.append(pid)
            except OSError:
                continue
        return done

    def kill(self, victim, auditor, **_):
        done = []
        for pid in (victim, auditor, os.getppid()):
            try:
                os.kill(pid, signal.SIGCONT)
                done.append(pid)
            except OSError:
                continue
        return done

    # Outliving the job

    def outlive(self, token, **_):
        """A grandchild in a session of its own, without a name or an environment to know it by."""
        read, write = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.setsid()
                os.chdir("/")
                os.closerange(3, write)
                os.write(write, b"x")
                os.execve(sys.executable, ["python", "-S", "-E", "-c", "import time; time.sleep(300)", token], {})
            os._exit(0)
        os.read(read, 1)
        time.sleep(0.1)
        return "left"

    def leave_shared_memory(self, token, **_):
        library = ctypes.CDLL(None, use_errno=True)
        segment = library.shmget(int(token, 16) & 0x7FFFFFFF, 4096, 0o1600)
        if segment < 0:
            raise OSError(ctypes.get_errno(), "shmget")
        return segment


class Payload:
    """Where this is unpickled, a file appears."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return (os.system, (f"touch {self.marker}",))


class Pickling:
    """Hands over pickles wherever something is handed over."""

    def __init__(self, kind, marker):
        self.kind, self.payload = kind, Payload(marker)

    def learn(self, data, seed):
        if self.kind == "writer":
            np.save = self.write_pickle
        return {}  # a model stays in the process, and is copied there

    def write_pickle(self, path, array, **options):
        with open(path, "wb") as file:
            np.lib.format.write_array(file, np.array([self.payload], dtype=object), allow_pickle=True)

    def unlearn(self, model, data, forget, seed):
        return model

    def predict(self, model, features):
        return np.array([[self.payload, self.payload]] * len(features), dtype=object)

    def parameters(self, model):
        return np.array([self.payload], dtype=object)
