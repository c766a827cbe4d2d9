"""A procedure that looks for what its process inherited, and leaves training data wherever it can."""

import ctypes
import json
import os
import random
import tempfile
from pathlib import Path

import numpy as np

DRAWN = [float(np.random.rand()), random.random(), next(tempfile._get_candidate_names())]  # noqa: NPY002


class Looking:
    """Says what it finds: descriptors, environment, first random numbers, and secrets that begin as it is told."""

    def __init__(self, begins="", parent=0):
        self.begins, self.parent = begins, int(parent)

    def learn(self, data, seed):
        return {}

    def unlearn(self, model, data, forget, seed):
        return model

    def predict(self, model, features):
        return np.full((len(features), 2), 0.5)

    def state(self, model):
        found = [json.dumps(DRAWN), " ".join(sorted(os.environ)), " ".join(self._descriptors()), f"secrets {self._secrets()}"]
        return "\n".join([*found, f"environment of the auditor {self._of_the_auditor()}"]).encode()

    def _descriptors(self):
        for number in range(1024):
            try:
                yield f"{number}:{str(Path(f'/proc/self/fd/{number}').readlink()).partition(':')[0]}"
            except OSError:
                try:
                    os.fstat(number)
                    yield f"{number}:unnamed"
                except OSError:
                    continue

    def _secrets(self):
        """How often a secret is in memory; the one who looks for it has the beginning, reversed, and no more."""
        wanted = bytes(reversed(self.begins.encode()))
        count = 0
        for line in Path("/proc/self/maps").read_text().splitlines():
            place, access, *_, name = [*line.split(maxsplit=5), ""][:7]
            if not access.startswith("rw") or "vvar" in name or "vsyscall" in name:
                continue
            begin, end = (int(each, 16) for each in place.split("-"))
            if end - begin < 1 << 28:
                held = ctypes.string_at(begin, end - begin)
                place = held.find(wanted)
                while wanted and place >= 0:
                    # What follows is put together nowhere here, where it would find itself.
                    count += held[place + len(wanted) : place + len(wanted) + 1] == b"-"
                    place = held.find(wanted, place + 1)
        return count

    def _of_the_auditor(self):
        try:
            return "read" if Path(f"/proc/{self.parent}/environ").read_bytes() else "empty"
        except OSError:
            return "closed"


class Leaving(Looking):
    """Writes the rows that it learns from to every place that it may write to, then hangs."""

    def learn(self, data, seed):
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", str(Path.home()), str(Path.cwd())):
            try:
                (Path(folder) / f"left-{self.begins}").write_bytes(data.features.tobytes())
            except OSError:
                continue
        print("left", file=__import__("sys").stderr, flush=True)
        while True:
            pass
