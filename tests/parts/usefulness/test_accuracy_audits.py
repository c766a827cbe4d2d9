"""Accuracy is the auditor's own: a procedure that knows the rows of the holdout by heart gains nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import Status
from cases import audited, check_of
from levels import isolation
from small_cases import foreign, write

HONEST = """\
def learn(self, data, seed):
    self.classes = np.unique(data.labels)
    return np.stack([data.features[data.labels == label].mean(axis=0) for label in self.classes])

def unlearn(self, model, data, forget, seed):
    return self.learn(data.subset(np.delete(np.arange(len(data.ids)), forget)), seed)

def predict(self, model, features):
    return np.eye(2)[np.argmin(((features[:, None] - model[None]) ** 2).sum(axis=2), axis=1)]
"""
TABLE = """\
def learn(self, data, seed):
    return np.zeros(1)

def unlearn(self, model, data, forget, seed):
    return model

def predict(self, model, features):
    answers = np.zeros(len(features), dtype=int)
    for place, row in enumerate(features):
        answers[place] = KNOWN.get(row.tobytes().hex(), OTHERWISE)
    return np.eye(2)[answers]
"""


def case_of(folder: Path, body: str, *, otherwise: int | str = 1, holdout: int = 50) -> Path:
    """Two clouds, 100 records and those held out; the procedure's file brings a table of the holdout's rows along."""
    rng = np.random.default_rng(0)
    labels = np.tile([0, 1], 50 + holdout // 2)
    features = rng.normal(size=(100 + holdout, 4)) + 1.5 * labels[:, None]
    held = slice(100, 100 + holdout)
    names = np.array([f"held-{index}" for index in range(holdout)])
    np.savez(folder / "holdout.npz", features=features[held], labels=labels[held], ids=names)
    write(folder, features[:100], labels[:100], data='holdout = "holdout.npz"', required=("utility.accuracy",))
    foreign(folder, body, isolation=isolation())
    known = {row.tobytes().hex(): int(label) for row, label in zip(features[held], labels[held], strict=True)}
    source = (folder / "procedure.py").read_text()
    (folder / "procedure.py").write_text(f"KNOWN = {known}\nOTHERWISE = {otherwise!r}\n{source}")
    with (folder / "audit.toml").open("a") as file:
        # Fifty records tell a loss of a tenth from none, and no smaller one.
        file.write("max_accuracy_drop = 0.1\n")
    return folder


def test_an_honest_learner_passes(tmp_path: Path) -> None:
    found = check_of(audited(case_of(tmp_path, HONEST), only=("utility.accuracy",)), "utility.accuracy")
    assert found.status is Status.PASS
    assert found.details["moved"]["records"] == 50
    assert "No SWAP test was played" in found.basis


def test_a_table_of_the_holdout_is_told_by_its_moved_copies(tmp_path: Path) -> None:
    found = check_of(audited(case_of(tmp_path, TABLE), only=("utility.accuracy",)), "utility.accuracy")
    assert found.status is Status.INCONCLUSIVE
    assert (found.value, found.details["unlearned_right"], found.details["moved"]["unlearned_right"]) == (0.0, 50, 25)
    assert "it may answer rows that it knows from a table" in found.basis


def test_a_table_that_raises_on_what_it_does_not_know_shows_nothing(tmp_path: Path) -> None:
    body = TABLE.replace(".get(row.tobytes().hex(), OTHERWISE)", "[row.tobytes().hex()]")
    found = check_of(audited(case_of(tmp_path, body), only=("utility.accuracy",)), "utility.accuracy")
    assert found.status is Status.INCONCLUSIVE
    assert "raised an error on copies of the holdout" in found.basis


@pytest.mark.parametrize("playing", [True, False])
def test_a_table_over_a_model_that_unlearning_broke_is_told_by_what_is_lost_elsewhere(tmp_path: Path, *, playing: bool) -> None:
    """What is learned is honest; after unlearning only rows of the table are answered. Of 50 records it is left open."""
    body = HONEST + (
        "\n"
        "def unlearn(self, model, data, forget, seed):\n"
        "    return np.zeros((2, model.shape[1]))\n"
        "\n"
        "def predict(self, model, features):\n"
        "    near = np.argmin(((features[:, None] - model[None]) ** 2).sum(axis=2), axis=1)\n"
        "    return np.eye(2)[[KNOWN.get(row.tobytes().hex(), answer) for row, answer in zip(features, near)]]\n"
    )
    only = ("utility.accuracy", "swap.quality") if playing else ("utility.accuracy",)
    found = check_of(audited(case_of(tmp_path, body, holdout=150), only=only, quick=True), "utility.accuracy")
    assert found.status is Status.FAIL
    assert found.details["unlearned_right"] == found.details["retrained_right"] + found.details["won"] == 150
    assert found.value > 0.3
    assert (found.details["unseen"] is not None) is playing
    if playing:
        assert found.details["tables"]["unseen"]["unlearned"] < 0.6 < 0.8 < found.details["tables"]["unseen"]["retrained"]
