"""What is carried from one update to the next beside the model is found wherever it is hidden, and named."""

from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.devices import on_cpu
from auditor.audit.replay import Replaying
from auditor.audit.updates import draw
from auditor.base.domain import Provenance, Status
from auditor.parts.data_deletion.judging import state_stateless
from auditor.parts.data_deletion.observing import stateless
from auditor.sandbox.jobs import run
from judging import context_of_case, told_check
from levels import forking
from small_cases import AUDIT, problem, write_log

PROCEDURES = Path(__file__).with_name("stateful_procedures.py")
CLAIM = "[claims]\ndata_deletion = { q = 2.0, epsilon = 0.1 }"


def tried(folder, name, *, rest=CLAIM, seed=5, batches=1):
    """The finding and its check for one of the procedures, of a log that deletes one record a batch."""
    return judged(written(folder, name, rest=rest, batches=batches), seed=seed)


def written(folder, name, *, rest=CLAIM, batches=1):
    """The case of one of the procedures."""
    features, labels = problem(30, 3)
    np.savez(folder / "train.npz", features=features, labels=labels, ids=np.array([f"r{i}" for i in range(30)]))
    (folder / "procedure.py").write_bytes(PROCEDURES.read_bytes())
    entry = f'entry = "procedure.py:{name}"'
    (folder / "audit.toml").write_text(AUDIT.format(data="", procedure=entry, seed=7, rest=rest).replace('"7"', "7"))
    write_log(folder, [[f"r{number}"] for number in range(batches)])
    return cases.read(folder)


def judged(case, *, seed):
    """The finding on a case, and its check."""
    return concluded(case, observe(case, seed=seed))


def concluded(case, observed):
    """The finding on what was observed, and its check."""
    found = state_stateless.judge(context_of_case(case), observed, {})
    return found, told_check(stateless.ID, found, observed)


def observe(case, *, seed):
    """What the experiment on a case observes."""
    trial = stateless.Trial(case, seed=seed, level=forking(), where=on_cpu())

    def together(jobs):
        return run(jobs, workers=2, on_step=lambda *_: None)

    replaying, context = Replaying(case, seed=seed, level=forking()), context_of_case(case)
    replay, of_log = replaying.read(together(replaying.jobs)), state_stateless.updates_of_log(context)
    return trial.observe(together(trial.jobs), run=together, replay=replay, of_log=of_log)


def slowly(*values):
    """A further place in the memory of one process, or a further procedure: what acts from there is found as `Attribute` is, and
    every such place is named in tests/parts/data_deletion/test_stateless_parts.py."""
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("name", "kind", "where"),
    [
        ("Attribute", "attribute", "Attribute.deleted"),
        slowly("FromLearningOnly", "attribute", "FromLearningOnly.learned"),
        slowly("ModuleGlobal", "module global", "procedure.py: COUNT"),
        slowly("ClassAttribute", "attribute", "procedure.py: ClassAttribute.seen"),
        ("InFile", "file", "home/deleted.txt"),
        slowly("Cached", "cache", "procedure.py: latest"),
        slowly("GlobalGenerator", "generator", "the global generator of numpy.random"),
        slowly("Closure", "attribute", "procedure.py: Closure.count"),
        ("SavedFile", "model file", "what the file of save() holds beyond the parameters"),
        slowly("HiddenInPredictions", "attribute", "HiddenInPredictions.deleted"),
    ],
)
def test_a_hidden_state_is_found_and_named(tmp_path, name, kind, where):
    found, check = tried(tmp_path, name)
    assert check.status is Status.FAIL
    assert check.value == len(check.details["cases"]) > 0
    assert {"name": where, "kind": kind} in check.details["carried"]
    assert (where in check.basis) is (kind != "model file")
    assert found.facts[0].how is Provenance.REFUTED


def test_a_state_that_acts_on_the_last_update_of_the_log_alone_is_found(tmp_path):
    found, check = tried(tmp_path, "ActsLate", batches=6)
    assert check.status is Status.FAIL
    assert [case["after"] for case in check.details["cases"]] == [5]
    assert "A hidden state acts late." in check.basis
    assert {"name": "ActsLate.deleted", "kind": "attribute"} in check.details["carried"]
    assert found.facts[0].how is Provenance.REFUTED


def test_nothing_carried_along_a_longer_log_passes(tmp_path):
    _, check = tried(tmp_path, "Clean", batches=6)
    assert check.status is Status.PASS
    assert "of the log, each resumed from the parameters that were released before it:" in check.basis
    assert check.details["tried"]["of_log"]["others"] == []


# Along a longer log, "Clean" passes above.
@pytest.mark.parametrize("name", [*map(slowly, ("Clean", "Narrow", "ReseededGlobalGenerator")), "Awkward"])
def test_what_carries_nothing_passes(tmp_path, name):
    found, check = tried(tmp_path, name)
    assert check.status is Status.PASS
    assert check.value == check.threshold == 0
    assert check.details["deterministic"] is True
    assert check.details["cases"] == []
    assert [each["came_out"] for each in check.details["resumed"]] == ["the same", "the same"]
    assert found.facts[0].how is Provenance.MEASURED


