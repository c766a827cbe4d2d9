"""The base class for training loops of a case's own: seeds, batches, files, and an audit of a class that derives from it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
import safetensors.numpy
import torch
from torch import Tensor, nn

import small_cases
from auditor.base.domain import Status
from auditor.base.records import Dataset
from auditor.cli import run
from auditor.learning.training_loop import TrainingLoop
from cases import audited, check_of, replace
from levels import isolation

CODE = """
from torch import nn
from auditor.api import TrainingLoop

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
    small_cases.foreign(tmp_path, "", isolation=isolation())
    (tmp_path / "procedure.py").write_text(CODE, encoding="utf-8")
    replace(tmp_path, "seed = ", "classes = 2\nepochs = 3\nseed = ")
    found = audited(tmp_path, only=("release.exact", "state.stateless"), workers=2)
    assert check_of(found, "release.exact").status is Status.PASS, check_of(found, "release.exact").basis
    assert check_of(found, "state.stateless").status is not Status.FAIL


class Momentum(Small):
    def optimiser(self, module: nn.Module) -> torch.optim.Optimizer:
        return torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)


class OtherChance(Small):
    """Draws from every generator, and changes the rate as it goes."""

    def train(self, module: nn.Module, data: Dataset) -> None:
        optimiser = self.optimiser(module)
        for epoch in self.epochs_of(module, optimiser, data):
            for inputs, labels in self.batches(data):
                optimiser.zero_grad()
                noise = random.gauss(0, 0.1) + np.random.normal() / 10  # noqa: NPY002 - which the code of others draws from
                torch.autograd.backward(self.loss(module(inputs + noise), labels))
                optimiser.step()
            optimiser.param_groups[0]["lr"] = 1e-3 / (epoch + 1)


class InterruptedTrainingError(Exception):
    pass


def interrupted(loop: TrainingLoop, train: Dataset, seed: int, path: Path, *, after: int) -> int:
    """Train until some batches of the epoch that follows on `after`; how many were taken."""
    taken, batches, most = 0, loop.batches, (after * 4) + 2

    def counted(data: Dataset) -> Iterator[tuple[Tensor, Tensor]]:
        nonlocal taken
        for each in batches(data):
            if taken == most:
                raise InterruptedTrainingError
            taken += 1
            yield each

    loop.checkpoint_to, loop.checkpoint_every = path, 0.0
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(InterruptedTrainingError):
        patch.setattr(loop, "batches", counted)
        loop.learn(train, seed)
    return taken


@pytest.mark.parametrize("kind", [Small, Momentum, OtherChance])
def test_a_training_that_goes_on_comes_to_the_same_model_to_the_bit(kind: type[Small], tmp_path: Path) -> None:
    train, path = data(), tmp_path / "1.checkpoint"
    whole = kind(classes=2, epochs=5)
    expected = whole.state(whole.learn(train, 11))
    assert interrupted(kind(classes=2, epochs=5), train, 11, path, after=3) == 14
    assert [each.name for each in tmp_path.iterdir()] == ["1.checkpoint"]
    path.rename(tmp_path / "from")
    again = kind(classes=2, epochs=5)
    again.checkpoint_from = tmp_path / "from"
    taken = interrupted(again, train, 11, path, after=5)
    assert taken == 8, "two epochs of four batches were left"
    again.checkpoint_to = tmp_path / "last"
    assert again.state(again.learn(train, 11)) == expected


@pytest.mark.parametrize("other", ["seed", "data", "rate"])
def test_a_checkpoint_of_another_start_is_left_alone(other: str, tmp_path: Path) -> None:
    train, path = data(), tmp_path / "1.checkpoint"
    interrupted(Small(classes=2, epochs=5), train, 11, path, after=3)
    seed, rate = 12 if other == "seed" else 11, 0.5 if other == "rate" else 1e-3
    train = train.subset(np.arange(64)) if other == "data" else train
    whole = Small(classes=2, epochs=5, rate=rate)
    expected = whole.state(whole.learn(train, seed))
    again = Small(classes=2, epochs=5, rate=rate)
    again.checkpoint_from, again.checkpoint_to = path, tmp_path / "2.checkpoint"
    assert again.state(again.learn(train, seed)) == expected


def test_a_state_that_no_tensor_holds_trains_without_checkpoints(tmp_path: Path) -> None:
    class Strange(Small):
        def optimiser(self, module: nn.Module) -> torch.optim.Optimizer:
            found = super().optimiser(module)
            found.param_groups[0]["own"] = object()
            return found

    loop = Strange(classes=2)
    assert interrupted(loop, data(), 1, tmp_path / "1.checkpoint", after=9) == 8
    assert list(tmp_path.iterdir()) == []


def test_a_train_of_its_own_writes_no_checkpoint(tmp_path: Path) -> None:
    class Own(Small):
        def train(self, module: nn.Module, data: Dataset) -> None:
            for _ in range(self.epochs):
                for inputs, _ in self.batches(data):
                    module(inputs)

    assert interrupted(Own(classes=2), data(), 1, tmp_path / "1.checkpoint", after=9) == 8
    assert list(tmp_path.iterdir()) == []


