"""An audit that is killed in the middle of a training goes on from its checkpoint, to the evidence of an undisturbed one."""

import contextlib
import os
import subprocess
import sys
import time

import pytest
import safetensors.numpy

import small_cases
from auditor.sandbox.runs import FOLDER
from benchmarks.kill_and_resume import timeless
from cases import replace

ENOUGH = 5
"""Epochs that are done when the audit is killed; a training is examined once a second, which are about three of them."""
CODE = """
import sys, time
from torch import nn
from auditor.learning.training_loop import TrainingLoop

class Procedure(TrainingLoop):
    epochs = 8
    batch = 16
    checkpoint_every = 0.0

    def build(self):
        return nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, self.classes))

    def train(self, module, data):
        optimiser = self.optimiser(module)
        for epoch in self.epochs_of(module, optimiser, data):
            for inputs, labels in self.batches(data):
                optimiser.zero_grad()
                self.loss(module(inputs), labels).backward()
                optimiser.step()
            time.sleep(0.4)
"""


def started(case, out, folder):
    environment = os.environ | {"XDG_STATE_HOME": str(folder / "state")}
    command = [sys.executable, "-m", "auditor", "check", str(case), "--out", str(out), "--only", "release.exact", "--jobs", "1"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def kept(out):
    """How many epochs are done in each kept checkpoint, behind its seal and its seconds."""
    found = {}
    for path in (out / FOLDER).glob("*.checkpoint"):
        with contextlib.suppress(FileNotFoundError):
            found[path.name] = int(safetensors.numpy.load(path.read_bytes().partition(b"\n")[2][8:])["epochs"])
    return found


@pytest.mark.slow  # test_the_same_job_goes_on_and_leaves_no_checkpoint covers the way there and back in a second
def test_an_audit_killed_in_a_training_goes_on(tmp_path):
    case = tmp_path / "case"
    case.mkdir()
    small_cases.write(case, *small_cases.problem(60), required=("release.exact",))
    small_cases.foreign(case, "", isolation="auto")
    (case / "procedure.py").write_text(CODE, encoding="utf-8")
    replace(case, "seed = ", "classes = 2\nseed = ")
    whole = started(case, tmp_path / "undisturbed", tmp_path)
    said = whole.communicate()[1].decode()
    assert (tmp_path / "undisturbed" / "evidence.json").exists(), said
    out = tmp_path / "killed"
    process = started(case, out, tmp_path)
    end = time.monotonic() + 60
    while time.monotonic() < end and max(kept(out).values(), default=0) < ENOUGH:
        time.sleep(0.02)
    process.kill()
    process.communicate()
    ((name, epochs),) = kept(out).items()
    assert epochs >= ENOUGH
    assert not list((out / FOLDER).glob("*.run"))
    again = started(case, out, tmp_path)
    seen = set()
    while again.poll() is None:
        seen.add(kept(out).get(name, epochs))
        time.sleep(0.02)
    said = again.communicate()[1].decode()
    assert min(seen) == epochs, "a training from its beginning writes checkpoints of earlier epochs first"
    assert again.returncode == whole.returncode, said
    assert timeless(out) == timeless(tmp_path / "undisturbed")
    assert not list((out / FOLDER).glob("*.checkpoint"))
