"""The price of auditing an exact retrainer: whole audits with one, two and three batches against one bare training.

The procedure is a class of the case's: full-batch gradient descent on a network of 64-64-10 in NumPy, on all digits.
One training is timed in a process of its own, of one thread, with nothing else running, right before each audit and right after
it: the machine's pace changes within minutes. The log has batches of three records. The audit is the whole command, from case to
PDF, on two processes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.measuring import Figure, command
from sample_models.digits import ten_digits

RECORDS, EXTRA_S = 3, 5.0
"""Records of a batch; seconds of an audit that are no trainings."""
_CODE = '''\
import numpy as np


class Network:
    """Full-batch gradient descent on one hidden layer, from scratch at every batch."""

    def learn(self, data, seed):
        rng = np.random.default_rng(seed)
        inputs, wanted = data.features, np.eye(10)[data.labels]
        first, second = 0.1 * rng.normal(size=(inputs.shape[1], 64)), 0.1 * rng.normal(size=(64, 10))
        for _ in range({steps}):
            hidden = np.tanh(inputs @ first)
            error = (self._chances(hidden @ second) - wanted) / len(wanted)
            back = (error @ second.T) * (1 - hidden**2)
            second = second - 0.5 * hidden.T @ error
            first = first - 0.5 * inputs.T @ back
        return first, second

    def unlearn(self, model, data, forget, seed):
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def predict(self, model, features):
        return self._chances(np.tanh(features @ model[0]) @ model[1])

    def parameters(self, model):
        return np.concatenate([each.ravel() for each in model])

    def state(self, model):
        return self.parameters(model).tobytes()

    def save(self, model, path):
        with open(path, "wb") as file:
            np.savez(file, parameters=self.parameters(model))

    def load(self, path):
        with np.load(path) as file:
            every = file["parameters"]
        return every[: 64 * 64].reshape(64, 64), every[64 * 64 :].reshape(64, 10)

    def _chances(self, scores):
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)
'''
_CASE = """
[case]
name = "retrainer"
[data]
train = "train.npz"
task = "classification"
[procedure]
entry = "procedure.py:Network"
seed = "250683111947730262018455123396704418295"
[deletions]
log = "deletions.jsonl"
[claims]
retraining = true
attested = ["code-clean"]
attested_by = "the benchmark"
attested_at = "2026-06-01"
[policy]
required = ["log.consistency", "log.deadlines", "data.erased"]
"""
_BARE = """
import sys, time
from types import SimpleNamespace
import numpy as np
sys.path.insert(0, sys.argv[1])
from procedure import Network
with np.load(sys.argv[1] + "/train.npz") as file:
    data = SimpleNamespace(features=file["features"], labels=file["labels"], ids=file["ids"])
started = time.perf_counter()
Network().learn(data, 1)
print(time.perf_counter() - started)
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the training and of the logs."""

    steps: int
    batches: dict[str, int]
    """How many batches the log of each row has."""
    rounds: int
    options: tuple[str, ...] = ()
    """Further options of the audit."""


USUAL = Sizes(steps=4_000, batches={"one-batch": 1, "two-batches": 2, "three-batches": 3}, rounds=1)
TINY = Sizes(steps=2, batches={"one-batch": 1}, rounds=1, options=("--quick", "--only", "log.consistency"))


def write_case(folder: Path, sizes: Sizes, batches: int) -> None:
    """Write a case whose log has so many batches."""
    both = ten_digits()
    features, labels, ids = (np.concatenate([getattr(part, name) for part in both]) for name in ("features", "labels", "ids"))
    np.savez(folder / "train.npz", features=features, labels=labels, ids=ids)
    rows = [
        {
            "request_id": f"R{batch}",
            "record_ids": [str(each) for each in ids[RECORDS * batch : RECORDS * (batch + 1)]],
            "received_at": f"2026-01-0{batch + 1}T09:00:00Z",
            "executed_at": f"2026-01-1{batch + 1}T09:00:00Z",
        }
        for batch in range(batches)
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "audit.toml").write_text(_CASE, encoding="utf-8")
    (folder / "procedure.py").write_text(_CODE.replace("{steps}", str(sizes.steps)), encoding="utf-8")


def _trained(folder: Path) -> float:
    """Seconds of one training in a process of its own."""
    found = subprocess.run([sys.executable, "-c", _BARE, str(folder)], check=True, capture_output=True, text=True)
    return float(found.stdout)


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time each audit between two trainings, several times over."""
    for row, batches in sizes.batches.items():
        ratios = []
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_case(folder, sizes, batches)
            for _ in range(sizes.rounds):
                before = _trained(folder)
                words = ("check", str(folder), "--fresh", "--quiet", "--jobs", "2", *sizes.options)
                taken = command(*words, codes=(0, 1, 3)).seconds
                ratios.append((taken - EXTRA_S) / fmean((before, _trained(folder))))
        yield Figure(row, tuple(ratios), "trainings")
