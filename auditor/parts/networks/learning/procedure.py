"""The built-in procedures `torch` and `ftrl`: any network that PyTorch trains, unlearned from by the methods of the papers."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from safetensors import deserialize
from safetensors.numpy import load, save_file
from safetensors.torch import save
from torch import Tensor, nn
from torch.utils.data import TensorDataset

from auditor.base.records import Dataset, Floats, Positions
from auditor.base.tensors import Tensor as Tensored
from auditor.learning.determinism import deterministic
from auditor.parts.networks.learning import continual
from auditor.parts.networks.learning.memory import ROWS_AT_ONCE, Size, in_stacks
from auditor.parts.networks.learning.network import Network, Parameters, Streams, join, part, size
from auditor.parts.networks.learning.private import Noise, PrivateFacts, PrivateRun, descend_privately
from auditor.parts.networks.learning.task import Method, Task
from auditor.parts.networks.learning.training import Recipe, descend, require_finite
from auditor.parts.networks.learning.weights_only import tensors_in


# The controller's own way of unlearning: a function around a module, as it would be written outside an audit.
def unlearned(
    function: Callable[..., Any],
    network: Network,
    module: nn.Module,
    rows: tuple[Tensor, Tensor],
    forget: Sequence[int],
    seed: int,
    params: Mapping[str, Any],
) -> nn.Module:
    """What `function(model, retain, forget, seed)` makes of a module.

    Args:
        function: Gets the module in training mode, two `TensorDataset`s of inputs and labels (positions among the classes), a
            seed and the params; it changes the module, or returns another one of the same tensors.
        network: What the module is one of.
        module: It may be changed.
        rows: Inputs (n, d) and labels (n,).
        forget: Positions of the rows to forget.
        seed: PyTorch's own generator starts from it as well.
        params: Further keyword arguments.

    Raises:
        TypeError: If it returns anything but a module or None.
    """
    inputs, labels = rows
    gone = torch.zeros(len(labels), dtype=torch.bool, device=labels.device)
    gone[torch.as_tensor(forget, device=labels.device)] = True
    shown = [TensorDataset(network.shaped(inputs[which]), labels[which]) for which in (~gone, gone)]
    with torch.enable_grad(), Streams([seed], "own unlearning", network.device).of(0):
        returned = function(module.train(), *shown, seed, **params)
    found = module if returned is None else returned
    if not isinstance(found, nn.Module):
        raise TypeError(f"expected unlearn to return a torch.nn.Module or None, found {type(found).__name__}")
    found.zero_grad(set_to_none=True)
    return found


def said_by(network: Network, module: nn.Module, features: Floats) -> Floats:
    """Probabilities of the classes that the module itself gives, whatever the function made of it; shape (n, classes).

    Raises:
        ValueError: If it gives anything but logits of that shape.
    """
    module.eval()
    with torch.inference_mode():
        blocks = [module(network.shaped(rows)) for rows in torch.split(network.rows(features), ROWS_AT_ONCE)]
        logits = torch.cat(blocks)
        if logits.shape != (len(features), network.classes):
            raise ValueError(f"expected logits of shape {(len(features), network.classes)}, found {tuple(logits.shape)}")
        said: Floats = torch.softmax(logits.double(), dim=1).cpu().numpy()
    return said


_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True, eq=False)
class NetworkModel:
    """Everything that is carried from one update to the next."""

    parameters: Parameters
    """A stack of one."""
    retrained: bool
    """Whether the last update trained from scratch."""
    private: PrivateRun | None = None
    """How its private training ran; None where it was not private, or no longer is."""
    module: nn.Module | None = None
    """What the controller's own unlearning made of it, with all that this may have left on it; None after ways of ours."""


@dataclass(frozen=True, slots=True)
class Unlearning:
    """How batches are answered."""

    name: str
    method: Method
    params: Mapping[str, Any]
    own: Callable[..., Any] | None = None
    """The controller's own function, in place of a method."""


