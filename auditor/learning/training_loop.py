"""A base class for training loops of a case's own in PyTorch: it brings seeds, device, batches, saving and loading.

A case's class derives from it, says what the network is, and trains as it always did. That class is the controller's code: it
runs in the sandbox alone, and nothing that it inherits from here is evidence for a guarantee.
"""

from __future__ import annotations

import io
import json
import os
import random
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt
import safetensors.torch
import torch
from torch import Tensor, nn

from auditor.base import tensors as named
from auditor.base.records import Dataset, Floats, Positions
from auditor.learning import training_checkpoints
from auditor.learning.determinism import deterministic

_PARAMETERS: Final = "parameters"
_SEEDS: Final = 2**64


class TrainingLoop(ABC):
    """Learns, answers deletions by training again, predicts, saves and loads; `build` is all that has to be written.

    `loss`, `optimiser`, `train` and `unlearn` can be replaced. Other keys of `[procedure]` become keyword arguments of the class,
    and so attributes: `epochs = 5` and `batch = 32` replace the defaults. In an audit `classes` is the number of distinct labels,
    and inputs have the shape and type that `[data]` says.

    Examples:
        >>> class Small(TrainingLoop):
        ...     def build(self):
        ...         return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, self.classes))
        >>> Small(classes=3, epochs=2).epochs
        2
    """

    epochs: int = 10
    batch: int = 64
    """Rows of a step; the last step of an epoch may have fewer."""
    rate: float = 1e-3
    checkpoint_every: float = 60.0
    """Seconds between two checkpoints of a training, at least; see `epochs_of`."""
    checkpoint_to: Path | None = None
    """Where a checkpoint may be written, which the sandbox says before each training."""
    checkpoint_from: Path | None = None
    """Where the checkpoint to go on from lies, if there is one."""

    def __init__(self, classes: int | None = None, **settings: object) -> None:
        """Take the settings.

        Args:
            classes: Of a classification, whose labels are 0 to classes - 1; None for a regression.
            settings: Attributes of the class to replace.

        Raises:
            TypeError: If the class has no such setting.
        """
        self.classes = classes
        for name, value in settings.items():
            if not hasattr(type(self), name):
                raise TypeError(f"{name}: expected a setting of {type(self).__name__}, found an unknown one")
            setattr(self, name, value)
        self.device = torch.device(os.environ.get("AUDITOR_DEVICE") or "cpu")
        self._named: npt.NDArray[Any] | None = None
        self._shape: tuple[int, ...] | None = None
        self._whole = False

    def take_rows(self, *, labels: Sequence[int | str] | None, shape: Sequence[int] | None = None, whole: bool = False) -> None:
        """Take what the case says of a record; the sandbox calls it before anything is learned.

        Args:
            labels: The distinct labels of the training data, sorted, of which the network gives one logit each; None for a
                regression.
            shape: What the network takes the features of a record as; None for flat.
            whole: Whether features are integers, such as the words of a text: the network gets int64.

        Raises:
            ValueError: If the class was given another number of classes.
        """
        found = None if labels is None else len(labels)
        if self.classes is not None and self.classes != found:
            expected = "no such key in a regression" if found is None else f"{found}, the distinct labels, or no such key"
            raise ValueError(f"classes: expected {expected}, found {self.classes}")
        self.classes = found
        self._named = None if labels is None else np.array(labels)
        self._shape, self._whole = None if shape is None else tuple(shape), whole

    @abstractmethod
    def build(self) -> nn.Module:
        """Make the untrained network; PyTorch's generator has been seeded. Its outputs: logits, or one number a row."""

    def loss(self, outputs: Tensor, labels: Tensor) -> Tensor:
        """Give the loss of a batch: cross entropy, or squared error in a regression."""
        if self.classes is None:
            return nn.functional.mse_loss(outputs.reshape(-1), labels)
        return nn.functional.cross_entropy(outputs, labels)

    def optimiser(self, module: nn.Module) -> torch.optim.Optimizer:
        """Make the optimiser of a training: Adam at `rate`."""
        return torch.optim.Adam(module.parameters(), lr=self.rate)

    def train(self, module: nn.Module, data: Dataset) -> None:
        """Train a network in place, `epochs` times through the data."""
        optimiser = self.optimiser(module)
        for _ in self.epochs_of(module, optimiser, data):
            for inputs, labels in self.batches(data):
                optimiser.zero_grad()
                torch.autograd.backward(self.loss(module(inputs), labels))
                optimiser.step()

    def epochs_of(self, module: nn.Module, optimiser: torch.optim.Optimizer, data: Dataset) -> Iterator[int]:
        """Count the epochs from 0, from where a training of the same start was interrupted, and write checkpoints in between.

        Network, optimiser and the generators of Python, NumPy and PyTorch are brought back, but no gradients: zero those before
        an epoch. What else changes in a loop must follow from the number of the epoch.
        """
        write_to, first = self.checkpoint_to, 0
        start = None
        if write_to is not None:
            try:
                start = training_checkpoints.start_of(module, optimiser, data)
            except training_checkpoints.FAILURES as error:
                print(f"no checkpoints: {error}", file=sys.stderr)
        if start is not None and self.checkpoint_from is not None:
            first = training_checkpoints.take_up(self.checkpoint_from, module, optimiser, start=start)
        latest = time.monotonic()
        for epoch in range(first, self.epochs):
            yield epoch
            if write_to is None or start is None or time.monotonic() - latest < self.checkpoint_every:
                continue
            try:
                training_checkpoints.write(write_to, module, optimiser, start=start, epochs=epoch + 1)
            except training_checkpoints.FAILURES as error:
                print(f"no checkpoint: {error}", file=sys.stderr)
            latest = time.monotonic()

    def batches(self, data: Dataset) -> Iterator[tuple[Tensor, Tensor]]:
        """Go through the data once in an order drawn from the seed, on the device: inputs (b, …) and labels (b,)."""
        inputs, labels = self.inputs(data.features), self._labels(data.labels)
        steps = list(torch.split(torch.randperm(len(labels)), self.batch))
        if len(steps) > 1 and len(steps[-1]) == 1:  # which BatchNorm refuses
            steps[-2:] = [torch.cat(steps[-2:])]
        for rows in steps:
            yield inputs[rows].to(self.device), labels[rows].to(self.device)

    def learn(self, data: Dataset, seed: int) -> nn.Module:
        """Train a network from scratch."""
        # Chance of whatever kind follows from the seed: weights, order, dropout, and what `train` draws itself.
        random.seed(seed)
        np.random.seed(seed % 2**32)  # noqa: NPY002 - the generator that code of others draws from
        torch.manual_seed(seed % _SEEDS)
        with deterministic(), torch.enable_grad():
            module = self.trained(data)
        return module.eval()

    def trained(self, data: Dataset) -> nn.Module:
        """Build a network and train it; all generators have been seeded."""
        module = self.build().to(self.device)
        module.train()
        self.train(module, data)
        return module

    def unlearn(self, model: nn.Module, data: Dataset, forget: Positions, seed: int) -> nn.Module:  # noqa: ARG002
        """Answer a deletion: train again without the records.

        Args:
            model: What `learn` or the last `unlearn` returned.
            data: The rows before the batch, those to forget included: `features` (n, d), `labels` (n,), `ids` (n,).
            forget: Shape (m,), int64: positions in `data` of the rows to forget.
            seed: A whole number of any size, another one for each batch; `torch.manual_seed(seed % 2**63)` takes it.
        """
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def predict(self, model: nn.Module, features: npt.NDArray[np.float64]) -> Floats:
        """Predict: probabilities of shape (m, classes), or values of shape (m,)."""
        with torch.no_grad(), deterministic():
            parts = [model(rows.to(self.device)).cpu().double() for rows in torch.split(self.inputs(features), 1024)]
        outputs = torch.cat(parts) if parts else torch.zeros((0, self.classes or 1), dtype=torch.float64)
        found = outputs.reshape(-1) if self.classes is None else self.probabilities(outputs)
        return np.asarray(found.numpy(), dtype=np.float64)

    def probabilities(self, outputs: Tensor) -> Tensor:
        """Turn outputs of the network into probabilities of shape (m, classes), float64: of logits, their softmax."""
        return torch.softmax(outputs, dim=1)

    def inputs(self, features: npt.NDArray[np.float64]) -> Tensor:
        """Turn features (m, d) into what the network takes, in the shape and type that `[data]` says."""
        found = torch.from_numpy(np.ascontiguousarray(features, dtype=np.int64 if self._whole else np.float32))
        return found if self._shape is None else found.reshape(len(found), *self._shape)

    def parameters(self, model: nn.Module) -> Floats:
        """List every number of the model, buffers included, in the order of its `state_dict`."""
        return np.concatenate([each.detach().cpu().double().numpy().ravel() for each in model.state_dict().values()])

    def state(self, model: nn.Module) -> bytes:
        """Give all that is carried on: the model's tensors as safetensors."""
        return safetensors.torch.save(_tensors(model))

    def save(self, model: nn.Module, path: str) -> None:
        """Write the model's tensors as safetensors."""
        Path(path).write_bytes(self.state(model))

    def load(self, path: str) -> nn.Module:
        """Read a file of `save`, one with the array `parameters` alone, npz or safetensors, or a state_dict of `torch.save`."""
        content = Path(path).read_bytes()
        model = self.build().to(self.device)
        if content.startswith(b"PK") and b"/data.pkl" in content[:4096]:
            tensors = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
        elif content.startswith(b"PK"):
            with np.load(io.BytesIO(content)) as arrays:
                tensors = {_PARAMETERS: torch.from_numpy(arrays[_PARAMETERS])}
        else:
            tensors = safetensors.torch.load(content)
        if set(tensors) == {_PARAMETERS}:
            tensors = _parted(model, tensors[_PARAMETERS])
        model.load_state_dict(tensors)
        return model.eval()

    def _labels(self, labels: npt.NDArray[np.float64] | npt.NDArray[np.int64]) -> Tensor:
        if self.classes is None:
            return torch.from_numpy(np.asarray(labels, dtype=np.float32))
        if self._named is not None:
            places = np.minimum(np.searchsorted(self._named, labels), len(self._named) - 1)
            if not np.array_equal(self._named[places], labels):
                raise ValueError("labels: expected those of the training data, found others")
            return torch.from_numpy(places.astype(np.int64))
        if labels.dtype.kind not in "iu" or not ((labels >= 0) & (labels < self.classes)).all():
            raise ValueError(f"labels: expected whole numbers from 0 to {self.classes - 1}, found others")
        return torch.from_numpy(labels.astype(np.int64))


