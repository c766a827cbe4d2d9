"""A network as a function of its parameters, evaluated for many sets of parameters at a time."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor, nn
from torch.func import functional_call, vmap

from auditor import draws
from auditor.procedures.networks.examination import examine, examine_stack, require_layers
from auditor.procedures.networks.stacks import Parameters

Build = Callable[[], nn.Module]
"""Makes a module with parameters freshly drawn from PyTorch's default generator."""


@runtime_checkable
class Stackable(Protocol):
    """A module that evaluates many sets of its parameters by products of its own, faster than `vmap` would."""

    def stacked(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        """Logits of every model, shape (models, rows, classes), for inputs of shape (models, rows, d)."""
        ...


class Network:
    """The shape of a network and the function that it computes; it holds no parameters.

    Attributes:
        shapes: The shape of each parameter of one model, in the order of `nn.Module.parameters()`.
        trainable: The names of those that the module does not freeze and does use.
        final: The names of the parameters of the layer that is evaluated last.
        activations: Numbers that the layers give for one row, all together.
        dtype: float32 or float64; of parameters and of inputs.
        device: Where stacks live.
    """

    def __init__(self, build: Build, *, features: int, classes: int, dtype: torch.dtype, device: torch.device) -> None:
        """Build one module, and try it.

        Args:
            build: Makes the module, in float32. It maps flat rows (rows, d) to logits (rows, classes), each row on its own.
            features: d.
            classes: How many logits a row has.
            dtype: float32 or float64.
            device: The CPU, or a CUDA device.

        Raises:
            ValueError: If the module is not one whose models can be stacked: it keeps running statistics, changes buffers, draws
                random numbers in its forward pass, mixes rows, or gives logits of another shape.
        """
        self._build = build
        # Drawn from a stream of its own as well, so that to make a network moves nobody's random numbers.
        with own_stream(0, "shape"):
            module = build()
        require_layers(module)
        self._module = module.to(device=device, dtype=dtype)
        examination = examine(self._module, features=features, classes=classes)
        examine_stack(self._module, self.logits, features=features)
        self.final, self.trainable, self.activations = examination.final, examination.trainable, examination.activations
        self.shapes = {name: each.shape for name, each in self._module.named_parameters()}
        self.features, self.classes = features, classes
        self.dtype, self.device = dtype, device

    @property
    def size(self) -> int:
        """The number of parameters of one model, p."""
        return sum(shape.numel() for shape in self.shapes.values())

    def initial(self, seeds: Sequence[int]) -> Parameters:
        """Each model's parameters as its module draws them, from the model's own seed alone."""
        drawn = [self._drawn(seed) for seed in seeds]
        return {name: torch.stack([each[name] for each in drawn]) for name in self.shapes}

    def logits(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        """What every model says of its own rows.

        Args:
            parameters: A stack of k models.
            inputs: Shape (k, rows, d), of the network's dtype.

        Returns:
            Shape (k, rows, classes).
        """
        if isinstance(self._module, Stackable):
            return self._module.stacked(parameters, inputs)
        return self._mapped(parameters, inputs)

    def flatten(self, parameters: Mapping[str, Tensor]) -> Tensor:
        """Shape (models, p), in the order of `nn.Module.parameters()`."""
        return torch.cat([parameters[name].flatten(1) for name in self.shapes], dim=1)

    def unflatten(self, flat: Tensor) -> Parameters:
        """The stack that `flatten` made shape (models, p) of."""
        pieces = torch.split(flat, [shape.numel() for shape in self.shapes.values()], dim=1)
        return {
            name: piece.reshape(len(flat), *shape).clone()
            for (name, shape), piece in zip(self.shapes.items(), pieces, strict=True)
        }

    def module(self, parameters: Mapping[str, Tensor]) -> nn.Module:
        """A module of its own that computes what the one model of a stack does."""
        found = copy.deepcopy(self._module)
        with torch.no_grad():
            for name, each in found.named_parameters():
                each.copy_(parameters[name].squeeze(0))
        return found

    def tensor(self, values: object) -> Tensor:
        """Numbers of an array as a tensor of the network's dtype on its device."""
        return torch.as_tensor(values).to(device=self.device, dtype=self.dtype)

    def _mapped(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        def one(own: dict[str, Tensor], rows: Tensor) -> Tensor:
            logits: Tensor = functional_call(self._module, own, (rows,))
            return logits

        found: Tensor = vmap(one, randomness="error")(dict(parameters), inputs)
        return found

    def _drawn(self, seed: int) -> dict[str, Tensor]:
        with own_stream(seed, "initial"):
            module = self._build()
        # To the dtype first: both dtypes start from the same float32 numbers.
        return {name: each.detach().to(device=self.device, dtype=self.dtype) for name, each in module.named_parameters()}


class own_stream:  # noqa: N801  (used as a context manager only)
    """PyTorch's default generator replaced by a stream of one seed for a while, and put back as it was."""

    def __init__(self, seed: int, purpose: str) -> None:
        """Name the stream: other purposes are independent of each other."""
        self._seed = int(draws.generator(seed, "networks", purpose).integers(2**63))
        self._kept = torch.empty(0)

    def __enter__(self) -> None:
        self._kept = torch.random.get_rng_state()
        torch.default_generator.manual_seed(self._seed)

    def __exit__(self, *_: object) -> None:
        torch.random.set_rng_state(self._kept)
