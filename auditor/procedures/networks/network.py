"""A network as a function of its parameters, evaluated for many sets of parameters at a time."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

import torch
from torch import Tensor, nn
from torch.func import functional_call, vmap

from auditor import draws
from auditor.procedures.networks.examination import examine, examine_stack, require_layers
from auditor.procedures.networks.stacks import Parameters
from auditor.tensors import Layout, Place

_KINDS: Final = {
    torch.uint64: "U64", torch.int64: "I64", torch.float64: "F64", torch.float32: "F32", torch.uint32: "U32",
    torch.int32: "I32", torch.bfloat16: "BF16", torch.float16: "F16", torch.uint16: "U16", torch.int16: "I16",
    torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL",
}  # fmt: skip
"""As safetensors calls them."""

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
        shapes: The shape of each parameter of one model, in the order of `nn.Module.parameters()`, without those of `base`.
        base: The names of the parameters that the module freezes and that it has whatever is drawn: weights from a file. All
            models share them.
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
        self.base = _base(module, build)
        self._module = module.to(device=device, dtype=dtype)
        examination = examine(self._module, features=features, classes=classes)
        self.final, self.trainable, self.activations = examination.final, examination.trainable, examination.activations
        self.shapes = {name: each.shape for name, each in self._module.named_parameters() if name not in self.base}
        examine_stack(self._module, self.shapes, self.logits, features=features)
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
            own = dict(found.named_parameters())
            for name in self.shapes:
                own[name].copy_(parameters[name].squeeze(0))
        return found

    def layout(self) -> Layout:
        """Where each tensor of the module's `state_dict` lies in what `flatten` gives, and what the others hold.

        Raises:
            ValueError: If the `state_dict` holds anything but tensors of a known type.
        """
        starts, end = {}, 0
        for name, shape in self.shapes.items():
            starts[name], end = end, end + shape.numel()
        # One tensor may have several names, of which `named_parameters` gives the first.
        own = {id(each): name for name, each in self._module.named_parameters()}
        named = dict(self._module.named_parameters(remove_duplicate=False))
        places = []
        for name, each in self._module.state_dict().items():
            if not isinstance(each, Tensor) or each.dtype not in _KINDS:
                raise ValueError(f"{name}: expected a tensor of numbers in the state_dict, found another object")
            first = own[id(named[name])] if name in named else name
            at = starts.get(first)
            digest = None if at is not None else hashlib.sha256(_bytes(each)).hexdigest()
            places.append(Place(name, _KINDS[each.dtype], tuple(each.shape), at, digest, first in self.base))
        return Layout(tuple(places), end)

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
        drawn = dict(module.named_parameters())
        return {name: drawn[name].detach().to(device=self.device, dtype=self.dtype) for name in self.shapes}


def _base(module: nn.Module, build: Build) -> frozenset[str]:
    """Frozen parameters that are the same whatever is drawn."""
    frozen = {name: each for name, each in module.named_parameters() if not each.requires_grad}
    if not frozen:
        return frozenset()
    with own_stream(1, "shape"):
        other = dict(build().named_parameters())
    return frozenset(name for name, each in frozen.items() if name in other and torch.equal(each, other[name]))


def _bytes(tensor: Tensor) -> bytes:
    """What a tensor holds, in the order of C."""
    return tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


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
