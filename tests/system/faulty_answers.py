"""Procedures for the sandbox tests that run to the end and then answer with something that is no answer."""

# Written the way a careless or hostile controller would.
# ruff: noqa: PTH100, PTH102, PTH103, PTH104, PTH115, PTH118, PTH119, PTH113, PTH120, PTH123, PTH208, PTH211

import contextlib
import json
import os
import threading
import time

import numpy as np
from faulty_procedures import Minimal


class StrangeFacts(Minimal):
    def __init__(self, kind):
        self.kind = kind

    def facts(self, model):
        return {
            "list": [1],
            "nested": {"a": {"b": 1}},
            "nan": {"a": float("nan")},
            "none": {"a": None},
            "number key": {1: 1.0},
            "huge number": {"a": 10**400},
            "huge": {"a": "x" * 2**21},
        }[self.kind]


class StrangePredictions(Minimal):
    def __init__(self, kind):
        self.kind = kind

    def predict(self, model, features):
        n = len(features)
        fine = np.full((n, 2), 0.5)
        return {
            "columns": np.full((n, 4), 0.25),
            "rows": fine[:-1],
            "flat": np.full(n, 1.0),
            "scalar": 1.0,
            "nan": np.where(np.arange(2 * n).reshape(n, 2) == 3, np.nan, fine),
            "infinite": fine * np.inf,
            "integers": np.eye(2, dtype=np.int64)[np.zeros(n, dtype=int)],
            "complex": fine + 0j,
            "strings": fine.astype(str),
            "objects": fine.astype(object),
            "records": np.zeros(n, dtype=[("a", float)]),
            "negative": fine + np.array([1.0, -1.0]),
            "sums": fine + 1e-5,
            "ragged": [[0.5, 0.5], [1.0]],
            "none": None,
        }[self.kind]


class StrangeValues(Minimal):
    """Predicts real values, for regression, and answers optional questions strangely."""

    def __init__(self, kind):
        self.kind = kind

    def predict(self, model, features):
        return {"flat": np.arange(len(features), dtype=float), "column": np.arange(len(features), dtype=float)[:, None]}.get(
            self.kind, np.zeros((len(features), 2))
        )

    def parameters(self, model):
        return {
            "matrix": np.zeros((2, 2)),
            "empty": np.zeros(0),
            "column-major": np.asfortranarray(np.ones((3, 2)))[:, 1],
            "big-endian": np.ones(2, dtype=">f8"),
        }[self.kind]

    def state(self, model):
        return "text"

    def save(self, model, path):
        if self.kind == "two files":
            np.save(path, np.ones(1))
            np.savez(path, np.ones(1))
        elif self.kind == "folder":
            os.mkdir(path)
        elif self.kind == "link":
            os.symlink("/etc/hostname", path)


class TamperingWithFiles(Minimal):
    """Puts something else where the array is expected."""

    def __init__(self, kind):
        self.kind = kind

    def predict(self, model, features):
        np.save = getattr(self, self.kind)
        return np.full((len(features), 2), 0.5)

    def missing(self, path, array, **options):
        pass

    def link(self, path, array, **options):
        with open("elsewhere.npy", "wb") as file:
            np.lib.format.write_array(file, array)
        os.symlink(os.path.abspath("elsewhere.npy"), path)

    def second_name(self, path, array, **options):
        with open("elsewhere.npy", "wb") as file:
            np.lib.format.write_array(file, array)
        os.link("elsewhere.npy", path)

    def pipe(self, path, array, **options):
        os.mkfifo(path)

    def folder(self, path, array, **options):
        os.mkdir(path)

    def swapped_folder(self, path, array, **options):
        folder = os.path.dirname(path)
        os.rename(folder, folder + "-old")
        os.makedirs("other")
        with open(os.path.join("other", os.path.basename(path)), "wb") as file:
            np.lib.format.write_array(file, array)
        os.symlink(os.path.abspath("other"), folder)

    def truncated(self, path, array, **options):
        with open(path, "wb") as file:
            np.lib.format.write_array(file, array)
            file.truncate(file.tell() - 1)

    def pickled(self, path, array, **options):
        with open(path, "wb") as file:
            np.lib.format.write_array(file, array.astype(object), allow_pickle=True)

    def sparse(self, path, array, **options):
        with open(path, "wb") as file:
            file.truncate(2**31)


class TamperingWithAnswers(Minimal):
    """Writes another line than the one that was meant."""

    def __init__(self, kind):
        self.kind = kind

    def learn(self, data, seed):
        dumps = json.dumps
        forged = {
            "huge": lambda answer: "x" * 2**21,
            "no JSON": lambda answer: "nonsense",
            "no object": lambda answer: "[1]",
            "other number": lambda answer: dumps(answer | {"number": 2}),
            "other step": lambda answer: dumps(answer | {"step": "predict"}),
            "twice": lambda answer: dumps(answer) + "\n" + dumps(answer),
            "no method": lambda answer: dumps(answer | {"supported": False}),
            "wrong clock": lambda answer: dumps(answer | {"seconds": 999.0}),
        }[self.kind]
        json.dumps = lambda answer, **options: forged(answer)
        return {}


class AnsweringUnasked(Minimal):
    """Sends a second answer a moment after the first."""

    def learn(self, data, seed):
        channel = next(number for number in range(3, 1000) if self.is_channel(number))
        line = json.dumps({"number": 2, "step": "drop", "supported": True, "facts": {}}).encode() + b"\n"
        threading.Timer(0.2, lambda: os.write(channel, line)).start()
        return {}

    def is_channel(self, number):
        try:
            return os.readlink(f"/proc/self/fd/{number}").startswith("socket:")
        except OSError:
            return False


class RacingWithLinks(Minimal):
    """A thread turns every answer into a link to a file outside, and folders that the auditor makes as well."""

    def __init__(self, outside):
        self.outside = outside
        self.answers = os.path.abspath(os.path.join("..", "answers"))

    def learn(self, data, seed):
        threading.Thread(target=self.race, daemon=True).start()
        return {}

    def parameters(self, model):
        return np.full(4, 1.0)

    def race(self):
        while True:
            time.sleep(0.003)  # sometimes the auditor is quicker
            for folder in (self.answers, os.path.join(self.answers, "..", "inputs")):
                for name in os.listdir(folder):
                    place = os.path.join(folder, name)
                    kept = self.outside if os.path.isfile(place) else os.path.dirname(self.outside)
                    with contextlib.suppress(OSError):
                        os.symlink(kept, place + "~")
                        os.rename(place + "~", place)
