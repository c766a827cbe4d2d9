"""What is carried from one update to the next beside the model is found wherever it is hidden, and named."""

from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.checks import stateless
from auditor.checks.devices import on_cpu
from auditor.domain import How, Status
from auditor.jobs import run
from auditor.sandbox import Level
from small_cases import AUDIT, problem, write_log

PROCEDURES = Path(__file__).with_name("stateful_procedures.py")
CLAIM = "[claims]\ndata_deletion = { q = 2.0, epsilon = 0.1 }"


def tried(folder, name, *, rest=CLAIM, seed=5):
    """The finding and its check for one of the procedures."""
    features, labels = problem(30, 3)
    np.savez(folder / "train.npz", features=features, labels=labels, ids=np.array([f"r{i}" for i in range(30)]))
    (folder / "procedure.py").write_bytes(PROCEDURES.read_bytes())
    entry = f'entry = "procedure.py:{name}"'
    (folder / "audit.toml").write_text(AUDIT.format(data="", procedure=entry, seed=7, rest=rest).replace('"7"', "7"))
    write_log(folder, [["r0"]])
    trial = stateless.Trial(cases.read(folder), seed=seed, level=Level.PROCESS, where=on_cpu())

    def together(jobs):
        return run(jobs, workers=2, on_step=lambda *_: None)

    found = trial.judge(together(trial.jobs), run=together)
    return found, found.checks[0]


@pytest.mark.parametrize(
    ("name", "kind", "where"),
    [
        ("Attribute", "attribute", "Attribute.deleted"),
        ("ModuleGlobal", "module global", "procedure.py: COUNT"),
        ("ClassAttribute", "attribute", "procedure.py: ClassAttribute.seen"),
        ("InFile", "file", "home/deleted.txt"),
        ("Cached", "cache", "procedure.py: latest"),
        ("GlobalGenerator", "generator", "the global generator of numpy.random"),
        ("Closure", "attribute", "procedure.py: Closure.count"),
        ("SavedFile", "model file", "what the file of save() holds beyond the parameters"),
        ("HiddenInPredictions", "attribute", "HiddenInPredictions.deleted"),
    ],
)
def test_a_hidden_state_is_found_and_named(tmp_path, name, kind, where):
    found, check = tried(tmp_path, name)
    assert check.status is Status.FAIL
    assert check.value == len(check.details["cases"]) > 0
    assert {"name": where, "kind": kind} in check.details["carried"]
    assert (where in check.basis) is (kind != "model file")
    assert found.facts[0].how is How.REFUTED


@pytest.mark.parametrize("name", ["Clean", "Narrow", "ReseededGlobalGenerator"])
def test_what_carries_nothing_passes(tmp_path, name):
    found, check = tried(tmp_path, name)
    assert check.status is Status.PASS
    assert check.value == check.threshold == 0
    assert check.details["deterministic"] is True
    assert check.details["cases"] == []
    assert [each["came_out"] for each in check.details["resumed"]] == ["the same", "the same"]
    # A test that finds nothing proves nothing of updates that were not run.
    assert found.facts[0].how is How.ATTESTED
