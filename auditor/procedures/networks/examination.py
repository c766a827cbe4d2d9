"""Whether the models of a module can be stacked, found out before any is trained."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd

_ROWS, _LONGEST_REASON = 3, 160


@dataclass(frozen=True, slots=True)
class Examination:
    """What one forward pass told of a module."""

    final: tuple[str, ...]
    """Names of the parameters of the layer that ran last."""
    trainable: tuple[str, ...]
    """Names of the parameters that the module does not freeze, and that its output depends on."""
    activations: int
    """Numbers that the layers gave for one row, all together."""


def examine(module: nn.Module, *, features: int, classes: int) -> Examination:
    """Try a module on a few rows.

    Raises:
        ValueError: Naming the layer, what was expected of it and what was found.
    """
    parameters = dict(module.named_parameters())
    rows = _trial_rows(next(iter(parameters.values())), features)
    before = {name: each.clone() for name, each in module.named_buffers()}
    randomness = torch.random.get_rng_state()
    with _watched(module) as seen, torch.enable_grad():
        whole = _shaped(module(rows), (_ROWS, classes))
        first = _shaped(module(rows[:1]), (1, classes))
    drew = not torch.equal(torch.random.get_rng_state(), randomness)
    torch.random.set_rng_state(randomness)
    changed = next((name for name, each in module.named_buffers() if not torch.equal(each, before[name])), None)
    if changed is not None:
        raise ValueError(f"{changed}: expected a buffer that a forward pass leaves alone, found one that it changes")
    if drew:
        raise ValueError("expected a forward pass that draws no random numbers, found one that does")
    if not bool(torch.isfinite(whole).all()):
        raise ValueError("expected finite logits, found some that are not")
    if not torch.allclose(whole[:1], first, rtol=1e-3, atol=1e-5):
        raise ValueError("expected each row to be judged on its own, found logits that change with the other rows")
    if not seen.last:
        raise ValueError("expected layers with parameters to run in the forward pass, found none")
    return Examination(seen.last, _trainable(parameters, whole), seen.numbers // (_ROWS + 1))


def examine_stack(
    module: nn.Module, names: Collection[str], stacked: Callable[[dict[str, Tensor], Tensor], Tensor], *, features: int
) -> None:
    """See that a stack of two models gives what each of them gives alone.

    Args:
        module: One of them; the other has half its parameters' values.
        names: Those of the parameters that every model has of its own.
        stacked: From parameters and inputs with a leading axis of models to logits.
        features: The width of a row.

    Raises:
        ValueError: If it gives something else, or cannot be evaluated.
    """
    other = copy.deepcopy(module)
    with torch.no_grad():
        for name, each in other.named_parameters():
            if name in names:
                each.mul_(0.5)
        rows = _trial_rows(next(module.parameters()), features)
        alone = torch.stack([module(rows), other(rows)])
        one, two = dict(module.named_parameters()), dict(other.named_parameters())
        try:
            together = stacked({name: torch.stack([one[name], two[name]]) for name in names}, torch.stack([rows, rows]))
        except RuntimeError as error:
            reason = " ".join(str(error).split())[:_LONGEST_REASON]
            raise ValueError(
                f"expected a network that torch.func.vmap can evaluate, found one that it cannot: {reason}"
            ) from error
    if not torch.allclose(together, alone, rtol=1e-3, atol=1e-5):
        raise ValueError("expected logits that follow from parameters and row alone, found others for two models together")


def _trial_rows(like: Tensor, features: int) -> Tensor:
    """A few rows of fixed numbers, none like another, of the dtype and on the device of `like`."""
    return torch.linspace(-1, 1, _ROWS * features, device=like.device, dtype=like.dtype).reshape(_ROWS, features)


def _trainable(parameters: Mapping[str, Tensor], logits: Tensor) -> tuple[str, ...]:
    free = {name: each for name, each in parameters.items() if each.requires_grad}
    if not free or not logits.requires_grad:
        raise ValueError("expected logits with a gradient with respect to some parameter, found none")
    # torch.optim leaves a parameter alone that got no gradient, and so it must be here.
    gradients = torch.autograd.grad(logits.sum(), list(free.values()), allow_unused=True)
    return tuple(name for name, gradient in zip(free, gradients, strict=True) if gradient is not None)


def require_layers(module: nn.Module) -> None:
    """See that a module's layers are of a kind that can be stacked, before it is moved to a dtype or run.

    Raises:
        ValueError: Naming the layer, parameter or buffer, what was expected of it and what was found.
    """
    if next(module.parameters(), None) is None:
        raise ValueError("expected a network with parameters, found none")
    for name, each in module.named_parameters():
        if not each.dtype.is_floating_point:
            raise ValueError(f"{name}: expected a parameter of floats, found {each.dtype}")
    for name, buffer in module.named_buffers():
        if buffer.is_complex():
            raise ValueError(f"{name}: expected a buffer of real numbers, found {buffer.dtype}")
    for name, layer in module.named_modules():
        where, kind = name or "the network", type(layer).__name__
        if isinstance(layer, _BatchNorm) or getattr(layer, "track_running_stats", False):
            raise ValueError(f"{where}: expected a normalisation of each row on its own, such as GroupNorm, found {kind}")
        if isinstance(layer, _DropoutNd) and layer.p > 0:
            raise ValueError(f"{where}: expected no dropout, whose draws would depend on what is trained together, found {kind}")


@dataclass(slots=True)
class _Seen:
    last: tuple[str, ...] = ()
    numbers: int = 0


@contextmanager
def _watched(module: nn.Module) -> Iterator[_Seen]:
    seen = _Seen()

    def hook(prefix: str, own: tuple[str, ...]) -> Callable[[nn.Module, object, object], None]:
        def note(_module: nn.Module, _inputs: object, output: object) -> None:
            if isinstance(output, Tensor):
                seen.numbers += output.numel()
            if own:
                seen.last = tuple(f"{prefix}.{name}" if prefix else name for name in own)

        return note

    hooks = [
        layer.register_forward_hook(hook(name, tuple(own for own, _ in layer.named_parameters(recurse=False))))
        for name, layer in module.named_modules()
    ]
    try:
        yield seen
    finally:
        for each in hooks:
            each.remove()


def _shaped(logits: object, shape: tuple[int, int]) -> Tensor:
    if not isinstance(logits, Tensor) or logits.shape != shape:
        found = tuple(logits.shape) if isinstance(logits, Tensor) else type(logits).__name__
        raise ValueError(f"expected logits of shape {shape} for {shape[0]} rows, found {found}")
    return logits
