"""What a module does when it predicts and when it is trained, found out before any model of it is."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

_ROWS, _LONGEST_REASON = 3, 160


@dataclass(frozen=True, slots=True)
class Examination:
    """What a few forward passes told of a module."""

    final: tuple[str, ...]
    """Names of the parameters of the layer that ran last."""
    trainable: tuple[str, ...]
    """Names of the parameters that the module does not freeze, and that its output depends on."""
    activations: int
    """Numbers that the layers gave for one row, all together."""
    changed: tuple[str, ...]
    """Names of the buffers that a pass in training changes."""
    drew: bool
    """Whether a pass in training draws random numbers."""
    mixes: str | None
    """What makes a row's logits depend on the other rows of a step in training; None where nothing does."""


def examine(module: nn.Module, rows: Tensor, *, classes: int) -> Examination:
    """Try a module on a few rows, as it predicts and as it is trained.

    Args:
        module: Its buffers are left as they are.
        rows: What `trial_rows` gave, as the module takes them.
        classes: How many logits a row has.

    Raises:
        ValueError: Naming the layer, what was expected of it and what was found.
    """
    seen = _examine_predictions(copy.deepcopy(module).eval(), rows, classes)
    trained = copy.deepcopy(module).train()
    before = {name: each.clone() for name, each in trained.named_buffers()}
    with _kept_randomness() as drew, torch.enable_grad():
        whole = _shaped(trained(rows), (_ROWS, classes))
        found = drew()
        changed = tuple(name for name, each in trained.named_buffers() if not torch.equal(each, before[name]))
        mixes = _mixing_layer(trained) or (None if found else _mixes(trained, rows, whole))
    if not bool(torch.isfinite(whole).all()):
        raise ValueError("expected finite logits in training, found some that are not")
    trainable = _trainable(dict(trained.named_parameters()), whole)
    return Examination(seen.last, trainable, seen.numbers // (_ROWS + 1), changed, found, mixes)


def _examine_predictions(module: nn.Module, rows: Tensor, classes: int) -> _Seen:
    before = {name: each.clone() for name, each in module.named_buffers()}
    with _watched(module) as seen, _kept_randomness() as drew, torch.no_grad():
        whole = _shaped(module(rows), (_ROWS, classes))
        first = _shaped(module(rows[:1]), (1, classes))
        drawn = drew()
    changed = next((name for name, each in module.named_buffers() if not torch.equal(each, before[name])), None)
    if changed is not None:
        raise ValueError(f"{changed}: expected a buffer that a prediction leaves alone, found one that it changes")
    if drawn:
        raise ValueError("expected a prediction, in eval mode, that draws no random numbers, found one that does")
    if not bool(torch.isfinite(whole).all()):
        raise ValueError("expected finite logits, found some that are not")
    if not torch.allclose(whole[:1], first, rtol=1e-3, atol=1e-5):
        raise ValueError("expected each row to be judged on its own in eval mode, found logits that change with the other rows")
    if not seen.last:
        raise ValueError("expected layers with parameters to run in the forward pass, found none")
    return seen


def _mixing_layer(module: nn.Module) -> str | None:
    normalising = ((name, layer) for name, layer in module.named_modules() if isinstance(layer, _BatchNorm))
    return next((f"{type(layer).__name__} of {name or 'the network'}" for name, layer in normalising), None)


def _mixes(module: nn.Module, rows: Tensor, whole: Tensor) -> str | None:
    how = "logits that change with the other rows"
    try:
        first: Tensor = module(rows[:1])
    except (RuntimeError, ValueError):
        # As normalisations over a step do, of which one row has no deviation.
        return how
    return None if torch.allclose(whole[:1], first, rtol=1e-3, atol=1e-5) else how


@contextmanager
def _kept_randomness() -> Iterator[Callable[[], bool]]:
    """PyTorch's generator put back at the end; what it gives says whether anything was drawn."""
    before = torch.random.get_rng_state()
    try:
        yield lambda: not torch.equal(torch.random.get_rng_state(), before)
    finally:
        torch.random.set_rng_state(before)


def examine_stack(
    module: nn.Module,
    names: Collection[str],
    stacked: Callable[[dict[str, Tensor], Tensor], Tensor],
    rows: Tensor,
    shaped: Callable[[Tensor], Tensor],
) -> str | None:
    """See that a stack of two models gives what each of them gives alone.

    Args:
        module: One of them; the other has half its parameters' values.
        names: Those of the parameters and buffers that every model has of its own.
        stacked: From parameters and inputs with a leading axis of models to logits.
        rows: What `trial_rows` gave, flat.
        shaped: Makes of flat rows what the module takes.

    Returns:
        Why they cannot be evaluated together; None where they can.

    Raises:
        ValueError: If it gives something else.
    """
    other = copy.deepcopy(module)
    with torch.no_grad():
        for name, each in other.named_parameters():
            if name in names:
                each.mul_(0.5)
        alone = torch.stack([module(shaped(rows)), other(shaped(rows))])
        one, two = (dict(each.named_parameters()) | dict(each.named_buffers()) for each in (module, other))
        try:
            together = stacked({name: torch.stack([one[name], two[name]]) for name in names}, torch.stack([rows, rows]))
        except (RuntimeError, NotImplementedError) as error:
            return " ".join(str(error).split())[:_LONGEST_REASON]
    if not torch.allclose(together, alone, rtol=1e-3, atol=1e-5):
        raise ValueError("expected logits that follow from parameters and row alone, found others for two models together")
    return None


def trial_rows(features: int, *, dtype: torch.dtype, device: torch.device) -> Tensor:
    """A few flat rows of fixed numbers, of words 0 and 1 where they are whole; shape (3, d)."""
    if dtype.is_floating_point:
        return torch.linspace(-1, 1, _ROWS * features, device=device, dtype=dtype).reshape(_ROWS, features)
    counted = torch.arange(_ROWS, device=device)[:, None] >> (torch.arange(features, device=device) % 2)
    return (counted % 2).to(dtype)


def _trainable(parameters: Mapping[str, Tensor], logits: Tensor) -> tuple[str, ...]:
    free = {name: each for name, each in parameters.items() if each.requires_grad}
    if not free or not logits.requires_grad:
        raise ValueError("expected logits with a gradient with respect to some parameter, found none")
    # torch.optim leaves a parameter alone that got no gradient, and so it must be here.
    gradients = torch.autograd.grad(logits.sum(), list(free.values()), allow_unused=True)
    return tuple(name for name, gradient in zip(free, gradients, strict=True) if gradient is not None)


def require_layers(module: nn.Module) -> None:
    """See that a module has parameters and buffers of numbers, before it is moved to a dtype or run.

    Raises:
        ValueError: Naming the parameter or buffer, what was expected of it and what was found.
    """
    if next(module.parameters(), None) is None:
        raise ValueError("expected a network with parameters, found none")
    for name, each in module.named_parameters():
        if not each.dtype.is_floating_point:
            raise ValueError(f"{name}: expected a parameter of floats, found {each.dtype}")
    for name, buffer in module.named_buffers():
        if buffer.is_complex():
            raise ValueError(f"{name}: expected a buffer of real numbers, found {buffer.dtype}")


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
