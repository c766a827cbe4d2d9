"""A training between two epochs as a safetensors file: network, optimiser and every generator, as tensors and nothing else.

A checkpoint bears a digest of the start of its training: network, optimiser, generators and data. From the same start a training
of the same code comes to the same point, so that it may be taken up there; from any other start it is not.
"""

from __future__ import annotations

import hashlib
import random
import resource
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import safetensors.torch
import torch
from torch import Tensor, nn

from auditor.base.records import Dataset

_PARTIAL: Final = ".partial"
_STATE: Final = "state"
"""What the names of an optimiser's tensors begin with."""
_SHARE_OF_DISK: Final = 4
_KINDS: Final = {torch.bool: bool, torch.int64: int, torch.float64: float}


class CannotBeWrittenError(Exception):
    """A state holds what no tensor can, or would not come back as it was."""


FAILURES: Final = (CannotBeWrittenError, OSError, RuntimeError, TypeError, ValueError)
"""What writing may raise, PyTorch's own words for strange modules included: such a training goes on without checkpoints."""


def start_of(module: nn.Module, optimiser: torch.optim.Optimizer, data: Dataset) -> Tensor:
    """Digest all that a training starts with, 32 bytes.

    Raises:
        CannotBeWrittenError: If it could not be written as tensors.
    """
    digest = hashlib.sha256()
    for name, tensor in sorted(_tensors(module, optimiser).items()):
        digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}\0".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    for column in (data.features, data.labels):
        array = np.ascontiguousarray(column)
        if array.dtype.hasobject:
            raise CannotBeWrittenError("data that are no numbers")
        digest.update(f"{array.dtype.str} {array.shape}\0".encode())
        digest.update(array.tobytes())
    return torch.frombuffer(bytearray(digest.digest()), dtype=torch.uint8)