PICTURES = """
from torch import nn
from auditor.api import TrainingLoop

class Procedure(TrainingLoop):
    epochs = 1
    batch = 16

    def build(self):
        network = nn.Sequential(
            nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(8, self.classes)
        )
        return network
"""


def test_inputs_have_the_shape_of_the_case_and_labels_any_names() -> None:
    loop, train = Small(), data()
    named = Dataset(train.features, np.array(["no", "yes"])[train.labels], train.ids)
    loop.take_rows(labels=["no", "yes"], shape=[5, 1])
    inputs, labels = next(iter(loop.batches(named)))
    assert inputs.shape == (16, 5, 1)
    assert inputs.dtype == torch.float32
    assert set(labels.tolist()) == {0, 1}
    assert loop.classes == 2
    words = Small()
    words.take_rows(labels=None, whole=True)
    assert next(iter(words.batches(Dataset(np.ones((3, 5)), np.zeros(3), train.ids[:3]))))[0].dtype == torch.int64
    with pytest.raises(ValueError, match="labels: expected those of the training data"):
        loop.learn(Dataset(train.features[:2], np.array(["no", "maybe"]), train.ids[:2]), 1)


@pytest.mark.parametrize(
    ("classes", "labels", "message"),
    [(3, [0, 1], "classes: expected 2, the distinct labels"), (2, None, "classes: expected no such key in a regression")],
)
def test_another_number_of_classes_than_the_data_have_is_refused(
    classes: int, labels: list[int | str] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Small(classes=classes).take_rows(labels=labels)


class Tied(TrainingLoop):
    def build(self) -> nn.Module:
        network = nn.Sequential(nn.Linear(5, 5), nn.ReLU(), nn.Linear(5, 5))
        network[2].weight = network[0].weight
        return network


def test_a_weight_of_two_names_is_saved_and_loaded(tmp_path: Path) -> None:
    loop = Tied(classes=5)
    model = loop.learn(data(), 1)
    loop.save(model, str(tmp_path / "model"))
    torch.save(model.state_dict(), tmp_path / "model.pt")
    for name in ("model", "model.pt"):
        assert loop.state(loop.load(str(tmp_path / name))) == loop.state(model)


def pictured(folder: Path, *, kind: str, form: str = "npz") -> Path:
    """A case of pictures with two rows and two columns, and the model at the end of its log, as `torch.save` or canonical."""
    features, labels = small_cases.problem(60, 4)
    code: dict[str, Any] = {}
    exec(PICTURES, code)  # our test's own text
    small_cases.write(folder, features, labels, required=("model.reproduced", "release.exact"), deleted=[["rec-0001"]])
    small_cases.foreign(folder, "", isolation=isolation())
    (folder / "procedure.py").write_text(PICTURES, encoding="utf-8")
    ids = np.array([f"rec-{index:04d}" for index in range(60)])
    if form == "npz":
        np.savez(folder / "train.npz", features=features.reshape(60, 2, 2), labels=labels, ids=ids)
    else:
        pd.DataFrame(features, columns=list("abcd")).assign(id=ids, label=labels).to_csv(folder / "train.csv", index=False)
        replace(folder, '"train.npz"', '"train.csv"')
    replace(folder, "[procedure]", f'shape = [1, 2, 2]\n\n[model]\npath = "model.{kind}"\n\n[procedure]')
    loop = code["Procedure"]()
    loop.take_rows(labels=[0, 1], shape=[1, 2, 2])
    left = np.setdiff1d(np.arange(60), [1])
    torch.save(loop.learn(Dataset(features, labels, ids).subset(left), 2).state_dict(), folder / "model.pt")
    if kind == "safetensors":
        assert run(["canonical", str(folder / "model.pt"), "-o", str(folder / "model.safetensors")]) == 0
    return folder


@pytest.mark.parametrize(
    ("kind", "form", "status"),
    [("safetensors", "npz", Status.PASS), ("safetensors", "csv", Status.PASS), ("pt", "npz", Status.INCONCLUSIVE)],
)
def test_a_state_dict_of_the_loop_is_the_released_model(tmp_path: Path, kind: str, form: str, status: Status) -> None:
    found = audited(pictured(tmp_path, kind=kind, form=form), only=("release.exact", "model.reproduced"), workers=2)
    assert check_of(found, "release.exact").status is Status.PASS, check_of(found, "release.exact").basis
    assert check_of(found, "model.reproduced").status is status, check_of(found, "model.reproduced").basis


def test_another_state_dict_is_not_reproduced(tmp_path: Path) -> None:
    pictured(tmp_path, kind="safetensors")
    tensors = safetensors.numpy.load_file(tmp_path / "model.safetensors")
    safetensors.numpy.save_file(tensors | {"0.bias": tensors["0.bias"] + 1e-3}, tmp_path / "model.safetensors")
    found = audited(tmp_path, only=("model.reproduced",), workers=2)
    assert check_of(found, "model.reproduced").status is Status.FAIL
