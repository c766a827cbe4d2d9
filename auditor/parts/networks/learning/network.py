"""A network as a function of its parameters, evaluated for many sets of parameters at a time."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeAlias, runtime_checkable

import torch
from torch import Tensor, nn
from torch.func import functional_call, vmap

from auditor.base import draws
from auditor.base.tensors import Layout, Place
from auditor.parts.networks.learning.examination import examine, examine_stack, require_layers, trial_rows

Parameters: TypeAlias = dict[str, Tensor]
"""Tensors by name, each with a leading axis `models`."""


def join(stacks: Sequence[Mapping[str, Tensor]]) -> Parameters:
    """One stack of what several hold, in their order."""
    return {name: torch.cat([stack[name] for stack in stacks]) for name in stacks[0]}


def part(stack: Mapping[str, Tensor], models: slice | Tensor) -> Parameters:
    """Some of the models of a stack, copied: a model that is kept must not keep its neighbours in memory."""
    return {name: tensor[models].clone() for name, tensor in stack.items()}


def copied(stack: Mapping[str, Tensor]) -> Parameters:
    """The same values in tensors of their own, outside any graph of gradients."""
    return {name: tensor.detach().clone() for name, tensor in stack.items()}


def size(stack: Mapping[str, Tensor]) -> int:
    """How many models there are."""
    return len(next(iter(stack.values())))


_KINDS: Final = {
    torch.uint64: "U64", torch.int64: "I64", torch.float64: "F64", torch.float32: "F32", torch.uint32: "U32",
    torch.int32: "I32", torch.bfloat16: "BF16", torch.float16: "F16", torch.uint16: "U16", torch.int16: "I16",
    torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL",
}  # fmt: skip
"""As safetensors calls them."""
_EXACT: Final = 2**53
"""Up to which every whole number is a float64."""

Build = Callable[[], nn.Module]
"""Makes a module with parameters freshly drawn from PyTorch's default generator."""


