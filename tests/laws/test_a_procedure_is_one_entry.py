"""A procedure is added by one entry and one file that learns: no line of the core changes, and a case with it is audited whole.

The package is copied with a part more, into an environment of its own, so that the sandbox's processes find the part as well.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import textwrap
import venv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.recheck import recheck
from auditor.settings.builtin import by_use, entries
from auditor.settings.learning import Foreign

PART = """
from auditor.base.parts import Part

PART = Part("made_up", "nearest centroids", procedures=("settings",))
"""
SETTINGS = '''
"""The table of the procedure `centroids`, and its entry."""

from typing import Annotated, Final, Literal

from auditor.base.domain import Message
from auditor.settings.builtin import USE, Carried, Entry, Procedure, one_of
from auditor.settings.values import Positive, Seed

HOME = "auditor.parts.made_up"


class Centroids(Procedure):
    """The nearest class, by the distance from the mean of its records."""

    use: Annotated[Literal["centroids"], USE] = "centroids"
    """The name of the procedure."""
    width: Positive = 1.0
    """What distances are divided by."""
    unlearn: Annotated[Literal["retrain", "none"], one_of("way of unlearning", ("retrain", "none"))] = "retrain"
    """Whether a batch is answered by training from scratch, or not at all."""
    seed: Seed
    """Draws nothing."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """Width and way of unlearning."""
        return {"width": self.width, "unlearn_by": self.unlearn}

    @property
    def trains_again(self) -> bool:
        """Unless a batch changes nothing."""
        return self.unlearn == "retrain"

    @property
    def carried(self) -> Carried:
        """Nothing but the means."""
        return Carried(Message("carried.parameters" if self.hands_model_on else "carried.retrained"))


PROCEDURES: Final = (Entry(Centroids, build=f"{HOME}.learning.centroids:Nearest", of_data=f"{HOME}.learning.centroids:of_data"),)
'''
LEARNER = '''
"""Learns the mean of each class."""

import numpy as np


def of_data(case, table):
    """Give the labels of the training data."""
    return {"classes": np.unique(case.train.labels).tolist()}


class Nearest:
    """Nearest centroids."""

    def __init__(self, *, width, unlearn_by, classes):
        self.width, self.unlearn_by, self.classes = width, unlearn_by, classes

    def learn(self, data, seed):
        return np.stack([data.features[data.labels == each].mean(axis=0) for each in self.classes])

    def unlearn(self, model, data, forget, seed):
        if self.unlearn_by == "none":
            return model
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data)), forget)), seed)

    def predict(self, model, features):
        scores = -np.linalg.norm(features[:, None] - model[None], axis=2) / self.width
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def parameters(self, model):
        return model.ravel()

    def state(self, model):
        return model.tobytes()

    def save(self, model, path):
        with open(path, "wb") as file:
            np.save(file, model)

    def load(self, path):
        return np.load(path, allow_pickle=False)
'''
AUDIT = """
[case]
name = "small"

[data]
train = "train.npz"
holdout = "holdout.npz"
store = "store.npz"
task = "classification"

[procedure]
use = "{use}"
{keys}
seed = "278189252447704765151761555871619860438"

[deletions]
log = "deletions.jsonl"

[claims]
retraining = true

[policy]
required = ["log.consistency", "data.erased", "release.exact", "utility.accuracy"]
max_accuracy_drop = 0.2
"""


TABLES = {entry.table.__name__ for entry in entries().values()} | {Foreign.__name__}


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment whose `auditor` has a part more than this one."""
    folder = tmp_path_factory.mktemp("extended")
    package = Path(auditor.__file__).parent
    shutil.copytree(package, folder / "auditor")
    (folder / "templates").symlink_to(package.parent / "templates")
    part = folder / "auditor" / "parts" / "made_up"
    (part / "learning").mkdir(parents=True)
    for name, text in (("__init__", ""), ("part", PART), ("settings", SETTINGS), ("learning/__init__", "")):
        (part / f"{name}.py").write_text(text)
    (part / "learning" / "centroids.py").write_text(LEARNER)
    venv.create(folder / "environment", symlinks=True)
    (site,) = (folder / "environment").glob("lib/python*/site-packages")
    (site / "extended.pth").write_text(f"{folder}\n{sysconfig.get_paths()['purelib']}\n")
    return folder / "environment" / "bin" / "python"


