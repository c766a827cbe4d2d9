"""The base class for training loops of a case's own: seeds, batches, files, and an audit of a class that derives from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import safetensors.numpy
import torch
from torch import nn

import small_cases
from auditor.domain import Dataset, Status
from auditor.procedures.training_loop import TrainingLoop
from auditor.sandbox import Level, available
from cases import audited, check_of, replace

CODE = """
from torch import nn
from auditor.procedures.training_loop import TrainingLoop

class Procedure(TrainingLoop):
    epochs = 2
    batch = 16

    def build(self):
        return nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, self.classes))
"""


class Small(TrainingLoop):
    epochs = 2
    batch = 16

    def build(self) -> nn.Module:
        outputs = 1 if self.classes is None else self.classes
        return nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, outputs))


def data(rows: int = 65) -> Dataset:
    features, labels = small_cases.problem(rows)
    return Dataset(features, labels, np.array([f"r{number}" for number in range(rows)]))


def test_a_model_follows_from_data_and_seed_alone() -> None:
    loop, train = Small(classes=2), data()
    first = loop.parameters(loop.learn(train, 2**127 + 5))
    torch.rand(3)
    again = Small(classes=2)
    assert np.array_equal(again.parameters(again.learn(train, 2**127 + 5)), first)
    assert not np.array_equal(loop.parameters(loop.learn(train, 2**127 + 6)), first)


def test_unlearning_is_training_again_without_the_records() -> None:
    loop, train = Small(classes=2), data()
    forget = np.array([3, 9])
    unlearned = loop.unlearn(loop.learn(train, 1), train, forget, 7)
    retained = loop.learn(train.subset(np.setdiff1d(np.arange(len(train)), forget)), 7)
    assert loop.state(unlearned) == loop.state(retained)


@pytest.mark.parametrize("classes", [2, None])
def test_predictions_are_those_of_the_loaded_file(classes: int | None, tmp_path: Path) -> None:
    loop, train = Small(classes=classes), data()
    model = loop.learn(train, 1)
    predicted = loop.predict(model, train.features)
    assert predicted.shape == ((len(train), 2) if classes else (len(train),))
    if classes:
        np.testing.assert_allclose(predicted.sum(axis=1), 1.0, rtol=1e-12)
    loop.save(model, str(tmp_path / "whole"))
    np.savez(tmp_path / "line.npz", parameters=loop.parameters(model))
    safetensors.numpy.save_file({"parameters": loop.parameters(model)}, tmp_path / "line.safetensors")
    for name in ("whole", "line.npz", "line.safetensors"):
        assert loop.state(loop.load(str(tmp_path / name))) == loop.state(model)


def test_a_last_step_of_one_row_joins_the_one_before() -> None:
    assert [len(labels) for _, labels in Small(classes=2).batches(data(65))] == [16, 16, 16, 17]


def test_a_setting_that_the_class_has_not_is_refused() -> None:
    with pytest.raises(TypeError, match="epoch: expected a setting of Small, found an unknown one"):
        Small(classes=2, epoch=3)


@pytest.mark.parametrize("labels", [np.array(["a", "b"]), np.array([0, 2]), np.array([-1, 0]), np.array([0.0, 1.0])])
def test_labels_that_are_no_classes_are_refused(labels: npt.NDArray[Any]) -> None:
    with pytest.raises(ValueError, match="expected whole numbers from 0 to 1"):
        Small(classes=2).learn(Dataset(np.zeros((2, 5)), labels, np.array(["a", "b"])), 1)


def test_an_audit_finds_that_its_retraining_is_exact(tmp_path: Path) -> None:
    small_cases.write(tmp_path, *small_cases.problem(60), required=("release.exact",))
    small_cases.foreign(tmp_path, "")
    (tmp_path / "procedure.py").write_text(CODE, encoding="utf-8")
    replace(tmp_path, "seed = ", "classes = 2\nepochs = 3\nseed = ")
    if available() >= Level.CONFINED:
        replace(tmp_path, 'isolation = "none"', 'isolation = "auto"')
    found = audited(tmp_path, only=("release.exact", "state.stateless"), workers=2)
    assert check_of(found, "release.exact").status is Status.PASS, check_of(found, "release.exact").basis
    assert check_of(found, "state.stateless").status is not Status.FAIL