def _tensors(model: nn.Module) -> dict[str, Tensor]:
    # Copies: a weight of two names is in a file under both.
    return {name: each.detach().cpu().contiguous().clone() for name, each in model.state_dict().items()}


class LoopLayout:
    """The tensors of a `TrainingLoop`'s network and their places in `parameters`, in a process that holds no record."""

    def __init__(self, *, module: type[Any], settings: Mapping[str, Any], rows: Mapping[str, Any]) -> None:
        """Build the network; nothing of a class that does not derive from `TrainingLoop`.

        Args:
            module: The class of the case.
            settings: Its keyword arguments.
            rows: What `TrainingLoop.take_rows` takes.
        """
        loop = module(**settings)
        self._layout = b""
        if isinstance(loop, TrainingLoop):
            loop.take_rows(**rows)
            self._layout = _layout(loop.build()).to_bytes()

    def load(self, path: str) -> str:
        """Take any file for the one model there is."""
        return path

    def save(self, model: str, path: str) -> None:
        """Write the layout as JSON; an empty file where there is none."""
        del model
        Path(path).write_bytes(self._layout)

    def learn(self, *_: object) -> NoReturn:
        """Refuse.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("nothing is learned here")

    unlearn = predict = learn


def _layout(model: nn.Module) -> named.Layout:
    """Where each tensor lies in what `parameters` gives: one after another, buffers and frozen weights among them.

    Raises:
        ValueError: If one is of a type that no file of safetensors holds.
    """
    content = safetensors.torch.save(_tensors(model))
    kinds = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    places, end = [], 0
    for name, each in model.state_dict().items():
        places.append(named.Place(name, str(kinds[name]["dtype"]), tuple(each.shape), end, None, frozen=False))
        end += each.numel()
    return named.Layout(tuple(places), end)


def _parted(model: nn.Module, numbers: Tensor) -> dict[str, Tensor]:
    """Cut a line of numbers into the tensors that a model has."""
    known = model.state_dict()
    parts = torch.split(numbers, [each.numel() for each in known.values()])
    return {name: part.reshape(each.shape).to(each.dtype) for (name, each), part in zip(known.items(), parts, strict=True)}