@runtime_checkable
class Stackable(Protocol):
    """A module that evaluates many sets of its parameters by products of its own, where that is faster than `vmap`."""

    def stacked(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor | None:
        """Logits of every model, shape (models, rows, classes), for inputs (models, rows, d); None where `vmap` is faster."""
        ...


class Evaluated(Protocol):
    """What gives the logits of a stack: a network as it predicts, or as it is trained."""

    def logits(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        """Shape (models, rows, classes), for inputs of shape (models, rows, d)."""
        ...


@dataclass(frozen=True, slots=True)
class Row:
    """What the flat features of a record are to a network."""

    features: int
    """d."""
    shape: tuple[int, ...] | None = None
    """What a module takes them as; None for flat."""
    whole: bool = False
    """Whether they are integers, such as the words of a text, and a module takes int64."""


class Network:
    """The shape of a network and the function that it computes; it holds no parameters.

    A model of it is a stack of one: its parameters, and the buffers that training changes or that are drawn.

    Attributes:
        shapes: The shape of each tensor that a model has of its own: of each parameter in the order of
            `nn.Module.parameters()`, without those of `base`, then of each buffer of `buffers`.
        buffers: The names of the buffers that training changes, as the running statistics of BatchNorm, or that are drawn.
        base: The names of the parameters that the module freezes and that it has whatever is drawn: weights from a file. All
            models share them.
        trainable: The names of the parameters that the module does not freeze and does use.
        final: The names of the parameters of the layer that is evaluated last.
        activations: Numbers that the layers give for one row, all together.
        alone: Why models are evaluated one by one; None where a stack is evaluated at once.
        mixes: What makes a row's logits depend on the other rows of its step in training; None where nothing does.
        dtype: float32 or float64; of parameters, and of inputs that are not whole.
        device: Where stacks live.
    """

    def __init__(self, build: Build, *, row: Row, classes: int, dtype: torch.dtype, device: torch.device) -> None:
        """Build one module, and try it.

        Args:
            build: Makes the module, in float32. It maps rows to logits (rows, classes); in eval mode each row on its own.
            row: What a record is.
            classes: How many logits a row has.
            dtype: float32 or float64.
            device: The CPU, or a CUDA device.

        Raises:
            ValueError: If the module's predictions draw random numbers, change buffers or mix rows, if it gives logits of another
                shape, or if it changes what its `state_dict` does not hold.
        """
        self._build = build
        # Drawn from a stream of its own as well, so that to make a network moves nobody's random numbers.
        with own_stream(0, "shape"):
            module = build()
        require_layers(module)
        self.base, drawn = _same_in_each(module, build)
        self.row, self.classes, self.dtype, self.device = row, classes, dtype, device
        self._module = module.to(device=device, dtype=dtype).eval()
        trial = trial_rows(row.features, dtype=torch.int64 if row.whole else dtype, device=device)
        found = examine(self._module, self.shaped(trial), classes=classes)
        self.final, self.trainable, self.activations, self.mixes = found.final, found.trainable, found.activations, found.mixes
        self.buffers = tuple(name for name, _ in self._module.named_buffers() if name in {*found.changed, *drawn})
        if lost := next((name for name in self.buffers if name not in self._module.state_dict()), None):
            raise ValueError(f"{lost}: expected a buffer of the state_dict (persistent = True), as training changes it")
        tensors = dict(self._module.named_parameters()) | {name: self._module.get_buffer(name) for name in self.buffers}
        own = {name: each for name, each in tensors.items() if name not in self.base}
        self.shapes = {name: each.shape for name, each in own.items()}
        self._kinds = {name: each.dtype for name, each in own.items()}
        self._trained = copy.deepcopy(self._module).train()
        self._constants = self._left_alone(self._module)
        self.alone = _reason(found.changed, drew=found.drew)
        self._examine_stacks(trial)

    @property
    def features(self) -> int:
        """The numbers of a row, d."""
        return self.row.features

    @property
    def size(self) -> int:
        """The numbers of one model, p."""
        return sum(shape.numel() for shape in self.shapes.values())

    def initial(self, seeds: Sequence[int]) -> Parameters:
        """Each model's tensors as its module draws them, from the model's own seed alone."""
        drawn = [self._drawn(seed) for seed in seeds]
        # Stacked before they cross to a GPU: one copy for all models, not one for each.
        return {name: torch.stack([each[name] for each in drawn]).to(self.device) for name in self.shapes}

    def logits(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        """What every model says of its own rows when it predicts.

        Args:
            parameters: A stack of k models.
            inputs: Shape (k, rows, d), as `rows` gives them.

        Returns:
            Shape (k, rows, classes).
        """
        return self._evaluated(self._module, parameters, inputs, None)

    def in_training(self, seeds: Sequence[int], purpose: str, trainable: Sequence[str] | None = None) -> Evaluated:
        """The network as it is trained: its buffers change with every evaluation, and what it draws follows from the seeds.

        Args:
            seeds: One a model.
            purpose: Names the streams of what is drawn.
            trainable: Names of the only parameters that change; layers without any of them keep their buffers. None for all.
        """
        module = self._trained
        if trainable is not None and self.buffers:
            module = copy.deepcopy(module)
            for name, layer in module.named_modules():
                held = {f"{name}.{own}" if name else own for own, _ in layer.named_buffers(recurse=False)}
                if held & set(self.buffers) and not any(each.startswith(f"{name}.") for each in trainable):
                    layer.eval()
        return _Trained(self, module, Streams(seeds, purpose, self.device))

    def shaped(self, rows: Tensor) -> Tensor:
        """Flat rows (rows, d) as the module takes them."""
        return rows if self.row.shape is None else rows.reshape(len(rows), *self.row.shape)

    def require_constants(self) -> None:
        """See that nothing changed a tensor that models share.

        Raises:
            ValueError: If a buffer or frozen parameter changed that no trial saw change: a model is not what it is made of.
        """
        for module in (self._module, self._trained):
            for name, each in self._left_alone(module).items():
                if not torch.equal(each, self._constants[name]):
                    raise ValueError(f"{name}: expected a tensor that stays as it was built, found one that changed in training")

    def flatten(self, parameters: Mapping[str, Tensor]) -> Tensor:
        """Shape (models, p): parameters in the order of `nn.Module.parameters()`, then buffers; float64 where types differ.

        Raises:
            ValueError: If a whole number is too large for float64.
        """
        alike = len(set(self._kinds.values())) == 1
        if not alike:
            for name in self.buffers:
                if not self._kinds[name].is_floating_point and bool((parameters[name].abs() > _EXACT).any()):
                    raise ValueError(f"{name}: expected whole numbers up to 2^53 in a buffer, found larger ones")
        pieces = (parameters[name].reshape(len(parameters[name]), -1) for name in self.shapes)
        return torch.cat([each if alike else each.double() for each in pieces], dim=1)

    def unflatten(self, flat: Tensor) -> Parameters:
        """The stack that `flatten` made shape (models, p) of."""
        pieces = torch.split(flat, [shape.numel() for shape in self.shapes.values()], dim=1)
        return {
            name: piece.reshape(len(flat), *shape).to(dtype=self._kinds[name], device=self.device, copy=True)
            for (name, shape), piece in zip(self.shapes.items(), pieces, strict=True)
        }

    def module(self, parameters: Mapping[str, Tensor]) -> nn.Module:
        """A module of its own, in training mode, that computes what the one model of a stack does."""
        found = copy.deepcopy(self._trained)
        with torch.no_grad():
            own = dict(found.named_parameters()) | dict(found.named_buffers())
            for name in self.shapes:
                own[name].copy_(parameters[name].squeeze(0))
        return found

    def taken_from(self, module: nn.Module) -> Parameters:
        """The model that a module holds, as a stack of one.

        Raises:
            ValueError: If it is not a module of the same tensors, or differs in one that models share.
        """
        own, found = self._module.state_dict(), module.state_dict()
        if (name := next((each for each in {**own, **found} if each not in own or each not in found), None)) is not None:
            where = "one more" if name in found else "it is missing"
            raise ValueError(f"{name}: expected the tensors of the network's state_dict, found {where}")
        tensors = dict(module.named_parameters()) | dict(module.named_buffers())
        for name, shape in self.shapes.items():
            if name not in tensors or tensors[name].shape != shape or tensors[name].dtype != self._kinds[name]:
                raise ValueError(f"{name}: expected a tensor of shape {tuple(shape)} and {self._kinds[name]}, found another")
        for name, each in self._constants.items():
            if name not in tensors or not torch.equal(tensors[name].detach().to(each.device), each):
                raise ValueError(f"{name}: expected a tensor that stays as it was built, found one that changed")
        return {name: tensors[name].detach().to(self.device)[None].clone() for name in self.shapes}

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
        named: dict[str, Tensor] = dict(self._module.named_parameters(remove_duplicate=False))
        places = []
        own |= {id(self._module.get_buffer(name)): name for name in self.buffers}
        named |= {name: self._module.get_buffer(name) for name in self.buffers}
        for name, each in self._module.state_dict(keep_vars=True).items():
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

    def rows(self, features: object) -> Tensor:
        """Features of records as a tensor: of the network's dtype, or of int64 where they are whole."""
        found = torch.as_tensor(features)
        return found.round().to(device=self.device, dtype=torch.int64) if self.row.whole else self.tensor(found)

    def _evaluated(self, module: nn.Module, parameters: Mapping[str, Tensor], inputs: Tensor, streams: Streams | None) -> Tensor:
        if isinstance(module, Stackable) and (found := module.stacked(parameters, inputs)) is not None:
            return found
        if self.alone is None:
            return self._mapped(module, parameters, inputs)
        return torch.stack([self._one(module, parameters, k, inputs[k], streams) for k in range(len(inputs))])

    def _examine_stacks(self, trial: Tensor) -> None:
        """See how models are evaluated together, as they predict and, where equal passes give equal logits, as they are trained.

        Raises:
            ValueError: If it cannot be done one by one either.
        """
        # Copies: nothing that a trial leaves behind is in a model.
        modules = [copy.deepcopy(each) for each in (self._module, *(() if self.alone else (self._trained,)))]
        while True:
            for module in modules:
                why = examine_stack(module, self.shapes, partial(self._plainly, module), trial, self.shaped)
                if why is None:
                    continue
                if self.alone is not None:
                    raise ValueError(
                        f"expected a network that can be evaluated with other parameters, found one that cannot: {why}"
                    )
                self.alone = f"torch.func.vmap cannot evaluate it: {why}"
                break
            else:
                return

    def _plainly(self, module: nn.Module, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        return self._evaluated(module, parameters, inputs, None)

    def _mapped(self, module: nn.Module, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        def one(own: dict[str, Tensor], rows: Tensor) -> Tensor:
            logits: Tensor = functional_call(module, own, (self.shaped(rows),))
            return logits

        found: Tensor = vmap(one, randomness="error")(dict(parameters), inputs)
        return found

    def _one(self, module: nn.Module, parameters: Mapping[str, Tensor], k: int, rows: Tensor, streams: Streams | None) -> Tensor:
        """Logits of model k alone; what it changes of its buffers is changed in the stack."""
        own = {name: parameters[name][k] for name in self.shapes}
        given = dict(own)
        if streams is None:
            logits: Tensor = functional_call(module, given, (self.shaped(rows),))
            return logits
        with streams.of(k):
            logits = functional_call(module, given, (self.shaped(rows),))
        for name in self.buffers:
            # Changed in place it is a view of the stack; a module may as well have put another tensor there.
            if given[name] is not own[name]:
                parameters[name][k].copy_(given[name].detach())
        return logits

    def _left_alone(self, module: nn.Module) -> dict[str, Tensor]:
        tensors = dict(module.named_parameters()) | dict(module.named_buffers())
        return {name: each.detach().clone() for name, each in tensors.items() if name not in self.shapes}

    def _drawn(self, seed: int) -> dict[str, Tensor]:
        with own_stream(seed, "initial"):
            module = self._build()
        # To the dtype first: both dtypes start from the same float32 numbers.
        drawn = dict(module.named_parameters()) | dict(module.named_buffers())
        return {name: drawn[name].detach().to(device="cpu", dtype=self._kinds[name]) for name in self.shapes}


@dataclass(frozen=True, slots=True)
class _Trained:
    """A network as it is trained."""

    network: Network
    module: nn.Module
    streams: Streams

    def logits(self, parameters: Mapping[str, Tensor], inputs: Tensor) -> Tensor:
        """What every model says of its own rows in training, shape (models, rows, classes); its buffers change."""
        return self.network._evaluated(self.module, parameters, inputs, self.streams)  # noqa: SLF001 - a view of it


def _reason(changed: Sequence[str], *, drew: bool) -> str | None:
    if drew:
        return "training draws random numbers, as dropout does"
    return f"training changes buffers, such as {changed[0]}" if changed else None


def _same_in_each(module: nn.Module, build: Build) -> tuple[frozenset[str], frozenset[str]]:
    """Frozen parameters that are the same whatever is drawn, and buffers that are not."""
    frozen = {name: each for name, each in module.named_parameters() if not each.requires_grad}
    buffers = dict(module.named_buffers())
    if not frozen and not buffers:
        return frozenset(), frozenset()
    with own_stream(1, "shape"):
        second = build()
    other = dict(second.named_parameters()) | dict(second.named_buffers())
    same = {name for name, each in (frozen | buffers).items() if name in other and torch.equal(each, other[name])}
    return frozenset(same & set(frozen)), frozenset(set(buffers) - same)


def _bytes(tensor: Tensor) -> bytes:
    """What a tensor holds, in the order of C."""
    return tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


class Streams:
    """PyTorch's default generators, one state for each model of a stack."""

    def __init__(self, seeds: Sequence[int], purpose: str, device: torch.device) -> None:
        """Name the streams: a model's follows from its own seed."""
        self._seeds, self._purpose, self._device = seeds, purpose, device
        self._states: dict[int, tuple[Tensor, ...]] = {}

    @contextmanager
    def of(self, k: int) -> Iterator[None]:
        """Let model k draw from where it left off."""
        before = self._now()
        if k in self._states:
            self._become(self._states[k])
        else:
            torch.manual_seed(_seed_of(self._seeds[k], f"{self._purpose} draws"))
        try:
            yield
        finally:
            self._states[k] = self._now()
            self._become(before)

    def _now(self) -> tuple[Tensor, ...]:
        of_device = (torch.cuda.get_rng_state(self._device),) if self._device.type == "cuda" else ()
        return (torch.random.get_rng_state(), *of_device)

    def _become(self, states: tuple[Tensor, ...]) -> None:
        torch.random.set_rng_state(states[0])
        if self._device.type == "cuda":
            torch.cuda.set_rng_state(states[1], self._device)


def _seed_of(seed: int, purpose: str) -> int:
    return int(draws.generator(seed, "networks", purpose).integers(2**63))


class own_stream:  # noqa: N801  (used as a context manager only)
    """PyTorch's default generator replaced by a stream of one seed for a while, and put back as it was."""

    def __init__(self, seed: int, purpose: str) -> None:
        """Name the stream: other purposes are independent of each other."""
        self._seed = _seed_of(seed, purpose)
        self._kept = torch.empty(0)

    def __enter__(self) -> None:
        self._kept = torch.random.get_rng_state()
        torch.default_generator.manual_seed(self._seed)

    def __exit__(self, *_: object) -> None:
        torch.random.set_rng_state(self._kept)