def write(path: Path, module: nn.Module, optimiser: torch.optim.Optimizer, *, start: Tensor, epochs: int) -> None:
    """Put a checkpoint in place, whole or not at all; none where it would take more than a quarter of the disk allowed.

    Args:
        path: Where it belongs.
        module: The network.
        optimiser: Its optimiser.
        start: What `start_of` said before the first epoch.
        epochs: How many are done.

    Raises:
        CannotBeWrittenError: If the state could not be written as tensors.
        OSError: If the file cannot be written.
    """
    tensors = _tensors(module, optimiser) | {"start": start, "epochs": torch.tensor(epochs)}
    content = safetensors.torch.save(tensors)
    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    if allowed != resource.RLIM_INFINITY and len(content) > allowed // _SHARE_OF_DISK:
        raise CannotBeWrittenError("more than the disk holds with an earlier one")
    partial = path.with_name(path.name + _PARTIAL)
    try:
        partial.write_bytes(content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def take_up(path: Path, module: nn.Module, optimiser: torch.optim.Optimizer, *, start: Tensor) -> int:
    """Bring network, optimiser and generators to where a checkpoint was written.

    Args:
        path: The checkpoint.
        module: The network, as it starts.
        optimiser: Its optimiser, as it starts.
        start: What `start_of` says of the two.

    Returns:
        How many epochs are done; 0, and nothing is changed, where the checkpoint is of a training with another start.
    """
    tensors = safetensors.torch.load(path.read_bytes())
    if not torch.equal(tensors["start"], start):
        return 0
    with torch.no_grad():
        for name, tensor in _of_module(module):
            tensor.copy_(tensors[f"module.{name}"])
    _restore_optimiser(optimiser, tensors)
    _restore_generators(module, tensors)
    return int(tensors["epochs"])


def _tensors(module: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    found = {f"module.{name}": tensor for name, tensor in _of_module(module)}
    found |= _of_optimiser(optimiser) | _of_generators(module)
    # Clones: safetensors refuses tensors that share memory.
    return {name: tensor.detach().cpu().contiguous().clone() for name, tensor in found.items()}


def _of_module(module: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """Parameters and buffers, those that no file of the model holds among them."""
    if not all(isinstance(each, Tensor) for each in module.state_dict().values()):
        raise CannotBeWrittenError("a module with a state that is no tensor")
    yield from module.named_parameters(remove_duplicate=False)
    yield from module.named_buffers(remove_duplicate=False)


def _of_optimiser(optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """`state.<parameter>.<key>` for tensors, `number.…` for numbers, `none.…`; `group.<group>.<key>` for settings."""
    whole = optimiser.state_dict()
    if whole.keys() != {"state", "param_groups"}:
        raise CannotBeWrittenError("an optimiser with a state of its own kind")
    parameters = [each for group in optimiser.param_groups for each in group["params"]]
    found: dict[str, Tensor] = {}
    for index, state in whole["state"].items():
        for key, value in state.items():
            if isinstance(value, Tensor):
                # PyTorch would bring it to the type of the parameter.
                if key != "step" and parameters[index].is_floating_point() and value.dtype != parameters[index].dtype:
                    raise CannotBeWrittenError("an optimiser with tensors of another type than the parameters")
                found[f"{_STATE}.{index}.{key}"] = value
            elif value is None:
                found[f"none.{index}.{key}"] = torch.zeros(0)
            else:
                found[f"number.{index}.{key}"] = _number(value)
    return found | _of_groups(whole["param_groups"])


def _of_groups(groups: Sequence[Mapping[str, Any]]) -> dict[str, Tensor]:
    """The settings of an optimiser that are numbers; others are as the class builds them."""
    found: dict[str, Tensor] = {}
    for position, group in enumerate(groups):
        for key, value in group.items():
            if key == "params" or value is None or isinstance(value, str):
                continue
            if isinstance(value, tuple):
                found |= {f"group.{position}.{key}.{place}": _number(each) for place, each in enumerate(value)}
            else:
                found[f"group.{position}.{key}"] = _number(value)
    return found


def _number(value: object) -> Tensor:
    if not isinstance(value, bool | int | float) or (type(value) is int and not -(2**63) <= value < 2**63):
        raise CannotBeWrittenError(f"an optimiser whose state holds a {type(value).__name__}")
    kind = next(dtype for dtype, kind in _KINDS.items() if isinstance(value, kind))
    return torch.tensor(value, dtype=kind)


def _value(tensor: Tensor) -> bool | int | float:
    value: bool | int | float = _KINDS[tensor.dtype](tensor.item())
    return value


def _restore_optimiser(optimiser: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    whole = optimiser.state_dict()
    states: dict[int, dict[str, Any]] = {}
    for name, tensor in tensors.items():
        kind, _, rest = name.partition(".")
        if kind in {_STATE, "none", "number"}:
            index, _, key = rest.partition(".")
            value = tensor if kind == _STATE else None if kind == "none" else _value(tensor)
            states.setdefault(int(index), {})[key] = value
    for position, group in enumerate(whole["param_groups"]):
        for key, value in group.items():
            if isinstance(value, tuple):
                group[key] = tuple(_value(tensors[f"group.{position}.{key}.{place}"]) for place in range(len(value)))
            elif f"group.{position}.{key}" in tensors:
                group[key] = _value(tensors[f"group.{position}.{key}"])
    optimiser.load_state_dict({"state": states, "param_groups": whole["param_groups"]})


def _of_generators(module: nn.Module) -> dict[str, Tensor]:
    numpy_state: Any = np.random.get_state(legacy=False)  # noqa: NPY002 - the generator that code of others draws from
    if numpy_state["bit_generator"] != "MT19937":
        raise CannotBeWrittenError("another generator of NumPy's than the one that was seeded")
    version, words, gauss = random.getstate()
    if version != 3:
        raise CannotBeWrittenError("another generator of Python's than the one known")
    found = {
        "chance.torch": torch.get_rng_state(),
        "chance.numpy": torch.from_numpy(numpy_state["state"]["key"].astype(np.int64)),
        "chance.numpy.at": torch.tensor(int(numpy_state["state"]["pos"])),
        "chance.numpy.has": torch.tensor(int(numpy_state["has_gauss"])),
        "chance.numpy.gauss": torch.tensor(float(numpy_state["gauss"]), dtype=torch.float64),
        "chance.python": torch.tensor(words, dtype=torch.int64),
        "chance.python.gauss": torch.tensor([] if gauss is None else [gauss], dtype=torch.float64),
    }
    return found | {f"chance.{device}": torch.cuda.get_rng_state(device) for device in _gpus(module)}


def _restore_generators(module: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    torch.set_rng_state(tensors["chance.torch"])
    for device in _gpus(module):
        torch.cuda.set_rng_state(tensors[f"chance.{device}"], device)
    key = tensors["chance.numpy"].numpy().astype(np.uint32)
    at, has, gauss = (tensors[f"chance.numpy.{each}"].item() for each in ("at", "has", "gauss"))
    np.random.set_state(("MT19937", key, int(at), int(has), float(gauss)))  # noqa: NPY002 - as above
    held = tensors["chance.python.gauss"].tolist()
    random.setstate((3, tuple(tensors["chance.python"].tolist()), held[0] if held else None))


def _gpus(module: nn.Module) -> list[torch.device]:
    found = {str(each.device): each.device for each in module.parameters() if each.device.type == "cuda"}
    return [found[name] for name in sorted(found)]