class Networks:
    """Learning, unlearning and predicting, one model at a time or many.

    What is asked for together is stacked, where the sets of rows are of one size, as far as the device holds. A model's numbers
    follow from its own data and its own seed; what it was stacked with moves them by rounding alone.
    """

    def __init__(
        self,
        network: Network,
        recipe: Recipe,
        unlearning: Unlearning,
        classes: npt.NDArray[Any],
        *,
        noise: Noise | None = None,
        stream: continual.Stream | None = None,
    ) -> None:
        """Keep the parts; `making.make` and `making.make_continual` build them from settings."""
        self._network, self._recipe, self._unlearning = network, recipe, unlearning
        self._classes, self._noise, self._stream = classes, noise, stream

    def learn(self, data: Dataset, seed: int) -> NetworkModel:
        """Train a new model on `data`."""
        return self.learn_many([data], [seed])[0]

    def learn_many(self, datas: Sequence[Dataset], seeds: Sequence[int]) -> list[NetworkModel]:
        """Train a new model on each of `datas`, from the seed alongside it."""

        def made(at: Sequence[int]) -> list[NetworkModel]:
            own = [seeds[k] for k in at]
            return self._trained(self._network.initial(own), [datas[k] for k in at], own)

        return self._stacked([(len(data),) for data in datas], made)

    def refit(self, model: NetworkModel, data: Dataset, seed: int) -> NetworkModel:
        """Training on `data` that starts from the parameters of `model` instead of from fresh ones."""
        with deterministic():
            return replace(self._trained(model.parameters, [data], [seed])[0], private=None)

    def unlearn(self, model: NetworkModel, data: Dataset, forget: Positions, seed: int) -> NetworkModel:
        """Remove the rows of `data` at `forget`, shape (m,), from a model of `data`."""
        return self.unlearn_many([model], [data], [forget], [seed])[0]

    def unlearn_many(
        self, models: Sequence[NetworkModel], datas: Sequence[Dataset], forgets: Sequence[Positions], seeds: Sequence[int]
    ) -> list[NetworkModel]:
        """Remove from each model the rows of its own data at the positions of its own."""
        if self._unlearning.name == "retrain":
            # Not by way of the method: what is private must be trained privately again.
            return self.learn_many([_without(data, forget) for data, forget in zip(datas, forgets, strict=True)], seeds)

        if self._unlearning.own is not None:
            with deterministic():
                each = zip(models, datas, forgets, seeds, strict=True)
                return [self._by_own_function(self._unlearning.own, *one) for one in each]

        def made(at: Sequence[int]) -> list[NetworkModel]:
            inputs, labels = self._tensors([datas[k] for k in at])
            forget = torch.from_numpy(np.stack([np.sort(forgets[k]) for k in at])).to(inputs.device)
            before = join([models[k].parameters for k in at])
            task = Task(
                self._network, self._recipe, before, inputs, labels, forget, [seeds[k] for k in at], self._unlearning.params
            )
            after = self._unlearning.method(task)
            unchanged = self._unlearning.name == "none"
            return [
                NetworkModel(each, retrained=False, private=models[k].private if unchanged else None)
                for k, each in zip(at, _apart(after), strict=True)
            ]

        sizes = [(len(data), len(forget)) for data, forget in zip(datas, forgets, strict=True)]
        return self._stacked(sizes, made)

    def predict(self, model: NetworkModel, features: Floats) -> Floats:
        """Probabilities of the classes, shape (n, classes)."""
        return self.predict_many([model], [features])[0]

    def predict_many(self, models: Sequence[NetworkModel], features: Sequence[Floats]) -> list[Floats]:
        """Of each model the probabilities of the classes for its own rows, shape (n, classes)."""
        if any(each.module is not None for each in models):
            with deterministic():
                pairs = zip(models, features, strict=True)
                return [
                    said_by(self._network, each.module or self._network.module(each.parameters), rows) for each, rows in pairs
                ]

        def made(at: Sequence[int]) -> list[Floats]:
            parameters = join([models[k].parameters for k in at])
            inputs = self._network.rows(np.stack([features[k] for k in at]))
            with torch.inference_mode():
                blocks = [self._network.logits(parameters, rows) for rows in torch.split(inputs, ROWS_AT_ONCE, dim=1)]
                # In float64, so that the rows sum to one as closely as the auditor asks.
                probabilities = torch.softmax(torch.cat(blocks, dim=1).double(), dim=2).cpu().numpy()
            return list(probabilities)

        return self._stacked([(len(rows),) for rows in features], made)

    def parameters(self, model: NetworkModel) -> Floats:
        """Every parameter in the order of `nn.Module.parameters()`, then buffers that training changes; shape (p,), float64."""
        return np.asarray(self._flat(model), dtype=np.float64)

    def facts(self, model: NetworkModel) -> PrivateFacts:
        """Whether the last update trained from scratch; of a private model also the numbers of its run, prefixed with `dp_`."""
        run = model.private
        if run is None:
            return PrivateFacts(model.retrained)
        return PrivateFacts(model.retrained, run.noise_multiplier, run.sample_rate, run.steps, run.delta)

    def save(self, model: NetworkModel, path: str) -> None:
        """Write the tensor `parameters`, shape (p,), as safetensors."""
        save_file({"parameters": self._flat(model)}, Path(path))

    def load(self, path: str) -> NetworkModel:
        """Read a model back: from the array `parameters`, shape (p,), or from the tensors of a `state_dict`.

        They are all that predictions and updates take from it.

        Args:
            path: A safetensors or npz file, or what `torch.save` wrote of a `state_dict`.

        Raises:
            ValueError: If its shape is not (p,), or if its tensors are not those of this module.
        """
        flat = self._flat_of(path)
        if flat.shape != (self._network.size,):
            raise ValueError(f"parameters: expected shape ({self._network.size},), found {flat.shape}")
        return NetworkModel(self._network.unflatten(torch.from_numpy(np.array(flat[None]))), retrained=False)

    def _flat_of(self, path: str) -> npt.NDArray[Any]:
        content = Path(path).read_bytes()
        if content.startswith(b"PK") and b"parameters.npy" in content[:200]:
            found: npt.NDArray[Any] = np.load(io.BytesIO(content), allow_pickle=False)["parameters"]
            return found
        if _is_pickled(content):
            # In a process that holds whatever such a file could do: the sandbox's.
            content = save(tensors_in(path))
        raw = dict(deserialize(content))  # type: ignore[no-untyped-call]
        tensors = {name: Tensored(each["dtype"], tuple(each["shape"]), bytes(each["data"])) for name, each in raw.items()}
        if set(tensors) == {"parameters"} and "parameters" not in self._network.shapes:
            return load(content)["parameters"]
        values, misfits = self._network.layout().vector(tensors)
        if values is None or misfits:
            raise ValueError("expected the tensors of this module's state_dict, found others")
        return values

    def state(self, model: NetworkModel) -> bytes:
        """Every byte that is carried to the next update: the parameters, and buffers that training changes."""
        return self._flat(model).tobytes()

    def _by_own_function(
        self, function: Callable[..., Any], model: NetworkModel, data: Dataset, forget: Positions, seed: int
    ) -> NetworkModel:
        inputs, labels = self._tensors([data])
        module = self._network.module(model.parameters) if model.module is None else model.module
        rows = inputs[0], labels[0]
        found = unlearned(function, self._network, module, rows, np.sort(forget).tolist(), seed, self._unlearning.params)
        parameters = self._network.taken_from(found)
        require_finite(parameters)
        return NetworkModel(parameters, retrained=False, module=found)

    def _stacked(self, sizes: Sequence[Size], make: Callable[[Sequence[int]], Sequence[_Made]]) -> list[_Made]:
        with deterministic():
            return in_stacks(self._network, sizes, max(self._recipe.batch, ROWS_AT_ONCE), make)

    def _trained(self, start: Parameters, datas: Sequence[Dataset], seeds: Sequence[int]) -> list[NetworkModel]:
        inputs, labels = self._tensors(datas)
        if self._stream is not None:
            each = zip(_apart(start), datas, inputs, labels, seeds, strict=True)
            return [
                _private(*continual.learn(self._network, own, data, rows, given, self._stream, seed))
                for own, data, rows, given, seed in each
            ]
        if self._noise is None:
            after = descend(self._network, start, inputs, labels, self._recipe, seeds)
            return [NetworkModel(each, retrained=True) for each in _apart(after)]
        return [
            _private(*descend_privately(self._network, own, rows, given, self._recipe, self._noise, seed))
            for own, rows, given, seed in zip(_apart(start), inputs, labels, seeds, strict=True)
        ]

    def _tensors(self, datas: Sequence[Dataset]) -> tuple[Tensor, Tensor]:
        """Inputs (models, n, d) and positions of labels among the classes (models, n)."""
        inputs = self._network.rows(np.stack([data.features for data in datas]))
        labels = np.searchsorted(self._classes, np.stack([data.labels for data in datas]))
        return inputs, torch.from_numpy(labels).to(inputs.device)

    def _flat(self, model: NetworkModel) -> npt.NDArray[Any]:
        flat: npt.NDArray[Any] = self._network.flatten(model.parameters)[0].cpu().numpy()
        return flat


def _is_pickled(content: bytes) -> bool:
    """Whether a file is no safetensors: its first eight bytes give the length of a header that begins with a brace."""
    return content.startswith(b"PK") or content[8:9] != b"{"


def _private(parameters: Parameters, run: PrivateRun) -> NetworkModel:
    return NetworkModel(parameters, retrained=True, private=run)


def _apart(stack: Parameters) -> list[Parameters]:
    """The models of a stack, each a stack of one in memory of its own."""
    return [part(stack, slice(k, k + 1)) for k in range(size(stack))]


def _without(data: Dataset, forget: Positions) -> Dataset:
    return data.subset(np.setdiff1d(np.arange(len(data)), forget))