def case(folder: Path, keys: str, *, use: str = "centroids") -> Path:
    rng = np.random.default_rng(3)
    folder.mkdir()
    for name, start, size in (("train", 0, 60), ("holdout", 100, 30)):
        labels = np.arange(size) % 2
        features = np.round(rng.normal(size=(size, 3)) + labels[:, None], 6)
        ids = np.array([f"r{start + at}" for at in range(size)])
        np.savez(folder / f"{name}.npz", features=features, labels=labels, ids=ids)
        if name == "train":
            left = np.setdiff1d(np.arange(size), [5])
            np.savez(folder / "store.npz", features=features[left], labels=labels[left], ids=ids[left])
    row = {"request_id": "REQ-1", "record_ids": ["r5"], "received_at": "2026-01-10T09:00:00+01:00"}
    (folder / "deletions.jsonl").write_text(json.dumps(row | {"executed_at": "2026-01-20T09:00:00+01:00"}) + "\n")
    (folder / "audit.toml").write_text(AUDIT.format(keys=keys, use=use))
    return folder


def run(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(python), "-P", "-m", "auditor", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


AUDITING = """
import json, sys
from pathlib import Path
from auditor import case
from auditor.audit.auditing import Options, audit
from auditor.recheck import recheck

folder = Path(sys.argv[1])
evidence = audit(case.read(folder), Options(quick=True)).evidence.to_bytes()
(folder / "evidence.json").write_bytes(evidence)
print(json.dumps([json.loads(evidence), recheck(folder / "evidence.json").agrees]))
"""


def audited(python: Path, folder: Path) -> dict[str, Any]:
    command = [str(python), "-P", "-c", AUDITING, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    evidence, agrees = json.loads(done.stdout)
    assert agrees
    assert evidence["audit"]["failure"] is None
    assert evidence["procedure"]["use"] == "centroids"
    return evidence


def test_a_case_with_a_procedure_of_a_new_part_is_audited_and_verified(extended: Path, tmp_path: Path) -> None:
    evidence = audited(extended, case(tmp_path / "case", "width = 0.5"))
    assert evidence["procedure"]["settings"]["width"] == 0.5
    checks = {each["id"]: each["status"] for each in evidence["checks"]}
    assert (checks["release.exact"], checks["utility.accuracy"]) == ("pass", "pass")
    # An installation without the part agrees with nothing that it cannot judge, and says why.
    outcome = recheck(tmp_path / "case" / "evidence.json")
    assert not outcome.agrees
    said = [str(finding) for document in outcome.documents for finding in document.findings]
    assert any('use names "centroids", a procedure that this installation does not have' in each for each in said)


@pytest.mark.slow  # a second audit; the test before it audits a case of the same procedure
def test_a_procedure_of_a_new_part_that_keeps_its_model_does_not_pass(extended: Path, tmp_path: Path) -> None:
    """What hands its model on is not asked for a clean room, and no required check stands in for it."""
    evidence = audited(extended, case(tmp_path / "case", 'unlearn = "none"'))
    assert {each["id"]: each["status"] for each in evidence["checks"]}["release.exact"] == "skipped"
    assert evidence["verdict"] != "pass"


def test_what_is_wrong_with_its_table_is_named_all_at_once(extended: Path, tmp_path: Path) -> None:
    done = run(extended, "validate", str(case(tmp_path / "case", 'widht = 1.0\nunlearn = "retrian"', use="centroid")))
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == 2
    listed = "centroids, certified-removal, estimator, ftrl, ngram, noisy-gd, noisy-sgd, sklearn, torch"
    assert f"one of {listed} (did you mean centroids?)" in said
    for place, meant in (("procedure.widht", "width"), ("procedure.unlearn", "retrain")):
        assert place in said
        assert f"(did you mean {meant}?)" in said


def test_a_name_that_two_parts_bring_is_refused() -> None:
    """Whichever came last would be audited as the other: by theorems that do not cover it."""
    newton = entries()["certified-removal"]
    with pytest.raises(ValueError, match="brought twice, by first and second"):
        by_use([("first", newton), ("second", newton)])


def test_nothing_asks_for_the_class_of_a_procedures_table() -> None:
    """Judges and the core ask for what a table declares: what none of them names, they cannot forget."""
    home = Path(auditor.__file__).parent
    found = []
    for path in sorted(home.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not TABLES & set(re.findall(r"\w+", text)):
            continue
        for node in ast.walk(ast.parse(text)):
            asked: list[ast.AST] = [node.cls] if isinstance(node, ast.MatchClass) else []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"isinstance", "issubclass"}:
                asked += ast.walk(node.args[1])
            names = {each.id for each in asked if isinstance(each, ast.Name)}
            found += [f"{path.relative_to(home)}: {name}" for name in sorted(names & TABLES)]
    assert found == []


def test_tables_are_read_without_what_learns() -> None:
    script = """
        import json, sys
        from auditor.settings.builtin import entries
        from auditor.settings.tables import Settings
        Settings.model_rebuild()
        learners = [name for name in sys.modules if name.startswith("auditor.parts.") and ".learning" in name]
        print(json.dumps([len(entries()), learners, sorted({"torch", "sklearn", "pandas", "scipy"} & set(sys.modules))]))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [8, [], []]
