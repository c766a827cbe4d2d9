"""Files of PyTorch's, loaded with weights only: in a process whose barriers hold whatever such a file could do."""

from __future__ import annotations

import torch
from torch import Tensor


def tensors_in(path: str) -> dict[str, Tensor]:
    """The tensors by name of a file that `torch.save` wrote of a `state_dict`.

    Raises:
        ValueError: If it is anything but plain tensors by name.
    """
    found = torch.load(path, map_location="cpu", weights_only=True)
    if not isinstance(found, dict) or not found:
        raise ValueError("expected the state_dict of a module, found something else")
    for name, each in found.items():
        if not isinstance(name, str) or not isinstance(each, Tensor) or each.layout is not torch.strided or each.is_quantized:
            raise ValueError("expected tensors by name, found something else among them: save model.state_dict() alone")
    return {name: each.detach().contiguous() for name, each in found.items()}
