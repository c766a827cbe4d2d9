"""Procedures for the sandbox tests: one that does everything right, and one for each way of doing something wrong."""

# Written the way a careless or hostile controller would.
# ruff: noqa: FURB122, PTH101, PTH102, PTH103, PTH109, PTH123

import mmap
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np


class Good:
    """Averages of features by label; its model is changed in place by unlearning."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def learn(self, data, seed):
        return {"rows": len(data.ids), "ids": list(data.ids), "weights": np.random.default_rng(seed).normal(size=3) * self.scale}

    def unlearn(self, model, data, forget, seed):
        assert model["rows"] == len(data.ids)
        assert forget.dtype == np.int64
        model["rows"] -= len(forget)
        model["weights"] += 1.0
        return model

    def refit(self, model, data, seed):
        return {"rows": len(data.ids), "ids": list(data.ids), "weights": model["weights"] + 2.0}

    def predict(self, model, features):
        features *= 0.0  # what it is given is its own
        return np.full((len(features), 2), 0.5, dtype=np.float32)

    def parameters(self, model):
        return model["weights"]

    def state(self, model):
        return ",".join(model["ids"]).encode()

    def save(self, model, path):
        np.savez(path, weights=model["weights"])  # NumPy appends .npz to the path

    def facts(self, model):
        return {"rows": np.int64(model["rows"]), "scale": self.scale, "fine": np.bool_(True), "kind": "mean"}


class Minimal:
    """Every method that a procedure must have, and no other."""

    def __init__(self, **settings):
        self.settings = settings

    def learn(self, data, seed):
        return {"seed": seed}

    def unlearn(self, model, data, forget, seed):
        return {"seed": seed}

    def predict(self, model, features):
        return np.full((len(features), 2), 0.5)


class Constant(Minimal):
    """Its model is an immutable value, which unlearning returns as it is."""

    def learn(self, data, seed):
        return 0.5

    def unlearn(self, model, data, forget, seed):
        return model


class Environment(Minimal):
    """Tells what it sees of the world around it."""

    def facts(self, model):
        facts = {f"env {name}": value for name, value in os.environ.items()}
        facts |= {"cwd": os.getcwd(), "pid": os.getpid(), "hash": str(hash("a string")), "stdin": sys.stdin.read()}
        facts |= {
            name: str(resource.getrlimit(getattr(resource, name))) for name in ("RLIMIT_CORE", "RLIMIT_NOFILE", "RLIMIT_FSIZE")
        }
        facts |= {"leader": os.getpid() == os.getsid(0) == os.getpgid(0)}
        facts |= {
            "heavy": ",".join(
                name for name in ("torch", "sklearn", "pandas", "scipy", "pydantic", "joblib") if name in sys.modules
            )
        }
        return facts


class Babbling(Minimal):
    def learn(self, data, seed):
        print('{"number": 1, "step": "learn", "failed": "a lie"}', flush=True)
        os.write(1, b"\x00\xff{garbage\n" * 1000)
        os.write(2, b"\x1b[31mmore\n")
        return {}


class Raising(Minimal):
    def learn(self, data, seed):
        print("\x1b[31mred\x07 \u202ealert", file=sys.stderr)
        raise ArithmeticError(f"seed {seed} of record {data.ids[0]}")


class RaisingDeep(Minimal):
    def learn(self, data, seed):
        print("before", file=sys.stderr, flush=True)
        self.deep(5)

    def deep(self, left):
        return self.deep(left - 1) if left else self.deeper()

    def deeper(self):
        raise ValueError("at the bottom")


class Squatting(Minimal):
    """Takes the names of folders that the auditor is about to make."""

    def learn(self, data, seed):
        for number in range(10):
            os.mkdir(f"../answers/{number}.saved")
        return {}

    def save(self, model, path):
        np.savez(path, weights=[1.0])


class NamesSeed(Minimal):
    def learn(self, data, seed):
        raise type(f"Seed_{seed}", (Exception,), {})(seed)


class TellsSeed(Minimal):
    def facts(self, model):
        return {"start": model["seed"]}


class TellsSeedAsText(Minimal):
    def facts(self, model):
        return {"start": f"began at {model['seed']}"}


class RaisingOnBuild(Minimal):
    def __init__(self):
        raise KeyError("no")


class WithoutPredict:
    def learn(self, data, seed):
        return {}

    unlearn = learn


class Hanging(Minimal):
    def learn(self, data, seed):
        print("thinking", file=sys.stderr, flush=True)
        time.sleep(600)


class Slow(Minimal):
    def learn(self, data, seed):
        time.sleep(1.1)
        return {}


class Forking(Minimal):
    """Leaves processes behind: one in its group, one in a session of its own."""

    def learn(self, data, seed):
        self.pids = []
        for own_session in (False, True):
            child = subprocess.Popen(["/bin/sleep", "600"], start_new_session=own_session)
            self.pids.append(child.pid)
        if os.fork() == 0:  # holds the channel open
            time.sleep(600)
        return {}

    def facts(self, model):
        return {"group": self.pids[0], "stray": self.pids[1]}


class Multiplying(Minimal):
    def learn(self, data, seed):
        for _ in range(200):
            if os.fork() == 0:
                time.sleep(600)
        time.sleep(600)


class Wiped(Minimal):
    """Leaves a process behind that has a session of its own, no parent, and no environment that names the job."""

    def learn(self, data, seed):
        script = "/bin/sleep 600 >/dev/null 2>&1 & echo $!"
        command = ["/usr/bin/env", "-i", "/usr/bin/setsid", "/bin/sh", "-c", script]
        self.pid = int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        return {}

    def facts(self, model):
        return {"stray": self.pid}


class ForkingAndExiting(Forking):
    def unlearn(self, model, data, forget, seed):
        os._exit(0)


class Flooding(Minimal):
    def learn(self, data, seed):
        while True:
            os.write(1, b"x" * 65536)


class FloodingAtOnce(Minimal):
    def learn(self, data, seed):
        os.write(2, b"x" * (3 * 1024 * 1024))
        return {}


class Hungry(Minimal):
    def learn(self, data, seed):
        hoard = []
        while True:
            hoard.append(np.ones(2**20))
            time.sleep(0.001)


class HungryAtOnce(Minimal):
    def learn(self, data, seed):
        return {"hoard": b"x" * 2**29}


class HungryBeyondMaps(Minimal):
    """Holds memory that is in no page table: shared, and given back by all who had it mapped."""

    def learn(self, data, seed):
        hoard = []
        while True:
            hoard.append(mmap.mmap(-1, 2**22))
            hoard[-1].write(b"x" * 2**22)
            hoard[-1].madvise(mmap.MADV_DONTNEED)
            time.sleep(0.002)


class Sharing(Minimal):
    """A table that forks read together: far less memory than the sum of what each of them shows."""

    def learn(self, data, seed):
        table = np.ones(2**23)
        for _ in range(5):
            if os.fork() == 0:
                table.sum()
                time.sleep(600)
        time.sleep(1.0)
        return {}


class HidingDisk(Minimal):
    """Fills the disk with files that have no name."""

    def learn(self, data, seed):
        self.files = []
        while True:
            self.files.append(tempfile.TemporaryFile())  # noqa: SIM115
            self.files[-1].write(b"x" * 2**20)
            self.files[-1].flush()
            time.sleep(0.02)


class FillingDisk(Minimal):
    def learn(self, data, seed):
        for number in range(100000):
            with open(f"file{number}", "wb") as file:
                file.write(b"x" * 2**20)
            time.sleep(0.02)


class OneLargeFile(Minimal):
    def learn(self, data, seed):
        with open("file", "wb") as file:
            for _ in range(20):
                file.write(b"x" * 2**20)


class SealingScratch(Minimal):
    def learn(self, data, seed):
        os.makedirs("deep/deeper")
        open("deep/deeper/file", "w").close()
        os.chmod("deep/deeper", 0)
        os.chmod("deep", 0)
        os.chmod("..", 0o500)
        return {}


class Nesting(Minimal):
    """Makes folders within folders, deeper than any path is long, and comes back before anybody looks."""

    def learn(self, data, seed):
        for _ in range(1100):
            os.mkdir("d")
            os.chdir("d")
        return {}


class ReturningNone(Minimal):
    def learn(self, data, seed):
        return None


class ReturningItself(Minimal):
    def learn(self, data, seed):
        return self


class Exiting(Minimal):
    def learn(self, data, seed):
        os._exit(0)


class ExitingPolitely(Minimal):
    def learn(self, data, seed):
        sys.exit(3)


class Killed(Minimal):
    def learn(self, data, seed):
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(600)


class KilledLater(Minimal):
    """Ends between two steps."""

    def learn(self, data, seed):
        threading.Timer(0.2, lambda: os._exit(0)).start()
        return {}


class ClosingChannel(Minimal):
    def learn(self, data, seed):
        os.closerange(3, 1000)
        time.sleep(600)
