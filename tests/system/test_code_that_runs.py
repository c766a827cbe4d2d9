"""The code that was digested is the code that runs, it finds no other file of its case, and its own clock counts for nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from auditor import case as cases
from auditor.audit.auditing import Options, audit
from auditor.base.domain import Status
from cases import check_of, outcome
from small_cases import foreign, problem, write

LISTED = """\
def learn(self, data, seed):
    return MARK

def unlearn(self, model, data, forget, seed):
    return MARK

def predict(self, model, features):
    return np.full((len(features), 2), 0.5)

def parameters(self, model):
    return np.array([model])
"""
PRYING = """\
def learn(self, data, seed):
    from pathlib import Path

    here, tried = Path(__file__).parent, 0.0
    for folder in (here, here.parent, Path.cwd(), Path.cwd().parent, Path.cwd().parent / "code"):
        for name in ("audit.toml", "deletions.jsonl", "holdout.npz", "train.npz", "model.npz", "rows.txt"):
            tried += (folder / name).exists()
    return tried

def unlearn(self, model, data, forget, seed):
    return model

def predict(self, model, features):
    return np.full((len(features), 2), 0.5)

def parameters(self, model):
    return np.array([model])
"""


def test_code_exchanged_between_digest_and_run_does_not_run(tmp_path: Path) -> None:
    write(tmp_path, *problem(), model=np.array([7.0]), required=("model.reproduced",))
    foreign(tmp_path, LISTED.replace("MARK", "mark.VALUE"))
    honest = (tmp_path / "procedure.py").read_text()
    (tmp_path / "procedure.py").write_text(f"import mark\n{honest}")
    (tmp_path / "mark.py").write_text("VALUE = 7.0\n")
    case = cases.read(tmp_path)
    (tmp_path / "mark.py").write_text("VALUE = 8.0\n")
    (tmp_path / "procedure.py").write_text("raise SystemExit\n")
    found = audit(case, Options(only=("model.reproduced",)))
    assert found.failure is None
    assert found.evidence.check("model.reproduced").value == 0.0
    listed = {each.path: each.sha256 for each in found.evidence.case.inputs}
    assert listed["mark.py"] == hashlib.sha256(b"VALUE = 7.0\n").hexdigest()


def test_a_procedure_finds_no_other_file_of_its_case(tmp_path: Path) -> None:
    features, labels = problem()
    np.savez(tmp_path / "holdout.npz", features=features[:9], labels=labels[:9], ids=np.array([f"h{row}" for row in range(9)]))
    (tmp_path / "rows.txt").write_text("notes")
    write(tmp_path, features, labels, model=np.array([0.0]), data='holdout = "holdout.npz"', required=("model.reproduced",))
    foreign(tmp_path, PRYING, isolation="none")
    found = outcome(tmp_path, only=("model.reproduced",))
    assert found.failure is None
    assert check_of(found.evidence, "model.reproduced").value == 0.0


CLOCKS = """\
def learn(self, data, seed):
    return np.zeros(1)

def unlearn(self, model, data, forget, seed):
    import time

    time.sleep(0.5)
    now = time.perf_counter()
    for name in ("perf_counter", "monotonic", "time"):
        setattr(time, name, lambda: now)
    return model

def predict(self, model, features):
    return np.full((len(features), 2), 0.5)
"""


def test_a_procedure_that_stops_the_clock_is_as_slow_as_it_is(tmp_path: Path) -> None:
    write(tmp_path, *problem(), deleted=[["rec-0001"]], required=("cost.speedup",))
    foreign(tmp_path, CLOCKS)
    with (tmp_path / "audit.toml").open("a") as file:
        file.write("min_speedup = 1.0\n")
    found = check_of(outcome(tmp_path, only=("cost.speedup",)).evidence, "cost.speedup")
    assert found.status is Status.FAIL
    assert found.value is not None
    assert found.value < 1
    assert "by the auditor's clock" in found.basis
