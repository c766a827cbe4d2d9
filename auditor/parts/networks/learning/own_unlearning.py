"""The controller's own way of unlearning: a function around a module, as it would be written outside an audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import TensorDataset

from auditor.base.domain import Floats
from auditor.parts.networks.learning.memory import ROWS_AT_ONCE
from auditor.parts.networks.learning.network import Network, Streams


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