@pytest.mark.slow
def test_what_differs_by_chance_is_not_called_stateful(tmp_path):
    found, check = tried(tmp_path, "ByChance")
    assert check.status is Status.INCONCLUSIVE
    assert check.value is None
    assert check.details["deterministic"] is False
    assert all(p > 5e-4 for p in check.details["p_values"].values())
    assert "which shows nothing" in check.basis
    assert found.facts == ()


@pytest.mark.slow
def test_a_hidden_state_is_found_through_chance_as_another_law(tmp_path):
    _, check = tried(tmp_path, "AttributeByChance")
    assert check.status is Status.FAIL
    assert {"name": "AttributeByChance.deleted", "kind": "attribute"} in check.details["carried"]
    assert check.details["deterministic"] is False
    assert "another distribution" in check.details["cases"][0]["how"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("NoLoad", "has no load()"),
        slowly("Refusing", "load() did not take it: OSError"),
        slowly("Strange", "failed: it raised"),
        ("OnlyItsOwnFile", "what it holds beyond the parameters may be state"),
    ],
)
def test_what_cannot_be_resumed_is_open_and_never_a_pass(tmp_path, name, said):
    found, check = tried(tmp_path, name)
    assert check.status is Status.INCONCLUSIVE
    assert check.value is None
    assert said in check.basis
    assert found.facts == ()


def test_without_a_claim_it_is_shown_and_does_not_count(tmp_path):
    case = written(tmp_path, "ModuleGlobal", rest="")
    observed = observe(case, seed=5)
    _, check = concluded(case, observed)
    assert check.status is Status.SKIPPED
    assert check.value == 6
    assert "Informative" in check.basis
    assert check.details["carried"]
    (tmp_path / "listed").mkdir()
    listing = written(tmp_path / "listed", "ModuleGlobal", rest='[policy]\nrequired = ["state.stateless"]')
    _, listed = concluded(listing, observed)
    assert listed.status is Status.FAIL


def test_too_few_records_to_delete_are_said(tmp_path):
    features = np.eye(5)[:, :3]
    np.savez(tmp_path / "train.npz", features=features, labels=np.arange(5), ids=np.array([f"r{i}" for i in range(5)]))
    (tmp_path / "procedure.py").write_bytes(PROCEDURES.read_bytes())
    text = AUDIT.format(data="", procedure='entry = "procedure.py:Clean"', seed=7, rest=CLAIM)
    (tmp_path / "audit.toml").write_text(text)
    write_log(tmp_path, [["r0"]])
    case = cases.read(tmp_path)
    assert stateless.Trial(case, seed=1, level=forking(), where=on_cpu()).jobs == ()
    _, check = judged(case, seed=1)
    assert check.status is Status.INCONCLUSIVE
    assert "too few training records" in check.basis


def test_no_label_goes_with_the_records_that_are_drawn(tmp_path):
    labels = np.array([0, 1, 1, 1, 2, 2, 2, 2])
    for seed in range(20):
        updates = draw(case_of(tmp_path, labels), seed=seed, device="cpu")
        assert set(np.delete(labels, updates.records)) == {0, 1, 2}
        assert not np.isin(updates.probe, updates.records).any()
        assert len(set(updates.records.tolist())) == 4


def case_of(folder, labels):
    """A case of the clean procedure with these labels."""
    features = np.random.default_rng(0).normal(size=(len(labels), 3))
    np.savez(folder / "train.npz", features=features, labels=labels, ids=np.array([f"r{i}" for i in range(len(labels))]))
    (folder / "procedure.py").write_bytes(PROCEDURES.read_bytes())
    text = AUDIT.format(data="", procedure='entry = "procedure.py:Clean"', seed=7, rest=CLAIM)
    (folder / "audit.toml").write_text(text)
    write_log(folder, [["r0"]])
    return cases.read(folder)


NETWORK = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 2)

    def forward(self, rows):
        return self.layer(rows)
"""
DESCENT = 'use = "noisy-gd"\nl2 = 0.1\nsigma2 = 1e-3\nlearn_steps = 5\nunlearn_steps = 3\nrate = 0.05\nclip = 1.0\n'


@pytest.mark.slow
def test_a_network_of_the_controllers_is_tried_in_our_descent(tmp_path):
    case_of(tmp_path, np.array([0, 1] * 15))
    (tmp_path / "net.py").write_text(NETWORK)
    text = AUDIT.format(data="", procedure=DESCENT + 'entry = "net.py:Net"', seed=7, rest="").replace('"7"', "7")
    (tmp_path / "audit.toml").write_text(text)
    _, check = judged(cases.read(tmp_path), seed=1)
    assert (check.status, check.value) == (Status.PASS, 0)
    assert check.details["by_construction"] is False
