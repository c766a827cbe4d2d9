"""What boosters of LightGBM and XGBoost and tensors of PyTorch hold: their memory is not Python's to walk through.

The libraries are never imported here: an object can be theirs only where the procedure has imported them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy.typing as npt


def in_own_format(value: Any) -> dict[str, Any] | None:
    """Take a booster apart: what it learned as text, and its attributes but for the address of its memory; None for all else.

    LightGBM: every tree, whichever iteration is the best one. XGBoost: the model as JSON, and its configuration.
    """
    if _is(value, "lightgbm.basic"):
        held = {name: each for name, each in vars(value).items() if name != "_handle"}
        return held | {"model": value.model_to_string(num_iteration=-1).encode()}
    if _is(value, "xgboost.core"):
        held = {name: each for name, each in vars(value).items() if name != "handle"}
        return held | {"model": bytes(value.save_raw("json")), "configuration": value.save_config().encode()}
    return None


def tensor_values(value: Any) -> npt.NDArray[Any] | None:
    """The values of a tensor of PyTorch, bfloat16 as int16 of the same bits; None for anything else."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return None
    plain = value.detach().cpu()
    if plain.dtype is torch.bfloat16:
        plain = plain.view(torch.int16)
    found: npt.NDArray[Any] = plain.contiguous().numpy()
    return found


def _is(value: Any, module: str) -> bool:
    return type(value) is getattr(sys.modules.get(module), "Booster", None)
